"""Tempered chains through the real command: the law of rung 0, what the summary tells, and --rungs 1."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from cli_support import quick_fit, refusal, sentence, small_data
from test_exactness import BOUND, CLIP, active_set, read_draws, set_probabilities, write_data


@pytest.mark.parametrize("sampler", ["paper", "auto"])
def test_active_sets_follow_the_posterior(lacuna, tmp_path: Path, sampler: str) -> None:
    """Total variation of 400,000 draws of rung 0 below 0.015; see the statistical tests for every rung."""
    write_data(tmp_path)
    lacuna(
        "fit", "d.csv", "--target", "y", "--out", "d.lacuna", "--sampler", sampler, "--scale", "none",
        "--start", "prior", "--depth", 1, "--width", 1, "--bound", BOUND, "--clip", CLIP, "--lambda", 15,
        "--rungs", 3, "--chains", 4, "--burn-in", 5000, "--gap", 2, "--draws", 100_000, "--seed", 3, "--quiet",
    )  # fmt: skip
    lacuna("draws", "d.lacuna", "--out", "draws.csv")
    counts = Counter(active_set(row) for row in read_draws(tmp_path / "draws.csv"))
    total = sum(counts.values())
    assert total == 400_000
    assert 0.5 * sum(abs(counts[s] / total - p) for s, p in set_probabilities(15.0).items()) < 0.015


def test_the_summary_tells_of_the_ladder(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    quick_fit(lacuna, "--rungs", 5, "--burn-in", 3000, "--draws", 2000)
    summary = json.loads(lacuna("summary", "d.lacuna", "--json").stdout)
    tempering = summary["tempering"]
    assert tempering["rungs"] == 5 and len(tempering["chains"]) == 2
    for chain in tempering["chains"]:
        ladder = [rung["lambda"] for rung in chain["ladder"]]
        assert ladder[0] == summary["lambda"]["value"] and ladder == sorted(ladder, reverse=True) and len(ladder) == 5
        risks = [rung["mean_risk"] for rung in chain["ladder"]]
        assert risks[0] < risks[-1] and all(rung["mcse"] > 0 for rung in chain["ladder"])
        assert len(chain["exchange_rate"]) == 4 and all(0 < rate <= 1 for rate in chain["exchange_rate"])
        # Means of probabilities against frequencies of the same 200 exchanges of each pair.
        assert chain["barrier"] == pytest.approx(sum(1 - rate for rate in chain["exchange_rate"]), abs=0.5)
        assert chain["round_trips"] == sum(chain["round_trips_of_replicas"]) > 0
    text = lacuna("summary", "d.lacuna").stdout
    assert "tempered chain" in text and "round trips" in text


def test_one_rung_is_the_default(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    draws = []
    for options in ((), ("--rungs", 1), ("--config", "run.toml")):
        (tmp_path / "run.toml").write_text("[sampler]\nrungs = 1\n")
        quick_fit(lacuna, *options)
        lacuna("draws", "d.lacuna", "--out", "draws.csv")
        draws.append((tmp_path / "draws.csv").read_bytes())
        assert "tempering" not in json.loads(lacuna("summary", "d.lacuna", "--json").stdout)
        assert "tempered chain" not in lacuna("summary", "d.lacuna").stdout
    assert draws[0] == draws[1] == draws[2]
    (tmp_path / "run.toml").write_text("rungs = 2\n")
    quick_fit(lacuna, "--config", "run.toml")
    assert "tempering" in json.loads(lacuna("summary", "d.lacuna", "--json").stdout)


def test_the_prior_cannot_be_tempered(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    told = sentence(quick_fit(lacuna, "--rungs", 3, "--lambda", 0, code=64))
    assert told == "rungs=3: must be 1 with lambda = 0, which is the prior already"


def test_a_ladder_stopped_in_burn_in(lacuna, tmp_path: Path) -> None:
    """No exchange is counted before the end of burn-in, and the summary says so with a dash."""
    small_data(tmp_path / "d.csv")
    told = refusal(
        lacuna, 64, "fit", "d.csv", "--target", "y", "--out", "d.lacuna", "--start", "prior", "--lambda", 20,
        "--widths", 3, "--rungs", 3, "--burn-in", 10**9, "--time-limit", 0.2, "--quiet",
    )  # fmt: skip
    assert told.startswith("the time was up before the first draw")
    assert json.loads(lacuna("summary", "d.lacuna", "--json").stdout)["tempering"]["rungs"] == 3
    assert "tempered chain" in lacuna("summary", "d.lacuna").stdout
