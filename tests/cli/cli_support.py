"""What the tests of the command line share: small data, quick fits, and what a refusal looks like."""

from __future__ import annotations

import csv
import os
import subprocess
from pathlib import Path
from typing import Callable, Sequence

import numpy as np

# Under a sanitizer, or with lines counted, a fit takes ten times as long: there nothing is said about how good it is.
SLOW_BUILD = "LACUNA_SLOW_BUILD" in os.environ

Lacuna = Callable[..., "subprocess.CompletedProcess[str]"]

# A fit of a few milliseconds.
QUICK = (
    "--start", "prior", "--widths", "3", "--chains", "2", "--burn-in", "20", "--gap", "2", "--draws", "10",
    "--lambda", "bayes", "--quiet",
)  # fmt: skip

# What must never be on a user's screen.
ALARMS = ("terminate called", "Sanitizer", "runtime error", "core dumped", "std::", "exception", "internal error")


def write_table(path: Path, columns: dict[str, Sequence[float]]) -> None:
    """CSV with numbers that read back to the same bits."""
    rows = zip(*columns.values())
    lines = [",".join(columns)] + [",".join(repr(float(v)) for v in row) for row in rows]
    path.write_text("\n".join(lines) + "\n")


def small_data(path: Path, rows: int = 30, seed: int = 1) -> dict[str, np.ndarray]:
    """Columns a, b, y, with y a kinked function of a."""
    random = np.random.default_rng(seed)
    a, b = random.uniform(-1, 1, rows), random.uniform(5, 9, rows)
    columns = {"a": a, "b": b, "y": 10 + 3 * np.maximum(a, 0) + 0.1 * random.normal(size=rows)}
    write_table(path, columns)
    return columns


def fit(lacuna: Lacuna, *options: object, data: str = "d.csv", out: str = "d.lacuna", code: int = 0):
    return lacuna("fit", data, "--target", "y", "--out", out, *options, code=code)


def quick_fit(lacuna: Lacuna, *options: object, out: str = "d.lacuna", code: int = 0, data: str = "d.csv"):
    """A fit with QUICK, whose options `options` replace."""
    given = {option for option in options if str(option).startswith("--")}
    if given & {"--depth", "--width"}:
        given.add("--widths")
    kept: list[str] = []
    for name, value in zip(QUICK[0:-1:2], QUICK[1:-1:2]):
        if name not in given:
            kept += [name, value]
    return fit(lacuna, *kept, "--quiet", *options, data=data, out=out, code=code)


def sentence(done: "subprocess.CompletedProcess[str]") -> str:
    """The one line of a refusal without its prefix; fails if there is anything else."""
    lines = done.stderr.splitlines()
    assert done.stdout == "", done.stdout
    assert len(lines) == 1 and done.stderr.endswith("\n"), done.stderr
    assert lines[0].startswith("lacuna: "), lines[0]
    for alarm in ALARMS:
        assert alarm not in done.stderr, done.stderr
    return lines[0].removeprefix("lacuna: ")


def refusal(lacuna: Lacuna, code: int, *arguments: object) -> str:
    return sentence(lacuna(*arguments, code=code))


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


def read_columns(path: Path) -> dict[str, np.ndarray]:
    rows = read_csv(path)
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}
