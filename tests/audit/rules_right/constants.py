"""Right rules: fixed steps and schedules that know k only. Each says why it is right."""

import math

from boundcheck import step_rule
from boundcheck.language.letters import L, eta, eta_length, grad, i, mu_f, norm, smaller, sqrt, x


@step_rule(follows="1/L", needs=("L",))
def one_over_L(run):
    """Right: 1/L is what it declares."""
    return 1.0 / float(run.L)


@step_rule(follows="1/(2L)", needs=("L",))
def half_over_L(run):
    """Right: 1/(2L) is what it declares."""
    return 0.5 / run.L


@step_rule(follows=eta[i] == 2 / (L + mu_f), needs=("L",))
def best_for_both(run):
    """Right: 2/(L + mu), Polyak's best fixed step; mu is 0 where f is not strongly convex."""
    return 2 / (float(run.L) + float(run.problem.mu))


def small_constant(run):
    """Right: it declares nothing, and a fixed step of 1/100 is nobody's mistake."""
    return 0.01


@step_rule(needs=("L",))
def nearly_two_over_L(run):
    """Right: 1.9/L, declared by nobody, is below 2/L."""
    return 1.9 / float(run.L)


@step_rule(follows=eta[i] == 1 / (L * sqrt(i + 1)), needs=("L",))
def over_sqrt(run):
    """Right: 1/(L sqrt(k+1)), and k begins with 0."""
    return 1 / (run.L * math.sqrt(run.k + 1))


@step_rule(follows=eta[i] == 1 / (L * (i + 1)), needs=("L",))
def harmonic(run):
    """Right: 1/(L (k+1))."""
    return 1 / run.L / (run.k + 1)


@step_rule(needs=("L",))
def step_decay(run):
    """Right: halved every 20 steps, from 1/L on; it declares nothing."""
    return 0.5 ** (run.k // 20) / float(run.L)


@step_rule(needs=("L",))
def exponential_decay(run):
    """Right: 0.97^k / L; it declares nothing."""
    return 0.97**run.k / float(run.L)


@step_rule(needs=("L",))
def warm_up(run):
    """Right: five steps that grow to 1/L, then 1/L."""
    return min(1.0, (run.k + 1) / 5) / float(run.L)


@step_rule(follows=eta[i] == smaller((i + 1) / 10, 1) / L, needs=("L",))
def warm_up_declared(run):
    """Right: the warm-up that it declares, ten steps long."""
    if run.k < 10:
        return (run.k + 1) / (10 * float(run.L))
    return 1 / float(run.L)


@step_rule(needs=("L",))
def alternating(run):
    """Right: short and long steps in turn, 1/(2L) and 3/(2L)."""
    return (0.5 if run.k % 2 == 0 else 1.5) / float(run.L)


@step_rule(needs=("L",))
def silver(run):
    """Right: the silver schedule of Altschuler and Parrilo, (1 + rho^(v-1))/L, v the power of 2 in k+1."""
    n, v = run.k + 1, 0
    while n % 2 == 0:
        n, v = n // 2, v + 1
    return (1 + (1 + math.sqrt(2)) ** (v - 1)) / float(run.L)


@step_rule(follows=eta[i] == 1 / (sqrt(i + 1) * norm(grad(x[i]))))
def normalized(run):
    """Right: a length of 1/sqrt(k+1) over |g|."""
    return 1 / (math.sqrt(run.k + 1) * math.sqrt(run.grad_normsq))


@step_rule(follows=eta_length[i] == 1 / sqrt(i + 1), methods=("normalized",))
def normalized_lengths(run):
    """Right: the same as lengths of normalized gradient descent."""
    return 1 / math.sqrt(run.k + 1)
