"""Moves that make a candidate's function, run or data simpler. Others decide whether the claim still fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

from flint import fmpq

from boundcheck.claims.bound import Bound
from boundcheck.falsify.candidate import Candidate, InterpolationData, Ridges, RidgeTerm, steps_of, with_steps
from boundcheck.falsify.certificate_io import pieces_around
from boundcheck.falsify.exact_check import UNCLEAR, draft
from boundcheck.falsify.shapes import ClosedForm, PiecewiseShape, Shape, Side, Vector
from boundcheck.falsify.shrinking.complexity import tidy
from boundcheck.verify import Replay, TooShort

T = TypeVar("T")
ONE, ZERO = Fraction(1), Fraction(0)
SIGMAS = (ONE, Fraction(1, 2), Fraction(2), Fraction(4))  # steps in units of 1/L
FACTORS = (Fraction(2), Fraction(4), Fraction(1, 2))  # of the start, where steps cannot be chosen
MORE_STEPS = 3  # a claim at k reads so many steps after the k-th, at most


def shorter(bound: Bound, candidate: Candidate, first_k: int) -> Iterator[Candidate]:
    """Yield a smaller k, fewer steps, where the claim can be read: the first ones, the last ones, or from a later iterate on."""
    steps = steps_of(candidate)
    if not steps:
        return
    iterates = iterates_of(bound, candidate)
    for k in range(first_k, candidate.k + 1):
        at_k = replace(candidate, k=k)
        lengths = range(max(1, k), min(len(steps), k + MORE_STEPS) + 1)
        enough = [n for n in lengths if (k, n) != (candidate.k, len(steps)) and _is_readable(bound, with_steps(at_k, steps[:n]))]
        for n in enough[:2]:
            yield with_steps(at_k, steps[:n])
            yield with_steps(at_k, steps[-n:])
            if len(iterates) > (late := len(steps) - n) > 0:
                yield with_steps(replace(at_k, start=iterates[late]), steps[-n:])


def _is_readable(bound: Bound, candidate: Candidate) -> bool:
    """Return whether the run has what both sides read."""
    try:
        replay = Replay(draft(bound, candidate))
        for side in ("left", "right"):
            replay.value(replay.relation[side], replay.at)
    except TooShort:
        return False
    except UNCLEAR:
        return True
    return True


def iterates_of(bound: Bound, candidate: Candidate) -> list[Vector]:
    """x_0, x_1, ... where they are rational."""
    try:
        entries = Replay(draft(bound, candidate)).entries["", "x"]
    except UNCLEAR:
        return []
    found = [point for _, point in sorted(entries.items())]
    rational = [point for point in found if all(isinstance(c, fmpq) for c in point)]
    return [tuple(Fraction(int(c.p), int(c.q)) for c in point) for point in rational]


def lower(candidate: Candidate) -> Iterator[Candidate]:
    """Yield one dimension, along one of the ridges; or a coordinate less; or a ridge less."""
    f = candidate.function
    if isinstance(f, InterpolationData):
        return
    d = f.dimension
    if not f.is_plain:
        for ridge in f.ridges:
            a = ridge.direction
            line = replace(candidate, function=replace(f, ridges=(RidgeTerm((ONE,), ridge.shape),)))
            weight = sum((c * c for c in a), ZERO)
            yield _scaled_steps(_mapped(line, lambda p, a=a: (_dot(a, p),)), weight)  # type: ignore[misc]
            for i in range(d):
                yield _mapped(line, lambda p, i=i: (p[i],))  # type: ignore[misc]
    for i in range(d) if d > 1 else ():
        ridges = tuple(RidgeTerm(_without(r.direction, i), r.shape) for r in f.ridges if any(_without(r.direction, i)))
        if ridges:
            yield _mapped(replace(candidate, function=replace(f, ridges=ridges)), lambda p, i=i: _without(p, i))  # type: ignore[misc]
    for n in range(len(f.ridges)) if len(f.ridges) > 1 else ():
        yield replace(candidate, function=replace(f, ridges=_without(f.ridges, n)))
    for n, ridge in enumerate(f.ridges):
        for i in range(d) if d > 1 else ():
            axis = tuple(Fraction(int(i == j)) for j in range(d))
            yield replace(candidate, function=_with_ridge(f, n, RidgeTerm(axis, ridge.shape)))


def plainer(candidate: Candidate) -> Iterator[Candidate]:
    """Yield a simpler shape in the place of one: fewer breaks, both sides alike, one parabola, no tilt."""
    f = candidate.function
    if isinstance(f, InterpolationData):
        return
    for n, ridge in enumerate(f.ridges):
        for shape in _plainer_shapes(ridge.shape):
            yield replace(candidate, function=_with_ridge(f, n, RidgeTerm(ridge.direction, shape)))
    if f.is_plain and isinstance(shape := f.ridges[0].shape, PiecewiseShape) and (shape.tilt or shape.size != 1):
        yield from _recentred(candidate, f, shape)


def _plainer_shapes(shape: Shape) -> Iterator[Shape]:
    if isinstance(shape, ClosedForm):
        bend = 1 / shape.number if shape.kind == "smooth abs" else ONE
        for end in (bend, ONE):
            yield from (PiecewiseShape(side, side) for side in (Side((), (end,)), Side((1 / end,), (end, ZERO))))
        return
    for slope in sorted(set(shape.slopes)):
        flat = Side((), (slope,))
        yield from (PiecewiseShape(*sides, shape.tilt) for sides in ((flat, flat), (flat, shape.right), (shape.left, flat)))
    yield from (PiecewiseShape(side, side, shape.tilt) for side in (shape.left, shape.right))
    yield PiecewiseShape(shape.left, shape.right)
    yield from (replace(shape, left=side) for side in _fewer_breaks(shape.left))
    yield from (replace(shape, right=side) for side in _fewer_breaks(shape.right))


def _fewer_breaks(side: Side) -> Iterator[Side]:
    for n in range(len(side.breaks)):
        yield from (tidy(_without(side.breaks, n), _without(side.slopes, lost)) for lost in (n, n + 1))


def _recentred(candidate: Candidate, f: Ridges, shape: PiecewiseShape) -> Iterator[Candidate]:
    """Yield the same function and run, moved so that another knot, or where the gradient is 0, is at 0."""
    data = shape.data()
    knots, gradients = [*map(Fraction, data["knots"])], [*map(Fraction, data["gradients"])]
    bends = [slope for slope in sorted(set(shape.slopes)) if slope]
    roots = [knot - g / slope for knot, g in zip(knots, gradients, strict=True) for slope in bends]
    for centre in dict.fromkeys([*roots, *knots]):
        around, _ = pieces_around(data, centre)
        if centre and (around.tilt == 0 or shape.tilt):
            function = Ridges((RidgeTerm((ONE,), around),), centre=f.centre)
            yield _placed(replace(candidate, function=function), lambda p, c=centre: (p[0] - c,))  # type: ignore[misc]


def moved(candidate: Candidate) -> Iterator[Candidate]:
    """Yield the centre of the function moved to 0, with the points and without them; x -> -x."""
    f = candidate.function
    if isinstance(f, InterpolationData):
        return
    if centre := f.centre:
        around_0 = replace(candidate, function=replace(f, centre=()))
        yield _placed(around_0, lambda p: tuple(u - c for u, c in zip(p, centre, strict=True)))
        yield around_0
    shapes = [
        PiecewiseShape(r.shape.right, r.shape.left, -r.shape.tilt) if isinstance(r.shape, PiecewiseShape) else r.shape
        for r in f.ridges
    ]
    ridges = tuple(RidgeTerm(r.direction, shape) for r, shape in zip(f.ridges, shapes, strict=True))
    yield _mapped(replace(candidate, function=replace(f, ridges=ridges)), lambda p: tuple(-c for c in p))


def refitted(candidate: Candidate, L: Fraction | None) -> Iterator[Candidate]:
    """Yield the candidate with its steps as they are.

    With the same eta * L as when L was this; with all alike, 1/L or one of them.
    """
    yield candidate
    steps, now = [s for s in steps_of(candidate) if s is not None], candidate.function.L
    if not steps or not now:
        return
    if L and L != now:
        yield with_steps(candidate, [s * L / now for s in steps])
    for sigma in SIGMAS:
        yield with_steps(candidate, [sigma / now] * len(steps))
    for step in sorted(set(steps)) if len(set(steps)) > 1 else ():
        yield with_steps(candidate, [step] * len(steps))


def restarted(candidate: Candidate) -> Iterator[Candidate]:
    """Yield the candidate from its start, or from nearer or farther."""
    yield candidate
    for factor in FACTORS if candidate.start else ():
        yield replace(candidate, start=tuple(factor * c for c in candidate.start))


def _placed(candidate: Candidate, move: Callable[[Vector], Vector]) -> Candidate:
    """With each point of the run or the chord moved."""
    chord = tuple((name, move(point)) for name, point in candidate.chord)
    return replace(candidate, chord=chord, start=move(candidate.start) if candidate.start else ())


def _mapped(candidate: Candidate, move: Callable[[Vector], Vector]) -> Candidate:
    """With each point moved, and the centre of the function too."""
    f = candidate.function
    if isinstance(f, Ridges) and f.centre:
        centre = move(f.centre)
        candidate = replace(candidate, function=replace(f, centre=centre if any(centre) else ()))
    return _placed(candidate, move)


def _scaled_steps(candidate: Candidate, factor: Fraction) -> Candidate:
    return with_steps(candidate, [None if s is None else s * factor for s in steps_of(candidate)])


def _with_ridge(f: Ridges, n: int, ridge: RidgeTerm) -> Ridges:
    return replace(f, ridges=(*f.ridges[:n], ridge, *f.ridges[n + 1 :]))


def _without(items: tuple[T, ...], n: int) -> tuple[T, ...]:
    return (*items[:n], *items[n + 1 :])


def _dot(a: Vector, b: Vector) -> Fraction:
    return sum((u * v for u, v in zip(a, b, strict=True)), ZERO)


GRIDS = (1, 2, 4, 10, 20, 100, 1000)


def fewer_data(candidate: Candidate) -> Iterator[Candidate]:
    """Yield a point less, or a coordinate that is 0 everywhere."""
    f = candidate.function
    if not isinstance(f, InterpolationData):
        return
    for i in range(f.dimension) if f.dimension > 1 else ():
        if not any(v[i] for v in (*f.points, *f.gradients)):
            points, gradients = (tuple((*v[:i], *v[i + 1 :]) for v in part) for part in (f.points, f.gradients))
            chord = tuple((name, (*p[:i], *p[i + 1 :])) for name, p in candidate.chord)
            start = (*candidate.start[:i], *candidate.start[i + 1 :])
            yield replace(candidate, function=replace(f, points=points, gradients=gradients), chord=chord, start=start)
    for n in range(len(f.points)):
        if n != f.least:
            points, gradients = ((*part[:n], *part[n + 1 :]) for part in (f.points, f.gradients))
            least = None if f.least is None else f.least - (n < f.least)
            values = (*f.values[:n], *f.values[n + 1 :])
            yield replace(candidate, function=replace(f, points=points, gradients=gradients, values=values, least=least))


def rounder_data(bound: Bound, candidate: Candidate) -> Iterator[Candidate]:
    """Yield all numbers rounded; the points that gradient descent visits are computed again, so that it still visits them."""
    f = candidate.function
    if not isinstance(f, InterpolationData) or bound.runs.main.kind != "gradient descent" or not candidate.start:
        return
    visited = [f.points.index(x) if x in f.points else -1 for x in iterates_of(bound, candidate)]
    if not visited or visited[0] < 0:
        return
    steps = [s for s in steps_of(candidate) if s is not None]
    for q in GRIDS:
        points, gradients = [_round(p, q) for p in f.points], [_round(g, q) for g in f.gradients]
        for before, after, step in zip(visited, visited[1:], steps, strict=False):
            if min(before, after) < 0:
                break
            points[after] = tuple(p - step * g for p, g in zip(points[before], gradients[before], strict=True))
        values = tuple(value.limit_denominator(2 * q * q) for value in f.values)
        data = replace(f, points=tuple(points), gradients=tuple(gradients), values=values)
        yield replace(candidate, function=data, start=points[visited[0]])


def as_pieces(candidate: Candidate) -> Iterator[Candidate]:
    """In one dimension, a function with these gradients, which go straight from one to the next, or as fast as L allows first."""
    f = candidate.function
    if not isinstance(f, InterpolationData) or f.dimension != 1:
        return
    centre = f.points[f.least] if f.least is not None else (Fraction(0),)
    rows = sorted({x: g for (x,), (g,) in zip(f.points, f.gradients, strict=True)}.items())
    bends = {(a + (h - g) / f.L, h) if a >= centre[0] else (b - (h - g) / f.L, g) for (a, g), (b, h) in pairwise(rows)}
    for knots in (rows, sorted({**dict(rows), **dict(bends)}.items())):
        data = {"knots": [str(x) for x, _ in knots], "gradients": [str(g) for _, g in knots], "value_at": ["0", "0"]}
        for outside in (f.L, Fraction(0)):
            shape, _ = pieces_around({**data, "left_slope": str(outside), "right_slope": str(outside)}, centre[0])
            line = Ridges((RidgeTerm((Fraction(1),), shape),), centre=centre if any(centre) else ())
            yield replace(candidate, function=line)


def _round(vector: Vector, q: int) -> Vector:
    return tuple(Fraction(round(c * q), q) for c in vector)
