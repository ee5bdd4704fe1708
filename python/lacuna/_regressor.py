"""The estimator: scikit-learn outside, the engine of the command inside."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from . import _core
from ._fitted import Fitted, Floats
from ._frames import with_names
from ._listener import Listener
from ._options import options_from, threads_from
from ._posterior import Posterior, Training


def _weights_for(X: Floats, sample_weight: Any) -> Floats | None:
    if sample_weight is None:
        return None
    weights: Floats = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    if not weights.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return weights


class LacunaRegressor(Fitted, RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Sparse ReLU network regression by sampling the Gibbs posterior.

    Every argument is an option of `lacuna fit` with the same meaning and default (`lam` is `--lambda`, `random_state` is
    `--seed`, `n_jobs` is `--threads`); `lacuna fit --help` explains each.

    Parameters
    ----------
    depth, width, widths : int, "auto"; list of int or None
        Hidden layers, and units in each; or the units layer by layer.
    inputs : "auto" or "all"
        Whether inputs that held-out rows are predicted as well without may be left out of the network.
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

    def __init__(
        self,
        *,
        depth: int | str = "auto",
        width: int | str = "auto",
        widths: list[int] | None = None,
        inputs: str = "auto",
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
        self.inputs = inputs
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

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> LacunaRegressor:
        """Sample the posterior given the rows of `X` and the targets `y`.

        With `sample_weight` a row of weight k counts as k copies of it. The order of the rows does not matter.

        Ctrl-C ends the run early; what was sampled until then is kept, with a warning.

        >>> model = LacunaRegressor(widths=[3], lam=20.0, start="prior", chains=1, burn_in=50, gap=1, draws=20)
        >>> model.fit([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 3.0]).n_draws_
        20
        """
        target = str(getattr(y, "name", None) or "y")
        X, y = validate_data(self, with_names(X), y, dtype=np.float64, y_numeric=True, ensure_min_samples=2)
        y = np.asarray(y, dtype=np.float64)
        names = [str(name) for name in getattr(self, "feature_names_in_", [f"x{j}" for j in range(X.shape[1])])]
        options = options_from(self.get_params(deep=False))
        self.seed_ = int(dict(options)["seed"])
        training = Training(X, y, names, target, _weights_for(X, sample_weight))
        self._posterior, self._training = Posterior(self.out), training
        with Listener(self.verbose) as listener:
            whole, interrupted = _core.fit(
                *training, options, str(self._posterior.path), self._command(), listener
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
        with Listener(self.verbose) as listener:
            whole, interrupted = _core.extend(
                *self._training, str(self._posterior.path), int(draws), time_limit, threads_from(self.n_jobs), listener
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
        # A run that was given its time and nothing else has used it, and that is all.
        as_planned = not interrupted and self.time_limit is not None and self.burn_in is None and self.draws is None
        if not whole and not as_planned:
            why = "interrupted" if interrupted else "the time was up"
            warnings.warn(f"{why}: {self.n_draws_} draws so far; extend(0) goes on", ConvergenceWarning, stacklevel=3)

    # Files and pickles

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fit to `path`, a file that `lacuna summary`, `predict` and `draws` read.

        >>> import tempfile
        >>> model = LacunaRegressor(widths=[3], lam=20.0, start="prior", chains=1, burn_in=50, gap=1, draws=20)
        >>> model = model.fit([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 3.0])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save(f"{folder}/line.lacuna")
        ...     LacunaRegressor.load(f"{folder}/line.lacuna").n_draws_
        20
        """
        check_is_fitted(self)
        shutil.copyfile(self._posterior.path, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> LacunaRegressor:
        """A model from a `.lacuna` file, written here or by the command.

        >>> import tempfile
        >>> model = LacunaRegressor(widths=[3], lam=20.0, start="prior", chains=1, burn_in=50, gap=1, draws=20)
        >>> model = model.fit([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 2.0, 3.0])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save(f"{folder}/line.lacuna")
        ...     LacunaRegressor.load(f"{folder}/line.lacuna").n_draws_
        20
        """
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
