"""Two numbers of a candidate changed at once, so that together they are simpler. Floating point picks those worth a look."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from boundcheck.claims.bound import Bound
from boundcheck.falsify.batch import Batch
from boundcheck.falsify.claim_trees import trees_of
from boundcheck.falsify.functions import ClosedFunctions, Floats, Functions, PieceFunctions
from boundcheck.falsify.model import Candidate, Ridges, steps_of
from boundcheck.falsify.shapes import Closed, Pieces, Side, Vector
from boundcheck.falsify.shrinking.numbers import Group, counted_size

MOST = 1500  # proposals, the simplest of them
TEXTS = ("0", "1", "2", "3", "4", "5", "6", "8", "10", "1/2", "3/2", "5/2", "1/3", "2/3", "1/4", "3/4", "1/5", "1/8", "1/10")
SIMPLE = tuple(map(Fraction, TEXTS))
Parts = Callable[[Candidate], list[Group]]
Place = tuple[int, Fraction]  # a number, by group: all equal ones of the group change together


def pairs(candidate: Candidate, parts: Parts, allows: Callable[[str, Fraction, Fraction], bool]) -> Iterator[Candidate]:
    """Proposals in which two numbers have simple values, and all numbers together are smaller; the smallest first."""
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
    """Those at which the claim seems to fail by so much. They differ from each other in numbers only."""
    if not proposals or not isinstance(proposals[0].function, Ridges):
        return []
    first, lanes = proposals[0], len(proposals)
    steps = [[1.0 if s is None else float(s) for s in steps_of(c)] for c in proposals]
    try:
        functions = _in_lanes([c.function for c in proposals if isinstance(c.function, Ridges)])
        with np.errstate(all="ignore"):
            batch = Batch(
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
    """Functions of as many ridges, or of one closed form, a lane each. Breaks at which nothing changes make all sides as long."""
    first = functions[0].ridges[0].shape
    if isinstance(first, Closed):
        if not functions[0].is_plain or any(f.centre for f in functions):
            raise ValueError("closed forms are of one variable here")
        return ClosedFunctions(
            first.kind, _floats([r.shape.number for f in functions for r in f.ridges if isinstance(r.shape, Closed)])
        )
    shapes = [[r.shape for r in f.ridges if isinstance(r.shape, Pieces)] for f in functions]
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
