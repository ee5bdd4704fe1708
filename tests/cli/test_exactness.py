"""The smallest network through the real command, against quadrature that shares no code with it."""

from __future__ import annotations

import csv
import itertools
from collections import Counter
from math import comb
from pathlib import Path

import numpy as np
import pytest

X = np.array([-0.9, -0.5, -0.1, 0.3, 0.6, 1.0])
Y = np.array([0.1, -0.1, 0.2, 0.7, 0.8, 1.6])
BOUND, CLIP = 2.0, 1.5


def write_data(folder: Path) -> None:
    (folder / "d.csv").write_text("x,y\n" + "".join(f"{a},{b}\n" for a, b in zip(X, Y)))


def set_probabilities(lam: float) -> dict[tuple[int, ...], float]:
    """Posterior mass of each of the 15 active sets, by Gauss-Legendre panels; theta = (W1, v1, W2, v2)."""
    nodes, weights = np.polynomial.legendre.leggauss(12)
    panels = np.linspace(-BOUND, BOUND, 5)
    half = (panels[1] - panels[0]) / 2
    grid = np.concatenate([a + half + half * nodes for a in panels[:-1]])
    mass = np.concatenate([half * weights for _ in panels[:-1]]) / (2 * BOUND)
    point, unit = np.zeros(1), np.ones(1)
    result = {}
    for size in range(1, 5):
        for active in itertools.combinations(range(4), size):
            axes = [(grid, mass) if i in active else (point, unit) for i in range(4)]
            (w1, m1), (v1, m2), (w2, m3), (v2, m4) = axes
            hidden = np.maximum(w1[:, None, None] * X + v1[None, :, None], 0.0)  # w1, v1, row
            total = 0.0
            for a, ma in zip(w2, m3):
                g = a * hidden[:, :, None, :] + v2[None, None, :, None]
                risk = ((np.clip(g, -CLIP, CLIP) - Y) ** 2).mean(axis=-1)
                total += ma * np.einsum("ijk,i,j,k->", np.exp(-lam * risk), m1, m2, m4)
            result[active] = total * 2.0**-size / comb(4, size)
    norm = sum(result.values())
    return {k: v / norm for k, v in result.items()}


def read_draws(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


def active_set(row: dict[str, str]) -> tuple[int, ...]:
    return tuple(int(pair.split(":")[0]) for pair in row["theta"].split(" "))


@pytest.mark.parametrize(("lam", "gamma", "sd"), [(4.0, 0.3, 0.8), (15.0, 0.1, 0.6)])
def test_active_sets_follow_the_posterior(lacuna, tmp_path: Path, lam: float, gamma: float, sd: float) -> None:
    """Total variation below 0.01 with 4 chains of 600,000 steps; at 20 seeds it stayed below 0.008."""
    write_data(tmp_path)
    lacuna(
        "fit", "d.csv", "--target", "y", "--out", "d.lacuna", "--sampler", "paper", "--scale", "none",
        "--start", "prior", "--depth", 1, "--width", 1, "--bound", BOUND, "--clip", CLIP, "--lambda", lam,
        "--learning-rate", gamma, "--proposal-sd", sd, "--chains", 4, "--burn-in", 1000, "--gap", 3,
        "--draws", 200_000, "--seed", 3, "--quiet",
    )  # fmt: skip
    lacuna("draws", "d.lacuna", "--out", "draws.csv")
    counts = Counter(active_set(row) for row in read_draws(tmp_path / "draws.csv"))
    total = sum(counts.values())
    assert total == 800_000
    exact = set_probabilities(lam)
    distance = 0.5 * sum(abs(counts[s] / total - p) for s, p in exact.items())
    assert distance < 0.01


def test_lambda_zero_gives_the_prior(lacuna, tmp_path: Path) -> None:
    """Sizes truncated geometric and values uniform, with a drift that is not zero."""
    write_data(tmp_path)
    lacuna(
        "fit", "d.csv", "--target", "y", "--out", "d.lacuna", "--sampler", "paper", "--scale", "none",
        "--start", "prior", "--depth", 1, "--width", 1, "--bound", BOUND, "--clip", CLIP, "--lambda", 0,
        "--learning-rate", 0.2, "--proposal-sd", 1.5, "--chains", 4, "--burn-in", 1000, "--gap", 30,
        "--draws", 20_000, "--seed", 5, "--quiet",
    )  # fmt: skip
    lacuna("draws", "d.lacuna", "--out", "draws.csv")
    rows = read_draws(tmp_path / "draws.csv")
    sizes = Counter(int(row["n_active"]) for row in rows)
    norm = sum(2.0**-k for k in range(1, 5))
    for k in range(1, 5):
        assert sizes[k] / len(rows) == pytest.approx(2.0**-k / norm, abs=0.01)
    values = np.sort([float(pair.split(":")[1]) for row in rows for pair in row["theta"].split(" ")])
    uniform = (values + BOUND) / (2 * BOUND)
    steps = np.arange(1, len(uniform) + 1) / len(uniform)
    assert np.max(np.abs(steps - uniform)) < 0.01  # Kolmogorov-Smirnov; 1.63 / sqrt(n) is 0.004 for free draws


def test_threads_change_nothing(lacuna, tmp_path: Path) -> None:
    write_data(tmp_path)
    texts = []
    for threads in (1, 2, 7):
        lacuna(
            "fit", "d.csv", "--target", "y", "--out", "d.lacuna", "--depth", 2, "--width", 3, "--lambda", 30,
            "--burn-in", 2000, "--gap", 2, "--draws", 3000, "--seed", 11, "--threads", threads, "--quiet",
        )  # fmt: skip
        lacuna("draws", "d.lacuna", "--out", "draws.csv")
        texts.append((tmp_path / "draws.csv").read_bytes())
    assert texts[0] == texts[1] == texts[2]
    assert len(set(row["risk"] for row in read_draws(tmp_path / "draws.csv"))) > 100


def test_another_seed_gives_other_draws(lacuna, tmp_path: Path) -> None:
    write_data(tmp_path)
    texts = set()
    for seed in (1, 2):
        lacuna(
            "fit", "d.csv", "--target", "y", "--out", "d.lacuna", "--depth", 1, "--width", 2, "--lambda", 5,
            "--start", "prior", "--burn-in", 100, "--gap", 1, "--draws", 50, "--seed", seed, "--quiet",
        )  # fmt: skip
        lacuna("draws", "d.lacuna", "--out", "draws.csv")
        texts.add((tmp_path / "draws.csv").read_bytes())
    assert len(texts) == 2
