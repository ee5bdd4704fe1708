"""The scores and comparisons of benchmarks/accuracy against brute force and hand-made tables."""

from __future__ import annotations

import importlib
import math
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks" / "accuracy"))

comparison, metrics, report = map(importlib.import_module, ("comparison", "metrics", "report"))

MEANS = np.array([[0.0, 1.0, 4.0], [2.0, 2.0, -1.0], [5.0, 5.5, 6.0]])
SDS = np.array([[1.0, 0.5, 2.0], [0.1, 3.0, 0.4], [0.01, 0.02, 0.05]])
TARGETS = np.array([0.7, -3.0, 5.52])


def mixture_cdf(t: np.ndarray, row: int) -> np.ndarray:
    parts = [
        [0.5 * math.erfc((m - x) / (s * math.sqrt(2.0))) for x in t]
        for m, s in zip(MEANS[row], SDS[row], strict=True)
    ]
    return np.mean(parts, axis=0)


def test_normal_cdf_and_expected_distance_agree_with_the_error_function() -> None:
    z = np.concatenate([np.linspace(-12.0, 12.0, 2003), [0.0, 9.0, -9.0, 1e9]])
    exact = np.array([0.5 * math.erfc(-v / math.sqrt(2.0)) for v in z])
    assert np.abs(metrics.normal_cdf(z) - exact).max() < 2e-9
    sd = 0.3
    density = np.exp(-0.5 * (z / sd) ** 2) / math.sqrt(2.0 * math.pi)
    distance = z * (2.0 * np.array([0.5 * math.erfc(-v / sd / math.sqrt(2.0)) for v in z]) - 1.0)
    found = metrics.expected_distance(z, np.full_like(z, sd))
    assert np.abs(found - distance - 2.0 * sd * density).max() < 1e-8


def test_scores_of_a_normal_law_have_their_closed_forms() -> None:
    mean, sd, y = np.array([1.0, -2.0]), np.array([0.5, 3.0]), np.array([1.4, 2.0])
    scores = metrics.NormalMixture(mean, sd).score(y)
    z = (y - mean) / sd
    density = np.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
    below = np.array([0.5 * math.erfc(-v / math.sqrt(2.0)) for v in z])
    crps = sd * (z * (2.0 * below - 1.0) + 2.0 * density - 1.0 / math.sqrt(math.pi))
    assert scores.log_score == pytest.approx(np.log(density / sd), abs=1e-12)
    assert scores.crps == pytest.approx(crps, abs=1e-8)
    assert scores.pit == pytest.approx(below, abs=1e-8)
    assert scores.lower[0.9] == pytest.approx(mean - 1.6448536269514722 * sd, abs=1e-12)
    assert scores.upper[0.5] == pytest.approx(mean + 0.6744897501960817 * sd, abs=1e-12)


@pytest.mark.parametrize("row", range(3))
def test_scores_of_a_mixture_agree_with_quadrature(row: int) -> None:
    scores = metrics.NormalMixture(MEANS, SDS).score(TARGETS)
    y = TARGETS[row]
    low, high = (MEANS[row] - 9 * SDS[row]).min(), (MEANS[row] + 9 * SDS[row]).max()
    # CRPS = integral of F^2 below y and of (1 - F)^2 above it.
    crps = 0.0
    for start, end, above in ((min(low, y), y, False), (y, max(high, y), True)):
        t = np.linspace(start, end, 40_001)
        f = mixture_cdf(t, row)
        integrand = (1.0 - f) ** 2 if above else f**2
        crps += float(np.sum((integrand[1:] + integrand[:-1]) / 2.0) * (t[1] - t[0]))
    assert scores.crps[row] == pytest.approx(crps, rel=1e-6)
    step = 1e-5
    around = mixture_cdf(np.array([y - step, y, y + step]), row)
    assert scores.pit[row] == pytest.approx(around[1], abs=1e-8)
    if around[2] - around[0] > 1e-7:
        density = (around[2] - around[0]) / (2.0 * step)
        assert scores.log_score[row] == pytest.approx(math.log(density), abs=1e-3)
    for level in metrics.LEVELS:
        ends = np.array([scores.lower[level][row], scores.upper[level][row]])
        expected = [(1.0 - level) / 2.0, (1.0 + level) / 2.0]
        assert mixture_cdf(ends, row) == pytest.approx(expected, abs=1e-6)


