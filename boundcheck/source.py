"""Where a claim comes from, and where it is seen to fail or to be tight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Paper:
    """Where claims come from. `name` begins their ids."""

    name: str
    title: str = ""
    authors: str = ""
    year: int | None = None

    @property
    def cited(self) -> str:
        """Who wrote it, its title, and when."""
        whose = f"{self.authors}: " if self.authors else ""
        return f"{whose}{self.title or self.name}" + (f", {self.year}" if self.year else "")

    def at(self, label: str, section: str = "") -> Source:
        return Source(self, label, section)


@dataclass(frozen=True)
class Source:
    """A place in a paper: its own LaTeX label; `.part` after it for one of several statements there."""

    paper: Paper
    label: str
    section: str = ""  # its number, or what else says where: "Theorem 3.1"

    @property
    def place(self) -> str:
        """Where in the paper, in words."""
        return self.section if " " in self.section or not self.section else f"section {self.section}"


@dataclass(frozen=True, kw_only=True)
class Instance:
    """A problem and a method by their names, and how many steps: where a false claim is seen to fail."""

    problem: str
    method: str
    steps: int
    smoothness: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    arithmetic: str = "rational"


@dataclass(frozen=True, kw_only=True)
class Through:
    """A claim of the same paper that contradicts this one, and the short argument why."""

    lemma: str  # its label, with @reading where it has several
    argument: str
