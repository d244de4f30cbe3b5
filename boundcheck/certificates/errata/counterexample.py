"""A counterexample in a few lines: the function, the run, both sides. What follows from these by the method is left out.

Words with $mathematics$; the certificate, the script and `boundcheck explain` have every number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq

from boundcheck.arithmetic.balls.plain import Precision
from boundcheck.certificates.errata.functions import SHOWN, decimal, function_words, is_long, number, point
from boundcheck.claims.bound import Bound
from boundcheck.language.latex import SIGNS, Latex, latex
from boundcheck.language.relations import links
from boundcheck.language.scalars import Constant, Parameter, Term
from boundcheck.language.tree import Index
from boundcheck.language.vectors import Point
from boundcheck.verify import PRECISIONS, Certificate

ENTRIES = 4  # of a sequence that are all shown; of a longer one the first two and the last
ROUNDED = "Numbers with a decimal point are rounded here."


def short(bound: Bound, certificate: Mapping[str, Any]) -> str:
    """Let $f(x) = x^2/2$. Take $x_0 = 1$, $\\eta_0 = 2$, $x_1 = -1$. At $k = 1$ the left side is $1/2$, the right side $1/4$."""
    with Precision(PRECISIONS[-1]):
        told = " ".join(_Told(bound, certificate).sentences())
    return f"{told} {ROUNDED}" if re.search(r"\d\.\d", told) else told


class _Told:
    def __init__(self, bound: Bound, certificate: Mapping[str, Any]) -> None:
        self.bound, self.data = bound, certificate
        self.relation = links(bound.states)[certificate["link"]]
        self.checked = Certificate(certificate)
        if "run" in certificate:
            self.checked.make_runs()

    def sentences(self) -> Iterator[str]:
        yield f"Let {function_words(self.data['function'])}."
        taken = [*self._letters(), *self._points(), *self._entries()]
        if self.data["minimiser"] is not None:
            taken.insert(0, f"$x^{{*}} = {point(self.data['minimiser'])}$")
        yield f"Take {', '.join(taken)}."
        yield self._sides()

    def _letters(self) -> Iterator[str]:
        given = {**self.data["parameters"], **self.data["constants"]}
        updates = [u.to for _, method in self.bound.runs.roles for u in (*method.first, *method.each)]
        nodes = [n for tree in (*self.bound.trees, *updates) for n in tree.walk()]
        written = {n.name: latex(n) for n in nodes if isinstance(n, Parameter | Constant)}
        for name, value in given.items():
            if name in written:
                yield (
                    f"${written[name]} = {number(value)}$"
                    if not is_long(value)
                    else f"${written[name]} \\approx {number(value)}$"
                )
        if self.data["smoothness"]:
            yield f"$M = {self.data['smoothness']}$"

    def _points(self) -> Iterator[str]:
        for name, at in self.data.get("chord", {}).items():
            yield _equal(Latex().letter(name, None, ""), at)

    def _entries(self) -> Iterator[str]:
        """x and eta, and what else the statement reads, of each run."""
        nodes = [n for n in self.relation.walk() if isinstance(n, Point | Term) and n.index is not None]
        reads = {(n.run, n.name) for n in nodes}
        for (role, name), entries in sorted(self.checked.entries.items(), key=_order):
            if name == "x" or name == "eta" or (role, name) in reads:
                yield from self._sequence(role, name, entries)

    def _sequence(self, role: str, name: str, entries: Mapping[int, Any]) -> Iterator[str]:
        values = {k: _texts(value) for k, value in sorted(entries.items())}
        if name == "eta" and self.bound.runs.searched:
            yield _equal(Latex().letter(name, None, role), values[0])
            return
        letter = Latex().letter(name, Index("i"), role)
        if name == "eta" and len(values) > 1 and len({tuple(v) for v in values.values()}) == 1:
            yield f"{_equal(letter, values[0])} for every $i$"
            return
        shown = list(values) if len(values) <= ENTRIES else [*list(values)[:2], list(values)[-1]]
        for n, k in enumerate(shown):
            yield ("..., " if n and k != shown[n - 1] + 1 else "") + _equal(Latex().letter(name, Index(None, k), role), values[k])

    def _sides(self) -> str:
        place = " and ".join(f"${letter} = {k}$" for letter, k in self.data["at"].items())
        left, right = _both(self.data["left"], self.data["right"])
        where = f"At {place} the" if place else "The"
        return f"{where} left side is {left} and the right side {right}: it is false that left ${SIGNS[self.relation.op]}$ right."


def _order(entry: tuple[tuple[str, str], Any]) -> tuple[str, int, str]:
    (role, name), _ = entry
    return role, ("x", "eta").index(name) if name in ("x", "eta") else 2, name


def _texts(value: Any) -> list[str]:
    """The numbers of an entry: fractions as they are, balls by their digits."""
    return [str(v) if isinstance(v, fmpq) else f"~{float(v)!r}" for v in (value if isinstance(value, list) else [value])]


def _equal(letter: str, values: Sequence[str]) -> str:
    near = any(v.startswith("~") or is_long(v) for v in values)
    shown = [decimal(float(v[1:])) if v.startswith("~") else number(v) for v in values]
    sign, value = r"\approx" if near else "=", shown[0] if len(shown) == 1 else f"({', '.join(shown)})"
    return f"${letter} {sign} {value}$"


def _both(left: Any, right: Any) -> tuple[str, str]:
    """Both sides, to as many digits as tell them apart."""
    sides = [_middle(side) for side in (left, right)]
    digits = next((n for n in (4, 6, 9, 12, 15) if f"{sides[0]:.{n}g}" != f"{sides[1]:.{n}g}"), 17)
    return _side(left, sides[0], digits), _side(right, sides[1], digits)


def _middle(side: Any) -> float:
    low, high = (side, side) if isinstance(side, str) else side
    return float((Fraction(low) + Fraction(high)) / 2)


def _side(given: Any, value: float, digits: int) -> str:
    if isinstance(given, str) and len(given) <= SHOWN:
        return f"${given}$"
    return f"about ${decimal(value, digits)}$"
