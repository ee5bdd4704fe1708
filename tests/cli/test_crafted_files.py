"""Fit files made up to do harm, with checksums in order: each is refused with a sentence, at no cost worth naming."""

from __future__ import annotations

import copy
import json
import os
import resource
import struct
import subprocess
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest
import xxhash

from cli_support import quick_fit, sentence, small_data

MAGIC = b"\x89LACUNA\n"
DRAWS, CHECKPOINT, NOTE = 1, 2, 3
HUGE = 1 << 62
Change = Callable[[Any], Any]


def sealed(content: bytes) -> bytes:
    return content + struct.pack("<Q", xxhash.xxh3_64_intdigest(content))


def header_bytes(text: bytes, version: int = 1, size: "int | None" = None) -> bytes:
    return sealed(MAGIC + struct.pack("<IIQ", version, 0, len(text) if size is None else size) + text)


def record_bytes(kind: int, walker: int, payload: bytes) -> bytes:
    return sealed(struct.pack("<IIQ", kind, walker, len(payload)) + payload)


def draws_bytes(count: int, size: int, index: "list[int]", value: "list[float]", first: int = 0) -> bytes:
    weights = struct.pack(f"<{len(index)}Q{len(value)}d", *index, *value)
    return record_bytes(DRAWS, 0, struct.pack("<QQddQ", first, count, -1.0, 2.0, size) + weights)


class FitFile:
    """A good file in its parts."""

    def __init__(self, content: bytes) -> None:
        size = struct.unpack_from("<Q", content, 16)[0]
        self.header = json.loads(content[24 : 24 + size])
        self.records: list[tuple[int, int, bytes]] = []
        at = 24 + size + 8
        while at < len(content):
            kind, walker, length = struct.unpack_from("<IIQ", content, at)
            self.records.append((kind, walker, content[at + 16 : at + 16 + length]))
            at += 16 + length + 8

    def bytes(self, header: "Change | None" = None, kind: int = 0, change: "Change | None" = None) -> bytes:
        """The file again, with a changed header or with all JSON records of a kind changed."""
        text = json.dumps(changed(self.header, header)).encode()
        out = header_bytes(text)
        for record, walker, payload in self.records:
            if record == kind:
                payload = json.dumps(changed(json.loads(payload), change)).encode()
            out += record_bytes(record, walker, payload)
        return out

    def with_record(self, record: bytes) -> bytes:
        return header_bytes(json.dumps(self.header).encode()) + record


def changed(value: Any, change: "Change | None") -> Any:
    value = copy.deepcopy(value)
    return value if change is None else change(value)


def put(*path: Any, to: Any) -> Change:
    """Sets what lies at `path`, where that exists."""

    def change(value: Any) -> Any:
        at = value
        for key in path[:-1]:
            if isinstance(at, dict) and key not in at:
                return value
            at = at[key]
        if path[-1] in (range(len(at)) if isinstance(at, list) else at):
            at[path[-1]] = to
        return value

    return change


def drop(*path: str) -> Change:
    def change(value: Any) -> Any:
        at = value
        for key in path[:-1]:
            at = at[key]
        at.pop(path[-1], None)
        return value

    return change


# The number of a draw, of a weight, and so on, that nobody can have.
HEADERS: dict[str, Change] = {
    "no object": lambda j: [],
    "nothing in it": lambda j: {},
    "no configuration": drop("config"),
    "no widths": drop("config", "widths"),
    "no data": drop("data"),
    "no scaling": drop("scaling"),
    "no noise": drop("noise"),
    "widths of another network": put("config", "widths", to=[4]),
    "no hidden layer": put("config", "widths", to=[]),
    "widths that overflow": put("config", "widths", to=[HUGE, HUGE]),
    "a negative width": put("config", "widths", to=[-1]),
    "a width in words": put("config", "widths", to="wide"),
    "a width of nothing": put("config", "widths", to=[0]),
    "2^62 chains": put("config", "chains", to=HUGE),
    "-1 chains": put("config", "chains", to=-1),
    "no chains": put("config", "chains", to=0),
    "2^40 walkers": put("config", "walkers", to=1 << 40),
    "2^40 rungs": put("config", "rungs", to=1 << 40),
    "a gap of 0": put("config", "gap", to=0),
    "steps that overflow": put("config", "gap", to=HUGE),
    "an empty box": put("config", "bound", to=0.0),
    "a box without end": put("config", "bound", to=1e300),
    "no base": put("config", "base", to=None),
    "another number of weights": put("parameters", to=14),
    "2^62 weights": put("parameters", to=HUGE),
    "no lambda": put("lambda", to=None),
    "no inputs": put("data", "inputs", to=[]),
    "one more input": put("data", "inputs", to=["a", "b", "c"]),
    "inputs that are numbers": put("data", "inputs", to=[1, 2]),
    "more distinct rows than rows": put("data", "distinct-rows", to=HUGE),
    "rows without weight": put("data", "total-weight", to=0.0),
    "a shift too few": put("scaling", "input-shift", to=[0.0]),
    "probe points that are not there": put("probes", "x", to=[0.0]),
    "a probe too many": put("probes", "rows", to=list(range(1000))),
    "negative noise": put("noise", "scale", to=-1.0),
    "0 degrees of freedom": put("noise", "degrees", to=0),
    "a noise network of nothing": put("noise", "index", to=[0]),
    "a noise weight beyond the last": put("noise", to={"scale": 1.0, "mean-level": 1.0, "degrees": None, "widths": [2],
                                                       "index": [HUGE], "value": [1.0]}),
    "nested too deeply": lambda j: nested(j, 40),
}  # fmt: skip

