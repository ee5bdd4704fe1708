"""The tutorial and the gallery run as they are printed. Slow tier."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = dict(os.environ, MPLBACKEND="Agg", PYTHONWARNINGS="error::FutureWarning,error::DeprecationWarning:__main__")
pytestmark = pytest.mark.skipif("LACUNA_SLOW" not in os.environ, reason="slow: LACUNA_SLOW=1 runs it")


def run_blocks(document: str, folder: Path) -> str:
    """What the Python of a document prints."""
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / document).read_text(), re.MULTILINE | re.DOTALL)
    script = folder / "blocks.py"
    script.write_text("\n".join(blocks))
    done = subprocess.run([sys.executable, script], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_tutorial(tmp_path: Path) -> None:
    assert "root mean square error against the truth" in run_blocks("docs/tutorial.md", tmp_path)


@pytest.mark.parametrize(("document", "shown"), [("README.md", "live hidden unit"), ("docs/python.md", "[1.")])
def test_first_examples(tmp_path: Path, document: str, shown: str) -> None:
    assert shown in run_blocks(document, tmp_path)


@pytest.mark.parametrize("script", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_gallery(tmp_path: Path, script: Path) -> None:
    done = subprocess.run([sys.executable, script, tmp_path], env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / f"{script.stem}.png").stat().st_size > 10_000
    gallery = (ROOT / "docs/gallery.md").read_text()
    assert f"(images/gallery/{script.stem}.png)" in gallery
    assert (ROOT / f"docs/images/gallery/{script.stem}.png").exists()