def test_blocks_of_rows_and_many_components_do_not_change_scores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(1)
    means, y = random.normal(size=(50, 30)), random.normal(size=50)
    law = metrics.NormalMixture(means, np.full(50, 0.3))
    whole = law.score(y)
    monkeypatch.setattr(metrics, "BLOCK", 1000)
    parts = law.score(y)
    assert (whole.crps == parts.crps).all() and (whole.log_score == parts.log_score).all()
    # Twice the same components are the same law.
    twice = metrics.NormalMixture(np.hstack([means, means]), np.full(50, 0.3)).score(y)
    assert twice.crps == pytest.approx(whole.crps, abs=1e-12)


def test_a_change_of_units_changes_scores_as_it_should() -> None:
    law = metrics.NormalMixture(MEANS, SDS)
    plain, moved = law.score(TARGETS), law.rescaled(7.0, 10.0).score(7.0 + 10.0 * TARGETS)
    assert moved.crps == pytest.approx(10.0 * plain.crps)
    assert moved.log_score == pytest.approx(plain.log_score - math.log(10.0))
    assert moved.pit == pytest.approx(plain.pit)


@pytest.mark.parametrize("sd", [0.0, -1.0, math.nan, math.inf])
def test_a_law_without_spread_is_refused(sd: float) -> None:
    with pytest.raises(ValueError, match="finite and > 0"):
        metrics.NormalMixture(np.zeros(2), np.array([1.0, sd]))


def test_summary_of_a_cell_counts_what_intervals_hold() -> None:
    y = np.array([0.0, 1.0, -2.0, 3.0])
    law = metrics.NormalMixture(np.zeros(4), np.ones(4))
    band = (np.full(4, -1.0), np.full(4, 1.0))
    truth = np.array([0.5, -0.5, 1.5, 0.0])
    found = metrics.summarise(metrics.Prediction(np.zeros(4), law, band), y, truth)
    assert found["rmse"] == pytest.approx(math.sqrt(14.0 / 4.0))
    assert (found["coverage_50"], found["coverage_90"], found["coverage_95"]) == (0.25, 0.5, 0.5)
    assert found["width_95"] == pytest.approx(2.0 * 1.959963984540054)
    assert found["excess_risk"] == pytest.approx((0.25 + 0.25 + 2.25) / 4.0)
    assert found["band_coverage"] == 0.75
    without = metrics.summarise(metrics.Prediction(np.zeros(4), law), y, None)
    assert "excess_risk" not in without and "band_coverage" not in without


def test_pit_deviation_is_the_kolmogorov_smirnov_distance() -> None:
    assert metrics.pit_deviation(np.array([0.5])) == pytest.approx(0.5)
    assert metrics.pit_deviation(np.array([0.125, 0.375, 0.625, 0.875])) == pytest.approx(0.125)
    assert metrics.pit_deviation(np.array([0.9, 0.95])) == pytest.approx(0.9)


def hand_made() -> comparison.Table:
    table: comparison.Table = {}
    for split, (ours, a, b) in enumerate([(1.0, 2.0, 1.0), (2.0, 2.5, 1.0), (3.0, 2.0, 4.0)]):
        table["one", split, "lacuna"], table["one", split, "a"] = ours, a
        table["one", split, "b"] = b
    table["two", 0, "lacuna"], table["two", 0, "a"] = 5.0, 4.0
    table["two", 1, "lacuna"] = 5.0  # where a has no result
    return table


