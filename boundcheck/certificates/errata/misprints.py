"""Misprints that make nothing false: what is printed, and what is meant. They are kept beside the claims, in misprints.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

from boundcheck.claims.bound import Bound
from boundcheck.library.catalogue import NotFound, beside, papers_of
from boundcheck.support.errors import UserError

FILE = "misprints.toml"
FIELDS = {"line": int, "where": str, "printed": str, "meant": str}


@dataclass(frozen=True, kw_only=True)
class Misprint:
    """A place of a paper whose words or formula say something else than they mean, and which no claim finds false."""

    line: int  # of the paper's LaTeX source
    where: str  # "Theorem 4.5"
    printed: str  # words with $mathematics$, as the next
    meant: str

    @property
    def words(self) -> str:
        """It in one line."""
        return f"{self.where}, line {self.line}: printed is {self.printed}; meant is {self.meant}."


@cache
def misprints(paper: ModuleType) -> tuple[Misprint, ...]:
    """The misprints of a paper, in its order; none where it keeps no file of them."""
    file = beside(paper, FILE)
    if not file.is_file():
        return ()
    try:
        return tuple(read_misprints(file.read_text(encoding="utf-8")))
    except ValueError as wrong:
        raise NotFound(f"{file}: {wrong}") from None


def misprints_about(bounds: Iterable[Bound]) -> tuple[Misprint, ...]:
    """The misprints of the papers whose claims these are."""
    return tuple(found for paper in papers_of(bounds) for found in misprints(paper))


def read_misprints(text: str) -> list[Misprint]:
    data = tomllib.loads(text)
    if set(data) - {"misprint"} or not isinstance(data.get("misprint", []), list):
        raise UserError(f"found {', '.join(map(repr, data))}; it holds tables [[misprint]] and nothing else")
    return sorted((_misprint(table) for table in data.get("misprint", [])), key=lambda one: one.line)


def _misprint(data: Any) -> Misprint:
    if not isinstance(data, dict) or set(data) != set(FIELDS) or not all(isinstance(data[n], k) for n, k in FIELDS.items()):
        raise UserError(f"found {data!r}; a misprint has a line, a number, and where, printed and meant, texts")
    for name in ("printed", "meant"):
        if not data[name].strip() or data[name].replace(r"\$", "").count("$") % 2:
            raise UserError(f"line {data['line']}: found {name} = '{data[name]}'; it needs words, with mathematics between two $")
    return Misprint(**data)
