"""The inventory of a paper: each of its labels and unlabelled claims, in its order, and the claims of the library that cover it.

It is kept beside the claims, in inventory.toml. An entry that states nothing that could be tested says why.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

from boundcheck.claims.bound import Bound
from boundcheck.library.catalogue import NotFound, beside, bounds_of

FILE = "inventory.toml"
FIELDS = {"line": int, "label": str, "where": str, "meaning": str}


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One place of a paper: its label (`.part` after it for an unlabelled claim), where it is, and what it says, in a line."""

    line: int  # of the paper's LaTeX source: the order of the paper
    label: str
    where: str
    meaning: str
    covered_by: tuple[str, ...] = ()  # labels of claims
    nothing_testable: str = ""  # why nothing covers it

    def claims(self, library: Iterable[Bound]) -> tuple[Bound, ...]:
        """The claims that cover it, every reading of each."""
        return tuple(bound for bound in library if bound.label in self.covered_by)


@dataclass(frozen=True, kw_only=True)
class Proof:
    """Where a proof is, by the lines of the paper's LaTeX source, and the labels of the claims that it proves."""

    of: tuple[str, ...]
    first: int
    last: int

    def steps(self, paper: ModuleType) -> tuple[str, ...]:
        """The labels of the claims that test what stands inside it, in its order; those that it proves are none of its steps."""
        inside = [e for e in inventory(paper) if self.first <= e.line <= self.last]
        return tuple(dict.fromkeys(label for e in inside for label in e.covered_by if label not in self.of))


@cache
def proofs(paper: ModuleType) -> tuple[Proof, ...]:
    """The proofs of a paper, in its order; none where its inventory lists none."""
    return tuple(_proof(data) for data in _read(paper).get("proof", ()))


def _proof(data: Mapping[str, Any]) -> Proof:
    kinds = {"of": list, "first": int, "last": int}
    if set(data) != set(kinds) or not all(isinstance(data[name], kind) for name, kind in kinds.items()):
        raise NotFound(f"{FILE}: found the proof {dict(data)!r}; a proof has of, a list of labels, and its first and last line")
    return Proof(of=tuple(data["of"]), first=data["first"], last=data["last"])


@cache
def inventory(paper: ModuleType) -> tuple[Entry, ...]:
    """The entries of a paper, in its order; none where it keeps no inventory."""
    return tuple(_entry(claim) for claim in _read(paper).get("claim", ()))


def _read(paper: ModuleType) -> dict[str, Any]:
    file = beside(paper, FILE)
    if not file.is_file():
        return {}
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as wrong:
        raise NotFound(f"{file} is not an inventory: {wrong}") from None


def _entry(data: Mapping[str, Any]) -> Entry:
    about = data.get("label", data)
    for name, kind in FIELDS.items():
        if not isinstance(data.get(name), kind):
            raise NotFound(f"{FILE}: {about}: found {name} = {data.get(name)!r}; an entry needs a {kind.__name__} there")
    if unknown := sorted(set(data) - {*FIELDS, "covered_by", "nothing_testable"}):
        raise NotFound(f"{FILE}: {about}: an entry has no field '{unknown[0]}'")
    covered, why = tuple(data.get("covered_by", ())), str(data.get("nothing_testable", ""))
    if bool(covered) == bool(why):
        raise NotFound(f"{FILE}: {about}: an entry has either covered_by, the labels of claims, or nothing_testable, the reason")
    return Entry(**{name: data[name] for name in FIELDS}, covered_by=covered, nothing_testable=why)


def uncovered(paper: ModuleType) -> list[str]:
    """What keeps the inventory from being complete: entries whose claims are missing, and claims that no entry names."""
    library, entries = bounds_of(paper), inventory(paper)
    known, named = {bound.label: bound for bound in library}, {label for entry in entries for label in entry.covered_by}
    missing = [f"{e.label} is covered by '{c}', which is no claim" for e in entries for c in e.covered_by if c not in known]
    return missing + [f"the claim {label} is in no entry" for label in known if label not in named]
