"""Tables of raw speed: gradients, MALA steps, how the cost of a sparse step grows, two chains, predictions."""

from __future__ import annotations

import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median

from tables import Bench, Table, by_turns

SHAPES = (("10-64-64-1, n = 10,000", "10 64,64 10000"), ("5-16-16-16-16-1, n = 1,202", "5 16,16,16,16 1202"),
          ("8-50-1, n = 10,000", "8 50 10000"))  # fmt: skip


def gradients(bench: Bench) -> Table:
    table = Table(
        "Gradients per second, one thread (jax*: all threads)",
        ("network", "precision", "Lacuna", "GFLOP/s", "of peak", "jax", "jax*", "torch", "Eigen", "times jax", "times torch"),
        remarks=["The same network, weights and data everywhere; risk and norm of the gradient agree to 1e-4. The peak is that"
                 " of multiply-adds in registers, measured with each gradient. Best of the repetitions."],
    )  # fmt: skip
    for name, shape in SHAPES:
        for precision in ("single", "full"):
            words = [*shape.split(), precision]
            runs = {
                "lacuna": lambda: bench.program("gradients", *words, bench.seconds),
                "eigen": lambda: bench.program("eigen_gradients", *words, bench.seconds),
            }
            if bench.peers:
                runs["jax"] = lambda: bench.peer("gradients.py", "jax", *words, 1, bench.seconds)
                runs["jax*"] = lambda: bench.peer("gradients.py", "jax", *words, "all", bench.seconds)
                runs["torch"] = lambda: bench.peer("gradients.py", "torch", *words, 1, bench.seconds)
            norms = [run()["gradient_norm"] for run in runs.values()]
            if max(norms) - min(norms) > 1e-4 * max(norms):
                raise SystemExit(f"{name}: the gradients differ: {norms}")
            shares = [bench.program("gradients", *words, bench.seconds) for _ in range(bench.repetitions)]
            share = max(run["gflops"] / run["peak_gflops"] for run in shares)
            rate = by_turns(runs, "gradients_per_second", bench.repetitions)
            rate["lacuna"] = max(rate["lacuna"], *(run["gradients_per_second"] for run in shares))
            gflops = shares[0]["gflops"] / shares[0]["gradients_per_second"] * rate["lacuna"]
            cell = lambda peer: f"{rate[peer]:,.0f}" if peer in rate else "-"  # noqa: E731
            times = lambda peer: f"{rate['lacuna'] / rate[peer]:.2f}" if peer in rate else "-"  # noqa: E731
            table.row(name, precision, cell("lacuna"), f"{gflops:.1f}", f"{share:.0%}", cell("jax"), cell("jax*"),
                      cell("torch"), cell("eigen"), times("jax"), times("torch"))  # fmt: skip
            if name.startswith("10-"):
                least = 0.60 if precision == "single" else 0.55
                table.wish(f"{name}, {precision}: {share:.0%} of the peak, wanted {least:.0%}", share >= least)
                for peer in ("jax", "torch") if bench.peers and precision == "single" else ():
                    ratio = rate["lacuna"] / rate[peer]
                    table.wish(f"{name}, {precision}: {ratio:.2f} times {peer}, wanted 2", ratio >= 2)
            if name.startswith("5-") and bench.peers and precision == "single":
                ratio = rate["lacuna"] / rate["jax"]
                table.wish(f"{name}, {precision}: {ratio:.2f} times jax, wanted 6", ratio >= 6)
    return table


