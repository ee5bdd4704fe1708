"""Fit files that are damaged, places that cannot be written, and runs that are interrupted."""

from __future__ import annotations

import re
import signal
import struct
import subprocess
import time
from pathlib import Path

import pytest

from cli_support import quick_fit, read_csv, refusal, sentence, small_data

MAGIC = b"\x89LACUNA\n"


@pytest.fixture
def whole(lacuna, tmp_path: Path) -> bytes:
    """The bytes of a good fit, which lies in d.lacuna."""
    small_data(tmp_path / "d.csv")
    quick_fit(lacuna)
    return (tmp_path / "d.lacuna").read_bytes()


def readers(name: str) -> list[tuple[str, ...]]:
    return [
        ("predict", name, "d.csv", "--out", "out.csv"),
        ("draws", name, "--out", "out.csv"),
        ("summary", name),
        ("summary", name, "--json"),
    ]


def test_files_that_are_not_fits(lacuna, tmp_path: Path, whole: bytes) -> None:
    size = struct.unpack_from("<Q", whole, 16)[0]
    flipped = bytearray(whole)
    flipped[40] ^= 1
    cases = {
        b"": "not a lacuna file",
        b"a,b,y\n1,2,3\n": "not a lacuna file",
        b"\x89PNG\r\n\x1a\n" + bytes(100): "not a lacuna file",
        MAGIC[:5]: "cut off inside the header; nothing can be recovered",
        whole[:20]: "cut off inside the header; nothing can be recovered",
        whole[: 24 + size + 7]: "cut off inside the header; nothing can be recovered",
        bytes(flipped): "damaged header (checksum differs); nothing can be recovered",
        MAGIC + struct.pack("<IIQ", 9, 0, size) + whole[24:]: (
            "written in format 9, this version of lacuna reads up to 1; please update"
        ),
        MAGIC + struct.pack("<IIQ", 0, 0, size) + whole[24:]: "damaged header (format 0)",
        MAGIC + struct.pack("<IIQ", 1, 0, 1 << 62) + whole[24:]: f"damaged header ({1 << 62} bytes claimed)",
    }
    for content, told in cases.items():
        (tmp_path / "x.lacuna").write_bytes(content)
        for call in readers("x.lacuna"):
            assert refusal(lacuna, 65, *call) == f"x.lacuna: {told}"
    assert not (tmp_path / "out.csv").exists()


