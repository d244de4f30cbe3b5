"""The options of the plugin, all named --bc-..., and the files that it reads as theorem files."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

FOLDER = "theorems"
NOT_CLAIMS = ("test_", "_", "conftest")
TESTS = re.compile(r"^\s*(?:async\s+)?(?:def test|class Test)", re.MULTILINE)


def is_theorem_file(path: Path, parent: pytest.Collector) -> bool:
    """A .py file in a folder called `theorems` that mentions boundcheck; or one that the user names so, by option or ini."""
    if path.suffix != ".py" or path.name.startswith(NOT_CLAIMS) or path.name == "setup.py":
        return False
    config = parent.config
    if config.option.bc_theorems and parent.session.isinitpath(path):
        return True
    patterns = config.getini("bc_theorems")
    if patterns and any(_relative(path, config).match(pattern) for pattern in patterns):
        return True
    return in_theorem_folder(path.parent, config) and "boundcheck" in _text(path)


def in_theorem_folder(folder: Path, config: pytest.Config) -> bool:
    """Inside a folder called `theorems` of the project, but not among its tests."""
    parts = (config.rootpath.name, *_relative(folder, config).parts)
    return FOLDER in parts and not {"tests", "test"} & set(parts)


def has_tests(path: Path) -> bool:
    return TESTS.search(_text(path)) is not None


def library_name(path: Path) -> str | None:
    """The import name of a file (or folder) of an installed library of claims: the file must not become a second module."""
    path = path.resolve()
    for root, name in _libraries():
        if path == root or root in path.parents:
            inner = path.relative_to(root).parts
            return ".".join((name, *inner)).removesuffix(".py")
    return None


@cache
def _libraries() -> list[tuple[Path, str]]:
    found = []
    for entry in entry_points(group="boundcheck.theorems"):
        name = entry.value.partition(":")[0]
        try:
            spec = importlib.util.find_spec(name)
        except ImportError:
            continue
        if spec is not None and spec.origin is not None and spec.submodule_search_locations:
            found.append((Path(spec.origin).resolve().parent, name))
    return found


def _relative(path: Path, config: pytest.Config) -> Path:
    return path.relative_to(config.rootpath) if path.is_relative_to(config.rootpath) else path


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


PROFILES = ("quick", "full")


@dataclass(frozen=True, kw_only=True)
class Options:
    """What the user chose. Empty means: everything."""

    profile: str = "quick"
    arithmetic: str | None = None
    problems: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    named_files: bool = False
    jobs: int | None = None

    @property
    def narrowed(self) -> bool:
        """Was part of the suite left out on purpose?"""
        return bool(self.arithmetic or self.problems or self.methods)


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("boundcheck", "boundcheck: claims as tests")
    group.addoption("--bc-profile", metavar="NAME", default="quick", help="how much is tried: quick (the default) or full")
    group.addoption(
        "--bc-arithmetic",
        metavar="NAME",
        help="auto, float64, mp:50, ball:256, rational, torch:cpu, ... (default: auto, and rational where the problem allows it)",
    )
    group.addoption(
        "--bc-problem", metavar="NAME", action="append", default=[], help="try claims on this problem only (repeatable)"
    )
    group.addoption(
        "--bc-method",
        metavar="NAME",
        action="append",
        default=[],
        help="try claims with this step-size rule only, by its name; 'chords' for claims about any x and y (repeatable)",
    )
    group.addoption(
        "--bc-jobs", metavar="N", type=int, help="processes that make the runs (default: all cores; results do not depend on it)"
    )
    group.addoption("--bc-theorems", action="store_true", help="read every .py file named on the command line as a theorem file")
    parser.addini("bc_theorems", "patterns of theorem files outside a folder called theorems", type="args", default=[])


def options(config: pytest.Config) -> Options:
    chosen = config.option
    return Options(
        profile=chosen.bc_profile,
        arithmetic=chosen.bc_arithmetic,
        problems=tuple(chosen.bc_problem),
        methods=tuple(chosen.bc_method),
        named_files=chosen.bc_theorems,
        jobs=chosen.bc_jobs,
    )


def refuse_bad_values(chosen: Options) -> None:
    """One line for a value that does not exist, before anything is collected. Without a value the library is not imported."""
    if chosen.profile not in PROFILES:
        raise pytest.UsageError(
            f"--bc-profile: no profile '{chosen.profile}'{_near(chosen.profile)}; there are {', '.join(PROFILES)}"
        )
    if chosen.jobs is not None and chosen.jobs < 1:
        raise pytest.UsageError(f"--bc-jobs: found {chosen.jobs}; needed a number of processes, 1 or more")
    if not chosen.narrowed:
        return
    from boundcheck.arithmetic import arithmetic
    from boundcheck.check.precision_ladder import AUTO
    from boundcheck.library.names import problem_named, rule_named
    from boundcheck.support.errors import UserError

    asked: list[tuple[str, Callable[[str], Any], tuple[str, ...]]]
    named = (chosen.arithmetic,) if chosen.arithmetic and chosen.arithmetic != AUTO else ()
    asked = [("--bc-arithmetic", arithmetic, named)]
    asked += [("--bc-problem", problem_named, chosen.problems), ("--bc-method", rule_named, chosen.methods)]
    for option, look_up, values in asked:
        for value in values:
            try:
                found = look_up(value)
            except UserError as wrong:
                raise pytest.UsageError(f"{option}: {wrong}") from None
            if option == "--bc-problem" and chosen.arithmetic == "rational" and not found.rational:
                raise pytest.UsageError(f"--bc-problem: {value} has no exact rationals; use --bc-arithmetic auto or ball:256")


def _near(name: str) -> str:
    import difflib

    near = difflib.get_close_matches(name, PROFILES, n=1, cutoff=0.5)
    return f"; did you mean '{near[0]}'?" if near else ""