CHECKPOINTS: dict[str, Change] = {
    "no object": lambda j: [],
    "no iteration": drop("iteration"),
    "a negative iteration": put("iteration", to=-5),
    "an iteration in words": put("iteration", to="many"),
    "burn-in after the end": put("burn-in", to=HUGE),
    "no weights": put("theta", to={"index": [], "value": []}),
    "a weight beyond the last": put("theta", to={"index": [HUGE], "value": [1.0]}),
    "a weight beyond the box": put("theta", to={"index": [0], "value": [1e9]}),
    "weights out of order": put("theta", to={"index": [2, 1], "value": [1.0, 1.0]}),
    "a value too few": put("theta", to={"index": [0, 1], "value": [1.0]}),
    "no engine at all": drop("engine"),
    "a negative step": put("engine", "trajectory-step", to=-1.0),
    "a step of nothing": put("engine", "langevin-step", to=None),
    "shares above one": put("engine", "shares", to=[5.0, 5.0, 5.0, 5.0]),
    "shares too few": put("engine", "shares", to=[0.1]),
    "a curvature too few": put("engine", "table", "ratio", to=[]),
    "a negative curvature": put("engine", "table", "layer-ratio", to=[-1.0, -1.0]),
    "batches of nothing": put("risk-mean", "batch-length", to=0),
    "batches without end": put("risk-mean", "batch-means", to=[0.0] * 1000),
    "a ladder too short": put("tempering", "rungs", to=[]),
    "a rung above the posterior": put("tempering", "rungs", 1, "lambda", to=1e30),
    "two replicas on one rung": put("tempering", "travels", "replicas", to=[0, 0]),
    "a replica without a leg": put("tempering", "travels", "legs", to=[9, 9]),
    "replicas without trips": put("tempering", "travels", "trips", to=[0]),
    "a rung ahead of the others": put("tempering", "rungs", 1, "iteration", to=100),
    "no sweeps": put("tempering", "sweeps-until-placement", to=0),
}

NOTES: dict[str, Change] = {
    "no plan": put("plan", to=3),
    "a plan without draws": put("plan", "draws", to=0),
    "a plan without a gap": put("plan", "gap", to=0),
    "a plan that overflows": put("plan", "gap", to=HUGE),
    "no phase": put("mark", "phase", to=7),
    "no length": put("mark", "done", to="all"),
    "an end in words": put("end", "finished", to="yes"),
}

RECORDS: dict[str, bytes] = {
    "2^62 draws": draws_bytes(HUGE, 2, [0, 1], [1.0, 2.0]),
    "2^61 weights": draws_bytes(1, 1 << 61, [], []),
    "2^61 + 1 weights": draws_bytes(1, (1 << 61) + 1, [0, 1], [1.0, 2.0]),
    "2^64 - 1 weights": draws_bytes(1, (1 << 64) - 1, [0, 1], [1.0, 2.0]),
    "a draw without weights": draws_bytes(1, 0, [], []),
    "more draws than there are": draws_bytes(2, 2, [0, 1], [1.0, 2.0]),
    "a value too few": draws_bytes(1, 2, [0, 1], [1.0]),
    "weights out of order": draws_bytes(1, 2, [1, 0], [1.0, 2.0]),
    "a weight twice": draws_bytes(1, 2, [1, 1], [1.0, 2.0]),
    "a weight beyond the last": draws_bytes(1, 2, [0, 13], [1.0, 2.0]),
    "bytes behind the last draw": draws_bytes(1, 1, [0], [1.0, 2.0, 3.0]),
    "a record of nothing": record_bytes(DRAWS, 0, b""),
    "a checkpoint that is no JSON": record_bytes(CHECKPOINT, 0, b"{"),
    "a checkpoint of bytes": record_bytes(CHECKPOINT, 0, bytes(range(256))),
    "a checkpoint nested too deeply": record_bytes(CHECKPOINT, 0, b'{"a":' + b"[" * 100_000),
    "a note nested too deeply": record_bytes(NOTE, 0, b"[" * 100_000),
    "a note of nothing": record_bytes(NOTE, 0, b""),
}


def nested(value: Any, depth: int) -> Any:
    for _ in range(depth):
        value = [value]
    return value


def limit() -> None:
    """A second of the processor and half a gigabyte, more than any refusal may take."""
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))


