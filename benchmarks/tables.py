"""What all benchmarks share: running a program that prints JSON, tables, and the wishes that they are held against."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Mapping, Sequence


@dataclass
class Bench:
    """Where the programs are, and what peers run on (none: only Lacuna is measured)."""

    programs: Path
    lacuna: Path
    peers: "Path | None"
    repetitions: int
    seconds: float  # of one measurement

    def program(self, name: str, *words: object) -> "dict[str, Any]":
        return measure([self.programs / f"bench_{name}", *words])

    def peer(self, script: str, *words: object) -> "dict[str, Any]":
        assert self.peers is not None
        return measure([self.peers / "bin" / "python", Path(__file__).parent / "peers" / script, *words])


def measure(words: "Sequence[object]") -> "dict[str, Any]":
    """Runs a program and reads the JSON object in its last line."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(str(word) for word in words)} failed:\n{done.stderr[-2000:]}")
    result: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return result


def by_turns(runs: "Mapping[str, Callable[[], dict[str, Any]]]", key: str, repetitions: int) -> "dict[str, float]":
    """The best of several measurements of each, taken in turn, so that a change of the machine's speed hits all."""
    best = dict.fromkeys(runs, 0.0)
    for _ in range(repetitions):
        for name, run in runs.items():
            best[name] = max(best[name], float(run()[key]))
    return best


@dataclass
class Table:
    title: str
    columns: "Sequence[str]"
    rows: "list[Sequence[str]]" = field(default_factory=list)
    remarks: "list[str]" = field(default_factory=list)
    wishes: "list[tuple[str, bool]]" = field(default_factory=list)

    def row(self, *cells: str) -> None:
        self.rows.append(cells)

    def wish(self, sentence: str, met: bool) -> None:
        self.wishes.append((sentence, met))

    def markdown(self) -> str:
        widths = [max(len(row[c]) for row in [self.columns, *self.rows]) for c in range(len(self.columns))]
        line = lambda cells: "| " + " | ".join(  # noqa: E731
            cell.ljust(width) if c == 0 else cell.rjust(width) for c, (cell, width) in enumerate(zip(cells, widths))
        ) + " |"
        rule = "|" + "|".join("-" * (w + 2) if c == 0 else "-" * (w + 1) + ":" for c, w in enumerate(widths)) + "|"
        parts = [f"## {self.title}", "", line(self.columns), rule, *map(line, self.rows)]
        if self.remarks:
            parts += ["", *self.remarks]
        if self.wishes:
            parts += ["", *(f"- {'met' if met else 'NOT MET'}: {sentence}" for sentence, met in self.wishes)]
        return "\n".join(parts) + "\n"


def machine() -> str:
    """The machine in a line, as far as the system tells."""
    model = platform.processor()
    flags = ""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
        if line.startswith("flags"):
            words = line.split()
            flags = "AVX-512" if "avx512f" in words else "AVX2" if "avx2" in words else "no AVX2"
            break
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{model}, {flags}, {len(os.sched_getaffinity(0))} cores, {memory:.0f} GiB"