def mala(bench: Bench) -> Table:
    table = Table(
        "MALA steps per second on a dense 8-50-1 posterior, n = 10,000, one thread",
        ("precision", "Lacuna", "blackjax", "times blackjax"),
    )
    for precision in ("single", "full"):
        words = ["8", "50", "10000", precision, bench.seconds]
        runs = {"lacuna": lambda: bench.program("mala", *words)}
        if bench.peers:
            runs["blackjax"] = lambda: bench.peer("mala.py", *words)
        rate = by_turns(runs, "steps_per_second", bench.repetitions)
        ratio = rate["lacuna"] / rate["blackjax"] if bench.peers else float("nan")
        table.row(precision, f"{rate['lacuna']:,.0f}", f"{rate.get('blackjax', 0):,.0f}", f"{ratio:.2f}")
        if bench.peers and precision == "single":
            table.wish(f"{ratio:.2f} times blackjax in single precision, wanted 5", ratio >= 5)
    return table


def sparse_steps(bench: Bench) -> Table:
    """Units 9, 27 and 91 make 100, 298 and 1,002 live weights; a third of them 34."""
    table = Table(
        "Steps of the default sampler from a given sparse network, one thread",
        ("what grows", "live weights", "P", "rows", "steps/s", "times the time of the first"),
    )
    series = {
        "live weights": [(3, 100, 2000), (9, 100, 2000), (27, 100, 2000), (91, 100, 2000)],
        "P": [(9, 30, 2000), (9, 100, 2000), (9, 1000, 2000), (9, 10_000, 2000), (9, 31_622, 2000)],
        "rows": [(9, 100, 1000), (9, 100, 10_000), (9, 100, 100_000), (9, 100, 1_000_000)],
    }
    time_of: dict[str, list[float]] = {}
    for what, cases in series.items():
        runs = {str(case): (lambda case=case: bench.program("sparse_steps", *case, bench.seconds)) for case in cases}
        shown = {case: run() for case, run in runs.items()}
        rate = by_turns(runs, "steps_per_second", bench.repetitions)
        time_of[what] = [1.0 / rate[str(case)] for case in cases]
        for case, seconds in zip(cases, time_of[what]):
            first = shown[str(case)]
            table.row(what, f"{first['live']:,}", f"{first['parameters']:,}", f"{case[2]:,}", f"{1 / seconds:,.1f}",
                      f"{seconds / time_of[what][0]:.2f}")  # fmt: skip
    per_weight = [seconds / live for seconds, live in zip(time_of["live weights"][1:], (100, 298, 1002))]
    spread = max(per_weight) / min(per_weight)
    table.wish(f"time for each live weight from 100 to 1,002: within {spread:.2f}, wanted 1.3", spread <= 1.3)
    growth = max(time_of["P"][1:]) / time_of["P"][1]
    table.wish(f"from P = 10^4 to 10^9 {growth:.2f} times the time, wanted less than 1.5", growth < 1.5)
    per_row = [seconds / rows for seconds, rows in zip(time_of["rows"], (1e3, 1e4, 1e5, 1e6))]
    spread = max(per_row[1:]) / min(per_row[1:])
    table.wish(f"time for each row from 10^4 to 10^6: within {spread:.2f}, wanted 1.2", spread <= 1.2)
    return table


def simulated(bench: Bench, folder: Path, rows: int, inputs: int) -> Path:
    data = folder / f"friedman-{rows}-{inputs}.csv"
    words = ["simulate", "friedman", "--n", rows, "--p", inputs, "--noise", 0.1, "--seed", 1, "--out", data]
    subprocess.run([str(word) for word in [bench.lacuna, *words]], check=True, capture_output=True)
    return data


def fit(bench: Bench, data: Path, out: Path, **options: object) -> None:
    words = ["fit", data, "--target", "y", "--ignore", "f", "--out", out, "--quiet"]
    for name, value in options.items():
        words += [f"--{name.replace('_', '-')}", value]
    subprocess.run([str(word) for word in [bench.lacuna, *words]], check=True, capture_output=True)


