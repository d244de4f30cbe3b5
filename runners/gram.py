"""One run on a quadratic, told by inner products.

With d = x - x*, g = B d and w = g_{n+1} - g_n, everything that claims without means read is a function of |d|^2, <d, g>, |g|^2,
|w|^2, <g, w> and eta. They are computed while the vectors are in the cache, and no vector is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Scalars, Vectors
from boundcheck.evaluate.columns import Column
from boundcheck.language.scalars import Chord, Gap, Inner, Norm, Normsq, Scalar, Term
from boundcheck.language.vectors import Grad, Minimum, Minus, Point, Vector
from boundcheck.problem import Problem
from boundcheck.runners.spread import spread

U = 2.0**-53 * 1.001  # one rounding, relatively


@dataclass
class Grams:
    """Inner products along a run: entry n belongs to x_n, or to the step from x_n to x_{n+1}."""

    dd: Any
    dg: Any
    gg: Any
    ww: Any
    gw: Any
    eta: Any

    @classmethod
    def of(cls, *columns: list[float]) -> Grams:
        return cls(*(np.array(column, dtype=np.float64)[None] for column in columns))


class GramColumns:
    """The columns of a run from its inner products, each with its error."""

    def __init__(self, problem: Problem, xp: Any, grams: Grams, start_radius: float) -> None:
        assert problem.hessian is not None and problem.minimiser is not None and problem.L is not None
        self.xp, self.grams, self.dimension = xp, grams, problem.dimension
        self.eta = xp.scalars(grams.eta)
        growth = 1 + (problem.dimension + 40) * U
        star = xp.vector(problem.minimiser.point)
        with np.errstate(all="ignore"):
            self.d, self.g, self.w = (_norms(squares) * growth for squares in (grams.dd, grams.gg, grams.ww))
            rounding = self.d * U + xp.radius(star)
            gradient = xp.radius(xp.matvec(problem.hessian(xp), xp.sized(self.d, rounding, problem.dimension)))
            x = self.d + float(xp.middle(xp.norm(star))) * (1 + 2.0**-40)  # |x| <= |x - x*| + |x*|
            n = grams.eta.shape[1]
            step = grams.eta * (gradient[:, :n] + self.g[:, :n] * U) + x[:, 1:] * U  # the product rounds, and the difference
            path = spread(problem, np.full(1, start_radius), grams.eta, step, None)
            L = float(problem.L) * (1 + 1e-15)
            one = np.concatenate([np.zeros((1, 1)), step], axis=1)
        self.points = {"exact": rounding, "image": rounding + one, "path": rounding + path}
        self.grads = {"exact": gradient, "image": gradient + L * one, "path": gradient + L * path}

    def column(self, column: Column) -> Scalars | None:
        """The column, or None where the inner products do not tell it."""
        recipe = _recipe(column.formula)
        return None if recipe is None else recipe(self, column.local)

    def kind(self, local: bool, offset: int) -> str:
        return "path" if not local else "image" if offset else "exact"

    def cut(self, offset: int, last: bool) -> slice:
        """Entries offset..: one a point where only one point is read, else one a step."""
        n = self.grams.eta.shape[1]
        return slice(offset, offset + n + (0 if last or offset else 1))

    def dot(self, name: str, u: Vectors, v: Vectors, where: slice) -> Scalars:
        return self.xp.dot_of(getattr(self.grams, name)[:, where], u, v)

    def displacement(self, local: bool, offset: int, steps: bool = False) -> Vectors:
        where = self.cut(offset, steps)
        return self.xp.sized(self.d[:, where], self.points[self.kind(local, offset)][:, where], self.dimension)

    def gradient(self, local: bool, offset: int, steps: bool = False) -> Vectors:
        where = self.cut(offset, steps)
        return self.xp.sized(self.g[:, where], self.grads[self.kind(local, offset)][:, where], self.dimension)

    def change(self, local: bool) -> Vectors:
        """g_{n+1} - g_n."""
        near, far = (self.grads[self.kind(local, o)][:, self.cut(o, True)] for o in (0, 1))
        return self.xp.sized(self.w, near + far + self.w * U, self.dimension)

    def squared_gradient(self, local: bool, offset: int, steps: bool = False) -> Scalars:
        g = self.gradient(local, offset, steps)
        return self.dot("gg", g, g, self.cut(offset, steps))


def _norms(squares: Any) -> Any:
    """Roots of sums of squares; unbounded where the squares may have left the safe range (an exact zero has not)."""
    safe = ((squares > 1e-280) & (squares < 1e300)) | (squares == 0)
    return np.where(safe, np.sqrt(squares), np.inf)


Recipe = Callable[[GramColumns, bool], Scalars]


def _recipe(leaf: Scalar) -> Recipe | None:
    """How a leaf is made from inner products."""
    if isinstance(leaf, Term):
        return (lambda c, local: c.eta) if leaf.name == "eta" and leaf.index.offset == 0 and not leaf.run else None
    if isinstance(leaf, Gap) and (o := _point(leaf.at)) is not None:
        return lambda c, local: c.dot("dg", c.displacement(local, o), c.gradient(local, o), c.cut(o, False)) / 2
    if isinstance(leaf, Normsq | Norm):
        squared = _squared(leaf.of)
        if squared is None or isinstance(leaf, Normsq):
            return squared
        return lambda c, local: c.xp.sqrt(squared(c, local))
    if isinstance(leaf, Inner):
        return _inner(leaf.left, leaf.right) or _inner(leaf.right, leaf.left)
    if isinstance(leaf, Chord) and _point(leaf.start) == 0 and _point(leaf.end) == 1:
        return {"D": _D, "H": _H, "A": _A, "mu": _A}.get(leaf.kind)
    return None


def _point(vector: Vector) -> int | None:
    """The offset of a point of the run from n: 0 or 1."""
    if isinstance(vector, Point) and vector.name == "x" and not vector.run and vector.index is not None:
        return vector.index.offset if vector.index.letter is not None and vector.index.offset in (0, 1) else None
    return None


def _from_star(vector: Vector) -> int | None:
    return _point(vector.left) if isinstance(vector, Minus) and isinstance(vector.right, Minimum) else None


def _is_step(vector: Vector) -> bool:
    return isinstance(vector, Minus) and _point(vector.left) == 1 and _point(vector.right) == 0


def _squared(of: Vector) -> Recipe | None:
    if isinstance(of, Grad) and (o := _point(of.at)) is not None:
        return lambda c, local: c.squared_gradient(local, o)
    if (o := _from_star(of)) is not None:
        return lambda c, local: c.dot("dd", c.displacement(local, o), c.displacement(local, o), c.cut(o, False))
    if _is_step(of):
        return lambda c, local: c.eta * c.eta * c.squared_gradient(local, 0, True)
    return None


def _inner(left: Vector, right: Vector) -> Recipe | None:
    if not isinstance(left, Grad) or (o := _point(left.at)) is None:
        return None
    if _from_star(right) == o:
        return lambda c, local: c.dot("dg", c.displacement(local, o), c.gradient(local, o), c.cut(o, False))
    if o == 0 and _is_step(right):
        return lambda c, local: -(c.eta * c.squared_gradient(local, 0, True))
    return None


def _D(c: GramColumns, local: bool) -> Scalars:
    """2 |w| / (eta |g|)."""
    w = c.change(local)
    return c.xp.scalar(2) * c.xp.sqrt(c.dot("ww", w, w, slice(None))) / (c.eta * c.xp.sqrt(c.squared_gradient(local, 0, True)))


def _A(c: GramColumns, local: bool) -> Scalars:
    """<x_{n+1} - x_n, w> / |x_{n+1} - x_n|^2 = -<g, w> / (eta |g|^2)."""
    product = c.dot("gw", c.gradient(local, 0, True), c.change(local), slice(None))
    return -product / (c.eta * c.squared_gradient(local, 0, True))


def _H(c: GramColumns, local: bool) -> Scalars:
    return c.xp.abs(_A(c, local))


def tells(problem: Problem, columns: Iterable[Column]) -> bool:
    """Do the inner products of a run on this problem tell all these columns?"""
    known = (
        problem.hessian is not None and problem.minimiser is not None and problem.minimiser.radius == 0 and problem.L is not None
    )
    return known and all(_recipe(column.formula) is not None for column in columns)
