"""`lacuna report`: what the page holds, what it leaves out and says so, and what is refused."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from cli_support import quick_fit, refusal, small_data, write_table

FORMATS = Path(__file__).resolve().parents[1] / "formats"
WITH_ROWS = ["fit", "calibration", "sparsity", "network", "sampling", "origin"]
WITHOUT_ROWS = [name for name in WITH_ROWS if name != "calibration"]
VOID = {"meta"}


class Page(HTMLParser):
    """Fails on tags that do not match; collects sections, figures and text."""

    def __init__(self, path: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.text = path.read_text(encoding="utf-8")
        self.open: list[str] = []
        self.tags: list[str] = []
        self.sections: list[str] = []
        self.words = ""
        self.attributes: list[tuple[str, str, str]] = []
        self.feed(self.text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag == "section":
            self.sections.append(dict(attrs)["id"] or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self.open):
            self.words += data


def sound(path: Path) -> Page:
    """A page that needs nothing else and has numbers, words and a table for each picture."""
    page = Page(path)
    assert len(page.text.encode()) < 2_000_000
    assert page.tags.count("svg") == page.tags.count("figure") == page.tags.count("desc")
    assert page.tags.count("table") >= page.tags.count("figure")
    assert page.tags.count("script") == page.tags.count("style") == 1
    for tag, name, value in page.attributes:
        assert name not in {"src", "style", "srcset", "action"} and not name.startswith("on"), (tag, name)
        assert name != "href" or value.startswith("#"), value
    without_meta = page.text.replace("http-equiv", "")
    assert "http" not in without_meta and "url(" not in without_meta and "@import" not in without_meta
    assert not re.search(r'="[^"]*\b(nan|inf)\b', page.text)
    assert not re.search(r"\b(nan|inf)\b", page.words)
    return page


def report(lacuna, tmp_path: Path, *options: object, fit: object = "d.lacuna", out: str = "report.html") -> Page:
    done = lacuna("report", fit, "--out", out, *options)
    assert done.stdout == done.stderr == ""
    return sound(tmp_path / out)


def test_a_fit_with_its_data(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    quick_fit(lacuna, "--draws", 60)
    page = report(lacuna, tmp_path)
    assert page.sections == WITH_ROWS
    for words in (
        "not held out", "Predicted against observed", "Residuals", "Which inputs matter", "How many weights are active",
        "Trace of risk", "Ranks of risk", "Acceptance by move", "Largest R-hat", "at the edge of their box",
        "beyond the clip level", "units of y", "Effect of a", "The single best network", "What the draws have in common",
    ):  # fmt: skip
        assert words in page.words, words
    assert "d.csv" in page.words and "lacuna fit d.csv" in page.words
    summary = lacuna("summary", "d.lacuna").stdout.splitlines()[0]
    assert summary[1:] in page.words


def test_the_policy_knows_style_and_script_by_their_hashes(lacuna, tmp_path: Path) -> None:
    page = report(lacuna, tmp_path, fit=FORMATS / "v1.lacuna")
    policy = next(value for tag, name, value in page.attributes if name == "content" and "default-src" in value)
    assert policy.startswith("default-src 'none'; ") and "unsafe" not in policy
    for tag in ("style", "script"):
        content = re.search(rf"<{tag}>(.*?)</{tag}>", page.text, re.DOTALL).group(1)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_one_input_shows_the_curve_with_both_bands(lacuna, tmp_path: Path) -> None:
    x = np.linspace(-1, 1, 40)
    write_table(tmp_path / "d.csv", {"x": x, "y": np.abs(x)})
    quick_fit(lacuna, "--draws", 50)
    page = report(lacuna, tmp_path)
    assert "y given x" in page.words and "Effect of" not in page.words
    assert "90% credible band (function only)" in page.words
    assert "90% predictive band (noise included)" in page.words


def test_names_cannot_become_markup(lacuna, tmp_path: Path) -> None:
    """Names as nasty as a CSV header allows, and one that is very long."""
    random = np.random.default_rng(1)
    names = ["<script>alert(1)</script>", '"""&"', "</style><img src=x onerror=alert(2)>", "long " * 2000, "ü{}%s"]
    columns = {name: random.uniform(-1, 1, 40) for name in names}
    columns["y<b>"] = 3 * columns[names[0]]
    write_table(tmp_path / "d.csv", columns)
    lacuna(
        "fit", "d.csv", "--target", "y<b>", "--out", "d.lacuna", "--widths", "3", "--lambda", "bayes", "--chains", 2,
        "--burn-in", 300, "--gap", 2, "--draws", 50, "--quiet",
    )  # fmt: skip
    page = report(lacuna, tmp_path)
    assert "img" not in page.tags and "b" not in page.tags
    assert "<script>alert(1)</script>" in page.words and "y<b>" in page.words and '"&' in page.words
    assert "long long long" in page.words and len(page.text) < 1_000_000


@pytest.mark.parametrize("options", [("--prior", "dense"), ("--draws", 1), ("--chains", 1, "--draws", 1)])
def test_unusual_runs(lacuna, tmp_path: Path, options: tuple[object, ...]) -> None:
    small_data(tmp_path / "d.csv")
    quick_fit(lacuna, *options)
    page = report(lacuna, tmp_path)
    assert page.sections == WITH_ROWS
    assert "Not usable" in page.words or "dense" in options


