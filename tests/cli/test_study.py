"""`lacuna study`: what it writes, how it goes on after a stop, and what it refuses."""

from __future__ import annotations

import os
import signal
import subprocess
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from cli_support import refusal

STUDIES = ("rates", "oracle", "coverage", "lambda", "authors", "mixing")


def rows(folder: Path) -> list[str]:
    """Of the results; measurements end in any order."""
    return sorted((folder / "data.csv").read_text().splitlines())


def check_folder(folder: Path, printed: str) -> None:
    summary = (folder / "summary.md").read_text()
    assert summary.strip() == printed.strip()
    pictures = sorted(folder.glob("*.svg"))
    assert pictures and all(f"({picture.name})" in summary for picture in pictures)
    for picture in pictures:
        assert ElementTree.parse(picture).getroot().tag.endswith("svg")
        assert "nan" not in picture.read_text()
    assert not list(folder.glob("*.lacuna"))
    assert max(map(len, summary.splitlines())) <= 200
    for line in summary.splitlines():
        if line.startswith("|"):
            assert "nan" not in line and "inf" not in line, line


def interrupted(folder: Path, name: str, data: Path, lines: int) -> tuple[int, str]:
    """Exit code and standard error of a study that gets Ctrl-C when its results have so many lines."""
    command = [os.environ["LACUNA_COMMAND"], "study", name, "--small", "--out", "parts", "--threads", "1"]
    running = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (data.exists() and data.read_text().count("\n") >= lines) and running.poll() is None:
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=120)
    return running.returncode, errors


def test_help_lists_the_studies(lacuna) -> None:
    text = lacuna("study", "--help").stdout
    assert all(f"  {name} " in text for name in STUDIES)


def test_the_same_results_however_often_it_is_stopped(lacuna, tmp_path: Path) -> None:
    done = lacuna("study", "lambda", "--small", "--out", "whole", "--quiet")
    assert done.stderr == ""
    check_folder(tmp_path / "whole", done.stdout)

    data = tmp_path / "parts/data.csv"
    code, errors = interrupted(tmp_path, "lambda", data, 2)
    if code != 0:  # it may just have ended
        assert code == 130
        assert errors.splitlines()[-1].endswith("the same command goes on from there")
    again = lacuna("study", "lambda", "--small", "--out", "parts", "--quiet")
    assert rows(tmp_path / "parts") == rows(tmp_path / "whole")
    assert again.stdout == done.stdout

    # Nothing is measured twice: a result that is there is believed.
    data.write_text(data.read_text().replace("small seed 1,1.849,1,", "small seed 1,1.849,1,9"))
    assert lacuna("study", "lambda", "--small", "--out", "parts", "--quiet").stdout != done.stdout


def test_stops_while_its_first_fit_looks_for_lambda(lacuna, tmp_path: Path) -> None:
    data = tmp_path / "parts/data.csv"
    code, errors = interrupted(tmp_path, "coverage", data, 1)
    assert code == 130
    assert errors.splitlines()[-1].endswith("the same command goes on from there")
    assert len(rows(tmp_path / "parts")) == 1
    assert not list(data.parent.glob("*.lacuna"))


def test_refusals(lacuna, tmp_path: Path) -> None:
    assert "did you mean 'rates'" in refusal(lacuna, 64, "study", "rate", "--out", "x")
    assert "--out" in refusal(lacuna, 64, "study", "rates")
    assert "must" in refusal(lacuna, 64, "study", "rates", "--out", "x", "--seed", "-1")
    (tmp_path / "file").write_text("")
    assert "file" in refusal(lacuna, 73, "study", "rates", "--out", "file/x")
    (tmp_path / "other").mkdir()
    (tmp_path / "other/data.csv").write_text("a,b\n1,2\n")
    assert "not the columns of this study" in refusal(lacuna, 65, "study", "rates", "--out", "other")
