"""The numbers that commands print, against numpy and the formulas of the method."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from cli_support import quick_fit, read_columns, read_csv, small_data

RUN = ("--start", "auto", "--widths", "4,3", "--burn-in", 300, "--gap", 3, "--draws", 60, "--chains", 3, "--seed", 4)


@dataclass
class Draw:
    chain: int
    log_prior: float
    risk: float
    theta: np.ndarray  # all P coordinates
    active: int


@dataclass
class Result:
    """A fit exported through the command, and what numpy needs to compute it again."""

    x: np.ndarray  # rows by inputs, scaled
    y: np.ndarray  # scaled
    shift: float
    scale: float
    widths: tuple[int, ...]
    clip: float
    draws: list[Draw]
    summary: dict

    def f(self, theta: np.ndarray, x: np.ndarray) -> np.ndarray:
        """The clipped network; flat order W1 row by row, v1, W2, v2, ..."""
        sizes, at, signal = (x.shape[1], *self.widths, 1), 0, x
        for layer, (source, destination) in enumerate(zip(sizes, sizes[1:])):
            weights = theta[at : at + source * destination].reshape(destination, source)
            at += source * destination
            signal = signal @ weights.T + theta[at : at + destination]
            at += destination
            if layer + 2 < len(sizes):
                signal = np.maximum(signal, 0)
        assert at == len(theta)
        return np.clip(signal[:, 0], -self.clip, self.clip)

    def values(self) -> np.ndarray:
        """f of every draw at every training row, in the units of the target."""
        return self.shift + self.scale * np.array([self.f(draw.theta, self.x) for draw in self.draws])


def result_of(lacuna, folder: Path, columns: dict[str, np.ndarray], widths=(4, 3), clip=5.0, scale=True) -> Result:
    lacuna("draws", "d.lacuna", "--out", "draws.csv")
    summary = json.loads(lacuna("summary", "d.lacuna", "--json").stdout)
    x, y, shift, spread = np.column_stack([columns["a"], columns["b"]]), columns["y"], 0.0, 1.0
    if scale:
        x = (x - x.mean(axis=0)) / x.std(axis=0)
        shift, spread = float(y.mean()), float(y.std())
    draws = []
    for row in read_csv(folder / "draws.csv"):
        theta = np.zeros(summary["parameters"])
        pairs = [pair.split(":") for pair in row["theta"].split(" ")]
        theta[[int(index) for index, _ in pairs]] = [float(value) for _, value in pairs]
        active = int(row["n_active"])
        assert np.count_nonzero(theta) == active
        draws.append(Draw(int(row["chain"]), float(row["log_prior"]), float(row["risk"]), theta, active))
    return Result(x, (y - shift) / spread, shift, spread, tuple(widths), clip, draws, summary)


@pytest.fixture
def result(lacuna, tmp_path: Path) -> Result:
    columns = small_data(tmp_path / "d.csv", rows=50)
    quick_fit(lacuna, *RUN)
    return result_of(lacuna, tmp_path, columns)


def log_prior(size: int, total: int, base: float, bound: float) -> float:
    """Section 2 of the method: size, set, box, normaliser."""
    mass = sum(base**-j for j in range(1, total + 1))
    return -size * math.log(base) - math.log(math.comb(total, size)) - size * math.log(2 * bound) - math.log(mass)


def test_risk_and_prior_of_each_draw(result: Result) -> None:
    assert len(result.draws) == 180 and len({draw.active for draw in result.draws}) > 1
    for draw in result.draws:
        risk = np.mean((result.f(draw.theta, result.x) - result.y) ** 2)
        assert draw.risk == pytest.approx(risk, rel=1e-12)
        assert draw.log_prior == pytest.approx(log_prior(draw.active, 31, 2.0, 3.0), rel=1e-12)
        assert (np.abs(draw.theta) <= 3).all()


@pytest.mark.parametrize("prior", ["sparse", "dense"])
def test_risk_and_prior_without_scaling(lacuna, tmp_path: Path, prior: str) -> None:
    columns = small_data(tmp_path / "d.csv")
    quick_fit(
        lacuna, "--scale", "none", "--clip", 12, "--bound", 2, "--base", 2.5, "--widths", "3,2", "--prior", prior,
        "--lambda", 3, "--draws", 50,
    )  # fmt: skip
    result = result_of(lacuna, tmp_path, columns, (3, 2), 12.0, scale=False)
    for draw in result.draws:
        risk = np.mean((result.f(draw.theta, result.x) - result.y) ** 2)
        assert draw.risk == pytest.approx(risk, rel=1e-12)
        total = len(draw.theta)
        expected = log_prior(draw.active, total, 2.5, 2.0) if prior == "sparse" else -total * math.log(4)
        assert draw.log_prior == pytest.approx(expected, rel=1e-12)
        assert prior == "sparse" or draw.active == total


def predict(lacuna, folder: Path, *options: object) -> dict[str, np.ndarray]:
    lacuna("predict", "d.lacuna", "d.csv", "--out", "p.csv", *options)
    return read_columns(folder / "p.csv")


def predictive_share(y: np.ndarray, values: np.ndarray, sd: float) -> np.ndarray:
    """Distribution function at y of the equal mixture of normals around each draw's value."""
    erf = np.vectorize(math.erf)
    return np.mean(0.5 * (1 + erf((y[None, :] - values) / (sd * math.sqrt(2)))), axis=0)


