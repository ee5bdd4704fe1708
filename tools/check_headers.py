#!/usr/bin/env python3
"""Checks that every header of include/ and src/ has `#pragma once` and compiles alone.

Prints each offence as file:line and exits with 1 if there is any.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HEADER_SUFFIXES = frozenset({".hpp", ".h"})
PRAGMA_ONCE = re.compile(r"^\s*#\s*pragma\s+once\b", re.MULTILINE)
COMPILER_ERROR = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+)(?::\d+)?: (?:fatal )?error: (?P<what>.*)$", re.MULTILINE
)
SECONDS_PER_HEADER = 300


def headers(root: Path) -> list[Path]:
    """The headers of the library in a fixed order."""
    found: list[Path] = []
    for folder in (root / "include", root / "src"):
        found += sorted(p for p in folder.rglob("*") if p.suffix in HEADER_SUFFIXES and p.is_file())
    return found


def relative(root: Path, name: str) -> str:
    """A path as the reader should see it: inside the repository, relative to its root."""
    path = Path(name).resolve()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else name


def check_header(root: Path, header: Path, command: list[str]) -> list[str]:
    """The offences of one header."""
    name = relative(root, str(header))
    offences: list[str] = []
    if not PRAGMA_ONCE.search(header.read_text(encoding="utf-8")):
        offences.append(f"{name}:1: has no `#pragma once`")
    # Included from an empty file: the header is not the main file and nobody includes for it.
    source = f'#include "{header.as_posix()}"\n'
    try:
        result = subprocess.run(
            [*command, "-"],
            input=source,
            capture_output=True,
            text=True,
            timeout=SECONDS_PER_HEADER,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return [*offences, f"{name}:1: does not compile within {SECONDS_PER_HEADER} s"]
    if result.returncode != 0:
        error = COMPILER_ERROR.search(result.stderr)
        if error:
            where = f"{relative(root, error['file'])}:{error['line']}"
            offences.append(f"{where}: {error['what']} (when {name} is compiled alone)")
        else:
            message = result.stderr.strip() or "no message"
            offences.append(f"{name}:1: does not compile alone: {message}")
    return offences


def check(root: Path, compiler: str, includes: list[Path], jobs: int) -> list[str]:
    """All offences of a tree, in the order of the headers."""
    root = root.resolve()
    command = [
        *shlex.split(compiler),
        *("-std=c++20", "-fsyntax-only", "-x", "c++"),
        *(f"-I{root / folder}" for folder in ("include", "src")),
        *(f"-idirafter{path}" for path in includes),
    ]
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        results = pool.map(lambda header: check_header(root, header, command), headers(root))
        return [offence for offences in results for offence in offences]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--root",
        type=Path,
        default=Path(__file__).resolve().parent.parent,
        help="the repository (default: the one this script is in)",
    )
    parser.add_argument(
        "--compiler",
        default=os.environ.get("CXX", "g++"),
        help="the compiler, with a launcher if wanted (default: $CXX or g++)",
    )
    parser.add_argument(
        "--include",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="one more folder of third-party headers; may be repeated",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=len(os.sched_getaffinity(0)),
        help="how many compilers run at once (default: one per core)",
    )
    options = parser.parse_args(arguments)
    if options.jobs < 1:
        parser.error(f"--jobs={options.jobs}: must be >= 1")
    offences = check(options.root, options.compiler, options.include, options.jobs)
    for offence in offences:
        print(offence)
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
