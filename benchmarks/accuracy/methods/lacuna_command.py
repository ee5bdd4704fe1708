"""Lacuna itself, through its command: fit, predict, summary, nothing but defaults."""

from __future__ import annotations

import csv
import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from metrics import BAND_LEVEL, LEVELS, Array, NormalMixture, Prediction, RowScores

from methods.interface import CORES, Fitted, Training

TARGET = "y"


class CommandFailed(RuntimeError):
    """The command's own sentence about what went wrong."""


@dataclass(frozen=True)
class _Files:
    """A fit and the folder it is in, which lives as long as this does."""

    folder: tempfile.TemporaryDirectory[str]
    lacuna: Path
    inputs: int

    def path(self, name: str) -> Path:
        return Path(self.folder.name, name)

    def run(self, *arguments: object) -> str:
        done = subprocess.run(
            [str(self.lacuna), *map(str, arguments)], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise CommandFailed(done.stderr.strip() or f"exit code {done.returncode}")
        return done.stdout

    def write(self, name: str, x: Array, y: Array | None) -> Path:
        """Columns are named x1, x2, ... whatever the data call them: a name may be the target's."""
        header = [f"x{j + 1}" for j in range(self.inputs)]
        table = x if y is None else np.column_stack([x, y])
        path = self.path(name)
        columns = ",".join(header if y is None else [*header, TARGET])
        np.savetxt(path, table, fmt="%.17g", delimiter=",", header=columns, comments="")
        return path

    def predict(self, new: Path, *options: object) -> dict[str, Array]:
        """The columns of `lacuna predict`."""
        out = self.path("predicted.csv")
        self.run("predict", self.path("m.lacuna"), new, "--out", out, "--threads", CORES, *options)
        with out.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


@dataclass(frozen=True)
class _Law:
    """The law of `lacuna predict`: scores by `--score`, intervals by `--interval`."""

    files: _Files
    x: Array
    noise_sd: float

    def score(self, y: Array) -> RowScores:
        new = self.files.write("scored.csv", self.x, y)
        scored = {"--score"} if "--score" in self.files.run("predict", "--help") else set()
        columns = {level: self.files.predict(new, "--interval", level, *scored) for level in LEVELS}
        lower = {level: found["y_lower"] for level, found in columns.items()}
        upper = {level: found["y_upper"] for level, found in columns.items()}
        any_level = columns[LEVELS[0]]
        if scored:
            log_score, crps, pit = (any_level[name] for name in ("log_score", "crps", "pit"))
        else:  # a command without --score: the normal law with its moments
            sd = np.sqrt(any_level["sd"] ** 2 + self.noise_sd**2)
            normal = NormalMixture(any_level["mean"], sd).score(y)
            log_score, crps, pit = normal.log_score, normal.crps, normal.pit
        return RowScores(log_score, crps, pit, lower, upper)


def fit(training: Training) -> Fitted:
    files = _Files(tempfile.TemporaryDirectory(), training.lacuna, training.x.shape[1])
    data = files.write("train.csv", training.x, training.y)
    out = files.path("m.lacuna")
    length = ["--time-limit", f"{training.clock.left():.3f}", "--seed", training.seed + 1]
    files.run("fit", data, "--target", TARGET, "--out", out, "--quiet", "--threads", CORES, *length)
    summary = json.loads(files.run("summary", out, "--json"))
    noise_sd = float(summary["noise"]["sd"])

    def predict(x: Array) -> Prediction:
        columns = files.predict(files.write("test.csv", x, None), "--interval", BAND_LEVEL)
        band = (columns["f_lower"], columns["f_upper"])
        return Prediction(columns["mean"], _Law(files, x, noise_sd), band)

    return Fitted(predict, _facts(summary, training.names))


def _facts(summary: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    inclusion = list(summary["inclusion"].values())
    quantities = summary["quantities"]
    return {
        "active_weights": round(quantities["active_weights"]["mean"], 1),
        "live_weights": round(quantities["live_weights"]["mean"], 1),
        "rhat_risk": round(quantities["risk"]["rhat"], 3),
        "draws": summary["draws"],
        "lambda": summary["lambda"]["value"],
        "widths": summary["network"]["widths"],
        "noise_sd": summary["noise"]["sd"],
        "inclusion": {name: round(share, 3) for name, share in zip(names, inclusion, strict=True)},
    }
