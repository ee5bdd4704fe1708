"""A gap in the data and the land beyond it: the band of the curve opens where nothing was seen."""

import sys

import numpy as np

from lacuna import LacunaRegressor, plot

random = np.random.default_rng(3)
x = np.concatenate([random.uniform(-2, -0.7, 60), random.uniform(0.7, 2, 60)])
y = x**2 + 0.15 * random.normal(size=120)

model = LacunaRegressor(time_limit=30).fit(x[:, None], y)
ax = plot.fit(model, np.array([[-3.5], [3.5]]))
ax.scatter(x, y, s=9, color="black", alpha=0.55, lw=0)
ax.figure.savefig(f"{sys.argv[1]}/off_the_data.png", dpi=120)
inside = model.predict(x[:, None], return_std=True)[1].mean()
gap, beyond = model.predict(np.array([[0.0], [3.5]]), return_std=True)[1]
print(f"sd of f: {inside:.3f} at the data, {gap:.3f} in the gap, {beyond:.3f} beyond")
