"""Gradient boosting by xgboost and lightgbm, with early stopping in cross-validation.

Rounds are those at which held-out folds stop, on average; the model is then fitted to all rows.
The law is normal with the standard deviation of held-out residuals.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from metrics import Array

from methods.interface import CORES, Fitted, Training, folds, normal_prediction

FOLDS = 5
MOST_ROUNDS = 5000
PATIENCE = 50

# (rows to fit, rows to stop on) -> (prediction of the latter, rounds)
HeldOut = Callable[[Any, Any], tuple[Array, int]]
# rounds -> a function that predicts, fitted to all rows
Final = Callable[[int], Callable[[Array], Array]]


def _cross_validated(training: Training, held_out: HeldOut, final: Final) -> Fitted:
    """Uses as many folds as leave time for the last fit."""
    rounds: list[int] = []
    residuals: list[Array] = []
    slowest = 0.0
    for part in folds(len(training.y), FOLDS, training.seed):
        before = training.clock.spent()
        if rounds and training.clock.left() < 2.5 * slowest:
            break
        rest = np.setdiff1d(np.arange(len(training.y)), part)
        predicted, best = held_out(rest, part)
        rounds.append(best)
        residuals.append(training.y[part] - predicted)
        slowest = max(slowest, training.clock.spent() - before)
    model = final(max(1, round(float(np.mean(rounds)))))
    sd = float(np.sqrt(np.mean(np.concatenate(residuals) ** 2)))
    facts = {"rounds": rounds, "noise_sd": sd}
    return Fitted(lambda x: normal_prediction(model(x).astype(float), sd), facts)


def xgboost(training: Training) -> Fitted:
    import xgboost as library

    common: dict[str, Any] = {
        "learning_rate": 0.05,
        "max_depth": 6,
        "subsample": 0.8,
        "colsample_bytree": 0.8,
        "tree_method": "hist",
        "n_jobs": CORES,
        "random_state": training.seed,
    }
    x, y = training.x, training.y

    def held_out(rest: Any, part: Any) -> tuple[Array, int]:
        model = library.XGBRegressor(
            n_estimators=MOST_ROUNDS, early_stopping_rounds=PATIENCE, **common
        )
        model.fit(x[rest], y[rest], eval_set=[(x[part], y[part])], verbose=False)
        return model.predict(x[part]), model.best_iteration + 1

    def final(rounds: int) -> Callable[[Array], Array]:
        model = library.XGBRegressor(n_estimators=rounds, **common).fit(x, y)
        return lambda x_new: np.asarray(model.predict(x_new))

    return _cross_validated(training, held_out, final)


def lightgbm(training: Training) -> Fitted:
    import lightgbm as library

    common: dict[str, Any] = {
        "learning_rate": 0.05,
        "num_leaves": 31,
        "subsample": 0.8,
        "subsample_freq": 1,
        "colsample_bytree": 0.8,
        "n_jobs": CORES,
        "random_state": training.seed,
        "verbosity": -1,
    }
    x, y = training.x, training.y

    def held_out(rest: Any, part: Any) -> tuple[Array, int]:
        model = library.LGBMRegressor(n_estimators=MOST_ROUNDS, **common)
        stop = library.early_stopping(PATIENCE, verbose=False)
        model.fit(x[rest], y[rest], eval_set=[(x[part], y[part])], callbacks=[stop])
        return np.asarray(model.predict(x[part])), int(model.best_iteration_)

    def final(rounds: int) -> Callable[[Array], Array]:
        model = library.LGBMRegressor(n_estimators=rounds, **common).fit(x, y)
        return lambda x_new: np.asarray(model.predict(x_new))

    return _cross_validated(training, held_out, final)
