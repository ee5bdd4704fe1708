"""Quantiles and scores of `lacuna predict`, against numpy on the exported draws."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest

from cli_support import quick_fit, read_columns, refusal, small_data, write_table
from test_results import predictive_share, result_of

LEVELS = (0.05, 0.5, 0.95, 0.001)


def crps_by_sums(y: float, values: np.ndarray, sd: float) -> float:
    """E|Y - y| - E|Y - Y'| / 2 for Y the mixture of normals around `values`."""
    erf = np.vectorize(math.erf)

    def distance(mean: np.ndarray, spread: float) -> np.ndarray:
        z = mean / spread
        return mean * erf(z / math.sqrt(2)) + 2 * spread * np.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)

    pairs = distance(values[:, None] - values[None, :], sd * math.sqrt(2))
    return float(distance(y - values, sd).mean() - 0.5 * pairs.mean())


def test_quantiles_and_scores(lacuna, tmp_path: Path) -> None:
    columns = small_data(tmp_path / "d.csv", rows=40)
    quick_fit(lacuna, "--draws", 90, "--widths", "4,3", "--burn-in", 300)
    result = result_of(lacuna, tmp_path, columns)
    values, sd, y = result.values(), result.summary["noise"]["sd"], columns["y"]
    done = lacuna(
        "predict", "d.lacuna", "d.csv", "--out", "p.csv", "--score", "--quantiles", ",".join(map(str, LEVELS)),
        "--interval", 0.8,
    )  # fmt: skip
    got = read_columns(tmp_path / "p.csv")
    assert list(got)[6:] == ["q0.05", "q0.5", "q0.95", "q0.001", "log_score", "crps", "pit"]
    for level in LEVELS:
        share = predictive_share(got[f"q{level}"], values, sd)
        np.testing.assert_allclose(share, level, rtol=0, atol=1e-5)
    density = np.exp(-0.5 * ((y - values) / sd) ** 2) / (sd * math.sqrt(2 * math.pi))
    np.testing.assert_allclose(got["log_score"], np.log(density.mean(axis=0)), atol=1e-9)
    np.testing.assert_allclose(got["pit"], predictive_share(y, values, sd), atol=1e-9)
    expected = [crps_by_sums(y[i], values[:, i], sd) for i in range(len(y))]
    np.testing.assert_allclose(got["crps"], expected, atol=1e-5 * y.std())

    line = re.fullmatch(
        r"40 rows: RMSE (\S+), mean log score (\S+), mean CRPS (\S+), (\S+)% inside the 80% interval\n", done.stdout
    )
    assert line and done.stderr == ""
    inside = np.mean((got["y_lower"] <= y) & (y <= got["y_upper"]))
    expected = [np.sqrt(np.mean((got["mean"] - y) ** 2)), got["log_score"].mean(), got["crps"].mean(), 100 * inside]
    np.testing.assert_allclose([float(number) for number in line.groups()], expected, rtol=1e-5)


def test_without_them_nothing_changes(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    quick_fit(lacuna)
    assert lacuna("predict", "d.lacuna", "d.csv", "--out", "p.csv").stdout == ""
    lacuna("predict", "d.lacuna", "d.csv", "--out", "more.csv", "--quantiles", "0.25", "--score")
    plain, more = read_columns(tmp_path / "p.csv"), read_columns(tmp_path / "more.csv")
    assert len(plain) == 6 and len(more) == 10
    assert all((plain[name] == more[name]).all() for name in plain)


def test_units_of_the_target(lacuna, tmp_path: Path) -> None:
    """A target in other units: scores follow by the change of variables."""
    columns = small_data(tmp_path / "d.csv")
    write_table(tmp_path / "e.csv", {**columns, "y": 1024 * columns["y"] + 7})
    tables = {}
    for name in "de":
        quick_fit(lacuna, "--lambda", 20, data=f"{name}.csv", out=f"{name}.lacuna")
        lacuna("predict", f"{name}.lacuna", f"{name}.csv", "--out", "p.csv", "--score", "--quantiles", "0.9")
        tables[name] = read_columns(tmp_path / "p.csv")
    d, e = tables["d"], tables["e"]
    np.testing.assert_allclose(e["crps"], 1024 * d["crps"], rtol=1e-5)
    np.testing.assert_allclose(e["log_score"], d["log_score"] - math.log(1024), atol=1e-6)
    np.testing.assert_allclose(e["pit"], d["pit"], atol=1e-6)
    np.testing.assert_allclose(e["q0.9"], 1024 * d["q0.9"] + 7, rtol=1e-9)


def test_without_noise_level(lacuna, tmp_path: Path) -> None:
    """At lambda = 0 an observation can be anything."""
    small_data(tmp_path / "d.csv")
    quick_fit(lacuna, "--lambda", 0)
    lacuna("predict", "d.lacuna", "d.csv", "--out", "p.csv", "--score", "--quantiles", "0.25,0.75")
    got = read_columns(tmp_path / "p.csv")
    assert (got["q0.25"] == -np.inf).all() and (got["q0.75"] == np.inf).all()
    assert (got["log_score"] == -np.inf).all() and (got["crps"] == np.inf).all() and (got["pit"] == 0.5).all()


def test_bad_requests(lacuna, tmp_path: Path) -> None:
    columns = small_data(tmp_path / "d.csv")
    quick_fit(lacuna)
    call = ("predict", "d.lacuna", "d.csv", "--out", "p.csv")
    for text in ("0", "1", "-0.5", "1.5", "nan"):
        assert refusal(lacuna, 64, *call, "--quantiles=0.5," + text).startswith(f"quantiles={text}: must ")
    assert refusal(lacuna, 64, *call, "--quantiles", "0.5,many").startswith("quantiles=many: ")
    assert refusal(lacuna, 64, *call, "--quantiles", "0.5,0.1,0.50") == "quantiles=0.50: given twice"
    write_table(tmp_path / "new.csv", {"a": columns["a"], "b": columns["b"]})
    told = refusal(lacuna, 65, "predict", "d.lacuna", "new.csv", "--out", "p.csv", "--score")
    assert told == "new.csv: missing column 'y' (the fit needs: a, b, y)"
    assert not (tmp_path / "p.csv").exists()


@pytest.mark.parametrize("column", [0, 2])
def test_arrays_are_scored_by_the_names_of_training(lacuna, tmp_path: Path, column: int) -> None:
    columns = small_data(tmp_path / "d.csv")
    order = {0: ("y", "a", "b"), 2: ("a", "b", "y")}[column]
    np.save(tmp_path / "d.npy", np.column_stack([columns[name] for name in order]))
    write_table(tmp_path / "named.csv", {f"x{j}": columns[name] for j, name in enumerate(order)})
    lacuna(
        "fit", "d.npy", "--target", column, "--out", "d.lacuna", "--start", "prior", "--widths", 3, "--lambda", 5,
        "--burn-in", 20, "--draws", 20, "--quiet",
    )  # fmt: skip
    lacuna("predict", "d.lacuna", "d.npy", "--out", "array.csv", "--score")
    lacuna("predict", "d.lacuna", "named.csv", "--out", "named-p.csv", "--score")
    assert (tmp_path / "array.csv").read_bytes() == (tmp_path / "named-p.csv").read_bytes()
