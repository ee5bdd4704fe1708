"""The estimator as scikit-learn, pandas and the command line see it."""

from __future__ import annotations

import doctest
import os
import pickle
import signal
import subprocess
import threading
import time
from pathlib import Path

import arviz
import joblib
import numpy as np
import pandas as pd
import polars
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import lacuna
from lacuna import LacunaRegressor

# A fit of a tenth of a second.
QUICK = dict(widths=[4], lam="bayes", start="prior", chains=2, burn_in=2000, gap=2, draws=100)


@pytest.fixture(scope="module")
def data() -> "tuple[pd.DataFrame, pd.Series]":
    random = np.random.default_rng(1)
    frame = pd.DataFrame(random.uniform(-1, 1, (60, 2)), columns=["size", "age"])
    return frame, pd.Series(3 * np.maximum(frame["size"], 0) + 0.1 * random.normal(size=60), name="price")


@pytest.fixture(scope="module")
def model(data) -> LacunaRegressor:
    return LacunaRegressor(**QUICK).fit(*data)


@parametrize_with_checks([LacunaRegressor()])
def test_scikit_learn_contract(estimator, check) -> None:
    """With all defaults: what users get."""
    check(estimator)


def test_every_option_of_the_command_is_an_argument() -> None:
    arguments = set(LacunaRegressor().get_params())
    renamed = {"lambda": "lam", "seed": "random_state", "threads": "n_jobs"}
    options = {renamed.get(name, name).replace("-", "_") for name, _ in lacuna._core.options()}
    assert options <= arguments
    assert arguments - options == {"verbose", "out"}


def test_defaults_are_those_of_the_command() -> None:
    """What is out of range is told with the command's sentence."""
    lacuna._options.options_from(LacunaRegressor().get_params())
    with pytest.raises(ValueError, match="bound B=0.5: must be >= 1"):
        LacunaRegressor(bound=0.5).fit([[0.0], [1.0]], [0.0, 1.0])
    with pytest.raises(ValueError, match="did you mean 'sparse'"):
        LacunaRegressor(prior="sprase").fit([[0.0], [1.0]], [0.0, 1.0])


def test_predictions(data, model: LacunaRegressor) -> None:
    X, y = data
    mean, sd = model.predict(X, return_std=True)
    draws = model.predict_draws(X)
    assert draws.shape == (200, 60)
    np.testing.assert_allclose(draws.mean(axis=0), mean, atol=1e-12)
    np.testing.assert_allclose(draws.std(axis=0), sd, atol=1e-12)
    f, wide = model.predict_interval(X, 0.9, kind="f"), model.predict_interval(X, 0.9, kind="y")
    assert (wide[:, 0] < f[:, 0]).all() and (f[:, 1] < wide[:, 1]).all()
    np.testing.assert_allclose(model.predict_quantiles(X, [0.05, 0.95]), wide)
    # Both kinds of draws follow the laws that the intervals are made of.
    inside = ((wide[:, 0] <= model.sample_y(X)) & (model.sample_y(X) <= wide[:, 1])).mean()
    assert abs(inside - 0.9) < 0.02
    assert not np.array_equal(model.sample_y(X, random_state=1), model.sample_y(X, random_state=2))
    with pytest.raises(ValueError, match="kind='z'"):
        model.predict_interval(X, kind="z")


def test_what_was_found(data, model: LacunaRegressor) -> None:
    X, _ = data
    assert model.inclusion_.shape == (2,) and model.inclusion_[0] == 1.0
    assert model.diagnostics_["verdict"] and model.diagnostics_["draws"] == model.n_draws_ == 200
    assert 1 <= model.n_active_ <= 17 and model.lambda_ > 0 and model.noise_sd_ > 0 and model.seed_ == 1
    network = model.network_
    np.testing.assert_allclose(network.predict(X), model.predict(X, estimator="map"), atol=1e-6)
    assert str(network).splitlines()[-1].startswith("  f = ") and "size" in str(network)
    assert model.feature_names_in_.tolist() == ["size", "age"]


