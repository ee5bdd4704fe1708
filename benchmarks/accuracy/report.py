"""Writes RESULTS.md from the results file alone: tables, ranks, differences, what was lost."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from comparison import RANKED, Table, average_ranks, mean_over_splits, ordered, paired

HERE = Path(__file__).resolve().parent
OURS = "lacuna"
CORES = 2
# How many of the first inputs matter; the sets named here are simulated.
RELEVANT_INPUTS = {"friedman": 5, "friedman5": 5, "hierarchical": 4, "authors": 1}
METHOD_ORDER = (
    "lacuna",
    "ridge",
    "forest",
    "gp",
    "mlp",
    "xgboost",
    "lightgbm",
    "ngboost",
    "bart",
    "bde",
    "nuts",
)
TITLES = {
    "rmse": "RMSE",
    "crps": "CRPS",
    "log_score": "Mean log score (more is better)",
    "coverage_90": "Coverage of 90% predictive intervals",
    "width_90": "Mean width of 90% predictive intervals",
    "pit_deviation": "PIT deviation (distance of PIT values from the uniform law)",
    "excess_risk": "Excess risk of the mean against the truth (simulated sets)",
    "band_coverage": "Coverage of the truth by the 90% band of f (simulated sets)",
    "seconds": "Seconds to fit and predict",
}
LEVELS = (50, 90, 95)
NONE = "-"

Line = dict[str, Any]


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table whose first column is text."""
    shape = ["---"] + ["--:"] * (len(header) - 1)
    return ["| " + " | ".join(row) + " |" for row in (header, shape, *rows)] + [""]


def number(value: float) -> str:
    """Four significant digits, never an exponent for what is read in tables."""
    if not math.isfinite(value):
        return NONE
    if value == 0.0 or 1e-4 <= abs(value) < 1e5:
        digits = 3 if value == 0.0 else max(0, 3 - math.floor(math.log10(abs(value))))
        return f"{value:.{digits}f}"
    return f"{value:.3g}"


def shown_set(name: str) -> str:
    return f"{name} (simulated)" if name in RELEVANT_INPUTS else name


def table_of(lines: Sequence[Line], metric: str) -> Table:
    """The values of one metric by (set, split, method)."""
    table: Table = {}
    for line in lines:
        if line["status"] != "ok":
            continue
        if metric == "seconds":
            value = line["fit_seconds"] + line["predict_seconds"]
        else:
            value = line["metrics"].get(metric)
        if value is not None:
            table[line["set"], line["split"], line["method"]] = value
    return table


