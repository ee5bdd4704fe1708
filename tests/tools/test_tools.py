"""The checks of tools/ on small trees: silent on good ones, naming file and line of offences."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"
NAMES = ("check_layers", "check_headers", "check_files")


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up by name
    spec.loader.exec_module(module)
    return module


layers, headers, files = (load(name) for name in NAMES)
kernels = load("check_kernels")


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree without any offence."""
    write(
        tmp_path,
        "include/lacuna/errors.hpp",
        "// What can go wrong.\n#pragma once\nstruct Error {};\n",
    )
    write(
        tmp_path,
        "include/lacuna/fit.hpp",
        '// A fit and its errors.\n#pragma once\n#include "lacuna/errors.hpp"\n'
        "struct Fit { Error e; };\n",
    )
    for layer in layers.LAYERS:
        write(
            tmp_path,
            f"src/{layer}/thing.hpp",
            f"// The thing of {layer}.\n#pragma once\n#include <vector>\n"
            '#include "lacuna/errors.hpp"\n'
            f"struct {layer.title()} {{ std::vector<int> v; Error e; }};\n",
        )
    write(
        tmp_path,
        "src/network/thing.cpp",
        '#include "network/thing.hpp"\n\n#include "data/thing.hpp"\n#include "support/thing.hpp"\n',
    )
    write(tmp_path, "src/theory/own.cpp", '// Own and posterior.\n#include "posterior/thing.hpp"\n')
    write(tmp_path, "studies/run.hpp", '// What a study is made of.\n#pragma once\n#include "lacuna/fit.hpp"\n')
    write(tmp_path, "cli/options.hpp", "// What the command takes.\n#pragma once\n")
    write(
        tmp_path,
        "cli/main.cpp",
        '// The command of users.\n#include <CLI/CLI.hpp>\n#include "cli/options.hpp"\n'
        '#include "options.hpp"\n#include "lacuna/fit.hpp"\n#include "studies/run.hpp"\n',
    )
    write(tmp_path, "python/module.cpp", '// The Python module.\n#include "lacuna/fit.hpp"\n')
    write(tmp_path, "backends/cuda/risk.hpp", '// Risk on a GPU.\n#include "posterior/thing.hpp"\n')
    return tmp_path


