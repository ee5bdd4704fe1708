"""Inside scikit-learn: a pipeline whose settings are searched over, and predictions for every row by cross-validation."""

import sys

import numpy as np
from matplotlib import pyplot
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

from lacuna import LacunaRegressor

random = np.random.default_rng(5)
X = random.uniform(-1, 1, (200, 3))
y = np.maximum(X[:, 0] * X[:, 1], 0) + 0.05 * random.normal(size=200)

pipeline = make_pipeline(PolynomialFeatures(include_bias=False), LacunaRegressor(widths=[8], time_limit=3))
search = GridSearchCV(pipeline, {"polynomialfeatures__degree": [1, 2], "lacunaregressor__widths": [[8], [8, 8]]}, cv=3)
search.fit(X, y)
print("best:", search.best_params_, f"R^2 {search.best_score_:.3f}")
predicted = cross_val_predict(search.best_estimator_, X, y, cv=3)

figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 4), layout="constrained")
table = search.cv_results_
labels = [f"degree {s['polynomialfeatures__degree']}\n{s['lacunaregressor__widths']}" for s in table["params"]]
left.bar(labels, table["mean_test_score"], yerr=table["std_test_score"], color="#1f6fb2", capsize=3)
left.set_ylabel("R^2 of held-out rows")
left.tick_params(labelsize="small")
right.scatter(y, predicted, s=10, lw=0, alpha=0.6)
right.axline((0, 0), slope=1, color="black", lw=0.8)
right.set(xlabel="observed", ylabel="predicted by the other folds")
figure.savefig(f"{sys.argv[1]}/grid_search.png", dpi=110)
