"""Options and configuration files that make no sense: one sentence that names the option, and exit code 64."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli_support import fit, quick_fit, refusal, sentence, small_data

# Tried against every numeric option; what is legal for an option is listed beside it.
BAD_VALUES = ("0", "-1", "nan", "inf", "-inf", "1e999", "", "many", "0x10", "1e400", "1.5", "18446744073709551616")

REAL = {"1.5", "18446744073709551616"}
NUMERIC: dict[str, set[str]] = {
    "base": REAL,
    "depth": set(),
    "width": set(),
    "widths": set(),
    "bound": REAL,
    "clip": REAL,
    "lambda": REAL | {"0"},
    "noise-sd": REAL,
    "noise-tail": REAL,
    "learning-rate": REAL | {"0"},
    "proposal-sd": REAL,
    "rungs": set(),
    "chains": set(),
    "walkers": set(),
    "burn-in": {"0"},
    "gap": set(),
    "draws": set(),
    "time-limit": REAL,
    "checkpoint-every": REAL,
    "seed": {"0"},
    "threads": set(),
}
WORDS = {"target", "weights", "out", "ignore", "na", "scale", "prior", "inputs", "noise", "sampler", "start"}
OTHERS = {"config", "quiet", "resume", "help"}


def test_every_option_is_in_one_of_the_lists_above(lacuna) -> None:
    """A new numeric option must join the bad values."""
    shown = set(re.findall(r"--([a-z-]+)", lacuna("fit", "--help").stdout.split("Examples:")[0]))
    assert shown == set(NUMERIC) | WORDS | OTHERS


@pytest.mark.parametrize("option", NUMERIC)
def test_bad_numbers(lacuna, option: str) -> None:
    """Options are checked before data are looked for, so a legal value ends at the missing file."""
    for value in BAD_VALUES:
        legal = value in NUMERIC[option]
        done = fit(lacuna, f"--{option}", value, data="nowhere.csv", code=66 if legal else 64)
        told = sentence(done)
        if legal:
            assert told == "nowhere.csv: no such file"
        else:
            assert re.match(rf"{option}( [A-Za-z]+)?={re.escape(value)}: must be ", told), told


def test_bad_numbers_in_a_configuration_file(lacuna, tmp_path: Path) -> None:
    for option, legal in NUMERIC.items():
        for value in {"nan", "-inf", "many", ""} - legal:
            quoted = value if value in ("nan", "-inf") else f'"{value}"'
            (tmp_path / "run.toml").write_text(f"{option} = {quoted}\n")
            told = sentence(fit(lacuna, "--config", "run.toml", data="nowhere.csv", code=64))
            assert option in told and f"={value}: must be " in told, told


def test_bounds_of_single_options(lacuna) -> None:
    expected = {
        ("--bound", "0.5"): "bound B=0.5: must be >= 1",
        ("--bound", "1e101"): "bound B=1e+101: must be <= 1e+100",
        ("--clip", "0.99"): "clip C=0.99: must be >= 1",
        ("--base", "1"): "base a=1: must be > 1",
        ("--depth", "1001"): "depth=1001: must be <= 1000",
        ("--widths", "4,0,4"): "widths=0: must be >= 1",
        ("--widths", "4;4"): "widths=4;4: must be a whole number >= 0",
        ("--widths", ","): "widths=,: must be a list such as 64,32",
        ("--chains", "10001"): "chains=10001: must be <= 10000",
        ("--walkers", "2501"): "walkers=2501: must be <= 10000 over all chains",
        ("--threads", "1001"): "threads=1001: must be <= 1000",
        ("--rungs", "1001"): "rungs=1001: must be <= 1000",
        ("--burn-in", "9223372036854775807"): "burn-in + gap * draws: must be below 2^62 steps",
        ("--draws", "9223372036854775807"): "burn-in + gap * draws: must be below 2^62 steps",
    }
    for options, told in expected.items():
        assert sentence(fit(lacuna, *options, data="nowhere.csv", code=64)) == told
    assert sentence(fit(lacuna, "--draws", "1e3", "--burn-in", "+5", data="nowhere.csv", code=66))


def test_bad_words(lacuna) -> None:
    expected = {
        ("--na", "dorp"): "na=dorp: must be drop or error; did you mean 'drop'?",
        ("--scale", "yes"): "scale=yes: must be auto or none",
        ("--prior", "spares"): "prior=spares: must be sparse or dense; did you mean 'sparse'?",
        ("--inputs", "some"): "inputs=some: must be auto or all",
        ("--noise", ""): "noise=: must be auto or constant or varying",
        ("--sampler", "nuts"): "sampler=nuts: must be auto or paper",
        ("--lambda", "bayse"): "lambda=bayse: must be auto, bayes, theory or a number >= 0",
    }
    for options, told in expected.items():
        assert sentence(fit(lacuna, *options, data="nowhere.csv", code=64)) == told


def test_unknown_options_and_commands(lacuna) -> None:
    tail = "; see 'lacuna fit --help'"
    told = sentence(fit(lacuna, "--burnin", "5", code=64))
    assert told == "unknown option '--burnin'; did you mean '--burn-in'?" + tail
    told = sentence(fit(lacuna, "--purple", code=64))
    assert told == "unknown option '--purple'" + tail
    assert sentence(fit(lacuna, "extra.csv", code=64)) == "unknown argument 'extra.csv'" + tail
    told = refusal(lacuna, 64, "fti", "d.csv")
    assert told == "unknown command 'fti'; did you mean 'fit'?; see 'lacuna --help'"
    assert refusal(lacuna, 64, "--purple").startswith("unknown ")
    told = refusal(lacuna, 64)
    assert told == (
        "which command? fit, extend, predict, draws, summary, report, certify, simulate, theory, study or demo; see 'lacuna --help'"
    )


def test_what_is_required(lacuna) -> None:
    assert refusal(lacuna, 64, "fit") == "DATA is required; see 'lacuna fit --help'"
    told = refusal(lacuna, 64, "fit", "d.csv", "--out", "d.lacuna")
    assert told == "fit: which column is the target? Give --target COL"
    told = refusal(lacuna, 64, "fit", "d.csv", "--target", "y")
    assert told == "fit: where should the fit go? Give --out FILE.lacuna"
    for command in (("predict", "f"), ("predict", "f", "d.csv"), ("draws", "f"), ("summary",), ("simulate", "authors")):
        assert re.search(r"is required; see 'lacuna \w+ --help'$", refusal(lacuna, 64, *command))
    assert "--target" in refusal(lacuna, 64, "fit", "d.csv", "--target")


def test_layers_described_twice(lacuna) -> None:
    told = sentence(fit(lacuna, "--widths", "8,8", "--depth", "3", data="nowhere.csv", code=64))
    assert told == "give either widths or depth and width, not both"


def test_an_option_given_twice(lacuna) -> None:
    assert "--seed" in sentence(fit(lacuna, "--seed", 1, "--seed", 2, data="nowhere.csv", code=64))


def test_bad_options_of_the_other_commands(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    quick_fit(lacuna)
    predict = ("predict", "d.lacuna", "d.csv", "--out", "p.csv")
    for value in BAD_VALUES + ("1", "90"):
        assert re.match(rf"interval={re.escape(value)}: must ", refusal(lacuna, 64, *predict, "--interval", value))
    for value in set(BAD_VALUES) - {"0"}:
        assert re.match(rf"threads={re.escape(value)}: must ", refusal(lacuna, 64, *predict, "--threads", value))
    assert refusal(lacuna, 64, *predict, "--estimator", "median") == "estimator=median: must be mean, draw or map"
    assert refusal(lacuna, 64, *predict, "--na", "keep") == "na=keep: must be drop or error"
    assert not (tmp_path / "p.csv").exists()


def test_bad_options_of_simulate(lacuna, tmp_path: Path) -> None:
    legal = {"n": set(), "p": {"0"}, "noise": REAL | {"0"}, "smoothness": REAL, "seed": {"0"}}
    for option, allowed in legal.items():
        for value in set(BAD_VALUES) - allowed:
            told = refusal(lacuna, 64, "simulate", "hierarchical", f"--{option}", value, "--out", "s.csv")
            assert f"={value}: " in told and option in told, told
    told = refusal(lacuna, 64, "simulate", "freidman", "--out", "s.csv")
    assert told == "unknown simulation 'freidman'; did you mean 'friedman'? known: friedman, hierarchical, rough, authors"
    told = refusal(lacuna, 64, "simulate", "friedman", "--p", 4, "--out", "s.csv")
    assert told == "inputs p=4: friedman needs >= 5"
    assert not (tmp_path / "s.csv").exists()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("burnin = 5\n", "run.toml: unknown key 'burnin'; did you mean 'burn-in'?"),
        ("[length]\nburnin = 5\n", "run.toml: unknown key 'burnin'; did you mean 'burn-in'?"),
        ("purple = 5\n", "run.toml: unknown key 'purple'"),
        ("seed = true\n", "run.toml: key 'seed': must be a number, a text or a list"),
        ("[a.b]\nseed = 1\n", "run.toml: key 'b': must be a number, a text or a list"),
        ("seed = 1.5\n", "run.toml: seed=1.5: must be a whole number >= 0"),
        ("bound = 0.5\n", "bound B=0.5: must be >= 1"),
        ("widths = [8, 0]\n", "run.toml: widths=0: must be >= 1"),
    ],
)
def test_bad_keys(lacuna, tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "run.toml").write_text(text)
    assert sentence(fit(lacuna, "--config", "run.toml", data="nowhere.csv", code=64)) == told


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b"seed = 1\nbase = \n", 2),
        (b"seed = 1\n\nseed = 2\n", 3),
        (b"seed 1\n", 1),
        (b"[model\nbase = 2\n", 1),
        (b'seed = "1\n', 1),
        (b"seed = 1\nbase = 1e999\n", 2),
        (b"seed = 99999999999999999999\n", 1),
        (b"seed = 1\n# \xff\n", 2),
        (b"\x00\x01\x02", 1),
        (b"a = " + b"[" * 100_000, 1),
    ],
)
def test_broken_toml_names_the_line(lacuna, tmp_path: Path, text: bytes, line: int) -> None:
    (tmp_path / "run.toml").write_bytes(text)
    told = sentence(fit(lacuna, "--config", "run.toml", data="nowhere.csv", code=64))
    assert told.startswith(f"run.toml:{line}: ")


def test_configuration_files_that_are_none(lacuna, tmp_path: Path) -> None:
    told = sentence(fit(lacuna, "--config", "absent.toml", data="nowhere.csv", code=66))
    assert told == "absent.toml: no such file"
    assert sentence(fit(lacuna, "--config", ".", data="nowhere.csv", code=66)) == ".: is a folder, not a file"
    (tmp_path / "run.toml").write_text("# \n" * (1 << 19))
    told = sentence(fit(lacuna, "--config", "run.toml", data="nowhere.csv", code=64))
    assert told == "run.toml: larger than 1 MiB; not a configuration file"


def test_arguments_with_control_characters_stay_on_one_line(lacuna) -> None:
    assert sentence(fit(lacuna, "--seed", "1\n2", code=64)) == "seed=1?2: must be a whole number >= 0"
    assert sentence(fit(lacuna, data="no\n\x1b[1mwhere", code=66)).endswith(": no such file")


def test_networks_too_large(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    told = sentence(quick_fit(lacuna, "--prior", "dense", "--depth", 3, "--width", 1_000_000, code=64))
    assert re.fullmatch(
        r"the dense prior keeps all 2000006000001 weights: 2 chains would need about [\d.]+ GiB "
        r"\(limit [\d.]+ GiB\); use --prior sparse, where only the live network counts, or a smaller network",
        told,
    )
    told = sentence(quick_fit(lacuna, "--widths", "9000000000,9000000000", code=64))
    assert "weights" in told or "overflow" in told or "2^63" in told, told
    quick_fit(lacuna, "--depth", 3, "--width", 1_000_000)


def test_noise_out_of_all_proportion(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    for noise in ("1e-200", "1e200"):
        told = sentence(quick_fit(lacuna, "--noise-sd", noise, code=64))
        assert "the noise level is out of proportion" in told and "--noise-sd" in told
    told = sentence(quick_fit(lacuna, "--lambda", 1e308, "--proposal-sd", 10, code=64))
    assert told.startswith("proposal-sd s=10: lambda s^2 / 2 must be a finite number")
