"""Disks that fail while a fit is written, and clocks that jump. `write_faults.py` does the same a thousand times."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from write_faults import SAMPLERS, Bench

pytestmark = pytest.mark.skipif("LACUNA_FAULTS" not in os.environ, reason="not under a sanitizer")


@pytest.fixture(scope="module", params=SAMPLERS)
def bench(request, command: str, tmp_path_factory) -> Bench:
    made = Bench(command, os.environ["LACUNA_FAULTS"], tmp_path_factory.mktemp("faults"), request.param)
    made.prepare()
    return made


@pytest.mark.parametrize("share", [0.0, 0.001, 0.5, 0.99, 0.9997])
def test_a_disk_that_fills_up(bench: Bench, share: float) -> None:
    """The first two are full inside the header: nothing is there to go on with, so the run starts anew."""
    assert bench.trouble_with(f"full:{int(share * len(bench.whole))}") == ""


def test_input_output_errors(bench: Bench) -> None:
    for fault in ("error:1", f"error:{bench.writes // 2}", f"error:{bench.writes}", "sync:1", f"sync:{bench.syncs}"):
        assert bench.trouble_with(fault) == "", fault


def test_interrupted_and_short_writes(bench: Bench) -> None:
    assert bench.trouble_with("rough:1") == ""


def test_a_clock_that_jumps(bench: Bench, tmp_path: Path) -> None:
    """Nothing that a run writes depends on the time of day, or on how long it seems to take."""
    done = bench.fit(tmp_path, fault="clock:0")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "d.lacuna").read_bytes() == bench.whole


def test_what_is_not_a_cut_header_is_not_overwritten(bench: Bench, tmp_path: Path) -> None:
    for content in (b"a,b,y\n", b"\x89LACUNA\n\x02" + bytes(15), bench.whole[:40] + b"!" + bench.whole[41:]):
        (tmp_path / "d.lacuna").write_bytes(content)
        assert bench.fit(tmp_path, "--resume").returncode == 65
        assert (tmp_path / "d.lacuna").read_bytes() == content
