"""Data that cannot be fitted, and data that look odd but can: what a user reads, and the exit code."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from cli_support import QUICK, fit, quick_fit, read_columns, refusal, sentence, small_data

# Each file as given to `fit --target y`, and the whole sentence that comes back with exit code 65.
REFUSED: dict[str, tuple[bytes, str]] = {
    "missing value": (b"x,z,y\n1,2,3\n4,,6\n7,8,9\n", "d.csv:3: 'z': missing value; use --na drop"),
    "missing value by name": (b"x,y\n1,2\nNA,6\n", "d.csv:3: 'x': missing value; use --na drop"),
    "NaN in y": (b"x,y\n1,2\n3,nan\n", "d.csv:3: 'y': missing value; use --na drop"),
    "infinity": (b"x,y\n1,2\ninf,3\n", "d.csv:3: 'x': infinite value \"inf\"; remove or replace it"),
    "infinity in y": (b"x,y\n1,-Infinity\n1,3\n", "d.csv:2: 'y': infinite value \"-Infinity\"; remove or replace it"),
    "beyond doubles": (b"x,y\n1,2\n1e400,3\n", "d.csv:3: 'x': infinite value \"1e400\"; remove or replace it"),
    "empty file": (b"", "d.csv: empty file; a header line and at least 2 rows are needed"),
    "blank lines only": (b"\n\n  \n", "d.csv: empty file; a header line and at least 2 rows are needed"),
    "header only": (b"x,y\n", "d.csv: 0 samples; at least 2 are needed"),
    "one row": (b"x,y\n1,2\n", "d.csv: 1 sample; at least 2 are needed"),
    "no feature columns": (b"y\n1\n2\n", "d.csv: no feature columns; every column is the target or ignored"),
    "short row": (b"x,z,y\n1,2,3\n4,5\n", "d.csv:3: 2 fields, expected 3"),
    "long row": (b"x,z,y\n1,2,3,\n4,5,6\n", "d.csv:2: 4 fields, expected 3"),
    "text cell": (
        b"x,sex,y\n1,male,3\n4,female,6\n",
        "d.csv:2: 'sex': cannot read \"male\" as a number; encode categories first",
    ),
    "decimal comma": (
        b'x;y\n"1,5";2\n3;4\n',
        "d.csv:2: 'x': cannot read \"1,5\" as a number; use a decimal point and no thousands separators",
    ),
    "hexadecimal": (b"x,y\n0x10,2\n3,4\n", "d.csv:2: 'x': cannot read \"0x10\" as a number; encode categories first"),
    "not UTF-8": (b"x,y\n1,2\n3\xff,4\n", "d.csv:3: byte 2 (0xFF) is not UTF-8; save the file as UTF-8"),
    "NUL byte": (b"x,y\n1,2\n3,\x004\n", "d.csv:3: byte 3 is NUL; this is not a text file"),
    "line over 16 MB": (b"x,y\n1,2\n" + b"3" * (17 << 20) + b",4\n", "d.csv:3: line over 16 MB"),
    "name used twice": (b"x,z,x,y\n1,2,3,4\n5,6,7,8\n", "d.csv: feature name 'x' used twice (columns 1, 3)"),
    "column without a name": (b"x,,y\n1,2,3\n4,5,6\n", "d.csv: column 2 has no name"),
    "no header": (
        b"1,2\n3,4\n5,6\n",
        "d.csv: the first line holds only numbers; the file seems to have no header line, add one",
    ),
    "open quote": (b'x,y\n"1,2\n3,4\n', "d.csv:2: a quote is opened here and never closed"),
    "mistyped target": (b"x,Y\n1,2\n3,4\n", "d.csv: no column 'y'; did you mean 'Y'? columns: x, Y"),
    "zip archive": (
        b"PK\x03\x04" + bytes(40),
        "d.csv: a zip archive (.xlsx, .npz or .zip) cannot be read; save it as CSV in UTF-8 or as .npy",
    ),
    "overflow when scaled": (
        b"x,y\n1e308,1\n-1e308,2\n3,3\n",
        "column 'x': value 1e+308 overflows when scaled; rescale it",
    ),
    "target that overflows": (
        b"x,y\n1,-1.5e308\n2,1e308\n3,3\n",
        "target 'y': value -1.5e+308 overflows when scaled; rescale it",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_data_that_cannot_be_fitted(lacuna, tmp_path: Path, case: str) -> None:
    content, expected = REFUSED[case]
    (tmp_path / "d.csv").write_bytes(content)
    assert sentence(quick_fit(lacuna, code=65)) == expected
    assert not (tmp_path / "d.lacuna").exists()


def test_dropping_rows_with_missing_values(lacuna, tmp_path: Path) -> None:
    (tmp_path / "whole.csv").write_text("x,y\n1,2\n3,4\n5,7\n")
    (tmp_path / "holes.csv").write_text("x,y\n1,2\n,9\n3,4\n2,NaN\n5,7\n")
    for name in ("whole", "holes"):
        done = quick_fit(lacuna, "--na", "drop", data=f"{name}.csv", out=f"{name}.lacuna")
        told = "warning: rows left out because of missing values: 2\n" if name == "holes" else ""
        assert done.stderr == told
        lacuna("draws", f"{name}.lacuna", "--out", f"{name}-draws.csv")
    assert (tmp_path / "whole-draws.csv").read_bytes() == (tmp_path / "holes-draws.csv").read_bytes()


def test_too_few_rows_left_after_dropping(lacuna, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("x,y\n1,2\n,9\n2,\n")
    told = sentence(quick_fit(lacuna, "--na", "drop", code=65))
    assert told == "d.csv: 1 sample; at least 2 are needed (2 rows left out for missing values)"


def test_text_in_an_ignored_column_does_not_matter(lacuna, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("x,who,y\n1,Ann,2\n3,Ben,4\n5,,6\n")
    quick_fit(lacuna, "--ignore", "who")
    told = sentence(quick_fit(lacuna, "--ignore", "x,who", code=65))
    assert told == "d.csv: no feature columns; every column is the target or ignored"
    told = sentence(quick_fit(lacuna, "--ignore", "who,y", code=64))
    assert told == "target 'y' is also among the ignored columns"
    told = sentence(quick_fit(lacuna, "--ignore", "whom", code=65))
    assert told == "d.csv: no column 'whom'; did you mean 'who'? columns: x, who, y"


def warnings(lacuna, *options: object) -> list[str]:
    done = quick_fit(lacuna, *options)
    lines = done.stderr.splitlines()
    assert all(line.startswith("warning: ") for line in lines), done.stderr
    return [line.removeprefix("warning: ") for line in lines]


def test_odd_data_are_fitted_with_a_warning(lacuna, tmp_path: Path) -> None:
    data = tmp_path / "d.csv"
    data.write_text("x,c,y\n1,7,2\n3,7,4\n5,7,7\n")
    assert warnings(lacuna) == ["column 'c' is constant; it cannot matter"]
    data.write_text("x,y\n1,2\n3,2\n5,2\n")
    assert warnings(lacuna) == ["target 'y' is constant; the fit will be flat"]
    lacuna("predict", "d.lacuna", "d.csv", "--out", "p.csv")
    assert np.isfinite(read_columns(tmp_path / "p.csv")["mean"]).all()
    data.write_text("x,y\n1,2\n3,4\n1,2\n5,7\n1,2\n")
    assert warnings(lacuna) == ["2 of 5 rows are exact duplicates"]
    data.write_text("x,y\n1,2\n1,2\n")
    assert len(warnings(lacuna)) == 3


def test_targets_beyond_the_clip_level(lacuna, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("x,y\n1,2\n3,40\n5,-7\n6,1\n")
    assert warnings(lacuna, "--scale", "none", "--clip", 5) == [
        "50.0% of the targets lie beyond the clip level C=5; no fit can reach them: raise --clip or use --scale auto"
    ]
    assert warnings(lacuna, "--scale", "none", "--clip", 40) == []
    assert warnings(lacuna, "--clip", 1) == [
        "25.0% of the targets lie beyond the clip level C=1 (in standard deviations); "
        "no fit can reach them: raise --clip"
    ]
    assert "beyond the clip level C=1" in lacuna("summary", "d.lacuna").stdout


def test_data_that_overflow_only_as_given(lacuna, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("x,y\n1,1e200\n2,-1e200\n3,3\n")
    done = quick_fit(lacuna, "--scale", "none", "--lambda", 1, code=64)
    warned, told = done.stderr.splitlines()
    assert warned.startswith("warning: 66.7% of the targets")
    assert told == "lacuna: the starting network overflows on these data; use --scale auto or a smaller bound"
    told = quick_fit(lacuna, "--scale", "none", code=64).stderr
    assert told.startswith("lacuna: lambda=0: the noise level is out of proportion") and told.count("\n") == 1


@pytest.mark.parametrize("name", ["nowhere.csv", "nowhere/d.csv", "d.csv/d.csv"])
def test_data_that_do_not_exist(lacuna, tmp_path: Path, name: str) -> None:
    small_data(tmp_path / "d.csv")
    assert sentence(fit(lacuna, *QUICK, data=name, code=66)) == f"{name}: no such file"
    quick_fit(lacuna)
    assert refusal(lacuna, 66, "predict", "d.lacuna", name, "--out", "p.csv") == f"{name}: no such file"


def test_a_folder_is_not_data(lacuna) -> None:
    assert sentence(fit(lacuna, *QUICK, data=".", code=66)) == ".: is a folder, not a file"


def test_columns_missing_at_prediction(lacuna, tmp_path: Path) -> None:
    small_data(tmp_path / "d.csv")
    quick_fit(lacuna)
    new = tmp_path / "new.csv"
    new.write_text("b,c\n1,2\n")
    call = ("predict", "d.lacuna", "new.csv", "--out", "p.csv")
    assert refusal(lacuna, 65, *call) == "new.csv: missing column 'a' (the fit needs: a, b)"
    new.write_text("A,B\n1,2\n")
    assert refusal(lacuna, 65, *call) == "new.csv: missing columns 'a', 'b' (the fit needs: a, b)"
    new.write_text("a,b\n1,2\n3,x\n")
    told = refusal(lacuna, 65, *call)
    assert told == "new.csv:3: 'b': cannot read \"x\" as a number; encode categories first"
    new.write_text("a,b\n")
    assert refusal(lacuna, 65, *call) == "new.csv: 0 samples; at least 1 is needed"
    new.write_text("a,b\n1,\n")
    assert refusal(lacuna, 65, *call) == "new.csv:2: 'b': missing value; use --na drop"
    new.write_text("a,b\n1.7e308,1\n")
    assert refusal(lacuna, 65, *call).endswith(": value 1.7e+308 overflows when scaled; rescale it")
    np.save(tmp_path / "new.npy", np.ones((4, 5)))
    told = refusal(lacuna, 65, "predict", "d.lacuna", "new.npy", "--out", "p.csv")
    assert told == "new.npy: 5 columns, expected 2"
    assert not (tmp_path / "p.csv").exists()


def test_gzip_and_npy_from_end_to_end(lacuna, tmp_path: Path) -> None:
    columns = small_data(tmp_path / "d.csv")
    (tmp_path / "d.csv.gz").write_bytes(gzip.compress((tmp_path / "d.csv").read_bytes()))
    np.save(tmp_path / "d.npy", np.column_stack(list(columns.values())))
    predictions = []
    for data, target in (("d.csv", "y"), ("d.csv.gz", "y"), ("d.npy", "2"), ("d.npy", "-1")):
        lacuna("fit", data, "--target", target, "--out", "d.lacuna", *QUICK)
        lacuna("predict", "d.lacuna", data, "--out", "p.csv")
        predictions.append((tmp_path / "p.csv").read_bytes())
    assert len(set(predictions)) == 1


def test_damaged_gzip_and_npy(lacuna, tmp_path: Path) -> None:
    columns = small_data(tmp_path / "d.csv", rows=300)
    packed = gzip.compress((tmp_path / "d.csv").read_bytes())
    (tmp_path / "cut.csv.gz").write_bytes(packed[: len(packed) // 2])
    assert sentence(quick_fit(lacuna, data="cut.csv.gz", code=65)).startswith("cut.csv.gz: ")
    matrix = np.column_stack(list(columns.values()))
    np.save(tmp_path / "whole.npy", matrix)
    whole = (tmp_path / "whole.npy").read_bytes()
    (tmp_path / "cut.npy").write_bytes(whole[:-8])
    matrix[6, 1] = np.nan
    np.save(tmp_path / "hole.npy", matrix)
    matrix[6, 1] = np.inf
    np.save(tmp_path / "infinite.npy", matrix)
    np.save(tmp_path / "text.npy", np.array([["a", "b"], ["c", "d"]]))

    def told(name: str) -> str:
        return refusal(lacuna, 65, "fit", name, "--target", "2", "--out", "d.lacuna", *QUICK)

    assert told("cut.npy").startswith("cut.npy: ")
    assert told("text.npy").startswith("text.npy: ")
    assert told("hole.npy") == "hole.npy: row 7, column 'x1': missing value; use --na drop"
    assert told("infinite.npy") == "infinite.npy: row 7, column 'x1': infinite value"
