"""blackjax's MALA on the posterior of bench_mala: prints one JSON object.

usage: mala.py INPUTS WIDTHS ROWS single|full [SECONDS]
"""

from __future__ import annotations

import json
import os
import sys
import time

from gradients import jax_network, problem

LAMBDA, PROPOSAL_SD, BOUND, CLIP = 1000.0, 1e-3, 3.0, 1e3  # as in benchmarks/micro/mala.cpp
STEPS = 200  # in one compiled loop


def main() -> None:
    inputs, widths, rows, precision = sys.argv[1:5]
    seconds = float(sys.argv[5]) if len(sys.argv) > 5 else 1.0
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["JAX_ENABLE_X64"] = "0" if precision == "single" else "1"
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    import blackjax
    import jax
    import jax.numpy as jnp

    kind = jnp.float32 if precision == "single" else jnp.float64
    x, y, layers = problem(int(inputs), [int(w) for w in widths.split(",")], int(rows))
    x, y = jnp.asarray(x, kind), jnp.asarray(y, kind)
    start = jax.tree_util.tree_map(lambda v: jnp.asarray(v, kind), layers)

    def log_density(theta):
        f = jnp.clip(jax_network(theta, x), -CLIP, CLIP)
        inside = jnp.all(jnp.array([jnp.all(jnp.abs(v) <= BOUND) for v in jax.tree_util.tree_leaves(theta)]))
        return jnp.where(inside, -LAMBDA * jnp.mean((f - y) ** 2), -jnp.inf)

    # blackjax's step size e moves by e grad + sqrt(2 e) noise.
    sampler = blackjax.mala(log_density, step_size=0.5 * PROPOSAL_SD**2)

    @jax.jit
    def run(state, key):
        def one(state, key):
            state, info = sampler.step(key, state)
            return state, info.is_accepted

        return jax.lax.scan(one, state, jax.random.split(key, STEPS))

    key = jax.random.key(1)
    state, accepted = jax.block_until_ready(run(sampler.init(start), key))
    best, taken, count = 0.0, 0.0, 0
    for _ in range(3):
        steps, began = 0, time.perf_counter()
        while (passed := time.perf_counter() - began) < seconds / 3:
            key, use = jax.random.split(key)
            state, accepted = jax.block_until_ready(run(state, use))
            steps += STEPS
            taken, count = taken + float(accepted.mean()), count + 1
        best = max(best, steps / passed)
    print(json.dumps({"steps_per_second": best, "accepted": taken / count, "risk": -float(state.logdensity) / LAMBDA}))


if __name__ == "__main__":
    main()
