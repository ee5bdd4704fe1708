"""Kills runs of the real command at random moments, lets them go on, and counts those that end with the right bytes.

Each run is killed one to three times: while it starts, in burn-in, while it samples, or while it writes. Slow tier;
prints a line for every sampler and number of threads, and exits with 1 if a single run differs.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from cli_support import small_data

COMMON = ("--target", "y", "--chains", "2", "--lambda", "bayes", "--quiet")
SAMPLERS = {
    "paper": ("--sampler", "paper", "--start", "prior", "--widths", "4", "--burn-in", "60000", "--gap", "40",
              "--draws", "3000"),
    "default": ("--widths", "6", "--walkers", "2", "--burn-in", "15000", "--gap", "10", "--draws", "3000"),
    "tempered": ("--widths", "4", "--rungs", "3", "--start", "prior", "--burn-in", "8000", "--gap", "8",
                 "--draws", "1000"),
}  # fmt: skip


def fit(command: str, folder: Path, sampler: str, out: str, *more: str) -> "subprocess.Popen[bytes]":
    words = [command, "fit", "d.csv", "--out", out, *COMMON, *SAMPLERS[sampler], *more]
    return subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE)


def finish(running: "subprocess.Popen[bytes]") -> None:
    told = running.communicate()[1].decode()
    if running.returncode != 0:
        raise SystemExit(f"exit {running.returncode}: {told}")


def survives(command: str, folder: Path, sampler: str, threads: int, seconds: float, moment: random.Random) -> bool:
    (folder / "parts.lacuna").unlink(missing_ok=True)
    more = ("--threads", str(threads), "--resume")
    for _ in range(moment.randint(1, 3)):
        running = fit(command, folder, sampler, "parts.lacuna", *more)
        time.sleep(moment.uniform(0.0, 1.0) * seconds)
        running.send_signal(signal.SIGKILL)
        running.communicate()
    finish(fit(command, folder, sampler, "parts.lacuna", *more))
    return (folder / "parts.lacuna").read_bytes() == (folder / "whole.lacuna").read_bytes()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100, help="for each sampler and number of threads [100]")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    command = os.environ["LACUNA_COMMAND"]
    moment = random.Random(arguments.seed)
    whole = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small_data(folder / "d.csv")
        for sampler in SAMPLERS:
            began = time.monotonic()
            finish(fit(command, folder, sampler, "whole.lacuna"))
            seconds = time.monotonic() - began
            for threads in (1, 2):
                good = sum(
                    survives(command, folder, sampler, threads, seconds, moment) for _ in range(arguments.runs)
                )
                print(f"{sampler}, {threads} threads: {good} of {arguments.runs} runs end as if never killed", flush=True)
                whole = whole and good == arguments.runs
    return 0 if whole else 1


if __name__ == "__main__":
    raise SystemExit(main())
