"""Comparisons between methods over sets and splits: means, ranks and paired differences.

Scores are kept as a table {(set, split, method): value}; only numpy is needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

Table = dict[tuple[str, int, str], float]

# Metrics by which methods are ranked, and whether more is better.
RANKED = {"rmse": False, "crps": False, "log_score": True}


def ordered(names: Iterable[str], preferred: Sequence[str]) -> list[str]:
    """Names without repetition: the preferred ones first in their order, then the others."""
    found = set(names)
    return [name for name in preferred if name in found] + sorted(found - set(preferred))


def mean_over_splits(table: Table) -> dict[tuple[str, str], tuple[float, int]]:
    """Mean and number of splits of each (set, method)."""
    values: dict[tuple[str, str], list[float]] = {}
    for (name, _, method), value in table.items():
        values.setdefault((name, method), []).append(value)
    return {key: (float(np.mean(found)), len(found)) for key, found in values.items()}


def ranks(values: Sequence[float], more_is_better: bool) -> list[float]:
    """Ranks from 1 (best); ties share the mean of their places."""
    signed = np.array(values) * (-1.0 if more_is_better else 1.0)
    return [float((signed < v).sum() + ((signed == v).sum() + 1) / 2) for v in signed]


def average_ranks(table: Table, more_is_better: bool) -> dict[str, tuple[float, int]]:
    """Average rank of each method over the sets that it has, and how many those are.

    On each set the means over splits are ranked among the methods that have all splits there;
    one that lacks a split could be lucky in those it has. A set that few methods have says
    nothing: it counts only where more than half of all methods can be ranked.
    """
    means = mean_over_splits(table)
    needed = len({method for _, method in means}) / 2
    found: dict[str, list[float]] = {}
    for name in sorted({name for name, _ in means}):
        here = {method: pair for (other, method), pair in means.items() if other == name}
        splits = max(count for _, count in here.values())
        methods = [method for method, (_, count) in here.items() if count == splits]
        if len(methods) <= needed:
            continue
        places = ranks([here[method][0] for method in methods], more_is_better)
        for method, place in zip(methods, places, strict=True):
            found.setdefault(method, []).append(place)
    return {method: (float(np.mean(places)), len(places)) for method, places in found.items()}


@dataclass(frozen=True)
class Paired:
    """Differences ours - peer over the splits that both have."""

    mean: float
    standard_error: float  # not a number with a single split
    won: int
    lost: int


def paired(table: Table, name: str, ours: str, peer: str, more_is_better: bool) -> Paired | None:
    """The paired differences on one set; None where no split has both."""
    splits = sorted(split for other, split, method in table if (other, method) == (name, ours))
    differences = np.array(
        [
            table[name, split, ours] - table[name, split, peer]
            for split in splits
            if (name, split, peer) in table
        ]
    )
    count = len(differences)
    if count == 0:
        return None
    error = float(differences.std(ddof=1)) / math.sqrt(count) if count > 1 else math.nan
    positive, negative = int((differences > 0).sum()), int((differences < 0).sum())
    won, lost = (positive, negative) if more_is_better else (negative, positive)
    return Paired(float(differences.mean()), error, won, lost)
