"""Fit files of every released format still open and still say what they said."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from cli_support import read_columns, refusal

FORMATS = Path(__file__).resolve().parents[1] / "formats"
# Draws of f that differ in the last bit may change places on another instruction set.
OF_RANKS = {"rhat", "ess_bulk", "ess_tail", "mcse", "ess_within", "separation"}
VERSIONS = sorted(path.stem for path in FORMATS.glob("v*.lacuna"))


def test_there_are_files_to_open() -> None:
    assert VERSIONS and VERSIONS[0] == "v1"


@pytest.mark.parametrize("version", VERSIONS)
def test_an_old_file_gives_its_draws_and_predictions(lacuna, tmp_path: Path, version: str) -> None:
    fit = FORMATS / f"{version}.lacuna"
    lacuna("draws", fit, "--out", "draws.csv")
    assert (tmp_path / "draws.csv").read_bytes() == (FORMATS / f"{version}-draws.csv").read_bytes()
    lacuna("predict", fit, FORMATS / f"{version}-data.csv", "--out", "p.csv")
    expected = read_columns(FORMATS / f"{version}-predictions.csv")
    for name, values in read_columns(tmp_path / "p.csv").items():
        # Predictive quantiles are solved for, and the version that wrote the file stopped at 1e-9 of the noise.
        np.testing.assert_allclose(values, expected[name], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("version", VERSIONS)
def test_an_old_file_gives_its_summary(lacuna, version: str) -> None:
    """Every number of the stored summary; a newer version may say more, and word its verdict anew."""
    now = json.loads(lacuna("summary", FORMATS / f"{version}.lacuna", "--json").stdout)
    then = json.loads((FORMATS / f"{version}-summary.json").read_text())
    assert now["finished"] is True and now["notes"] == []

    def compare(old: object, new: object, where: str) -> None:
        if isinstance(old, dict):
            assert isinstance(new, dict) and old.keys() <= new.keys(), where
            for key, value in old.items():
                if key not in OF_RANKS:
                    compare(value, new[key], f"{where}.{key}")
        elif isinstance(old, list):
            assert isinstance(new, list) and len(old) == len(new), where
            for k, value in enumerate(old):
                compare(value, new[k], f"{where}[{k}]")
        elif isinstance(old, float):
            assert new == pytest.approx(old, rel=1e-9), where
        else:
            assert new == old, where

    for key in ("verdict", "verdict_kind", "verdict_meaning", "verdict_advice"):
        then.pop(key, None)
    compare(then, now, version)


@pytest.mark.parametrize("version", [version for version in VERSIONS if version != "v1"])
def test_an_old_file_can_be_extended(lacuna, tmp_path: Path, version: str) -> None:
    """All but the very first, which holds no marks: draws are added, and none that is there changes."""
    (tmp_path / "fit.lacuna").write_bytes((FORMATS / f"{version}.lacuna").read_bytes())
    lacuna("extend", "fit.lacuna", "--data", FORMATS / f"{version}-data.csv", "--draws", 4, "--quiet")
    lacuna("draws", "fit.lacuna", "--out", "draws.csv")
    then = (FORMATS / f"{version}-draws.csv").read_text().splitlines()
    now = (tmp_path / "draws.csv").read_text().splitlines()
    chains = len({line.split(",")[0] for line in then[1:]})
    assert set(then) < set(now) and len(now) == len(then) + 4 * chains


def test_the_very_first_files_say_that_they_cannot_be_extended(lacuna, tmp_path: Path) -> None:
    (tmp_path / "fit.lacuna").write_bytes((FORMATS / "v1.lacuna").read_bytes())
    told = refusal(lacuna, 65, "extend", "fit.lacuna", "--data", FORMATS / "v1-data.csv", "--draws", 4, "--quiet")
    assert told == "fit.lacuna: has draws, but not what it takes to go on (it was written by a version that kept no marks)"
