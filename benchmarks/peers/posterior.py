"""Samples a dense network's posterior with a peer: prints one JSON object.

usage: posterior.py mala|mclmc|nuts PROBLEM.npz OUT.npz DRAWS

PROBLEM holds x, y, lambda, clip, bound, the layer sizes, starting points (one flat vector per chain, from the posterior) and
probe rows. The density is exp(-lambda R_n) inside the box [-bound, bound]^P. OUT gets f at the probe rows, chain by chain and
draw by draw; seconds are those of sampling, without compilation and tuning. One thread.
"""

from __future__ import annotations

import json
import os
import sys
import time

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

import blackjax  # noqa: E402
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

from gradients import jax_network  # noqa: E402

TUNING = 2000  # steps of each chain


def network(theta, x, sizes, clip):
    """Flat order: weights row by row, then shifts, layer by layer."""
    at, layers = 0, []
    for before, width in zip(sizes[:-1], sizes[1:]):
        middle, end = at + width * before, at + width * (before + 1)
        layers.append((theta[at:middle].reshape(width, before), theta[middle:end]))
        at = end
    return jnp.clip(jax_network(layers, x), -clip, clip)


def main() -> None:
    sampler, problem, out, draws = sys.argv[1], np.load(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    x, y = jnp.asarray(problem["x"], jnp.float32), jnp.asarray(problem["y"], jnp.float32)
    sizes, probes = [int(s) for s in problem["sizes"]], jnp.asarray(problem["x"][problem["probes"]], jnp.float32)
    lam, clip, bound = float(problem["lam"]), float(problem["clip"]), float(problem["bound"])
    starts = jnp.asarray(problem["starts"], jnp.float32)

    def log_density(theta):
        inside = jnp.all(jnp.abs(theta) <= bound)
        return jnp.where(inside, -lam * jnp.mean((network(theta, x, sizes, clip) - y) ** 2), -jnp.inf)

    def f_at(theta):
        return network(theta, probes, sizes, clip)

    def tune_mala(start, key):
        """Step size to 57% acceptance by Robbins and Monro's rule."""

        def one(carry, key):
            state, log_step, t = carry
            kernel = blackjax.mala(log_density, step_size=jnp.exp(log_step))
            state, info = kernel.step(key, state)
            return (state, log_step + (info.acceptance_rate - 0.574) / jnp.sqrt(t), t + 1.0), None

        state = blackjax.mala(log_density, step_size=1e-6).init(start)
        (state, log_step, _), _ = jax.lax.scan(one, (state, jnp.log(1e-7), 1.0), jax.random.split(key, TUNING))
        return state, blackjax.mala(log_density, step_size=jnp.exp(log_step))

    def tune_nuts(start, key):
        window = blackjax.window_adaptation(blackjax.nuts, log_density)
        (state, parameters), _ = window.run(key, start, num_steps=TUNING)
        return state, blackjax.nuts(log_density, **parameters)

    def tune_mclmc(start, key):
        first, second = jax.random.split(key)
        state = blackjax.mcmc.mclmc.init(position=start, logdensity_fn=log_density, rng_key=first)
        kernel = blackjax.mcmc.mclmc.build_kernel()
        tuned = blackjax.mclmc_find_L_and_step_size(kernel, TUNING * 10, state, second, logdensity_fn=log_density)
        state, parameters = tuned[0], tuned[1]
        return state, blackjax.mclmc(
            log_density, L=parameters.L, step_size=parameters.step_size, inverse_mass_matrix=parameters.inverse_mass_matrix
        )

    tune = {"mala": tune_mala, "nuts": tune_nuts, "mclmc": tune_mclmc}[sampler]
    gap = 1 if sampler == "nuts" else 20
    found, seconds = [], 0.0
    for chain, start in enumerate(starts):
        key, for_run = jax.random.split(jax.random.key(chain + 1))
        state, kernel = tune(start, key)

        @jax.jit
        def run(state, keys):
            def draw(state, keys):
                state = jax.lax.scan(lambda s, k: (kernel.step(k, s)[0], None), state, keys)[0]
                return state, f_at(state.position)

            return jax.lax.scan(draw, state, keys)

        keys = jax.random.split(for_run, (draws, gap))
        compiled = run.lower(state, keys).compile()
        began = time.perf_counter()
        _, f = jax.block_until_ready(compiled(state, keys))
        seconds += time.perf_counter() - began
        found.append(np.asarray(f))
    np.savez(out, f=np.stack(found))
    print(json.dumps({"seconds": seconds, "draws": draws, "gap": gap}))


if __name__ == "__main__":
    main()
