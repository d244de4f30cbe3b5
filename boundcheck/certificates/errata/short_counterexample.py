"""A counterexample in a few lines: the function, the run, both sides. What follows from these by the method is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq

from boundcheck.arithmetic.balls.plain import Precision
from boundcheck.certificates.script_functions import polynomials
from boundcheck.claims.bound import Bound
from boundcheck.language.latex import SIGNS, Latex, latex
from boundcheck.language.relations import links
from boundcheck.language.scalars import Constant, Parameter, Term
from boundcheck.language.tree import Index
from boundcheck.language.vectors import Point
from boundcheck.support.errors import UserError
from boundcheck.verify import PRECISIONS, Replay

SHOWN, DIGITS = 14, 6  # characters of a fraction that are read with ease; digits of a longer one
LARGE = 10_000  # a power of 2 from here on is written as one


def number(value: Fraction | str | int) -> str:
    """Return a fraction as it is, a power of 2 as one, and as a decimal what is long."""
    exact = Fraction(value)
    return _power_of_2(exact) or (str(exact) if len(str(exact)) <= SHOWN else decimal(float(exact)))


def _power_of_2(value: Fraction) -> str:
    """2^{-46}, where the number is that and would be long."""
    large = max(abs(value.numerator), value.denominator)
    if large < LARGE or min(abs(value.numerator), value.denominator) != 1 or large & (large - 1):
        return ""
    sign, power = "-" if value < 0 else "", large.bit_length() - 1
    return f"{sign}2^{{{power if value.denominator == 1 else -power}}}"


def decimal(value: float, digits: int = DIGITS) -> str:
    """1.25 \\cdot 10^{-7}."""
    text = f"{value:.{digits}g}"
    mantissa, mark, exponent = text.partition("e")
    return f"{mantissa} \\cdot 10^{{{int(exponent)}}}" if mark else text


def is_long(value: Fraction | str | int) -> bool:
    """Return whether the number is shown by its first digits."""
    return not _power_of_2(Fraction(value)) and len(str(Fraction(value))) > SHOWN


def point(values: Sequence[Fraction | str]) -> str:
    shown = [number(value) for value in values]
    return shown[0] if len(shown) == 1 else f"({', '.join(shown)})"


def function_words(data: Mapping[str, Any]) -> str:
    """Return what f is: "$f(x) = x^2/2$"; by pieces "$f(x) = x^2/2$ for $x \\leq 1$ and $x - 1/2$ after"."""
    kind = data["kind"]
    if kind == "quadratic":
        return _quadratic(data)
    if kind == "ridge sum":
        return _ridges(data["terms"])
    if kind == "interpolation":
        return _table(data)
    return _shape(data, "f", "x")


def _quadratic(data: Mapping[str, Any]) -> str:
    rows, centre = [[Fraction(v) for v in row] for row in data["matrix"]], [Fraction(v) for v in data["minimiser"]]
    if len(rows) == 1:
        away = polynomial((rows[0][0] * centre[0] ** 2 / 2, -rows[0][0] * centre[0], rows[0][0] / 2), "x")
        return f"$f(x) = {away}$"
    away = "x" if not any(centre) else "(x - c)"
    diagonal = all(v == 0 for i, row in enumerate(rows) for j, v in enumerate(row) if i != j)
    inside = ", ".join(number(row[i]) for i, row in enumerate(rows))
    matrix = f"\\mathrm{{diag}}({inside})" if diagonal else f"({'; '.join(', '.join(number(v) for v in row) for row in rows)})"
    where = f" and $c = {point(centre)}$" if any(centre) else ""
    return f"$f(x) = {away}^\\top B {away} / 2$ with $B = {matrix}${where}"


def _ridges(terms: Sequence[Mapping[str, Any]]) -> str:
    if len(terms) == 1 and [Fraction(v) for v in terms[0]["direction"]] == [1]:
        return _shape(terms[0]["function"], "f", "x")
    inside = [_along([Fraction(v) for v in term["direction"]]) for term in terms]
    total = " + ".join(f"\\phi_{n}({along})" for n, along in enumerate(inside))
    return f"$f(x) = {total}$, where " + "; ".join(_shape(t["function"], f"\\phi_{n}", "u") for n, t in enumerate(terms))


def _along(direction: Sequence[Fraction]) -> str:
    """<(1, -1, 0), x> as x_1 - x_2, with the coordinates of x in brackets: they are no iterates."""
    if len(direction) == 1:
        return f"{_factor(direction[0])}x"
    told = ""
    for n, c in enumerate(direction, 1):
        if c:
            sign = ("-" if c < 0 else "") if not told else (" - " if c < 0 else " + ")
            told += f"{sign}{_factor(abs(c))}x^{{({n})}}"
    return told or "0"


def _factor(c: Fraction) -> str:
    return "" if c == 1 else "-" if c == -1 else f"{number(c)} " if c.denominator == 1 else f"({number(c)}) "


def _shape(data: Mapping[str, Any], name: str, u: str) -> str:
    kind = data["kind"]
    if kind == "piecewise quadratic":
        return _pieces(data, name, u)
    if kind == "smooth abs":
        return f"${name}({u}) = \\sqrt{{{u}^2 + \\epsilon^2}}$ with $\\epsilon = {number(data['eps'])}$"
    if kind == "logistic pair":
        return f"${name}({u}) = \\log(1 + \\exp({u})) + \\log(1 + \\exp(-{u}))$"
    if kind == "power":
        return f"${name}({u}) = \\left| {u} \\right|^{{{data['p']}}}$"
    raise UserError(f"a certificate knows no function of the kind '{kind}'")


def _pieces(data: Mapping[str, Any], name: str, u: str) -> str:
    knots, found = polynomials(data)
    shown: list[tuple[str, Fraction | None]] = []  # each piece, and where it ends
    for n, piece in enumerate(found):
        end = knots[n] if n < len(knots) else None
        if shown and shown[-1][0] == polynomial(piece, u):
            shown[-1] = shown[-1][0], end
        else:
            shown.append((polynomial(piece, u), end))
    if len(shown) == 1:
        return f"${name}({u}) = {shown[0][0]}$"
    first, *rest = shown
    told = [f"${name}({u}) = {first[0]}$ for ${u} \\leq {number(first[1] or 0)}$"]
    told += [f"${text}$ for ${u} \\leq {number(end)}$" if end is not None else f"${text}$ after" for text, end in rest]
    return f"{', '.join(told[:-1])} and {told[-1]}"


def polynomial(coefficients: Sequence[Fraction], u: str) -> str:
    """Highest power first: x^2/2 - x + 3."""
    told = ""
    for power in range(len(coefficients) - 1, -1, -1):
        c = coefficients[power]
        if c:
            sign = ("-" if c < 0 else "") if not told else (" - " if c < 0 else " + ")
            told += sign + _monomial(abs(c), {0: "", 1: u}.get(power, f"{u}^{power}"))
    return told or "0"


def _monomial(c: Fraction, x: str) -> str:
    if not x or is_long(c) or _power_of_2(c):
        return f"{number(c)} {x}".strip()
    above = "" if c.numerator == 1 else f"{c.numerator} "
    return f"{above}{x}" + (f"/{c.denominator}" if c.denominator != 1 else "")


def _table(data: Mapping[str, Any]) -> str:
    convex = f"${number(data['mu'])}$-strongly convex" if Fraction(data["mu"]) else "convex"
    rows = zip(data["points"], data["values"], data["gradients"], strict=True)
    known = "; ".join(f"value ${number(f)}$ and gradient ${point(g)}$ at ${point(x)}$" for x, f, g in rows)
    exists = "one exists, for these satisfy the interpolation inequalities"
    return f"$f$ is a {convex} and ${number(data['L'])}$-smooth function with {known} ({exists})"


ENTRIES = 4  # of a sequence that are all shown; of a longer one the first two and the last
ROUNDED = "Numbers with a decimal point are rounded here."


def short(bound: Bound, certificate: Mapping[str, Any]) -> str:
    """Let $f(x) = x^2/2$. Take $x_0 = 1$, $\\eta_0 = 2$, $x_1 = -1$. At $k = 1$ the left side is $1/2$, the right side $1/4$."""
    with Precision(PRECISIONS[-1]):
        told = " ".join(_ShortText(bound, certificate).sentences())
    return f"{told} {ROUNDED}" if re.search(r"\d\.\d", told) else told


class _ShortText:
    def __init__(self, bound: Bound, certificate: Mapping[str, Any]) -> None:
        self.bound, self.data = bound, certificate
        self.relation = links(bound.states)[certificate["link"]]
        self.replay = Replay(certificate)

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
        for (role, name), entries in sorted(self.replay.entries.items(), key=_order):
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
    """Return the numbers of an entry: fractions as they are, balls by their digits."""
    return [str(v) if isinstance(v, fmpq) else f"~{float(v)!r}" for v in (value if isinstance(value, list) else [value])]


def _equal(letter: str, values: Sequence[str]) -> str:
    near = any(v.startswith("~") or is_long(v) for v in values)
    shown = [decimal(float(v[1:])) if v.startswith("~") else number(v) for v in values]
    sign, value = r"\approx" if near else "=", shown[0] if len(shown) == 1 else f"({', '.join(shown)})"
    return f"${letter} {sign} {value}$"


def _both(left: Any, right: Any) -> tuple[str, str]:
    """Return both sides, to as many digits as tell them apart."""
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
