"""Means to be a line search with Armijo's constant 1/2, but tests with 1e-4."""

from fractions import Fraction

from boundcheck import RunEnds, step_rule
from boundcheck.letters import eta, f, grad, i, normsq, x


@step_rule(follows=f(x[i + 1]) <= f(x[i]) - Fraction(1, 2) * eta[i] * normsq(grad(x[i])))
def armijo(run):  # type: ignore[no-untyped-def]
    """Halve the step until f falls by enough."""
    step = 1.0
    while step > 1e-30:
        if run.problem.f(run.xp, run.x - step * run.grad) <= run.f - 1e-4 * step * run.grad_normsq:
            return step
        step /= 2
    raise RunEnds(f"no step is short enough at step {run.k}: f does not fall, but for rounding")
