"""Wrong rules: state that leaks, chance, and what no rule may do. Each says its fault."""

import random
import time

import numpy as np

from boundcheck import step_rule

_SEEN = {}
_BEST = []
_CALLS = [0]


@step_rule(follows="1/L", needs=("L",))
def remembers_first_constant(run):
    """Fault: L of the first problem is kept for all."""
    _SEEN.setdefault("L", float(run.L))
    return 1 / _SEEN["L"]


@step_rule(needs=("infimum",))
def remembers_by_index(run):
    """Fault: steps are kept by k, and the next run gets those of the first."""
    if run.k not in _SEEN:
        _SEEN[run.k] = run.gap / run.grad_normsq
    return _SEEN[run.k]


class ClassState:
    """Fault: the step is kept in the class, and the next run begins where the last one ended."""

    eta = 0.05

    def step(self, run):
        if run.before is not None:
            ClassState.eta *= 1.02 if run.f < run.before.f else 0.5
        return ClassState.eta


class SharedList:
    """Fault: the largest curvature of all runs together, in a list of the class."""

    seen = []  # noqa: RUF012 (this is the mistake)

    def step(self, run):
        if run.before is not None:
            s, y = run.x - run.before.x, run.grad - run.before.grad
            if s @ s > 0:
                self.seen.append(float(np.sqrt((y @ y) / (s @ s))))
        return 1 / max(self.seen) if self.seen and max(self.seen) > 0 else 0.001


class DefaultArgument:
    """Fault: a list as a default argument, shared by all objects."""

    def __init__(self, past=[]):  # noqa: B006
        self.past = past

    def step(self, run):
        self.past.append(run.grad_normsq)
        return 1 / np.sqrt(sum(self.past))


def counts_calls(run):
    """Fault: it decays with the number of calls since the program began, not with k."""
    _CALLS[0] += 1
    return 0.1 / np.sqrt(_CALLS[0])


@step_rule(needs=("L",))
def keeps_the_smallest(run):
    """Fault: the smallest 1/L of all problems so far: only the order of problems tells."""
    _BEST.append(1 / float(run.L))
    return min(_BEST)


@step_rule(needs=("L",))
def rolls_dice(run):
    """Fault: random steps without a seed."""
    return random.uniform(0.1, 1.0) / float(run.L)


@step_rule(needs=("L",))
def reads_the_clock(run):
    """Fault: the clock decides."""
    return (0.5 + time.time() % 1 / 2) / float(run.L)


@step_rule(follows="1/L", needs=("L",))
def reads_the_minimiser(run):
    """Fault: reads x*, which nobody knows: |x - x*|^2 / <g, x - x*>."""
    away = run.x - np.array([float(v) for v in run.problem.minimiser.point])
    return (away @ away) / (run.grad @ away)


@step_rule(follows="polyak(1)", needs=("infimum",))
def writes_to_x(run):
    """Fault: it changes x in place."""
    run.x -= 0.1 * run.grad
    return run.gap / run.grad_normsq


@step_rule(follows="polyak(1)", needs=("infimum",))
def scales_the_gradient(run):
    """Fault: it normalises the gradient of the run in place."""
    g = run.grad
    g /= np.linalg.norm(g)
    return run.gap / (g @ g)


def array_of_steps(run):
    """Fault: a step for each coordinate."""
    return 1 / (1 + np.abs(run.grad))


def nothing(run):
    """Fault: the branch of the first step returns nothing."""
    if run.before is not None:
        return 0.01


def undefined_later(run):
    """Fault: it fails at step 7 with an IndexError."""
    table = [0.1, 0.1, 0.05, 0.05, 0.02, 0.02, 0.01]
    return table[run.k]
