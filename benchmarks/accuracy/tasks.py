"""What is to be predicted: public sets from a folder, and simulated ones with known truth."""

from __future__ import annotations

import gzip
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from metrics import Array

# Public sets in order of size. `<name>_bde` is the set with the one split of the bde paper.
PUBLIC = (
    "meats_fat",
    "yacht",
    "diabetes",
    "energy",
    "concrete",
    "airfoil",
    "airfoil_bde",
    "wine_red",
    "skillcraft",
    "kin8nm",
    "pumadyn32nm",
    "power",
    "naval",
    "elevators",
    "bikesharing",
    "bikesharing_bde",
    "kin40k",
    "protein",
)
BDE_SUFFIX = "_bde"
TEST_ROWS = 2000
NOISE_SD = 0.1
# Seeds of test points lie far from those of training rows, which are 1, 2, 3, ...
TEST_SEED = 1_000_000


@dataclass(frozen=True)
class Simulated:
    """A simulation of the command, and how many of its first inputs matter."""

    simulation: str
    rows: int
    inputs: int
    relevant: int


SIMULATED = {
    "friedman": Simulated("friedman", rows=500, inputs=30, relevant=5),
    "friedman5": Simulated("friedman", rows=500, inputs=5, relevant=5),
    "hierarchical": Simulated("hierarchical", rows=500, inputs=10, relevant=4),
    "authors": Simulated("authors", rows=500, inputs=1, relevant=1),
}


@dataclass(frozen=True)
class Task:
    """Training and test rows in original units; `truth` is the noise-free target of test rows."""

    names: tuple[str, ...]
    x_train: Array
    y_train: Array
    x_test: Array
    y_test: Array
    truth: Array | None


def read_csv(path: Path) -> tuple[tuple[str, ...], Array]:
    """Header and numbers of a CSV file, gzipped or not."""
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as file:
        header = tuple(file.readline().strip().split(","))
        return header, np.loadtxt(file, delimiter=",", ndmin=2)


def source_of(name: str) -> tuple[str, str]:
    """The stem of the files of a public set, and the name of its file of splits."""
    if name.endswith(BDE_SUFFIX):
        return name.removesuffix(BDE_SUFFIX), "bde_test_idx.txt"
    return name, "test_idx.txt"


def test_rows(folder: Path, name: str) -> list[list[int]]:
    """The test rows of every split of a public set."""
    stem, file = source_of(name)
    text = (folder / f"{stem}.splits" / file).read_text(encoding="utf-8")
    return [[int(word) for word in line.split()] for line in text.splitlines() if line.strip()]


def available(folder: Path | None) -> list[str]:
    """The sets that can be run with this folder, simulated ones last."""
    public = []
    for name in PUBLIC if folder is not None else ():
        stem, file = source_of(name)
        if folder is not None and (folder / f"{stem}.splits" / file).is_file():
            public.append(name)
    return public + list(SIMULATED)


def load_public(folder: Path, name: str, split: int) -> Task:
    stem, _ = source_of(name)
    path = folder / f"{stem}.csv"
    header, table = read_csv(path if path.is_file() else path.with_suffix(".csv.gz"))
    chosen = np.zeros(len(table), dtype=bool)
    chosen[test_rows(folder, name)[split]] = True
    train, test = table[~chosen], table[chosen]
    return Task(header[:-1], train[:, :-1], train[:, -1], test[:, :-1], test[:, -1], None)


def simulate(lacuna: Path, what: Simulated, rows: int, seed: int) -> tuple[tuple[str, ...], Array]:
    """Rows of `lacuna simulate`: the inputs, then y, then the truth f."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "simulated.csv")
        size = ["--n", str(rows), "--p", str(what.inputs), "--noise", str(NOISE_SD)]
        command = [str(lacuna), "simulate", what.simulation, *size, "--seed", str(seed)]
        subprocess.run([*command, "--out", str(out)], check=True, stdout=subprocess.DEVNULL)
        return read_csv(out)


def load_simulated(lacuna: Path, name: str, split: int) -> Task:
    what = SIMULATED[name]
    header, train = simulate(lacuna, what, what.rows, 1 + split)
    _, test = simulate(lacuna, what, TEST_ROWS, TEST_SEED + split)
    return Task(header[:-2], train[:, :-2], train[:, -2], test[:, :-2], test[:, -2], test[:, -1])


def load(folder: Path | None, lacuna: Path, name: str, split: int) -> Task:
    """The task of one set and split."""
    if name in SIMULATED:
        return load_simulated(lacuna, name, split)
    if folder is None:
        raise ValueError(f"set '{name}' needs the data folder")
    return load_public(folder, name, split)


def splits_of(folder: Path | None, name: str) -> int | None:
    """How many splits a set has; None for a simulated one, which has as many as are asked for."""
    if name in SIMULATED or folder is None:
        return None
    return len(test_rows(folder, name))
