"""Draws sorted by the chain they came from."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._core import Fit


class Chains:
    """Sorts values draw by draw into an array (chain, draw, ...), every walker as a chain of its own.

    A chain of several walkers takes its draws from them in turn; kept together they would look better mixed than they
    are. Where chains differ in length, as after an interrupted run, the longest common part is taken.
    """

    def __init__(self, fit: Fit) -> None:
        walkers = int(fit.info()["walkers"])
        draws = fit.draws()
        self._own = draws["chain"] * walkers + draws["draw"] % walkers
        self._names = np.unique(self._own)
        self._length = int(min(np.sum(self._own == name) for name in self._names))

    def __call__(self, values: NDArray[Any]) -> NDArray[Any]:
        return np.stack([values[self._own == name][: self._length] for name in self._names])
