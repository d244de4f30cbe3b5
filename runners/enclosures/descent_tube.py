"""How far exact gradient descents may be from stored ones, in balls: by Lipschitz constants, and by tubes once steps stretch."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.arithmetic.balls.ball import sizes
from boundcheck.arithmetic.base import Arithmetic, Floats, NotInThisArithmetic
from boundcheck.arithmetic.derivatives.dual import Dual
from boundcheck.model.problem import Problem
from boundcheck.runners.enclosures.lipschitz import factor_at, grown
from boundcheck.runners.enclosures.tube import Jacobians, Tube, lengths

STRETCHES = 1 + 2.0**-30  # below it a step adds no more than its error
WORTH = 4  # times smaller: a ball forgets in which directions the tube is thin


def coordinates_apart(xp: Any, image: Any, stored: Any) -> Floats:
    """Upper bounds of the distance of each coordinate of an enclosed image from a stored point."""
    return sizes(xp.apply(np.subtract, xp.bare(image), stored))


class DescentRadii:
    """The radii of a batch of runs by index, and each run's tube at its last one. What is known is not computed again."""

    def __init__(self, problem: Problem, xp: Arithmetic, start: Any) -> None:
        self.problem, self.xp, self.first = problem, xp, 0
        self.radii: list[list[float]] = [[float(r)] for r in start]
        self.tubes: list[Tube | None] = [None] * len(self.radii)
        self.jacobians = Jacobians(self.xp.bits)  # type: ignore[attr-defined]
        self.factors: dict[float, float] = {}  # by step, where f is L-smooth

    def extend(self, first: int, x: Any, eta: Any, apart: Floats) -> Floats:
        """The radii at first, first + 1, ...; `apart` says how far each coordinate of a successor is from its exact image."""
        count, far = x.shape[1], lengths(apart).tolist()
        for b in range(len(x)):
            self.radii[b] = self.radii[b][first - self.first :]
            for j in range(len(self.radii[b]) - 1, count - 1):
                self.radii[b].append(self._next(b, x[b, j], eta[b, j], apart[b, j], far[b][j]))
        self.first = first
        return np.array([radii[:count] for radii in self.radii])

    def _next(self, b: int, x: Any, eta: Any, apart: Floats, far: float) -> float:
        r, tube = self.radii[b][-1], self.tubes[b]
        factor = self._factor(x, float(eta), r)
        by_factor = grown(factor, r, far)
        by_factor = by_factor if np.isfinite(by_factor) else np.inf
        if tube is None and factor <= STRETCHES:
            return by_factor
        tube = Tube.ball(r, len(x)) if tube is None else tube
        image = tube.moved(*self._slope(tube, x, eta), apart)
        found = image.radius()
        self.tubes[b] = Tube.ball(by_factor, len(x)) if WORTH * by_factor <= found else image.rounded()
        return min(by_factor, found)

    def _factor(self, x: Any, eta: float, r: float) -> float:
        if self.problem.L is None:
            return factor_at(self.problem, x, eta, r)
        if eta not in self.factors:
            self.factors[eta] = factor_at(self.problem, x, eta, r)
        return self.factors[eta]

    def _slope(self, tube: Tube, x: Any, eta: Any) -> tuple[Floats, Floats]:
        """The Jacobian of x - eta grad f(x) over a tube."""
        count = len(x)
        unknown = np.zeros((count, count)), np.full((count, count), np.inf)
        if tube.is_point or not tube.is_bounded or not self.problem.has_continuous_gradient:
            return unknown
        reach = tube.reach()

        def derivatives(xp: Dual) -> Any:
            at = xp.variables(x, reach, 0, count)
            moved = at - xp.scale(xp.scalars(eta), self.problem.grad(xp, at))
            return moved.tangent

        try:
            return self.jacobians.over(reach, derivatives)
        except NotInThisArithmetic:  # the gradient reads what has no derivative
            return unknown
