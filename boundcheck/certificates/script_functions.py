"""Functions as short Python: f, df, and the slopes of df along a chord."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from boundcheck.language.python import exact, number
from boundcheck.support.errors import UserError


def function_lines(data: Mapping[str, Any]) -> Iterator[str]:
    """f and df."""
    kind = data["kind"]
    if kind == "quadratic" and len(data["minimiser"]) == 1:
        slope, centre = Fraction(data["matrix"][0][0]), Fraction(data["minimiser"][0])
        away = "x" if centre == 0 else f"(x - {number(centre)})"
        yield f"f = lambda x: {_times(slope / 2)}{away}**2"
        yield f"df = lambda x: {_times(slope)}{away}"
    elif kind == "quadratic":
        yield f"B = [{', '.join('[' + ', '.join(number(v) for v in row) + ']' for row in data['matrix'])}]"
        yield f"c = V(({', '.join(number(v) for v in data['minimiser'])}))"
        yield "df = lambda x: V(dot(row, x - c) for row in B)"
        yield "f = lambda x: dot(x - c, df(x))/2"
    elif kind == "ridge sum":
        yield from _ridges(data)
    elif kind == "interpolation":
        yield from _table(data)
    else:
        value, gradient = _shape(data)
        yield f"f = lambda x: {value}"
        yield f"df = lambda x: {gradient}"


def _shape(data: Mapping[str, Any]) -> tuple[str, str]:
    """Return a function of one variable and its derivative, as formulas in x."""
    kind = data["kind"]
    if kind == "piecewise quadratic":
        return _pieces(data)
    if kind == "smooth abs":
        root = f"sqrt(x**2 + {exact(data['eps'])}**2)"
        return root, f"x/{root}"
    if kind == "logistic pair":
        return "log(1 + exp(x)) + log(1 + exp(-x))", "tanh(x/2)"
    if kind == "power":
        p = Fraction(data["p"])
        return _power(p), f"{number(p)}*{_power(p - 1)}*(1 if x > 0 else -1)"
    raise UserError(f"a script knows no function of the kind '{kind}'")


def _power(p: Fraction) -> str:
    """|x|^p: exact where p is whole; through a root where it is a half; else in floats."""
    if p.denominator == 1:
        return f"abs(x)**{p}"
    return f"sqrt(abs(x))**{p.numerator}" if p.denominator == 2 else f"float(abs(x))**({p})"


def _table(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield points with their values and gradients, and the inequalities that say that such a function exists."""
    flat = len(data["points"][0]) == 1

    def point(coordinates: list[str]) -> str:
        written = ", ".join(exact(c) for c in coordinates)
        return written if flat else f"V(({written}))"

    yield "table = {  # x: (f, grad f)"
    for x, f, g in zip(data["points"], data["values"], data["gradients"], strict=True):
        yield f"    {point(x)}: ({exact(f)}, {point(g)}),"
    yield "}"
    yield "f, df = lambda x: table[x][0], lambda x: table[x][1]"
    times, square = ("{}*{}", "({})**2") if flat else ("dot({}, {})", "normsq({})")
    yield f"low, high = {exact(data['mu'])}, {exact(data['L'])}  # strong convexity, smoothness"
    between = f"{square.format('df(x) - df(y)')}/high + low*{square.format('x - y')}"
    between += f" - 2*low/high*{times.format('(df(x) - df(y))', '(x - y)')}"
    yield f"more = lambda x, y: ({between})/(2 - 2*low/high)"
    yield f"assert all(f(x) >= f(y) + {times.format('df(y)', '(x - y)')} + more(x, y) for x in table for y in table)"


