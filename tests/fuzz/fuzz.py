"""Runs the fuzz targets, two or more at once where there are cores, and prints a line for each.

Starts from the inputs in tests/fuzz/corpus and from what earlier runs found, which lies beside the programs. What makes a
target crash, hang for ten seconds or take 512 MB is kept there as well, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

TARGETS = ("csv", "npy", "config", "fit")
CORPUS = Path(__file__).resolve().parent / "corpus"
# Five times the speed of the defaults: short stacks of allocations, little memory kept from reuse.
SANITIZER = "quarantine_size_mb=4:malloc_context_size=1:detect_stack_use_after_return=0:allocator_release_to_os_interval_ms=-1"


@dataclass
class Outcome:
    target: str
    executions: int
    seconds: float
    peak: int  # MB
    code: int
    told: str


def run(build: Path, target: str, options: "list[str]") -> Outcome:
    found, kept = build / "found" / target, build / f"{target}-"
    found.mkdir(parents=True, exist_ok=True)
    words = [
        str(build / f"fuzz_{target}"), *options, "-timeout=10", "-rss_limit_mb=512", "-print_final_stats=1",
        f"-artifact_prefix={kept}", str(found), str(CORPUS / target),
    ]  # fmt: skip
    began = time.monotonic()
    done = subprocess.run(
        words, env=dict(os.environ, ASAN_OPTIONS=SANITIZER), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace",
    )  # fmt: skip
    stats = {name: int(value) for name, value in re.findall(r"^stat::(\w+): *(\d+)", done.stdout, re.MULTILINE)}
    return Outcome(
        target, stats.get("number_of_executed_units", 0), time.monotonic() - began, stats.get("peak_rss_mb", 0),
        done.returncode, done.stdout[-4000:],
    )  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", default=TARGETS, metavar="TARGET", help=f"of {', '.join(TARGETS)} [all]")
    parser.add_argument("--build", type=Path, required=True, help="folder of the programs")
    parser.add_argument("--seconds", type=int, help="for each target [60, unless --runs is given]")
    parser.add_argument("--runs", type=int, help="executions of each target")
    parser.add_argument("--seed", type=int, default=0, help="0: another one each time [0]")
    arguments = parser.parse_args()
    if unknown := set(arguments.targets) - set(TARGETS):
        parser.error(f"unknown target {', '.join(sorted(unknown))}")
    options = [f"-seed={arguments.seed}"]
    if arguments.runs is not None:
        options.append(f"-runs={arguments.runs}")
    if arguments.seconds is not None or arguments.runs is None:
        options.append(f"-max_total_time={arguments.seconds or 60}")
    bad = False
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for outcome in pool.map(lambda target: run(arguments.build, target, options), arguments.targets):
            verdict = "nothing found" if outcome.code == 0 else f"exit {outcome.code}"
            print(
                f"{outcome.target:8} {outcome.executions:>12,} executions in {outcome.seconds:5.0f} s, "
                f"at most {outcome.peak} MB: {verdict}",
                flush=True,
            )
            if outcome.code != 0:
                bad = True
                print(outcome.told, file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
