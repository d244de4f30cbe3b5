"""The complexity of a candidate, and its numbers in groups of one meaning and unit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import accumulate
from typing import Any

from boundcheck.falsify.candidate import Candidate, InterpolationData, Ridges, RidgeTerm, steps_of, with_steps
from boundcheck.falsify.shapes import ClosedForm, PiecewiseShape, Side, Vector
from boundcheck.language.scalars import CURVATURE, LENGTH, NONE, Dimension
from boundcheck.model.step_search import COUNTED, FIRST_STEP

GRADIENT, VALUE = Dimension(Fraction(1), Fraction(-1)), Dimension(Fraction(1))
LETTER = "letter "  # the group of a letter is named so
OPEN_STEP = 12  # the size of a step that is not written out
ROUND = [Fraction(n, d) for d in (1, 2, 3, 4, 5, 10) for n in range(17)] + [Fraction(n) for n in (20, 25, 50, 100)]
DENOMINATORS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 50, 100, 1000)


@cache
def size(number: Fraction) -> int:
    """Return bits of a number's parts: 0 for 0, 1 for 1, 2 for 2 and 3, 4 for 1/2; a sign is one more."""
    below = number.denominator.bit_length() + 1 if number.denominator > 1 else 0
    return abs(number.numerator).bit_length() + below + (number < 0)


def plainness(number: Fraction) -> tuple[int, int]:
    """Return an order of numbers, simplest first: by size, then by how large the parts are."""
    return size(number), abs(number.numerator) + number.denominator


def simpler(number: Fraction, also: Sequence[Fraction] = ()) -> list[Fraction]:
    """Numbers simpler than this one, simplest first: small ones, those of `also`, and those near it (best approximations)."""
    sign = -1 if number < 0 else 1
    near = [number.limit_denominator(q) for q in DENOMINATORS if q < number.denominator]
    near += [Fraction(round(number, -digits)) for digits in (1, 2, 3) if abs(number) > 10**digits]
    found = {*also, -number, *near, *(sign * r for r in ROUND), *(-sign * r for r in ROUND[:5])}
    return sorted((r for r in found if plainness(r) < plainness(number)), key=lambda r: (*plainness(r), r))


@dataclass(frozen=True)
class Group:
    """Numbers of one meaning and unit, and the candidate with others in their place. ValueError where there is none."""

    name: str
    numbers: Vector
    unit: Dimension
    put: Callable[[Vector], Candidate]


def groups(candidate: Candidate, step_unit: Dimension, units: dict[str, Dimension] | None = None) -> list[Group]:
    """Return all numbers of a candidate. `units` are those of its letters."""
    c, f = candidate, candidate.function
    found = _of_ridges(c, f) if isinstance(f, Ridges) else _of_data(c, f)
    if c.chord:
        found.append(Group("points", tuple(v for _, p in c.chord for v in p), LENGTH, lambda v: replace(c, chord=_points(c, v))))
    elif isinstance(f, Ridges):
        found.append(Group("start", c.start, LENGTH, lambda v: replace(c, start=v)))
    if c.chosen and None not in (own := steps_of(c)):
        found.append(Group("steps", tuple(s for s in own if s is not None), step_unit, lambda v: with_steps(c, v)))
    for n, (name, value) in enumerate(c.parameters):
        if name not in COUNTED:
            unit = step_unit if name == FIRST_STEP else (units or {}).get(name, NONE)
            found.append(Group(LETTER + name, (value,), unit, lambda v, n=n: _with_letter(c, n, *v)))  # type: ignore[misc]
    return [group for group in found if group.numbers]


def complexity(candidate: Candidate, *, steps_chosen: bool = True) -> tuple[int, ...]:
    """Return how complex a candidate is; less is simpler. In this order:

    dimension, k, steps, pieces, ridges, closed forms; the size of the numbers, equal ones of a group once; how large they are;
    the size of steps that nobody chose (`steps_chosen` is False: the claim prescribes them); the relation of a chain; signs.
    """
    f = candidate.function
    ridges = f.ridges if isinstance(f, Ridges) else ()
    parts = [group for group in groups(candidate, NONE) if group.name != "steps"]
    steps = {s for _, own in candidate.chosen for name, values in own if name == "eta" for s in values}
    written = [s for s in steps if s is not None]
    numbers = [number for group in parts for number in _counted(group.name, group.numbers)] + (written if steps_chosen else [])
    every = [number for group in parts for number in group.numbers] + written
    open_steps = OPEN_STEP * (None in steps)
    return (
        candidate.dimension,
        candidate.k,
        len(steps_of(candidate)),
        f.size,
        len(ridges),
        sum(isinstance(ridge.shape, ClosedForm) for ridge in ridges),
        sum(map(size, numbers)) + (open_steps if steps_chosen else 0),
        sum(abs(n.numerator) + n.denominator - 1 for n in numbers),
        0 if steps_chosen else open_steps + sum(map(size, written)),
        candidate.link,
        sum(n < 0 for n in every),
        sum(abs(n.numerator) + n.denominator for n in every),
    )


