"""The estimator: scikit-learn outside, the engine of the command inside."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._arviz import to_arviz
from ._listener import Listener
from ._network import Network, Weight
from ._options import options_from, threads_from
from ._posterior import Posterior

Floats = NDArray[np.float64]


class LacunaRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Sparse ReLU network regression by sampling the Gibbs posterior.

    Every argument is an option of `lacuna fit` with the same meaning and default (`lam` is `--lambda`, `random_state` is
    `--seed`, `n_jobs` is `--threads`); `lacuna fit --help` explains each.

    Parameters
    ----------
    depth, width, widths : int, "auto"; list of int or None
        Hidden layers, and units in each; or the units layer by layer.
    prior : "sparse" or "dense"
    base, bound, clip : float
        A network of k weights has prior mass proportional to `base**-k`; weights live in [-bound, bound], predictions in
        [-clip, clip] standard deviations of the target.
    lam : "auto", "bayes", "theory" or float
        Inverse temperature.
    noise : "auto", "constant" or "varying"
    noise_sd, noise_tail : float or None
    sampler : "auto" or "paper"
    learning_rate, proposal_sd : float or None
        Of the paper's kernel.
    rungs : int
        Temperatures of each chain.
    start : "auto", "prior" or path
    chains : int
    walkers : int or "auto"
    burn_in, gap, draws : int or None
    time_limit : float or None
        Seconds.
    checkpoint_every : float
        Seconds.
    scale : "auto" or "none"
    random_state : int, RandomState or None
        The same seed gives the same draws, here and on the command line. None takes a new one, which is kept as `seed_`.
    n_jobs : int or None
        Threads; None and -1 mean one per core. Draws do not depend on it.
    verbose : int
        1 shows progress.
    out : path or None
        Where the fit is written as it grows; None keeps it in a temporary file.

    Examples
    --------
    >>> import numpy as np
    >>> from lacuna import LacunaRegressor
    >>> X = np.random.default_rng(0).uniform(-1, 1, (80, 2))
    >>> y = np.abs(X[:, 0])
    >>> model = LacunaRegressor(widths=[6], lam="bayes", chains=2, burn_in=500, gap=2, draws=100).fit(X, y)
    >>> lower, upper = model.predict_interval(X, level=0.9, kind="y").T
    >>> bool((lower < upper).all())
    True
    """

    _posterior: Posterior
    # The data of the last fit, for extend(); not in pickles.
    _training: tuple[Floats, Floats, list[str], str] | None

    def __init__(
        self,
        *,
        depth: int | str = "auto",
        width: int | str = "auto",
        widths: list[int] | None = None,
        prior: str = "sparse",
        base: float = 2.0,
        bound: float = 3.0,
        clip: float = 5.0,
        lam: float | str = "auto",
        noise: str = "auto",
        noise_sd: float | None = None,
        noise_tail: float | None = None,
        sampler: str = "auto",
        learning_rate: float | None = None,
        proposal_sd: float | None = None,
        rungs: int = 1,
        start: str = "auto",
        chains: int = 4,
        walkers: int | str = "auto",
        burn_in: int | None = None,
        gap: int | None = None,
        draws: int | None = None,
        time_limit: float | None = None,
        checkpoint_every: float = 30.0,
        scale: str = "auto",
        random_state: int | np.random.RandomState | None = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
        out: str | os.PathLike[str] | None = None,
    ) -> None:
        self.depth = depth
        self.width = width
        self.widths = widths
        self.prior = prior
        self.base = base
        self.bound = bound
        self.clip = clip
        self.lam = lam
        self.noise = noise
        self.noise_sd = noise_sd
        self.noise_tail = noise_tail
        self.sampler = sampler
        self.learning_rate = learning_rate
        self.proposal_sd = proposal_sd
        self.rungs = rungs
        self.start = start
        self.chains = chains
        self.walkers = walkers
        self.burn_in = burn_in
        self.gap = gap
        self.draws = draws
        self.time_limit = time_limit
        self.checkpoint_every = checkpoint_every
        self.scale = scale
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.out = out

    # Fitting

    def fit(self, X: Any, y: Any) -> LacunaRegressor:
        """Sample the posterior given the rows of `X` and the targets `y`.

        Ctrl-C ends the run early; what was sampled until then is kept, with a warning.

        >>> model = LacunaRegressor(widths=[3], lam=20.0, start="prior", chains=1, burn_in=50, gap=1, draws=20)
        >>> model.fit([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 3.0]).n_draws_
        20
        """
        target = str(getattr(y, "name", None) or "y")
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True, ensure_min_samples=2)
        y = np.asarray(y, dtype=np.float64)
        names = [str(name) for name in getattr(self, "feature_names_in_", [f"x{j}" for j in range(X.shape[1])])]
        options = options_from(self.get_params(deep=False))
        self.seed_ = int(dict(options)["seed"])
        self._posterior = Posterior(self.out)
        self._training = (X, y, names, target)
        with Listener(self.verbose) as listener:
            whole, interrupted = _core.fit(
                X, y, names, target, options, str(self._posterior.path), self._command(), listener
            )
        self._warn_if_short(whole, interrupted)
        return self

    def extend(self, draws: int, *, time_limit: float | None = None) -> LacunaRegressor:
        """Add `draws` draws per chain, as if the run had never ended.

        >>> model = LacunaRegressor(widths=[3], lam=20.0, start="prior", chains=1, burn_in=50, gap=1, draws=20)
        >>> model.fit([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 3.0]).extend(5).n_draws_
        25
        """
        check_is_fitted(self)
        if self._training is None:
            raise ValueError("a model that was loaded or unpickled has no training data to go on with; fit it again")
        X, y, names, target = self._training
        with Listener(self.verbose) as listener:
            whole, interrupted = _core.extend(
                X, y, names, target, str(self._posterior.path), int(draws), time_limit, threads_from(self.n_jobs), listener
            )
        self._posterior.forget()
        self._warn_if_short(whole, interrupted)
        return self

    def _command(self) -> str:
        return f"{type(self).__name__} in Python {sys.version_info.major}.{sys.version_info.minor}"

    def _warn_if_short(self, whole: bool, interrupted: bool) -> None:
        if self.n_draws_ == 0:
            if interrupted:
                raise KeyboardInterrupt
            raise ValueError("the time was up before the first draw; raise time_limit or lower burn_in")
        if not whole:
            why = "interrupted" if interrupted else "the time was up"
            warnings.warn(f"{why}: {self.n_draws_} draws so far; extend(0) goes on", ConvergenceWarning, stacklevel=3)

    # Prediction

    def _rows(self, X: Any) -> Floats:
        check_is_fitted(self)
        rows: Floats = validate_data(self, X, dtype=np.float64, reset=False)
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
        >>> x = np.linspace(-1, 1, 40)[:, None]
        >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=1, burn_in=200, gap=1, draws=50).fit(x, x[:, 0])
        >>> bool(np.allclose(model.predict_draws(x).mean(axis=0), model.predict(x)))
        True
        """
        return self._posterior_of(X, None)

    def sample_y(self, X: Any, random_state: int = 0) -> Floats:
        """Observations from the posterior predictive law, noise included: one for each draw and row.

        >>> import numpy as np
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
        """Draws over all chains."""
        check_is_fitted(self)
        return int(self._posterior.fit.draws()["chain"].size)

    @property
    def diagnostics_(self) -> dict[str, Any]:
        """What `lacuna summary --json` prints: the verdict first, R-hat, effective draws, moves, chains."""
        check_is_fitted(self)
        return self._posterior.summary

    @property
    def inclusion_(self) -> Floats:
        """For each input, the share of draws in which it is connected to the output."""
        check_is_fitted(self)
        return np.array(list(self._posterior.summary["inclusion"].values()), dtype=float)

    @property
    def n_active_(self) -> float:
        """Mean number of active weights."""
        check_is_fitted(self)
        return float(self._posterior.summary["quantities"]["active_weights"]["mean"])

    @property
    def lambda_(self) -> float:
        """The inverse temperature that was used."""
        check_is_fitted(self)
        return float(self._posterior.fit.info()["lambda"])

    @property
    def noise_sd_(self) -> float:
        """Standard deviation of the noise of predictive intervals, in the units of the target."""
        check_is_fitted(self)
        return float(self._posterior.fit.info()["noise_sd"])

    @property
    def network_(self) -> Network:
        """The draw of largest posterior density as a network to read: `print(model.network_)`."""
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

    def to_arviz(self) -> Any:
        """The draws for ArviZ: `posterior` with risk, sizes, `f` at probe rows and inclusion; needs the package arviz.

        Every walker is a chain of its own there. With the training data at hand also `log_likelihood`,
        `posterior_predictive` and `observed_data`.

        >>> import numpy as np
        >>> x = np.linspace(-1, 1, 40)[:, None]
        >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=2, burn_in=200, gap=1, draws=50).fit(x, x[:, 0])
        >>> model.to_arviz()["posterior"]["risk"].shape
        (2, 50)
        """
        check_is_fitted(self)
        return to_arviz(self._posterior.fit, self._training)

    # Files and pickles

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fit to `path`, a file that `lacuna summary`, `predict` and `draws` read."""
        check_is_fitted(self)
        shutil.copyfile(self._posterior.path, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> LacunaRegressor:
        """A model from a `.lacuna` file, written here or by the command."""
        posterior = Posterior(path)
        info = posterior.fit.info()
        model = cls(
            widths=list(info["widths"]), bound=info["bound"], clip=info["clip"], base=info["base"], lam=info["lambda"],
            chains=info["chains"], walkers=info["walkers"], random_state=info["seed"],
        )  # fmt: skip
        model._posterior = posterior
        model._training = None
        model.seed_ = int(info["seed"])
        model.n_features_in_ = len(info["inputs"])
        if info["inputs"] != [f"x{j}" for j in range(model.n_features_in_)]:
            model.feature_names_in_ = np.array(info["inputs"], dtype=object)
        return model

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        if "_training" in state:
            state["_training"] = None
        return state
