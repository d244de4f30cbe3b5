"""Rules that are what they declare, written as people write them."""

import numpy as np

from boundcheck import RunEnds, step_rule


@step_rule(follows="polyak(1)", needs=("infimum",))
def polyak(run):
    return run.gap / run.grad_normsq


def polyak_undeclared(run):
    f_star = run.problem.infimum
    return (run.f - float(f_star)) / (run.grad @ run.grad)


@step_rule(follows="1/L", needs=("L",))
def one_over_L(run):
    return 1 / run.L


@step_rule(follows="cauchy", needs=("quadratic",))
def cauchy(run):
    return run.grad @ run.grad / (run.grad @ run.hessian_times(run.grad))


@step_rule(follows="adgd(1/1000)")
class AdGD:
    def __init__(self):
        self.theta = np.inf

    def step(self, run):
        if run.before is None:
            return 1e-3
        turned = np.linalg.norm(run.grad - run.before.grad)
        local = np.linalg.norm(run.x - run.before.x) / (2 * turned) if turned > 0 else np.inf
        step = min(np.sqrt(1 + self.theta) * run.before.eta, local)
        if not np.isfinite(step):
            raise RunEnds("both terms are infinite")
        self.theta = step / run.before.eta
        return step


@step_rule(follows="1/D")
def one_over_D(run):
    from scipy.optimize import brentq

    def h(eta):
        turned = run.problem.grad(run.xp, run.x - eta * run.grad) - run.grad
        return turned @ turned - run.grad_normsq / 4

    high = 1.0
    while h(high) < 0:
        high *= 2
        if high > 1e30:
            raise RunEnds("no root")
    return brentq(h, 0, high, xtol=1e-300, rtol=1e-14)
