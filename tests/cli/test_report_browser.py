"""The report in a real browser: every picture is there, nothing is fetched, scripts are optional.

Needs Chromium, and so belongs to the slow tests. Leaves screenshots of what every reader sees in the folder
report-screenshots beside the command.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from browser import Browser, Page, chromium
from cli_support import quick_fit, write_table

EVIL = "<script>window.caught = 1</script>"
WIDTHS = (390, 1440)


@pytest.fixture(scope="module")
def browser():
    assert chromium(), "install chromium (./dev test --all does)"
    made = Browser()
    yield made
    made.close()


@pytest.fixture
def page_file(lacuna, tmp_path: Path) -> Path:
    random = np.random.default_rng(1)
    columns = {EVIL: random.uniform(-1, 1, 60), "b": random.uniform(-1, 1, 60)}
    columns["y"] = np.abs(columns[EVIL]) + 0.1 * random.normal(size=60)
    write_table(tmp_path / "d.csv", columns)
    quick_fit(lacuna, "--burn-in", 2000, "--draws", 60)
    lacuna("report", "d.lacuna", "--out", "report.html")
    return tmp_path / "report.html"


def check_quiet(page: Page) -> None:
    """Nothing was logged, thrown or asked for beyond the page itself."""
    for event in ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"):
        assert page.events(event) == [], event
    asked = {event["request"]["url"] for event in page.events("Network.requestWillBeSent")}
    assert asked == {page.address}
    assert page.ask("window.caught") is None


def check_pictures(page: Page) -> None:
    sizes = page.ask(
        "[...document.querySelectorAll('figure svg')].map(s => {const b = s.getBBox(); return [b.width, b.height]})"
    )
    assert len(sizes) >= 12
    assert all(width > 100 and height > 40 for width, height in sizes), sizes
    sides = page.ask("[document.documentElement.scrollWidth, innerWidth]")
    assert sides[0] <= sides[1], sides


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("scripts", [False, True])
def test_every_reader_sees_all(browser, page_file: Path, command: str, width: int, dark: bool, scripts: bool) -> None:
    page = browser.page(page_file, width=width, dark=dark, scripts=scripts)
    check_pictures(page)
    background, ink = page.ask(
        "(() => {const s = getComputedStyle(document.documentElement); return [s.backgroundColor, s.color]})()"
    )
    lightness = [sum(map(int, colour.strip("rgb()").split(",")[:3])) / 765 for colour in (background, ink)]
    assert (lightness[0] < 0.2 and lightness[1] > 0.8) if dark else (lightness[0] > 0.9 and lightness[1] < 0.3)
    line = page.ask("getComputedStyle(document.querySelector('polyline')).stroke")
    assert line.startswith("rgb("), line  # the variable of the style sheet is known
    assert bool(page.ask("document.querySelectorAll('.tools').length")) == scripts
    check_quiet(page)
    kept = Path(command).parent / "report-screenshots"
    kept.mkdir(exist_ok=True)
    words = (f"{width}px", "dark" if dark else "light", "scripts" if scripts else "no-scripts")
    page.screenshot(kept / f"{'-'.join(words)}.png")
    page.close()


def test_pointing_shows_the_numbers(browser, page_file: Path) -> None:
    page = browser.page(page_file, width=1440)
    assert page.ask("document.getElementById('tip').offsetHeight") == 0
    page.point_at("#sparsity rect[data-tip]")
    assert page.ask("document.getElementById('tip').offsetHeight") > 0
    told = page.ask("document.getElementById('tip').textContent")
    assert told == f"{EVIL}: 1.00", told
    page.point_at("h1")
    assert page.ask("document.getElementById('tip').offsetHeight") == 0
    check_quiet(page)
    page.close()


def test_zooming_and_one_chain_alone(browser, page_file: Path) -> None:
    page = browser.page(page_file, width=1440)
    box = "document.querySelector('#network svg').getAttribute('viewBox')"
    whole = page.ask(box)
    page.click("#network .tools button:nth-child(1)")
    assert float(page.ask(box).split()[2]) < float(whole.split()[2])
    page.click("#network .tools button:nth-child(3)")
    assert page.ask(box) == whole
    seen = (
        "[...document.querySelectorAll('#sampling svg:first-of-type g[data-chain]')]"
        ".filter(g => getComputedStyle(g).display !== 'none').map(g => g.dataset.chain)"
    )
    assert set(page.ask(seen)) == {"0", "1"}
    page.click(".chains button:nth-child(3)")
    assert set(page.ask(seen)) == {"1"}
    page.click(".chains button:nth-child(1)")
    assert set(page.ask(seen)) == {"0", "1"}
    check_quiet(page)
    page.close()


@pytest.mark.parametrize("scripts", [False, True])
def test_tables_open(browser, page_file: Path, scripts: bool) -> None:
    page = browser.page(page_file, width=390, scripts=scripts)
    table = "document.querySelector('figure details table').checkVisibility()"
    assert page.ask(table) is False
    page.click("figure details summary")
    assert page.ask(table) is True
    check_pictures(page)
    check_quiet(page)
    page.close()
