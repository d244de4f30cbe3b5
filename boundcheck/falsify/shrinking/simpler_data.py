"""Ways to make the finite data of an interpolation simpler: fewer points and coordinates, rounder numbers, a function."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from boundcheck.claims.bound import Bound
from boundcheck.falsify.model import Candidate, Interpolation, Ridge, Ridges, steps_of
from boundcheck.falsify.read import pieces_around
from boundcheck.falsify.shapes import Vector
from boundcheck.falsify.shrinking.simpler import iterates_of

GRIDS = (1, 2, 4, 10, 20, 100, 1000)


def fewer_data(candidate: Candidate) -> Iterator[Candidate]:
    """A point less, or a coordinate that is 0 everywhere."""
    f = candidate.function
    if not isinstance(f, Interpolation):
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
    """All numbers rounded; the points that gradient descent visits are computed again, so that it still visits them."""
    f = candidate.function
    if not isinstance(f, Interpolation) or bound.runs.main.kind != "gradient descent" or not candidate.start:
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
    if not isinstance(f, Interpolation) or f.dimension != 1:
        return
    centre = f.points[f.least] if f.least is not None else (Fraction(0),)
    rows = sorted({x: g for (x,), (g,) in zip(f.points, f.gradients, strict=True)}.items())
    bends = {(a + (h - g) / f.L, h) if a >= centre[0] else (b - (h - g) / f.L, g) for (a, g), (b, h) in pairwise(rows)}
    for knots in (rows, sorted({**dict(rows), **dict(bends)}.items())):
        data = {"knots": [str(x) for x, _ in knots], "gradients": [str(g) for _, g in knots], "value_at": ["0", "0"]}
        for outside in (f.L, Fraction(0)):
            shape, _ = pieces_around({**data, "left_slope": str(outside), "right_slope": str(outside)}, centre[0])
            line = Ridges((Ridge((Fraction(1),), shape),), centre=centre if any(centre) else ())
            yield replace(candidate, function=line)


def _round(vector: Vector, q: int) -> Vector:
    return tuple(Fraction(round(c * q), q) for c in vector)
