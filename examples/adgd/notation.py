"""The notation: steps lambda_k are eta[k], theta_k = eta_k / eta_{k-1}, delta_k = f(x_k) - f*, Delta_k = |x_k - x*|^2."""

from typing import Any

from boundcheck import Convex, Differentiable, GradientDescent, Instance, Paper, read_places
from boundcheck.letters import Delta, delta, eta, grad, i, normsq, smaller, x

PAPER = Paper(
    name="adgd",
    title="Adaptive Gradient Descent without Descent",
    authors="Yura Malitsky, Konstantin Mishchenko",
    year=2020,
    places=read_places(__package__),
)

moved, turned = x[i] - x[i - 1], grad(x[i]) - grad(x[i - 1])
growth, local = (1 + eta[i - 1] / eta[i - 2]) * eta[i - 1] ** 2, normsq(moved) / (4 * normsq(turned))

CONVEX_GD = (Convex, Differentiable, GradientDescent())
RULE = (*CONVEX_GD, eta[i] ** 2 == smaller(growth, local))  # asked from i = 2 on, where both numbers are defined

slow_growth = eta[i] ** 2 <= growth
local_curvature = 4 * eta[i] ** 2 * normsq(turned) <= normsq(moved)

# where the two inequalities hold, and both sides can be computed exactly
SHORT_STEPS = (
    Instance(problem="ill-conditioned-2d", method="1/(2L)", steps=5),
    Instance(problem="ridge-2d", method="1/(2L)", steps=5),
    Instance(problem="huber", method="1/(2L)", steps=8),
    Instance(problem="parabola", method="adgd(1/1000)", steps=6),
    Instance(problem="asymmetric", method="adgd(1/10)", steps=6),
)

# where the rule's own steps are rational, from the second on
BY_THE_RULE = (
    Instance(problem="parabola", method="adgd(1/1000)", steps=6),
    Instance(problem="asymmetric", method="adgd(1/10)", steps=6),
    Instance(problem="flat-bottom", method="adgd(1/1000)", steps=6),
    Instance(problem="steep-then-flat", method="adgd(1/1000)", steps=6),
    Instance(problem="parabola", method="given(1/100, 3/100, 6/100)", steps=3),  # here the first number is the smaller
)


def theta(n: Any) -> Any:
    return eta[n] / eta[n - 1]


def energy(n: Any) -> Any:
    """|x_n - x*|^2 + |x_n - x_{n-1}|^2 / 2."""
    return Delta[n] + normsq(x[n] - x[n - 1]) / 2


def weight(n: Any) -> Any:
    """w_n = eta_n (1 + theta_n) - eta_{n+1} theta_{n+1}."""
    return eta[n] * (1 + theta(n)) - eta[n + 1] * theta(n + 1)


C = energy(1) + 2 * eta[1] * theta(1) * delta[0]
