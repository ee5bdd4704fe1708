"""Runs the real command for the tests of the command line."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Callable

import pytest

Lacuna = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def command() -> str:
    """The path of the built command, from the environment or the usual build folders."""
    root = Path(__file__).resolve().parents[2]
    for candidate in (os.environ.get("LACUNA_COMMAND"), root / "build-dev/lacuna", root / "build/lacuna"):
        if candidate and Path(candidate).exists():
            return str(candidate)
    pytest.fail("no lacuna command found; run ./dev build, or set LACUNA_COMMAND")


@pytest.fixture
def lacuna(command: str, tmp_path: Path) -> Lacuna:
    """Calls the command in a temporary folder: lacuna("fit", "d.csv", ...)."""

    def call(*arguments: object, code: int = 0, timeout: float = 600.0) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [command, *map(str, arguments)], cwd=tmp_path, capture_output=True, text=True, timeout=timeout
        )
        assert done.returncode == code, f"exit {done.returncode}, expected {code}\n{done.stdout}\n{done.stderr}"
        return done

    return call
