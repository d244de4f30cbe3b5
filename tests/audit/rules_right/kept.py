"""Right rules: those with state, memory and long names. Each says why it is right."""

import functools

import numpy as np

from boundcheck import RunEnds, step_rule
from boundcheck.language.letters import L, delta, eta, f, grad, i, larger, normsq, smaller, sqrt, x


@functools.cache
def _schedule(steps):
    return tuple(1 / (n + 1) ** 0.5 for n in range(steps))


@step_rule(follows=eta[i] == 1 / (L * sqrt(i + 1)), needs=("L",))
def memoised_schedule(run):
    """Right: the schedule is kept between runs, by the number of steps on which alone it depends."""
    return _schedule(run.steps)[run.k] / float(run.L)


_CONSTANTS = {}


@step_rule(follows="1/L", needs=("L",))
def memoised_constant(run):
    """Right: 1/L kept by the problem's L itself, so no other problem gets it."""
    key = float(run.L)
    if key not in _CONSTANTS:
        _CONSTANTS[key] = 1 / key
    return _CONSTANTS[key]


class Counting:
    """Right: a counter of all runs in the class, which no step reads."""

    runs = 0
    needs = ("L",)
    follows = "1/L"

    def __init__(self):
        Counting.runs += 1

    def step(self, run):
        return 1 / float(run.L)


class Reset:
    """Right: its state is in the class, but set anew at k = 0 of each run."""

    eta = 0.01

    def step(self, run):
        cls = type(self)
        if run.k == 0:
            cls.eta = 0.01
        elif run.f < run.before.f:
            cls.eta *= 1.05
        else:
            cls.eta /= 2
        return cls.eta


class Seeded:
    """Right: random factors from a generator that is made with one seed for each run."""

    needs = ("L",)

    def __init__(self):
        self.rng = np.random.default_rng(0)

    def step(self, run):
        return self.rng.uniform(0.5, 1.5) / float(run.L)


@step_rule(follows=eta[i] == larger(smaller(delta[i] / normsq(grad(x[i])), 2), 1 / L), needs=("infimum", "L"))
def clipped_polyak(run):
    """Right: Polyak's step between 1/L and 2, and its formula says so."""
    return float(np.clip(run.gap / run.grad_normsq, 1 / float(run.L), 2.0))


@step_rule(follows=eta[i] <= 1 / L, needs=("L",))
def anything_below(run):
    """Right: declares eta <= 1/L only, and takes 0.3/L and 0.6/L in turn."""
    return (0.3, 0.6)[run.k % 2] / float(run.L)


@step_rule(follows=f(x[i + 1]) <= f(x[i]))
def merely_falling(run):
    """Right: declares only that f does not rise, and halves from 1 until that is so."""
    step = 1.0
    while run.f_at(run.x - step * run.grad) > run.f:
        step /= 2
        if step < 1e-60:
            raise RunEnds("f does not fall")
    return step


class LocalLipschitz:
    """Right: 1/(2 times the largest |y|/|s| seen in this run), from 0.001 on; the maximum is the object's own."""

    def __init__(self):
        self.most = 0.0

    def step(self, run):
        if run.before is not None:
            s = run.x - run.before.x
            y = run.grad - run.before.grad
            if s @ s > 0:
                self.most = max(self.most, float(np.sqrt((y @ y) / (s @ s))))
        return 1 / (2 * self.most) if self.most > 0 else 0.001
