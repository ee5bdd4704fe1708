"""Bayesian deep ensembles by microcanonical Langevin sampling (sklearn-contrib-bde)."""

from __future__ import annotations

import itertools

import jax
import jax.numpy as jnp
import numpy as np
from bde import BdeRegressor
from bde.loss import GaussianNLL
from metrics import MOST_COMPONENTS, Array, Prediction, evenly_spaced

from methods.interface import CORES, Clock, Fitted, Training, posterior_prediction

# The example of the package's own description: eight members of [16, 16].
HIDDEN = [16, 16]
MEMBERS = 8
FEWEST_MEMBERS = 4
EPOCHS = 1000
WARMUP = 5000
SAMPLES = 2000
# Each sampler step is an isokinetic McLachlan step of two gradients.
GRADIENTS_PER_STEP = 2
# Compilation takes a time of its own, whatever the data: so many times that of the pilot.
COMPILATIONS = 5.0
PILOT_GRADIENTS = 40


def fit(training: Training) -> Fitted:
    """The package's example, with fewer steps where the time given is too short for it.

    Members are halved first, then warm-up and samples shrink in proportion.
    """
    seconds = _seconds_per_gradient(training.x, training.y)
    compilation = COMPILATIONS * training.clock.spent()
    affordable = max(0.0, 0.8 * training.clock.left() - compilation) / seconds * CORES
    members = MEMBERS
    if affordable < _gradients(1.0) * MEMBERS:
        members = FEWEST_MEMBERS
    share = min(1.0, affordable / (_gradients(1.0) * members))
    samples = max(100, int(share * SAMPLES))
    model = BdeRegressor(
        hidden_layers=HIDDEN,
        n_members=members,
        seed=training.seed,
        loss=GaussianNLL(),
        epochs=max(50, int(share * EPOCHS)),
        validation_split=0.15,
        lr=1e-3,
        weight_decay=1e-4,
        warmup_steps=max(200, int(share * WARMUP)),
        n_samples=samples,
        # No more draws than the scores can use.
        n_thinning=max(2, samples * members // MOST_COMPONENTS),
        patience=10,
    )
    model.fit(x=training.x, y=training.y[:, None])

    def predict(x: Array) -> Prediction:
        raw = model.predict(x, raw=True)
        raw = np.asarray(raw["raw"] if isinstance(raw, dict) else raw, dtype=float)
        raw = raw.reshape(-1, *raw.shape[2:])  # draws x rows x (mean, scale before softplus)
        raw = raw[evenly_spaced(len(raw), MOST_COMPONENTS)]
        sd = np.logaddexp(0.0, raw[..., 1]) + 1e-6
        return posterior_prediction(raw[..., 0].T, sd.T)

    return Fitted(predict, {"members": members, "share_of_steps": round(share, 3)})


def _gradients(share: float) -> float:
    """Gradients of one member: an epoch is one over all rows."""
    return share * (EPOCHS + GRADIENTS_PER_STEP * (WARMUP + SAMPLES))


def _seconds_per_gradient(x: Array, y: Array) -> float:
    """Measured on a plain network of the same shape and rows, with one member on each device."""
    sizes = [x.shape[1], *HIDDEN, 2]
    keys = jax.random.split(jax.random.PRNGKey(0), len(sizes) - 1)
    weights = [
        0.1 * jax.random.normal(key, (CORES, a + 1, b))
        for key, (a, b) in zip(keys, itertools.pairwise(sizes), strict=True)
    ]
    inputs, targets = jnp.asarray(x), jnp.asarray(y)

    def loss(parts: list[jax.Array]) -> jax.Array:
        h = inputs
        for w in parts[:-1]:
            h = jax.nn.relu(h @ w[1:] + w[0])
        out = h @ parts[-1][1:] + parts[-1][0]
        sd = jax.nn.softplus(out[:, 1]) + 1e-6
        return jnp.mean(((targets - out[:, 0]) / sd) ** 2 / 2.0 + jnp.log(sd))

    def descend(parts: list[jax.Array]) -> list[jax.Array]:
        def once(_: int, now: list[jax.Array]) -> list[jax.Array]:
            return [w - 1e-3 * g for w, g in zip(now, jax.grad(loss)(now), strict=True)]

        return jax.lax.fori_loop(0, PILOT_GRADIENTS, once, parts)

    parallel = jax.pmap(descend)
    jax.block_until_ready(parallel(weights))
    clock = Clock(0.0)
    jax.block_until_ready(parallel(weights))
    return max(clock.spent() / PILOT_GRADIENTS, 1e-6)