def test_the_command_gives_the_same_draws(data, model: LacunaRegressor, tmp_path: Path) -> None:
    command = os.environ["LACUNA_COMMAND"]
    X, y = data
    X.assign(price=y).to_csv(tmp_path / "d.csv", index=False, float_format="%.17g")
    words = "fit d.csv --target price --out c.lacuna --widths 4 --lambda bayes --start prior --chains 2".split()
    words += "--burn-in 2000 --gap 2 --draws 100 --quiet".split()
    subprocess.run([command, *words], cwd=tmp_path, check=True)
    model.save(tmp_path / "p.lacuna")
    for name in ("c", "p"):
        subprocess.run([command, "draws", f"{name}.lacuna", "--out", f"{name}.csv"], cwd=tmp_path, check=True)
    assert (tmp_path / "c.csv").read_bytes() == (tmp_path / "p.csv").read_bytes()
    loaded = LacunaRegressor.load(tmp_path / "c.lacuna")
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    assert loaded.feature_names_in_.tolist() == ["size", "age"]


def test_copies(data, model: LacunaRegressor, tmp_path: Path) -> None:
    X, y = data
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    joblib.dump(model, tmp_path / "m.joblib")
    np.testing.assert_array_equal(joblib.load(tmp_path / "m.joblib").predict(X), model.predict(X))
    assert clone(model).get_params() == model.get_params()
    with pytest.raises(ValueError, match="no training data"):
        again.extend(5)
    with pytest.raises(NotFittedError):
        clone(model).predict(X)
    twice = clone(model).fit(X.to_numpy(), y.to_numpy())
    np.testing.assert_array_equal(twice.predict(X.to_numpy()), model.predict(X))


def test_extended_is_the_same_as_longer(data) -> None:
    X, y = data
    longer = LacunaRegressor(**{**QUICK, "draws": 130}).fit(X, y)
    extended = LacunaRegressor(**QUICK).fit(X, y).extend(30)
    np.testing.assert_array_equal(extended.predict(X), longer.predict(X))


def test_inside_scikit_learn(data) -> None:
    X, y = data
    search = GridSearchCV(
        make_pipeline(StandardScaler(), LacunaRegressor(**QUICK)), {"lacunaregressor__bound": [2.0, 3.0]}, cv=2
    ).fit(X, y)
    assert search.best_score_ > 0.5
    assert cross_val_predict(LacunaRegressor(**QUICK), X, y, cv=2).shape == (60,)


@pytest.mark.parametrize("verbose", [0, 1])
def test_interrupted_fits_keep_their_draws(data, verbose: int) -> None:
    """Whether the signal is seen by the engine or by the code that shows progress."""
    X, y = data
    # Programs that a shell starts in the background ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for wait in (0.8, 0.87, 0.95):
        model = LacunaRegressor(**{**QUICK, "draws": 10**9}, verbose=verbose)

        def interrupt() -> None:
            time.sleep(wait)
            signal.raise_signal(signal.SIGINT)

        threading.Thread(target=interrupt).start()
        with pytest.warns(ConvergenceWarning, match="interrupted: [0-9]+ draws so far"):
            model.fit(X, y)
        assert model.n_draws_ > 100 and np.isfinite(model.predict(X)).all()