class Tier:
    """The lines of one time limit, and the order of their sets and methods."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        found = {line["set"]: line["rows"] for line in lines if "rows" in line}
        names = sorted({line["set"] for line in lines}, key=lambda name: (found.get(name, 0), name))
        self.sets = [name for name in names if name not in RELEVANT_INPUTS]
        self.sets += [name for name in names if name in RELEVANT_INPUTS]
        self.methods = ordered((line["method"] for line in lines), METHOD_ORDER)
        self.peers = [method for method in self.methods if method != OURS]

    def metric_table(self, metric: str) -> list[str]:
        """Sets x methods, means over splits; a star where a method lacks some of the splits."""
        means = mean_over_splits(table_of(self.lines, metric))
        rows = []
        for name in self.sets:
            counts = [means[name, m][1] for m in self.methods if (name, m) in means]
            if not counts:
                continue
            row = [shown_set(name), str(max(counts))]
            for method in self.methods:
                value, count = means.get((name, method), (math.nan, 0))
                row.append(number(value) + ("*" if 0 < count < max(counts) else ""))
            rows.append(row)
        return markdown(["set", "splits", *self.methods], rows) if rows else []

    def rank_table(self) -> list[str]:
        columns = {
            metric: average_ranks(table_of(self.lines, metric), more)
            for metric, more in RANKED.items()
        }
        rows = []
        for method in self.methods:
            places = [columns[metric].get(method, (math.nan, 0)) for metric in RANKED]
            rows.append([method, str(places[0][1]), *(f"{place:.2f}" for place, _ in places)])
        return markdown(["method", "sets", "RMSE", "CRPS", "log score"], rows)

    def paired_table(self, metric: str) -> list[str]:
        """Lacuna - peer: mean, standard error, splits won : lost; all sets in the last row."""
        table, more = table_of(self.lines, metric), RANKED[metric]
        total = {peer: [0, 0] for peer in self.peers}
        rows = []
        for name in self.sets:
            row = [shown_set(name)]
            for peer in self.peers:
                found = paired(table, name, OURS, peer, more)
                if found is None:
                    row.append(NONE)
                    continue
                error = number(found.standard_error)
                row.append(f"{number(found.mean)} ± {error} ({found.won}:{found.lost})")
                total[peer][0] += found.won
                total[peer][1] += found.lost
            if any(cell != NONE for cell in row[1:]):
                rows.append(row)
        if not rows:
            return []
        rows.append(["won : lost", *(f"{won}:{lost}" for won, lost in total.values())])
        return markdown(["set", *self.peers], rows)

    def coverage_table(self) -> list[str]:
        """Mean and minimum over sets of the coverage at each level, and the mean PIT deviation."""
        rows = []
        for method in self.methods:
            row = [method]
            for metric in (*(f"coverage_{level}" for level in LEVELS), "pit_deviation"):
                means = mean_over_splits(table_of(self.lines, metric))
                values = [value for (_, other), (value, _) in means.items() if other == method]
                row.append(f"{sum(values) / len(values):.3f}" if values else NONE)
                if metric != "pit_deviation":
                    row.append(f"{min(values):.3f}" if values else NONE)
            rows.append(row)
        header = ["method"]
        for level in LEVELS:
            header += [f"{level}%", "min"]
        return markdown([*header, "PIT deviation"], rows)

    def sparsity_table(self) -> list[str]:
        """Weights of Lacuna's networks, and the inputs they use where the truth is known."""
        rows = []
        for name in self.sets:
            fits = [
                line["facts"]
                for line in self.lines
                if (line["set"], line["method"], line["status"]) == (name, OURS, "ok")
            ]
            if not fits:
                continue
            row = [shown_set(name)]
            for fact in ("active_weights", "live_weights"):
                row.append(f"{sum(fit[fact] for fit in fits) / len(fits):.0f}")
            relevant = RELEVANT_INPUTS.get(name)
            if relevant is None:
                row += [NONE, NONE]
            else:
                shares = [list(fit["inclusion"].values()) for fit in fits]
                row.append(f"{min(min(share[:relevant]) for share in shares):.2f}")
                others = [max(share[relevant:]) for share in shares if len(share) > relevant]
                row.append(f"{max(others):.2f}" if others else NONE)
            rows.append(row)
        if not rows:
            return []
        header = ["set", "active weights", "of them live"]
        return markdown([*header, "least relevant input", "most irrelevant input"], rows)

    def losses(self) -> list[str]:
        """Every set on which a peer has the better mean over the splits that both have."""
        rows = []
        for metric, more in RANKED.items():
            table = table_of(self.lines, metric)
            for name in self.sets:
                worse = []
                for peer in self.peers:
                    found = paired(table, name, OURS, peer, more)
                    if found is not None and (found.mean < 0 if more else found.mean > 0):
                        worse.append((abs(found.mean), peer, found))
                for by, peer, found in sorted(worse, reverse=True):
                    values = [table[key] for key in table if key[0] == name and key[2] == peer]
                    share = by / abs(sum(values) / len(values)) if not more else math.nan
                    relative = f"{100 * share:.1f}%" if math.isfinite(share) else NONE
                    counts = f"{found.won}:{found.lost}"
                    rows.append([shown_set(name), TITLES[metric].partition(" (")[0], peer])
                    rows[-1] += [number(by), relative, counts]
        if not rows:
            return ["Nothing, in what was run.", ""]
        return markdown(["set", "metric", "to", "by", "relative", "won : lost"], rows)

    def unfinished(self) -> list[str]:
        """Cells without a result, with what is known about why."""
        found: dict[tuple[str, str, str, str], list[int]] = {}
        for line in self.lines:
            if line["status"] != "ok":
                key = (line["method"], line["set"], line["status"], line["error"])
                found.setdefault(key, []).append(line["split"])
        if not found:
            return ["All cells have a result.", ""]
        return markdown(
            ["method", "set", "splits", "outcome", "why"],
            (
                [method, shown_set(name), ", ".join(map(str, sorted(splits))), status, error]
                for (method, name, status, error), splits in sorted(found.items())
            ),
        )

    def sections(self) -> list[str]:
        text: list[str] = []

        def add(title: str, table: list[str], note: str = "") -> None:
            if table:
                text.extend([f"### {title}", "", *([note, ""] if note else []), *table])

        note = "On each set that more than half of the methods have, means over splits are ranked."
        add("Average rank over sets", self.rank_table(), note)
        for metric in ("rmse", "crps", "log_score"):
            add(TITLES[metric], self.metric_table(metric))
        note = "Mean difference over splits ± standard error (splits won : lost by lacuna)."
        for metric in RANKED:
            title = f"Lacuna less peer: {TITLES[metric]}"
            add(title, self.paired_table(metric), note)
        add("What was lost", self.losses() if self.has_ours() else [])
        add("Calibration over all sets", self.coverage_table())
        for metric in ("coverage_90", "width_90", "pit_deviation", "excess_risk", "band_coverage"):
            add(TITLES[metric], self.metric_table(metric))
        note = "Inclusion: the smallest of an input that matters, the largest of one that does not."
        add("Sparsity of Lacuna's networks", self.sparsity_table(), note)
        add(TITLES["seconds"], self.metric_table("seconds"))
        add("Without a result", self.unfinished())
        return text

    def has_ours(self) -> bool:
        return any(line["method"] == OURS and line["status"] == "ok" for line in self.lines)


