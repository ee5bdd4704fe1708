#!/usr/bin/env python3
"""Checks that every folder includes only the folders above it in the order of data flow.

Prints each offence as file:line and exits with 1 if there is any.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

# The folders of src/ in the order of data flow: each may include those before it.
LAYERS = (
    "support",
    "data",
    "network",
    "posterior",
    "theory",
    "mcmc",
    "warmup",
    "run",
    "diagnostics",
    "estimation",
    "report",
)
# Folders that may include less than their place in the order allows.
NARROWER: dict[str, frozenset[str]] = {
    "diagnostics": frozenset({"support"}),
    "theory": frozenset({"support", "posterior"}),
}
# What stands in front of the library and sees its public interface only, and which other of them each may include.
FRONT_ENDS = {"studies": (), "cli": ("studies",), "python": ()}
SOURCE_SUFFIXES = frozenset({".cpp", ".hpp", ".h", ".cc", ".cu", ".cuh"})
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')


@dataclass(frozen=True)
class Offence:
    """One include that a file must not have."""

    file: PurePosixPath
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"


def includes_of(path: Path) -> Iterator[tuple[int, str]]:
    """The includes of a file with their line numbers; one that is commented out does not count."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) or match.group(2)


def resolve(root: Path, file: Path, include: str) -> PurePosixPath | None:
    """The file that an include means, relative to the root; None if it is not of the project."""
    for base in (file.parent, root / "include", root / "src", root, root / "backends"):
        target = (base / include).resolve()
        if target.is_file() and target.is_relative_to(root):
            return PurePosixPath(target.relative_to(root).as_posix())
    # A header that is not there yet is still ours if it is spelt like one of ours.
    parts = PurePosixPath(include).parts
    if len(parts) > 1 and parts[0] in LAYERS:
        return PurePosixPath("src", include)
    if len(parts) > 1 and parts[0] in ("lacuna", "src", "backends"):
        return PurePosixPath("include", include) if parts[0] == "lacuna" else PurePosixPath(include)
    return None


def allowed_layers(layer: str) -> frozenset[str]:
    """The folders of src/ that a folder of src/ may include, itself included."""
    above = NARROWER.get(layer, frozenset(LAYERS[: LAYERS.index(layer)]))
    return above | {layer}


def complaint(file: PurePosixPath, target: PurePosixPath) -> str | None:
    """What is wrong about `file` including `target` (relative to the root), or None."""
    area, target_area = file.parts[0], target.parts[0]
    if target_area == "include":
        return None
    if area == "include":
        return f"the public interface includes {target}; it may include only lacuna/..."
    if area in FRONT_ENDS:
        if target_area in (area, *FRONT_ENDS[area]):
            return None
        others = "".join(f", {other}/..." for other in FRONT_ENDS[area])
        return f"{area}/ includes {target}; it may include only lacuna/...{others} and its own files"
    if target_area != "src":
        return f"src/ includes {target}, which is outside the library"
    layer, target_layer = file.parts[1], target.parts[1]
    if target_layer in allowed_layers(layer):
        return None
    permitted = ", ".join(name for name in LAYERS if name in allowed_layers(layer))
    return f"{layer} includes {target_layer} ({target}); it may include only {permitted}"


def sources(folder: Path) -> Iterator[Path]:
    """The C++ and CUDA files under a folder in a fixed order; none if the folder is missing."""
    yield from sorted(p for p in folder.rglob("*") if p.suffix in SOURCE_SUFFIXES and p.is_file())


def check(root: Path) -> list[Offence]:
    """All offences of a tree."""
    root = root.resolve()
    offences: list[Offence] = []
    for area in ("include", "src", *FRONT_ENDS):
        for path in sources(root / area):
            file = PurePosixPath(path.relative_to(root).as_posix())
            if area == "src" and (len(file.parts) < 3 or file.parts[1] not in LAYERS):
                what = "is in no folder of the order " + ", ".join(LAYERS)
                offences.append(Offence(file, 1, what))
                continue
            for line, include in includes_of(path):
                target = resolve(root, path, include)
                wrong = complaint(file, target) if target is not None else None
                if wrong is not None:
                    offences.append(Offence(file, line, wrong))
    return offences


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
    options = parser.parse_args(arguments)
    offences = check(options.root)
    for offence in offences:
        print(offence)
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
