"""Regression with sparse ReLU networks, sampled from their Gibbs posterior.

>>> import numpy as np
>>> from lacuna import LacunaRegressor
>>> x = np.linspace(-1, 1, 60)[:, None]
>>> model = LacunaRegressor(chains=2, widths=[4], lam="bayes", burn_in=300, gap=2, draws=50)
>>> model.fit(x, np.abs(x[:, 0])).predict(x).shape
(60,)
"""

from . import plot
from ._core import version as _version
from ._network import Network, Weight
from ._regressor import LacunaRegressor

__version__: str = _version()
__all__ = ["LacunaRegressor", "Network", "Weight", "__version__", "plot"]
