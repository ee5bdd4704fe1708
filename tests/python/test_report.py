"""model.report: the page of the command, with the rows that a model still has or is given."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lacuna import LacunaRegressor

QUICK = dict(widths=[4], lam="bayes", start="prior", chains=2, burn_in=500, gap=2, draws=60)


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    random = np.random.default_rng(0)
    return pd.DataFrame({"dose <mg>": random.uniform(-1, 1, 50), "age": random.uniform(20, 60, 50)})


@pytest.fixture(scope="module")
def target(frame: pd.DataFrame) -> pd.Series:
    return pd.Series(3 * np.abs(frame["dose <mg>"].to_numpy()), name="effect")


@pytest.fixture(scope="module")
def model(frame: pd.DataFrame, target: pd.Series) -> LacunaRegressor:
    return LacunaRegressor(**QUICK).fit(frame, target)


def page_of(model: LacunaRegressor, path: Path, *rows: object, **options: object) -> str:
    assert model.report(path, *rows, **options) is None
    return path.read_text(encoding="utf-8")


def test_after_fit_the_rows_are_there(model, tmp_path: Path) -> None:
    page = page_of(model, tmp_path / "r.html")
    assert page.startswith("<!DOCTYPE html>")
    assert "Residuals" in page and 'id="calibration"' in page and "dose &lt;mg&gt;" in page and "effect" in page


def test_a_loaded_model_asks_for_them(model, frame, target, tmp_path: Path) -> None:
    whole = page_of(model, tmp_path / "r.html")
    model.save(tmp_path / "m.lacuna")
    for other in (LacunaRegressor.load(tmp_path / "m.lacuna"), pickle.loads(pickle.dumps(model))):
        page = page_of(other, tmp_path / "r.html")
        assert "Residuals" not in page and "Give them: report(path, X, y)." in page
        assert page_of(other, tmp_path / "r.html", frame, target) == whole


def test_other_rows_are_refused(model, frame, target, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="was fitted to other data"):
        model.report(tmp_path / "r.html", frame, target + 1)
    with pytest.raises(ValueError, match="X and y: give both or neither"):
        model.report(tmp_path / "r.html", frame)
    assert not (tmp_path / "r.html").exists()


def test_weights_belong_to_the_rows(frame, target, tmp_path: Path) -> None:
    weights = np.arange(50.0)
    model = LacunaRegressor(**QUICK).fit(frame, target, sample_weight=weights)
    whole = page_of(model, tmp_path / "r.html")
    assert "of the 49 training rows" in whole
    assert page_of(model, tmp_path / "r.html", frame, target, sample_weight=weights) == whole
    with pytest.raises(ValueError, match="was fitted to other data"):
        model.report(tmp_path / "r.html", frame, target)
