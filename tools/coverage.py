"""Prints which share of the lines the tests reached, folder by folder, from the counts in a build folder.

Exits with 1 if that is less than 90% of all lines, or if a reader of files from outside has a line that no test reached.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

LEAST = 90.0
# What reads bytes that anybody may have written.
PARSERS = (
    "cli/config_file.cpp", "src/data/byte_source.cpp", "src/data/cell.cpp", "src/data/csv.cpp",
    "src/data/csv_records.cpp", "src/data/gunzip.cpp", "src/data/npy.cpp", "src/data/npy_header.cpp",
    "src/data/table.cpp", "src/data/text_file.cpp", "src/data/utf8.cpp", "src/estimation/fit_content.cpp",
    "src/run/bytes.hpp", "src/run/fit_file.cpp", "src/run/info_json.cpp", "src/run/resume_point.cpp",
    "src/run/state_json.cpp", "src/support/bounded_json.hpp",
)  # fmt: skip


def counts(root: Path, build: Path) -> "list[dict]":
    words = [
        "gcovr", "--root", str(root), "--filter", "src/", "--filter", "studies/", "--filter", "cli/", "--filter", "include/", "--json",
        "--exclude-throw-branches", "--exclude-unreachable-branches", str(build),
    ]  # fmt: skip
    return json.loads(subprocess.run(words, cwd=root, stdout=subprocess.PIPE, check=True).stdout)["files"]


def main() -> int:
    root = Path(__file__).resolve().parent.parent
    lines: dict[str, list[int]] = {}
    branches = [0, 0]
    missed: list[str] = []
    for file in counts(root, root / sys.argv[1]):
        name = file["file"]
        reached = {line["line_number"]: line["count"] > 0 for line in file["lines"] if not line.get("gcovr/noncode")}
        for line in file["lines"]:
            for branch in line["branches"]:
                branches[0] += branch["count"] > 0
                branches[1] += 1
        for folder in ("/".join(name.split("/")[: 2 if name.startswith(("src/", "include/")) else 1]), "all"):
            sums = lines.setdefault(folder, [0, 0])
            sums[0] += sum(reached.values())
            sums[1] += len(reached)
        without = [str(number) for number, hit in sorted(reached.items()) if not hit]
        if without and (name in PARSERS or "-v" in sys.argv):
            missed.append(f"{name}: no test reaches line {', '.join(without)}")
    for folder in sorted(lines, key=lambda name: (name == "all", name)):
        hit, of = lines[folder]
        print(f"{folder:18} {hit:6,} of {of:6,} lines  {100 * hit / of:5.1f}%")
    print(f"branches without those of exceptions: {100 * branches[0] / branches[1]:.1f}%")
    print("\n".join(missed) if missed else "the readers of files are reached in every line")
    share = 100 * lines["all"][0] / lines["all"][1]
    return 1 if share < LEAST or any(line.split(":")[0] in PARSERS for line in missed) else 0


if __name__ == "__main__":
    raise SystemExit(main())
