"""What a fitted model can be asked: predictions, and what was found."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from ._arviz import to_arviz
from ._core import CertifyOptions, certify
from ._frames import with_names
from ._network import Network, Weight
from ._options import threads_from
from ._posterior import Posterior, Training

Floats = NDArray[np.float64]


class Fitted:
    """The part of `LacunaRegressor` that reads the posterior."""

    n_jobs: int | None
    _posterior: Posterior
    _training: Training | None

    # Prediction

    def _rows(self, X: Any) -> Floats:
        check_is_fitted(self)
        rows: Floats = validate_data(self, with_names(X), dtype=np.float64, reset=False)
        return rows

    def _predict(self, X: Any, **options: Any) -> dict[str, Floats]:
        rows = self._rows(X)
        asked: dict[str, Any] = {"estimator": "mean", "level": 0.9, "quantiles": [], "observed": None, **options}
        return self._posterior.fit.predict(rows, threads=threads_from(self.n_jobs), **asked)

    def predict(
        self, X: Any, return_std: bool = False, *, estimator: str = "mean"
    ) -> Floats | tuple[Floats, Floats]:
        """The posterior mean of f, or with `estimator` a single draw or the draw of largest density ("draw", "map").

        With `return_std` also the posterior standard deviation of f, noise not included.

        >>> import numpy as np
        >>> from lacuna import LacunaRegressor
        >>> x = np.linspace(-1, 1, 40)[:, None]
        >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=1, burn_in=200, gap=1, draws=50).fit(x, x[:, 0])
        >>> mean, std = model.predict(x, return_std=True)
        >>> mean.shape == std.shape == (40,)
        True
        """
        found = self._predict(X, estimator=estimator)
        return (found["mean"], found["sd"]) if return_std else found["mean"]

    def predict_interval(self, X: Any, level: float = 0.9, kind: str = "y") -> Floats:
        """Lower and upper ends, one row each: of an observation with its noise (`kind="y"`), or of f (`kind="f"`).

        >>> import numpy as np
        >>> from lacuna import LacunaRegressor
        >>> x = np.linspace(-1, 1, 40)[:, None]
        >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=1, burn_in=200, gap=1, draws=50).fit(x, x[:, 0])
        >>> model.predict_interval(x, kind="f").shape
        (40, 2)
        """
        if kind not in ("y", "f"):
            raise ValueError(f"kind={kind!r}: must be 'y' (an observation, noise included) or 'f' (the function)")
        found = self._predict(X, level=float(level))
        return np.column_stack([found[f"{kind}_lower"], found[f"{kind}_upper"]])

    def predict_quantiles(self, X: Any, q: ArrayLike) -> Floats:
        """Quantiles of an observation, noise included: one row for each of `X`, one column for each of `q`.

        >>> import numpy as np
        >>> from lacuna import LacunaRegressor
        >>> x = np.linspace(-1, 1, 40)[:, None]
        >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=1, burn_in=200, gap=1, draws=50).fit(x, x[:, 0])
        >>> model.predict_quantiles(x, [0.1, 0.5, 0.9]).shape
        (40, 3)
        """
        levels = [float(level) for level in np.atleast_1d(np.asarray(q, dtype=float))]
        return self._predict(X, quantiles=levels)["quantiles"].T

    def predict_draws(self, X: Any) -> Floats:
        """f at each row for each draw: shape (draws, rows), chain after chain.

        >>> import numpy as np
        >>> from lacuna import LacunaRegressor
        >>> x = np.linspace(-1, 1, 40)[:, None]
        >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=1, burn_in=200, gap=1, draws=50).fit(x, x[:, 0])
        >>> bool(np.allclose(model.predict_draws(x).mean(axis=0), model.predict(x)))
        True
        """
        return self._posterior_of(X, None)

    def sample_y(self, X: Any, random_state: int = 0) -> Floats:
        """Observations from the posterior predictive law, noise included: one for each draw and row.

        >>> import numpy as np
        >>> from lacuna import LacunaRegressor
        >>> x = np.linspace(-1, 1, 40)[:, None]
        >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=1, burn_in=200, gap=1, draws=50).fit(x, x[:, 0])
        >>> model.sample_y(x, random_state=1).shape
        (50, 40)
        """
        return self._posterior_of(X, int(random_state))

    def _posterior_of(self, X: Any, noise_seed: int | None) -> Floats:
        rows = self._rows(X)
        return self._posterior.fit.predict_draws(rows, noise_seed, threads_from(self.n_jobs))

    # What was found

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_posterior")

    @property
    def n_draws_(self) -> int:
        """Draws over all chains.

        >>> import numpy as np
        >>> from lacuna import LacunaRegressor
        >>> x = np.linspace(-1, 1, 40)[:, None]
        >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=1, burn_in=200, gap=1, draws=50).fit(x, x[:, 0])
        >>> model.n_draws_
        50
        """
        check_is_fitted(self)
        return int(self._posterior.fit.draws()["chain"].size)

    @property
    def diagnostics_(self) -> dict[str, Any]:
        """What `lacuna summary --json` prints: the verdict first, R-hat, effective draws, moves, chains.

        >>> import numpy as np
        >>> from lacuna import LacunaRegressor
        >>> x = np.linspace(-1, 1, 40)[:, None]
        >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=1, burn_in=200, gap=1, draws=50).fit(x, x[:, 0])
        >>> list(model.diagnostics_)[:2]
        ['verdict', 'verdict_kind']
        """
        check_is_fitted(self)
        return self._posterior.summary

    @property
    def inclusion_(self) -> Floats:
        """For each input, the share of draws in which it is connected to the output.

        >>> import numpy as np
        >>> from lacuna import LacunaRegressor
        >>> x = np.linspace(-1, 1, 40)[:, None]
        >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=1, burn_in=200, gap=1, draws=50).fit(x, x[:, 0])
        >>> model.inclusion_
        array([1.])
        """
        check_is_fitted(self)
        return np.array(list(self._posterior.summary["inclusion"].values()), dtype=float)

    @property
    def n_active_(self) -> float:
        """Mean number of active weights.

        >>> import numpy as np
        >>> from lacuna import LacunaRegressor
        >>> x = np.linspace(-1, 1, 40)[:, None]
        >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=1, burn_in=200, gap=1, draws=50).fit(x, x[:, 0])
        >>> 2 <= model.n_active_ <= 13
        True
        """
        check_is_fitted(self)
        return float(self._posterior.summary["quantities"]["active_weights"]["mean"])

    @property
    def lambda_(self) -> float:
        """The inverse temperature that was used.

        >>> import numpy as np
        >>> from lacuna import LacunaRegressor
        >>> x = np.linspace(-1, 1, 40)[:, None]
        >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=1, burn_in=200, gap=1, draws=50).fit(x, x[:, 0])
        >>> model.lambda_ > 0
        True
        """
        check_is_fitted(self)
        return float(self._posterior.fit.info()["lambda"])

    @property
    def noise_sd_(self) -> float:
        """Standard deviation of the noise of predictive intervals, in the units of the target.

        >>> import numpy as np
        >>> from lacuna import LacunaRegressor
        >>> x = np.linspace(-1, 1, 40)[:, None]
        >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=1, burn_in=200, gap=1, draws=50).fit(x, x[:, 0])
        >>> 0 < model.noise_sd_ < 1
        True
        """
        check_is_fitted(self)
        return float(self._posterior.fit.info()["noise_sd"])

    @property
    def network_(self) -> Network:
        """The draw of largest posterior density as a network to read: `print(model.network_)`.

        >>> import numpy as np
        >>> from lacuna import LacunaRegressor
        >>> x = np.linspace(-1, 1, 40)[:, None]
        >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=1, burn_in=200, gap=1, draws=50).fit(x, x[:, 0])
        >>> model.network_.inputs
        ['x0']
        """
        check_is_fitted(self)
        info = self._posterior.fit.info()
        weights = tuple(
            Weight(layer, unit, None if shift else source, value, live)
            for layer, unit, source, shift, value, live in self._posterior.fit.best_network()
        )
        return Network(
            info["inputs"], tuple(info["widths"]), weights, np.array(info["input_shift"]),
            np.array(info["input_scale"]), info["target_shift"], info["target_scale"], info["clip"],
        )  # fmt: skip

    def certificate(
        self, delta: float = 0.05, *, X: Any = None, y: Any = None, sample_weight: Any = None, X_test: Any = None,
        y_test: Any = None, noise_sd: float | None = None, noise_tail: float | None = None,
        target_range: tuple[float, float] | None = None, runs: int = 16, rungs: int = 500, steps: int = 20,
        random_state: int = 1,
    ) -> dict[str, Any]:  # fmt: skip
        """Bounds on the error that hold with probability `1 - delta`, as `lacuna certify --json` prints them.

        A model that was loaded or unpickled needs its training data again (`X`, `y`, `sample_weight`). With `X_test` and
        `y_test`, rows that had no part in the fit, also a bound from them. A bound is `vacuous` where it says no more than
        would be true without data.

        >>> import numpy as np
        >>> from lacuna import LacunaRegressor
        >>> x = np.linspace(-1, 1, 40)[:, None]
        >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=1, burn_in=200, gap=1, draws=50).fit(x, x[:, 0])
        >>> found = model.certificate(runs=2, rungs=20, steps=2)
        >>> found["certificates"]["theorem"]["confidence"]
        0.95
        """
        check_is_fitted(self)
        training = self._training
        if X is not None and y is not None:
            info = self._posterior.fit.info()
            weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
            training = Training(self._rows(X), np.asarray(y, dtype=np.float64), info["inputs"], info["target"], weights)
        if training is None:
            raise ValueError("a model that was loaded or unpickled has no training data; give X and y")
        if (X_test is None) != (y_test is None):
            raise ValueError("X_test and y_test belong together")
        options = CertifyOptions()
        options.delta, options.noise_sd, options.noise_tail = float(delta), noise_sd, noise_tail
        options.target_range = target_range
        options.runs, options.rungs, options.steps_per_rung = runs, rungs, steps
        options.seed, options.threads = random_state, threads_from(self.n_jobs)
        text = certify(
            self._posterior.fit, training.x, training.y, training.weights,
            None if X_test is None else self._rows(X_test),
            None if y_test is None else np.asarray(y_test, dtype=np.float64), options,
        )  # fmt: skip
        found: dict[str, Any] = json.loads(text)
        return found

    def report(
        self, path: str | os.PathLike[str], X: Any = None, y: Any = None, *, sample_weight: Any = None, certify: bool = False
    ) -> None:  # fmt: skip
        """Write the fit as one HTML page: does it fit, can the sampler be trusted, which inputs matter, how sure is it.

        After `fit` the page shows the training rows. A model that was loaded does not have them: give `X` and `y` (and
        `sample_weight`, if there was one) as they were, or the page leaves out what shows rows. With `certify` the page has
        the bounds of `certificate()` too, which takes some seconds to minutes.

        >>> import tempfile
        >>> import numpy as np
        >>> from lacuna import LacunaRegressor
        >>> x = np.linspace(-1, 1, 40)[:, None]
        >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=1, burn_in=200, gap=1, draws=50).fit(x, x[:, 0])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.report(f"{folder}/line.html")
        ...     open(f"{folder}/line.html", encoding="utf-8").read(15)
        '<!DOCTYPE html>'
        """
        check_is_fitted(self)
        if (X is None) != (y is None):
            raise ValueError("X and y: give both or neither")
        rows: tuple[Floats | None, Floats | None, Floats | None] = (None, None, None)
        if X is not None:
            weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
            rows = (self._rows(X), np.asarray(y, dtype=np.float64), weights)
        elif self._training is not None:
            rows = (self._training.x, self._training.y, self._training.weights)
        if certify and rows[0] is None:
            raise ValueError("certify=True needs the training data; give X and y")
        self._posterior.fit.report(os.fspath(path), *rows, certify, threads_from(self.n_jobs))

    def to_arviz(self) -> Any:
        """The draws for ArviZ: `posterior` with risk, sizes, `f` at probe rows and inclusion; needs the package arviz.

        Every walker is a chain of its own there. With the training data at hand also `log_likelihood`,
        `posterior_predictive` and `observed_data`.

        >>> import numpy as np
        >>> from lacuna import LacunaRegressor
        >>> x = np.linspace(-1, 1, 40)[:, None]
        >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=2, burn_in=200, gap=1, draws=50).fit(x, x[:, 0])
        >>> model.to_arviz()["posterior"]["risk"].shape
        (2, 50)
        """
        check_is_fitted(self)
        return to_arviz(self._posterior, self._training)