def test_fits_that_do_not_exist(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    for call in readers("nowhere.lacuna"):
        assert refusal(lacuna, 66, *call) == "nowhere.lacuna: no such file"
    for call in readers("."):
        assert refusal(lacuna, 65, *call) == ".: not a regular file"


def test_a_cut_file_keeps_its_whole_records(lacuna, tmp_path: Path, whole: bytes) -> None:
    lacuna("draws", "d.lacuna", "--out", "all.csv")
    (tmp_path / "x.lacuna").write_bytes(whole[:-200])
    for call in readers("x.lacuna"):
        lacuna(*call)
    text = lacuna("summary", "x.lacuna").stdout
    assert "note     x.lacuna: cut off at byte" in text and "records before it are good" in text
    assert "note     the run did not come to its planned end" in text
    lacuna("draws", "x.lacuna", "--out", "cut.csv")
    assert (tmp_path / "cut.csv").read_bytes() == (tmp_path / "all.csv").read_bytes()


def test_a_fit_without_draws(lacuna, tmp_path: Path, whole: bytes) -> None:
    (tmp_path / "x.lacuna").write_bytes(whole[: 24 + struct.unpack_from("<Q", whole, 16)[0] + 8])
    told = refusal(lacuna, 65, "predict", "x.lacuna", "d.csv", "--out", "p.csv")
    assert told == "the fit holds no draws; run it longer"
    assert lacuna("summary", "x.lacuna").stdout.startswith("not usable: there are no draws")
    lacuna("draws", "x.lacuna", "--out", "none.csv")
    assert (tmp_path / "none.csv").read_text() == "chain,draw,log_prior,risk,n_active,theta\n"
    told = sentence(quick_fit(lacuna, "--start", "x.lacuna", out="new.lacuna", code=65))
    assert told == "start=x.lacuna: has no draws to start from"


def test_bad_starts_leave_an_older_fit_alone(lacuna, tmp_path: Path, whole: bytes) -> None:
    told = sentence(quick_fit(lacuna, "--start", "nowhere", code=66))
    assert told == "nowhere: no such file"
    told = sentence(quick_fit(lacuna, "--start", "d.lacuna", code=64))
    assert told == "start=d.lacuna: is also where the fit would go; give another --out"
    assert (tmp_path / "d.lacuna").read_bytes() == whole
    told = sentence(quick_fit(lacuna, "--start", "d.lacuna", "--widths", 4, out="new.lacuna", code=64))
    assert told == "start=d.lacuna: holds another network (P = 13, this run has P = 17)"
    told = sentence(quick_fit(lacuna, "--start", "d.lacuna", "--bound", 1, out="new.lacuna", code=64))
    assert told.startswith("start=d.lacuna: its last draw has no mass under this run's prior")
    assert sentence(quick_fit(lacuna, "--start", "d.csv", out="new.lacuna", code=65)) == "d.csv: not a lacuna file"


@pytest.mark.parametrize("place", ["nowhere/x", "d.csv/x", "."])
def test_places_that_cannot_be_written(lacuna, tmp_path: Path, whole: bytes, place: str) -> None:
    """Below a regular file nobody can create anything, not even root."""
    calls = [
        ("predict", "d.lacuna", "d.csv", "--out", place),
        ("draws", "d.lacuna", "--out", place),
        ("simulate", "authors", "--out", place),
    ]
    for call in calls:
        assert refusal(lacuna, 73, *call).startswith(f"{place}: cannot create")
    assert sentence(quick_fit(lacuna, out=place, code=73)).startswith(f"{place}: cannot create (")
    if place == "d.csv/x":
        assert refusal(lacuna, 73, "demo", "--quiet", "--out", place).startswith(f"{place}: cannot create (")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk(lacuna, command: str, tmp_path: Path, whole: bytes) -> None:
    calls = [
        ("predict", "d.lacuna", "d.csv", "--out", "/dev/full"),
        ("draws", "d.lacuna", "--out", "/dev/full"),
        ("simulate", "authors", "--out", "/dev/full"),
    ]
    for call in calls:
        assert "/dev/full: " in refusal(lacuna, 74, *call)
    told = sentence(quick_fit(lacuna, out="/dev/full", code=74))
    assert told == "/dev/full: cannot write (No space left on device); what was written before is kept"
    for call in (("summary", "d.lacuna"), ("summary", "d.lacuna", "--json")):
        with open("/dev/full", "w") as full:
            done = subprocess.run([command, *call], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True)
        assert done.returncode == 74
        assert done.stderr == "lacuna: standard output: cannot write (No space left on device)\n"


def test_file_names_in_any_bytes(lacuna, tmp_path: Path) -> None:
    """A name that is not UTF-8 goes into the fit's record of its command, which is."""
    small_data(tmp_path / "caf\udce9.csv")
    quick_fit(lacuna, data="caf\udce9.csv", out="caf\udce9.lacuna")
    assert "caf" in lacuna("summary", "caf\udce9.lacuna", "--json").stdout


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_keeps_its_draws(lacuna, command: str, tmp_path: Path, sent: signal.Signals) -> None:
    small_data(tmp_path / "d.csv")
    arguments = (
        "fit", "d.csv", "--target", "y", "--out", "d.lacuna", "--start", "prior", "--widths", "3", "--chains", "2",
        "--burn-in", "100", "--gap", "100", "--draws", "1000000000", "--quiet",
    )  # fmt: skip
    out = tmp_path / "d.lacuna"
    running = subprocess.Popen([command, *arguments], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + 60
        while not (out.exists() and out.stat().st_size > 20_000):
            assert running.poll() is None and time.monotonic() < deadline
            time.sleep(0.01)
        running.send_signal(sent)
        _, told = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 130
    assert re.fullmatch(r"lacuna: interrupted; the [\d,]+ draws sampled so far are in d\.lacuna; the same command with --resume goes on\n", told)
    text = lacuna("summary", "d.lacuna").stdout
    assert "note     the run did not come to its planned end" in text
    lacuna("draws", "d.lacuna", "--out", "draws.csv")
    rows = read_csv(tmp_path / "draws.csv")
    for chain in ("0", "1"):
        numbers = [int(row["draw"]) for row in rows if row["chain"] == chain]
        assert len(numbers) > 10 and numbers == list(range(len(numbers)))
    lacuna("predict", "d.lacuna", "d.csv", "--out", "p.csv")


def test_one_run_at_a_time_writes_a_file(lacuna, command: str, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    arguments = (
        "fit", "d.csv", "--target", "y", "--out", "d.lacuna", "--start", "prior", "--widths", "3", "--burn-in", "100",
        "--gap", "100", "--draws", "1000000000", "--lambda", "bayes", "--quiet",
    )  # fmt: skip
    running = subprocess.Popen([command, *arguments], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + 60
        while not ((tmp_path / "d.lacuna").exists() and (tmp_path / "d.lacuna").stat().st_size > 20_000):
            assert running.poll() is None and time.monotonic() < deadline
            time.sleep(0.01)
        for more in ((), ("--resume",)):
            assert refusal(lacuna, 73, *arguments, *more) == "d.lacuna: another run is writing it"
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 130
    assert "cut off" not in lacuna("summary", "d.lacuna").stdout


def test_no_command_destroys_its_input(lacuna, tmp_path: Path, whole: bytes) -> None:
    data = (tmp_path / "d.csv").read_bytes()
    (tmp_path / "link.csv").symlink_to("d.csv")
    calls = {
        ("fit", "d.csv", "--target", "y", "--out", "d.csv"): "d.csv",
        ("fit", "d.csv", "--target", "y", "--out", "./link.csv"): "./link.csv",
        ("predict", "d.lacuna", "d.csv", "--out", "d.csv"): "d.csv",
        ("predict", "d.lacuna", "d.csv", "--out", "d.lacuna"): "d.lacuna",
        ("draws", "d.lacuna", "--out", "d.lacuna"): "d.lacuna",
    }
    for call, out in calls.items():
        told = refusal(lacuna, 64, *call)
        assert told == f"out={out}: is also the input and would be lost; give another file"
    assert (tmp_path / "d.csv").read_bytes() == data
    assert (tmp_path / "d.lacuna").read_bytes() == whole


def test_an_older_fit_is_replaced_whole(lacuna, tmp_path: Path, whole: bytes) -> None:
    (tmp_path / "d.lacuna").write_bytes(whole + bytes(100_000))
    quick_fit(lacuna)
    assert len((tmp_path / "d.lacuna").read_bytes()) < len(whole) + 1000
    assert "note" not in lacuna("summary", "d.lacuna").stdout


def test_interrupt_while_looking_for_starts(command: str, tmp_path: Path) -> None:
    """A search that would take minutes ends soon after the signal, with the file in order if there is one."""
    small_data(tmp_path / "d.csv")
    running = subprocess.Popen(
        [command, "fit", "d.csv", "--target", "y", "--out", "d.lacuna", "--depth", "200"],
        cwd=tmp_path, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        time.sleep(1.0)
        assert running.poll() is None
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=300)
    finally:
        running.kill()
    assert running.returncode == 130
    assert told.splitlines()[-1] in (
        "lacuna: interrupted before the first step; there is nothing to save yet",
        "lacuna: interrupted; the 0 draws sampled so far are in d.lacuna; the same command with --resume goes on",
    )


def test_no_time_for_a_draw(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    done = lacuna(
        "fit", "d.csv", "--target", "y", "--out", "d.lacuna", "--burn-in", 10**12, "--time-limit", 0.5, "--quiet",
        code=64,
    )  # fmt: skip
    assert done.stderr == (
        "lacuna: the time was up before the first draw; raise --time-limit or lower --burn-in\n"
    )
