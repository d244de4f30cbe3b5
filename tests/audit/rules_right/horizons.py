"""Right rules: schedules that read the horizon, run.steps. Each says why it is right."""

import math

from boundcheck import step_rule
from boundcheck.language.letters import K, L, eta, eta_length, i, sqrt


@step_rule(needs=("L",))
def cosine(run):
    """Right: cosine annealing from 1/L, PyTorch's formula with T_max = run.steps."""
    return 0.5 * (1 + math.cos(math.pi * run.k / run.steps)) / float(run.L)


@step_rule(needs=("L",))
def linear_decay(run):
    """Right: (1 - k/K)/L: it is 1/(K L) in the last step, never 0."""
    return (1 - run.k / run.steps) / float(run.L)


@step_rule(follows=eta[i] == (1 - i / K) / L, needs=("L",))
def linear_decay_declared(run):
    """Right: linear decay, and says so."""
    return (run.steps - run.k) / run.steps / float(run.L)


@step_rule(follows=eta[i] == 1 / (L * sqrt(K)), needs=("L",))
def over_sqrt_horizon(run):
    """Right: 1/(L sqrt K), K the number of steps."""
    return 1 / (float(run.L) * math.sqrt(run.steps))


@step_rule(follows=eta_length[i] == 1 / sqrt(K), methods=("normalized",))
def lengths_by_horizon(run):
    """Right: lengths of 1/sqrt K."""
    return 1 / math.sqrt(run.steps)


@step_rule(needs=("L",))
def warm_up_then_cosine(run):
    """Right: a tenth of the run grows to 1/L, the rest is a cosine."""
    warm = max(1, run.steps // 10)
    if run.k < warm:
        return (run.k + 1) / warm / float(run.L)
    return (0.5 + 0.5 * math.cos(math.pi * (run.k - warm) / (run.steps - warm))) / float(run.L)


@step_rule(needs=("L",))
def milestones(run):
    """Right: a tenth of the step after half of the run, a hundredth after three quarters."""
    past = sum(run.k >= run.steps * share for share in (0.5, 0.75))
    return 10.0**-past / float(run.L)


class OneCycle:
    """Right: up to 1/L in 30 percent of the run, then down: the schedule is made once, at the first step of each run."""

    needs = ("L",)

    def __init__(self):
        self.schedule = None

    def step(self, run):
        if self.schedule is None:
            top = max(1, int(0.3 * run.steps))
            up = [(n + 1) / top for n in range(top)]
            rest = run.steps - top
            self.schedule = up + [(rest - n) / rest for n in range(rest)]
        return self.schedule[run.k] / float(run.L)


@step_rule(needs=("L",))
def polynomial(run):
    """Right: (1 - k/(K+1))^2 / L."""
    return (1 - run.k / (run.steps + 1)) ** 2 / float(run.L)
