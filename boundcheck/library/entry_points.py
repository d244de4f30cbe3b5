"""What installed packages offer through entry points. A package that cannot be used is named in one line, and left out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any, TypeVar

from boundcheck.support.errors import error_words

OWN = "boundcheck"


@dataclass(frozen=True)
class Offer:
    """The module that an entry point names, and the package that it comes from."""

    package: str
    module: ModuleType


@cache
def offers(group: str) -> tuple[Offer, ...]:
    """The modules of a group that can be imported: boundcheck's own first, then by the names of packages."""
    found = []
    for entry in sorted(entry_points(group=group), key=lambda e: (_package(e) != OWN, _package(e), e.name)):
        module = attempted(_package(entry), entry.load)
        if isinstance(module, ModuleType):
            found.append(Offer(_package(entry), module))
        elif module is not None:
            tell(f"the entry point {entry.name} = {entry.value} of the package '{_package(entry)}' is no module; it is left out")
    return tuple(found)


Made = TypeVar("Made")


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.value.partition(":")[0].partition(".")[0]


def attempted(package: str, make: Callable[[], Made]) -> Made | None:
    """What a package makes; None where it fails, said in one line. boundcheck's own failures are nobody else's to bear."""
    try:
        return make()
    except Exception as wrong:
        if package == OWN:
            raise
        tell(f"the package '{package}' cannot be used ({error_words(wrong)}); it is left out: repair or uninstall it")
        return None


Entries = dict[str, Any]


def merged(what: str, parts: Iterable[tuple[str, Entries]], same: Callable[[Any, Any], bool] | None = None) -> Entries:
    """All entries by name. Where two packages offer one name, the first keeps it, and one line says so."""
    made: dict[str, Any] = {}
    owner: dict[str, str] = {}
    for package, entries in parts:
        for name, value in entries.items():
            if name not in made:
                made[name], owner[name] = value, package
            elif owner[name] != package and not (same is not None and same(made[name], value)):
                tell(
                    f"the packages '{owner[name]}' and '{package}' both offer a {what} '{name}'; "
                    f"that of '{owner[name]}' is used: rename the other, or uninstall one"
                )
    return made


@cache
def tell(message: str) -> None:
    """One line on stderr, once, from the first process only."""
    processes = sys.modules.get("multiprocessing")  # who has not loaded it is no process of a pool
    if processes is None or processes.parent_process() is None:
        print(f"boundcheck: {' '.join(message.split())}", file=sys.stderr)
