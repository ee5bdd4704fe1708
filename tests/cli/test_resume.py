"""Runs that are killed, stopped or extended: what is in the end is what a run without a break would have made."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from cli_support import fit, read_csv, refusal, small_data

LONG = {
    "auto": (
        "--start", "prior", "--widths", "4", "--chains", "2", "--burn-in", "40000", "--gap", "40", "--draws", "3000",
        "--lambda", "bayes", "--quiet",
    ),
    "paper": (
        "--sampler", "paper", "--start", "prior", "--widths", "4", "--chains", "2", "--burn-in", "200000", "--gap",
        "200", "--draws", "3000", "--lambda", "bayes", "--quiet",
    ),
}  # fmt: skip


def start(command: str, folder: Path, *arguments: object) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [command, *map(str, arguments)], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.parametrize("sampler", ["auto", "paper"])
def test_killed_runs_end_as_if_nothing_had_happened(lacuna, command: str, tmp_path: Path, sampler: str) -> None:
    small_data(tmp_path / "d.csv")
    began = time.monotonic()
    fit(lacuna, *LONG[sampler], out="whole.lacuna")
    seconds = time.monotonic() - began
    whole = (tmp_path / "whole.lacuna").read_bytes()
    moment = random.Random(5)
    arguments = ("fit", "d.csv", "--target", "y", "--out", "parts.lacuna", *LONG[sampler])
    for threads in (1, 2, 2):
        (tmp_path / "parts.lacuna").unlink(missing_ok=True)
        for _ in range(3):
            running = start(command, tmp_path, *arguments, "--threads", threads, "--resume")
            time.sleep(moment.uniform(0.0, 0.7) * seconds)
            running.kill()
            running.communicate()
        lacuna(*arguments, "--threads", threads, "--resume")
        assert (tmp_path / "parts.lacuna").read_bytes() == whole


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_says_how_to_go_on_and_does(lacuna, command: str, tmp_path: Path, sent: signal.Signals) -> None:
    small_data(tmp_path / "d.csv")
    fit(lacuna, *LONG["auto"])
    whole = (tmp_path / "d.lacuna").read_bytes()
    (tmp_path / "d.lacuna").unlink()
    arguments = ("fit", "d.csv", "--target", "y", "--out", "d.lacuna", *LONG["auto"])
    running = start(command, tmp_path, *arguments)
    while not (tmp_path / "d.lacuna").exists() or (tmp_path / "d.lacuna").stat().st_size < 20_000:
        time.sleep(0.005)
    running.send_signal(sent)
    told = running.communicate()[1]
    assert running.returncode == 130
    assert told.endswith("; the same command with --resume goes on\n")
    lacuna(*arguments, "--resume")
    assert (tmp_path / "d.lacuna").read_bytes() == whole  # also the header: that of the first call


def test_extend_needs_no_command_line(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    quick = ("--start", "prior", "--widths", "3", "--chains", 2, "--burn-in", 50, "--gap", 3, "--lambda", "bayes")
    fit(lacuna, *quick, "--draws", 250, "--quiet", out="long.lacuna")
    fit(lacuna, *quick, "--draws", 100, "--quiet")
    lacuna("extend", "d.lacuna", "--draws", 100, "--quiet")
    done = lacuna("extend", "d.lacuna", "--draws", 50)
    assert "500 draws in d.lacuna" in done.stderr
    for name in ("d", "long"):
        lacuna("draws", f"{name}.lacuna", "--out", f"{name}.csv.out")
    assert (tmp_path / "d.csv.out").read_bytes() == (tmp_path / "long.csv.out").read_bytes()
    # From another folder the data are found beside the fit.
    (tmp_path / "deep").mkdir()
    (tmp_path / "d.lacuna").rename(tmp_path / "deep/d.lacuna")
    (tmp_path / "d.csv").rename(tmp_path / "deep/d.csv")
    lacuna("extend", "deep/d.lacuna", "--draws", 1, "--quiet")
    (tmp_path / "deep/d.csv").rename(tmp_path / "elsewhere.csv")
    told = refusal(lacuna, 66, "extend", "deep/d.lacuna", "--draws", 1, "--quiet")
    assert told == "d.csv: no such file; if the data of deep/d.lacuna lie elsewhere now, give --data"
    lacuna("extend", "deep/d.lacuna", "--draws", 1, "--quiet", "--data", "elsewhere.csv")
    lacuna("draws", "deep/d.lacuna", "--out", "last.csv")
    assert len(read_csv(tmp_path / "last.csv")) == 2 * 252


def test_an_interrupted_extension_asks_for_what_is_missing(lacuna, command: str, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    short = [word if word != "3000" else "30" for word in LONG["auto"]]
    fit(lacuna, *short)
    size = (tmp_path / "d.lacuna").stat().st_size
    running = start(command, tmp_path, "extend", "d.lacuna", "--draws", 2970, "--quiet")
    while (tmp_path / "d.lacuna").stat().st_size < size + 20_000:
        time.sleep(0.005)
    running.send_signal(signal.SIGINT)
    assert running.communicate()[1].endswith("; lacuna extend d.lacuna --draws 0 goes on\n")
    lacuna("extend", "d.lacuna", "--draws", 0, "--quiet")
    fit(lacuna, *LONG["auto"], out="whole.lacuna")
    for name in ("d", "whole"):
        lacuna("draws", f"{name}.lacuna", "--out", f"{name}.out")
    assert (tmp_path / "d.out").read_bytes() == (tmp_path / "whole.out").read_bytes()


def test_resume_wants_the_same_run(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    quick = ("--start", "prior", "--widths", "3", "--chains", 2, "--burn-in", 50, "--gap", 3, "--lambda", "bayes")
    fit(lacuna, *quick, "--draws", 20, "--quiet", "--resume")  # nothing there yet: from the start
    before = (tmp_path / "d.lacuna").read_bytes()
    fit(lacuna, *quick, "--draws", 20, "--quiet", "--resume")  # finished: nothing to do
    assert (tmp_path / "d.lacuna").read_bytes() == before
    told = refusal(
        lacuna, 64, "fit", "d.csv", "--target", "y", "--out", "d.lacuna", *quick, "--seed", 9, "--resume", "--quiet"
    )
    assert told.startswith("--seed is not what it was when d.lacuna was begun; give the same command as then")
    small_data(tmp_path / "d.csv", seed=2)
    told = refusal(
        lacuna, 65, "fit", "d.csv", "--target", "y", "--out", "d.lacuna", *quick, "--draws", 30, "--resume", "--quiet"
    )
    assert told.startswith("d.lacuna: was fitted to other data (hash ")
    assert (tmp_path / "d.lacuna").read_bytes() == before


def test_extend_refuses_what_it_cannot_do(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    assert refusal(lacuna, 66, "extend", "no.lacuna", "--draws", 5, "--quiet") == "no.lacuna: no such file"
    fit(lacuna, "--start", "prior", "--widths", "3", "--burn-in", 5, "--gap", 1, "--draws", 5, "--lambda", 3, "--quiet")
    told = refusal(lacuna, 64, "extend", "d.lacuna", "--draws", "some", "--quiet")
    assert told == "draws=some: must be a whole number >= 0"
    told = refusal(lacuna, 64, "extend", "d.lacuna", "--draws", 5, "--time-limit", 0, "--quiet")
    assert told == "time-limit=0: must be > 0"
    for draws in (2**63, 2**64 - 1):
        told = refusal(lacuna, 64, "extend", "d.lacuna", "--draws", draws, "--quiet")
        assert told == "burn-in + gap * draws: must be below 2^62 steps"
