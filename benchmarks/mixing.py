"""How the default sampler explores, beside the paper's, on the same posterior and at the same number of passes.

The posterior: Friedman's function of five inputs, 500 rows, noise sd 0.1, two layers of 16 units, B = 10,
lambda = n / (2 * 0.1^2), data as given. Chains of both samplers start from trained and pruned networks. Those of the
default sampler have one walker, and then three, as a default fit gives them, at the same number of passes of the chain.

A chain that stays in one mode looks well mixed to its own autocorrelation. So effective draws are counted
between chains: the posterior variance of f at a probe row over the mean squared distance of a chain's mean of f
from the posterior's. Both come from long chains of the default sampler; what those are themselves uncertain
about is subtracted from the distance. The figure is the harmonic mean over the probe rows.
"""

from __future__ import annotations

import concurrent.futures
import json
import statistics
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tables import Bench, Table

ROWS, NOISE = 500, 0.1
LAMBDA = ROWS / (2 * NOISE**2)
JUMPS = ("add", "remove", "swap", "add-unit", "remove-unit")


@dataclass(frozen=True)
class Plan:
    sampler: str
    burn_in: int
    draws: int
    gap: int
    walkers: int = 1


# Passes of a step: 1 for the paper's kernel, about 2.5 for the mixture.
PLANS = {
    "paper": Plan("paper", 100_000, 1000, 400),
    "one walker": Plan("auto", 40_000, 1000, 160),
    "default": Plan("auto", 40_000, 1000, 160, walkers=3),
}
LONG = Plan("auto", 100_000, 1000, 1200)


@dataclass(frozen=True)
class Chain:
    mean: list[float]  # of f at the probe rows
    variance: list[float]
    passes: float
    jumps: float  # accepted, per step
    risk: float


def run_chain(lacuna: Path, folder: Path, plan: Plan, seed: int) -> Chain:
    fit = folder / f"{plan.sampler}-{seed}-{plan.gap}-{plan.walkers}.lacuna"
    options: dict[str, Any] = {
        "target": "y", "ignore": "f", "scale": "none", "lambda": LAMBDA, "depth": 2, "width": 16, "bound": 10,
        "sampler": plan.sampler, "chains": 1, "walkers": plan.walkers, "threads": 1, "seed": seed,
        "burn-in": plan.burn_in, "draws": plan.draws, "gap": plan.gap,
    }  # fmt: skip
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    subprocess.run([lacuna, "fit", folder / "data.csv", "--out", fit, "--quiet", *words], check=True, capture_output=True)
    done = subprocess.run([lacuna, "summary", fit, "--json"], check=True, capture_output=True, text=True)
    fit.unlink()
    summary = json.loads(done.stdout)
    moves = summary["moves"]
    accepted = sum(move["acceptance"] * move["proposed"] for name, move in moves.items() if name in JUMPS)
    return Chain(
        mean=[probe["mean"] for probe in summary["probes"]],
        variance=[probe["sd"] ** 2 for probe in summary["probes"]],
        passes=sum(move["passes"] for move in moves.values()),
        jumps=accepted / (plan.draws * plan.gap),
        risk=summary["quantities"]["risk"]["mean"],
    )


def effective_draws(chains: list[Chain], reference: list[Chain]) -> float:
    """Of one chain, on average; see above."""
    shares = []
    for probe in range(len(reference[0].mean)):
        means = [chain.mean[probe] for chain in reference]
        centre, between = statistics.fmean(means), statistics.variance(means)
        posterior = statistics.fmean(chain.variance[probe] for chain in reference) + between
        distance = statistics.fmean((chain.mean[probe] - centre) ** 2 for chain in chains)
        shares.append(max(distance - between / len(reference), 1e-3 * posterior) / posterior)
    return 1.0 / statistics.fmean(shares)


def mixing(bench: Bench, chains: int = 16) -> Table:
    lacuna = bench.lacuna
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(2) as pool:
        folder = Path(name)
        simulate = ["simulate", "friedman", "--n", str(ROWS), "--p", "5", "--noise", str(NOISE), "--seed", "1"]
        subprocess.run([lacuna, *simulate, "--out", folder / "data.csv"], check=True, capture_output=True)

        def run_all(plan: Plan, first_seed: int) -> list[Chain]:
            seeds = range(first_seed, first_seed + chains)
            return list(pool.map(lambda seed: run_chain(lacuna, folder, plan, seed), seeds))

        reference = run_all(LONG, 1000)
        runs = {name: run_all(plan, 1) for name, plan in PLANS.items()}
    table = Table(
        f"Exploration: Friedman's function, p = 5, n = {ROWS}, lambda = {LAMBDA:.0f}, {chains} chains of each sampler",
        ("sampler", "passes", "jumps/step", "risk", "effective draws", "per 10^6 passes"),
        remarks=["Both samplers on the same posterior; effective draws counted between chains, see benchmarks/mixing.py."],
    )
    rate, jumps = {}, {}
    for sampler, of_sampler in runs.items():
        passes = statistics.fmean(chain.passes for chain in of_sampler)
        jumps[sampler] = statistics.fmean(chain.jumps for chain in of_sampler)
        draws = effective_draws(of_sampler, reference)
        rate[sampler] = 1e6 * draws / passes
        risk = statistics.fmean(chain.risk for chain in of_sampler)
        table.row(sampler, f"{passes:,.0f}", f"{jumps[sampler]:.5f}", f"{risk:.5f}", f"{draws:.2f}", f"{rate[sampler]:.2f}")
    more_jumps, more_draws = jumps["default"] / jumps["paper"], rate["default"] / rate["paper"]
    table.wish(f"jumps accepted per step: {more_jumps:.0f} times the paper's, wanted 100", more_jumps >= 100)
    table.wish(f"effective draws of f per pass: {more_draws:.1f} times the paper's, wanted 10", more_draws >= 10)
    return table