def _ridges(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield each ridge is (direction, value, derivative, knots)."""
    flat = len(data["terms"][0]["direction"]) == 1
    yield "ridges = ["
    for term in data["terms"]:
        value, gradient = _shape(term["function"])
        written = ", ".join(number(v) for v in term["direction"])
        direction = written if flat else f"V(({written}))"
        knots = f"[{', '.join(number(v) for v in term['function'].get('knots', []))}]"
        yield f"    ({direction}, lambda x: {value}, lambda x: {gradient}, {knots}),"
    yield "]"
    along = "a*x" if flat else "dot(a, x)"
    yield f"f = lambda x: sum(phi({along}) for a, phi, dphi, knots in ridges)"
    yield f"df = lambda x: sum((dphi({along})*a for a, phi, dphi, knots in ridges), {'F(0)' if flat else 'zero'})"


def secants_line(data: Mapping[str, Any], dimension: int) -> str:
    """The slopes of the gradient along the chord among which are the largest and the smallest: at its end, and where it bends."""
    kind = data["kind"]
    slopes = "[(df(u) - df(x))/(u - x) for u in [y, *{}] if u != x and min(x, y) <= u <= max(x, y)]"
    if kind == "piecewise quadratic":
        return "secants = lambda x, y: " + slopes.format(f"[{', '.join(number(v) for v in data['knots'])}]")
    if kind == "quadratic" and dimension == 1:
        return "secants = lambda x, y: [(df(y) - df(x))/(y - x)]"
    if kind == "quadratic":
        return "secants = lambda x, y: [dot(df(y) - df(x), y - x)/normsq(y - x)]"
    if kind != "ridge sum" or any("knots" not in term["function"] for term in data["terms"]):
        raise UserError(f"a script knows no A or mu along a chord for this function of the kind '{kind}'")
    if dimension == 1:
        return "secants = lambda x, y: " + slopes.format("[F(k)/a for a, phi, dphi, knots in ridges if a for k in knots]")
    bends = "[(F(k) - dot(a, x))/dot(a, y - x) for a, phi, dphi, knots in ridges for k in knots if dot(a, y - x)]"
    slope = "dot(df(x + t*(y - x)) - df(x), y - x)/(t*normsq(y - x))"
    return f"secants = lambda x, y: [{slope} for t in [F(1), *{bends}] if 0 < t <= 1]"


def polynomials(data: Mapping[str, Any]) -> tuple[list[Fraction], list[tuple[Fraction, Fraction, Fraction]]]:
    """Return a piecewise quadratic: where one piece ends and the next begins, and each piece as (constant, of x, of x^2)."""
    knots, gradients = ([Fraction(v) for v in data[name]] for name in ("knots", "gradients"))
    inner = [(h - g) / (b - a) for (a, b), (g, h) in zip(pairwise(knots), pairwise(gradients), strict=True)]
    slopes = [Fraction(data["left_slope"]), *inner, Fraction(data["right_slope"])]
    heights = [Fraction(0)]
    for (a, b), (g, h) in zip(pairwise(knots), pairwise(gradients), strict=True):
        heights.append(heights[-1] + (b - a) * (g + h) / 2)
    found = []
    for j, s in enumerate(slopes):
        n = max(j - 1, 0)
        a, g, v = knots[n], gradients[n], heights[n]
        found.append((v - g * a + s * a * a / 2, g - s * a, s / 2))
    where, value = (Fraction(v) for v in data["value_at"])
    c0, c1, c2 = found[sum(1 for knot in knots if where >= knot)]
    shift = value - (c0 + c1 * where + c2 * where * where)
    return knots, [(c0 + shift, c1, c2) for c0, c1, c2 in found]


def _pieces(data: Mapping[str, Any]) -> tuple[str, str]:
    """f and f' piece by piece, as polynomials in x."""
    knots, found = polynomials(data)
    values = [_polynomial(piece) for piece in found]
    return _cases(knots, values), _cases(knots, [_polynomial((c1, 2 * c2)) for _, c1, c2 in found])


def _cases(knots: list[Fraction], pieces: list[str]) -> str:
    """Return the pieces from left to right; neighbours that are the same are one."""
    told = ""
    for knot, piece, after in zip(knots, pieces, pieces[1:], strict=False):
        told += "" if piece == after else f"{piece} if x < {number(knot)} else "
    return told + pieces[-1]


def _times(factor: Fraction) -> str:
    return "" if factor == 1 else f"{number(factor)}*"


def _polynomial(coefficients: tuple[Fraction, ...]) -> str:
    """Highest power first: F(1, 2)*x**2 - x + 3. A constant is a Fraction on its own."""
    if not any(coefficients[1:]):
        return exact(coefficients[0])
    told = ""
    for power in range(len(coefficients) - 1, -1, -1):
        c = coefficients[power]
        if c:
            x = {0: "", 1: "x"}.get(power, f"x**{power}")
            size = f"{_times(abs(c))}{x}" if x else number(abs(c))
            told += (("-" if c < 0 else "") if not told else (" - " if c < 0 else " + ")) + size
    return told
