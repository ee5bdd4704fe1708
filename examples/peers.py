"""The same data for a Gaussian process and gradient boosting: error and coverage on new rows."""

import sys
import warnings

import numpy as np
from matplotlib import pyplot
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from lacuna import LacunaRegressor

warnings.filterwarnings("ignore", module="sklearn")  # of kernel bounds that noise inputs run into
random = np.random.default_rng(4)
p, n = 12, 400
X, new = random.uniform(0, 1, (n, p)), random.uniform(0, 1, (1000, p))


def f(rows):
    return np.where(rows[:, 0] < 0.5, 2 * rows[:, 1], 3 - 2 * rows[:, 1]) + np.maximum(rows[:, 2] - 0.6, 0) * 4


y, y_new = f(X) + 0.2 * random.normal(size=n), f(new) + 0.2 * random.normal(size=1000)

results = {}
model = LacunaRegressor(time_limit=60).fit(X, y)
results["Lacuna"] = (model.predict(new), *model.predict_interval(new, 0.9, "y").T)
kernel = ConstantKernel() * RBF(np.ones(p)) + WhiteKernel()
gp = GaussianProcessRegressor(kernel, normalize_y=True).fit(X, y)
mean, sd = gp.predict(new, return_std=True)
results["GP, one scale per input"] = (mean, mean - 1.645 * sd, mean + 1.645 * sd)
ends = [GradientBoostingRegressor(loss="quantile", alpha=q, n_estimators=300).fit(X, y).predict(new) for q in (0.05, 0.95)]
results["gradient boosting"] = (GradientBoostingRegressor(n_estimators=300).fit(X, y).predict(new), *ends)

figure, places = pyplot.subplots(1, 3, figsize=(11, 4), layout="constrained", sharey=True)
for ax, (name, (mean, low, high)) in zip(places, results.items()):
    error = np.sqrt(np.mean((mean - f(new)) ** 2))
    inside = np.mean((low <= y_new) & (y_new <= high))
    print(f"{name:24} error against the truth {error:.3f}, {inside:.0%} of observations inside the 90% interval")
    ax.scatter(f(new), mean, s=5, alpha=0.4, lw=0)
    ax.axline((0, 0), slope=1, color="black", lw=0.8)
    ax.set_title(f"{name}\nerror {error:.3f}, coverage {inside:.0%}", fontsize="medium", loc="left")
    ax.set_xlabel("truth")
places[0].set_ylabel("prediction")
figure.savefig(f"{sys.argv[1]}/peers.png", dpi=110)
