"""Runs one method on one split of one set and writes its result; started by run.py."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import tasks
from methods import METHODS
from methods.interface import Clock, Training
from metrics import Array, NormalMixture, Prediction, summarise


def standardised(task: tasks.Task) -> tuple[Array, Array, Array, float, float]:
    """Inputs and training target scaled by the training part, and the scale of the target."""
    centre, scale = task.x_train.mean(axis=0), task.x_train.std(axis=0)
    scale = np.where(scale > 0.0, scale, 1.0)
    shift, factor = float(task.y_train.mean()), float(task.y_train.std())
    x_train, x_test = (task.x_train - centre) / scale, (task.x_test - centre) / scale
    return x_train, (task.y_train - shift) / factor, x_test, shift, factor


def in_original_units(prediction: Prediction, shift: float, factor: float) -> Prediction:
    law, band = prediction.law, prediction.band
    if not isinstance(law, NormalMixture):
        raise TypeError("only mixtures of normals can be rescaled")
    return Prediction(
        shift + factor * prediction.mean,
        law.rescaled(shift, factor),
        None if band is None else (shift + factor * band[0], shift + factor * band[1]),
    )


def run(options: argparse.Namespace) -> dict[str, Any]:
    method = METHODS[options.method]
    task = tasks.load(options.data, options.lacuna, options.set, options.split)
    x_train, y_train, x_test, shift, factor = standardised(task)
    if method.original_units:
        x_train, y_train, x_test = task.x_train, task.y_train, task.x_test
    fitter = method.load()  # imports are not on the clock
    clock = Clock(options.seconds)
    training = Training(x_train, y_train, task.names, options.split, clock, options.lacuna)
    fitted = fitter(training)
    fit_seconds = clock.spent()
    prediction = fitted.predict(x_test)
    predict_seconds = clock.spent() - fit_seconds
    # Scoring is ours: from here on the limit of the method does not count.
    options.out.with_suffix(".predicted").touch()
    if not method.original_units:
        prediction = in_original_units(prediction, shift, factor)
    return {
        "rows": len(task.y_train),
        "inputs": len(task.names),
        "test_rows": len(task.y_test),
        "fit_seconds": round(fit_seconds, 2),
        "predict_seconds": round(predict_seconds, 2),
        "metrics": summarise(prediction, task.y_test, task.truth),
        "facts": fitted.facts,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--lacuna", type=Path, required=True)
    parser.add_argument("--set", required=True)
    parser.add_argument("--split", type=int, required=True)
    parser.add_argument("--method", required=True, choices=METHODS)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--out", type=Path, required=True, help="where the result goes, as JSON")
    options = parser.parse_args()
    options.out.write_text(json.dumps(run(options)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
