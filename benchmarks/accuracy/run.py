"""Runs the accuracy benchmark: every method on every split of every set, each in its own process.

Results are appended to a file of JSON lines; cells that are already there are not run again.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tasks
from methods import FAST, METHODS
from methods.interface import CORES

HERE = Path(__file__).resolve().parent
SMALL_SETS = ("yacht", "energy", "friedman")
SMALL_SECONDS = 15.0
# What a method may take for fit and prediction: some more than it was told, and its imports.
LATE = 1.1
START_SECONDS = 20.0
SCORING_SECONDS = 600.0


@dataclass(frozen=True)
class Cell:
    """One line of the results."""

    set: str
    split: int
    method: str
    tier: float


def machine() -> dict[str, Any]:
    """What the figures depend on besides the code."""
    cpu = platform.processor()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        lines = info.read_text(encoding="utf-8").splitlines()
        cpu = next((line.partition(":")[2].strip() for line in lines if "model name" in line), cpu)
    versions = {}
    for name in sorted({package for method in METHODS.values() for package in method.packages}):
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return {
        "cpu": cpu,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "packages": versions,
    }


def lacuna_version(lacuna: Path) -> str:
    done = subprocess.run([str(lacuna), "--version"], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def read_lines(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def append_line(path: Path, line: dict[str, Any]) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
        file.flush()
        os.fsync(file.fileno())


def forget(path: Path, methods: list[str]) -> None:
    """Drops the lines of these methods."""
    kept = [line for line in read_lines(path) if line.get("method") not in methods]
    path.write_text("".join(json.dumps(line) + "\n" for line in kept), encoding="utf-8")


def environment() -> dict[str, str]:
    """As many threads as cores are given, for everybody; bde wants a host device for each core."""
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    return {
        **os.environ,
        **dict.fromkeys(threads, str(CORES)),
        "XLA_FLAGS": f"--xla_force_host_platform_device_count={CORES}",
        "JAX_PLATFORMS": "cpu",
        "JAX_TRACEBACK_FILTERING": "off",  # its notice would hide the error
        "TQDM_DISABLE": "1",
    }


def shortened(text: str, code: int) -> str:
    """The exception that a traceback ends with, without paths of this machine."""
    found = re.findall(r"^[A-Za-z_][\w.]*(?:: .*)?$", text, re.MULTILINE)
    return found[-1].replace(str(HERE), ".")[:300] if found else f"exit code {code}"


def run_cell(cell: Cell, options: argparse.Namespace) -> dict[str, Any]:
    """The result of one cell, whatever happens in it."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "result.json")
        command = [sys.executable, str(HERE / "cell.py"), "--lacuna", str(options.lacuna)]
        command += ["--set", cell.set, "--split", str(cell.split), "--method", cell.method]
        command += ["--seconds", str(cell.tier), "--out", str(out)]
        if options.data is not None:
            command += ["--data", str(options.data)]
        with Path(folder, "errors.txt").open("w+", encoding="utf-8") as errors:
            process = subprocess.Popen(
                command,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env=environment(),
                start_new_session=True,
            )
            in_time = wait(process, cell.tier, out.with_suffix(".predicted"))
            errors.seek(0)
            message = errors.read()
        if not in_time:
            return {"status": "late", "error": f"no prediction within {limit(cell.tier):.0f} s"}
        if process.returncode != 0 or not out.is_file():
            return {"status": "failed", "error": shortened(message, process.returncode)}
        return {"status": "ok", **json.loads(out.read_text(encoding="utf-8"))}


def limit(tier: float) -> float:
    return LATE * tier + START_SECONDS


def wait(process: subprocess.Popen[bytes], tier: float, predicted: Path) -> bool:
    """Waits for the process; ends it, with its children, if it takes too long."""
    start = time.monotonic()
    try:
        while process.poll() is None:
            allowed = limit(tier) + (SCORING_SECONDS if predicted.exists() else 0.0)
            if time.monotonic() - start > allowed:
                return False
            time.sleep(0.1)
        return True
    finally:  # also when interrupted
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def cells(options: argparse.Namespace) -> Iterator[Cell]:
    """All cells, methods innermost: what is compared is measured at nearly the same time."""
    for name in options.sets:
        count = tasks.splits_of(options.data, name)
        for split in options.splits:
            if count is not None and split >= count:
                continue
            for method in options.methods:
                yield Cell(name, split, method, options.seconds)


def training_rows(options: argparse.Namespace, cell: Cell) -> int:
    return len(tasks.load(options.data, options.lacuna, cell.set, cell.split).y_train)


def run(options: argparse.Namespace) -> None:
    if options.again:
        forget(options.results, options.again)
    lines = read_lines(options.results)
    done = {
        Cell(line["set"], line["split"], line["method"], line["tier"])
        for line in lines
        if "method" in line
    }
    here = {"machine": {**machine(), "lacuna": lacuna_version(options.lacuna)}}
    todo = [cell for cell in cells(options) if cell not in done]
    if todo and here not in lines:
        append_line(options.results, here)
    for number, cell in enumerate(todo, start=1):
        # Above zero or so, something else ran on the machine and took time from the method.
        load = round(os.getloadavg()[0], 1)
        most_rows = METHODS[cell.method].most_rows
        if most_rows is not None and training_rows(options, cell) > most_rows:
            result: dict[str, Any] = {
                "status": "not run",
                "error": f"more than {most_rows} training rows",
            }
        else:
            result = run_cell(cell, options)
        append_line(options.results, {**cell.__dict__, "load": load, **result})
        shown = f"{number}/{len(todo)} {cell.set} split {cell.split} {cell.method}"
        if result["status"] == "ok":
            found = result["metrics"]
            shown += f": rmse {found['rmse']:.4g}, crps {found['crps']:.4g}"
            shown += f", log score {found['log_score']:.3f}, {result['fit_seconds']:.1f} s"
        else:
            shown += f": {result['status']}: {result['error']}"
        print(shown, flush=True)


def names_from(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def numbers_from(text: str) -> list[int]:
    return [int(word) for word in names_from(text)]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of public sets; without, simulated ones")
    parser.add_argument("--lacuna", type=Path, required=True, help="the command to measure")
    parser.add_argument("--sets", type=names_from, help="a,b,c [all that the folder has]")
    parser.add_argument("--splits", type=numbers_from, help="0,1,2 [0,1,2]")
    parser.add_argument("--methods", type=names_from, help=f"of {', '.join(METHODS)} [all]")
    parser.add_argument("--seconds", type=float, help="time for each fit [60]")
    parser.add_argument("--small", action="store_true", help="few sets, fast methods, 15 s each")
    parser.add_argument("--again", action="append", choices=METHODS, help="forget this method")
    parser.add_argument("--results", type=Path, default=HERE / "results.jsonl")
    options = parser.parse_args()
    sets = tasks.available(options.data)
    small = [name for name in SMALL_SETS if name in sets]
    options.sets = options.sets or (small if options.small else sets)
    options.splits = options.splits or ([0, 1] if options.small else [0, 1, 2])
    options.methods = options.methods or (list(FAST) if options.small else list(METHODS))
    options.seconds = options.seconds or (SMALL_SECONDS if options.small else 60.0)
    for kind, given, known in (("set", options.sets, sets), ("method", options.methods, METHODS)):
        for name in given:
            if name not in known:
                parser.error(f"unknown {kind} '{name}'; known: {', '.join(known)}")
    options.lacuna = options.lacuna.resolve()
    return options


def main() -> int:
    # When told to end, leave through `finally`, which ends the cell that is running.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    # Children inherit it.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    run(arguments())
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