def test_what_a_listener_throws_ends_the_fit(data, monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no screen")

    monkeypatch.setattr(lacuna._listener.Listener, "progress", fail)
    with pytest.raises(RuntimeError, match="no screen"):
        LacunaRegressor(**QUICK).fit(*data)


def test_time_limits(data) -> None:
    with pytest.warns(ConvergenceWarning, match="the time was up"):
        model = LacunaRegressor(**{**QUICK, "draws": 10**9}, time_limit=1.0).fit(*data)
    assert model.n_draws_ > 0
    with pytest.raises(ValueError, match="the time was up before the first draw"):
        LacunaRegressor(**{**QUICK, "burn_in": 10**12}, time_limit=0.2).fit(*data)


def test_weights_are_copies(data) -> None:
    X, y = data
    weight = np.random.default_rng(4).integers(0, 4, 60)
    copied = LacunaRegressor(**QUICK).fit(X.loc[X.index.repeat(weight)], y.repeat(weight))
    weighted = LacunaRegressor(**QUICK).fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(weighted.predict(X), copied.predict(X))
    np.testing.assert_array_equal(weighted.extend(5).predict(X), copied.extend(5).predict(X))
    with pytest.raises(ValueError, match="Negative values in data passed to `sample_weight`"):
        LacunaRegressor(**QUICK).fit(X, y, sample_weight=-np.ones(60))
    with pytest.raises(ValueError, match="at least one non-zero"):
        LacunaRegressor(**QUICK).fit(X, y, sample_weight=np.zeros(60))


def test_polars_frames(data, model: LacunaRegressor) -> None:
    X, y = data
    frame = polars.DataFrame({name: X[name].to_numpy() for name in X})
    same = LacunaRegressor(**QUICK).fit(frame, polars.Series("price", y.to_numpy()))
    assert same.feature_names_in_.tolist() == ["size", "age"]
    np.testing.assert_array_equal(same.predict(frame), model.predict(X))


def test_arviz(data, model: LacunaRegressor, tmp_path: Path) -> None:
    X, y = data
    tree = model.to_arviz()
    posterior = tree["posterior"]
    assert posterior["risk"].shape == (2, 100) and posterior["f"].shape[:2] == (2, 100)
    np.testing.assert_allclose(posterior["inclusion"].mean(("chain", "draw")), model.inclusion_)
    np.testing.assert_allclose(posterior["f"].mean(("chain", "draw")), model.predict(X)[posterior["probe"].to_numpy()])
    stats = tree["sample_stats"]
    for name in ("lp", "accepted", "acceptance_rate", "step_size", "inverse_temperature"):
        assert stats[name].shape == (2, 100), name
    assert 0 < float(stats["acceptance_rate"].mean()) < 1 and (stats["step_size"] > 0).all()
    # The mean density over draws is the predictive density.
    density = np.exp(tree["log_likelihood"]["price"].to_numpy()).mean(axis=(0, 1))
    scores = model._posterior.fit.predict(X.to_numpy(), "mean", 0.9, [], y.to_numpy(), 1)["log_score"]
    np.testing.assert_allclose(np.log(density), scores, rtol=1e-6)
    np.testing.assert_array_equal(tree["observed_data"]["price"], y)
    assert arviz.summary(tree, var_names=["risk", "n_active"]).shape[0] == 2
    assert arviz.summary(tree).shape[0] == 3 + posterior["f"].shape[2] + 2
    tree.to_netcdf(str(tmp_path / "d.nc"))
    assert (tmp_path / "d.nc").stat().st_size > 10_000
    walkers = LacunaRegressor(**{**QUICK, "start": "auto"}, walkers=2).fit(X, y).to_arviz()
    assert walkers["posterior"]["risk"].shape == (4, 50)
    del tree["log_likelihood"], tree
    assert "observed_data" not in pickle.loads(pickle.dumps(model)).to_arviz()


def test_seeds(data) -> None:
    X, y = data
    draws = [LacunaRegressor(**QUICK, random_state=seed).fit(X, y).predict(X) for seed in (1, 2, np.int64(1))]
    assert np.array_equal(draws[0], draws[2]) and not np.array_equal(draws[0], draws[1])
    model = LacunaRegressor(**QUICK, random_state=None).fit(X, y)
    np.testing.assert_array_equal(LacunaRegressor(**QUICK, random_state=model.seed_).fit(X, y).predict(X), model.predict(X))


def test_threads_change_nothing(data, model: LacunaRegressor) -> None:
    np.testing.assert_array_equal(LacunaRegressor(**QUICK, n_jobs=1).fit(*data).predict(data[0]), model.predict(data[0]))


def test_progress(data, capfd) -> None:
    LacunaRegressor(**{**QUICK, "burn_in": 200_000}, verbose=1).fit(*data)
    assert "steps/s" in capfd.readouterr().err


def test_examples_in_docstrings() -> None:
    for module in (lacuna, lacuna._fitted, lacuna._network, lacuna._regressor):
        result = doctest.testmod(module)
        assert result.failed == 0 and result.attempted > 0
