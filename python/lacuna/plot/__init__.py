"""Pictures of a fitted model, drawn with matplotlib.

Each function takes a fitted `LacunaRegressor` and, as `ax`, the axes to draw on (new ones where none are given), and
returns the axes.

>>> import numpy as np
>>> from lacuna import LacunaRegressor, plot
>>> x = np.linspace(-1, 1, 60)[:, None]
>>> model = LacunaRegressor(widths=[4], lam="bayes", chains=2, burn_in=500, gap=2, draws=50).fit(x, np.abs(x[:, 0]))
>>> plot.fit(model).get_xlabel()
'x0'
"""

from ._function import calibration, fit, partial_dependence
from ._network import network
from ._sampling import rank, trace
from ._sparsity import inclusion, size

__all__ = ["calibration", "fit", "inclusion", "network", "partial_dependence", "rank", "size", "trace"]
