"""Pictures show what they say they show."""

from __future__ import annotations

import doctest

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.axes import Axes

import lacuna
from lacuna import LacunaRegressor, plot

matplotlib.use("Agg")
QUICK = dict(widths=[4], lam="bayes", start="prior", chains=2, burn_in=2000, gap=2, draws=100)


@pytest.fixture(autouse=True)
def _closed():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def curve() -> LacunaRegressor:
    x = np.linspace(-1, 1, 80)[:, None]
    return LacunaRegressor(**QUICK).fit(x, np.abs(x[:, 0]))


@pytest.fixture(scope="module")
def many() -> LacunaRegressor:
    X = np.random.default_rng(0).uniform(-1, 1, (90, 3))
    return LacunaRegressor(**QUICK).fit(X, 2 * np.abs(X[:, 0]))


def test_each_takes_axes_and_gives_them_back(curve, many) -> None:
    X = many._training.x
    calls = {
        "fit": lambda ax: plot.fit(curve, ax=ax),
        "partial_dependence": lambda ax: plot.partial_dependence(many, 0, points=4, rows=5, ax=ax),
        "calibration": lambda ax: plot.calibration(many, X, many._training.y, ax=ax),
        "inclusion": lambda ax: plot.inclusion(many, ax=ax),
        "size": lambda ax: plot.size(many, ax=ax),
        "trace": lambda ax: plot.trace(many, ax=ax),
        "rank": lambda ax: plot.rank(many, ax=ax),
        "network": lambda ax: plot.network(many, ax=ax),
    }
    assert set(calls) == set(plot.__all__)
    for name, call in calls.items():
        _, ax = pyplot.subplots()
        assert call(ax) is ax and ax.has_data(), name
        fresh = call(None)
        assert isinstance(fresh, Axes) and fresh is not ax
        fresh.figure.canvas.draw()


def test_fit_draws_the_predictions(curve) -> None:
    ax = plot.fit(curve, points=50)
    line = ax.lines[0].get_xdata()
    np.testing.assert_allclose(ax.lines[0].get_ydata(), curve.predict(line[:, None]))
    assert ax.get_xlabel() == "x0" and ax.get_ylabel() == "y"
    wide, narrow = (band.get_paths()[0].vertices[:, 1] for band in ax.collections[:2])
    assert wide.min() < narrow.min() and narrow.max() < wide.max()
    assert ax.collections[2].get_offsets().shape == (80, 2)


def test_fit_needs_one_input(many) -> None:
    with pytest.raises(ValueError, match="3 inputs; draw one of them with plot.partial_dependence"):
        plot.fit(many)


def test_partial_dependence_is_the_mean_over_rows(many) -> None:
    ax = plot.partial_dependence(many, "x0", points=5, rows=1000)
    at, mean = ax.lines[0].get_data()
    rows = many._training.x.copy()
    rows[:, 0] = at[3]
    np.testing.assert_allclose(mean[3], many.predict(rows).mean())
    with pytest.raises(ValueError, match="no input 'z'; the model has x0, x1, x2"):
        plot.partial_dependence(many, "z")
    with pytest.raises(ValueError, match="no input 3"):
        plot.partial_dependence(many, 3)


def test_inclusion_is_sorted_and_counts_the_rest(many) -> None:
    ax = plot.inclusion(many)
    widths = [bar.get_width() for bar in ax.patches]
    np.testing.assert_allclose(widths, np.sort(many.inclusion_)[::-1])
    assert "1 more inputs not shown" in plot.inclusion(many, most=2).get_xlabel()


def test_size_has_a_posterior_and_a_prior_that_sum_to_one(many) -> None:
    ax = plot.size(many)
    np.testing.assert_allclose(sum(bar.get_height() for bar in ax.patches), 1.0)
    k, prior = ax.lines[0].get_data()
    np.testing.assert_allclose(prior[0] / prior[1], 2.0)
    np.testing.assert_allclose(prior[0], 0.5, rtol=1e-3)


def test_calibration_counts_observations_inside(many) -> None:
    X, y = many._training.x, many._training.y
    line = plot.calibration(many, X, y).lines[1]
    inside = many.predict_interval(X, 0.8)
    share = np.mean((inside[:, 0] <= y) & (y <= inside[:, 1]))
    assert abs(np.interp(0.8, *line.get_data()) - share) < 0.03


def test_chains_are_told_apart(many) -> None:
    for quantity in ("risk", "n_active", "n_live", "lp", "f"):
        ax = plot.trace(many, quantity, probe=1)
        assert [len(line.get_ydata()) for line in ax.lines] == [100, 100], quantity
        steps = [np.array(patch.get_data()[0]) for patch in plot.rank(many, quantity).patches if hasattr(patch, "get_data")]
        # Over both chains every rank is taken as often as every other.
        np.testing.assert_allclose(np.mean(steps, axis=0), 1.0, atol=0.011)
    with pytest.raises(ValueError, match="quantity='x': must be one of risk, n_active, n_live, lp, f"):
        plot.trace(many, "x")
    with pytest.raises(ValueError, match="probe=9"):
        plot.trace(many, "f", probe=9)


def test_network_has_an_edge_for_each_live_weight(many) -> None:
    ax, net = plot.network(many), many.network_
    edges = sum(len(line.get_xdata()) == 2 for line in ax.lines)
    assert edges == sum(weight.source is not None for weight in net.live)
    assert ax.texts[0].get_text() == "x0" and ax.texts[-1].get_text() == "y"


def test_loaded_models_need_rows(curve, tmp_path) -> None:
    curve.save(tmp_path / "c.lacuna")
    loaded = LacunaRegressor.load(tmp_path / "c.lacuna")
    with pytest.raises(ValueError, match="no training rows; give X"):
        plot.fit(loaded)
    assert len(plot.fit(loaded, np.array([[-1.0], [1.0]])).collections) == 2


def test_examples_in_docstrings() -> None:
    for module in (plot, plot._function, plot._network, plot._sampling, plot._sparsity):
        result = doctest.testmod(module)
        assert result.failed == 0 and result.attempted > 0


def test_every_public_name_has_an_example() -> None:
    public = [LacunaRegressor, lacuna.Network, lacuna.Weight, lacuna, plot]
    public += [getattr(plot, name) for name in plot.__all__]
    public += [vars(LacunaRegressor)[name] for name in ("fit", "extend", "save", "load")]
    public += [value for name, value in vars(lacuna._fitted.Fitted).items() if not name.startswith("_") and value.__doc__]
    for thing in public:
        thing = getattr(thing, "__func__", getattr(thing, "fget", thing))
        assert ">>>" in (thing.__doc__ or ""), thing
