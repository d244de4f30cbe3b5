"""Steps that solve an equation: a step is right if the root is near it, though the equation is not satisfied to the last bit.

Where <grad f(x_i), grad f(x_{i+1})> = 0 is asked, the best float still has a product that is not 0, and near the minimiser its
sign says nothing of how good the step is. So the equation is looked at with steps a little shorter and a little longer: if its
two sides change places, the root lies between them.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from boundcheck.audit.compared import BLURRED, CLOSE, Compared
from boundcheck.audit.paths import Path
from boundcheck.audit.reading import EPS, NOT_READ, Floats, Reading
from boundcheck.language.scalars import IndexNumber, Reduce, Scalar
from boundcheck.language.vectors import Mean

WANDERS = 8.0  # how far a search by values of f may stop from the root: 2 is where f cannot tell any more, and it may err again


def settled(one: Compared, plus: Scalar, minus: Scalar) -> Compared:
    """The same comparison, with the steps taken as right near which the equation plus == minus has a root."""
    if not one.differs.any() or not _is_of_one_step(plus - minus):
        return one
    room = _room(one.reading)
    lost = room > BLURRED
    one = replace(one, wanted=np.where(lost, np.nan, one.wanted))
    points, found = _points(one.reading), np.array(one.found)
    for k in np.flatnonzero(one.differs):
        if not _has_root(one.reading, points[k], int(k), float(room[k]), plus - minus):
            break  # the steps are not what is asked: no need to look at the others
        found[k] = one.wanted[k]
    return replace(one, found=found)


def _is_of_one_step(formula: Scalar) -> bool:
    """Does it read x_{i+1}, and nothing but the step from x_i to there?"""
    nodes = list(formula.walk())
    if any(isinstance(node, IndexNumber | Reduce | Mean) for node in nodes):
        return False
    offsets = {index.offset for node in nodes for index in getattr(node, "indices", ()) if index.letter is not None}
    fixed = any(index.letter is None for node in nodes for index in getattr(node, "indices", ()))
    return offsets <= {0, 1} and 1 in offsets and not fixed


def _room(reading: Reading) -> Floats:
    """The share of each step within which its root may lie: what a search that compares values of f can tell, at best."""
    path, eta = reading.path, reading.eta
    fall = eta * (1 if reading.is_normalized else path.grad_norm[: reading.steps]) * path.grad_norm[: reading.steps]
    with np.errstate(all="ignore"):
        # a trial point is rounded too, and moves f by its gradient
        moved = 2 * EPS * reading.sizes * path.grad_norm[: reading.steps]
        seen = WANDERS * np.sqrt((reading.noise_of_f[: reading.steps] + moved) / fall)
    return np.asarray(CLOSE + reading.noise + np.where(np.isfinite(seen), seen, np.inf))


def _points(reading: Reading) -> list[Floats]:
    points: list[Floats] = []
    reading.again(lambda run: points.append(np.array(run.x, dtype=np.float64).reshape(-1)))
    return points


def _has_root(reading: Reading, point: Floats, k: int, room: float, sides: Scalar) -> bool:
    """Do the two sides change places between eta (1 - room) and eta (1 + room)?"""
    signs = set()
    for factor in (1 - room, 1 + room):
        try:
            value = _moved(reading.path, point, k, factor * float(reading.eta[k])).values(sides).value[0]
        except NOT_READ:
            return False
        if np.isnan(value):
            return False
        signs.add(float(np.sign(value)))
    return len(signs) == 2 or signs == {0.0}


def _moved(path: Path, point: Floats, k: int, eta: float) -> Reading:
    """One step of this length from a point of the path."""
    start = [Fraction(float(entry)) for entry in point]
    made = replace(
        path,
        problem=replace(path.problem, start=start),
        trace=None,
        steps=1,
        eta=np.array([eta]),
        f=path.f[k : k + 2],
        grad_norm=path.grad_norm[k : k + 2],
        gap=None if path.gap is None else path.gap[k : k + 2],
    )
    return Reading(made)
