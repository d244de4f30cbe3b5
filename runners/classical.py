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
from boundcheck.rule import Rule
from boundcheck.runners.choosing import chosen, each, positive

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
        moved, turned = before.eta * xp.norm(before.grad), xp.norm(run.grad - before.grad)
        seconds = [
            Undefined("the gradient did not change") if b == 0 else a / (2 * b)
            for a, b in zip(each(moved), each(turned), strict=True)
        ]
        if before.before is None:
            return chosen(run, seconds)
        last, older = each(before.eta), each(before.before.eta)
        before.before.forget()  # no rule needs more than two steps back
        return chosen(run, [_smaller(xp, (1 + a / b) * a * a, second) for a, b, second in zip(last, older, seconds, strict=True)])

    formula = eta[i] == smaller(sqrt(1 + eta[i - 1] / eta[i - 2]) * eta[i - 1], norm(s) / (2 * norm(y)))
    return Rule(name=f"adgd({start})", step=step, follows=formula, remembers=True)


def _smaller(xp: Any, square: Any, second: Any) -> Any:
    """The smaller of sqrt(square) and second. Their squares decide, so that a root that is not rational may lose."""
    if isinstance(second, Undefined) and second.reason != "the gradient did not change":
        return second
    if not isinstance(second, Undefined) and second * second <= square:
        return second
    return xp.sqrt(xp.array(square))[()]


def bb_long(first: Exact = FIRST) -> Rule:
    """eta_k = <s, s> / <s, y>. Barzilai and Borwein, Two-point step size gradient methods, 1988."""
    return _bb("bb_long", first, lambda run, sy, yy: run.before.eta**2 * run.before.grad_normsq / sy, normsq(s) / inner(y, s))


def bb_short(first: Exact = FIRST) -> Rule:
    """eta_k = <s, y> / <y, y>."""
    return _bb("bb_short", first, lambda run, sy, yy: sy / yy, inner(y, s) / normsq(y))
