"""Free vectors of a run: what nothing sets is chosen, within what the claim's hypotheses say of it.

A hypothesis |c e + w| <= R says how long c e + w may be. A choice gives its direction: zero, along the gradient at the point
before, against it, or a fixed one that depends on the step. Where no hypothesis limits it, e is short, or near the start.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep
from boundcheck.language.named import OBJECTIVE
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import LENGTH, Norm, Normsq, Scalar, as_scalar
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Minus, Plus, Point, Scaled, Vector
from boundcheck.runners.named.evaluation import At, Evaluation, MissingValue
from boundcheck.runners.named.vectors import Located, scaled

ZERO, ALONG, AGAINST, MIXED = "zero", "along the gradient", "against the gradient", "mixed"
CHOICES = (ZERO, ALONG, AGAINST, MIXED)
BITS = 24  # of a direction's length, so that exact runs need no root


def choose(
    entry: Point, role: str, key: Any, choice: str, bound: Bound, evaluation: Evaluation, at: At, start: Sequence[Any]
) -> Located:
    """A free vector of a run, as long as the claim allows, in the direction of the choice."""
    n = key if isinstance(key, int) else key[0]
    xp, oracles = evaluation.xp, evaluation.oracles
    direction = _direction(choice, role, n, key, evaluation, oracles.problem.dimension)
    for hypothesis in bound.hypotheses:
        if not isinstance(hypothesis, AtEachStep):
            continue
        found = _limit(hypothesis.relation, entry, n)
        if found is None:
            continue
        factor, rest, radius, squared = found
        here = {**at, "k": n}
        try:
            size = evaluation.scalar(radius, here)
            shift = evaluation.vector(rest, here).at if rest is not None else oracles.vector([0] * oracles.problem.dimension)
            c = evaluation.scalar(factor, here) if factor is not None else xp.scalar(1)
        except MissingValue:
            continue
        moved = _long(direction, size, squared, xp)
        return Located(scaled(xp, xp.scalar(1) / c, moved - shift))
    if entry.dimension == LENGTH:
        return Located(oracles.vector(start) + scaled(xp, xp.scalar(Fraction(1, 2)), direction))
    return Located(scaled(xp, xp.scalar(Fraction(1, 8)), direction))


def _direction(choice: str, role: str, n: int, key: Any, evaluation: Evaluation, dimension: int) -> Any:
    oracles = evaluation.oracles
    if choice == ZERO:
        return oracles.vector([0] * dimension)
    point = evaluation.branch.entries[role, "x"].get(n)
    if choice in (ALONG, AGAINST) and point is not None and oracles.problem.has_f:
        gradient = oracles.image((OBJECTIVE, None), point).at
        return gradient if choice == ALONG else -gradient
    seed = n if isinstance(key, int) else n + 3 * key[1]
    return oracles.vector([((seed * 5 + j * 3) % 7) - 3 or 1 for j in range(dimension)])


def _long(direction: Any, size: Any, squared: bool, xp: Any) -> Any:
    """The direction with a length of at most `size` (its square, where it is `squared`), and nearly that."""
    middle = [float(xp.middle(c)) for c in direction.reshape(-1)]
    length = float(np.sqrt(sum(c * c for c in middle)))
    allowed = float(xp.middle(size))
    if not length or not allowed > 0 or not np.isfinite(length * allowed):
        return scaled(xp, xp.scalar(0), direction)
    ratio = (allowed**0.5 if squared else allowed) / length
    exact = Fraction(ratio).limit_denominator(1 << BITS)
    return scaled(xp, xp.scalar(exact * (1 - Fraction(1, 1 << 20))), direction)


def _limit(relation: Any, entry: Point, n: int) -> tuple[Scalar | None, Vector | None, Scalar, bool] | None:
    """Of |c e + w| <= R: c, w, R, and whether it is about squares. None where the relation is of another form."""
    left, right = (relation.left, relation.right) if relation.op in ("<=", "<", "==") else (relation.right, relation.left)
    if not isinstance(left, Norm | Normsq):
        return None
    letter = next(iter(relation.free), None)
    of: Any = left.of if letter is None else put_index(left.of, letter, Index("k"))
    radius: Any = right if letter is None else put_index(right, letter, Index("k"))
    found = _affine(of, entry)
    if found is None:
        return None
    factor, rest = found
    return factor, rest, radius, isinstance(left, Normsq)


def _affine(node: Node, entry: Point) -> tuple[Scalar | None, Vector | None] | None:
    """c and w of c e + w; None where e does not stand there so."""
    if isinstance(node, Point) and node.name == entry.name and node.index == entry.index:
        return None, None
    if isinstance(node, Scaled):
        inner = _affine(node.of, entry)
        if inner is None or inner[1] is not None:
            return None
        return (node.factor if inner[0] is None else node.factor * inner[0]), None
    if isinstance(node, Plus | Minus):
        left, right = _affine(node.left, entry), _affine(node.right, entry)
        if left is not None and right is None:
            other: Vector = node.right if isinstance(node, Plus) else -node.right
            return left[0], other if left[1] is None else left[1] + other
        if right is not None and left is None:
            if isinstance(node, Plus):
                return right[0], node.left if right[1] is None else right[1] + node.left
            factor = as_scalar(-1) if right[0] is None else -right[0]
            return factor, node.left if right[1] is None else node.left - right[1]
    return None


def choices(frees: Iterable[Any]) -> tuple[str, ...]:
    """How free vectors are chosen, one run for each; a method without any has one run."""
    return CHOICES if list(frees) else (ZERO,)


__all__ = ["CHOICES", "choices", "choose"]
