"""The gradient of bench_gradients in jax and torch: prints one JSON object.

usage: gradients.py jax|torch INPUTS WIDTHS ROWS single|full THREADS [SECONDS]
"""

from __future__ import annotations

import json
import os
import sys
import time

import numpy as np


def problem(inputs: int, widths: "list[int]", rows: int) -> "tuple[np.ndarray, np.ndarray, list[tuple[np.ndarray, np.ndarray]]]":
    """The data and the layers (weights, shifts) of benchmarks/micro/dense_problem.hpp."""
    i, j = np.arange(rows)[:, None], np.arange(inputs)[None, :]
    x = np.sin(1.0 + i * (j + 1))
    y = np.sin(3.0 * x[:, 0])
    layers, at, before = [], 0, inputs
    for width in [*widths, 1]:
        count = width * before
        values = np.sin(np.arange(at, at + count + width) + 1.0) / np.sqrt(before)
        layers.append((values[:count].reshape(width, before), values[count:]))
        at, before = at + count + width, width
    return x, y, layers


def rate_of(work, seconds: float) -> float:
    """Calls per second: the best of three stretches, the first calls not counted."""
    work(), work()
    best = 0.0
    for _ in range(3):
        calls, began = 0, time.perf_counter()
        while (passed := time.perf_counter() - began) < seconds / 3:
            work()
            calls += 1
        best = max(best, calls / passed)
    return best


def jax_network(theta, x):
    """The output for each row of x; theta holds the layers as `problem` gives them."""
    import jax.numpy as jnp

    signal = x
    for weight, shift in theta[:-1]:
        signal = jnp.maximum(signal @ weight.T + shift, 0)
    weight, shift = theta[-1]
    return (signal @ weight.T + shift)[:, 0]


def with_jax(x, y, layers, precision: str):
    import jax
    import jax.numpy as jnp

    kind = jnp.float32 if precision == "single" else jnp.float64
    x, y = jnp.asarray(x, kind), jnp.asarray(y, kind)
    theta = jax.tree_util.tree_map(lambda v: jnp.asarray(v, kind), layers)

    def risk(theta):
        return jnp.mean((jax_network(theta, x) - y) ** 2)

    gradient = jax.jit(jax.value_and_grad(risk))

    def work():
        return jax.block_until_ready(gradient(theta))

    value, slopes = work()
    return work, float(value), float(np.sqrt(sum(float((v**2).sum()) for v in jax.tree_util.tree_leaves(slopes))))


def with_torch(x, y, layers, precision: str):
    import torch

    kind = torch.float32 if precision == "single" else torch.float64
    x, y = torch.tensor(x, dtype=kind), torch.tensor(y, dtype=kind)
    theta = [torch.tensor(v, dtype=kind, requires_grad=True) for layer in layers for v in layer]

    def work():
        signal = x
        for l in range(0, len(theta) - 2, 2):
            signal = torch.relu(torch.nn.functional.linear(signal, theta[l], theta[l + 1]))
        output = torch.nn.functional.linear(signal, theta[-2], theta[-1])[:, 0]
        risk = torch.mean((output - y) ** 2)
        return risk, torch.autograd.grad(risk, theta)

    risk, slopes = work()
    return work, float(risk), float(np.sqrt(sum(float((v**2).sum()) for v in slopes)))


def main() -> None:
    peer, inputs, widths, rows, precision, threads = sys.argv[1:7]
    seconds = float(sys.argv[7]) if len(sys.argv) > 7 else 1.0
    if peer == "jax":
        os.environ["JAX_PLATFORMS"] = "cpu"
        os.environ["JAX_ENABLE_X64"] = "0" if precision == "single" else "1"
        if threads == "1":
            os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    else:
        import torch

        torch.set_num_threads(int(threads))
    x, y, layers = problem(int(inputs), [int(w) for w in widths.split(",")], int(rows))
    work, risk, norm = (with_jax if peer == "jax" else with_torch)(x, y, layers, precision)
    print(json.dumps({"gradients_per_second": rate_of(work, seconds), "risk": risk, "gradient_norm": norm}))


if __name__ == "__main__":
    main()