def counted_size(name: str, numbers: Vector) -> int:
    """Return the size of a group's numbers, as `complexity` counts them."""
    return sum(map(size, _counted(name, numbers)))


def _counted(name: str, numbers: Vector) -> list[Fraction]:
    return list(numbers) if name in ("points", "start", "directions") else sorted(set(numbers))


def _of_ridges(c: Candidate, f: Ridges) -> list[Group]:
    shapes = [ridge.shape for ridge in f.ridges]
    sides = [side for shape in shapes if isinstance(shape, PiecewiseShape) for side in (shape.left, shape.right)]
    closed = tuple(shape.number for shape in shapes if isinstance(shape, ClosedForm) and shape.kind != "logistic pair")
    found = [
        Group("slopes", tuple(s for side in sides for s in side.slopes), CURVATURE, lambda v: _reshaped(c, slopes=v)),
        Group("breaks", tuple(b for side in sides for b in side.breaks), LENGTH, lambda v: _reshaped(c, breaks=v)),
        Group("tilts", tuple(s.tilt for s in shapes if isinstance(s, PiecewiseShape)), GRADIENT, lambda v: _reshaped(c, tilts=v)),
        Group("shift", (f.shift,), VALUE, lambda v: replace(c, function=replace(f, shift=v[0]))),
        Group("centre", f.centre, LENGTH, lambda v: replace(c, function=replace(f, centre=v if any(v) else ()))),
        Group("closed", closed, LENGTH, lambda v: _reshaped(c, closed=v)),
    ]
    if not f.is_plain:
        every = tuple(a for ridge in f.ridges for a in ridge.direction)
        found.append(Group("directions", every, NONE, lambda v: replace(c, function=_turned(f, v))))
    return found


def _of_data(c: Candidate, f: InterpolationData) -> list[Group]:
    return [
        Group("values", f.values, VALUE, lambda v: replace(c, function=replace(f, values=v))),
        Group("L", (f.L,), CURVATURE, lambda v: replace(c, function=replace(f, L=v[0]))),
        Group("mu", (f.mu,), CURVATURE, lambda v: replace(c, function=replace(f, mu=v[0]))),
        Group("data", tuple(a for p in (*f.points, *f.gradients) for a in p), NONE, lambda v: c),
    ]


def _reshaped(c: Candidate, **new: Vector) -> Candidate:
    """With other numbers in the shapes; a break at which nothing changes is left out."""
    f = c.function
    assert isinstance(f, Ridges)
    if any(number <= 0 for number in new.get("closed", ())):
        raise ValueError("the number of a closed form is positive")
    left = {name: iter(values) for name, values in new.items()}

    def side(old: Side) -> Side:
        breaks = [next(left["breaks"]) if "breaks" in left else b for b in old.breaks]
        slopes = [next(left["slopes"]) if "slopes" in left else s for s in old.slopes]
        return tidy(breaks, slopes)

    def shape(old: Any) -> Any:
        if isinstance(old, ClosedForm):
            return replace(old, number=next(left["closed"])) if "closed" in left and old.kind != "logistic pair" else old
        return PiecewiseShape(side(old.left), side(old.right), next(left["tilts"]) if "tilts" in left else old.tilt)

    return replace(c, function=replace(f, ridges=tuple(replace(r, shape=shape(r.shape)) for r in f.ridges)))


def tidy(breaks: Sequence[Fraction], slopes: Sequence[Fraction]) -> Side:
    """Return a side without the breaks at which the slope stays the same. ValueError where breaks do not increase from 0."""
    Side(tuple(breaks), tuple(slopes))
    kept = [n for n in range(len(breaks)) if slopes[n] != slopes[n + 1]]
    return Side(tuple(breaks[n] for n in kept), (slopes[0], *(slopes[n + 1] for n in kept)))


def _turned(f: Ridges, entries: Vector) -> Ridges:
    d = f.dimension
    rows = [entries[n * d : (n + 1) * d] for n in range(len(f.ridges))]
    if not all(any(row) for row in rows):
        raise ValueError("a direction is not 0")
    return replace(f, ridges=tuple(RidgeTerm(row, r.shape) for row, r in zip(rows, f.ridges, strict=True)))


def _points(c: Candidate, numbers: Vector) -> tuple[tuple[str, Vector], ...]:
    ends = list(accumulate(len(point) for _, point in c.chord))
    return tuple((name, numbers[end - len(point) : end]) for (name, point), end in zip(c.chord, ends, strict=True))


def _with_letter(c: Candidate, n: int, value: Fraction) -> Candidate:
    return replace(c, parameters=(*c.parameters[:n], (c.parameters[n][0], value), *c.parameters[n + 1 :]))
