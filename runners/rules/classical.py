"""Classical adaptive rules for gradient descent: AdGD, and Barzilai and Borwein's two. Each is its formula; no safeguards.

They read s = x_k - x_{k-1} and y = grad f(x_k) - grad f(x_{k-1}). Since s = -eta_{k-1} grad f(x_{k-1}), nothing is lost to the
difference of two near points. The first step has no past, and is given.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from boundcheck.arithmetic.base import Exact
from boundcheck.arithmetic.undefined import Undefined
from boundcheck.language.letters import eta, grad, i, inner, norm, normsq, smaller, sqrt, x
from boundcheck.language.scalars import Scalar
from boundcheck.model.rule import Rule
from boundcheck.runners.rules.step_values import chosen, each, positive

FIRST = Fraction(1, 1000)
s, y = x[i] - x[i - 1], grad(x[i]) - grad(x[i - 1])


def adgd(first: Exact = FIRST) -> Rule:
    """eta_k = min(sqrt(1 + theta_{k-1}) eta_{k-1}, |s| / (2 |y|)) with theta_k = eta_k / eta_{k-1}, and theta_0 infinite.

    Malitsky and Mishchenko, Adaptive gradient descent without descent, 2020. The second term is 1 / D(x_{k-1}, x_k).
    """
    start = positive(first, "the first step of adgd")

    def step(run: Any) -> Any:
        xp, before = run.xp, run.before
        if before is None:
            return xp.scalar(start)
        moved, turned = each(xp, before.eta * xp.norm(before.grad)), each(xp, xp.norm(run.grad - before.grad))
        limits = [None if b == 0 else a / (2 * b) for a, b in zip(moved, turned, strict=True)]  # None: infinite
        if before.before is None:
            straight = Undefined("both terms of AdGD are infinite: the gradient at x_1 is that at x_0")
            return chosen(run, [straight if limit is None else limit for limit in limits])
        growths = [(1 + a / b) * a * a for a, b in zip(each(xp, before.eta), each(xp, before.before.eta), strict=True)]
        before.before.forget()  # nobody looks further back than this
        return chosen(run, [_smaller(xp, growth, limit) for growth, limit in zip(growths, limits, strict=True)])

    formula = eta[i] == smaller(sqrt(1 + eta[i - 1] / eta[i - 2]) * eta[i - 1], norm(s) / (2 * norm(y)))
    return Rule(name=f"adgd({start})", step=step, follows=formula, remembers=True)


def _smaller(xp: Any, square: Any, limit: Any) -> Any:
    """The smaller of sqrt(square) and the limit. Squares decide, so that a root that is not rational may still be the larger."""
    if isinstance(limit, Undefined) or (limit is not None and limit * limit <= square):
        return limit
    return xp.sqrt(xp.array(square))[()]


def bb_long(first: Exact = FIRST) -> Rule:
    """eta_k = <s, s> / <s, y>. Barzilai and Borwein, Two-point step size gradient methods, 1988."""
    return _bb("bb_long", first, lambda ss, sy, yy: ss / sy, normsq(s) / inner(s, y))


def bb_short(first: Exact = FIRST) -> Rule:
    """eta_k = <s, y> / <y, y>."""
    return _bb("bb_short", first, lambda ss, sy, yy: sy / yy, inner(s, y) / normsq(y))


def _bb(name: str, first: Exact, ratio: Callable[[Any, Any, Any], Any], formula: Scalar) -> Rule:
    start = positive(first, f"the first step of {name}")

    def step(run: Any) -> Any:
        xp, before = run.xp, run.before
        if before is None:
            return xp.scalar(start)
        turned = run.grad - before.grad
        products = (before.eta * before.eta * before.grad_normsq, -before.eta * xp.dot(before.grad, turned), xp.normsq(turned))
        numbers = zip(*(each(xp, product) for product in products), strict=True)
        return chosen(run, [ratio(*three) if three[1] > 0 else _not_positive(three[1]) for three in numbers])

    return Rule(name=f"{name}({start})", step=step, follows=eta[i] == formula)


def _not_positive(sy: Any) -> Undefined:
    return Undefined(f"<s, y> is {float(sy) + 0.0:.6g}, not positive: the gradient did not grow along the step before")
