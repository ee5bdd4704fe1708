"""The draws of a fit: a file, and what was read from it."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._core import Fit


class Training(NamedTuple):
    """The data of a fit, for extend() and to_arviz(); not in pickles."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    names: list[str]
    target: str
    weights: NDArray[np.float64] | None


class Posterior:
    """A `.lacuna` file with its content. Without a path of its own it lives in a temporary folder while it is needed.

    Pickles carry the bytes of the file.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self._fit: Fit | None = None
        self._summary: dict[str, Any] | None = None
        if path is None:
            folder = tempfile.mkdtemp(prefix="lacuna-")
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            self.path = Path(folder) / "fit.lacuna"
        else:
            self.path = Path(path)

    @property
    def fit(self) -> Fit:
        if self._fit is None:
            self._fit = Fit.open(str(self.path))
        return self._fit

    @property
    def summary(self) -> dict[str, Any]:
        if self._summary is None:
            self._summary = json.loads(self.fit.summary())
        return self._summary

    def forget(self) -> None:
        """The file has grown: read it again when asked."""
        self._fit = self._summary = None

    def __getstate__(self) -> dict[str, bytes]:
        return {"bytes": self.path.read_bytes()}

    def __setstate__(self, state: dict[str, bytes]) -> None:
        Posterior.__init__(self)
        self.path.write_bytes(state["bytes"])
