"""Ridge regression and random forests of scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from metrics import Array, NormalMixture, Prediction
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import RidgeCV

from methods.interface import CORES, Fitted, Training, normal_prediction

TREES = 500
MOST_ROWS_FOR_KERNEL = 2000


def ridge(training: Training) -> Fitted:
    """Penalty by leave-one-out; the normal law has the standard deviation of those residuals."""
    penalties = np.logspace(-4, 5, 46)
    model = RidgeCV(alphas=penalties, store_cv_results=True).fit(training.x, training.y)
    squared = model.cv_results_[:, int(np.argmin(np.abs(penalties - model.alpha_)))]
    sd = float(np.sqrt(squared.mean()))
    return Fitted(lambda x: normal_prediction(model.predict(x), sd))


def forest(training: Training) -> Fitted:
    """Default trees; the law is a mixture over trees, smoothed by a kernel chosen out of bag.

    A fully grown tree predicts the target of one training row near x, so the trees are draws from
    the distribution of a quantile forest. Their kernel has variance h^2 + (c spread)^2 where the
    spread is that of the trees at x.
    """
    x, y = training.x, training.y
    model = RandomForestRegressor(TREES, random_state=training.seed, n_jobs=CORES).fit(x, y)
    h, c = _kernel_out_of_bag(model, x, y, training.seed)

    def predict(x_new: Array) -> Prediction:
        draws = _tree_predictions(model, x_new)
        sd = np.sqrt(h**2 + (c * draws.std(axis=1)) ** 2)
        return Prediction(draws.mean(axis=1), NormalMixture(draws, sd))

    return Fitted(predict, {"kernel_sd": h, "kernel_share": c})


def _tree_predictions(model: Any, x: Array) -> Array:
    return np.stack([tree.predict(x) for tree in model.estimators_], axis=1)


def _kernel_out_of_bag(model: Any, x: Array, y: Array, seed: int) -> tuple[float, float]:
    """The kernel with the best log score of training rows under the trees that did not see them."""
    rows = np.random.default_rng(seed).permutation(len(y))[:MOST_ROWS_FOR_KERNEL]
    draws = _tree_predictions(model, x[rows])
    unseen = np.ones_like(draws, dtype=bool)
    place = np.full(len(y), -1)
    place[rows] = np.arange(len(rows))
    for number, sample in enumerate(model.estimators_samples_):
        seen = place[np.unique(sample)]
        unseen[seen[seen >= 0], number] = False
    count = unseen.sum(axis=1)
    mean = np.where(unseen, draws, 0.0).sum(axis=1) / count
    spread = np.sqrt(np.where(unseen, (draws - mean[:, None]) ** 2, 0.0).sum(axis=1) / count)
    error = float(np.sqrt(np.mean((mean - y[rows]) ** 2)))
    distance = np.where(unseen, (draws - y[rows, None]) ** 2, np.inf)
    best = (-np.inf, error, 0.0)
    for h in error * np.geomspace(0.02, 1.5, 12):
        for c in (0.0, 0.25, 0.5, 1.0):
            variance = h**2 + (c * spread) ** 2
            exponent = -0.5 * distance / variance[:, None]
            top = exponent.max(axis=1)
            mass = np.exp(exponent - top[:, None]).sum(axis=1) / count
            score = float(np.mean(top + np.log(mass) - 0.5 * np.log(variance)))
            best = max(best, (score, float(h), c))
    return best[1], best[2]
