"""Rebuilds the chains of draw_cases.hpp and prints what ArviZ 0.x says of them, as rows for C++."""

from math import floor

import arviz as az
import numpy as np


def make(seed, chains, draws, formula):
    state, out = seed, np.empty((chains, draws))
    for c in range(chains):
        last = 0.0
        for i in range(draws):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            last = out[c, i] = formula(c, i, last, ((state >> 32) + 0.5) * 2.0**-32)
    return out


def autoregressive(seed, chains, draws, coefficient):
    return make(seed, chains, draws, lambda c, i, last, u: coefficient * last + (u - 0.5))


def heavy_tailed(seed, chains, draws):
    return make(seed, chains, draws, lambda c, i, last, u: (u - 0.5) / (u * (1.0 - u)))


def discrete(seed, chains, draws):
    def formula(c, i, last, u):
        return last if u < 0.6 else floor(12.5 * (u - 0.6))

    return make(seed, chains, draws, formula)


def one_stuck(seed, chains, draws):
    def formula(c, i, last, u):
        return 0.25 if c == 1 else 0.5 * last + (u - 0.5)

    return make(seed, chains, draws, formula)


def drifting(seed, chains, draws):
    return make(seed, chains, draws, lambda c, i, last, u: u + 0.125 * c + 0.0009765625 * i)


def unequal_spread(seed, chains, draws):
    return make(seed, chains, draws, lambda c, i, last, u: (u - 0.5) * (1.0 + c))


def two_valued(seed, chains, draws):
    def formula(c, i, last, u):
        return last if u < 0.75 and last != 0.0 else (1.0 if u < 0.5 or u > 0.875 else -1.0)

    return make(seed, chains, draws, formula)


CASES = [
    "autoregressive(1, 4, 500, 0.7)",
    "autoregressive(2, 2, 1000, -0.6)",
    "autoregressive(3, 4, 333, 0.98)",
    "autoregressive(4, 3, 200, 0.0)",
    "heavy_tailed(5, 3, 401)",
    "discrete(6, 4, 300)",
    "one_stuck(7, 4, 250)",
    "drifting(8, 4, 256)",
    "unequal_spread(9, 4, 300)",
    "two_valued(10, 2, 400)",
    "autoregressive(11, 2, 4, 0.5)",
    "autoregressive(12, 2, 9, 0.5)",
]


def row(text):
    x = eval(text)
    ess = {m: float(az.ess(x, method=m)) for m in ("bulk", "tail", "mean")}
    numbers = [x.mean(), x.std(ddof=1), *np.quantile(x, [0.05, 0.5, 0.95]), float(az.rhat(x))]
    numbers += [ess["bulk"], ess["tail"], float(az.mcse(x, method="mean"))]
    diagnosis = ", ".join(f"{v:.12g}" for v in numbers)
    return f"    {{{text},\n     {{{diagnosis}}}, {ess['mean']:.12g}}},"


if __name__ == "__main__":
    print(f"// Diagnosis and ess_mean, by ArviZ {az.__version__}")
    for case in CASES:
        print(row(case))
