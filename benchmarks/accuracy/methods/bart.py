"""Bayesian additive regression trees by stochtree: chains begun by its grow-from-root sampler."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from metrics import Array, Prediction
from stochtree import BARTModel

from methods.interface import CORES, Fitted, Training, posterior_prediction

# Of each core.
CHAINS = 2
GROW_FROM_ROOT = 10
# Of each chain, where the time suffices.
BURN_IN = 500
DRAWS = 500
PILOT_STEPS = 20

# The model of a worker process.
_model = BARTModel()


def fit(training: Training) -> Fitted:
    """Default priors with 200 trees; two chains in a process per core, one thread each.

    A short pilot run says how many steps the time given allows.
    """
    x, y, seed = training.x, training.y, 1 + CORES * training.seed
    before = training.clock.spent()
    sample(x, y, PILOT_STEPS, 0, chains=1, seed=seed)
    seconds_per_step = (training.clock.spent() - before) / (GROW_FROM_ROOT + PILOT_STEPS)
    steps = int(0.7 * training.clock.left() / seconds_per_step / CHAINS)
    burn_in = min(BURN_IN, steps // 4)
    draws = max(1, min(DRAWS, steps - burn_in))
    # One pool for each worker, so that each can be asked again for the chains it holds.
    spawn = multiprocessing.get_context("spawn")
    workers = [ProcessPoolExecutor(1, mp_context=spawn) for _ in range(CORES)]
    started = [
        worker.submit(sample, x, y, draws, burn_in, CHAINS, seed + number)
        for number, worker in enumerate(workers)
    ]
    for worker in started:
        worker.result()

    def predict(x_new: Array) -> Prediction:
        found = [asked.result() for asked in [w.submit(draws_at, x_new) for w in workers]]
        f_draws, sds = (np.concatenate(parts, axis=-1) for parts in zip(*found, strict=True))
        return posterior_prediction(f_draws, sds[None, :])

    return Fitted(predict, {"draws": CORES * CHAINS * draws, "burn_in": burn_in})


def sample(x: Array, y: Array, draws: int, burn_in: int, chains: int, seed: int) -> None:
    """Samples in this process and keeps the model here."""
    _model.sample(
        X_train=x,
        y_train=y,
        num_gfr=GROW_FROM_ROOT,
        num_burnin=burn_in,
        num_mcmc=draws,
        general_params={"num_chains": chains, "random_seed": seed, "num_threads": 1},
    )


def draws_at(x: Array) -> tuple[Array, Array]:
    """Draws of f (rows x draws) and of the noise level, from the model of this process."""
    f_draws = _model.predict(X=x, type="posterior", terms="y_hat")
    return f_draws, np.sqrt(_model.extract_parameter("sigma2"))
