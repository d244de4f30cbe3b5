"""Right rules: Polyak's step and its kin. Each says why it is right."""

from fractions import Fraction

import numpy as np

from boundcheck import RunEnds, step_rule
from boundcheck.language.letters import L, delta, eta, f, grad, i, normsq, smaller, x, xstar


@step_rule(follows="polyak(1)", needs=("infimum",))
def plain(run):
    """Right: (f - f*)/|g|^2, which is 0/0 once x is the minimiser: there the run is over."""
    return run.gap / run.grad_normsq


@step_rule(follows="polyak(1)", needs=("infimum",))
def by_hand(run):
    """Right: the same with f - f* subtracted by hand."""
    return (run.f - float(run.f_star)) / float(run.grad @ run.grad)


@step_rule(follows="polyak(1)", needs=("infimum",))
def ends_by_itself(run):
    """Right: it says that there is no step to give where the gradient or the gap is 0."""
    if run.grad_normsq == 0 or run.gap <= 0:
        raise RunEnds("converged")
    return run.gap / run.grad_normsq


@step_rule(follows="polyak(1/2)", needs=("infimum",))
def half(run):
    """Right: gamma = 1/2, and declares it."""
    return run.gap / (2 * run.grad_normsq)


@step_rule(follows="polyak(3/2)", needs=("infimum",))
def one_and_a_half(run):
    """Right: gamma = 3/2."""
    return 1.5 * run.gap / run.grad_normsq


@step_rule(follows=eta[i] == 2 * (f(x[i]) - f(xstar)) / normsq(grad(x[i])), needs=("infimum",))
def twice(run):
    """Right: the formula that it declares, twice Polyak's step."""
    return 2 * run.gap / run.grad_normsq


@step_rule(follows=eta[i] == smaller(delta[i] / normsq(grad(x[i])), 1), needs=("infimum",))
def capped(run):
    """Right: a cap of 1 that its formula has too."""
    return min(run.gap / run.grad_normsq, 1.0)


@step_rule(follows=eta[i] == smaller(delta[i] / (2 * Fraction(1, 5) * normsq(grad(x[i]))), 10 / L), needs=("infimum", "L"))
def sps_max(run):
    """Right: SPS_max of Loizou et al. with c = 1/5 and the bound 10/L, both declared."""
    return min(run.gap / (2 * 0.2 * run.grad_normsq), 10 / float(run.L))


@step_rule(needs=("infimum",))
def undeclared(run):
    """Right: Polyak's step that says nothing of itself."""
    g = np.asarray(run.grad)
    return run.gap / np.dot(g, g)


@step_rule(follows="polyak(1)", needs=("infimum",))
class Remembering:
    """Right: keeps the best value that it saw, which it does not use; the step is Polyak's."""

    def __init__(self):
        self.best = float("inf")

    def step(self, run):
        self.best = min(self.best, run.f)
        return run.gap / run.grad_normsq
