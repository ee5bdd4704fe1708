"""Lets writes of the real command fail at random moments, and counts the runs that lost nothing recorded before.

Each run meets a disk that is full after a random number of bytes, an input/output error at a random write or fsync, or
writes that are interrupted and cut short (tests/cli/faults.cpp). It has to say so in a sentence, with exit code 74; the
file must be, to the last byte that the system took, the beginning of the file of a run without faults; every whole draw
in it must be readable; and the run must go on from it to the same bytes. Slow tier; exits with 1 if a single run fails.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from cli_support import small_data

COMMON = ("--target", "y", "--chains", "2", "--start", "prior", "--lambda", "bayes", "--quiet", "--threads", "1")
SAMPLERS = {
    "paper": ("--sampler", "paper", "--widths", "3", "--burn-in", "9000", "--gap", "20", "--draws", "2000"),
    "default": ("--widths", "3", "--burn-in", "2000", "--gap", "10", "--draws", "900", "--checkpoint-every", "0.001"),
}
KINDS = ("full", "full", "error", "sync", "rough")


@dataclass
class Bench:
    """What all runs of one sampler share."""

    command: str
    library: str
    folder: Path
    sampler: str
    whole: bytes = b""
    draws: frozenset[bytes] = frozenset()
    writes: int = 0
    syncs: int = 0

    def call(self, folder: Path, *words: str, fault: str = "none:0") -> "subprocess.CompletedProcess[str]":
        environment = dict(os.environ, LACUNA_FAULT=fault, LACUNA_FAULT_LOG=str(folder / "taken"))
        if fault != "none:0":
            environment["LD_PRELOAD"] = self.library
        return subprocess.run(
            [self.command, *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
        )

    def fit(self, folder: Path, *more: str, fault: str = "none:0") -> "subprocess.CompletedProcess[str]":
        data = str(self.folder / "d.csv")
        return self.call(folder, "fit", data, "--out", "d.lacuna", *COMMON, *SAMPLERS[self.sampler], *more, fault=fault)

    def prepare(self) -> None:
        small_data(self.folder / "d.csv")
        done = self.fit(self.folder, fault="rough:1000000")  # more writes than there are
        assert done.returncode == 0, done.stderr
        self.whole = (self.folder / "d.lacuna").read_bytes()
        taken, self.writes, self.syncs = log_of(self.folder)
        assert taken == len(self.whole)
        self.draws = self.exported(self.folder)

    def exported(self, folder: Path) -> frozenset[bytes]:
        done = self.call(folder, "draws", "d.lacuna", "--out", "draws.csv")
        return frozenset((folder / "draws.csv").read_bytes().splitlines()) if done.returncode == 0 else frozenset()

    def trouble_with(self, fault: str) -> str:
        """Empty if the run behaves, else what is wrong."""
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            folder = Path(name)
            done = self.fit(folder, fault=fault)
            left = (folder / "d.lacuna").read_bytes()
            taken = log_of(folder)[0]
            if fault.startswith("rough"):
                return "" if done.returncode == 0 and left == self.whole else f"interrupted writes lose bytes {done.stderr}"
            told = r"lacuna: d\.lacuna: cannot write \((No space left on device|Input/output error)\); what was written before is kept\n"
            if done.returncode != 74 or not re.fullmatch(told, done.stderr):
                return f"exit {done.returncode}: {done.stderr}"
            if len(left) != taken or left != self.whole[:taken]:
                return "the file is not the beginning of a good one"
            if not self.exported(folder) <= self.draws:
                return "draws have changed"
            done = self.fit(folder, "--resume")
            if done.returncode != 0 or (folder / "d.lacuna").read_bytes() != self.whole:
                return f"cannot go on: {done.stderr}"
        return ""


def log_of(folder: Path) -> tuple[int, int, int]:
    """Bytes that the file system took, writes and syncs of the last call with a fault."""
    taken, writes, syncs = map(int, (folder / "taken").read_text().splitlines()[-1].split())
    return taken, writes, syncs


def random_fault(bench: Bench, moment: random.Random) -> str:
    kind = moment.choice(KINDS)
    if kind == "full":
        return f"full:{moment.randrange(len(bench.whole))}"
    return f"{kind}:{moment.randint(1, {'error': bench.writes, 'sync': bench.syncs, 'rough': 3}[kind])}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=1000, help="in all, over both samplers [1000]")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    moment = random.Random(arguments.seed)
    bad = 0
    for sampler in SAMPLERS:
        with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count()) as pool:
            bench = Bench(os.environ["LACUNA_COMMAND"], os.environ["LACUNA_FAULTS"], Path(name), sampler)
            bench.prepare()
            faults = [random_fault(bench, moment) for _ in range(arguments.faults // len(SAMPLERS))]
            found = {fault: trouble for fault, trouble in zip(faults, pool.map(bench.trouble_with, faults)) if trouble}
        for fault, trouble in found.items():
            print(f"{sampler}, {fault}: {trouble}")
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(Counter(f.split(":")[0] for f in faults).items()))
        print(f"{sampler}: {len(faults) - len(found)} of {len(faults)} write faults lost nothing ({kinds})", flush=True)
        bad += len(found)
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
