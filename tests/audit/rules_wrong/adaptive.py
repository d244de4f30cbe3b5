"""Wrong rules: AdGD, Barzilai and Borwein with a fault. Each says it."""

import math

import numpy as np

from boundcheck import RunEnds, step_rule


def _pair(run):
    return run.x - run.before.x, run.grad - run.before.grad


def _adgd(run, first, half=0.5, one=1.0, choose=min, theta0=math.inf):
    if run.before is None:
        return first
    s, y = _pair(run)
    turned = np.linalg.norm(y)
    if turned == 0:
        raise RunEnds("linear")
    older = run.before.before
    theta = theta0 if older is None else run.before.eta / older.eta
    if math.isinf(theta):
        return half * np.linalg.norm(s) / turned
    return choose(math.sqrt(one + theta) * run.before.eta, half * np.linalg.norm(s) / turned)


@step_rule(follows="adgd(1/10)")
def adgd_first(run):
    """Fault: it begins with 1/1000 where adgd(1/10) is declared."""
    return _adgd(run, 1e-3)


@step_rule(follows="adgd(1/1000)")
def adgd_half_lost(run):
    """Fault: |s|/|y| without the 1/2."""
    return _adgd(run, 1e-3, half=1.0)


@step_rule(follows="adgd(1/1000)")
def adgd_growth(run):
    """Fault: sqrt(2 + theta): the steps grow too quickly."""
    return _adgd(run, 1e-3, one=2.0)


@step_rule(follows="adgd(1/1000)")
def adgd_max(run):
    """Fault: max in place of min."""
    return _adgd(run, 1e-3, choose=max)


@step_rule(follows="adgd(1/1000)")
def adgd_theta(run):
    """Fault: theta_0 = 0 in place of infinity: the second step is at most the first."""
    return _adgd(run, 1e-3, theta0=0.0)


@step_rule(follows="adgd(1/1000)")
class AdGDStale:
    """Fault: theta is set before the step is taken, so it is always that of one step earlier."""

    def __init__(self):
        self.theta = self.next = math.inf

    def step(self, run):
        if run.before is None:
            return 1e-3
        s, y = _pair(run)
        turned = np.linalg.norm(y)
        if turned == 0:
            raise RunEnds("linear")
        step = min(math.sqrt(1 + self.theta) * run.before.eta, np.linalg.norm(s) / (2 * turned))
        self.theta, self.next = self.next, step / run.before.eta
        return step


@step_rule(follows="bb_long(1/1000)")
def bb_swapped(run):
    """Fault: the short step where the long one is declared."""
    if run.before is None:
        return 1e-3
    s, y = _pair(run)
    if not s @ y > 0:
        raise RunEnds("no curvature")
    return (s @ y) / (y @ y)


@step_rule(follows="bb_short(1/1000)")
def bb_clipped(run):
    """Fault: held within [1e-3, 1] without a word."""
    if run.before is None:
        return 1e-3
    s, y = _pair(run)
    if not s @ y > 0:
        raise RunEnds("no curvature")
    return float(np.clip((s @ y) / (y @ y), 1e-3, 1))


@step_rule(follows="bb_long(1/1000)")
def bb_first(run):
    """Fault: it begins with 1, not with 1/1000."""
    if run.before is None:
        return 1.0
    s, y = _pair(run)
    if not s @ y > 0:
        raise RunEnds("no curvature")
    return (s @ s) / (s @ y)


@step_rule(follows="bb_long(1/1000)")
def bb_sign(run):
    """Fault: y has the wrong sign, and abs hides it in the product of a wrong pair: <s, s>/|<s, g>|."""
    if run.before is None:
        return 1e-3
    s, _ = _pair(run)
    below = abs(s @ run.grad)
    if below == 0:
        raise RunEnds("no curvature")
    return (s @ s) / below


@step_rule(follows="bb_long(1/1000)")
def bb_negative(run):
    """Fault: <s, s>/<s, -y>: the sign is wrong."""
    if run.before is None:
        return 1e-3
    s, y = _pair(run)
    return -(s @ s) / (s @ y)
