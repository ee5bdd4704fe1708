"""Every command on a good day: help, files, columns, configuration, progress."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import termios
from pathlib import Path

import numpy as np
import pytest

from cli_support import QUICK, SLOW_BUILD, fit, quick_fit, read_columns, read_csv, small_data, write_table

FLAGS = {
    "fit": (
        "--target --out --config --quiet --ignore --na --scale --prior --base --depth --width --widths --bound --clip "
        "--lambda --noise --noise-sd --sampler --learning-rate --proposal-sd --start --chains --burn-in --gap --draws "
        "--time-limit --checkpoint-every --seed --threads"
    ),
    "predict": "--out --estimator --interval --quantiles --score",
    "draws": "--out",
    "summary": "--json",
    "report": "--out --data --no-data --certify --threads",
    "certify": "--delta --data --test --noise-sd --noise-tail --target-range --runs --rungs --steps --seed --json",
    "simulate": "--n --p --noise --seed --out",
    "theory": "--n --p --depth --width --bound --clip --sigma --gamma --delta --active --q --d --t --beta --json",
    "demo": "--out --time-limit",
}


@pytest.mark.parametrize("name", FLAGS)
def test_help(lacuna, name: str) -> None:
    done = lacuna(name, "--help")
    assert done.stderr == ""
    assert set(FLAGS[name].split()) <= set(re.findall(r"--[a-z-]+", done.stdout))
    assert f"lacuna {name} [OPTIONS]" in done.stdout


def test_help_of_the_program_and_version(lacuna) -> None:
    text = lacuna("--help").stdout
    for name in FLAGS:
        assert re.search(rf"^  {name} +[A-Z]", text, re.MULTILINE)
    for code in (64, 65, 66, 70, 73, 74, 130):
        assert str(code) in text
    assert re.fullmatch(r"lacuna \d+\.\d+\.\d+\n", lacuna("--version").stdout)


def test_columns_of_draws_and_predictions(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    done = quick_fit(lacuna)
    assert (done.stdout, done.stderr) == ("", "")
    assert lacuna("draws", "d.lacuna", "--out", "draws.csv").stdout == ""
    assert lacuna("predict", "d.lacuna", "d.csv", "--out", "p.csv").stdout == ""
    rows = read_csv(tmp_path / "draws.csv")
    assert list(rows[0]) == ["chain", "draw", "log_prior", "risk", "n_active", "theta"]
    assert [(row["chain"], row["draw"]) for row in rows] == [(str(c), str(k)) for c in range(2) for k in range(10)]
    for row in rows:
        pairs = [pair.split(":") for pair in row["theta"].split(" ")]
        indices = [int(index) for index, _ in pairs]
        assert indices == sorted(set(indices)) and len(indices) == int(row["n_active"])
        assert 0 <= indices[0] and indices[-1] < 13
    assert (tmp_path / "p.csv").read_text().splitlines()[0] == "mean,sd,f_lower,f_upper,y_lower,y_upper"
    assert len(read_csv(tmp_path / "p.csv")) == 30


def test_columns_are_matched_by_name(lacuna, tmp_path: Path) -> None:
    columns = small_data(tmp_path / "d.csv")
    quick_fit(lacuna)
    write_table(tmp_path / "other.csv", {"z": columns["y"], "b": columns["b"], "y": columns["y"], "a": columns["a"]})
    write_table(tmp_path / "inputs.csv", {"a": columns["a"], "b": columns["b"]})
    texts = set()
    for name in ("d.csv", "other.csv", "inputs.csv"):
        lacuna("predict", "d.lacuna", name, "--out", "p.csv")
        texts.add((tmp_path / "p.csv").read_bytes())
    assert len(texts) == 1
    (tmp_path / "holes.csv").write_text("a,b,who\n0.5,6,Ann\n,6,Ben\n0.5,6,\n")
    lacuna("predict", "d.lacuna", "holes.csv", "--out", "p.csv", "--na", "drop")
    assert len(read_csv(tmp_path / "p.csv")) == 2


def test_widths(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    sizes = {
        ("--widths", "5"): 2 * 5 + 5 + 5 + 1,
        ("--widths", "5,4,3"): (2 + 1) * 5 + (5 + 1) * 4 + (4 + 1) * 3 + 3 + 1,
        ("--depth", 3, "--width", 4): (2 + 1) * 4 + 2 * (4 + 1) * 4 + 4 + 1,
        ("--width", 4, "--depth", 3): (2 + 1) * 4 + 2 * (4 + 1) * 4 + 4 + 1,
        ("--width", 4): (2 + 1) * 4 + (4 + 1) * 4 + 4 + 1,
    }
    for options, size in sizes.items():
        quick_fit(lacuna, *options)
        assert json.loads(lacuna("summary", "d.lacuna", "--json").stdout)["parameters"] == size
    quick_fit(lacuna, "--widths", "5,4,3")
    assert "network  2 -> 5 -> 4 -> 3 -> 1, " in lacuna("summary", "d.lacuna").stdout


def draws_of(lacuna, tmp_path: Path) -> bytes:
    lacuna("draws", "d.lacuna", "--out", "draws.csv")
    return (tmp_path / "draws.csv").read_bytes()


def test_a_configuration_file_is_the_same_as_flags(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    (tmp_path / "run.toml").write_text(
        'target = "y"\nout = "d.lacuna"\n'
        '[model]\nprior = "sparse"\nbase = 3\nwidths = [4, 3]\nbound = 2.5\nclip = 4\nlambda = 12.5\n'
        '[sampler]\nstart = "prior"\nproposal-sd = 0.1\nlearning-rate = 1e-3\n'
        "[length]\nchains = 2\nburn-in = 30\ngap = 2\ndraws = 20\nseed = 7\n"
    )
    flags = (
        "--prior", "sparse", "--base", 3, "--widths", "4,3", "--bound", 2.5, "--clip", 4, "--lambda", 12.5, "--start",
        "prior", "--proposal-sd", 0.1, "--learning-rate", 1e-3, "--chains", 2, "--burn-in", 30, "--gap", 2, "--draws",
        20, "--quiet",
    )  # fmt: skip
    lacuna("fit", "d.csv", "--config", "run.toml", "--quiet")
    from_file = draws_of(lacuna, tmp_path)
    fit(lacuna, *flags, "--seed", 7)
    assert draws_of(lacuna, tmp_path) == from_file
    lacuna("fit", "d.csv", "--seed", 8, "--widths", "4", "--config", "run.toml", "--quiet")
    overridden = draws_of(lacuna, tmp_path)
    flags = tuple("4" if option == "4,3" else option for option in flags)
    fit(lacuna, *flags, "--seed", 8)
    assert draws_of(lacuna, tmp_path) == overridden != from_file


def test_a_run_starts_from_the_last_draws_of_another(lacuna, tmp_path: Path) -> None:
    """With a tiny proposal one step changes the active set by one at most and values hardly at all."""
    small_data(tmp_path / "d.csv")
    quick_fit(lacuna)
    lacuna("draws", "d.lacuna", "--out", "first.csv")
    last = {row["chain"]: row["theta"] for row in read_csv(tmp_path / "first.csv")}
    quick_fit(
        lacuna, "--start", "d.lacuna", "--chains", 5, "--burn-in", 0, "--gap", 1, "--draws", 1, "--learning-rate", 0,
        "--proposal-sd", 1e-9, out="next.lacuna",
    )  # fmt: skip
    lacuna("draws", "next.lacuna", "--out", "next.csv")

    def weights(text: str) -> dict[int, float]:
        return {int(index): float(value) for index, value in (pair.split(":") for pair in text.split(" "))}

    rows = read_csv(tmp_path / "next.csv")
    assert len(rows) == 5
    for row in rows:
        before, after = weights(last[str(int(row["chain"]) % 2)]), weights(row["theta"])
        assert len(before.keys() ^ after.keys()) <= 1
        assert all(abs(before[i] - after[i]) < 1e-6 for i in before.keys() & after.keys())


def test_a_time_limit_alone_plans_the_run(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    done = fit(lacuna, "--time-limit", 3, "--widths", 4, "--chains", 2)
    # A machine that slows down after the plan was made may run out of time.
    assert re.search(r"^(time is up: )?[\d,]+ draws in d\.lacuna after [\d.]+ s(;|$)", done.stderr, re.MULTILINE)
    summary = json.loads(lacuna("summary", "d.lacuna", "--json").stdout)
    assert summary["draws"] > 0 and summary["burn_in"] > 0
    assert summary["draws"] == len(read_csv_of_draws(lacuna, tmp_path))


def read_csv_of_draws(lacuna, tmp_path: Path) -> list[dict[str, str]]:
    draws_of(lacuna, tmp_path)
    return read_csv(tmp_path / "draws.csv")


def test_progress_is_plain_lines_without_a_terminal(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    done = fit(lacuna, *QUICK[:-1], "--time-limit", 60)
    assert done.stdout == "" and "\r" not in done.stderr and "\x1b" not in done.stderr
    assert re.fullmatch(
        r"d\.csv: 30 rows, 2 inputs, target 'y'\n"
        r"lambda [\d.e+]+ \(bayes: .*\), P = 13 weights\n"
        r"start: looking for starting networks\n"
        r"((burn-in|sampling): .*\n)*"
        r"20 draws in d\.lacuna after [\d.]+ s\n"
        r"next: lacuna summary d\.lacuna   \|   lacuna report d\.lacuna --out REPORT\.html   \|   "
        r"lacuna predict d\.lacuna NEW\.csv --out PRED\.csv\n",
        done.stderr,
    )
    options = [option for pair in zip(QUICK[:-1:2], QUICK[1:-1:2]) for option in pair if pair[0] != "--draws"]
    done = fit(lacuna, *options, "--draws", 10**9, "--time-limit", 2)
    line = r"^sampling: \d+%  [\d,]+ steps/s  accepted \d+%  risk \S+  active \d+  0:0\d left$"
    assert re.search(line, done.stderr, re.MULTILINE)
    assert re.search(r"^time is up: [\d,]+ draws in d\.lacuna after [\d.]+ s; the same command with --resume goes on$", done.stderr, re.MULTILINE)
    assert "the run did not come to its planned end" in lacuna("summary", "d.lacuna").stdout


def test_progress_is_a_bar_in_a_terminal(command: str, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    mine, its = pty.openpty()
    termios.tcsetwinsize(its, (24, 100))
    words = [command, "fit", "d.csv", "--target", "y", "--out", "d.lacuna", *QUICK[:-1]]
    words[words.index("--draws") + 1] = str(10**9)
    running = subprocess.Popen([*words, "--time-limit", "2"], cwd=tmp_path, stderr=its)
    os.close(its)
    seen = b""
    while True:
        try:
            part = os.read(mine, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        seen += part
    os.close(mine)
    assert running.wait() == 0
    text = seen.decode()
    frames = [frame for frame in text.split("\r") if "▕" in frame]
    assert frames and all("steps/s" in frame and "left" in frame for frame in frames)
    assert all(len(re.sub(r"\x1b\[[^a-zA-Z]*[a-zA-Z]", "", frame).rstrip("\n")) <= 100 for frame in frames)
    assert "time is up: " in text


def test_quiet_is_silent(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    done = fit(lacuna, *QUICK)
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.parametrize(("name", "inputs"), [("friedman", 10), ("hierarchical", 10), ("authors", 1)])
def test_simulate(lacuna, tmp_path: Path, name: str, inputs: int) -> None:
    for out, seed in (("a.csv", 5), ("b.csv", 5), ("c.csv", 6)):
        assert lacuna("simulate", name, "--n", 200, "--noise", 0.25, "--seed", seed, "--out", out).stderr == ""
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes() != (tmp_path / "c.csv").read_bytes()
    columns = read_columns(tmp_path / "a.csv")
    assert list(columns) == [f"x{j}" for j in range(1, inputs + 1)] + ["y", "f"]
    assert len(columns["y"]) == 200
    noise = columns["y"] - columns["f"]
    assert 0.2 < np.std(noise) < 0.3 and abs(noise.mean()) < 0.1
    if name == "authors":
        x = columns["x1"]
        assert ((0.2 <= abs(x)) & (abs(x) <= 0.8)).all()
        truth = np.where(x < 0, 1.5 * (x + 0.5) ** 2, 0.3 * np.sin(10 * x - 2) + 0.5)
        np.testing.assert_allclose(columns["f"], truth, rtol=1e-12)
    else:
        lacuna("simulate", name, "--n", 20, "--p", 12, "--seed", 5, "--noise", 0, "--out", "wide.csv")
        wide = read_columns(tmp_path / "wide.csv")
        assert len(wide) == 14 and (wide["y"] == wide["f"]).all()


def test_simulated_data_are_fitted_without_the_truth(lacuna, tmp_path: Path) -> None:
    lacuna("simulate", "friedman", "--n", 50, "--p", 6, "--out", "s.csv")
    quick_fit(lacuna, "--ignore", "f", data="s.csv")
    summary = json.loads(lacuna("summary", "d.lacuna", "--json").stdout)
    assert list(summary["inclusion"]) == [f"x{j}" for j in range(1, 7)]
    assert lacuna("predict", "d.lacuna", "s.csv", "--out", "p.csv").returncode == 0


def test_demo(lacuna, tmp_path: Path) -> None:
    short = ("--time-limit", 20) if SLOW_BUILD else ()
    done = lacuna("demo", "--out", "tour", "--quiet", *short, timeout=900)
    assert done.stderr == ""
    assert "verdict  " in done.stdout and "root mean square, against the truth" in done.stdout
    for name in ("data.csv", "fit.lacuna", "predictions.csv", "fit.svg", "inputs.csv", "inputs.lacuna", "inputs.svg"):
        assert (tmp_path / "tour" / name).stat().st_size > 1000
    for name in ("fit.html", "inputs.html"):
        assert f"tour/{name} (open it in a browser)" in done.stdout
        assert (tmp_path / "tour" / name).read_text().startswith("<!DOCTYPE html>")
    for name in ("fit.svg", "inputs.svg"):
        picture = (tmp_path / "tour" / name).read_text()
        assert picture.startswith("<svg") or picture.startswith("<?xml")
    if SLOW_BUILD:
        return
    whole = (tmp_path / "tour/fit.lacuna").read_bytes()
    lacuna("extend", "tour/fit.lacuna", "--draws", 0, "--quiet")
    assert (tmp_path / "tour/fit.lacuna").read_bytes() == whole
    inclusion = json.loads(lacuna("summary", "tour/inputs.lacuna", "--json").stdout)["inclusion"]
    assert all(share > 0.95 for share in list(inclusion.values())[:5]), inclusion
    assert all(share < 0.5 for share in list(inclusion.values())[5:]), inclusion
    predictions, data = read_columns(tmp_path / "tour/predictions.csv"), read_columns(tmp_path / "tour/data.csv")
    assert np.sqrt(np.mean((predictions["mean"] - data["f"]) ** 2)) < 0.1
