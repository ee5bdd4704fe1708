"""What is switched on: inputs, and how many weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._regressor import LacunaRegressor
from ._style import BLUE, INK, ORANGE, QUIET, axes, grid, label, legend, names_of


def inclusion(model: LacunaRegressor, *, most: int = 30, ax: Any = None) -> Any:
    """For each input the share of draws in which it is connected to the output, the most used first.

    Whiskers are two Monte Carlo standard errors, where the chains allow to tell. Of more than `most` inputs the others
    are only counted.

    >>> import numpy as np
    >>> from lacuna import LacunaRegressor, plot
    >>> X = np.random.default_rng(0).uniform(-1, 1, (60, 3))
    >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=2, burn_in=500, gap=2, draws=50).fit(X, np.abs(X[:, 0]))
    >>> [text.get_text() for text in plot.inclusion(model, most=1).get_yticklabels()]
    ['x0']
    """
    names, share = names_of(model), model.inclusion_
    known = model.diagnostics_["inclusion_diagnostics"]
    order = np.argsort(-share, kind="stable")[:most]
    places = np.arange(order.size)
    error = [2 * (known[names[j]]["mcse"] or 0.0) for j in order]
    ax = axes(ax, 6.4, max(1.6, 0.28 * order.size + 0.9))
    ax.barh(places, share[order], height=0.66, color=[BLUE if share[j] > 0.5 else QUIET for j in order])
    bounds = np.array([np.minimum(error, share[order]), np.minimum(error, 1 - share[order])])
    ax.errorbar(share[order], places, xerr=bounds, fmt="none", ecolor=INK, elinewidth=1, capsize=2)
    ax.set_yticks(places, [names[j] for j in order])
    ax.invert_yaxis()
    ax.set_xlim(0, 1)
    grid(ax, "x")
    left = share.size - order.size
    label(ax, "share of draws that use the input" + (f"; {left} more inputs not shown" if left else ""), "")
    return ax


def size(model: LacunaRegressor, *, ax: Any = None) -> Any:
    """The posterior of the number of active weights, beside its prior, on a logarithmic scale.

    >>> import numpy as np
    >>> from lacuna import LacunaRegressor, plot
    >>> x = np.linspace(-1, 1, 60)[:, None]
    >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=2, burn_in=500, gap=2, draws=50).fit(x, np.abs(x[:, 0]))
    >>> plot.size(model).get_yscale()
    'log'
    """
    names_of(model)
    info, active = model._posterior.fit.info(), model._posterior.fit.draws()["n_active"]
    values, counts = np.unique(active, return_counts=True)
    share = counts / active.size
    longest = min(int(info["parameters"]), int(values.max()) + 3)
    # A set of size k has mass proportional to base^-k; the smallest has one weight.
    k = np.arange(1, longest + 1)
    log_prior = -k * np.log(info["base"]) - np.log(-np.expm1(-info["parameters"] * np.log(info["base"])))
    log_prior += np.log(info["base"] - 1.0)
    ax = axes(ax)
    ax.bar(values, share, width=0.9, color=BLUE, label="posterior")
    ax.plot(k, np.exp(log_prior), color=ORANGE, lw=1.6, marker="o", ms=2.5, label="prior")
    ax.set_yscale("log")
    ax.set_ylim(0.3 / active.size, 1.5)
    ax.set_xlim(0, longest + 1)
    grid(ax)
    label(ax, f"active weights of {info['parameters']:,}", "probability")
    legend(ax)
    return ax
