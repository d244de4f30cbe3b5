"""Right rules: a second lot, written after the audit was mended and not looked at while it was. Each says why it is right."""

import math
from fractions import Fraction

import numpy as np
from scipy.optimize import minimize_scalar

from boundcheck import RunEnds, step_rule
from boundcheck.language.letters import K, L, Max, eta, f, grad, i, j, norm, normsq, smaller, sqrt, x


@step_rule(follows=eta[i] == smaller(1 / L, 1 / norm(grad(x[i]))), needs=("L",))
def clipped_gradient(run):
    """Right: gradient clipping as a step, min(1/L, 1/|g|), as declared."""
    return min(1 / float(run.L), 1 / float(np.linalg.norm(run.grad)))


@step_rule(follows=eta[i] == 2 / (L * (i + 2)), needs=("L",))
def frank_wolfe_like(run):
    """Right: 2/(L (k+2))."""
    return 2 / (float(run.L) * (run.k + 2))


@step_rule(follows="bb_long")
def bb_without_guards(run):
    """Right: the bare formula; where the gradient did not change it divides by zero, as the formula does."""
    if run.before is None:
        return 0.01
    s, y = run.x - run.before.x, run.grad - run.before.grad
    return float(s @ s) / float(s @ y)


@step_rule(follows="exact-line-search")
def exact_by_golden_section(run):
    """Right: a line search by values of f alone, to what these can tell, from a bracket by doubling."""
    g = run.grad

    def along(t):
        return float(run.f_at(run.x - t * g))

    high = 1e-3
    while along(2 * high) < along(high):
        high *= 2
        if high > 1e15:
            raise RunEnds("f falls without end")
    found = minimize_scalar(along, bounds=(0, 2 * high), method="bounded", options={"xatol": 1e-13 * high, "maxiter": 500})
    return found.x


@step_rule(follows=eta[i] == 1 / (sqrt(K) * norm(grad(x[i]))))
def normalized_by_horizon(run):
    """Right: normalized steps of length 1/sqrt(K)."""
    return run.steps**-0.5 * run.grad_normsq**-0.5


@step_rule(follows=f(x[i + 1]) <= Max(f(x[j]), j, 0, i) - Fraction(1, 10000) * eta[i] * normsq(grad(x[i])))
class GrippoLampariello:
    """Right: a nonmonotone line search against the largest value so far; it declares that."""

    def __init__(self):
        self.most = -math.inf

    def step(self, run):
        self.most = max(self.most, float(run.f))
        step = 1.0
        while run.f_at(run.x - step * run.grad) > self.most - 1e-4 * step * run.grad_normsq:
            step /= 2
            if step < 1e-50:
                raise RunEnds("rounding")
        return step


class DistanceOverGradients:
    """Right: DoG of Ivgi et al., the largest distance from x_0 over the root of the sum of |g|^2."""

    def __init__(self):
        self.start, self.far, self.sum = None, 1e-2, 0.0

    def step(self, run):
        if self.start is None:
            self.start = run.x.copy()
        self.far = max(self.far, float(np.linalg.norm(run.x - self.start)))
        self.sum += float(run.grad @ run.grad)
        return self.far / math.sqrt(self.sum)


@step_rule(needs=("L",))
def cyclic(run):
    """Right: a cycle of three steps, 1/(2L), 1/L and 1.5/L."""
    return [0.5, 1.0, 1.5][run.k % 3] / float(run.L)


class Restarted:
    """Right: cosine with restarts of 10, 20, 40, ... steps, counted by the object itself."""

    needs = ("L",)

    def __init__(self):
        self.length, self.at = 10, 0

    def step(self, run):
        if self.at == self.length:
            self.length, self.at = 2 * self.length, 0
        self.at += 1
        return 0.5 * (1 + math.cos(math.pi * (self.at - 1) / self.length)) / float(run.L)


def never_growing(run):
    """Right: the local estimate, never larger than the step before; undeclared."""
    if run.before is None:
        return 1.0
    s, y = run.x - run.before.x, run.grad - run.before.grad
    turned = float(np.linalg.norm(y))
    return min(run.before.eta, float(np.linalg.norm(s)) / (2 * turned)) if turned > 0 else run.before.eta
