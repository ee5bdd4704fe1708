"""This version beside another one: the same benchmarks of both, by turns, as ratios.

usage: against.py REVISION --build FOLDER. The other version is checked out and built under FOLDER/against.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from pathlib import Path

from speed import SHAPES, fit, simulated
from tables import Table, Bench, by_turns

CASES: "dict[str, tuple[str, str, list[str]]]" = {
    **{f"gradients, {name}, {p}": ("gradients", "gradients_per_second", [*shape.split(), p])
       for name, shape in SHAPES for p in ("single", "full")},
    "MALA, dense 8-50-1": ("mala", "steps_per_second", ["8", "50", "10000", "single"]),
    "sparse steps, 100 live weights": ("sparse_steps", "steps_per_second", ["9", "100", "2000"]),
    "sparse steps, 1,002 live weights": ("sparse_steps", "steps_per_second", ["91", "100", "2000"]),
    "paper's kernel, depth 14": ("huge_network", "steps_per_second", ["100"]),
}  # fmt: skip


def built(revision: str, build: Path) -> Path:
    commit = subprocess.run(["git", "rev-parse", "--verify", f"{revision}^{{commit}}"], capture_output=True, text=True)
    if commit.returncode != 0:
        raise SystemExit(f"no revision {revision!r} in this repository")
    folder = build / "against" / commit.stdout.strip()[:12]
    if not (folder / "source" / "CMakeLists.txt").exists():
        (folder / "source").mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(["git", "archive", commit.stdout.strip()], capture_output=True, check=True)
        subprocess.run(["tar", "-x", "-C", str(folder / "source")], input=archive.stdout, check=True)
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DLACUNA_TESTS=OFF", "-DLACUNA_BENCHMARKS=ON"]
    if shutil.which("ccache"):
        options.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    configure = ["cmake", "-G", "Ninja", "-S", str(folder / "source"), "-B", str(folder / "build"), *options]
    subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", str(folder / "build")], check=True, stdout=subprocess.DEVNULL)
    return folder / "build"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("revision")
    parser.add_argument("--build", type=Path, default=Path("build-bench"))
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.0)
    arguments = parser.parse_args()
    here, there = arguments.build.resolve(), built(arguments.revision, arguments.build.resolve())
    sides = {
        side: Bench(folder / "benchmarks", folder / "lacuna", None, arguments.repetitions, arguments.seconds)
        for side, folder in (("new", here), ("old", there))
    }
    table = Table(f"This version beside {arguments.revision}", ("what", "old", "new", "new / old"))
    for name, (program, key, words) in CASES.items():
        if not all((bench.programs / f"bench_{program}").exists() for bench in sides.values()):
            table.remarks.append(f"{name}: one of the versions has no such benchmark.")
            continue
        extra = [arguments.seconds] if program != "huge_network" else []
        runs = {side: (lambda bench=bench: bench.program(program, *words, *extra)) for side, bench in sides.items()}
        rate = by_turns(runs, key, arguments.repetitions)
        table.row(name, f"{rate['old']:,.1f}", f"{rate['new']:,.1f}", f"{rate['new'] / rate['old']:.2f}")
    predictions(sides, table, arguments.repetitions)
    print(table.markdown())
    return 0


def predictions(sides: "dict[str, Bench]", table: Table, repetitions: int) -> None:
    """By the command, which every version has."""
    import tempfile
    import time

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data, path = simulated(sides["old"], folder, 20_000, 10), folder / "fit.lacuna"
        fit(sides["old"], simulated(sides["old"], folder, 500, 10), path, widths="16,16", noise_sd=0.06, **{"lambda": "bayes"},
            chains=4, burn_in=2000, gap=20, draws=250)  # fmt: skip

        def run(bench: Bench) -> "dict[str, float]":
            began = time.perf_counter()
            words = [bench.lacuna, "predict", path, data, "--out", folder / "p.csv"]
            subprocess.run([str(word) for word in words], check=True, capture_output=True)
            return {"rows": 20_000 / (time.perf_counter() - began)}

        rate = by_turns({side: (lambda bench=bench: run(bench)) for side, bench in sides.items()}, "rows", repetitions)
    table.row("rows predicted, 1,000 draws", f"{rate['old']:,.0f}", f"{rate['new']:,.0f}", f"{rate['new'] / rate['old']:.2f}")


if __name__ == "__main__":
    raise SystemExit(main())
