"""Inner loops become part of the functions of their instruction set: what stays outside is compiled for the plain one."""

from __future__ import annotations

import argparse
import subprocess
import sys

FILES = ("forward_block", "backward_block", "fold_lanes", "output_moments_block")
KERNELS = ("_with_avx512", "_with_avx2", "_plainly")


def strays(symbols: str) -> "list[str]":
    """Functions of these files that are neither kernels nor what chooses among them, from the output of `nm -C`."""
    found, file = [], ""
    for line in symbols.splitlines():
        if line.endswith(".o:"):
            file = line.split(".", maxsplit=1)[0]
            continue
        words = line.split(maxsplit=2)
        if file not in FILES or len(words) < 3 or words[1] not in "tTwW":
            continue
        chooses = words[2].startswith(f"lacuna::{file}(")
        if not chooses and not any(kernel in words[2] for kernel in KERNELS):
            found.append(f"{file}.cpp: {words[2]}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", help="the static library with the loops")
    library = parser.parse_args().library
    done = subprocess.run(["nm", "-C", library], capture_output=True, text=True, check=True)
    if not any(kernel in done.stdout for kernel in KERNELS):
        print("no kernels here: another processor?")
        return 0
    found = strays(done.stdout)
    for stray in found:
        print(f"{stray}: is not part of a kernel; make it LACUNA_INLINE", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
