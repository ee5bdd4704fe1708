"""A single network, small enough to read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Weight:
    """One weight of a network, in scaled units.

    `layer` 1 is the first hidden one; `source` is a unit of the layer before (an input, for layer 1), or None for a
    shift. A weight that is not `live` lies on no path to the output.

    >>> Weight(layer=1, unit=0, source=2, value=0.5, live=True).value
    0.5
    """

    layer: int
    unit: int
    source: int | None
    value: float
    live: bool


@dataclass(frozen=True)
class Network:
    """The network of one draw: its active weights, and what it takes to compute with them.

    >>> net = Network(["a"], (1,), (Weight(1, 0, 0, 1.0, True), Weight(2, 0, 0, 2.0, True)))
    >>> print(net)
    1 live hidden unit, 2 live weights
      h1.0 = relu(1 a)
      f = 2 h1.0
    >>> net.predict(np.array([[-1.0], [3.0]]))
    array([0., 6.])
    """

    inputs: list[str]
    widths: tuple[int, ...]
    weights: tuple[Weight, ...]
    input_shift: NDArray[np.float64] = field(default_factory=lambda: np.zeros(1))
    input_scale: NDArray[np.float64] = field(default_factory=lambda: np.ones(1))
    target_shift: float = 0.0
    target_scale: float = 1.0
    clip: float = float("inf")

    @property
    def live(self) -> tuple[Weight, ...]:
        """The weights that matter.

        >>> Network(["a"], (1,), (Weight(1, 0, 0, 1.0, False),)).live
        ()
        """
        return tuple(weight for weight in self.weights if weight.live)

    def predict(self, x: Any) -> NDArray[np.float64]:
        """f of this network at the rows of `x`, in the units of the target.

        >>> Network(["a"], (1,), (Weight(2, 0, None, 2.0, True),)).predict([[5.0]])
        array([2.])
        """
        below: NDArray[np.float64] = (np.asarray(x, dtype=float) - self.input_shift) / self.input_scale
        for layer in range(1, len(self.widths) + 2):
            units = self.widths[layer - 1] if layer <= len(self.widths) else 1
            here = np.zeros((below.shape[0], units))
            for weight in self.weights:
                if weight.layer == layer:
                    here[:, weight.unit] += weight.value * (1.0 if weight.source is None else below[:, weight.source])
            below = np.maximum(here, 0.0) if layer <= len(self.widths) else here
        return self.target_shift + self.target_scale * np.clip(below[:, 0], -self.clip, self.clip)

    def __str__(self) -> str:
        units: dict[tuple[int, int], list[str]] = {}
        for weight in self.live:
            if weight.source is None:
                term = f"{weight.value:.3g}"
            elif weight.layer == 1:
                term = f"{weight.value:.3g} {self.inputs[weight.source]}"
            else:
                term = f"{weight.value:.3g} h{weight.layer - 1}.{weight.source}"
            units.setdefault((weight.layer, weight.unit), []).append(term)
        last = len(self.widths) + 1
        hidden = sum(layer < last for layer, _ in units)
        plural = "" if hidden == 1 else "s"
        lines = [f"{hidden} live hidden unit{plural}, {len(self.live)} live weights"]
        for (layer, unit), terms in sorted(units.items()):
            total = " + ".join(terms).replace("+ -", "- ")
            lines.append(f"  f = {total}" if layer == last else f"  h{layer}.{unit} = relu({total})")
        return "\n".join(lines)
