"""Solving an update for the point that it sets: a z + t g(z) + r = 0, where g(z) is the image of one part at z."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Order
from boundcheck.language.named import OBJECTIVE
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Grad, Image, Minus, PartsMean, Plus, Scaled, Vector
from boundcheck.model.method import Update
from boundcheck.model.problem import Smooth, StronglyConvex
from boundcheck.runners.named.evaluation import At, Evaluation
from boundcheck.runners.named.oracles import NotEvaluated, Oracles
from boundcheck.runners.named.vectors import Located, Name, scaled


@dataclass
class LinearEquations:
    """a z + sum t_n g_n(z) + r for an unknown point z; None is 0."""

    own: Any = None
    images: Mapping[Name, Any] = None  # type: ignore[assignment]
    rest: Located | None = None

    def __post_init__(self) -> None:
        self.images = dict(self.images or {})

    def plus(self, other: LinearEquations) -> LinearEquations:
        names = [*self.images, *(name for name in other.images if name not in self.images)]
        images = {name: _sum(self.images.get(name), other.images.get(name)) for name in names}
        return LinearEquations(_sum(self.own, other.own), images, _sum(self.rest, other.rest))


def _sum(left: Any, right: Any) -> Any:
    return right if left is None else left if right is None else left + right


def solve(update: Update, evaluation: Evaluation, at: At) -> Located:
    """The point that an implicit update sets, with the image that it records there."""
    xp, equation = evaluation.xp, update.such_that
    left, right = (update.sets, update.to) if equation is None else (equation.left, equation.right)
    assert isinstance(left, Vector) and isinstance(right, Vector)
    whole = _read(left, update.sets, evaluation, at).plus(_scaled(_read(right, update.sets, evaluation, at), xp.scalar(-1), xp))
    rest = whole.rest
    if rest is None:
        rest = Located(evaluation.oracles.vector([0] * evaluation.oracles.problem.dimension))
    own = whole.own if whole.own is not None and _is_not_zero(xp, whole.own) else None
    images = {name: t for name, t in whole.images.items() if _is_not_zero(xp, t)}
    for name in list(images) if len(images) > 1 else ():
        if len(images) > 1 and (slope := _slope(evaluation.oracles, name)) is not None:
            t, nowhere = images.pop(name), Located(rest.at * 0)
            own = _sum(own, t * xp.scalar(slope))
            rest = rest + Located(scaled(xp, t, evaluation.oracles.image(name, nowhere).at))
    if len(images) > 1:
        shown = " and ".join(name[0] if name[1] is None else f"{name[0]}_{name[1]}" for name in images)
        raise NotEvaluated(f"{update} asks for one step on {shown} together; write h for their sum, and give that its prox")
    if not images:
        if own is None:
            raise NotEvaluated(f"{update} does not determine {update.sets}")
        return Located(scaled(xp, xp.scalar(-1) / own, rest.at))
    ((name, factor),) = images.items()
    if own is None:
        return evaluation.oracles.inverse(name, Located(scaled(xp, xp.scalar(-1) / factor, rest.at)))
    start = Located(scaled(xp, xp.scalar(-1) / own, rest.at))
    return evaluation.oracles.prox(name, factor / own, start)


def _slope(oracles: Oracles, name: Name) -> Any:
    """The c of a part whose image is c z + d: of one curvature, as its facts say; None where it has another form."""
    facts = oracles.part(name).facts
    above = [fact.L for fact in facts if isinstance(fact, Smooth)]
    below = [fact.mu for fact in facts if isinstance(fact, StronglyConvex)]
    return min(above) if above and below and min(above) == max(below) else None


def _is_not_zero(xp: Any, number: Any) -> bool:
    return bool(np.all(xp.compare(number, xp.scalar(0)) != Order.EQUAL))


def _scaled(of: LinearEquations, factor: Any, xp: Any) -> LinearEquations:
    return LinearEquations(
        None if of.own is None else factor * of.own,
        {name: factor * t for name, t in of.images.items()},
        None if of.rest is None else Located(scaled(xp, factor, of.rest.at)),
    )


def _read(node: Node, target: Node, evaluation: Evaluation, at: At) -> LinearEquations:
    """A vector as a linear form in the unknown point and its images."""
    xp = evaluation.xp
    if node.key == target.key:
        return LinearEquations(own=xp.scalar(1))
    if isinstance(node, Plus | Minus):
        right = _read(node.right, target, evaluation, at)
        right = _scaled(right, xp.scalar(-1), xp) if isinstance(node, Minus) else right
        return _read(node.left, target, evaluation, at).plus(right)
    if isinstance(node, Scaled):
        return _scaled(_read(node.of, target, evaluation, at), evaluation.scalar(node.factor, at), xp)
    if isinstance(node, Grad) and node.at.key == target.key:
        return LinearEquations(images={(OBJECTIVE, None): xp.scalar(1)})
    if isinstance(node, Image) and node.at.key == target.key:
        return LinearEquations(images={evaluation.name(node.of, node.part, at): xp.scalar(1)})
    if any(inner.key == target.key for inner in node.walk()):
        what = "a mean over components" if isinstance(node, PartsMean) else str(node)
        raise NotEvaluated(f"the implicit update reads {target} inside {what}; a run solves a z + t g(z) = p for one g")
    assert isinstance(node, Vector)
    return LinearEquations(rest=evaluation.vector(node, at))
