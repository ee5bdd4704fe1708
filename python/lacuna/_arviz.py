"""A fit as ArviZ knows it: quantities that mean the same in every chain, never single weights."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._chains import Chains
from ._posterior import Posterior, Training


def _sample_stats(posterior: Posterior, chains: Chains, lp: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """What is known about sampling, draw by draw; a draw is the state after many steps of several kinds.

    `accepted` says whether anything was accepted since the draw before, `acceptance_rate` is that of all steps of the run,
    `step_size` is frozen after burn-in and differs between chains.
    """
    moves, kernels = posterior.summary["moves"].values(), [chain["kernel"] for chain in posterior.summary["chains"]]
    proposed, accepted = (sum(move[what] for move in moves) for what in ("proposed", "accepted"))
    steps = [kernel.get("trajectory-step", kernel.get("proposal-sd", np.nan)) for kernel in kernels]
    risk = chains(posterior.fit.draws()["risk"])
    moved = np.concatenate([np.ones_like(risk[:, :1], dtype=bool), risk[:, 1:] != risk[:, :-1]], axis=1)
    return {
        "lp": lp,
        "accepted": moved,
        "acceptance_rate": np.full_like(lp, accepted / max(proposed, 1)),
        "step_size": np.broadcast_to(np.array(steps[: len(lp)], dtype=float)[:, None], lp.shape),
        "inverse_temperature": np.full_like(lp, posterior.fit.info()["lambda"]),
    }


def to_arviz(posterior: Posterior, training: Training | None) -> Any:
    """An `InferenceData` (ArviZ 0.x) or `DataTree` (ArviZ 1.x)."""
    arviz: Any = import_module("arviz")
    fit = posterior.fit
    chains, draws, series, info = Chains(fit), fit.draws(), fit.series(), fit.info()
    groups: dict[str, dict[str, NDArray[Any]]] = {
        "posterior": {
            "risk": chains(draws["risk"]),
            "n_active": chains(draws["n_active"]),
            "n_live": chains(series["n_live"]),
            "f": chains(series["f"]),
            "inclusion": chains(series["inclusion"]),
        },
        "sample_stats": _sample_stats(posterior, chains, chains(series["log_posterior"])),
    }
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
