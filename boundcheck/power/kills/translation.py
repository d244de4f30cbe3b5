"""A problem is translated to f(x - c): a claim that adds points, as |x_k + x*|, may fail there though x* = 0 hides it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from boundcheck.claims.bound import Bound
from boundcheck.language.scalars import Inner, Norm, Normsq, Number, Value
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Grad, Mean, Minimum, Minus, Plus, Point, Scaled
from boundcheck.model.problem import Problem


def adds_points(bound: Bound) -> bool:
    """Return whether the claim reads a combination of points that is neither a point nor a difference, such as x_k + x*."""
    nodes = [node for tree in bound.trees for node in tree.walk()]
    places = [(node.at, 1) for node in nodes if isinstance(node, Grad | Value)]
    ways = [(part, 0) for node in nodes if isinstance(node, Norm | Normsq | Inner) for part in node.children]
    return any(_weight(part) not in (None, Fraction(right)) for part, right in (*places, *ways))


def _weight(node: Node) -> Fraction | None:
    """Return how many times the origin is in a vector: 1 for a point, 0 for a difference, None where that is not known."""
    if isinstance(node, Point | Minimum | Grad):
        return Fraction(not isinstance(node, Grad))
    if isinstance(node, Mean):
        return _weight(node.of)
    if isinstance(node, Plus | Minus):
        left, right = _weight(node.left), _weight(node.right)
        return None if left is None or right is None else left + right if isinstance(node, Plus) else left - right
    if isinstance(node, Scaled):
        weight = _weight(node.of)
        if weight is None or weight == 0:
            return weight
        return weight * node.factor.value if isinstance(node.factor, Number) else None
    return None


def translate(problem: Problem) -> Problem:
    """Return f(x - c), with c so that x_0 + x* = 0 where x* was 0: minus half the start, or 1 in a coordinate where that is 0."""
    by = [-Fraction(c) / 2 if c else Fraction(1) for c in problem.start]

    def back(oracle: Callable[..., Any] | None) -> Callable[..., Any] | None:
        if oracle is None:
            return None

        def there(xp: Any, x: Any, *more: Any) -> Any:
            return oracle(xp, xp.from_coordinates([xp.coordinate(x, n) - xp.scalar(c) for n, c in enumerate(by)]), *more)

        return there

    f, grad, least = back(problem.f), back(problem.grad), problem.minimiser
    assert f is not None and grad is not None
    return problem.replace(
        name=f"{problem.name}, moved by {', '.join(map(str, by))}",
        f=f,
        grad=grad,
        gap=back(problem.gap),
        bregman=back(problem.bregman),
        chord=back(problem.chord),
        hessian_vector=back(problem.hessian_vector),
        local_smoothness=None,
        start=tuple(Fraction(a) + c for a, c in zip(problem.start, by, strict=True)),
        minimiser=None
        if least is None
        else replace(least, point=[Fraction(a) + c for a, c in zip(least.point, by, strict=True)]),
        data=None,
    )
