"""Rules that give no step."""

import numpy as np


def nan(run):
    return float("nan") if run.k == 3 else 0.01


def negative(run):
    return -0.01


def shape(run):
    return np.ones(3)


def raises(run):
    return 1 / 0


def mutates(run):
    run.x[0] = 0.0
    return 0.01


def forever(run):
    while True:
        pass
