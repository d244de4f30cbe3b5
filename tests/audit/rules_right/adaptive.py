"""Right rules: AdGD, Barzilai and Borwein, and other rules that learn from the steps before. Each says why it is right."""

import math

import numpy as np

from boundcheck import RunEnds, step_rule
from boundcheck.language.letters import eta, grad, i, inner, norm, normsq, smaller, x


@step_rule(follows="adgd(1/1000)")
class AdGD2020:
    """Right: min(sqrt(1 + theta) eta, |s|/(2|y|)), first step 1/1000, theta_0 infinite."""

    def __init__(self):
        self.theta = math.inf

    def step(self, run):
        if run.before is None:
            return 1e-3
        turned = np.linalg.norm(run.grad - run.before.grad)
        local = math.inf if turned == 0 else np.linalg.norm(run.x - run.before.x) / (2 * turned)
        step = min(math.sqrt(1 + self.theta) * run.before.eta, local)
        if math.isinf(step):
            raise RunEnds("f is linear so far")
        self.theta = step / run.before.eta
        return step


@step_rule(follows="adgd(1/10)")
def adgd_function(run):
    """Right: the same as a function of the history, first step 1/10."""
    past = run.history
    if not past:
        return 0.1
    y = np.linalg.norm(run.grad - past[-1].grad)
    if y == 0:
        raise RunEnds("the gradient did not change")
    local = past[-1].eta * np.linalg.norm(past[-1].grad) / (2 * y)
    if len(past) == 1:
        return local
    return min(math.sqrt(1 + past[-1].eta / past[-2].eta) * past[-1].eta, local)


def _adgd2(before, x, g, theta):
    s, y = x - before.x, g - before.grad
    under = 2 * (y @ y) / (s @ s) - 1 / before.eta**2 if s @ s > 0 else -1.0
    local = math.inf if under <= 0 else 1 / math.sqrt(under)
    return min(math.sqrt(2 / 3 + theta) * before.eta, local)


class AdGD2023:
    """Right: AdGD 2 of Malitsky and Mishchenko (2023): min(sqrt(2/3 + theta) eta, eta / sqrt([2 eta^2 L^2 - 1]_+))."""

    def __init__(self):
        self.theta = 1 / 3

    def step(self, run):
        if run.before is None:
            return 1e-3
        step = _adgd2(run.before, run.x, run.grad, self.theta)
        self.theta = step / run.before.eta
        return step


def adgd2023_function(run):
    """Right: the same from the two steps before; it begins with 1/100."""
    if run.before is None:
        return 0.01
    older = run.before.before
    theta = 1 / 3 if older is None else run.before.eta / older.eta
    return _adgd2(run.before, run.x, run.grad, theta)


def _pair(run):
    return run.x - run.before.x, run.grad - run.before.grad


@step_rule(follows="bb_long(1/1000)")
def bb_long(run):
    """Right: <s, s>/<s, y>; where <s, y> is not positive there is no step, and it says so."""
    if run.before is None:
        return 0.001
    s, y = _pair(run)
    if s @ y <= 0:
        raise RunEnds("<s, y> is not positive")
    return (s @ s) / (s @ y)


@step_rule(follows="bb_short(1/1000)")
class BBShort:
    """Right: <s, y>/<y, y>, with the pair kept by the rule itself."""

    def __init__(self):
        self.x = self.g = None

    def step(self, run):
        x, g = self.x, self.g
        self.x, self.g = np.array(run.x), np.array(run.grad)
        if x is None:
            return 1e-3
        s, y = self.x - x, self.g - g
        if not s @ y > 0:
            raise RunEnds("no curvature")
        return (s @ y) / (y @ y)


@step_rule(follows=eta[i] == norm(x[i] - x[i - 1]) / norm(grad(x[i]) - grad(x[i - 1])))
def bb_geometric(run):
    """Right: |s|/|y|, the geometric mean of the two; its first step is free."""
    if run.before is None:
        return 0.01
    s, y = _pair(run)
    if not y @ y > 0:
        raise RunEnds("the gradient did not change")
    return np.sqrt((s @ s) / (y @ y))


def bb_safeguarded(run):
    """Right: the long step, held within [1e-6, 10]; it declares nothing and its name says so."""
    if run.before is None:
        return 1e-3
    s, y = _pair(run)
    sy = s @ y
    return float(np.clip((s @ s) / sy, 1e-6, 10.0)) if sy > 0 else 1e-3


class BBAlternate:
    """Right: the long and the short step in turn."""

    def __init__(self):
        self.count = 0

    def step(self, run):
        self.count += 1
        if run.before is None:
            return 1e-3
        s, y = _pair(run)
        if not s @ y > 0:
            raise RunEnds("no curvature")
        return (s @ s) / (s @ y) if self.count % 2 else (s @ y) / (y @ y)


@step_rule(
    follows=eta[i] == smaller(2 * eta[i - 1], normsq(x[i] - x[i - 1]) / (2 * inner(x[i] - x[i - 1], grad(x[i]) - grad(x[i - 1]))))
)
def half_long_with_doubling(run):
    """Right: half of the long step, at most twice the step before, as declared."""
    if run.before is None:
        return 0.001
    s, y = _pair(run)
    if not s @ y > 0:
        raise RunEnds("no curvature")
    return min(2 * run.before.eta, (s @ s) / (2 * (s @ y)))


class AdaGradNorm:
    """Right: AdaGrad-Norm, 1/sqrt(b_0^2 + sum of |g|^2), the sum begun anew in each run."""

    def __init__(self, b=0.1):
        self.sum = b**2

    def step(self, run):
        self.sum += run.grad_normsq
        return 1 / np.sqrt(self.sum)


class BoldDriver:
    """Right: grows by 1.1 where f fell, halves where it rose."""

    def __init__(self):
        self.eta = 0.01

    def step(self, run):
        if run.before is not None:
            self.eta *= 1.1 if run.f <= run.before.f else 0.5
        return self.eta
