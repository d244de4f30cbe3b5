"""Wrong rules: line searches with a fault. Each says it."""

from fractions import Fraction

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from boundcheck import RunEnds, step_rule
from boundcheck.language.letters import eta, f, grad, i, inner, normsq, x


def _root(h, first=1.0):
    high = first
    while h(high) > 0:
        high *= 2
        if high > 1e20:
            raise RunEnds("no root")
    return high if h(high) == 0 else brentq(h, 0.0, high, xtol=1e-300, rtol=1e-14, maxiter=1000)


@step_rule(follows="cauchy", needs=("quadratic",))
def hessian_missing(run):
    """Fault: g'Bg / |Bg|^2 in place of g'g / g'Bg."""
    Bg = run.hessian_times(run.grad)
    return (run.grad @ Bg) / (Bg @ Bg)


@step_rule(follows="cauchy", needs=("quadratic",))
def half_cauchy(run):
    """Fault: the 2 of the quadratic's 1/2 x'Bx is divided by once more."""
    return run.grad_normsq / (2 * run.grad @ run.hessian_times(run.grad))


@step_rule(follows="exact-line-search")
def coarse(run):
    """Fault: a search that stops at a tolerance of 1e-3 of the bracket."""
    g = run.grad

    def slope(t):
        return run.grad_at(run.x - t * g) @ g

    high = 1.0
    while slope(high) > 0:
        high *= 2
        if high > 1e20:
            raise RunEnds("no root")
    low, width = 0.0, high
    while high - low > 1e-3 * width:
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return (low + high) / 2


@step_rule(follows="exact-line-search")
def bounded(run):
    """Fault: it searches on [0, 1] only."""
    g = run.grad
    found = minimize_scalar(lambda t: run.f_at(run.x - t * g), bounds=(0, 1), method="bounded", options={"xatol": 1e-12})
    return found.x


@step_rule(follows="exact-line-search")
def wrong_slope(run):
    """Fault: the slope is half of what it should be: <g(t), g> = |g|^2/2."""
    g = run.grad
    return _root(lambda t: float(run.grad_at(run.x - t * g) @ g - run.grad_normsq / 2))


@step_rule(follows="1/D")
def one_over_D_norm(run):
    """Fault: |g(eta) - g| = |g| in place of |g|/2."""
    g = run.grad

    def h(t):
        turned = run.grad_at(run.x - t * g) - g
        return float(run.grad_normsq - turned @ turned)

    return _root(h)


@step_rule(follows=f(x[i + 1]) <= f(x[i]) - Fraction(1, 2) * eta[i] * normsq(grad(x[i])))
def armijo_constant(run):
    """Fault: c = 0.1 in place of 1/2."""
    step = 1.0
    while run.f_at(run.x - step * run.grad) > run.f - 0.1 * step * run.grad_normsq:
        step /= 2
        if step < 1e-40:
            raise RunEnds("rounding")
    return step


@step_rule(follows=f(x[i + 1]) <= f(x[i]) - Fraction(1, 4) * eta[i] * normsq(grad(x[i])))
def armijo_norm(run):
    """Fault: |g| in place of |g|^2 in the test, which asks too little of long gradients."""
    step = 1.0
    while run.f_at(run.x - step * run.grad) > run.f - 0.25 * step * np.sqrt(run.grad_normsq):
        step /= 2
        if step < 1e-40:
            raise RunEnds("rounding")
    return step


@step_rule(follows=f(x[i + 1]) <= f(x[i]) - Fraction(1, 4) * eta[i] * normsq(grad(x[i])))
def armijo_one_back(run):
    """Fault: it returns twice the step that passed the test."""
    step = 1.0
    while run.f_at(run.x - step * run.grad) > run.f - 0.25 * step * run.grad_normsq:
        step /= 2
        if step < 1e-40:
            raise RunEnds("rounding")
    return 2 * step


@step_rule(follows=f(x[i + 1]) <= f(x[i]) - Fraction(1, 4) * eta[i] * normsq(grad(x[i])))
def armijo_few(run):
    """Fault: it gives up after three halvings, and takes the step."""
    step = 1.0
    for _ in range(3):
        if run.f_at(run.x - step * run.grad) <= run.f - 0.25 * step * run.grad_normsq:
            break
        step /= 2
    return step


@step_rule(follows=f(x[i + 1]) <= f(x[i]) - Fraction(1, 2) * eta[i] * normsq(grad(x[i])))
def wrong_point(run):
    """Fault: the decrease is measured along the gradient of the step before."""
    g = run.grad if run.before is None else run.before.grad
    step = 1.0
    while run.f_at(run.x - step * g) > run.f - 0.5 * step * (g @ g):
        step /= 2
        if step < 1e-40:
            break
    return step


@step_rule(follows=inner(grad(x[i + 1]), grad(x[i])) <= Fraction(1, 10) * normsq(grad(x[i])))
def wolfe_constant(run):
    """Fault: the curvature condition is tested with 0.9 in place of 0.1."""
    low, high, step = 0.0, np.inf, 1.0
    for _ in range(200):
        at = run.x - step * run.grad
        if run.f_at(at) > run.f - 1e-4 * step * run.grad_normsq:
            high = step
        elif run.grad_at(at) @ run.grad > 0.9 * run.grad_normsq:
            low = step
        else:
            return step
        step = 2 * step if np.isinf(high) else (low + high) / 2
    raise RunEnds("none")
