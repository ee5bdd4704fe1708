"""An ensemble of multilayer perceptrons of scikit-learn, each stopped early on its own fold."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from metrics import Array, NormalMixture, Prediction
from sklearn.neural_network import MLPRegressor
from threadpoolctl import threadpool_limits

from methods.interface import CORES, Fitted, Training, folds

MEMBERS = 5
FOLDS = 10
HIDDEN = (64, 64)
PATIENCE = 50
MOST_EPOCHS = 2000
SHARE = 0.9


def fit(training: Training) -> Fitted:
    """Five members, each without one tenth of the rows, on which it stops.

    The noise variance is the mean squared error of members on the rows they left out, less the
    variance between members there: the mixture over members adds that variance again.
    """
    parts = folds(len(training.y), FOLDS, training.seed)[:MEMBERS]
    # Members are trained in rounds, one on each core, and each round has its share of the time.
    rounds = -(-MEMBERS // CORES)
    ends = [SHARE * training.clock.seconds * (1 + k // CORES) / rounds for k in range(MEMBERS)]
    found = Parallel(n_jobs=CORES)(
        delayed(_member)(training, part, training.seed * MEMBERS + number, ends[number])
        for number, part in enumerate(parts)
    )
    members = [member for member, _ in found]
    squared_error, between = 0.0, 0.0
    for member, part in zip(members, parts, strict=True):
        everyone = np.stack([other.predict(training.x[part]) for other in members], axis=1)
        squared_error += float(np.mean((member.predict(training.x[part]) - training.y[part]) ** 2))
        between += float(np.mean(everyone.var(axis=1)))
    sd = float(np.sqrt(max(squared_error - between, 0.1 * squared_error) / MEMBERS))

    def predict(x: Array) -> Prediction:
        f = np.stack([member.predict(x) for member in members], axis=1)
        return Prediction(f.mean(axis=1), NormalMixture(f, np.full(len(x), sd)))

    return Fitted(predict, {"epochs": [epochs for _, epochs in found], "noise_sd": sd})


def _member(training: Training, left_out: Any, seed: int, end: float) -> tuple[Any, int]:
    """The state with the smallest error on the rows left out, and how many epochs were run.

    The clock is that of the process which started this one: both count from the same moment.
    """
    x, y, clock = training.x, training.y, training.clock
    kept = np.setdiff1d(np.arange(len(y)), left_out)
    batch = int(np.clip(len(kept) // 50, 16, 200))
    model = MLPRegressor(hidden_layer_sizes=HIDDEN, batch_size=batch, random_state=seed)
    best, best_error, best_epoch, epoch = model, np.inf, 0, 0
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # overflows of a diverging member show in its error
        while epoch < MOST_EPOCHS and epoch - best_epoch <= PATIENCE:
            if epoch > 0 and clock.spent() > end:
                break
            model.partial_fit(x[kept], y[kept])
            epoch += 1
            error = float(np.mean((model.predict(x[left_out]) - y[left_out]) ** 2))
            if error < best_error:
                best, best_error, best_epoch = copy.deepcopy(model), error, epoch
    return best, epoch
