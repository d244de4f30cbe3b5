"""Gradient descent on an L-smooth and mu-strongly convex function: every step contracts distance, gradient and gap."""

from boundcheck import Bound, Follows, Instance
from boundcheck.letters import Delta, L, Prod, delta, eta, grad, i, inner, k, larger, mu_f, normsq, x
from boundcheck.theorems.classical.notation import ONE_OVER_L, STRONGLY_CONVEX_GD
from boundcheck.theorems.classical.sources import (
    BUBECK_2015,
    DE_KLERK_GLINEUR_TAYLOR_2017,
    KARIMI_NUTINI_SCHMIDT_2016,
    NESTEROV_2004,
    TAYLOR_HENDRICKX_GLINEUR_2018,
)

# 2 / (L + mu) on quadratics with curvatures mu and L
BALANCED = (
    Instance(problem="quadratic-2d", method="constant(2/11)", steps=4),
    Instance(problem="balanced-1-3", method="constant(1/2)", steps=4),
    Instance(problem="quadratic-2-3", method="constant(2/5)", steps=4),
    Instance(problem="ill-conditioned-2d", method="constant(2/101)", steps=4),
)
SLOW = (Instance(problem="ill-conditioned-2d", method="1/L", steps=4),)  # mu / L = 1/100

# -- the best constant step: 2 / (L + mu) --------------------------------------------------------------------------------

BEST_STEP = Follows(eta[i] == 2 / (L + mu_f))
contraction = (L - mu_f) / (L + mu_f)  # (Q - 1) / (Q + 1) with Q = L / mu

short_steps = Bound(
    source=NESTEROV_2004.at("gd.sc-short-steps", "Theorem 2.1.15"),
    title="steps up to 2 / (L + mu): the distance contracts by 1 - 2 eta mu L / (L + mu), squared distances that is",
    given=(*STRONGLY_CONVEX_GD, eta[i] <= 2 / (L + mu_f)),
    states=Delta[k] <= Prod(1 - 2 * eta[i] * mu_f * L / (L + mu_f), i, 0, k - 1) * Delta[0],
    try_on=BALANCED,
)

best_step = Bound(
    source=NESTEROV_2004.at("gd.sc-best-step", "Theorem 2.1.15"),
    title="steps 2 / (L + mu): the distance contracts by (L - mu) / (L + mu)",
    given=(*STRONGLY_CONVEX_GD, BEST_STEP),
    states=Delta[k] <= (contraction**2) ** k * Delta[0],
    try_on=BALANCED,
)

best_step_by_values = Bound(
    source=NESTEROV_2004.at("gd.sc-best-step-values", "Theorem 2.1.15"),
    title="steps 2 / (L + mu): the gap, from the distance at x_0",
    given=(*STRONGLY_CONVEX_GD, BEST_STEP),
    states=delta[k] <= L / 2 * (contraction**2) ** k * Delta[0],
    try_on=(*BALANCED, Instance(problem="quadratic-4-5", method="constant(2/9)", steps=4)),  # x_0 lies along curvature L
)

# -- steps 1/L -----------------------------------------------------------------------------------------------------------

distance = Bound(
    source=BUBECK_2015.at("gd.sc-distance", "Theorem 3.10"),
    title="steps 1/L: squared distances contract by 1 - mu / L (the theorem rounds it up to exp(-mu / L))",
    given=(*STRONGLY_CONVEX_GD, ONE_OVER_L),
    states=Delta[k] <= (1 - mu_f / L) ** k * Delta[0],
    try_on=SLOW,
)

gap = Bound(
    source=KARIMI_NUTINI_SCHMIDT_2016.at("gd.sc-gap", "Theorem 1"),
    title="steps 1/L: the gap contracts by 1 - mu / L, on a strongly convex function; the theorem asks for less",
    given=(*STRONGLY_CONVEX_GD, ONE_OVER_L),
    states=delta[k] <= (1 - mu_f / L) ** k * delta[0],
    try_on=SLOW,
)

# -- any steps up to 2/L, exactly ----------------------------------------------------------------------------------------

UP_TO_TWO_OVER_L = (*STRONGLY_CONVEX_GD, eta[i] <= 2 / L)
factor = larger((1 - eta[k] * L) ** 2, (1 - eta[k] * mu_f) ** 2)

exact_distance = Bound(
    source=TAYLOR_HENDRICKX_GLINEUR_2018.at("gd.sc-exact-distance", "Theorem 3.1"),
    title="steps up to 2/L: one step contracts the distance by max(|1 - eta L|, |1 - eta mu|)",
    given=UP_TO_TWO_OVER_L,
    states=Delta[k + 1] <= factor * Delta[k],
)

exact_gradient = Bound(
    source=TAYLOR_HENDRICKX_GLINEUR_2018.at("gd.sc-exact-gradient", "3"),
    title="steps up to 2/L: one step contracts the gradient by max(|1 - eta L|, |1 - eta mu|)",
    given=UP_TO_TWO_OVER_L,
    states=normsq(grad(x[k + 1])) <= factor * normsq(grad(x[k])),
)

exact_gap = Bound(
    source=TAYLOR_HENDRICKX_GLINEUR_2018.at("gd.sc-exact-gap", "3"),
    title="steps up to 2/L: one step contracts the gap by max(|1 - eta L|, |1 - eta mu|)^2",
    given=UP_TO_TWO_OVER_L,
    states=delta[k + 1] <= factor * delta[k],
)

# -- exact line search ---------------------------------------------------------------------------------------------------

exact_line_search = Bound(
    source=DE_KLERK_GLINEUR_TAYLOR_2017.at("gd.sc-exact-line-search", "Theorem 1.2"),
    title="exact line search, which leaves the next gradient orthogonal: the gap contracts by ((L - mu) / (L + mu))^2",
    given=(*STRONGLY_CONVEX_GD, Follows(inner(grad(x[i + 1]), grad(x[i])) == 0)),
    states=delta[k + 1] <= contraction**2 * delta[k],
    try_on=(
        Instance(problem="quadratic-2d", method="cauchy", steps=4),  # x_0 = (L, mu): the worst start
        Instance(problem="balanced-1-3", method="cauchy", steps=4),
        Instance(problem="quadratic-2-3", method="cauchy", steps=4),
    ),
)
