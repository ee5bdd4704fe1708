"""Frames whose column names this scikit-learn does not read."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import _get_feature_names


class _Named:
    """Rows with names in the way that scikit-learn before 1.9 looks for them, and polars since 2.0 no longer offers."""

    def __init__(self, frame: Any) -> None:
        self._values = frame.to_numpy()
        self._names = list(frame.columns)
        self.shape = self._values.shape

    def __len__(self) -> int:
        return len(self._values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self._values, dtype=dtype) if copy else np.asarray(self._values, dtype=dtype)

    def __dataframe__(self, *_: Any, **__: Any) -> _Named:
        return self

    def column_names(self) -> list[str]:
        return self._names


def with_names(X: Any) -> Any:
    """`X`, or its rows and names where scikit-learn would miss the names."""
    is_frame = hasattr(X, "columns") and hasattr(X, "to_numpy") and not hasattr(X, "__dataframe__")
    return _Named(X) if is_frame and _get_feature_names(X) is None else X
