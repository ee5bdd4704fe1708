"""Runs the real command for ten minutes and prints how much its memory grows after the first one. Slow tier.

Exits with 1 if that is 1% or more. Draws go to the file as they come, so that a run of any length stays as it is.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import time
from pathlib import Path


def resident(process: int) -> int:
    """Bytes of memory that a process holds now."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return 1024 * int(line.split()[1])
    raise SystemExit(f"process {process} has no memory")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="after the start; the first one does not count [10]")
    arguments = parser.parse_args()
    command = os.environ["LACUNA_COMMAND"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([command, "simulate", "friedman", "--n", "300", "--out", "d.csv"], cwd=folder, check=True)
        words = (
            "fit", "d.csv", "--target", "y", "--ignore", "f", "--out", "d.lacuna", "--lambda", "bayes", "--burn-in",
            "3000", "--gap", "20", "--draws", str(10**9), "--walkers", "3", "--checkpoint-every", "5", "--quiet",
        )  # fmt: skip
        began = time.monotonic()
        running = subprocess.Popen([command, *words], cwd=folder)
        seen: list[tuple[float, int]] = []
        while time.monotonic() - began < 60 * arguments.minutes:
            time.sleep(1.0)
            seen.append((time.monotonic() - began, resident(running.pid)))
        running.terminate()
        running.wait()
        size = (folder / "d.lacuna").stat().st_size
    first = max(memory for at, memory in seen if at <= 60)
    later = max(memory for at, memory in seen if at > 60)
    growth = later / first - 1
    print(f"{first / 2**20:.2f} MiB in the first minute, at most {later / 2**20:.2f} MiB after it ({growth:+.2%})")
    print(f"the file has {size / 2**20:.0f} MiB of draws")
    return 0 if growth < 0.01 else 1


if __name__ == "__main__":
    raise SystemExit(main())
