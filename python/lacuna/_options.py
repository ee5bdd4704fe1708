"""Arguments of the estimator as options of the command: names and texts."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from ._core import check_options

# An argument with another name than its option, and arguments that are none.
_RENAMED = {"lam": "lambda"}
_NOT_OPTIONS = ("random_state", "n_jobs", "verbose", "out")


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(map(_text, value))
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    return str(value)


def seed_from(random_state: Any) -> int:
    """The seed that an argument `random_state` stands for; None takes a new one."""
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    return int(random_state)


def threads_from(n_jobs: int | None) -> int:
    """0 means one per core."""
    return 0 if n_jobs is None or n_jobs < 0 else int(n_jobs)


def options_from(arguments: dict[str, Any]) -> list[tuple[str, str]]:
    """Throws ValueError with the command's sentence where one is out of range."""
    options = [
        (_RENAMED.get(name, name).replace("_", "-"), _text(value))
        for name, value in arguments.items()
        if value is not None and name not in _NOT_OPTIONS
    ]
    options.append(("seed", str(seed_from(arguments["random_state"]))))
    if threads := threads_from(arguments["n_jobs"]):
        options.append(("threads", str(threads)))
    check_options(options)
    return options