@pytest.fixture(scope="module")
def good(command: str, tmp_path_factory) -> "tuple[Path, FitFile]":
    folder = tmp_path_factory.mktemp("crafted")
    small_data(folder / "d.csv")

    def lacuna(*words: object, code: int = 0) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([command, *map(str, words)], cwd=folder, capture_output=True, text=True, check=code == 0)

    quick_fit(lacuna, "--rungs", 2)
    fit_file = FitFile((folder / "d.lacuna").read_bytes())
    (folder / "x.lacuna").write_bytes(fit_file.bytes())
    assert call(command, folder, "summary", "x.lacuna").returncode == 0
    return folder, fit_file


def call(command: str, folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    within = None if os.environ.get("LACUNA_SANITIZED") else limit
    return subprocess.run([command, *words], cwd=folder, capture_output=True, text=True, preexec_fn=within)


def refused(command: str, folder: Path, content: bytes, words: "tuple[str, ...]") -> str:
    (folder / "x.lacuna").write_bytes(content)
    done = call(command, folder, *words)
    assert done.returncode == 65, f"exit {done.returncode}: {done.stdout}{done.stderr}"
    assert (folder / "x.lacuna").read_bytes() == content
    return sentence(done)


READERS = (
    ("summary", "x.lacuna"),
    ("predict", "x.lacuna", "d.csv", "--out", "out.csv"),
    ("draws", "x.lacuna", "--out", "out.csv"),
)
EXTEND = ("extend", "x.lacuna", "--draws", "1", "--quiet")


@pytest.mark.parametrize("name", HEADERS)
def test_headers(good: "tuple[Path, FitFile]", command: str, name: str) -> None:
    folder, fit_file = good
    for words in (*READERS, EXTEND):
        told = refused(command, folder, fit_file.bytes(header=HEADERS[name]), words)
        assert told.startswith("x.lacuna: damaged header (") and len(told) < 300


@pytest.mark.parametrize("name", RECORDS)
def test_records(good: "tuple[Path, FitFile]", command: str, name: str) -> None:
    folder, fit_file = good
    for words in READERS:
        told = refused(command, folder, fit_file.with_record(RECORDS[name]), words)
        assert told.startswith(("x.lacuna: impossible draw in the record at byte", "x.lacuna: malformed record at byte"))


@pytest.mark.parametrize("name", CHECKPOINTS)
def test_checkpoints(good: "tuple[Path, FitFile]", command: str, name: str) -> None:
    folder, fit_file = good
    refused(command, folder, fit_file.bytes(kind=CHECKPOINT, change=CHECKPOINTS[name]), EXTEND)


@pytest.mark.parametrize("name", NOTES)
def test_notes(good: "tuple[Path, FitFile]", command: str, name: str) -> None:
    folder, fit_file = good
    refused(command, folder, fit_file.bytes(kind=NOTE, change=NOTES[name]), EXTEND)


def test_frames_that_claim_too_much(good: "tuple[Path, FitFile]", command: str) -> None:
    """A record longer than the file is a cut one: what comes before it is read, and the summary says so."""
    folder, fit_file = good
    for length in (HUGE, (1 << 64) - 1, (1 << 64) - 24, 1 << 40):
        (folder / "x.lacuna").write_bytes(fit_file.bytes() + sealed(struct.pack("<IIQ", 1, 0, length)) + bytes(100))
        done = call(command, folder, "summary", "x.lacuna")
        assert done.returncode == 0 and "cut off at byte" in " ".join(done.stdout.split())
        told = refused(command, folder, header_bytes(b"{}", size=length), READERS[0])
        assert told.startswith("x.lacuna: damaged header (") or "cut off inside the header" in told


def leaves(value: Any, path: "tuple[Any, ...]" = ()) -> "Iterator[tuple[Any, ...]]":
    if isinstance(value, dict):
        for key in value:
            yield from leaves(value[key], (*path, key))
    elif isinstance(value, list) and value:
        yield from leaves(value[0], (*path, 0))
    yield path


@pytest.mark.parametrize("kind", [0, CHECKPOINT, NOTE])
def test_anything_in_place_of_anything(good: "tuple[Path, FitFile]", command: str, kind: int) -> None:
    """Each value in turn becomes one of another kind. Whatever the answer, it is a sentence or a good result."""
    folder, fit_file = good
    texts = [fit_file.header] if kind == 0 else [json.loads(p) for k, _, p in fit_file.records if k == kind][:3]
    paths = sorted({path for text in texts for path in leaves(text) if path}, key=str)
    for number, path in enumerate(paths):
        other = (None, -1, "text", [], {}, 1e300)[number % 6]
        change = put(*path, to=other)
        content = fit_file.bytes(header=change) if kind == 0 else fit_file.bytes(kind=kind, change=change)
        (folder / "x.lacuna").write_bytes(content)
        done = call(command, folder, *(READERS[0] if number % 2 else EXTEND))
        assert done.returncode in (0, 64, 65), f"{path} = {other}: exit {done.returncode}: {done.stderr}"
        assert done.returncode == 0 or sentence(done)


def test_there_are_fifty() -> None:
    assert len(HEADERS) + len(RECORDS) + len(CHECKPOINTS) + len(NOTES) >= 50
