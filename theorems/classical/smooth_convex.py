"""Gradient descent on an L-smooth convex function: f(x_k) - f* falls as 1/k. The constants, from textbooks to the exact one."""

from boundcheck import Bound
from boundcheck.letters import Delta, Index, L, Scalar, delta, eta, grad, i, k, normsq, x
from boundcheck.theorems.classical.notation import CONVEX_GD, ONE_OVER_L
from boundcheck.theorems.classical.sources import BECK_TEBOULLE_2009, DRORI_TEBOULLE_2014, NESTEROV_2004, TAYLOR_BACH_2019

WITH_ONE_OVER_L = (*CONVEX_GD, ONE_OVER_L)

comes_closer = Bound(
    source=NESTEROV_2004.at("gd.comes-closer", "Theorem 2.1.14, in its proof"),
    title="steps up to 2/L come closer to every minimiser, by at least eta (2/L - eta) |grad f|^2",
    given=(*CONVEX_GD, eta[i] <= 2 / L),
    states=Delta[k + 1] <= Delta[k] - eta[k] * (2 / L - eta[k]) * normsq(grad(x[k])),
)

rate_by_values_and_distance = Bound(
    source=NESTEROV_2004.at("gd.rate-by-both", "Theorem 2.1.14"),
    title="steps 1/L: the gap at x_k, from the gap and the distance at x_0",
    given=WITH_ONE_OVER_L,
    states=delta[k] <= 2 * delta[0] * Delta[0] / (2 * Delta[0] + k * delta[0] / L),
)

rate_k_plus_4 = Bound(
    source=NESTEROV_2004.at("gd.rate-k-plus-4", "Corollary 2.1.2"),
    title="steps 1/L: the gap is at most 2 L |x_0 - x*|^2 / (k + 4)",
    given=WITH_ONE_OVER_L,
    states=delta[k] <= 2 * L * Delta[0] / (k + 4),
    loose_because="L Delta_0 / (4k + 2) will do (gd.rate): from k = 1 on the left side is at most 5/12 of the right",
)

rate_2k = Bound(
    source=BECK_TEBOULLE_2009.at("gd.rate-2k", "Theorem 3.1"),
    title="steps 1/L: the gap is at most L |x_0 - x*|^2 / (2k)",
    given=WITH_ONE_OVER_L,
    states=delta[k] <= L * Delta[0] / (2 * k),
    for_all=k >= 1,
    loose_because="L Delta_0 / (4k + 2) will do (gd.rate): the left side is less than 1/2 of the right",
)

rate = Bound(
    source=DRORI_TEBOULLE_2014.at("gd.rate", "Theorem 3.1"),
    title="steps 1/L: the gap is at most L |x_0 - x*|^2 / (4k + 2), and a Huber function attains it",
    given=WITH_ONE_OVER_L,
    states=delta[k] <= L * Delta[0] / (4 * k + 2),
)


def potential(n: Index) -> Scalar:
    return (2 * n + 1) * L * delta[n] + n * (n + 2) * normsq(grad(x[n])) + L**2 * Delta[n]


potential_decreases = Bound(
    source=TAYLOR_BACH_2019.at("gd.potential", "Theorem 3"),
    title="steps 1/L: a potential of gap, gradient and distance never grows",
    given=WITH_ONE_OVER_L,
    states=potential(k + 1) <= potential(k),
)
