"""Certificates from Python: the same numbers as the command's, and what a loaded model needs."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from lacuna import LacunaRegressor

QUICK = {"runs": 4, "rungs": 20, "steps": 4}


@pytest.fixture(scope="module")
def data() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(5)
    x = random.uniform(-1, 1, (60, 2))
    return x, np.abs(x[:, 0]) + 0.1 * random.normal(size=60)


@pytest.fixture(scope="module")
def model(data) -> LacunaRegressor:
    return LacunaRegressor(widths=[4], lam="bayes", chains=2, burn_in=100, gap=1, draws=40).fit(*data)


def test_held_out_rows(model, data) -> None:
    x, y = data
    found = model.certificate(0.1, X_test=-x, y_test=y, **QUICK)
    assert found["delta"] == 0.1
    assert set(found["certificates"]) == {"theorem", "pac_bayes_kl", "pac_bayes_kl_draws", "test_set"}
    losses = (y - model.predict(-x)) ** 2
    scaled = found["certificates"]["test_set"]["terms"]["mean_loss"]
    assert np.isclose(scaled * found["target_scale"] ** 2, losses.mean())
    with pytest.raises(ValueError, match="belong together"):
        model.certificate(X_test=x, **QUICK)
    with pytest.raises(ValueError, match="held out"):
        model.certificate(X_test=x, y_test=y, **QUICK)


def test_stops_when_asked(model) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where a shell started this in the background

    def interrupt() -> None:
        time.sleep(0.5)
        signal.raise_signal(signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        model.certificate(rungs=10**6)


def test_a_loaded_model_needs_its_data(model, data) -> None:
    copy = pickle.loads(pickle.dumps(model))
    with pytest.raises(ValueError, match="give X and y"):
        copy.certificate(**QUICK)
    assert copy.certificate(X=data[0], y=data[1], **QUICK) == model.certificate(**QUICK)
    with pytest.raises(ValueError, match="fitted to other data"):
        copy.certificate(X=data[0], y=data[1] + 1, **QUICK)


def test_the_command_says_the_same(model, data, tmp_path: Path) -> None:
    x, y = data
    lines = ["x0,x1,y"] + [f"{a!r},{b!r},{c!r}" for (a, b), c in zip(x.tolist(), y.tolist())]
    (tmp_path / "d.csv").write_text("\n".join(lines) + "\n")
    model.save(tmp_path / "m.lacuna")
    command = os.environ["LACUNA_COMMAND"]
    options = ["--data", "d.csv", "--runs", "4", "--rungs", "20", "--steps", "4", "--json"]
    done = subprocess.run(
        [command, "certify", "m.lacuna", *options], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == model.certificate(**QUICK)
