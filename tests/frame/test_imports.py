"""Who may import whom: the three outer folders know the framework only, and inside it imports go down the rooms."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# The rooms of boundcheck/, lowest first. A module imports its own room and lower ones; rooms on one line never import each other.
# A room is a folder or file directly inside boundcheck/. The last level has the doors, for notebooks, terminals and pytest, and
# three files that Python wants under their names: `__init__` is what `import boundcheck` offers, `__main__` is `python -m
# boundcheck`, and `letters` is the public module that theorem files take their letters from.
ROOMS: tuple[tuple[str, ...], ...] = (
    ("support", "verify"),
    ("arithmetic", "language"),
    ("model",),
    ("claims", "evaluate"),
    ("runs",),
    ("check",),
    ("library",),
    ("suite", "store"),
    ("certificates",),
    ("gram",),
    ("falsify", "tightness", "audit", "testing", "figures"),
    ("power", "report"),
    ("sweep",),
    ("api", "cli", "pytest_plugin", "letters", "__init__", "__main__"),
)
BESIDE = {("__init__", "api"), ("__main__", "cli")}  # names that are loaded when they are first used, and the command
LEVEL = {room: level for level, rooms in enumerate(ROOMS) for room in rooms}
OUTER = ("problems", "runners", "theorems")


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def module_name(path: Path) -> str:
    """The import name of a file: problems/quadratic.py is boundcheck.problems.quadratic."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts if parts[0] == "boundcheck" else ("boundcheck", *parts))


def imports(tree: ast.AST, module: str) -> Iterator[tuple[int, str]]:
    """Each import as (line, full dotted name), relative ones resolved, those inside functions and TYPE_CHECKING included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            above = module.split(".")[: -node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"


@cache
def imports_of(path: Path) -> tuple[tuple[int, str], ...]:
    return tuple(imports(ast.parse(path.read_text(encoding="utf-8"), str(path)), module_name(path)))


def inside(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def room_of(name: str) -> str | None:
    """The room that a dotted name belongs to; None outside boundcheck. `boundcheck.Bound`, a name and no file, is `__init__`."""
    head, _, rest = name.partition(".")
    if head != "boundcheck":
        return None
    room = rest.partition(".")[0]
    here = ROOT / "boundcheck" / room
    return room if room and (here.is_dir() or here.with_suffix(".py").is_file()) else "__init__"


def climbs(room: str, imported: Iterable[tuple[int, str]]) -> list[str]:
    """The imports of a module that go up, or sideways, in ROOMS."""
    found = []
    for line, name in imported:
        other = room_of(name)
        if other is not None and other != room and (room, other) not in BESIDE and LEVEL.get(other, -1) >= LEVEL[room]:
            found.append(f"line {line}: {room} imports {name}, but room '{other}' is not below it")
    return found


def test_every_module_of_the_framework_is_in_a_room():
    rooms = {path.relative_to(ROOT / "boundcheck").with_suffix("").parts[0] for path in sources("boundcheck")}
    missing = sorted(rooms - LEVEL.keys())
    assert not missing, f"boundcheck has rooms {missing} that ROOMS does not order; add each to ROOMS in {Path(__file__).name}"


@pytest.mark.parametrize("path", sources("boundcheck"), ids=module_name)
def test_imports_inside_the_framework_go_down_the_rooms(path):
    room = path.relative_to(ROOT / "boundcheck").with_suffix("").parts[0]
    if room not in LEVEL:
        pytest.fail(f"room '{room}' is not in ROOMS: add it there, in {Path(__file__).name}")
    assert climbs(room, imports_of(path)) == []


@pytest.mark.parametrize("path", sources("boundcheck"), ids=module_name)
def test_the_framework_imports_no_problem_runner_or_theorem(path):
    named = [(line, name) for line, name in imports_of(path) if any(inside(name, f"boundcheck.{folder}") for folder in OUTER)]
    assert not named, f"{path.relative_to(ROOT)} imports {named}; the framework finds these through entry points"


@pytest.mark.parametrize("path", [path for folder in OUTER for path in sources(folder)], ids=module_name)
def test_problems_runners_and_theorems_never_import_each_other(path):
    own = path.relative_to(ROOT).parts[0]
    others = [f"boundcheck.{folder}" for folder in OUTER if folder != own]
    named = [(line, name) for line, name in imports_of(path) if any(inside(name, other) for other in others)]
    assert not named, f"{path.relative_to(ROOT)} imports {named}; they may import the framework only"


def test_nobody_imports_a_folder_by_its_bare_name():
    folders = ("boundcheck", *OUTER, "tests", "benchmarks")
    bare = [
        f"{path.relative_to(ROOT)}:{line} imports {name}; the name is boundcheck.{name}"
        for folder in folders
        for path in sources(folder)
        for line, name in imports_of(path)
        if any(inside(name, outer) for outer in OUTER)
    ]
    assert not bare, "\n".join(bare)


def test_an_import_that_climbs_is_seen():
    def found(room: str, module: str, text: str) -> list[str]:
        return climbs(room, imports(ast.parse(text), f"boundcheck.{room}.{module}"))

    assert found("model", "problem", "from boundcheck.arithmetic.base import Exact") == []
    assert found("language", "tree", "from boundcheck.arithmetic.base import Exact") != []
    assert found("language", "tree", "from .letters import i") == []
    assert found("arithmetic", "base", "def f():\n    from ..language import tree") != []
    assert found("arithmetic", "base", "from boundcheck import Bound") != []
    assert found("cli", "check", "from boundcheck.api import check") != []
    assert climbs("__main__", imports(ast.parse("from boundcheck.cli import main"), "boundcheck.__main__")) == []


def test_relative_imports_are_resolved():
    tree = ast.parse("from ..runners import polyak\nfrom . import ridge")
    assert [name for _, name in imports(tree, "boundcheck.problems.quadratic")] == [
        "boundcheck.runners.polyak",
        "boundcheck.problems.ridge",
    ]
