"""A curve with a kink from 150 noisy points: posterior mean, band of the curve, band of observations."""

import sys

import numpy as np

from lacuna import LacunaRegressor, plot

random = np.random.default_rng(1)
x = np.sort(random.uniform(-3, 3, 150))
truth = np.sin(2 * x) * (x < 0) + np.abs(x - 1.5) * (x >= 0) - 1.5 * (x >= 0)
y = truth + 0.2 * random.normal(size=150)

model = LacunaRegressor(time_limit=30).fit(x[:, None], y)
ax = plot.fit(model)
ax.plot(x, truth, color="black", lw=1, ls=":", label="truth")
ax.legend(frameon=False, fontsize="small")
ax.figure.savefig(f"{sys.argv[1]}/one_dimension.png", dpi=120)
