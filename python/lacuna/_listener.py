"""What a run tells: a bar with tqdm where there is one, log messages, and warnings."""

from __future__ import annotations

import logging
import sys
import warnings
from typing import Any

logger = logging.getLogger("lacuna")


def _bar() -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=100, unit="%", bar_format="{desc} {percentage:3.0f}%|{bar}| {elapsed}<{postfix}", leave=False)


class Listener:
    """Shows progress where `verbose` asks for it; a context that closes its bar."""

    def __init__(self, verbose: int) -> None:
        self._verbose = verbose
        self._bar: Any = None
        self._phase = ""

    def __enter__(self) -> Listener:
        if self._verbose > 0:
            self._bar = _bar()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def progress(
        self, phase: str, fraction: float, steps_per_second: float, acceptance: float, risk: float, active: float,
        seconds_left: float,
    ) -> None:  # fmt: skip
        if self._verbose <= 0:
            return
        told = f"{steps_per_second:,.0f} steps/s, accepted {acceptance:.0%}, risk {risk:.4g}, active {active:.0f}"
        if self._bar is not None:
            self._bar.set_description_str(phase, refresh=False)
            self._bar.set_postfix_str(f"{seconds_left:.0f} s, {told}", refresh=False)
            self._bar.n = round(100 * fraction)
            self._bar.refresh()
        elif phase != self._phase:
            print(f"lacuna: {phase}: {fraction:.0%}, {told}", file=sys.stderr)
        self._phase = phase

    def warn(self, sentence: str) -> None:
        warnings.warn(sentence, UserWarning, stacklevel=4)

    def inform(self, sentence: str) -> None:
        logger.info(sentence)
