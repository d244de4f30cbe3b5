"""Right rules: line searches and steps that are roots. Each says why it is right."""

from fractions import Fraction

import numpy as np
from scipy.optimize import brentq

from boundcheck import RunEnds, step_rule
from boundcheck.language.letters import eta, f, grad, i, inner, normsq, x


@step_rule(follows="cauchy", needs=("quadratic",))
def cauchy(run):
    """Right: g'g / g'Bg, the exact line search of a quadratic in closed form."""
    return run.grad_normsq / (run.grad @ run.hessian_times(run.grad))


@step_rule(follows="exact-line-search", needs=("quadratic",))
def exact_on_quadratics(run):
    """Right: the same from two gradients: g(1) - g = -Bg."""
    g = run.grad
    Bg = g - run.grad_at(run.x - g)
    return (g @ g) / (g @ Bg)


def _bracket(slope, first=1.0):
    high = first
    while slope(high) > 0:
        high *= 2
        if high > 1e20:
            raise RunEnds("f falls without end")
    return high


@step_rule(follows="exact-line-search")
def exact_by_bisection(run):
    """Right: bisection of the slope until no float lies between."""
    g = run.grad

    def slope(t):
        return run.grad_at(run.x - t * g) @ g

    low, high = 0.0, _bracket(slope)
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle if middle > 0 else high
        if slope(middle) > 0:
            low = middle
        else:
            high = middle


@step_rule(follows="exact-line-search")
def exact_by_brent(run):
    """Right: Brent's root of the slope, to 1e-15 of itself."""
    g = run.grad

    def slope(t):
        return float(run.grad_at(run.x - t * g) @ g)

    high = _bracket(slope)
    if slope(high) == 0:
        return high
    return brentq(slope, 0.0, high, xtol=1e-300, rtol=1e-15, maxiter=1000)


@step_rule(follows=inner(grad(x[i]), grad(x[i + 1])) == 0)
def orthogonal(run):
    """Right: the same as its equation, solved from the step before on."""
    g = run.grad
    first = 1.0 if run.before is None else float(run.before.eta)

    def slope(t):
        return float(run.grad_at(run.x - t * g) @ g)

    high = _bracket(slope, first)
    return high if slope(high) == 0 else brentq(slope, 0.0, high, xtol=1e-300, rtol=9e-16, maxiter=1000)


@step_rule(follows=f(x[i + 1]) <= f(x[i]) - Fraction(1, 2) * eta[i] * normsq(grad(x[i])))
def armijo(run):
    """Right: halved from 1 until f falls by eta |g|^2 / 2."""
    step = 1.0
    while step > 1e-30:
        if run.f_at(run.x - step * run.grad) <= run.f - 0.5 * step * run.grad_normsq:
            return step
        step /= 2
    raise RunEnds("f does not fall but for rounding")


@step_rule(follows="armijo(1/4, 1/2, 1)")
def armijo_quarter(run):
    """Right: the library's Armijo with c = 1/4."""
    step = 1.0
    while run.f_at(run.x - step * run.grad) > run.f - step * run.grad_normsq / 4:
        step *= 0.5
        if step < 1e-40:
            raise RunEnds("f does not fall but for rounding")
    return step


@step_rule(follows=f(x[i + 1]) <= f(x[i]) - Fraction(1, 10000) * eta[i] * normsq(grad(x[i])))
def armijo_from_the_last(run):
    """Right: c = 1e-4, tried from twice the step before; the sufficient decrease is what it declares."""
    step = 1.0 if run.before is None else 2 * run.before.eta
    for _ in range(200):
        if run.f_at(run.x - step * run.grad) <= run.f - 1e-4 * step * run.grad_normsq:
            return step
        step *= 0.7
    raise RunEnds("no decrease")


class BacktrackingFISTAStyle:
    """Right: starts from the step before and only shrinks, f(x+) <= f - eta/2 |g|^2; undeclared."""

    def __init__(self, first=4.0):
        self.eta = first

    def step(self, run):
        while run.f_at(run.x - self.eta * run.grad) > run.f - self.eta / 2 * run.grad_normsq:
            self.eta /= 2
            if self.eta < 1e-40:
                raise RunEnds("rounding")
        return self.eta


def goldstein(run):
    """Right: between two lines of slope c and 1 - c, c = 1/4, by bisection; it ends where rounding hides both."""
    low, high, step = 0.0, np.inf, 1.0
    for _ in range(100):
        fall = run.f - run.f_at(run.x - step * run.grad)
        if fall < 0.25 * step * run.grad_normsq:
            high = step
        elif fall > 0.75 * step * run.grad_normsq:
            low = step
        else:
            return step
        step = 2 * step if np.isinf(high) else (low + high) / 2
    raise RunEnds("no step between the lines")


@step_rule(follows=inner(grad(x[i + 1]), grad(x[i])) <= Fraction(9, 10) * normsq(grad(x[i])))
def wolfe(run):
    """Right: weak Wolfe by bisection, c1 = 1e-4, c2 = 0.9; it declares the curvature condition."""
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
    raise RunEnds("no step satisfies both")


@step_rule(follows="1/D")
def one_over_D(run):
    """Right: |g(eta) - g| = |g|/2 by Brent."""
    g = run.grad

    def h(t):
        turned = run.grad_at(run.x - t * g) - g
        return float(turned @ turned - run.grad_normsq / 4)

    high = 1.0
    while h(high) < 0:
        high *= 2
        if high > 1e20:
            raise RunEnds("no root")
    return brentq(h, 0.0, high, xtol=1e-300, rtol=1e-14)