def machines(lines: Sequence[Line]) -> list[str]:
    """The machines that the file names, newest last."""
    text = ["## Where it was measured", ""]
    for machine in (line["machine"] for line in lines if "machine" in line):
        packages = ", ".join(f"{name} {version}" for name, version in machine["packages"].items())
        text.append(
            f"- {machine['cpu']}, {machine['cores']} cores, two of them used; {machine['lacuna']}; "
            f"Python {machine['python']}; {packages}"
        )
    loads = [line["load"] for line in lines if "load" in line]
    if loads:
        busy = sum(load > CORES + 1 for load in loads)
        average = sum(loads) / len(loads)
        text += [
            "",
            f"Load of the machine before a cell began: {average:.1f} on average,",
            f"above {CORES + 1} before {busy} of {len(loads)} cells.",
            "The method that ran before is part of it, up to 2 or so. Under more, a method got less than",
            "two cores: its seconds are too many, and what is limited by time was cut short.",
        ]
    return [*text, ""]


def report(lines: Sequence[Line]) -> str:
    """The whole document."""
    text = [
        "# Accuracy of Lacuna and its peers",
        "",
        "Written by `report.py` from `results.jsonl`; what was done is in `README.md`. Values are",
        "means over splits in the units of the target; a star marks a method that lacks some of",
        "the splits of a set, and is not ranked there.",
        "",
    ]
    cells = [line for line in lines if "method" in line]
    for tier in sorted({line["tier"] for line in cells}):
        text += [f"## {tier:g} seconds on two cores", ""]
        text += Tier([line for line in cells if line["tier"] == tier]).sections()
    return "\n".join([*text, *machines(lines)])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=HERE / "results.jsonl")
    parser.add_argument("--out", type=Path, help="[RESULTS.md beside the results]")
    options = parser.parse_args()
    content = options.results.read_text(encoding="utf-8")
    lines = [json.loads(line) for line in content.splitlines() if line]
    out = options.out or options.results.with_name("RESULTS.md")
    out.write_text(report(lines), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
