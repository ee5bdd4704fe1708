"""The small version of every study: a look within two minutes each, and so for the slow tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from test_study import STUDIES, check_folder


@pytest.mark.parametrize("name", STUDIES)
def test_small_version(lacuna, tmp_path: Path, name: str) -> None:
    done = lacuna("study", name, "--small", "--out", "s", "--quiet", timeout=1200)
    check_folder(tmp_path / "s", done.stdout)
    # All of it is read again, and nothing is left to measure.
    assert lacuna("study", name, "--small", "--out", "s", "--quiet").stdout == done.stdout
