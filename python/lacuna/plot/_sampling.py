"""Whether the chains agree."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._chains import Chains
from .._regressor import LacunaRegressor
from ._style import CHAINS, FAINT, Floats, QUIET, axes, grid, label, names_of, target_of

_WORDS = {"risk": "risk", "n_active": "active weights", "n_live": "live weights", "lp": "log posterior"}
_MOST_BARS = 20


def _by_chain(model: LacunaRegressor, quantity: str, probe: int) -> tuple[Floats, str]:
    """Values (chain, draw), every walker as a chain of its own, and what they are called."""
    names_of(model)
    fit = model._posterior.fit
    chains = Chains(fit)
    if quantity in ("risk", "n_active"):
        return chains(fit.draws()[quantity]).astype(float), _WORDS[quantity]
    series = fit.series()
    if quantity == "f":
        rows = list(series["probe_rows"])
        if not 0 <= probe < len(rows):
            raise ValueError(f"probe={probe}: the fit keeps {len(rows)} of them")
        values = chains(series["f"])[:, :, probe]
        return values, f"{target_of(model)} (f) at row {rows[probe]}"
    if quantity in ("n_live", "lp"):
        return chains(series["n_live" if quantity == "n_live" else "log_posterior"]).astype(float), _WORDS[quantity]
    raise ValueError(f"quantity={quantity!r}: must be one of {', '.join([*_WORDS, 'f'])}")


def trace(model: LacunaRegressor, quantity: str = "risk", *, probe: int = 0, ax: Any = None) -> Any:
    """A quantity draw by draw, one line for each chain.

    `quantity` is "risk", "n_active", "n_live", "lp" (log posterior density) or "f" at the training row number `probe` of
    those that a fit follows.

    >>> import numpy as np
    >>> from lacuna import LacunaRegressor, plot
    >>> x = np.linspace(-1, 1, 60)[:, None]
    >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=2, burn_in=500, gap=2, draws=50).fit(x, np.abs(x[:, 0]))
    >>> len(plot.trace(model, "n_active").lines)
    2
    """
    values, name = _by_chain(model, quantity, probe)
    ax = axes(ax, 7.2, 3.2)
    for k, chain in enumerate(values):
        ax.plot(chain, color=CHAINS[k % len(CHAINS)], lw=0.8, alpha=0.8)
    grid(ax)
    label(ax, f"draw, {len(values)} chain{'s' if len(values) > 1 else ''}", name)
    return ax


def rank(model: LacunaRegressor, quantity: str = "risk", *, probe: int = 0, ax: Any = None) -> Any:
    """How the draws of each chain rank among all: level lines where chains agree.

    The grey band holds 95% of the steps of independent draws; correlated draws stray a little more. Quantities as in
    `trace`.

    >>> import numpy as np
    >>> from lacuna import LacunaRegressor, plot
    >>> x = np.linspace(-1, 1, 60)[:, None]
    >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=2, burn_in=500, gap=2, draws=50).fit(x, np.abs(x[:, 0]))
    >>> plot.rank(model).get_xlabel()
    'rank of risk among all draws'
    """
    values, name = _by_chain(model, quantity, probe)
    # Ties share their ranks in an order that no chain can know.
    shuffled = np.random.default_rng(0).permutation(values.size)
    order = np.lexsort((shuffled, values.ravel()))
    ranks = np.empty(values.size)
    ranks[order] = (np.arange(values.size) + 0.5) / values.size
    draws = values.shape[1]
    bins = int(np.clip(draws // 20, 1, _MOST_BARS))
    edges = np.linspace(0, 1, bins + 1)
    ax = axes(ax, 6.4, 3.2)
    spread = 1.96 * np.sqrt((bins - 1) / draws)
    ax.axhspan(max(0.0, 1 - spread), 1 + spread, color=FAINT, alpha=0.6, lw=0)
    ax.axhline(1, color=QUIET, lw=1, ls=(0, (4, 3)))
    for k, chain in enumerate(ranks.reshape(values.shape)):
        counts, _ = np.histogram(chain, edges)
        ax.stairs(counts * bins / draws, edges, color=CHAINS[k % len(CHAINS)], lw=1.3)
    ax.set_xlim(0, 1)
    ax.set_ylim(0, None)
    label(ax, f"rank of {name} among all draws", "share of a chain's draws\n(1 = as expected)")
    return ax
