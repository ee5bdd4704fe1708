"""The verdict of `lacuna summary` on runs that converged, mixed over modes, or cannot be used."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np

from cli_support import quick_fit, small_data, write_table


def no_constant(name: str) -> float:
    raise AssertionError(f"{name} in JSON")


def summary_of(lacuna) -> dict:
    """The summary as JSON; the text must tell the same and keep to its width."""
    summary = json.loads(lacuna("summary", "d.lacuna", "--json").stdout, parse_constant=no_constant)
    text = lacuna("summary", "d.lacuna").stdout
    assert text.startswith(summary["verdict"] + "\n\nmeaning  ")
    assert summary["verdict"].startswith(summary["verdict_kind"])
    assert summary["verdict_kind"] in ("converged", "mixed over modes", "not usable")
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80 and not any(line != line.rstrip() for line in lines)
    words = " ".join(" ".join(lines).split())
    assert summary["verdict_meaning"] in words and summary["verdict_advice"] in words
    assert not re.search(r"\b(nan|inf)\b", text)
    return summary


def test_a_long_run_of_a_small_network_converges(lacuna, tmp_path: Path) -> None:
    """A hot posterior over 13 weights and the paper's kernel: some 7,000 effective draws, whatever the seed."""
    small_data(tmp_path / "d.csv")
    quick_fit(
        lacuna, "--sampler", "paper", "--proposal-sd", 0.5, "--lambda", 2, "--chains", 4, "--burn-in", 2000, "--gap",
        300, "--draws", 2000,
    )  # fmt: skip
    summary = summary_of(lacuna)
    assert summary["verdict_kind"] == "converged", summary["verdict"]
    decisive = [summary["quantities"]["risk"], summary["quantities"]["live_weights"], *summary["probes"]]
    assert len(decisive) == 10
    assert max(q["rhat"] for q in decisive) <= 1.05
    assert min(min(q["ess_bulk"], q["ess_tail"]) for q in decisive) >= 400
    for chain in summary["chains"]:
        assert abs(chain["log_posterior_shift"]) < 0.5 and chain["f_shift"] < 0.5 and not chain["stuck"]
    assert summary["disagreement"]["f_between_chains_share"] < 0.02
    for diagnosis in summary["inclusion_diagnostics"].values():
        assert diagnosis["constant"] or diagnosis["rhat"] < 1.05


def test_chains_in_different_modes(lacuna, tmp_path: Path) -> None:
    """Three units cannot follow nine bends; at a low temperature each chain keeps to the bends it found first."""
    random = np.random.default_rng(5)
    x = random.uniform(-1, 1, 80)
    write_table(tmp_path / "d.csv", {"x": x, "y": np.sin(14 * x) + 0.1 * random.normal(size=80)})
    quick_fit(
        lacuna, "--start", "auto", "--lambda", 4000, "--chains", 6, "--burn-in", 20000, "--gap", 20, "--draws", 500,
    )  # fmt: skip
    summary = summary_of(lacuna)
    assert summary["verdict_kind"] == "mixed over modes", summary["verdict"]
    assert "not its posterior mass" in summary["verdict_meaning"] and "--chains 18" in summary["verdict_advice"]
    disagreement = summary["disagreement"]
    assert disagreement["f_between_chains_share"] > 0.5
    means = [chain["mean_log_posterior"] for chain in summary["chains"]]
    assert disagreement["log_posterior_range"] == max(means) - min(means)
    assert disagreement["log_posterior_range_in_sd"] > 1


def test_ten_draws_are_too_few(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    quick_fit(lacuna)
    summary = summary_of(lacuna)
    assert summary["verdict"] == "not usable: 10 draws per chain are too few to judge (50 are the least)"
    assert "--draws 1000" in summary["verdict_advice"]


def test_three_draws_have_no_diagnostics(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    quick_fit(lacuna, "--draws", 3)
    summary = summary_of(lacuna)
    assert summary["verdict_kind"] == "not usable"
    assert summary["quantities"]["risk"]["rhat"] is None and summary["quantities"]["risk"]["mean"] > 0


def test_one_chain_cannot_be_judged(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    quick_fit(lacuna, "--chains", 1, "--draws", 200)
    assert summary_of(lacuna)["verdict"] == "not usable: one chain alone cannot be judged"


def test_chains_that_reject_everything(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    # A single weight lands in the box with a probability of 1e-8.
    quick_fit(lacuna, "--proposal-sd", 1e9, "--learning-rate", 0, "--draws", 100)
    summary = summary_of(lacuna)
    assert summary["verdict"] == "not usable: chain 0 never moved"
    assert all(chain["stuck"] and chain["changed_share"] == 0 for chain in summary["chains"])
    assert all(move["accepted"] == 0 and move["passes"] == 0 for move in summary["moves"].values())


def test_chains_that_drift(lacuna, tmp_path: Path) -> None:
    """Steps far too small for the way from a prior draw to the posterior, and no burn-in."""
    small_data(tmp_path / "d.csv")
    quick_fit(
        lacuna, "--prior", "dense", "--proposal-sd", 0.005, "--learning-rate", 0, "--lambda", 30, "--burn-in", 0,
        "--draws", 400, "--gap", 2,
    )  # fmt: skip
    summary = summary_of(lacuna)
    assert re.match(r"not usable: chain \d still drifts \((log posterior|f) by \d\.\d sd", summary["verdict"])
    assert "--burn-in 800." in summary["verdict_advice"]


def test_chains_that_never_leave_a_constant(lacuna, tmp_path: Path) -> None:
    """The few weights of a prior draw do not connect a network this deep, and tiny steps change little."""
    small_data(tmp_path / "d.csv")
    quick_fit(lacuna, "--widths", "50,50,50", "--proposal-sd", 0.004, "--lambda", 200, "--burn-in", 0, "--draws", 100)
    summary = summary_of(lacuna)
    assert summary["verdict"] == "not usable: f never changed in any chain"
    assert all(probe["constant"] and probe["rhat"] is None for probe in summary["probes"])


def test_constant_series_are_called_so(lacuna, tmp_path: Path) -> None:
    """Under the dense prior every weight is active and live, and every input is used."""
    small_data(tmp_path / "d.csv")
    quick_fit(lacuna, "--prior", "dense", "--draws", 100, "--lambda", 2)
    summary, text = summary_of(lacuna), lacuna("summary", "d.lacuna").stdout
    for name in ("active_weights", "live_weights", "dead_weights"):
        series = summary["quantities"][name]
        assert series["constant"] is True and series["rhat"] is None and series["sd"] == 0
    assert summary["quantities"]["risk"]["constant"] is False
    assert summary["inclusion_diagnostics"]["a"]["constant"] is True
    assert re.search(r"^live weights .* same in all draws$", text, re.MULTILINE)
    assert re.search(r"^a +100\.0% +2 of 2 +constant$", text, re.MULTILINE)


def test_passes_are_counted_by_move(lacuna, tmp_path: Path) -> None:
    """The paper's kernel makes at most one pass per step; the shares add up."""
    small_data(tmp_path / "d.csv")
    quick_fit(lacuna, "--sampler", "paper", "--draws", 100)
    moves = summary_of(lacuna)["moves"]
    assert all(0 <= move["passes"] <= move["proposed"] for move in moves.values())
    assert all(move["work"] >= 30 * move["passes"] for move in moves.values())  # thirty rows
    assert abs(sum(move["work_share"] for move in moves.values()) - 1) < 1e-12
