"""Runs the benchmarks and prints their tables: ratios between things measured in turn, in one run."""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
from pathlib import Path
from typing import Any

from mixing import mixing


def measure(program: Path, *arguments: object) -> dict[str, Any]:
    """Runs a benchmark program once and reads the JSON object that it prints."""
    done = subprocess.run([str(program), *map(str, arguments)], check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def huge_network(build: Path, repetitions: int) -> bool:
    """The paper's own architecture: is a step as fast, and memory as small, as in a narrow network?"""
    widths = (100, 10_000)
    runs: dict[int, list[dict[str, Any]]] = {width: [] for width in widths}
    for _ in range(repetitions):  # in turn, so that a change of the machine's speed hits both
        for width in widths:
            runs[width].append(measure(build / "bench_huge_network", width))
    print("Paper's kernel, depth 14, p = 10, n = 10,000, the same active set in networks of two widths")
    print(f"{'width':>7} {'P':>14} {'active':>7} {'live':>5} {'steps/s':>9} {'peak MiB':>9}")
    rates = {}
    for width in widths:
        rates[width] = statistics.median(run["steps_per_second"] for run in runs[width])
        peak = max(run["peak_mib"] for run in runs[width])
        first = runs[width][0]
        print(
            f"{width:>7,} {first['parameters']:>14,} {first['active']:>7} {first['live']:>5} "
            f"{rates[width]:>9,.0f} {peak:>9.1f}"
        )
    ratio = rates[100] / rates[10_000]
    peak = max(run["peak_mib"] for run in runs[10_000])
    print(f"a step at width 10,000 takes {ratio:.2f} times one at width 100 (limit 1.5); peak {peak:.0f} MiB (limit 2048)\n")
    return ratio < 1.5 and peak < 2048


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=Path("build-bench"), help="folder with the built benchmarks")
    parser.add_argument("--repetitions", type=int, default=5)
    arguments = parser.parse_args()
    met = [huge_network(arguments.build / "benchmarks", arguments.repetitions), mixing(arguments.build / "lacuna")]
    return 0 if all(met) else 1


if __name__ == "__main__":
    raise SystemExit(main())
