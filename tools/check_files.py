#!/usr/bin/env python3
"""Checks that every source file states its purpose, is short and names no path of one machine.

A file opens with a comment or docstring of purpose; a .cpp whose header of the same name has one
needs none. Prints each offence as file:line and exits with 1 if there is any.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

SUFFIXES = frozenset({".cpp", ".hpp", ".py"})
FEWEST_WORDS = 3
# Folders that hold no source of ours.
SKIPPED_FOLDERS = re.compile(r"^(\..*|build.*|_.*|node_modules|venv|dist|.*\.egg-info)$")
# Absolute paths that exist on one machine only; those like /dev/null are the same everywhere.
MACHINE_PATH = re.compile(
    r"""(?<![\w.:/~$}])                # not the tail of a URL, a relative path or a variable
        (?: /(?:home|root|Users|work|tmp|mnt|scratch|workspace)/[\w.-]+
          | [A-Za-z]:\\\\?(?:Users|home|work)\b )""",
    re.VERBOSE,
)


def source_files(root: Path) -> Iterator[Path]:
    """All source files of a tree in a fixed order."""
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = sorted(name for name in subfolders if not SKIPPED_FOLDERS.match(name))
        for name in sorted(names):
            if Path(name).suffix in SUFFIXES:
                yield Path(folder, name)


def opening_comment(text: str) -> str:
    """The comment that C++ text opens with, without its marks; empty if it opens with code."""
    text = text.lstrip("\ufeff \t\r\n")
    if text.startswith("/*"):
        return text[2:].partition("*/")[0].strip(" *\n")
    if text.startswith("//"):
        return text.partition("\n")[0].strip("/ ")
    return ""


def opening_docstring(text: str) -> str:
    """The docstring or comment that Python text opens with; empty if it opens with code."""
    try:
        docstring = ast.get_docstring(ast.parse(text))
    except (SyntaxError, ValueError):
        docstring = None
    if docstring:
        return docstring
    for line in text.splitlines():
        if line.startswith("#!") or not line.strip():
            continue
        return line.strip("# ") if line.startswith("#") else ""
    return ""


def states_purpose(path: Path, text: str) -> bool:
    """Whether the file opens with a few words of purpose."""
    opening = opening_docstring(text) if path.suffix == ".py" else opening_comment(text)
    return len(opening.split()) >= FEWEST_WORDS


def header_of(root: Path, path: Path) -> Path | None:
    """The header of the same name that speaks for a .cpp: beside it, or the public one."""
    for header in (path.with_suffix(".hpp"), root / "include" / "lacuna" / f"{path.stem}.hpp"):
        if header.is_file():
            return header
    return None


def check_file(root: Path, path: Path, longest: int) -> list[str]:
    """The offences of one file."""
    name = path.relative_to(root).as_posix()
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        return [f"{name}:1: is not UTF-8 (byte {error.start})"]
    lines = text.splitlines()
    if not lines:
        # An empty __init__.py only marks a package.
        return [] if path.name == "__init__.py" else [f"{name}:1: is empty"]
    offences: list[str] = []
    if not states_purpose(path, text):
        header = header_of(root, path) if path.suffix == ".cpp" else None
        if header is None or not states_purpose(header, header.read_text(encoding="utf-8")):
            offences.append(f"{name}:1: does not open with a comment or docstring of purpose")
    if len(lines) >= longest:
        offences.append(f"{name}:{longest}: has {len(lines)} lines; keep it under {longest}")
    for number, line in enumerate(lines, start=1):
        found = MACHINE_PATH.search(line)
        if found:
            offences.append(f"{name}:{number}: names the machine path {found.group(0)}")
    return offences


def check(root: Path, longest: int) -> list[str]:
    """All offences of a tree."""
    root = root.resolve()
    return [offence for path in source_files(root) for offence in check_file(root, path, longest)]


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
        "--longest", type=int, default=400, help="a file has fewer lines than this (default: 400)"
    )
    options = parser.parse_args(arguments)
    offences = check(options.root, options.longest)
    for offence in offences:
        print(offence)
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
