"""A network that can be read: two kinks and a product of signs, from 400 rows with five inputs that mean nothing."""

import sys

import numpy as np
import pandas as pd

from lacuna import LacunaRegressor, plot

random = np.random.default_rng(6)
names = ["dose", "age", "weight", "a", "b", "c", "d", "e"]
X = pd.DataFrame(random.normal(size=(400, 8)), columns=names)
y = 2 * np.maximum(X["dose"] - 0.5, 0) - np.abs(X["age"]) + 0.5 * X["weight"] + 0.15 * random.normal(size=400)

model = LacunaRegressor(time_limit=40).fit(X, y.rename("effect"))
print(model.network_)
plot.network(model).figure.savefig(f"{sys.argv[1]}/read_network.png", dpi=120)