def test_ranks_share_places_among_ties() -> None:
    assert comparison.ranks([3.0, 1.0, 2.0], more_is_better=False) == [3.0, 1.0, 2.0]
    assert comparison.ranks([3.0, 1.0, 3.0], more_is_better=True) == [1.5, 3.0, 1.5]


def test_average_ranks_leave_out_methods_that_lack_splits() -> None:
    # Means on set one: lacuna 2, a 2.1667, b 2; on set two only lacuna has both splits, which is
    # not enough to rank anybody.
    table = hand_made()
    found = comparison.average_ranks(table, more_is_better=False)
    assert found == {"lacuna": (1.5, 1), "a": (3.0, 1), "b": (1.5, 1)}
    table["two", 1, "a"] = 4.0
    found = comparison.average_ranks(table, more_is_better=False)
    assert found == {"lacuna": ((1.5 + 2.0) / 2.0, 2), "a": (2.0, 2), "b": (1.5, 1)}


def test_paired_differences() -> None:
    table = hand_made()
    found = comparison.paired(table, "one", "lacuna", "a", more_is_better=False)
    assert found is not None
    differences = np.array([-1.0, -0.5, 1.0])
    assert found.mean == pytest.approx(differences.mean())
    assert found.standard_error == pytest.approx(differences.std(ddof=1) / math.sqrt(3.0))
    assert (found.won, found.lost) == (2, 1)
    tied = comparison.paired(table, "one", "lacuna", "b", more_is_better=True)
    assert tied is not None and (tied.won, tied.lost) == (1, 1)
    single = comparison.paired(table, "two", "lacuna", "a", more_is_better=False)
    assert single is not None and math.isnan(single.standard_error) and single.lost == 1
    assert comparison.paired(table, "two", "lacuna", "b", more_is_better=False) is None


def cell(name: str, split: int, method: str, value: float) -> dict[str, object]:
    found = {"rmse": value, "crps": value, "log_score": -value, "pit_deviation": 0.1}
    for level in (50, 90, 95):
        found |= {f"coverage_{level}": level / 100.0, f"width_{level}": 1.0}
    facts = {"active_weights": 40.0, "live_weights": 30.0, "inclusion": {"x1": 0.9, "x2": 0.1}}
    times = {"fit_seconds": 1.0, "predict_seconds": 0.5}
    key = {"set": name, "split": split, "method": method, "tier": 60.0, "load": 0.1}
    return {**key, "status": "ok", "rows": 100, "metrics": found, "facts": facts, **times}


def test_report_prints_losses_failures_and_simulated_sets() -> None:
    late = {"set": "b", "split": 0, "method": "gp", "tier": 60.0, "status": "late", "error": "slow"}
    machine = {"cpu": "C", "cores": 2, "python": "3", "lacuna": "lacuna 0", "packages": {"p": "1"}}
    lines = [
        {"machine": machine},
        *(cell("b", split, "lacuna", 2.0 + split) for split in range(2)),
        *(cell("b", split, "ridge", 1.5 + split) for split in range(2)),
        cell("authors", 0, "lacuna", 1.0),
        late,
    ]
    text = report.report(lines)
    assert "| b | RMSE | ridge | 0.5000 | 25.0% | 0:2 |" in text
    assert "| gp | b | 0 | late | slow |" in text
    assert "| authors (simulated) | 40 | 30 | 0.90 | 0.10 |" in text
    # Alone on `authors`, it is ranked on `b` only.
    assert "| lacuna | 1 | 2.00 | 2.00 | 2.00 |" in text
    assert "- C, 2 cores, two of them used; lacuna 0; Python 3; p 1" in text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0.000"), (12.3456, "12.35"), (-0.012345, "-0.01235"), (123456.0, "1.23e+05")],
)
def test_numbers_have_four_digits(value: float, text: str) -> None:
    assert report.number(value) == text
