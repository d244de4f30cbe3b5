"""The same counterexample in other units of f and x: so that its numbers are simple."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import gcd, lcm

from boundcheck.falsify.model import Candidate, Interpolation, Ridges
from boundcheck.falsify.shapes import Closed, Vector
from boundcheck.falsify.shrinking.numbers import Group

ONE = Fraction(1)


def rescaled(candidate: Candidate, parts: Callable[[Candidate], list[Group]]) -> Iterator[Candidate]:
    """In other units of f and x: so that a slope, a step, a length is 1 or a whole number."""
    own = {group.name: [n for n in group.numbers if n] for group in parts(candidate)}
    heights = [ONE, *_units([*own.get("slopes", []), *own.get("L", [])]), *(1 / s for s in _units(own.get("steps", [])))]
    lengths = [ONE, *_units([*own.get("breaks", []), *own.get("start", []), *own.get("points", []), *own.get("closed", [])])]
    f = candidate.function
    closed = [ridge.shape for ridge in f.ridges if isinstance(ridge.shape, Closed)] if isinstance(f, Ridges) else []
    if any(shape.kind != "smooth abs" for shape in closed):
        return
    for x in dict.fromkeys(lengths):
        for bend in dict.fromkeys(heights):
            yield in_units(candidate, x if closed else bend * x * x, x, parts)


def in_units(candidate: Candidate, f: Fraction, x: Fraction, parts: Callable[[Candidate], list[Group]]) -> Candidate:
    """f times one number, x times another: every number of the candidate is changed by its unit."""
    made = candidate
    if isinstance(data := candidate.function, Interpolation):
        points, gradients = _times(data.points, x), _times(data.gradients, f / x)
        made = replace(made, function=replace(data, points=points, gradients=gradients), start=_times((made.start,), x)[0])
    for n, group in enumerate(parts(candidate)):
        factor = f ** int(group.unit.f) * x ** int(group.unit.x)
        if factor != 1:
            own = parts(made)
            if [g.name for g in own] != [g.name for g in parts(candidate)]:
                return candidate  # a number of the function became one that it does not list
            made = own[n].put(tuple(v * factor for v in own[n].numbers))
    return made


def _units(numbers: Iterable[Fraction]) -> list[Fraction]:
    """Factors that make one of the numbers 1, or all of them whole."""
    sizes = sorted({abs(n) for n in numbers})
    if not sizes:
        return []
    whole = Fraction(lcm(*(n.denominator for n in sizes)))
    return [*(1 / n for n in sizes), whole, whole / gcd(*(int(n * whole) for n in sizes))]


def _times(rows: tuple[Vector, ...], factor: Fraction) -> tuple[Vector, ...]:
    return tuple(tuple(factor * c for c in row) for row in rows)
