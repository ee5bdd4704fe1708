"""Gaussian process of scikit-learn: Matern 5/2 with a length scale per input, and white noise."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from statistics import NormalDist

import numpy as np
from metrics import BAND_LEVEL, Array, NormalMixture, Prediction
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

from methods.interface import Clock, Fitted, Training

STARTS = 5
# Optimisation ends at this share of the time; the rest is for the last factorisation.
SHARE = 0.85


class _TimeIsUp(Exception):
    pass


def fit(training: Training) -> Fitted:
    """Maximum marginal likelihood from several starts, as many as fit into the time given."""
    inputs = training.x.shape[1]
    kernel = ConstantKernel(1.0, (1e-3, 1e3)) * Matern(
        np.full(inputs, np.sqrt(inputs)), (1e-2, 1e4), nu=2.5
    ) + WhiteKernel(0.1, (1e-7, 1e1))
    search = _Search(training.clock, training.seed)
    model = GaussianProcessRegressor(kernel, optimizer=search)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(training.x, training.y)
    noise = float(model.kernel_.k2.noise_level)
    z = NormalDist().inv_cdf((1.0 + BAND_LEVEL) / 2.0)

    def predict(x: Array) -> Prediction:
        mean, sd = model.predict(x, return_std=True)  # the noise is in it
        sd = np.maximum(sd, np.sqrt(noise))
        f_sd = np.sqrt(sd**2 - noise)
        return Prediction(mean, NormalMixture(mean, sd), (mean - z * f_sd, mean + z * f_sd))

    return Fitted(predict, {"starts": search.starts, "noise_sd": float(np.sqrt(noise))})


class _Search:
    """L-BFGS-B from the given start and from random ones; the best point seen when time is up."""

    def __init__(self, clock: Clock, seed: int) -> None:
        self.clock = clock
        self.random = np.random.default_rng(seed)
        self.starts = 0

    def __call__(
        self, objective: Callable[[Array], tuple[float, Array]], start: Array, bounds: Array
    ) -> tuple[Array, float]:
        best_value, best = np.inf, start

        def watched(theta: Array) -> tuple[float, Array]:
            nonlocal best_value, best
            if np.isfinite(best_value) and self.clock.spent() > SHARE * self.clock.seconds:
                raise _TimeIsUp
            value, gradient = objective(theta)
            if value < best_value:
                best_value, best = value, theta.copy()
            return value, gradient

        try:
            while self.starts < STARTS:
                self.starts += 1
                minimize(watched, start, method="L-BFGS-B", jac=True, bounds=bounds)
                # Other starts lie within a factor e^2 or so of the best point so far.
                start = np.clip(best + self.random.normal(0.0, 1.5, len(best)), *bounds.T)
        except _TimeIsUp:
            pass
        return best, best_value
