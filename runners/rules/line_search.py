"""Line searches along the negative gradient: the exact one, and Armijo's backtracking. Each is its definition; no safeguards.

With g = grad f(x) and g(eta) = grad f(x - eta g), the slope of f along the ray is -<g(eta), g>: an exact line search takes the
eta at which it is 0. On a quadratic with Hessian B that is |g|^2 / g'Bg, Cauchy's step; elsewhere a root, found as in `adapted`.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from boundcheck.arithmetic.base import Exact
from boundcheck.arithmetic.undefined import Undefined
from boundcheck.language.letters import eta, f, grad, i, inner, normsq, x
from boundcheck.language.scalars import Parameter
from boundcheck.model.problem import IsQuadratic
from boundcheck.model.rule import Rule, RuleError
from boundcheck.runners.roots.rays import OneOverA, Ray, short
from boundcheck.runners.roots.solve import NoRoot, RootBracket, solve
from boundcheck.runners.rules.step_values import chosen, each, positive

c = Parameter("c")
SHRINKINGS = 1100  # of the first step; 2^-1100 of it is no float


class FlatSlope(Ray):
    """value = -<g(eta), g> / |g|^2: the slope of f along the ray, over what it is at x with its sign turned."""

    words = "<grad f(x - eta grad f(x)), grad f(x)> = 0"
    wants_bracket = False
    power = 1

    def value(self, eta: Any) -> Any:
        return self.number(-self.xp.dot(self.gradient(eta), self.g) / self.square)

    def slope(self, eta: Any) -> Any:
        turned = self.curved(eta)
        return None if turned is None else self.xp.dot(turned, self.g) / self.square

    def eta_M(self, value: Any) -> float:
        return float(value) + 1

    between = OneOverA.between
    guess = OneOverA.guess


def exact_line_search() -> Rule:
    """eta_k minimises f(x_k - eta grad f(x_k)) over eta > 0, for convex f: grad f(x_{k+1}) is orthogonal to grad f(x_k)."""

    def step(run: Any) -> Any:
        before = None if run.before is None else each(run.xp, run.before.eta)
        points, gradients = (v if v.ndim == 2 else v[None] for v in (run.x, run.grad))
        with np.errstate(all="ignore"):
            return chosen(
                run,
                [
                    _lowest(run, point, gradient, None if before is None else before[n])
                    for n, (point, gradient) in enumerate(zip(points, gradients, strict=True))
                ],
            )

    return Rule(name="exact-line-search", step=step, follows=inner(grad(x[i]), grad(x[i + 1])) == 0)


def _lowest(run: Any, point: Any, gradient: Any, before: Any) -> Any:
    """The step to where f stops to fall along the ray, or why there is none."""
    ray = FlatSlope(run.problem, run.xp, point, gradient)
    if not ray.square > 0 or float(ray.square) == math.inf:
        return run.xp.lift(0)  # the run is over, and ends by its own words
    if run.problem.has(IsQuadratic) and run.problem.hessian_vector is not None:
        curved = ray.number(run.xp.dot(ray.g, ray.curved(run.xp.lift(0))))
        return ray.square / curved if curved > 0 else Undefined("f falls without end along the ray: g'Bg is 0")
    try:
        found = solve(ray, _guess(ray, before, run.L))
    except ZeroDivisionError:
        return Undefined(f"{ray.words} divides by zero")
    if isinstance(found, RootBracket):
        return found.eta
    return Undefined(_why_not(ray, found))


def _why_not(ray: FlatSlope, found: NoRoot) -> str:
    if isinstance(found.value, Undefined):
        return f"{ray.words} is undefined: {short(found.value).reason}"
    return f"{ray.words} has no root up to eta = {float(found.eta):.3g}: f still falls there"


def _guess(ray: FlatSlope, before: Any, L: Any) -> float:
    """Cauchy's step for the quadratic with the same Hessian; else the step before, 1/L, or 1."""
    rough = ray.in_float64() if ray.xp.encloses else ray
    for number in (rough.guess, lambda: float(before), lambda: 1 / float(L)):
        try:
            guess = float(number())
        except (TypeError, ZeroDivisionError, ValueError):
            continue
        if 2.0**-900 < guess < 2.0**900:
            return guess
    return 1.0


def armijo(decrease: Exact = Fraction(1, 2), shrink: Exact = Fraction(1, 2), first: Exact = 1) -> Rule:
    """eta_k is the first of s, s beta, s beta^2, ... with f(x_k - eta g) <= f(x_k) - c eta |g|^2: armijo(c, beta, s)."""
    enough, factor = positive(decrease, "Armijo's c"), positive(shrink, "the factor of a backtracking line search")
    start = positive(first, "the first step of a backtracking line search")
    if enough >= 1 or factor >= 1:
        raise RuleError(f"armijo(c, beta, s) needs c < 1 and beta < 1; found c = {enough}, beta = {factor}")

    def step(run: Any) -> Any:
        points, gradients = (v if v.ndim == 2 else v[None] for v in (run.x, run.grad))
        with np.errstate(all="ignore"):
            return chosen(run, [_shrunk(run, *both, enough, factor, start) for both in zip(points, gradients, strict=True)])

    return Rule(
        name=f"armijo({enough}, {factor}, {start})",
        step=step,
        follows=f(x[i + 1]) <= f(x[i]) - c * eta[i] * normsq(grad(x[i])),
        parameters={"c": enough, "s": start, "beta": factor},
    )


def _shrunk(run: Any, point: Any, g: Any, enough: Fraction, factor: Fraction, start: Fraction) -> Any:
    xp, square = run.xp, run.xp.normsq(g)
    tried = start
    for _ in range(SHRINKINGS):
        eta = xp.lift(tried)
        if _falls_by(run, point, g, eta, xp.lift(enough) * eta * square):
            return eta
        tried *= factor
    return Undefined(f"f does not fall by c eta |g|^2 for any eta down to {float(tried):.3g}")


def _falls_by(run: Any, point: Any, g: Any, eta: Any, wanted: Any) -> bool:
    """f(x) - f(x - eta g) >= wanted; where the problem knows how, without the difference of two near values."""
    xp, problem = run.xp, run.problem
    new = point - g * eta
    if problem.bregman is None:
        fall = problem.f(xp, point) - problem.f(xp, new)
    else:
        fall = eta * xp.normsq(g) - problem.bregman(xp, point, new - point, g, problem.grad(xp, new))
    return bool(np.asarray(xp.stored(fall - wanted)).reshape(-1)[0] >= 0)
