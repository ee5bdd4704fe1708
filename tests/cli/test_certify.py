"""`lacuna certify`: every certificate with its terms, what is refused, and that threads change nothing."""

from __future__ import annotations

import json
import math
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from cli_support import quick_fit, refusal, small_data

QUICK = ("--runs", 4, "--rungs", 20, "--steps", 4)


@pytest.fixture
def fitted(lacuna, tmp_path: Path):
    small_data(tmp_path / "d.csv", rows=60)
    small_data(tmp_path / "held-out.csv", rows=40, seed=2)
    quick_fit(lacuna)
    return lacuna


def certify(lacuna, *options: object) -> dict:
    return json.loads(lacuna("certify", "d.lacuna", *QUICK, *options, "--json").stdout)


def test_sums_add_up(fitted) -> None:
    found = certify(fitted, "--test", "held-out.csv", "--delta", 0.1)
    assert found["delta"] == 0.1
    assert list(found["certificates"]) == ["theorem", "pac_bayes_kl", "pac_bayes_kl_draws", "test_set"]
    for certificate in found["certificates"].values():
        assert certificate["confidence"] == 0.9
        assert certificate["vacuous"] == (certificate["bound_scaled"] >= certificate["trivial_scaled"])
        assert math.isclose(certificate["bound"], certificate["bound_scaled"] * found["target_scale"] ** 2)
        assert certificate["assumptions"] and certificate["monte_carlo"]
    theorem = found["certificates"]["theorem"]["terms"]
    assert theorem["noise_floor"] == 0 and theorem["markov_delta"] == 0.05
    total = (theorem["evidence_term"] + theorem["confidence_term"]) / (1 - theorem["c_n_lambda"])
    assert math.isclose(total, found["certificates"]["theorem"]["bound_scaled"])
    assert math.isclose(
        theorem["evidence_term"], -(theorem["log_d_estimate"] + math.log(0.05)) / theorem["lambda"]
    )
    draws, test = found["certificates"]["pac_bayes_kl_draws"], found["certificates"]["test_set"]
    assert draws["bound_scaled"] <= found["certificates"]["pac_bayes_kl"]["bound_scaled"]
    assert test["bound_scaled"] == min(test["terms"]["bound_kl"], test["terms"]["bound_variance"])
    assert test["bound_scaled"] > test["terms"]["mean_loss"]
    assert len(found["evidence"]) == 2


def test_text_shows_every_term(fitted) -> None:
    found = certify(fitted)
    text = fitted("certify", "d.lacuna", *QUICK).stdout
    for certificate in found["certificates"].values():
        assert certificate["title"] in text
        for key, value in certificate["terms"].items():
            assert f"{key:<18} {value:>13.6g}" in text
    assert "test_set" not in found["certificates"]
    assert "vacuous" in text
    assert max(map(len, text.splitlines())) <= 110


def test_options_enter(fitted) -> None:
    plain = certify(fitted)["certificates"]
    known = certify(fitted, "--noise-sd", 0.1)["certificates"]
    assert known["theorem"]["terms"]["noise_floor"] > 0
    assert math.isclose(known["theorem"]["terms"]["markov_delta"], 0.05 / 3)
    ranged = certify(fitted, "--target-range", "9,14")["certificates"]
    unit = certify(fitted)["target_scale"]
    assert math.isclose(ranged["pac_bayes_kl"]["terms"]["range"], (5 / unit) ** 2)
    assert plain["pac_bayes_kl"]["terms"]["range"] == 100  # clip level 5
    assert any("[9, 14]" in words for words in ranged["pac_bayes_kl"]["assumptions"])


def test_threads_and_seed(fitted) -> None:
    one = fitted("certify", "d.lacuna", *QUICK, "--threads", 1).stdout
    assert one == fitted("certify", "d.lacuna", *QUICK, "--threads", 3).stdout
    assert one != fitted("certify", "d.lacuna", *QUICK, "--seed", 2).stdout


@pytest.mark.parametrize("given", [(), ("--noise-sd", 0.1)])
def test_own_lambda_where_it_is_admissible(lacuna, tmp_path: Path, given: tuple) -> None:
    small_data(tmp_path / "d.csv", rows=60)
    quick_fit(lacuna, "--lambda", "theory", *given)
    found = certify(lacuna, *given)["certificates"]["theorem"]
    assert "that of the fit" in found["bounds"]
    assert math.isclose(found["terms"]["c_n_lambda"], 0.5)
    assert found["terms"]["lambda"] == json.loads(lacuna("summary", "d.lacuna", "--json").stdout)["lambda"]["value"]


def started(folder: Path, *options: object) -> subprocess.Popen[str]:
    command = [os.environ["LACUNA_COMMAND"], "certify", "d.lacuna", "--rungs", "100000", *map(str, options)]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_shows_progress_and_stops(fitted, tmp_path: Path) -> None:
    with started(tmp_path) as running:
        assert running.stderr and running.stdout
        assert re.match(r"certify: 0%  [0-9]+ of 3400000 temperatures  [0-9:]+ left\n", running.stderr.readline())
        running.send_signal(signal.SIGINT)
        assert running.stderr.readlines()[-1] == "lacuna: interrupted; nothing is kept of bounds that are not finished\n"
        assert running.stdout.read() == ""
    assert running.returncode == 130
    assert fitted("certify", "d.lacuna", *QUICK, "--quiet").stderr == ""


def test_mistakes_in_held_out_rows_are_found_before_the_sweeps(fitted) -> None:
    assert "training data" in refusal(fitted, 64, "certify", "d.lacuna", "--rungs", 100000, "--test", "d.csv")


def test_refusals(fitted, tmp_path: Path) -> None:
    assert refusal(fitted, 64, "certify", "d.lacuna", "--delta", 1) == "delta=1: must lie between 0 and 1"
    assert refusal(fitted, 64, "certify", "d.lacuna", "--runs", 1) == "runs=1: must be >= 2"
    assert refusal(fitted, 64, "certify", "d.lacuna", "--target-range", "3") == (
        "target-range=3: must be two numbers, such as 0,100"
    )
    told = refusal(fitted, 64, "certify", "d.lacuna", *QUICK, "--target-range", "10,11")
    assert told.startswith("target-range=10,11: the training data have a target of ")
    told = refusal(fitted, 64, "certify", "d.lacuna", *QUICK, "--test", "d.csv")
    assert told == "test: these are the training data; give rows that were held out"
    assert refusal(fitted, 66, "certify", "nowhere.lacuna").startswith("nowhere.lacuna: ")
    told = refusal(fitted, 65, "certify", "d.lacuna", "--data", "held-out.csv")
    assert "was fitted to other data" in told
    (tmp_path / "d.csv").unlink()
    told = refusal(fitted, 66, "certify", "d.lacuna")
    assert told == "d.csv: no such file; if the data of d.lacuna lie elsewhere now, give --data"
