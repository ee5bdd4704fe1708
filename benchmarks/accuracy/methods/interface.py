"""What an adapter gets and gives back."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from metrics import BAND_LEVEL, Array, NormalMixture, Prediction

CORES = 2


class Clock:
    """How much of the time given is spent."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.start = time.perf_counter()

    def spent(self) -> float:
        return time.perf_counter() - self.start

    def left(self) -> float:
        return self.seconds - self.spent()


@dataclass(frozen=True)
class Training:
    """The training rows, and the means given to a fit."""

    x: Array
    y: Array
    names: tuple[str, ...]
    seed: int
    clock: Clock
    lacuna: Path


@dataclass(frozen=True)
class Fitted:
    """A fit that can predict; `facts` is what is worth recording about it."""

    predict: Callable[[Array], Prediction]
    facts: dict[str, Any] = field(default_factory=dict)


Fitter = Callable[[Training], Fitted]


def normal_prediction(mean: Array, sd: Array | float) -> Prediction:
    """A prediction whose law is normal."""
    return Prediction(mean, NormalMixture(mean, np.broadcast_to(sd, mean.shape)))


def posterior_prediction(f_draws: Array, sds: Array) -> Prediction:
    """A prediction from posterior draws (rows x draws) of f and of the noise level."""
    tail = (1.0 - BAND_LEVEL) / 2.0
    lower, upper = np.quantile(f_draws, [tail, 1.0 - tail], axis=1)
    return Prediction(f_draws.mean(axis=1), NormalMixture(f_draws, sds), (lower, upper))


def folds(rows: int, count: int, seed: int) -> list[np.ndarray[Any, Any]]:
    """Row numbers in `count` random parts of nearly equal size."""
    return np.array_split(np.random.default_rng(seed).permutation(rows), count)
