"""`--weights`: a row of weight k counts as k copies of it, and the order of rows does not count at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cli_support import fit, quick_fit, refusal, sentence, small_data, write_table


def draws_of(lacuna, folder: Path, data: str, *options: object) -> str:
    quick_fit(lacuna, *options, data=data)
    lacuna("draws", "d.lacuna", "--out", "draws.csv")
    return (folder / "draws.csv").read_text()


@pytest.mark.parametrize("sampler", [(), ("--sampler", "paper", "--proposal-sd", 0.1)])
def test_weights_are_copies_in_any_order(lacuna, tmp_path: Path, sampler) -> None:
    columns = small_data(tmp_path / "d.csv", rows=40)
    random = np.random.default_rng(3)
    weight = random.integers(0, 4, 40)
    write_table(tmp_path / "weighted.csv", {**columns, "w": weight})
    copies = random.permutation(np.repeat(np.arange(40), weight))
    write_table(tmp_path / "copied.csv", {name: np.asarray(values)[copies] for name, values in columns.items()})
    weighted = draws_of(lacuna, tmp_path, "weighted.csv", "--weights", "w", *sampler)
    assert f"40 rows of total weight {weight.sum()}," in " ".join(lacuna("summary", "d.lacuna").stdout.split())
    assert weighted.count("\n") > 10
    assert draws_of(lacuna, tmp_path, "copied.csv", *sampler) == weighted
    assert draws_of(lacuna, tmp_path, "d.csv", *sampler) != weighted


def test_weights_are_found_again(lacuna, tmp_path: Path) -> None:
    columns = small_data(tmp_path / "d.csv")
    write_table(tmp_path / "w.csv", {**columns, "w": np.linspace(0.5, 2, 30)})
    quick_fit(lacuna, "--weights", "w", "--draws", 20, data="w.csv", out="long.lacuna")
    quick_fit(lacuna, "--weights", "w", "--draws", 10, data="w.csv")
    lacuna("extend", "d.lacuna", "--draws", 10, "--quiet")
    for name in ("d", "long"):
        lacuna("draws", f"{name}.lacuna", "--out", f"{name}.draws")
    assert (tmp_path / "d.draws").read_bytes() == (tmp_path / "long.draws").read_bytes()
    again = quick_fit(lacuna, "--weights", "w", "--draws", 20, "--resume", data="w.csv", out="long.lacuna")
    assert again.returncode == 0
    write_table(tmp_path / "w.csv", {**columns, "w": np.linspace(0.5, 3, 30)})
    assert "was fitted to other data" in refusal(lacuna, 65, "extend", "d.lacuna", "--draws", 10, "--quiet")


@pytest.mark.parametrize(
    ("weight", "told"),
    [
        ([1, -1, 1], "weight -1 (row 2): must be a number and not negative"),
        ([0, 0, 0], "all weights are zero; at least one row has to count"),
    ],
)
def test_bad_weights(lacuna, tmp_path: Path, weight, told: str) -> None:
    write_table(tmp_path / "d.csv", {"x": [1, 2, 3], "y": [1, 2, 3], "w": weight})
    assert told in sentence(fit(lacuna, "--weights", "w", "--quiet", code=65))


def test_weights_that_are_shares_bring_a_warning(lacuna, tmp_path: Path) -> None:
    columns = small_data(tmp_path / "d.csv")
    write_table(tmp_path / "d.csv", {**columns, "w": np.full(30, 1 / 30)})
    done = quick_fit(lacuna, "--weights", "w")
    assert "warning: the weights of 30 rows sum to 1;" in done.stderr
