"""Where a claim comes from, and where it is seen to fail or to be tight."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from boundcheck.support.errors import UserError

PLACES = "places.toml"  # beside the claims: where each printed statement stands in the paper's LaTeX source


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a statement is printed: its lines in the paper's LaTeX source, its number as printed, a fingerprint of those lines.

    The words themselves are the paper's, and are not kept: `boundcheck paper --source PAPER.tex` shows them.

    >>> from boundcheck import Place
    >>> Place(lines=(120, 124), number="Theorem 3.1").number
    'Theorem 3.1'
    """

    lines: tuple[int, int]  # first and last, counted from 1
    number: str = ""  # "Theorem 3.1", "Equation (12)"; of an unnumbered line what it stands in: "Proof of Lemma 2.3"
    fingerprint: str = ""  # `boundcheck quote PAPER.tex 12-15` makes it


@dataclass(frozen=True, kw_only=True)
class Paper:
    """Where claims come from. `name` begins their ids.

    >>> from boundcheck import Paper
    >>> Paper(name="mine", title="Short steps", authors="A. Author", year=2025).cited
    'A. Author: Short steps, 2025'
    """

    name: str
    title: str = ""
    authors: str = ""
    year: int | None = None
    places: Mapping[str, Place] = field(default_factory=dict, compare=False, repr=False)  # by label

    @property
    def cited(self) -> str:
        """Who wrote it, its title, and when."""
        whose = f"{self.authors}: " if self.authors else ""
        return f"{whose}{self.title or self.name}" + (f", {self.year}" if self.year else "")

    def at(self, label: str, section: str = "", place: Place | None = None) -> Source:
        return Source(self, label, section, place or self.places.get(label))


@dataclass(frozen=True)
class Source:
    """A place in a paper: its own LaTeX label; `.part` after it for one of several statements there.

    >>> from boundcheck import Paper
    >>> Paper(name="mine").at("thm:main", "Theorem 3.1").place
    'Theorem 3.1'
    """

    paper: Paper
    label: str
    section: str = ""  # its number, or what else says where: "Theorem 3.1"
    printed: Place | None = field(default=None, compare=False)  # None: nobody looked it up

    @property
    def place(self) -> str:
        """Where in the paper, in words."""
        return self.section if " " in self.section or not self.section else f"section {self.section}"


@dataclass(frozen=True, kw_only=True)
class Instance:
    """A problem and a method by their names, and how many steps: where a false claim is seen to fail.

    >>> from boundcheck import Instance
    >>> Instance(problem="huber", method="1/L", steps=5).arithmetic
    'rational'
    """

    problem: str
    method: str
    steps: int
    smoothness: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    arithmetic: str = "rational"


@dataclass(frozen=True, kw_only=True)
class Through:
    """A claim of the same paper that contradicts this one, and the short argument why.

    >>> from boundcheck import Through
    >>> Through(lemma="eq:3", argument="its left side is 0").lemma
    'eq:3'
    """

    lemma: str  # its label, with @reading where it has several
    argument: str


def read_places(package: str) -> dict[str, Place]:
    """The places of a paper's statements by their labels, from the file beside its claims; none where there is no file.

    A package says `places=read_places(__package__)`, a file of claims `places=read_places(__file__)`.

    >>> from boundcheck import read_places
    >>> read_places("boundcheck.theorems.directional_smoothness")["eq:local-descent-lemma"].number
    'Equation (10)'
    """
    file = Path(package).with_name(PLACES) if package.endswith(".py") else files(package).joinpath(PLACES)
    if not file.is_file():
        return {}
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
        return {label: _place(label, data) for label, data in tables.items()}
    except ValueError as wrong:
        raise UserError(f"{file}: {wrong}") from None


def _place(label: str, data: Any) -> Place:
    kinds = {"lines": list, "number": str, "fingerprint": str}
    if not isinstance(data, dict) or set(data) != set(kinds) or not all(isinstance(data[n], kind) for n, kind in kinds.items()):
        raise UserError(f"found ['{label}'] = {data!r}; a place has lines = [first, last], number and fingerprint")
    first, last = data["lines"]
    return Place(lines=(int(first), int(last)), number=data["number"], fingerprint=data["fingerprint"])
