"""Gradient descent on an L-smooth convex function: the last gradient falls as 1/k, and never grows."""

from boundcheck import Bound
from boundcheck.letters import Delta, L, delta, eta, grad, i, k, normsq, x
from boundcheck.theorems.classical.notation import CONVEX_GD, ONE_OVER_L
from boundcheck.theorems.classical.sources import (
    ROTARU_GLINEUR_PATRINOS_2024,
    TAYLOR_HENDRICKX_GLINEUR_2017,
    TAYLOR_HENDRICKX_GLINEUR_2018,
)

never_grows = Bound(
    source=TAYLOR_HENDRICKX_GLINEUR_2018.at("gd.gradient-never-grows", "3"),
    title="steps up to 2/L: the gradient never grows (the contraction of gradients with mu = 0)",
    given=(*CONVEX_GD, eta[i] <= 2 / L),
    states=normsq(grad(x[k + 1])) <= normsq(grad(x[k])),
)

last_gradient = Bound(
    source=TAYLOR_HENDRICKX_GLINEUR_2017.at("gd.last-gradient", "a conjecture there"),
    title="steps 1/L: the last gradient is at most L |x_0 - x*| / (k + 1), and a Huber function attains it",
    given=(*CONVEX_GD, ONE_OVER_L),
    states=normsq(grad(x[k])) <= L**2 * Delta[0] / (k + 1) ** 2,
)

last_gradient_by_values = Bound(
    source=ROTARU_GLINEUR_PATRINOS_2024.at("gd.last-gradient-by-values", "the convex case"),
    title="steps 1/L: the last gradient, from the gap at x_0; a Huber function attains it",
    given=(*CONVEX_GD, ONE_OVER_L),
    states=normsq(grad(x[k])) <= 2 * L * delta[0] / (2 * k + 1),
)
