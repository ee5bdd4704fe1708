"""A fit as ArviZ knows it: quantities that mean the same in every chain, never single weights."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._core import Fit
from ._posterior import Training


class _Chains:
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


def to_arviz(fit: Fit, training: Training | None) -> Any:
    """An `InferenceData` (ArviZ 0.x) or `DataTree` (ArviZ 1.x)."""
    arviz: Any = import_module("arviz")
    chains, draws, series, info = _Chains(fit), fit.draws(), fit.series(), fit.info()
    groups: dict[str, dict[str, NDArray[Any]]] = {
        "posterior": {
            "risk": chains(draws["risk"]),
            "n_active": chains(draws["n_active"]),
            "n_live": chains(series["n_live"]),
            "f": chains(series["f"]),
            "inclusion": chains(series["inclusion"]),
        },
        "sample_stats": {"lp": chains(series["log_posterior"])},
    }
    groups["sample_stats"]["inverse_temperature"] = np.full_like(groups["sample_stats"]["lp"], info["lambda"])
    coords: dict[str, Any] = {"probe": series["probe_rows"], "input": info["inputs"]}
    dims = {"f": ["probe"], "inclusion": ["input"]}
    if training is not None:
        x, y, target = training.x, training.y, training.target
        groups["posterior_predictive"] = {target: chains(fit.predict_draws(x, int(info["seed"]), 0))}
        groups["log_likelihood"] = {target: chains(fit.log_density_draws(x, y, 0))}
        groups["observed_data"] = {target: y}
        coords["row"] = np.arange(y.size)
        dims[target] = ["row"]
    attributes = {"inference_library": "lacuna", "inference_library_version": info["version"]}
    if int(arviz.__version__.split(".")[0]) >= 1:
        return arviz.from_dict(groups, coords=coords, dims=dims, attrs={"/": attributes})
    return arviz.from_dict(**groups, coords=coords, dims=dims, attrs=attributes)
