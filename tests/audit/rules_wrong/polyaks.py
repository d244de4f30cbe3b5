"""Wrong rules: Polyak's step with a fault. Each says it."""

import numpy as np

from boundcheck import step_rule
from boundcheck.language.letters import delta, eta, grad, i, normsq, smaller, x


@step_rule(follows="polyak(1/2)", needs=("infimum",))
def lost_half(run):
    """Fault: the 1/2 is lost."""
    return run.gap / run.grad_normsq


@step_rule(follows="polyak(1)", needs=("infimum",))
def norm_for_square(run):
    """Fault: |g| in place of |g|^2."""
    return run.gap / np.linalg.norm(run.grad)


@step_rule(follows="polyak(1)", needs=("infimum",))
def infimum_is_zero(run):
    """Fault: f* is taken as 0."""
    return abs(run.f) / run.grad_normsq


@step_rule(follows="polyak(1)", needs=("infimum",))
def epsilon(run):
    """Fault: 1e-8 is added to |g|^2."""
    return run.gap / (run.grad_normsq + 1e-8)


@step_rule(follows="polyak(1)", needs=("infimum",))
def epsilon_above(run):
    """Fault: 1e-6 is added to the gap."""
    return (run.gap + 1e-6) / run.grad_normsq


@step_rule(follows="polyak(1)", needs=("infimum",))
def capped_at_ten(run):
    """Fault: capped at 10 without a word."""
    return min(run.gap / run.grad_normsq, 10.0)


@step_rule(follows="polyak(1)", needs=("infimum",))
def floored(run):
    """Fault: at least 0.1."""
    return max(run.gap / run.grad_normsq, 0.1)


@step_rule(follows="polyak(1)", needs=("infimum",))
def stale_gradient(run):
    """Fault: the gradient of the step before below."""
    g = run.grad if run.before is None else run.before.grad
    return run.gap / (g @ g)


@step_rule(follows="polyak(1)", needs=("infimum",))
def stale_value(run):
    """Fault: the gap of the step before above."""
    gap = run.gap if run.before is None else run.before.gap
    return gap / run.grad_normsq


@step_rule(follows="polyak(1)", needs=("infimum",))
def largest_entry(run):
    """Fault: the largest entry of the gradient squared in place of its norm."""
    return run.gap / np.max(np.abs(run.grad)) ** 2


@step_rule(follows="polyak(1)", needs=("infimum",))
def mean_square(run):
    """Fault: the mean of the squares in place of their sum: right in one dimension."""
    return run.gap / np.mean(run.grad**2)


@step_rule(follows="polyak(1)", needs=("infimum",))
def half_precision(run):
    """Fault: the gradient is rounded to half precision."""
    g = run.grad.astype(np.float16).astype(float)
    return run.gap / max(g @ g, 1e-300)


@step_rule(follows="polyak(1)", needs=("infimum",))
def upside_down(run):
    """Fault: |g|^2 over the gap."""
    return run.grad_normsq / run.gap


@step_rule(follows=eta[i] == smaller(delta[i] / normsq(grad(x[i])), 1), needs=("infimum",))
def max_for_min(run):
    """Fault: max in place of min."""
    return max(run.gap / run.grad_normsq, 1.0)


@step_rule(follows="polyak(1)", needs=("infimum",))
def smoothed(run):
    """Fault: a mean of the step and the one before."""
    step = run.gap / run.grad_normsq
    return step if run.before is None else (step + run.before.eta) / 2


@step_rule(follows="polyak(1)", needs=("infimum",))
def every_other(run):
    """Fault: the step is chosen at even k only, and used again at odd k."""
    if run.k % 2 == 1:
        return run.before.eta
    return run.gap / run.grad_normsq


@step_rule(follows="polyak(1)", needs=("infimum",))
def noisy(run):
    """Fault: a thousandth of noise from a generator that nobody seeds."""
    return run.gap / run.grad_normsq * (1 + 1e-3 * np.random.default_rng().standard_normal())
