"""`lacuna theory`: constants, bounds and rates; values by hand, and what is refused."""

from __future__ import annotations

import json
import math

import pytest

from cli_support import refusal

SIZE = ("--n", 10000, "--p", 10, "--depth", 2, "--width", 32)


def theory(lacuna, *options: object) -> dict:
    return json.loads(lacuna("theory", *SIZE, *options, "--json").stdout)


def test_constants(lacuna) -> None:
    found = theory(lacuna, "--clip", 1, "--sigma", 0.5, "--gamma", 3)
    assert found["parameters"] == 11 * 32 + 33 * 32 + 33
    assert found["w"] == 48.0
    assert found["xi_0"] == 16 * 1.25 + 48
    assert math.isclose(found["theory_lambda"], 10000 / 68)
    assert found["lambda"] == found["theory_lambda"]
    assert math.isclose(found["c_n_lambda"], 0.5)
    assert math.isclose(found["lambda_limit"], 10000 / 48)
    assert math.isclose(found["log_lipschitz"], math.log(4 * 192**2))
    assert math.isclose(found["log_eta"], -math.log(8 * 192**2 * 10 * 10000))
    assert [row["active"] for row in found["oracle"]] == [1, 10, 100, 1000]
    for row in found["oracle"]:
        assert row["kl_inside"] < row["kl_corner"] <= row["kl_bound_lemma"] * (1 + 1e-12) < row["kl_bound_simple"]
        assert row["pac_bayes"] < row["oracle"] < row["oracle_mean"]
        assert row["vacuous"] == (row["oracle"] >= 4)
    assert "rates" not in found


def test_the_table_says_the_same(lacuna) -> None:
    text = lacuna("theory", *SIZE, "--active", 20).stdout
    found = theory(lacuna, "--active", 20)
    assert f"{found['xi_0']:.6g}" in text
    assert f"{found['oracle'][0]['oracle']:.5g}" in text
    assert "vacuous" in text
    assert max(map(len, text.splitlines())) <= 110


def test_rates(lacuna) -> None:
    found = theory(lacuna, "--q", 1, "--d", 2, "--t", "2,1", "--beta", "2,0.5")["rates"]
    assert found["effective_smoothness"] == [1.0, 0.5]
    assert found["exponent"] == 0.5
    assert math.isclose(found["rate"], math.sqrt(math.log(10000) ** 3 / 10000))
    assert "rate " in lacuna("theory", *SIZE, "--t", 1, "--beta", 1).stdout


def test_huge_networks_do_not_overflow(lacuna) -> None:
    done = lacuna("theory", "--n", "1e9", "--p", 1000, "--depth", 900, "--width", 10**6, "--active", 1000, "--json")
    found = json.loads(done.stdout)
    assert found["parameters"] > 10**14
    assert all(math.isfinite(value) for value in found["oracle"][0].values() if isinstance(value, float))
    assert found["log_eta"] < -10000
    assert "10^" in lacuna("theory", "--n", "1e9", "--p", 1000, "--depth", 900, "--width", 10**6).stdout


def test_what_is_required(lacuna) -> None:
    example = "; for example lacuna theory --n 10000 --p 10 --depth 2 --width 32"
    assert refusal(lacuna, 64, "theory") == "theory: needs --n ROWS" + example
    assert refusal(lacuna, 64, "theory", "--n", 5, "--p", 2) == "theory: needs --depth LAYERS" + example


@pytest.mark.parametrize(
    "options, told",
    [
        (("--clip", 0.5), "clip C=0.5: must be >= 1"),
        (("--delta", 0), "delta=0: must lie between 0 and 1"),
        (("--base", 1), "base a=1: must be > 1"),
        (("--sigma", "nan"), "sigma=nan"),
        (("--active", 5000), "active=5000: must be <= P = 1441"),
        (("--active", "x"), "active=x"),
        (("--eta", 2), "eta=2: must be <= 1"),
        (("--t", "1,2", "--beta", "1"), "d has 0 entries (d_1 .. d_q), so t and beta need 1"),
        (("--q", 2, "--t", "1", "--beta", "1"), "q=2: --d must have as many entries"),
        (("--d", 2), "a class of functions needs --t and --beta"),
        (("--lambda", 10000), "lambda=10000: must be below "),
    ],
)
def test_bad_values(lacuna, options: tuple, told: str) -> None:
    assert refusal(lacuna, 64, "theory", *SIZE, *options).startswith(told)
