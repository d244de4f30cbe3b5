"""Polyak's steps, by the distance and by the values: one step, for each effective step size."""

from boundcheck import Bound, Follows, GradientDescent, Parameter, Smooth, StronglyConvex
from boundcheck.letters import Delta, L, delta, eta, grad, i, k, mu_f, normsq, x
from boundcheck.theorems.performance_estimation.sources import BARRE_TAYLOR_ASPREMONT_2020

gamma = Parameter("gamma", latex=r"\gamma")  # how many times Polyak's step

distance = Bound(
    source=BARRE_TAYLOR_ASPREMONT_2020.at("polyak_steps_in_distance_to_optimum", "Proposition 1"),
    title="Polyak's steps eta |grad f|^2 = 2 (f - f*): the distance, by the step that is made",
    given=(
        StronglyConvex,
        Smooth,
        GradientDescent(),
        Follows(eta[i] == gamma * delta[i] / normsq(grad(x[i]))),
        gamma == 2,
        eta[i] >= 1 / L,
        eta[i] <= 1 / mu_f,
    ),
    states=Delta[k + 1] <= (eta[k] * L - 1) * (1 - eta[k] * mu_f) / (eta[k] * (L + mu_f) - 1) * Delta[k],
    try_with={"gamma": (2,)},
)

values = Bound(
    source=BARRE_TAYLOR_ASPREMONT_2020.at("polyak_steps_in_function_value", "Proposition 2"),
    title="Polyak's steps |grad f|^2 = 2 L (2 - L eta) (f - f*): the gap, by the step that is made",
    given=(
        StronglyConvex,
        Smooth,
        GradientDescent(),
        normsq(grad(x[i])) == 2 * L * (2 - L * eta[i]) * delta[i],
        eta[i] >= 1 / L,
        eta[i] <= (2 * L - mu_f) / L**2,
    ),
    states=delta[k + 1] <= (eta[k] * L - 1) * (L * eta[k] * (3 - eta[k] * (L + mu_f)) - 1) * delta[k],
)
