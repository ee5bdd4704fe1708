"""Scores of predictive laws, one rule for all methods: each law is a mixture of normals.

Everything here needs numpy only, so that the fast tests can check it against brute force.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LEVELS = (0.5, 0.9, 0.95)
BAND_LEVEL = 0.9
# A row of a mixture with K components costs K^2 / 2 pairs for its CRPS; more are thinned.
MOST_COMPONENTS = 400
# Pairs held at once by a block of rows: 8 MB a number each.
BLOCK = 1_000_000
HALVINGS = 26


@dataclass(frozen=True)
class RowScores:
    """What a predictive law says about each observed target."""

    log_score: Array
    crps: Array
    pit: Array
    # Central intervals by level.
    lower: Mapping[float, Array]
    upper: Mapping[float, Array]


class Law(Protocol):
    """A predictive law of each test row, which can be asked about the observed targets."""

    def score(self, y: Array) -> RowScores: ...


@dataclass(frozen=True)
class Prediction:
    """What a method says about test rows; `band` is its 90% band of f, if it has one."""

    mean: Array
    law: Law
    band: tuple[Array, Array] | None = None


class _Table:
    """A smooth function on [0, 9] by linear interpolation, with error below 1e-9."""

    STEP = 1e-4
    END = 9.0

    def __init__(self, values: list[float]) -> None:
        self.values = np.array(values)
        self.slopes = np.append(np.diff(self.values), 0.0)

    @classmethod
    def nodes(cls) -> list[float]:
        return [i * cls.STEP for i in range(round(cls.END / cls.STEP) + 2)]

    def __call__(self, z: Array) -> Array:
        place = np.minimum(z, self.END) / self.STEP
        node = place.astype(np.int32)
        return self.values[node] + (place - node) * self.slopes[node]


def _density(z: float) -> float:
    return math.exp(-z * z / 2.0) / math.sqrt(2.0 * math.pi)


_UPPER_HALF = _Table([0.5 * math.erf(z / math.sqrt(2.0)) for z in _Table.nodes()])
# E|Z + z| - |z| for a standard normal Z, which vanishes for large z.
_EXCESS_DISTANCE = _Table(
    [2.0 * _density(z) - z * math.erfc(z / math.sqrt(2.0)) for z in _Table.nodes()]
)


def normal_cdf(z: Array) -> Array:
    """The distribution function of the standard normal law."""
    return 0.5 + np.copysign(_UPPER_HALF(np.abs(z)), z)


def expected_distance(difference: Array, sd: Array) -> Array:
    """E|N(difference, sd^2)|."""
    size = np.abs(difference)
    return size + sd * _EXCESS_DISTANCE(size / sd)


class NormalMixture:
    """For each row a mixture of normals with equal weights; one component is a normal law."""

    def __init__(self, means: Array, sds: Array) -> None:
        means = np.asarray(means, dtype=float)
        means = means[:, None] if means.ndim == 1 else means
        sds = np.asarray(sds, dtype=float)
        sds = np.broadcast_to(sds[:, None] if sds.ndim == 1 else sds, means.shape)
        if not np.all(sds > 0.0) or not np.all(np.isfinite(sds)):
            raise ValueError("every standard deviation must be finite and > 0")
        if not np.all(np.isfinite(means)):
            raise ValueError("every mean must be finite")
        kept = evenly_spaced(means.shape[1], MOST_COMPONENTS)
        self.means: Array = means[:, kept]
        self.sds: Array = sds[:, kept]

    def rescaled(self, shift: float, factor: float) -> NormalMixture:
        """The law of shift + factor Y."""
        return NormalMixture(shift + factor * self.means, factor * self.sds)

    def score(self, y: Array) -> RowScores:
        rows, components = self.means.shape
        log_score, crps, pit = np.empty(rows), np.empty(rows), np.empty(rows)
        height = max(1, BLOCK // max(1, components * components // 2))
        for start in range(0, rows, height):
            block = slice(start, start + height)
            means, sds, targets = self.means[block], self.sds[block], y[block, None]
            z = (targets - means) / sds
            log_score[block] = _log_mean_exp(-0.5 * z * z - np.log(sds)) - 0.5 * math.log(
                2.0 * math.pi
            )
            pit[block] = normal_cdf(z).mean(axis=1)
            # CRPS = E|Y' - y| - E|Y' - Y''| / 2 for independent Y', Y'' from the law.
            crps[block] = expected_distance(targets - means, sds).mean(axis=1) - 0.5 * (
                _mean_distance(means, sds)
            )
        lower = {level: self.quantile((1.0 - level) / 2.0) for level in LEVELS}
        upper = {level: self.quantile((1.0 + level) / 2.0) for level in LEVELS}
        return RowScores(log_score, crps, pit, lower, upper)

    def quantile(self, probability: float) -> Array:
        """The quantile of each row, by bisection unless the law is normal."""
        z = NormalDist().inv_cdf(probability)
        # The quantile of a mixture lies between those of its components.
        ends = self.means + z * self.sds
        low, high = ends.min(axis=1), ends.max(axis=1)
        if self.means.shape[1] == 1:
            return low
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            below = normal_cdf((middle[:, None] - self.means) / self.sds).mean(axis=1) < probability
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        return 0.5 * (low + high)


def evenly_spaced(count: int, most: int) -> NDArray[np.int64]:
    """At most `most` indices of 0..count-1, evenly spread."""
    return np.linspace(0, count - 1, min(count, most)).round().astype(np.int64)


def _log_mean_exp(values: Array) -> Array:
    top = values.max(axis=1, keepdims=True)
    return top[:, 0] + np.log(np.exp(values - top).mean(axis=1))


def _mean_distance(means: Array, sds: Array) -> Array:
    """E|Y' - Y''| of each row: the pairs of different components, and those of equal ones."""
    components = means.shape[1]
    same = expected_distance(np.zeros_like(means), math.sqrt(2.0) * sds).sum(axis=1)
    first, second = np.triu_indices(components, k=1)
    different = expected_distance(
        means[:, first] - means[:, second], np.hypot(sds[:, first], sds[:, second])
    ).sum(axis=1)
    return (same + 2.0 * different) / components**2


def pit_deviation(pit: Array) -> float:
    """The Kolmogorov-Smirnov distance between the PIT values and the uniform law."""
    ordered = np.sort(pit)
    count = len(ordered)
    after = np.arange(1, count + 1) / count - ordered
    before = ordered - np.arange(count) / count
    return float(max(after.max(), before.max()))


def summarise(prediction: Prediction, y: Array, truth: Array | None) -> dict[str, Any]:
    """All metrics of one cell, in the units of the target."""
    scores = prediction.law.score(y)
    metrics: dict[str, Any] = {
        "rmse": float(np.sqrt(np.mean((prediction.mean - y) ** 2))),
        "log_score": float(scores.log_score.mean()),
        "crps": float(scores.crps.mean()),
        "pit_deviation": pit_deviation(scores.pit),
    }
    for level in LEVELS:
        lower, upper = scores.lower[level], scores.upper[level]
        name = f"{100 * level:.0f}"
        metrics[f"coverage_{name}"] = float(np.mean((lower <= y) & (y <= upper)))
        metrics[f"width_{name}"] = float(np.mean(upper - lower))
    if truth is not None:
        metrics["excess_risk"] = float(np.mean((prediction.mean - truth) ** 2))
        if prediction.band is not None:
            lower, upper = prediction.band
            metrics["band_coverage"] = float(np.mean((lower <= truth) & (truth <= upper)))
    return metrics
