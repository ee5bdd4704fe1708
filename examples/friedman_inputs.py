"""Friedman's function with ten inputs that mean nothing: which inputs are used, and how the prediction follows them."""

import sys

import numpy as np
from matplotlib import pyplot

from lacuna import LacunaRegressor, plot

random = np.random.default_rng(2)
X = random.uniform(0, 1, (500, 15))
f = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2 + 10 * X[:, 3] + 5 * X[:, 4]
y = f + 0.5 * random.normal(size=500)

model = LacunaRegressor(time_limit=40).fit(X, y)
print("the five real inputs:", model.inclusion_[:5].round(2), "the noise inputs: at most", model.inclusion_[5:].max().round(2))
figure, places = pyplot.subplots(2, 2, figsize=(10, 7), layout="constrained")
plot.inclusion(model, ax=places[0, 0])
plot.partial_dependence(model, 2, ax=places[0, 1])
plot.partial_dependence(model, 3, ax=places[1, 0])
plot.size(model, ax=places[1, 1])
figure.savefig(f"{sys.argv[1]}/friedman_inputs.png", dpi=110)
