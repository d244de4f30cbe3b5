"""Wrong rules: a second lot, written after the audit was mended and not looked at while it was. Each says its fault."""

import math
from fractions import Fraction

import numpy as np

from boundcheck import RunEnds, step_rule
from boundcheck.language.letters import L, eta, f, grad, i, norm, normsq, smaller, sqrt, x

_LAST = {}


@step_rule(follows=eta[i] == smaller(1 / L, 1 / norm(grad(x[i]))), needs=("L",))
def clip_by_square(run):
    """Fault: the clip compares with |g|^2, not |g|."""
    return min(1 / float(run.L), 1 / float(run.grad_normsq))


@step_rule(follows=eta[i] == 2 / (L * (i + 2)), needs=("L",))
def one_more(run):
    """Fault: 2/(L (k+1)) in place of 2/(L (k+2))."""
    return 2 / (float(run.L) * (run.k + 1))


@step_rule(follows="bb_short")
def one_norm(run):
    """Fault: <s, y>/|y|_1^2, the wrong norm below."""
    if run.before is None:
        return 0.01
    s, y = run.x - run.before.x, run.grad - run.before.grad
    if not s @ y > 0:
        raise RunEnds("no curvature")
    return (s @ y) / np.abs(y).sum() ** 2


@step_rule(follows="adgd(1/1000)")
def theta_upside_down(run):
    """Fault: theta is eta_{k-2}/eta_{k-1}."""
    if run.before is None:
        return 1e-3
    y = float(np.linalg.norm(run.grad - run.before.grad))
    if y == 0:
        raise RunEnds("linear")
    local = float(np.linalg.norm(run.x - run.before.x)) / (2 * y)
    older = run.before.before
    return local if older is None else min(math.sqrt(1 + older.eta / run.before.eta) * run.before.eta, local)


@step_rule(follows="polyak(1)", needs=("infimum",))
def lower_estimate(run):
    """Fault: f* less 0.01 in place of f*."""
    return (run.gap + 0.01) / run.grad_normsq


@step_rule(follows=f(x[i + 1]) <= f(x[i]) - Fraction(1, 2) * eta[i] * normsq(grad(x[i])))
def sign_of_decrease(run):
    """Fault: + in place of - in Armijo's test."""
    step = 1.0
    while run.f_at(run.x - step * run.grad) > run.f + 0.5 * step * run.grad_normsq:
        step /= 2
    return step


@step_rule(follows=eta[i] == 1 / (L * sqrt(i + 1)), needs=("L",))
def cube_root(run):
    """Fault: the cube root of k+1."""
    return 1 / (float(run.L) * (run.k + 1) ** (1 / 3))


class SharedMoment:
    """Fault: a moving mean of |g|^2 in a dictionary of the module, by the name of the class."""

    def step(self, run):
        mean = 0.9 * _LAST.get("mean", run.grad_normsq) + 0.1 * run.grad_normsq
        _LAST["mean"] = mean
        return 0.1 / math.sqrt(mean)


@step_rule(follows="exact-line-search", needs=("quadratic",))
def minimal_residual(run):
    """Fault: the step that makes |g| smallest, in place of f."""
    Bg = run.hessian_times(run.grad)
    return (run.grad @ Bg) / (Bg @ Bg)


@step_rule(follows="1/L", needs=("L",))
def trace_for_norm(run):
    """Fault: the sum of the curvatures along the axes in place of the largest curvature L, where f is quadratic."""
    unit = np.eye(len(run.x))
    total = sum(float(e @ run.hessian_times(e)) for e in unit)
    return 1 / total if total > 0 else 1 / float(run.L)
