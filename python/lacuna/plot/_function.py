"""The function that was found, and whether its intervals hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._regressor import LacunaRegressor
from ._style import (
    BLUE,
    FAINT,
    INK,
    QUIET,
    axes,
    grid,
    label,
    legend,
    names_of,
    smooth_range,
    target_of,
    training_rows,
)


def fit(
    model: LacunaRegressor, X: Any = None, y: Any = None, *, level: float = 0.9, points: int = 300, ax: Any = None
) -> Any:
    """A fit with one input: the posterior mean, where the curve is and where observations fall.

    The dark band is the credible band of f, the light one the predictive band of an observation, noise included. Rows
    default to those of the fit.

    >>> import numpy as np
    >>> from lacuna import LacunaRegressor, plot
    >>> x = np.linspace(-1, 1, 60)[:, None]
    >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=2, burn_in=500, gap=2, draws=50).fit(x, np.abs(x[:, 0]))
    >>> len(plot.fit(model).collections)
    3
    """
    names = names_of(model)
    if len(names) != 1:
        raise ValueError(f"the model has {len(names)} inputs; draw one of them with plot.partial_dependence")
    rows = training_rows(model, X)
    if y is None and X is None and model._training is not None:
        y = model._training.y
    line = smooth_range(rows[:, 0], points)
    found = model._posterior.fit.predict(line[:, None], "mean", float(level), [], None, 0)
    ax = axes(ax)
    share = f"{100 * level:g}%"
    ax.fill_between(line, found["y_lower"], found["y_upper"], color=BLUE, alpha=0.14, lw=0, label=f"{share} of observations")
    ax.fill_between(line, found["f_lower"], found["f_upper"], color=BLUE, alpha=0.38, lw=0, label=f"{share} band of f")
    ax.plot(line, found["mean"], color=BLUE, lw=1.8, label="posterior mean")
    if y is not None:
        ax.scatter(rows[:, 0], np.asarray(y, dtype=float), s=9, color=INK, alpha=0.55, lw=0, label="data", zorder=3)
    grid(ax)
    label(ax, names[0], target_of(model))
    legend(ax)
    return ax


def _position(names: list[str], feature: int | str) -> int:
    if isinstance(feature, str):
        if feature not in names:
            raise ValueError(f"no input {feature!r}; the model has {', '.join(names)}")
        return names.index(feature)
    if not -len(names) <= int(feature) < len(names):
        raise ValueError(f"no input {feature}; the model has {len(names)}")
    return int(feature) % len(names)


def partial_dependence(
    model: LacunaRegressor, feature: int | str, X: Any = None, *, level: float = 0.9, points: int = 40,
    rows: int = 100, ax: Any = None,
) -> Any:  # fmt: skip
    """How the prediction changes with one input, the others as they come in the data.

    At each value of the input, f is averaged over `rows` rows of the data, draw by draw; the line is the mean over draws
    and the band their interval. The ticks below are the deciles and ends of the data.

    >>> import numpy as np
    >>> from lacuna import LacunaRegressor, plot
    >>> X = np.random.default_rng(0).uniform(-1, 1, (60, 2))
    >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=2, burn_in=500, gap=2, draws=50).fit(X, np.abs(X[:, 0]))
    >>> plot.partial_dependence(model, "x0", points=5, rows=10).get_xlabel()
    'x0'
    """
    names = names_of(model)
    j = _position(names, feature)
    data = training_rows(model, X)
    some = data[np.unique(np.linspace(0, len(data) - 1, min(rows, len(data))).astype(int))].copy()
    line = smooth_range(data[:, j], points)
    means = np.empty((model.n_draws_, points))
    for k, value in enumerate(line):
        some[:, j] = value
        means[:, k] = model._posterior.fit.predict_draws(some, None, 0).mean(axis=1)
    lower, upper = np.quantile(means, [(1 - level) / 2, (1 + level) / 2], axis=0)
    ax = axes(ax)
    ax.fill_between(line, lower, upper, color=BLUE, alpha=0.3, lw=0, label=f"{100 * level:g}% band")
    ax.plot(line, means.mean(axis=0), color=BLUE, lw=1.8, label="posterior mean")
    ticks = np.quantile(data[:, j], np.linspace(0, 1, 11))
    ax.plot(ticks, np.zeros_like(ticks), "|", color=QUIET, ms=9, transform=ax.get_xaxis_transform(), clip_on=False)
    grid(ax)
    label(ax, names[j], f"mean of {target_of(model)}")
    return ax


def calibration(model: LacunaRegressor, X: Any, y: Any, *, ax: Any = None) -> Any:
    """Whether predictive intervals hold: the share of observations inside, for every probability asked for.

    Rows that were not fitted tell the truth; on the training rows a fit looks better than it is. The grey band is where
    the line stays with 95% probability if the intervals are right (Dvoretzky, Kiefer, Wolfowitz).

    >>> import numpy as np
    >>> from lacuna import LacunaRegressor, plot
    >>> x = np.linspace(-1, 1, 60)[:, None]
    >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=2, burn_in=500, gap=2, draws=50).fit(x, np.abs(x[:, 0]))
    >>> plot.calibration(model, x, np.abs(x[:, 0])).get_xlabel()
    'probability of the interval'
    """
    rows = training_rows(model, X)
    observed = np.asarray(y, dtype=float)
    pit = model._posterior.fit.predict(rows, "mean", 0.9, [], observed, 0)["pit"]
    # An observation lies inside the central interval of probability p exactly if |2 pit - 1| <= p.
    depth = np.sort(np.abs(2 * pit - 1))
    reach = np.sqrt(np.log(2 / 0.05) / (2 * depth.size))
    line = np.linspace(0, 1, 201)
    ax = axes(ax, 4.6, 4.4)
    ax.fill_between(line, line - reach, line + reach, color=FAINT, alpha=0.6, lw=0, label="right, with 95% probability")
    ax.plot([0, 1], [0, 1], color=QUIET, lw=1, ls=(0, (4, 3)))
    inside = np.searchsorted(depth, line, side="right") / depth.size
    ax.plot(line, inside, color=BLUE, lw=1.8, label=f"{depth.size} observations")
    ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    grid(ax, "both")
    label(ax, "probability of the interval", "share of observations inside")
    legend(ax, loc="upper left")
    return ax
