"""The command with nothing but its defaults: lambda chosen, noise inputs off, intervals that hold."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from cli_support import SLOW_BUILD, read_columns


@pytest.mark.skipif(SLOW_BUILD, reason="this build is too slow for a good fit")
def test_friedman_with_noise_inputs(lacuna, tmp_path: Path) -> None:
    """Truth within a third of the noise, the inputs that matter found, the others off; shorter than the default."""
    lacuna("simulate", "friedman", "--n", 300, "--p", 10, "--noise", 0.1, "--seed", 3, "--out", "d.csv")
    lacuna("simulate", "friedman", "--n", 1000, "--p", 10, "--noise", 0.1, "--seed", 4, "--out", "new.csv")
    lacuna(
        "fit", "d.csv", "--target", "y", "--ignore", "f", "--out", "d.lacuna", "--burn-in", 30000, "--gap", 30,
        "--quiet", timeout=600,
    )  # fmt: skip
    lacuna("predict", "d.lacuna", "new.csv", "--out", "p.csv")
    new, p = read_columns(tmp_path / "new.csv"), read_columns(tmp_path / "p.csv")
    assert np.mean((p["mean"] - new["f"]) ** 2) < 0.0035  # the signal has variance 0.105; a flat fit would give that
    inside = np.mean((p["y_lower"] <= new["y"]) & (new["y"] <= p["y_upper"]))
    assert 0.82 < inside < 0.98

    summary = json.loads(lacuna("summary", "d.lacuna", "--json").stdout)
    for name, probability in summary["inclusion"].items():
        assert (probability > 0.95) if int(name[1:]) <= 5 else (probability < 0.5), (name, probability)
    curve = summary["lambda"]["curve"]
    assert len(curve) >= 5 and curve[-1]["lambda"] >= 10 * curve[0]["lambda"]
    best = max(curve, key=lambda at: at["log_score"])
    # The Bayes value of the held-out error lies within a factor 2 of a value that predicts about as well as the best.
    good = [at["lambda"] for at in curve if at["log_score"] > best["log_score"] - 0.3]
    assert min(abs(math.log(at / summary["lambda"]["value"])) for at in good) <= math.log(2.0) + 1e-9
    assert 0.08 < summary["noise"]["sd"] < 0.16
    assert summary["noise"]["origin"] == "calibrated on held-out rows"
    for move in ("add", "remove", "swap", "trajectory", "keep", "output", "rescale"):
        assert summary["moves"][move]["acceptance"] > 0.1, (move, summary["moves"][move])
    assert all(chain["tuned"] and chain["kernel"]["trajectory-step"] > 0 for chain in summary["chains"])


def test_threads_change_nothing_by_default(lacuna, tmp_path: Path) -> None:
    """The search for lambda, the choice of starts and the default sampler, with 1 and 3 threads."""
    lacuna("simulate", "authors", "--n", 40, "--noise", 0.1, "--out", "d.csv")
    texts = set()
    for threads in (1, 3):
        lacuna(
            "fit", "d.csv", "--target", "y", "--ignore", "f", "--out", "d.lacuna", "--widths", "6", "--chains", 2,
            "--burn-in", 400, "--gap", 2, "--draws", 200, "--threads", threads, "--quiet",
        )  # fmt: skip
        lacuna("draws", "d.lacuna", "--out", "draws.csv")
        texts.add((tmp_path / "draws.csv").read_bytes())
    assert len(texts) == 1


def test_walkers_of_a_run_that_plans_itself(lacuna, tmp_path: Path) -> None:
    """Four chains of four walkers, each judged on its own; with steps given, one walker a chain."""
    lacuna("simulate", "authors", "--n", 40, "--noise", 0.1, "--out", "d.csv")
    fit = ("fit", "d.csv", "--target", "y", "--ignore", "f", "--out", "d.lacuna", "--widths", "6", "--quiet")
    lacuna(*fit, "--lambda", "bayes", "--time-limit", 60 if SLOW_BUILD else 4)
    summary = json.loads(lacuna("summary", "d.lacuna", "--json").stdout)
    assert summary["walkers"] == 4
    assert [(c["chain"], c["walker"]) for c in summary["chains"]] == [(c, w) for c in range(4) for w in range(4)]
    text = lacuna("summary", "d.lacuna").stdout
    assert "from 4 chains of 4 walkers" in " ".join(text.split()) and "\n3.3 " in text
    assert max(map(len, text.splitlines())) <= 80
    lacuna("draws", "d.lacuna", "--out", "draws.csv")
    chain = np.loadtxt(tmp_path / "draws.csv", delimiter=",", skiprows=1, usecols=(0, 1), dtype=int)
    for c in range(4):  # one uninterrupted series, to whoever reads the draws
        numbers = chain[chain[:, 0] == c, 1]
        assert numbers.size > 0 and (numbers == np.arange(numbers.size)).all()

    lacuna(*fit, "--burn-in", 100, "--gap", 1, "--draws", 60, "--lambda", "bayes")
    assert json.loads(lacuna("summary", "d.lacuna", "--json").stdout)["walkers"] == 1
    assert "chains of" not in lacuna("summary", "d.lacuna").stdout