def run(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(TOOLS / f"{name}.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", NAMES)
def test_help(name: str) -> None:
    result = run(name, "--help")
    assert result.returncode == 0
    assert "Checks that every" in result.stdout
    assert "--root" in result.stdout


@pytest.mark.parametrize("name", ("check_layers", "check_files"))
def test_a_good_tree_passes_in_silence(name: str, tree: Path) -> None:
    result = run(name, "--root", str(tree))
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize("name", ("check_layers", "check_files"))
def test_an_empty_tree_passes(name: str, tmp_path: Path) -> None:
    assert run(name, "--root", str(tmp_path)).returncode == 0


@pytest.mark.parametrize(
    ("file", "include", "culprit"),
    [
        ("src/network/bad.cpp", '"mcmc/thing.hpp"', "network includes mcmc"),
        ("src/support/bad.cpp", '"data/thing.hpp"', "support includes data"),
        ("src/network/bad.cpp", "<mcmc/thing.hpp>", "network includes mcmc"),
        ("src/network/bad.cpp", '"../mcmc/thing.hpp"', "network includes mcmc"),
        ("src/network/bad.cpp", '"mcmc/not_there.hpp"', "network includes mcmc"),
        ("src/diagnostics/bad.cpp", '"posterior/thing.hpp"', "diagnostics includes posterior"),
        ("src/theory/bad.cpp", '"network/thing.hpp"', "theory includes network"),
        ("src/theory/bad.cpp", '"diagnostics/thing.hpp"', "theory includes diagnostics"),
        ("src/mcmc/bad.cpp", '"backends/cuda/risk.hpp"', "outside the library"),
        ("src/mcmc/bad.cpp", '"cuda/risk.hpp"', "outside the library"),
        ("src/mcmc/bad.cpp", '"cli/options.hpp"', "outside the library"),
        ("include/lacuna/bad.hpp", '"support/thing.hpp"', "the public interface includes"),
        ("include/lacuna/bad.hpp", '"../../src/run/thing.hpp"', "the public interface includes"),
        ("studies/bad.cpp", '"run/thing.hpp"', "studies/ includes src/run"),
        ("studies/bad.cpp", '"cli/options.hpp"', "studies/ includes cli"),
        ("src/report/bad.cpp", '"studies/run.hpp"', "outside the library"),
        ("python/bad.cpp", '"studies/run.hpp"', "python/ includes studies"),
        ("cli/bad.cpp", '"run/thing.hpp"', "cli/ includes src/run"),
        ("cli/bad.cpp", '"src/run/thing.hpp"', "cli/ includes src/run"),
        ("python/bad.cpp", '"data/thing.hpp"', "python/ includes src/data"),
        ("python/bad.cpp", '"cli/options.hpp"', "python/ includes cli"),
        ("cli/bad.cpp", '"backends/cuda/risk.hpp"', "cli/ includes backends"),
    ],
)
def test_layers_name_each_offence(tree: Path, file: str, include: str, culprit: str) -> None:
    write(tree, file, f"// An offence on line four.\n\n#include <vector>\n  # include {include}\n")
    result = run("check_layers", "--root", str(tree))
    assert result.returncode == 1
    assert result.stdout.startswith(f"{file}:4: ")
    assert culprit in result.stdout
    assert len(result.stdout.splitlines()) == 1


def test_layers_allow_exactly_the_order(tree: Path) -> None:
    for place, layer in enumerate(layers.LAYERS):
        for other, target in enumerate(layers.LAYERS):
            text = f'// A probe of order.\n#include "{target}/thing.hpp"\n'
            write(tree, f"src/{layer}/probe.cpp", text)
            allowed = layers.NARROWER.get(layer, set(layers.LAYERS[:place])) | {layer}
            assert (layers.check(tree) == []) == (target in allowed), (layer, target)
            assert target not in allowed or other <= place
        (tree / f"src/{layer}/probe.cpp").unlink()


def test_layers_refuse_an_unknown_folder(tree: Path) -> None:
    write(tree, "src/misc/thing.hpp", "// Of no layer.\n")
    write(tree, "src/loose.hpp", "// Of no folder.\n")
    culprits = [str(offence.file) for offence in layers.check(tree)]
    assert culprits == ["src/loose.hpp", "src/misc/thing.hpp"]


def test_layers_pass_over_comments_and_other_libraries(tree: Path) -> None:
    text = '// A file.\n// #include "mcmc/thing.hpp"\n#include <net/if.h>\n#include "fmt/core.h"\n'
    write(tree, "src/support/good.cpp", text)
    assert layers.check(tree) == []


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_headers_compile_alone(tmp_path: Path) -> None:
    write(tmp_path, "include/lacuna/name.hpp", "// A name.\n#pragma once\nstruct Name {};\n")
    write(tmp_path, "src/data/user.hpp", '// Its user.\n#pragma once\n#include "lacuna/name.hpp"\n')
    assert headers.check(tmp_path, "g++", [], 2) == []
    # Compiles only after somebody else has included the name.
    write(tmp_path, "src/data/needy.hpp", "// Needs a name.\n#pragma once\n\nName name();\n")
    write(tmp_path, "src/data/twice.hpp", "// Has no guard.\nstruct Twice {};\n")
    offences = headers.check(tmp_path, "g++", [], 2)
    assert len(offences) == 2
    assert offences[0].startswith("src/data/needy.hpp:4: ")
    assert offences[0].endswith("(when src/data/needy.hpp is compiled alone)")
    assert offences[1] == "src/data/twice.hpp:1: has no `#pragma once`"
    assert run("check_headers", "--root", str(tmp_path), "--compiler", "g++").returncode == 1


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_headers_take_more_include_folders(tmp_path: Path) -> None:
    write(tmp_path, "other/vendor/lib.hpp", "struct Lib {};\n")
    write(tmp_path, "src/run/user.hpp", "// Uses it.\n#pragma once\n#include <vendor/lib.hpp>\n")
    assert len(headers.check(tmp_path, "g++", [], 1)) == 1
    assert headers.check(tmp_path, "g++", [tmp_path / "other"], 1) == []


def test_headers_need_a_job(tree: Path) -> None:
    result = run("check_headers", "--root", str(tree), "--jobs", "0")
    assert result.returncode == 2
    assert "must be >= 1" in result.stderr


@pytest.mark.parametrize(
    ("name", "text", "good"),
    [
        ("a.cpp", "// The purpose of it.\nint x;\n", True),
        ("a.cpp", "\n/* The purpose of it\n   in two lines. */\n", True),
        ("a.cpp", "#include <vector>\n// The purpose of it.\n", False),
        ("a.cpp", "// \n// The purpose of it.\n", False),
        ("a.hpp", "#pragma once\n", False),
        ("a.py", '"""The purpose of it."""\n', True),
        ("a.py", '#!/usr/bin/env python3\n"""The purpose of it."""\n', True),
        ("a.py", "# The purpose of it.\nx = 1\n", True),
        ("a.py", "#!/usr/bin/env python3\nx = 1\n", False),
        ("a.py", "import os\n", False),
        ("__init__.py", "", True),
        ("a.py", "", False),
    ],
)
def test_files_open_with_their_purpose(tmp_path: Path, name: str, text: str, good: bool) -> None:
    write(tmp_path, f"src/{name}", text)
    offences = files.check(tmp_path, 400)
    assert [offence.split(": ")[0] for offence in offences] == ([] if good else [f"src/{name}:1"])


def test_files_let_a_header_speak_for_its_source(tmp_path: Path) -> None:
    write(tmp_path, "src/data/a.cpp", '#include "data/a.hpp"\n')
    assert len(files.check(tmp_path, 400)) == 1
    write(tmp_path, "include/lacuna/a.hpp", "// The public purpose of it.\n")
    assert files.check(tmp_path, 400) == []
    write(tmp_path, "src/data/a.hpp", "#pragma once\n")
    assert len(files.check(tmp_path, 400)) == 2  # the header beside it has to speak, and does not


def test_files_are_short(tmp_path: Path) -> None:
    write(tmp_path, "src/a.cpp", "// The purpose of it.\n" * 399)
    assert files.check(tmp_path, 400) == []
    write(tmp_path, "src/a.cpp", "// The purpose of it.\n" * 400)
    assert files.check(tmp_path, 400) == ["src/a.cpp:400: has 400 lines; keep it under 400"]


@pytest.mark.parametrize(
    ("fragment", "good"),
    [
        ("/" + "home/somebody/data.csv", False),
        ("/" + "root/x", False),
        ("/" + "Users/me/x", False),
        ("/" + "tmp/x.csv", False),
        ("C:" + "\\Users\\me", False),
        ("/dev/null", True),
        ("/usr/bin/env", True),
        ("https://example.org/home/page", True),
        ("tests/home/page", True),
        ("$HOME/tmp/x", True),
    ],
)
def test_files_name_no_machine_path(tmp_path: Path, fragment: str, good: bool) -> None:
    write(tmp_path, "src/a.cpp", f'// The purpose of it.\nconst char* p = "{fragment}";\n')
    offences = files.check(tmp_path, 400)
    assert [offence.split(": ")[0] for offence in offences] == ([] if good else ["src/a.cpp:2"])


def test_files_skip_what_is_not_ours(tmp_path: Path) -> None:
    for folder in (".git", "build", "build-dev", ".venv/lib"):
        write(tmp_path, f"{folder}/a.cpp", "int x;\n")
    assert files.check(tmp_path, 400) == []


def test_files_must_be_text(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_bytes(b"// The purpose of it \xff\n")
    assert files.check(tmp_path, 400) == ["a.cpp:1: is not UTF-8 (byte 21)"]


KERNEL = "lacuna::(anonymous namespace)::backward_block_with_avx512(lacuna::BlockPass<float> const&, unsigned long)"
LAMBDA = "lacuna::(anonymous namespace)::backward_layers<lacuna::Avx512>(lacuna::BlockPass<float> const&)::{lambda()#1}"


@pytest.mark.parametrize(
    ("file", "symbol", "good"),
    [
        ("backward_block", KERNEL, True),
        ("backward_block", KERNEL + " [clone .cold]", True),
        ("backward_block", "lacuna::backward_block(lacuna::BlockPass<float> const&, unsigned long)", True),
        ("backward_block", LAMBDA, False),
        ("forward_block", "lacuna::load<lacuna::Avx512, float>(float const*)", False),
        ("evaluator", LAMBDA, True),  # has no kernels
    ],
)
def test_kernels_stand_alone(file: str, symbol: str, good: bool) -> None:
    listing = f"\n{file}.cpp.o:\n                 U memset\n0000000000000010 t {symbol}\n"
    assert kernels.strays(listing) == ([] if good else [f"{file}.cpp: {symbol}"])
