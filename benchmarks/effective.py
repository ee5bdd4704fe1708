"""Effective draws of f per second beside blackjax's MALA and MCLMC and NUTS, on the same dense posterior.

The posterior: Friedman's function of five inputs, 500 rows, noise sd 0.1, one hidden layer of 8 units, dense prior on
[-10, 10]^57, lambda = n / (2 * 0.1^2), data as given. It has many modes, between which no sampler moves; so every one starts
its four chains from the same draw, tunes itself and is then timed. Effective draws are those of rank-normalised, split chains (Vehtari and others 2021), the same
computation for all, the least over the probe rows.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from speed import fit, simulated
from tables import Bench, Table

ROWS, NOISE, WIDTH, BOUND, CLIP, CHAINS, DRAWS, GAP = 500, 0.1, 8, 10.0, 5.0, 4, 2000, 20
LAMBDA = ROWS / (2 * NOISE**2)
SIZES = (5, WIDTH, 1)


def effective_draws(chains: np.ndarray) -> float:
    """Of one quantity, chains in rows: bulk effective sample size."""
    from statistics import NormalDist

    half = chains.shape[1] // 2
    split = np.concatenate([chains[:, :half], chains[:, -half:]])
    rank = split.ravel().argsort().argsort().reshape(split.shape) + 1.0
    z = np.vectorize(NormalDist().inv_cdf)((rank - 0.375) / (split.size + 0.25))
    m, n = z.shape
    centred = z - z.mean(axis=1, keepdims=True)
    size = 2 ** int(np.ceil(np.log2(2 * n)))
    spectrum = np.fft.rfft(centred, size, axis=1)
    covariance = np.fft.irfft(spectrum * np.conj(spectrum), size, axis=1)[:, :n] / n
    within = covariance[:, 0].mean() * n / (n - 1)
    variance = within * (n - 1) / n + z.mean(axis=1).var(ddof=1)
    rho = 1.0 - (within - covariance.mean(axis=0) * n / (n - 1)) / variance
    total, last = -1.0, np.inf
    for k in range(0, n - 1, 2):  # Geyer: sums of neighbouring pairs, positive and falling
        pair = min(rho[k] + rho[k + 1], last)
        if pair < 0:
            break
        total, last = total + 2.0 * pair, pair
    return m * n / max(total, 1.0 / np.log10(m * n))


def network(theta: np.ndarray, x: np.ndarray) -> np.ndarray:
    weight, shift = theta[: 5 * WIDTH].reshape(WIDTH, 5), theta[5 * WIDTH : 6 * WIDTH]
    f = np.maximum(x @ weight.T + shift, 0.0) @ theta[6 * WIDTH : 7 * WIDTH] + theta[7 * WIDTH]
    return np.clip(f, -CLIP, CLIP)


def draws_of(bench: Bench, file: Path, folder: Path) -> np.ndarray:
    """Flat parameter vectors, chain by chain."""
    table = folder / "draws.csv"
    subprocess.run([bench.lacuna, "draws", file, "--out", table], check=True, capture_output=True)
    chains: dict[str, list[np.ndarray]] = {}
    for line in table.read_text().splitlines()[1:]:
        chain, *_, theta = line.split(",")
        chains.setdefault(chain, []).append(np.array([float(pair.split(":")[1]) for pair in theta.split()]))
    return np.array(list(chains.values()))


def effective(bench: Bench) -> Table:
    table = Table(
        "Effective draws of f per second on a dense 5-8-1 posterior, n = 500, one thread",
        ("sampler", "draws", "seconds", "effective draws", "per second", "means of f beside Lacuna's"),
        remarks=[" ".join((__doc__ or "").split("\n\n", 1)[1].split())],
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = simulated(bench, folder, ROWS, 5)
        values = np.loadtxt(data, delimiter=",", skiprows=1)
        x, y = values[:, :5], values[:, 5]
        probes = np.arange(0, ROWS, ROWS // 8)[:8]
        first, file = folder / "first.lacuna", folder / "fit.lacuna"
        options = {"scale": "none", "prior": "dense", "widths": WIDTH, "bound": BOUND, "clip": CLIP, "noise_sd": NOISE,
                   "lambda": LAMBDA, "walkers": 1, "gap": GAP, "draws": 10, "threads": 1}  # fmt: skip
        fit(bench, data, first, chains=1, burn_in=40_000, **options)
        fit(bench, data, file, chains=CHAINS, burn_in=4_000, start=first, **options)
        starts = np.repeat(draws_of(bench, first, folder)[:, -1], CHAINS, axis=0)
        np.savez(folder / "problem.npz", x=x, y=y, sizes=SIZES, probes=probes, lam=LAMBDA, clip=CLIP, bound=BOUND, starts=starts)

        began = time.perf_counter()
        words = [bench.lacuna, "extend", file, "--draws", str(DRAWS), "--threads", "1", "--quiet"]
        subprocess.run(words, check=True, capture_output=True)
        found = {"Lacuna": (time.perf_counter() - began, draws_of(bench, file, folder)[:, -DRAWS:])}
        f = {"Lacuna": np.array([[network(theta, x[probes]) for theta in chain] for chain in found["Lacuna"][1]])}
        seconds = {"Lacuna": found["Lacuna"][0]}
        for sampler in ("mala", "mclmc", "nuts") if bench.peers else ():
            out = folder / f"{sampler}.npz"
            run = bench.peer("posterior.py", sampler, folder / "problem.npz", out, DRAWS // 4 if sampler == "nuts" else DRAWS)
            f[f"blackjax {sampler}"], seconds[f"blackjax {sampler}"] = np.load(out)["f"], run["seconds"]
    centre, spread = f["Lacuna"].mean(axis=(0, 1)), f["Lacuna"].std(axis=(0, 1))
    for sampler, values in f.items():
        draws = min(effective_draws(values[:, :, k]) for k in range(values.shape[2]))
        off = float(np.abs((values.mean(axis=(0, 1)) - centre) / spread).max())
        table.row(sampler, f"{values.shape[0] * values.shape[1]:,}", f"{seconds[sampler]:.1f}", f"{draws:,.0f}",
                  f"{draws / seconds[sampler]:,.1f}", f"within {off:.2f} sd")  # fmt: skip
    return table
