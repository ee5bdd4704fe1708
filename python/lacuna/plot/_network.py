"""The best network as a graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._network import Network
from .._regressor import LacunaRegressor
from ._style import BLUE, INK, ORANGE, axes, legend, names_of, target_of

Unit = tuple[int, int]  # layer, number


def _layers(net: Network) -> list[list[int]]:
    """The live units of each layer; inputs are layer 0."""
    used: list[set[int]] = [set() for _ in range(len(net.widths) + 2)]
    used[-1].add(0)
    for weight in net.live:
        used[weight.layer].add(weight.unit)
        if weight.source is not None:
            used[weight.layer - 1].add(weight.source)
    return [sorted(units) for units in used]


def _places(layers: list[list[int]], edges: list[tuple[Unit, Unit]]) -> dict[Unit, tuple[float, float]]:
    """Coordinates with few crossings: each unit near the mean of its neighbours, a few times to and fro.

    Inputs keep their order.
    """
    height = {(at, unit): spot for at, units in enumerate(layers) for unit, spot in zip(units, _spread(len(units)))}
    neighbours: dict[Unit, list[Unit]] = {}
    for a, b in edges:
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    for _ in range(12):
        for at in range(1, len(layers)):
            wanted = {
                unit: float(np.mean([height[n] for n in neighbours.get((at, unit), [(at, unit)])])) for unit in layers[at]
            }
            for unit, spot in zip(sorted(layers[at], key=wanted.__getitem__), _spread(len(layers[at]))):
                height[(at, unit)] = spot
    return {place: (float(place[0]), spot) for place, spot in height.items()}


def _spread(count: int) -> Any:
    return 0.5 - (np.arange(count) + 0.5) / count if count else []


def network(model: LacunaRegressor, *, ax: Any = None) -> Any:
    """The single best network: its live units, layer by layer, an edge for each live weight.

    Edges are wide where the weight is large and coloured by its sign; a filled unit has a shift of its own.

    >>> import numpy as np
    >>> from lacuna import LacunaRegressor, plot
    >>> x = np.linspace(-1, 1, 60)[:, None]
    >>> model = LacunaRegressor(widths=[4], lam="bayes", chains=2, burn_in=500, gap=2, draws=50).fit(x, np.abs(x[:, 0]))
    >>> plot.network(model).texts[0].get_text()
    'x0'
    """
    names, net = names_of(model), model.network_
    layers, last = _layers(net), len(net.widths) + 1
    edges: dict[tuple[Unit, Unit], float] = {
        ((weight.layer - 1, weight.source), (weight.layer, weight.unit)): weight.value
        for weight in net.live
        if weight.source is not None
    }
    place = _places(layers, list(edges))
    tallest = max(map(len, layers))
    ax = axes(ax, 1.7 * len(layers) + 1.2, float(np.clip(0.32 * tallest, 2.4, 9.0)))
    strongest = max(map(abs, edges.values()), default=1.0)
    for (a, b), value in edges.items():
        (x0, y0), (x1, y1) = place[a], place[b]
        strength = abs(value) / strongest
        ax.plot(
            [x0, x1], [y0, y1], color=BLUE if value > 0 else ORANGE, lw=0.5 + 3.5 * strength,
            alpha=0.35 + 0.6 * strength, solid_capstyle="round", zorder=1,
        )  # fmt: skip
    shifted = {(weight.layer, weight.unit) for weight in net.live if weight.source is None}
    dot = float(np.clip(900 / max(tallest, 1), 18, 90))
    for unit, (x, y) in place.items():
        ax.scatter([x], [y], s=dot, facecolor=INK if unit in shifted else "white", edgecolor=INK, lw=1.1, zorder=2)
    letters = "small" if tallest <= 25 else "xx-small"
    for number in layers[0]:
        x, y = place[(0, number)]
        ax.text(x - 0.09, y, names[number], ha="right", va="center", fontsize=letters, color=INK)
    x, y = place[(last, 0)]
    ax.text(x + 0.09, y, target_of(model), ha="left", va="center", fontsize=letters, color=INK)
    ax.plot([], [], color=BLUE, lw=2.5, label="positive weight")
    ax.plot([], [], color=ORANGE, lw=2.5, label="negative")
    ax.scatter([], [], s=35, facecolor=INK, edgecolor=INK, label="unit with a shift")
    ax.set(xlim=(-0.75, last + 0.6), ylim=(-0.56, 0.56))
    ax.axis("off")
    hidden = sum(map(len, layers[1:-1]))
    ax.set_title(f"{len(net.live)} live weights, {hidden} hidden units", loc="left", color=INK, fontsize="medium")
    legend(ax, ncol=3, loc="upper center", bbox_to_anchor=(0.5, 0.0))
    return ax