def test_a_badly_mixed_run_opens_with_a_warning_and_advice(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    options = ("--sampler", "paper", "--start", "prior", "--proposal-sd", 1e-4, "--chains", 3, "--burn-in", 0, "--draws", 80)
    quick_fit(lacuna, *options)
    page = report(lacuna, tmp_path)
    assert page.sections == WITH_ROWS
    opening = page.words[: page.words.index("Proposals accepted")]
    assert "Not usable" in opening and "What to do" in opening, opening


def test_a_network_without_a_live_edge(lacuna, tmp_path: Path) -> None:
    random = np.random.default_rng(2)
    write_table(tmp_path / "d.csv", {"a": random.normal(size=20), "y": random.normal(size=20)})
    quick_fit(lacuna, "--lambda", "1e-9", "--base", 50)
    page = report(lacuna, tmp_path)
    assert "The best network has no live edge" in page.words
    assert page.sections == WITH_ROWS


def test_a_hundred_inputs_and_thousands_of_rows(lacuna, tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    columns = {f"x{j}": random.uniform(-1, 1, 6000) for j in range(100)}
    columns["y"] = columns["x7"] + 0.1 * random.normal(size=6000)
    write_table(tmp_path / "d.csv", columns)
    quick_fit(lacuna)
    page = report(lacuna, tmp_path)
    assert "Showing 1,000 of 6,000 rows, evenly chosen." in page.words
    assert "Showing the 30 inputs used most, of 100." in page.words
    assert "(4,000 of them, evenly chosen)" in page.words


def test_the_very_first_files(lacuna, tmp_path: Path) -> None:
    page = report(lacuna, tmp_path, fit=FORMATS / "v1.lacuna")
    assert page.sections == WITHOUT_ROWS
    assert "the fit does not say where its data are" in page.words


@pytest.mark.parametrize("name", ["v1-tempered", "v1-walkers"])
def test_files_of_every_version(lacuna, tmp_path: Path, name: str) -> None:
    page = report(lacuna, tmp_path, "--data", FORMATS / f"{name}-data.csv", fit=FORMATS / f"{name}.lacuna")
    assert page.sections == WITH_ROWS
    assert ("Exchanges between temperatures" in page.words) == (name == "v1-tempered")
    assert ("Round trips" in page.words) == (name == "v1-tempered")


def test_without_data_the_page_says_what_is_left_out(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    quick_fit(lacuna)
    (tmp_path / "d.csv").rename(tmp_path / "moved.csv")
    page = report(lacuna, tmp_path)
    assert page.sections == WITHOUT_ROWS
    assert "d.csv is not there. If the data lie elsewhere now, give --data DATA.csv." in page.words
    assert report(lacuna, tmp_path, "--data", "moved.csv").sections == WITH_ROWS
    page = report(lacuna, tmp_path, "--no-data")
    assert page.sections == WITHOUT_ROWS and "written with --no-data" in page.words


def test_data_beside_the_fit_are_found(lacuna, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    small_data(tmp_path / "d.csv")
    quick_fit(lacuna)
    for name in ("d.csv", "d.lacuna"):
        (tmp_path / name).rename(folder / name)
    assert report(lacuna, tmp_path, fit="folder/d.lacuna").sections == WITH_ROWS


def test_a_damaged_tail_is_named(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    quick_fit(lacuna, "--draws", 200, "--checkpoint-every", 1)
    whole = (tmp_path / "d.lacuna").read_bytes()
    (tmp_path / "d.lacuna").write_bytes(whole[:-40])
    page = report(lacuna, tmp_path)
    assert "Note: d.lacuna: cut off at byte" in page.words


def test_refusals(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    small_data(tmp_path / "other.csv", seed=2)
    quick_fit(lacuna)
    told = refusal(lacuna, 65, "report", "d.lacuna", "--out", "r.html", "--data", "other.csv")
    assert told.startswith("d.lacuna: was fitted to other data (hash ")
    told = refusal(lacuna, 66, "report", "d.lacuna", "--out", "r.html", "--data", "nowhere.csv")
    assert told.startswith("nowhere.csv: no such file")
    told = refusal(lacuna, 64, "report", "d.lacuna", "--out", "r.html", "--data", "d.csv", "--no-data")
    assert told == "report: --data and --no-data exclude each other"
    assert not (tmp_path / "r.html").exists()
    refusal(lacuna, 66, "report", "nowhere.lacuna", "--out", "r.html")
    refusal(lacuna, 65, "report", "d.csv", "--out", "r.html")
    refusal(lacuna, 64, "report", "d.lacuna", "--out", "d.lacuna")
    refusal(lacuna, 64, "report", "d.lacuna", "--out", "d.csv")
    refusal(lacuna, 73, "report", "d.lacuna", "--out", "nowhere/r.html")


def test_certificates_are_there_when_asked_for(lacuna, tmp_path: Path) -> None:
    lacuna("simulate", "friedman", "--n", 40, "--p", 5, "--out", "d.csv")
    options = ["--target", "y", "--ignore", "f", "--widths", 3, "--lambda", "theory", "--chains", 1]
    lacuna("fit", "d.csv", "--out", "d.lacuna", *options, "--burn-in", 100, "--gap", 1, "--draws", 20, "--quiet")
    page = report(lacuna, tmp_path, "--certify", "--quiet")
    assert "certificate" in page.sections and "vacuous" in page.words and "It assumes:" in page.words
    told = refusal(lacuna, 64, "report", "d.lacuna", "--out", "r.html", "--certify", "--no-data")
    assert told == "report: --certify needs the data; leave --no-data out"
