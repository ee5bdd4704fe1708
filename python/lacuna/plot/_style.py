"""What all pictures share: colours that colour-blind readers tell apart, quiet axes, and what they are drawn from."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from .._regressor import LacunaRegressor

Floats = NDArray[np.float64]

INK, QUIET, FAINT = "#22303c", "#7b8794", "#d5dbe1"
BLUE, ORANGE = "#1f6fb2", "#d9661f"
# One for each chain, repeated where there are more.
CHAINS = ("#1f6fb2", "#d9661f", "#2f9e77", "#b5478b", "#8a6d1a", "#5b5fc7", "#c2403a", "#3c9dbf")


def axes(ax: Any, width: float = 6.4, height: float = 4.0) -> Any:
    """The axes given, or new ones, dressed quietly."""
    if ax is None:
        try:
            from matplotlib import pyplot
        except ImportError as missing:
            raise ImportError("lacuna.plot needs matplotlib: pip install matplotlib") from missing
        _, ax = pyplot.subplots(figsize=(width, height), layout="constrained")
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(QUIET)
    ax.tick_params(colors=INK, labelsize="small")
    ax.set_axisbelow(True)
    return ax


def grid(ax: Any, axis: str = "y") -> None:
    ax.grid(axis=axis, color=FAINT, linewidth=0.6)


def label(ax: Any, x: str, y: str, title: str | None = None) -> None:
    ax.set_xlabel(x, color=INK)
    ax.set_ylabel(y, color=INK)
    if title:
        ax.set_title(title, loc="left", color=INK, fontsize="medium")


def legend(ax: Any, **options: Any) -> None:
    ax.legend(frameon=False, fontsize="small", labelcolor=INK, **options)


def names_of(model: LacunaRegressor) -> list[str]:
    check_is_fitted(model)
    return list(model._posterior.fit.info()["inputs"])


def target_of(model: LacunaRegressor) -> str:
    return str(model._posterior.fit.info()["target"])


def training_rows(model: LacunaRegressor, X: Any) -> Floats:
    """`X` as an array, or the training rows where none are given."""
    if X is not None:
        return model._rows(X)
    check_is_fitted(model)
    if model._training is None:
        raise ValueError("a model that was loaded or unpickled has no training rows; give X")
    return model._training.x


def smooth_range(values: Floats, points: int) -> Floats:
    low, high = float(values.min()), float(values.max())
    margin = 0.04 * (high - low) or 1.0
    return np.linspace(low - margin, high + margin, points)
