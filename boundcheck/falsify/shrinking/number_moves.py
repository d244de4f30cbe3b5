"""Moves that make a candidate's numbers simpler: other units of f and x, and two numbers changed at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import gcd, lcm

import numpy as np
from numpy.typing import NDArray

from boundcheck.claims.bound import Bound
from boundcheck.falsify.candidate import Candidate, InterpolationData, Ridges, steps_of
from boundcheck.falsify.lane_batch import LaneBatch
from boundcheck.falsify.lane_functions import ClosedFunctions, Floats, Functions, PieceFunctions, trees_of
from boundcheck.falsify.shapes import ClosedForm, PiecewiseShape, Side, Vector
from boundcheck.falsify.shrinking.complexity import Group, counted_size

ONE = Fraction(1)


def rescaled(candidate: Candidate, parts: Callable[[Candidate], list[Group]]) -> Iterator[Candidate]:
    """In other units of f and x: so that a slope, a step, a length is 1 or a whole number."""
    own = {group.name: [n for n in group.numbers if n] for group in parts(candidate)}
    heights = [ONE, *_units([*own.get("slopes", []), *own.get("L", [])]), *(1 / s for s in _units(own.get("steps", [])))]
    lengths = [ONE, *_units([*own.get("breaks", []), *own.get("start", []), *own.get("points", []), *own.get("closed", [])])]
    f = candidate.function
    closed = [ridge.shape for ridge in f.ridges if isinstance(ridge.shape, ClosedForm)] if isinstance(f, Ridges) else []
    if any(shape.kind != "smooth abs" for shape in closed):
        return
    for x in dict.fromkeys(lengths):
        for bend in dict.fromkeys(heights):
            yield in_units(candidate, x if closed else bend * x * x, x, parts)


def in_units(candidate: Candidate, f: Fraction, x: Fraction, parts: Callable[[Candidate], list[Group]]) -> Candidate:
    """f times one number, x times another: every number of the candidate is changed by its unit."""
    made = candidate
    if isinstance(data := candidate.function, InterpolationData):
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
    """Return factors that make one of the numbers 1, or all of them whole."""
    sizes = sorted({abs(n) for n in numbers})
    if not sizes:
        return []
    whole = Fraction(lcm(*(n.denominator for n in sizes)))
    return [*(1 / n for n in sizes), whole, whole / gcd(*(int(n * whole) for n in sizes))]


def _times(rows: tuple[Vector, ...], factor: Fraction) -> tuple[Vector, ...]:
    return tuple(tuple(factor * c for c in row) for row in rows)


MOST = 1500  # proposals, the simplest of them
TEXTS = ("0", "1", "2", "3", "4", "5", "6", "8", "10", "1/2", "3/2", "5/2", "1/3", "2/3", "1/4", "3/4", "1/5", "1/8", "1/10")
SIMPLE = tuple(map(Fraction, TEXTS))
Parts = Callable[[Candidate], list[Group]]
Place = tuple[int, Fraction]  # a number, by group: all equal ones of the group change together


def pairs(candidate: Candidate, parts: Parts, allows: Callable[[str, Fraction, Fraction], bool]) -> Iterator[Candidate]:
    """Yield proposals in which two numbers have simple values, and all numbers together are smaller; the smallest first."""
    own = [g for g in parts(candidate) if g.name not in ("shift", "data")]
    sizes = [counted_size(group.name, group.numbers) for group in own]
    places = [(n, value) for n, group in enumerate(own) for value in dict.fromkeys(group.numbers)]
    ranked: list[tuple[int, int, dict[int, Vector]]] = []
    for one, two in combinations(places, 2):
        for new in product(_values(one, own, allows), _values(two, own, allows)):
            changed: dict[int, Vector] = {}
            for (n, old), value in zip((one, two), new, strict=True):
                changed[n] = tuple(value if v == old else v for v in changed.get(n, own[n].numbers))
            gain = sum(counted_size(own[n].name, numbers) - sizes[n] for n, numbers in changed.items())
            if gain < 0:
                ranked.append((gain, len(ranked), changed))
    ranked.sort(key=lambda entry: entry[:2])
    for _, _, changed in ranked[:MOST]:
        made = _changed(candidate, {own[n].name: numbers for n, numbers in changed.items()}, parts)
        if made is not None:
            yield made


def _values(place: Place, own: Sequence[Group], allows: Callable[[str, Fraction, Fraction], bool]) -> list[Fraction]:
    n, old = place
    sign = -1 if old < 0 else 1
    return [sign * v for v in SIMPLE if sign * v != old and allows(own[n].name, old, sign * v)]


def _changed(candidate: Candidate, numbers: dict[str, Vector], parts: Parts) -> Candidate | None:
    made = candidate
    for name, new in numbers.items():
        group = next((g for g in parts(made) if g.name == name), None)
        if group is None or len(group.numbers) != len(new):
            return None
        try:
            made = group.put(new)
        except ValueError:
            return None
    return made


def seeming_to_fail(bound: Bound, proposals: Sequence[Candidate], margin: float) -> list[Candidate]:
    """Return those at which the claim seems to fail by so much. They differ from each other in numbers only."""
    if not proposals or not isinstance(proposals[0].function, Ridges):
        return []
    first, lanes = proposals[0], len(proposals)
    steps = [[1.0 if s is None else float(s) for s in steps_of(c)] for c in proposals]
    try:
        functions = _in_lanes([c.function for c in proposals if isinstance(c.function, Ridges)])
        with np.errstate(all="ignore"):
            batch = LaneBatch(
                trees_of(bound),
                functions,
                smoothness=first.smoothness,
                parameters={name: _floats([dict(c.parameters)[name] for c in proposals]) for name, _ in first.parameters},
                ends={"x*": functions.centre + np.zeros((lanes, first.dimension))}
                | {name: _floats([dict(c.chord)[name] for c in proposals]) for name, _ in first.chord},
                start=None if first.chord else _floats([c.start for c in proposals]),
                free=None if first.chord else np.array(steps),
                count=len(steps[0]),
            )
            scores = [one for one in batch.scores([first.k]) if one.link == first.link]
    except (LookupError, ValueError):
        return []
    fails: NDArray[np.bool_] = np.zeros(lanes, bool)
    for one in scores:
        fails |= one.fails & (one.violation >= 0.99 * margin)
    return [c for c, failing in zip(proposals, fails, strict=True) if failing]


def _floats(rows: Sequence[Fraction] | Sequence[Vector]) -> Floats:
    return np.array([float(r) if isinstance(r, Fraction) else [float(c) for c in r] for r in rows])


def _in_lanes(functions: Sequence[Ridges]) -> Functions:
    """Return functions of as many ridges, or of one closed form, a lane each.

    Breaks at which nothing changes make all sides as long.
    """
    first = functions[0].ridges[0].shape
    if isinstance(first, ClosedForm):
        if not functions[0].is_plain or any(f.centre for f in functions):
            raise ValueError("closed forms are of one variable here")
        return ClosedFunctions(
            first.kind, _floats([r.shape.number for f in functions for r in f.ridges if isinstance(r.shape, ClosedForm)])
        )
    shapes = [[r.shape for r in f.ridges if isinstance(r.shape, PiecewiseShape)] for f in functions]
    most = max(len(side.breaks) for row in shapes for shape in row for side in (shape.left, shape.right))
    sides = [[[_longer(side, most) for side in (shape.left, shape.right)] for shape in row] for row in shapes]
    return PieceFunctions(
        np.array([[[float(a) for a in r.direction] for r in f.ridges] for f in functions]),
        np.array([[[[float(b) for b in side.breaks] for side in pair] for pair in row] for row in sides]),
        np.array([[[[float(s) for s in side.slopes] for side in pair] for pair in row] for row in sides]),
        np.array([[float(shape.tilt) for shape in row] for row in shapes]),
        np.array([float(f.shift) for f in functions]),
        _floats([f.centre or (Fraction(0),) * f.dimension for f in functions]),
    )


def _longer(side: Side, breaks: int) -> Side:
    more, last = range(1, breaks - len(side.breaks) + 1), (side.breaks or (Fraction(0),))[-1]
    return Side((*side.breaks, *(last + n for n in more)), (*side.slopes, *(side.slopes[-1] for _ in more)))
