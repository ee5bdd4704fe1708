"""Runs the benchmarks, prints their tables and writes them to RESULTS.md: ratios between things measured in one run."""

from __future__ import annotations

import argparse
from pathlib import Path

from effective import effective
from speed import gradients, huge_network, mala, predictions, sparse_steps, two_chains
from tables import Bench, Table, machine

TABLES = {
    "gradients": gradients, "mala": mala, "sparse": sparse_steps, "chains": two_chains, "effective": effective,
    "predictions": predictions, "huge": huge_network,
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES)} [all]")
    parser.add_argument("--build", type=Path, default=Path("build-bench"), help="folder with the built benchmarks")
    parser.add_argument("--peers", type=Path, help="virtual environment of the peers; without it only Lacuna is measured")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement")
    parser.add_argument("--results", type=Path, help="write the tables there, if all are run")
    arguments = parser.parse_args()
    unknown = set(arguments.tables) - set(TABLES)
    if unknown:
        parser.error(f"no table {sorted(unknown)[0]!r}; there are {', '.join(TABLES)}")
    build = arguments.build.resolve()
    bench = Bench(build / "benchmarks", build / "lacuna", arguments.peers, arguments.repetitions, arguments.seconds)
    done: list[Table] = []
    for name in arguments.tables or TABLES:
        done.append(TABLES[name](bench))
        print(done[-1].markdown(), flush=True)
    if arguments.results and not arguments.tables:
        head = f"# Speed\n\nPrinted by `./dev bench` on: {machine()}. Wishes that are not met are listed like those that are.\n\n"
        arguments.results.write_text(head + "\n".join(table.markdown() for table in done))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
