"""NGBoost with a normal law whose mean and standard deviation depend on the inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
from metrics import Array, Prediction
from ngboost import NGBRegressor

from methods.interface import Fitted, Training, folds, normal_prediction

# As in the paper: learning rate 0.01, at most 2,000 rounds chosen on a validation part of the
# training rows, then all rows. Where the time given is too short for that, rounds are fewer and
# the learning rate is larger in proportion.
LEARNING_RATE = 0.01
MOST_ROUNDS = 2000
LARGEST_RATE = 0.1
PATIENCE = 50
PILOT_ROUNDS = 10


def fit(training: Training) -> Fitted:
    x, y, seed = training.x, training.y, training.seed

    def model(rounds: int, rate: float) -> Any:
        return NGBRegressor(
            n_estimators=rounds, learning_rate=rate, random_state=seed, verbose=False
        )

    before = training.clock.spent()
    model(PILOT_ROUNDS, LEARNING_RATE).fit(x, y)
    seconds_per_round = (training.clock.spent() - before) / PILOT_ROUNDS
    affordable = 0.8 * training.clock.left() / seconds_per_round / 2.0
    rate = float(np.clip(LEARNING_RATE * MOST_ROUNDS / affordable, LEARNING_RATE, LARGEST_RATE))
    rounds = round(LEARNING_RATE * MOST_ROUNDS / rate)

    part = folds(len(y), 10, seed)[0]
    rest = np.setdiff1d(np.arange(len(y)), part)
    searched = model(rounds, rate)
    searched.fit(x[rest], y[rest], X_val=x[part], Y_val=y[part], early_stopping_rounds=PATIENCE)
    best = int(searched.best_val_loss_itr if searched.best_val_loss_itr is not None else rounds)
    final = model(max(1, best), rate).fit(x, y)

    def predict(x_new: Array) -> Prediction:
        law = final.pred_dist(x_new)
        return normal_prediction(law.loc, law.scale)

    return Fitted(predict, {"rounds": best, "learning_rate": rate})
