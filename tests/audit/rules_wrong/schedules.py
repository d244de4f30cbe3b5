"""Wrong rules: fixed steps and schedules. Each says its fault."""

import math

import numpy as np

from boundcheck import step_rule
from boundcheck.language.letters import K, L, eta, eta_length, grad, i, mu_f, norm, smaller, sqrt, x


@step_rule(follows="1/L", needs=("L",))
def reciprocal(run):
    """Fault: L in place of 1/L."""
    return float(run.L)


@step_rule(follows="1/L", needs=("L",))
def twice_over_L(run):
    """Fault: 2/L in place of 1/L."""
    return 2 / float(run.L)


@step_rule(follows="1/(2L)", needs=("L",))
def lost_half(run):
    """Fault: 1/L in place of 1/(2L)."""
    return 1 / float(run.L)


@step_rule(follows="1/L", needs=("L",))
def squared_constant(run):
    """Fault: 1/L^2."""
    return 1 / float(run.L) ** 2


@step_rule(follows="1/L", needs=("L",))
def root_of_constant(run):
    """Fault: 1/sqrt(L)."""
    return 1 / math.sqrt(run.L)


@step_rule(follows=eta[i] == 2 / (L + mu_f), needs=("L",))
def difference_for_sum(run):
    """Fault: 2/(L - mu) in place of 2/(L + mu)."""
    L, mu = float(run.L), float(run.problem.mu)
    return 2 / (L - mu) if L > mu else 1 / L


@step_rule(follows=eta[i] == 2 / (L + mu_f), needs=("L",))
def one_for_two(run):
    """Fault: 1/(L + mu) in place of 2/(L + mu)."""
    return 1 / (float(run.L) + float(run.problem.mu))


@step_rule(follows=eta[i] == 1 / (L * sqrt(i + 1)), needs=("L",))
def begins_at_two(run):
    """Fault: sqrt(k+2) in place of sqrt(k+1)."""
    return 1 / (float(run.L) * math.sqrt(run.k + 2))


@step_rule(follows=eta[i] == 1 / (L * sqrt(i + 1)), needs=("L",))
def decays_too_fast(run):
    """Fault: 1/(k+1) in place of 1/sqrt(k+1)."""
    return 1 / (float(run.L) * (run.k + 1))


@step_rule(follows=eta[i] == 1 / (L * sqrt(i + 1)), needs=("L",))
def whole_root(run):
    """Fault: the root is rounded down to a whole number."""
    return 1 / (float(run.L) * math.isqrt(run.k + 1))


@step_rule(follows=eta[i] == 1 / (L * sqrt(K)), needs=("L",))
def horizon_off_by_one(run):
    """Fault: sqrt(K-1) in place of sqrt(K)."""
    return 1 / (float(run.L) * math.sqrt(run.steps - 1))


@step_rule(follows=eta[i] == 1 / (L * sqrt(K)), needs=("L",))
def index_for_horizon(run):
    """Fault: sqrt(k+1) where the horizon is asked for."""
    return 1 / (float(run.L) * math.sqrt(run.k + 1))


@step_rule(follows=eta[i] == 1 / (L * sqrt(K)), needs=("L",))
def fixed_horizon(run):
    """Fault: the horizon is written down as 1000."""
    return 1 / (float(run.L) * math.sqrt(1000))


@step_rule(follows=eta[i] == (1 - i / K) / L, needs=("L",))
def decay_to_the_end(run):
    """Fault: 1 - (k+1)/(K+1): one step too early, and over K+1."""
    return (1 - (run.k + 1) / (run.steps + 1)) / float(run.L)


@step_rule(follows=eta[i] == (1 - i / K) / L, needs=("L",))
def linear_to_zero(run):
    """Fault: 1 - (k+1)/K, which is 0 in the last step."""
    return (1 - (run.k + 1) / run.steps) / float(run.L)


@step_rule(needs=("L",))
def cosine_to_zero(run):
    """Fault: cos(pi (k+1)/K), so that the last step is 0: no step at all."""
    return 0.5 * (1 + math.cos(math.pi * (run.k + 1) / run.steps)) / float(run.L)


@step_rule(follows=eta[i] == smaller((i + 1) / 10, 1) / L, needs=("L",))
def warm_up_for_ever(run):
    """Fault: max in place of min: the warm-up never ends."""
    return max((run.k + 1) / 10, 1) / float(run.L)


@step_rule(follows=eta[i] == smaller((i + 1) / 10, 1) / L, needs=("L",))
def warm_up_too_short(run):
    """Fault: the warm-up is 5 steps long, not 10."""
    return min((run.k + 1) / 5, 1) / float(run.L)


@step_rule(needs=("L",))
def warm_up_from_zero(run):
    """Fault: k/5 begins with a step of 0."""
    return min(1.0, run.k / 5) / float(run.L)


@step_rule(follows="1/L", needs=("L",))
def warm_up_left_in(run):
    """Fault: a warm-up of three steps is left in a constant step."""
    return min(1.0, (run.k + 1) / 3) / float(run.L)


@step_rule(follows="1/L", needs=("L",))
def single_precision(run):
    """Fault: 1/L in single precision."""
    return float(np.float32(1) / np.float32(float(run.L)))


@step_rule(follows="1/L", needs=("L",))
def epsilon_in_constant(run):
    """Fault: 1/(L + 1e-3)."""
    return 1 / (float(run.L) + 1e-3)


@step_rule(follows="1/L", needs=("L",))
def halves_late(run):
    """Fault: after 60 steps it is halved."""
    return (1.0 if run.k < 60 else 0.5) / float(run.L)


@step_rule(follows=eta[i] == 1 / (sqrt(i + 1) * norm(grad(x[i]))))
def square_for_norm(run):
    """Fault: |g|^2 in place of |g|."""
    return 1 / (math.sqrt(run.k + 1) * run.grad_normsq)


@step_rule(follows=eta_length[i] == 1 / sqrt(K), methods=("normalized",))
def length_over_K(run):
    """Fault: 1/K in place of 1/sqrt(K)."""
    return 1 / run.steps


@step_rule(needs=("L",))
def too_long(run):
    """Fault: 2.5/L, a sign of L taken for half of it: it diverges."""
    return 2.5 / float(run.L)
