"""Runs on a quadratic, told by inner products.

With d = x - x*, g = B d and w = g_{n+1} - g_n, everything that claims without means read is a function of |d|^2, <d, g>, |g|^2,
|w|^2, <g, w>, <g_n, d_{n+1}>, <g_n, g_{n+1}> and eta. No vector is kept. Whatever order they were summed in, each is within
gamma |u| |v| of the inner product of the stored vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Scalars, Vectors
from boundcheck.evaluate.columns import Column
from boundcheck.language.scalars import Chord, Gap, Inner, Norm, Normsq, Scalar, Term
from boundcheck.language.vectors import Vector
from boundcheck.model.problem import Problem
from boundcheck.runners.enclosures.lipschitz import TINY, nearest, spread
from boundcheck.runners.engine.run_ends import SMALLEST
from boundcheck.runners.quadratics.carried_products import piled
from boundcheck.runners.quadratics.vector_multiples import Multiple, form, point, told

U = 2.0**-53 * 1.001  # one rounding, relatively


@dataclass
class Grams:
    """Inner products along runs, one row a run: entry n belongs to x_n, or to the step from x_n to x_{n+1}."""

    dd: Any
    dg: Any
    gg: Any
    ww: Any
    gw: Any
    gd: Any  # <g_n, d_{n+1}>
    gh: Any  # <g_n, g_{n+1}>
    eta: Any
    # where the points are x* + d, exactly: |d_{n+1} - d_n + eta_n g_n|^2 as it was measured; NaN for steps made one by one
    strayed: Any = None
    fresh: Any = None  # where gradients are carried from step to step (see `carried_products`): which were computed afresh


class GramColumns:
    """The columns of runs from their inner products, each with its error. `number` evaluates the factors of vectors."""

    def __init__(
        self, problem: Problem, xp: Any, grams: Grams, start_radius: Any, number: Callable[[Scalar], Scalars] | None = None
    ) -> None:
        assert problem.hessian is not None and problem.minimiser is not None and problem.L is not None
        self.xp, self.grams, self.dimension, self.number = xp, grams, problem.dimension, number
        self.eta = xp.scalars(grams.eta)
        self._made: dict[Any, Scalars] = {}
        growth = 1 + (problem.dimension + 40) * U
        star, carried = xp.vector(problem.minimiser.point), grams.fresh is not None
        own = carried or grams.strayed is not None  # are the points x* + d, exactly?
        self.hessian = problem.hessian(xp)
        with np.errstate(all="ignore"):
            self.d, self.g, self.w = (_norms(squares) * growth for squares in (grams.dd, grams.gg, grams.ww))
            self.d[(grams.dd == 0) & (grams.gg != 0)] = np.inf  # its squares underflowed: where g is not 0, d is not
            off = self.d * U + xp.radius(star)  # of d as x - x*
            rounding = off * 0.0 if own else off
            gradient = self._product_error(self.d, rounding)
            x = self.d if own else self.d + float(xp.middle(xp.norm(star))) * (1 + 2.0**-40)  # |x| <= |x - x*| + |x*|
            n, L = grams.eta.shape[1], nearest(problem.L) * (1 + 1e-15) + TINY
            if carried:
                g = self.g[:, :n]
                moved = L * (x[:, 1:] + grams.eta * g) * U + grams.eta * self._product_error(g, g * 0.0) + self.w * U
                gradient = piled(gradient, (moved + self.g[:, 1:] * U + TINY) * (1 + 2.0**-40), grams.fresh)
                self.moved, self.L = moved, L  # how far -eta B g, as it was computed, may be from B (d_{n+1} - d_n)
            step = grams.eta * (gradient[:, :n] + self.g[:, :n] * U) + x[:, 1:] * U  # the product rounds, and the difference
            if grams.strayed is not None:
                far = _measured(grams.strayed) * growth + 3 * U * grams.eta * self.g[:, :n]  # and what measuring rounds
                step = np.where(np.isnan(grams.strayed), step, grams.eta * gradient[:, :n] * (1 + 4 * U) + far)
            begin = np.broadcast_to(start_radius, len(step)) + (off[:, 0] if own else 0.0)
            path = spread(problem, begin, grams.eta, step, None)
            one = np.concatenate([np.zeros((len(step), 1)), step], axis=1)
        self.points = {"exact": rounding, "image": rounding + one, "path": rounding + path}
        self.grads = {"exact": gradient, "image": gradient + L * one, "path": gradient + L * path}

    def column(self, column: Column) -> Scalars | None:
        """The column, or None where the inner products do not tell it."""
        recipe = _recipe(column.formula)
        return None if recipe is None else recipe(self, column.local)

    def vector(self, name: str, local: bool, offset: int, steps: bool) -> Vectors:
        """d, g or w at n + offset, known by norms: for each point, or for each step."""
        where = self.cut(offset, steps)
        if name == "w" and self.grams.fresh is not None:
            return self.xp.sized(self.w, self._error_of_change(local), self.dimension)
        if name == "w":
            near, far = (self.grads[self._kind(local, o)][:, self.cut(o, True)] for o in (0, 1))
            return self.xp.sized(self.w, near + far + self.w * U, self.dimension)
        sizes, radii = (self.d, self.points) if name == "d" else (self.g, self.grads)
        return self.xp.sized(sizes[:, where], radii[self._kind(local, offset)][:, where], self.dimension)

    def _error_of_change(self, local: bool) -> Any:
        """Of w, computed as -eta B g: by what is known of g, or as B (d_{n+1} - d_n) by what is known of both points."""
        n, (near, far) = self.grams.eta.shape[1], (self._kind(local, offset) for offset in (0, 1))
        error = self.grams.eta * self._product_error(self.g[:, :n], self.grads[near][:, :n]) + self.w * U
        return np.fmin(error, self.L * (self.points[near][:, :n] + self.points[far][:, 1:]) + self.moved) * (1 + 8 * U)

    def _product_error(self, size: Any, radius: Any) -> Any:
        """Of B times vectors that are known by their norms."""
        return self.xp.radius(self.xp.matvec(self.hessian, self.xp.sized(size, radius, self.dimension)))

    def cut(self, offset: int, steps: bool) -> slice:
        """Entries offset..: one a point where only one point is read, else one a step."""
        n = self.grams.eta.shape[1]
        return slice(offset, offset + n + (0 if steps or offset else 1))

    def _kind(self, local: bool, offset: int) -> str:
        return "path" if not local else "image" if offset else "exact"

    def dot(self, u: Multiple, v: Multiple, local: bool, steps: bool) -> Scalars:
        """The inner product of two of d, g and w, without their factors: made once."""
        if (v.offset, v.of) < (u.offset, u.of):
            u, v = v, u
        name = (u.of, u.offset, v.of, v.offset, local, steps)
        if name not in self._made:
            a = self.vector(u.of, local, u.offset, steps)
            b = a if (u.of, u.offset) == (v.of, v.offset) else self.vector(v.of, local, v.offset, steps)
            if u.offset != v.offset:
                mid = self.grams.gd if v.of == "d" else self.grams.gh
            elif v.of == "w":
                mid = self.grams.ww if u.of == "w" else self.grams.gw
            else:
                mid = getattr(self.grams, u.of + v.of)[:, self.cut(u.offset, steps)]
            self._made[name] = self.xp.dot_of(mid, a, b)
        return self._made[name]

    def norm(self, u: Multiple, local: bool, steps: bool) -> Scalars:
        """The length of d, g or w, without its factor."""
        squares = self.grams.ww if u.of == "w" else getattr(self.grams, u.of * 2)[:, self.cut(u.offset, steps)]
        return self.xp.norm_of(squares, self.vector(u.of, local, u.offset, steps))


def _norms(squares: Any) -> Any:
    """Roots of sums of squares; unbounded where the squares may have left the safe range (an exact zero has not)."""
    safe = ((squares > SMALLEST) & (squares < 1e300)) | (squares == 0)
    return np.where(safe, np.sqrt(squares), np.inf)


def _measured(squares: Any) -> Any:
    """Roots of sums of squares, never less than the true ones: where squares underflow, what they may be at most."""
    return np.where(squares > SMALLEST, np.sqrt(squares), 1.1 * SMALLEST**0.5)


Recipe = Callable[[GramColumns, bool], Scalars]


def _recipe(leaf: Scalar) -> Recipe | None:
    """How a leaf is made from inner products."""
    if isinstance(leaf, Term):
        return (lambda c, local: c.eta) if leaf.name == "eta" and leaf.index.offset == 0 and not leaf.run else None
    if isinstance(leaf, Gap) and (o := point(leaf.at)) is not None:
        return lambda c, local: c.dot(Multiple("d", o), Multiple("g", o), local, False) / 2
    if isinstance(leaf, Normsq):
        return _inner(leaf.of, leaf.of)
    if isinstance(leaf, Norm):
        return _norm(leaf.of)
    if isinstance(leaf, Inner):
        return _inner(leaf.left, leaf.right)
    if isinstance(leaf, Chord) and {point(leaf.start), point(leaf.end)} == {0, 1}:
        return {"D": _D, "H": _H, "A": _A, "mu": _A}.get(leaf.kind)
    return None


def _inner(left: Vector, right: Vector) -> Recipe | None:
    a, b = form(left), form(right)
    if a is None or b is None or not all(told(u, v) for u in a for v in b):
        return None
    multiples = (*a, *b)
    steps = len({m.offset for m in multiples}) > 1 or any(m.of == "w" or m.factor is not None for m in multiples)

    def made(c: GramColumns, local: bool) -> Scalars:
        total: Scalars = None
        for u in a:
            for v in b:
                term = c.dot(u, v, local, steps)
                for factor in (u.factor, v.factor):
                    if factor is not None:
                        assert c.number is not None
                        term = c.number(factor) * term
                total = term if total is None else total + term
        return total

    return made


def _norm(of: Vector) -> Recipe | None:
    """|factor| times the root of a square; of a sum of several, the root of its square."""
    inside = form(of)
    if inside is None:
        return None
    if len(inside) > 1:
        squared = _inner(of, of)
        return None if squared is None else lambda c, local: c.xp.sqrt(squared(c, local))
    only, factor = inside[0], inside[0].factor
    if factor is None:
        return lambda c, local: c.norm(only, local, only.of == "w")

    def made(c: GramColumns, local: bool) -> Scalars:
        assert c.number is not None
        return c.xp.abs(c.number(factor)) * c.norm(only, local, True)

    return made


G, W = Multiple("g", 0), Multiple("w", 0)


def _D(c: GramColumns, local: bool) -> Scalars:
    """2 |w| / (eta |g|), either way round."""
    return c.xp.scalar(2) * c.norm(W, local, True) / (c.eta * c.norm(G, local, True))


def _A(c: GramColumns, local: bool) -> Scalars:
    """<x_{n+1} - x_n, w> / |x_{n+1} - x_n|^2 = -<g, w> / (eta |g|^2), either way round."""
    return -c.dot(G, W, local, True) / (c.eta * c.dot(G, G, local, True))


def _H(c: GramColumns, local: bool) -> Scalars:
    return c.xp.abs(_A(c, local))


def reads_across(leaf: Scalar) -> bool:
    """Does it read the inner product of vectors at n and at n + 1?"""
    sides = (leaf.left, leaf.right) if isinstance(leaf, Inner) else (leaf.of,) if isinstance(leaf, Norm | Normsq) else ()
    return len({multiple.offset for side in sides for multiple in form(side) or ()}) > 1


def tells(problem: Problem, columns: Iterable[Column]) -> bool:
    """Do the inner products of a run on this problem tell all these columns?"""
    known = (
        problem.hessian is not None and problem.minimiser is not None and problem.minimiser.radius == 0 and problem.L is not None
    )
    return known and all(_recipe(column.formula) is not None for column in columns)
