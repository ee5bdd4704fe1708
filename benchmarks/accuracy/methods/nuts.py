"""NUTS of numpyro on a dense [16, 16] network, two chains side by side until the time is up."""

from __future__ import annotations

import itertools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from metrics import MOST_COMPONENTS, Array, Prediction, evenly_spaced
from numpyro.infer import NUTS

from methods.interface import CORES, Fitted, Training, posterior_prediction

HIDDEN = (16, 16)
WARMUP = 500
MOST_DRAWS = 2000
# Adaptation ends at this share of the time, and sampling at that one; the rest is to predict.
WARMUP_SHARE = 0.6
SHARE = 0.9


def network(x: Any, weights: list[Any]) -> Any:
    """Weights into a layer are divided by the root of its number of inputs; row 0 is the shift."""
    for layer, w in enumerate(weights):
        x = x @ w[1:] / (len(w) - 1) ** 0.5 + w[0]
        if layer + 1 < len(weights):
            x = jnp.tanh(x)
    return x[:, 0]


def model(x: Any, y: Any) -> None:
    """Standard normal weights and shifts, and a half-normal noise level."""
    sizes = [x.shape[1], *HIDDEN, 1]
    weights = [
        numpyro.sample(f"w{layer}", dist.Normal(0.0, 1.0).expand([a + 1, b]).to_event(2))
        for layer, (a, b) in enumerate(itertools.pairwise(sizes))
    ]
    sd = numpyro.sample("sd", dist.HalfNormal(1.0))
    numpyro.sample("y", dist.Normal(network(x, weights), sd), obs=y)


def fit(training: Training) -> Fitted:
    clock = training.clock
    data = (jnp.asarray(training.x), jnp.asarray(training.y))
    kernel = NUTS(model, init_strategy=numpyro.infer.init_to_sample)
    keys = jax.random.split(jax.random.PRNGKey(training.seed), CORES)
    state = jax.pmap(lambda key: kernel.init(key, WARMUP, None, data, {}))(keys)
    step = jax.pmap(lambda one: kernel.sample(one, data, {}))
    warmup = 0
    while warmup < WARMUP and clock.spent() < WARMUP_SHARE * clock.seconds:
        state = jax.block_until_ready(step(state))
        warmup += 1
    if warmup < WARMUP:
        # Adaptation is cut: the averaged step size so far, and no more of it.
        averaged = jnp.exp(state.adapt_state.ss_state[1])
        frozen = state.adapt_state._replace(step_size=averaged)
        state = state._replace(i=jnp.full_like(state.i, WARMUP), adapt_state=frozen)
    points: list[dict[str, Any]] = []
    while len(points) < MOST_DRAWS and clock.spent() < SHARE * clock.seconds:
        state = jax.block_until_ready(step(state))
        points.append({name: np.asarray(value) for name, value in state.z.items()})
    if not points:
        raise TimeoutError("no draw before the time was up")
    # The draws of the first chain, then those of the next.
    z = {name: np.concatenate(np.stack([p[name] for p in points], axis=1)) for name in points[0]}
    chosen = evenly_spaced(len(z["sd"]), MOST_COMPONENTS)
    weights = [z[f"w{layer}"][chosen] for layer in range(len(HIDDEN) + 1)]
    sds = np.exp(z["sd"][chosen])  # numpyro's transform of a positive site is the exponential

    def predict(x: Array) -> Prediction:
        f = jax.lax.map(lambda draw: network(x, draw), weights)
        return posterior_prediction(np.asarray(f, dtype=float).T, sds[None, :])

    acceptance = round(float(np.mean(state.mean_accept_prob)), 3)
    facts = {"draws": CORES * len(points), "warmup_steps": warmup, "acceptance": acceptance}
    return Fitted(predict, facts)
