"""The package list, the entry points, the lock and the version say the same thing as the tree."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
SETUPTOOLS = PYPROJECT["tool"]["setuptools"]
FOLDERS = SETUPTOOLS["package-dir"]
IGNORED = ("__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis")


def import_name(folder: Path) -> str:
    parts = folder.relative_to(ROOT).parts
    return ".".join(parts if parts[0] == "boundcheck" else ("boundcheck", *parts))


def shipped_files() -> list[Path]:
    files = (path for folder in FOLDERS.values() for path in sorted((ROOT / folder).rglob("*")) if path.is_file())
    return [path for path in files if not set(path.parts) & set(IGNORED)]


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def requirement_names(requirements: list[str]) -> set[str]:
    return {canonical(match[0]) for match in (re.match(r"[\w.-]+", requirement) for requirement in requirements) if match}


def pins() -> dict[str, str]:
    lines = (line.partition("#")[0].strip() for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines())
    return {canonical(name): version for name, version in (line.split("==") for line in lines if line)}


def test_every_package_of_the_tree_is_listed():
    there = {import_name(path.parent) for path in shipped_files() if path.name == "__init__.py"}
    listed = set(SETUPTOOLS["packages"])
    missing, absent = sorted(there - listed), sorted(listed - there)
    assert not missing, f"a wheel would lack {missing}: add them to [tool.setuptools] packages in pyproject.toml"
    assert not absent, f"[tool.setuptools] packages lists {absent}, which have no __init__.py"


def test_every_folder_with_python_in_it_is_a_package():
    folders = {path.parent for path in shipped_files() if path.suffix == ".py"}
    assert not [str(folder.relative_to(ROOT)) for folder in folders if not (folder / "__init__.py").exists()]


def test_every_data_file_of_a_package_is_shipped():
    patterns = SETUPTOOLS["package-data"]["*"]
    suffixes = {Path(pattern).suffix for pattern in patterns} - {""}
    data = [path for path in shipped_files() if path.suffix not in (".py", ".pyc")]
    left = [str(path.relative_to(ROOT)) for path in data if path.suffix not in suffixes and path.name not in patterns]
    assert not left, f"a wheel would lack {left}: add their suffix to [tool.setuptools.package-data]"


def test_the_package_says_that_it_is_typed():
    assert (ROOT / "boundcheck" / "py.typed").is_file(), "add an empty boundcheck/py.typed"


def test_the_entry_points_of_the_installed_package_are_those_of_pyproject():
    declared = {"console_scripts": PROJECT["scripts"], **PROJECT["entry-points"]}
    installed: dict[str, dict[str, str]] = {}
    for entry in distribution("boundcheck").entry_points:
        installed.setdefault(entry.group, {})[entry.name] = entry.value
    assert installed == declared, "run `make setup`: pyproject.toml changed since the last install"


@pytest.mark.parametrize("entry", distribution("boundcheck").entry_points, ids=lambda entry: f"{entry.group}:{entry.name}")
def test_an_entry_point_loads(entry):
    assert entry.load() is not None


def test_every_dependency_that_is_tested_is_pinned():
    extras = PROJECT["optional-dependencies"]
    needed = requirement_names([*PROJECT["dependencies"], *extras["test"], *extras["torch"]])
    assert needed <= pins().keys(), f"constraints.txt lacks {sorted(needed - pins().keys())}"


def test_torch_is_pinned_alike_in_the_lock_and_in_the_extra():
    assert PROJECT["optional-dependencies"]["torch"] == [f"torch=={pins()['torch']}"]


def test_the_extra_all_is_all_extras():
    extras = dict(PROJECT["optional-dependencies"])
    (everything,) = extras.pop("all")
    match = re.fullmatch(r"boundcheck\[(.+)\]", everything)
    assert match and set(match[1].split(",")) == set(extras)


def test_the_version_is_the_same_everywhere():
    version = PROJECT["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## [{version}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_wheel_holds_every_file_of_every_package(tmp_path):
    tree = tmp_path / "tree"
    for folder in FOLDERS.values():
        shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns(*IGNORED))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), str(tree)]
    done = subprocess.run(build, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("boundcheck-*.whl")
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    expected = {f"{import_name(path.parent).replace('.', '/')}/{path.name}" for path in shipped_files()}
    assert held == expected