def test_predictions_average_functions(lacuna, tmp_path: Path, result: Result) -> None:
    values, got = result.values(), predict(lacuna, tmp_path, "--interval", 0.8)
    np.testing.assert_allclose(got["mean"], values.mean(axis=0), rtol=1e-11)
    np.testing.assert_allclose(got["sd"], values.std(axis=0), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(got["f_lower"], np.quantile(values, 0.1, axis=0), rtol=1e-11)
    np.testing.assert_allclose(got["f_upper"], np.quantile(values, 0.9, axis=0), rtol=1e-11)
    sd = result.summary["noise"]["sd"]
    np.testing.assert_allclose(predictive_share(got["y_lower"], values, sd), 0.1, rtol=0, atol=2e-6)
    np.testing.assert_allclose(predictive_share(got["y_upper"], values, sd), 0.9, rtol=0, atol=2e-6)


def test_intervals_grow_with_their_level(lacuna, tmp_path: Path, result: Result) -> None:
    tables = [predict(lacuna, tmp_path, "--interval", level) for level in (0.01, 0.5, 0.9, 0.99)]
    for narrow, wide in zip(tables, tables[1:]):
        assert (narrow["mean"] == wide["mean"]).all() and (narrow["sd"] == wide["sd"]).all()
        for kind in ("f", "y"):
            assert (wide[f"{kind}_lower"] <= narrow[f"{kind}_lower"]).all()
            assert (narrow[f"{kind}_upper"] <= wide[f"{kind}_upper"]).all()
    default = predict(lacuna, tmp_path)
    assert all((default[name] == tables[2][name]).all() for name in default)
    alone = predict(lacuna, tmp_path, "--threads", 1)
    assert all((default[name] == alone[name]).all() for name in default)


def test_map_is_the_draw_of_largest_density(lacuna, tmp_path: Path, result: Result) -> None:
    lam = result.summary["lambda"]["value"]
    best = max(range(len(result.draws)), key=lambda k: result.draws[k].log_prior - lam * result.draws[k].risk)
    got, mean = predict(lacuna, tmp_path, "--estimator", "map"), predict(lacuna, tmp_path)
    np.testing.assert_allclose(got["mean"], result.values()[best], rtol=1e-11)
    assert all((got[name] == mean[name]).all() for name in got if name != "mean")


def test_the_single_draw_is_the_state_after_burn_in(lacuna, tmp_path: Path) -> None:
    """With nothing tuned, the first draw of a run with one step less of burn-in is that state."""
    columns = small_data(tmp_path / "d.csv")
    fixed = ("--proposal-sd", 0.3, "--lambda", 4, "--gap", 1)
    quick_fit(lacuna, *fixed, "--burn-in", 39, "--draws", 1)
    result = result_of(lacuna, tmp_path, columns, widths=(3,))
    quick_fit(lacuna, *fixed, "--burn-in", 40, "--draws", 5)
    got = predict(lacuna, tmp_path, "--estimator", "draw")
    np.testing.assert_allclose(got["mean"], result.values()[0], rtol=1e-11)


def test_lambda_and_noise(lacuna, tmp_path: Path) -> None:
    columns = small_data(tmp_path / "d.csv", rows=40)
    sd, n = columns["y"].std(), 40

    def told(*options: object) -> tuple[float, float, str]:
        quick_fit(lacuna, *options)
        summary = json.loads(lacuna("summary", "d.lacuna", "--json").stdout)
        return summary["lambda"]["value"], summary["noise"]["sd"], summary["lambda"]["origin"]

    noise = 0.3 / sd
    value, shown, origin = told("--lambda", "bayes", "--noise-sd", 0.3)
    assert value == pytest.approx(n / (2 * noise**2), rel=1e-12) and shown == pytest.approx(0.3, rel=1e-12)
    assert origin.startswith("bayes: ") and "given" in origin
    clip = 1.5
    value, shown, origin = told("--lambda", "theory", "--noise-sd", 0.3, "--clip", clip)
    xi = 16 * (clip**2 + noise**2) + 16 * clip * max(noise, 2 * clip)
    assert value == pytest.approx(n / xi, rel=1e-12) and shown == pytest.approx(0.3, rel=1e-12)
    assert origin.startswith("theory: ")
    tail = 20.0
    value, _, _ = told("--lambda", "theory", "--noise-sd", 0.3, "--noise-tail", tail, "--clip", clip)
    assert value == pytest.approx(n / (16 * (clip**2 + noise**2) + 16 * clip * tail / sd), rel=1e-12)
    value, _, _ = told("--lambda", "theory", "--noise-sd", 0.3, "--clip", 12, "--scale", "none")
    assert value == pytest.approx(n / (16 * (144 + 0.09) + 16 * 12 * 24), rel=1e-12)
    value, shown, origin = told("--lambda", 7.5)
    assert (value, origin) == (7.5, "given") and shown == pytest.approx(sd * math.sqrt(n / 15), rel=1e-12)
    value, shown, origin = told("--lambda", "bayes")
    assert "estimated from the data" in origin and shown == pytest.approx(sd * math.sqrt(n / (2 * value)), rel=1e-12)
    assert 0.02 < shown < 0.5  # the noise of these data is 0.1


def test_a_given_noise_level_widens_predictions(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    widths = []
    for noise in (0.1, 1.0, 10.0):
        quick_fit(lacuna, "--lambda", 5, "--noise-sd", noise)
        got = predict(lacuna, tmp_path)
        widths.append(got["y_upper"] - got["y_lower"])
        f_width = got["f_upper"] - got["f_lower"]
    assert (widths[0] < widths[1]).all() and (widths[1] < widths[2]).all()
    assert (widths[2] >= 2 * 1.6448 * 10).all() and (f_width < 10).all()


def test_lambda_zero_leaves_predictions_open(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    quick_fit(lacuna, "--lambda", 0)
    got = predict(lacuna, tmp_path)
    assert (got["y_lower"] == -np.inf).all() and (got["y_upper"] == np.inf).all()
    assert np.isfinite(got["mean"]).all() and np.isfinite(got["f_lower"]).all()
    summary = json.loads(lacuna("summary", "d.lacuna", "--json").stdout)
    assert summary["lambda"]["value"] == 0 and summary["noise"]["sd"] is None
    assert "inf" in lacuna("summary", "d.lacuna").stdout


def test_noise_levels_at_the_ends_of_the_doubles(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    for noise, huge in ((1e-15, False), (1.5e308, True)):
        quick_fit(lacuna, "--noise-sd", noise, "--lambda", 1, "--draws", 1, "--chains", 1)
        got = predict(lacuna, tmp_path)
        assert (got["y_lower"] <= got["f_lower"]).all() and (got["f_upper"] <= got["y_upper"]).all()
        assert np.isinf(got["y_upper"]).all() == huge


def test_summary_as_json(lacuna, result: Result) -> None:
    summary, draws = result.summary, result.draws
    assert summary["draws"] == 180 and summary["finished"] is True and summary["seed"] == 4
    assert (summary["burn_in"], summary["gap"], summary["parameters"]) == (300, 3, 31)
    assert summary["data"]["rows"] == 50 and summary["data"]["target"] == "y"
    steps = 0
    for counts in summary["moves"].values():
        assert 0 <= counts["accepted"] <= counts["proposed"] and counts["invalid"] == 0
        assert counts["acceptance"] == pytest.approx(counts["accepted"] / counts["proposed"])
        steps += counts["proposed"]
    assert steps == 3 * 180  # after burn-in only
    risks = np.array([draw.risk for draw in draws])
    assert summary["quantities"]["risk"]["mean"] == pytest.approx(risks.mean(), rel=1e-10)
    posterior = [draw.log_prior - summary["lambda"]["value"] * draw.risk for draw in draws]
    assert summary["quantities"]["log_posterior"]["mean"] == pytest.approx(np.mean(posterior), rel=1e-10)
    sizes = np.array([draw.active for draw in draws])
    assert summary["quantities"]["active_weights"]["mean"] == pytest.approx(sizes.mean(), rel=1e-10)
    for size, shares in summary["n_active"].items():
        assert shares["posterior"] == pytest.approx(np.mean(sizes == int(size)), rel=1e-10)
        assert shares["prior"] == pytest.approx(2.0 ** -int(size) / (1 - 2.0**-31), rel=1e-10)
    for name, column in (("a", 0), ("b", 1)):
        assert summary["inclusion"][name] == pytest.approx(np.mean([connected(d.theta, column) for d in draws]))
    assert [chain["draws"] for chain in summary["chains"]] == [60, 60, 60]
    for chain in summary["chains"]:
        assert chain["steps"] == 480 and chain["tuned"] is True
        assert chain["kernel"]["trajectory-step"] > 0 and chain["kernel"]["langevin-step"] > 0
    assert summary["command"].startswith("lacuna fit d.csv --target y") and summary["verdict"]


def connected(theta: np.ndarray, column: int) -> bool:
    """Whether a path of non-zero weights leads from an input to the output of the 2-4-3-1 network."""
    first, second, last = theta[:8].reshape(4, 2), theta[12:24].reshape(3, 4), theta[27:30]
    return bool(((last != 0).astype(int) @ (second != 0).astype(int) @ (first != 0).astype(int))[column])


def test_summary_as_text(lacuna, result: Result) -> None:
    text = lacuna("summary", "d.lacuna").stdout
    assert text.startswith(result.summary["verdict"] + "\n\nmeaning  ")
    for words in (
        "data     50 rows, 2 inputs, target 'y'\n",
        "network  2 -> 4 -> 3 -> 1, P = 31 weights, sparse prior, B = 3, C = 5\n",
        f"lambda   {result.summary['lambda']['value']:.6g} (bayes: ",
        "run      180 draws from 3 chains, burn-in 300, gap 3, seed 4\n",
        "R-hat",
        "keep ",
        "remove ",
        "add ",
        "active weights",
    ):
        assert words in text