def two_chains(bench: Bench) -> Table:
    """Sampling alone is timed: `extend` by as many draws as a second or more takes."""
    gap, draws, pairs = 20, 1500, 4 * bench.repetitions
    table = Table(
        "The same two chains on one thread and on two",
        ("threads", "steps/s, both chains"),
        remarks=[f"Chains of four walkers, as by default; the same draws either way. Medians over {pairs} pairs, one after the"
                 " other: the best of many would pick moments in which a single core happens to be fast."],
    )  # fmt: skip
    rates: dict[int, list[float]] = {1: [], 2: []}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data, begun, work = simulated(bench, folder, 1000, 10), folder / "begun.lacuna", folder / "work.lacuna"
        fit(bench, data, begun, widths="16,16", noise_sd=0.1, **{"lambda": "bayes"}, chains=2, walkers=4, burn_in=2000, gap=gap,
            draws=40)  # fmt: skip
        for _ in range(pairs):
            for threads in rates:
                work.write_bytes(begun.read_bytes())
                words = ["extend", work, "--draws", draws, "--threads", threads, "--quiet"]
                began = time.perf_counter()
                subprocess.run([str(word) for word in [bench.lacuna, *words]], check=True, capture_output=True)
                rates[threads].append(2 * gap * draws / (time.perf_counter() - began))
    for threads, rate in rates.items():
        table.row(str(threads), f"{median(rate):,.0f}")
    ratio = median(two / one for one, two in zip(rates[1], rates[2]))
    table.wish(f"two chains on two threads take {ratio:.2f} times the steps of one thread, wanted 1.9", ratio >= 1.9)
    return table


def predictions(bench: Bench) -> Table:
    table = Table(
        "Posterior mean, sd, 90% intervals of f and of y: 10^6 rows over 1,000 draws, all threads",
        ("live weights", "rows", "draws", "forward passes alone, s", "predictions, s", "share", "peak MiB"),
        remarks=["Forward passes in double precision, the network of each draw made once for 8,192 rows."],
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = simulated(bench, folder, 500, 10)
        path = folder / "fit.lacuna"
        fit(bench, data, path, widths="16,16", noise_sd=0.06, **{"lambda": "bayes"}, chains=4, burn_in=3000, gap=20, draws=250)
        runs = [bench.program("prediction", path, 1_000_000) for _ in range(min(bench.repetitions, 3))]
    best = max(runs, key=lambda run: float(run["share"]))
    table.row(f"{best['live']:.0f}", f"{best['rows']:,}", f"{best['draws']:,}", f"{best['forward_seconds']:.1f}",
              f"{best['predict_seconds']:.1f}", f"{best['share']:.2f}", f"{best['peak_mib']:.0f}")  # fmt: skip
    table.wish(f"{best['share']:.0%} of the rate of forward passes, wanted 50%", best["share"] > 0.5)
    table.wish(f"{best['peak_mib']:.0f} MiB at most, wanted less than 512", best["peak_mib"] < 512)
    return table


def huge_network(bench: Bench) -> Table:
    """The paper's own architecture: is a step as fast, and memory as small, as in a narrow network?"""
    table = Table(
        "The paper's kernel, depth 14, p = 10, n = 10,000, the same active set in networks of two widths",
        ("width", "P", "active", "live", "steps/s", "peak MiB"),
    )
    widths = (100, 10_000)
    runs = {str(width): (lambda width=width: bench.program("huge_network", width)) for width in widths}
    first = {width: run() for width, run in runs.items()}
    rate = by_turns(runs, "steps_per_second", bench.repetitions)
    for width, shown in first.items():
        table.row(f"{int(width):,}", f"{shown['parameters']:,}", str(shown["active"]), str(shown["live"]),
                  f"{rate[width]:,.0f}", f"{shown['peak_mib']:.0f}")  # fmt: skip
    ratio, peak = rate["100"] / rate["10000"], first["10000"]["peak_mib"]
    table.wish(f"a step at width 10,000 takes {ratio:.2f} times one at width 100, wanted less than 1.5", ratio < 1.5)
    table.wish(f"peak {peak:.0f} MiB, wanted less than 2,048", peak < 2048)
    return table
