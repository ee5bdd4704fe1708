"""The methods that are compared, by name; each is imported only in the process that runs it."""

from __future__ import annotations

import importlib
from dataclasses import dataclass

from methods.interface import Fitter


@dataclass(frozen=True)
class Method:
    """Where the adapter is, and which packages' versions are worth recording."""

    module: str
    function: str
    packages: tuple[str, ...] = ()
    # Whether it gets the data as they are; all others get inputs and target standardised by the
    # training part, and their predictions are turned back.
    original_units: bool = False
    # Above so many training rows it is not run.
    most_rows: int | None = None

    def load(self) -> Fitter:
        fitter: Fitter = getattr(importlib.import_module(f"methods.{self.module}"), self.function)
        return fitter


METHODS = {
    "lacuna": Method("lacuna_command", "fit", original_units=True),
    "ridge": Method("scikit", "ridge", ("scikit-learn",)),
    "forest": Method("scikit", "forest", ("scikit-learn",)),
    "gp": Method("gaussian_process", "fit", ("scikit-learn",), most_rows=2000),
    "mlp": Method("mlp_ensemble", "fit", ("scikit-learn",)),
    "xgboost": Method("boosting", "xgboost", ("xgboost",)),
    "lightgbm": Method("boosting", "lightgbm", ("lightgbm",)),
    "ngboost": Method("ngboost_normal", "fit", ("ngboost",)),
    "bart": Method("bart", "fit", ("stochtree",)),
    "bde": Method("bde_ensemble", "fit", ("sklearn-contrib-bde", "jax")),
    "nuts": Method("nuts", "fit", ("numpyro", "jax")),
}
FAST = ("lacuna", "ridge", "forest", "gp", "mlp", "xgboost", "lightgbm", "bart")
