"""Packages of other people: the example of docs/ is installed and used; a twin and a broken one are named, and nothing breaks."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from boundcheck.library.entry_points import attempted, merged, tell

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "example-package"

PYPROJECT = """
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "{name}"
version = "1.0"

[project.entry-points."boundcheck.{group}"]
{name} = "{name}"

[tool.setuptools]
packages = ["{name}"]
"""
TWIN = """
from boundcheck import Convex, Minimiser, Problem

def make(name):
    return Problem(
        name=name, dimension=1, f=lambda xp, x: xp.normsq(x), grad=lambda xp, x: x + x,
        facts=frozenset({Convex()}), start=[1], minimiser=Minimiser(point=[0]),
    )

huber, bowl = make("huber"), make("bowl")
"""


def _package(folder: Path, name: str, group: str, text: str) -> Path:
    (folder / name / name).mkdir(parents=True)
    (folder / name / "pyproject.toml").write_text(PYPROJECT.format(name=name, group=group), encoding="utf-8")
    (folder / name / name / "__init__.py").write_text(text, encoding="utf-8")
    return folder / name


def _install(target: Path, *packages: Path) -> Path:
    """By pip, without a network; what the build writes beside the sources is written beside copies."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]
    words = [*pip, "--no-build-isolation", "--target", str(target), *map(str, packages)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return target


def _boundcheck(*words: str, path: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": path, "NO_COLOR": "1"}
    command = [sys.executable, "-m", "boundcheck", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment, check=False)


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("setuptools")
    folder = tmp_path_factory.mktemp("example")
    shutil.copytree(EXAMPLE, folder / "source")
    return _install(folder / "installed", folder / "source")


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package with the names of other packages, and one that cannot be imported."""
    pytest.importorskip("setuptools")
    folder = tmp_path_factory.mktemp("others")
    twin = _package(folder, "twin_of_ours", "problems", TWIN)
    broken = _package(folder, "broken_one", "theorems", "import a_module_that_nobody_has\n")
    return _install(folder / "installed", twin, broken)


@pytest.mark.xdist_group("entry points")
def test_a_claim_of_another_package_is_listed_without_a_word_of_warning(example: Path) -> None:
    done = _boundcheck("list", "--json", path=str(example))
    assert done.returncode == 0 and done.stderr == ""
    assert "example/lem:monotone@printed" in [claim["id"] for claim in json.loads(done.stdout)]


@pytest.mark.xdist_group("entry points")
def test_a_claim_a_problem_and_a_rule_of_another_package_are_checked_together(example: Path) -> None:
    words = ("check", "lem:monotone", "--problem", "bowl", "--method", "third-polyak", "--jobs", "1", "--json")
    done = _boundcheck(*words, path=str(example))
    assert done.returncode == 0, done.stderr
    cells = json.loads(done.stdout)["cells"]
    assert {(cell["problem"], cell["method"]) for cell in cells} == {("bowl", "third-polyak")}


@pytest.mark.xdist_group("entry points")
def test_a_name_of_two_packages_and_a_broken_package_get_a_line_each_and_the_rest_goes_on(example: Path, others: Path) -> None:
    path = os.pathsep.join([str(example), str(others)])
    words = ("check", "lem:monotone", "--problem", "bowl", "--method", "third-polyak", "--jobs", "1", "--arithmetic", "float64")
    done = _boundcheck(*words, path=path)
    said = done.stderr.splitlines()
    assert done.returncode == 0 and len(said) == 3, said
    assert any("'broken_one' cannot be used (ModuleNotFoundError: " in line for line in said)
    assert any(
        "'boundcheck' and 'twin_of_ours' both offer a problem 'huber'; that of 'boundcheck' is used" in line for line in said
    )
    assert any("'boundcheck-example' and 'twin_of_ours' both offer a problem 'bowl'" in line for line in said)


def test_the_first_package_keeps_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    tell.cache_clear()
    parts = [("ours", {"a": 1, "b": 2}), ("theirs", {"b": 3, "c": 4})]
    assert merged("rule", parts) == {"a": 1, "b": 2, "c": 4}
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("boundcheck: the packages 'ours' and 'theirs' both offer a rule 'b'; that of 'ours' is used")
    assert merged("claim", parts, same=lambda one, other: True)["b"] == 2
    assert capsys.readouterr().err == ""


def test_a_package_that_fails_is_named_once_and_our_own_failures_are_not_hidden(capsys: pytest.CaptureFixture[str]) -> None:
    tell.cache_clear()
    for _ in range(2):
        assert attempted("theirs", lambda: 1 / 0) is None
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("boundcheck: the package 'theirs' cannot be used (ZeroDivisionError: division by zero); it is left")
    with pytest.raises(ZeroDivisionError):
        attempted("boundcheck", lambda: 1 / 0)
