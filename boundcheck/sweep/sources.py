"""The files that a sweep names: claims, problems and rules in Python files, and data. They lie beside its own file."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from boundcheck.library.catalogue import NotFound
from boundcheck.library.names import DATA_SUFFIXES
from boundcheck.library.references import is_file
from boundcheck.sweep.spec import Sweep

_DATA = re.compile(r"data\((.+?)((?:,[^,=]*=[^,=]*)*)\)")  # FILE, then key=value


@dataclass(frozen=True)
class Reference:
    """A name with a file in it: what stands before the path, the path, and what comes after."""

    before: str
    path: str
    after: str

    def at(self, path: str) -> str:
        return f"{self.before}{path}{self.after}"


def reference(name: str) -> Reference | None:
    """The file in a name, if there is one."""
    if is_file(name):
        path, colon, wanted = name.rpartition(":") if ".py:" in name else (name, "", "")
        return Reference("", path, colon + wanted)
    if match := _DATA.fullmatch(name):
        return Reference("data(", match[1].strip(), f"{match[2]})")
    return Reference("", name, "") if name.lower().endswith(DATA_SUFFIXES) else None


def relocated(spec: Sweep, move: Callable[[str], str]) -> Sweep:
    """The same sweep with its files elsewhere."""

    def moved(name: str) -> str:
        found = reference(name)
        return name if found is None else found.at(move(found.path))

    claims, problems, methods = (tuple(map(moved, names)) for names in (spec.claims, spec.problems, spec.methods))
    return replace(spec, claims=claims, problems=problems, methods=methods)


def beside(spec: Sweep, folder: Path) -> Sweep:
    """The sweep as seen from here, when its file lies in `folder`."""
    return relocated(spec, lambda path: os.path.normpath(folder / path))


def digest(name: str) -> str:
    """Of the file in a name, and of what it imports from its folder; "" where there is no file."""
    found = reference(name)
    if found is None:
        return ""
    made = sha256()
    for path in _with_imports(Path(found.path)):
        made.update(f"{path.name}\0".encode() + path.read_bytes())
    return made.hexdigest()


def shipped(spec: Sweep) -> tuple[Sweep, dict[str, bytes]]:
    """The sweep with its files in numbered folders, and these files: for a machine that does not have them."""
    folders: dict[Path, int] = {}
    files: dict[str, bytes] = {}

    def move(name: str) -> str:
        path = Path(name)
        number = folders.setdefault(path.parent.resolve(), len(folders))
        for one in _with_imports(path):
            files[f"{number}/{one.relative_to(path.parent)}"] = one.read_bytes()
        return f"{number}/{path.name}"

    return relocated(spec, move), files


def _with_imports(path: Path) -> list[Path]:
    """A file and, of a Python file, those beside it that it imports, and that these do."""
    if not path.is_file():
        raise NotFound(f"no file {path}; files that a sweep names lie beside its own")
    found: dict[Path, None] = {path: None}
    todo = [path] if path.suffix == ".py" else []
    while todo:
        for name in _imported(todo.pop()):
            for one in _beside(path.parent, name):
                if one not in found:
                    found[one] = None
                    todo.append(one)
    return list(found)


def _imported(path: Path) -> Iterator[str]:
    """The first words of what a file imports. One that does not parse imports nothing: loading it says so."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def _beside(folder: Path, name: str) -> list[Path]:
    """The module or package of this name in a folder."""
    if (folder / f"{name}.py").is_file():
        return [folder / f"{name}.py"]
    return sorted((folder / name).rglob("*.py")) if (folder / name / "__init__.py").is_file() else []
