"""Adaptive gradient descent (AdGD), Algorithm 1 of its paper, with theta_k = eta_k / eta_{k-1}.

eta_k = min(sqrt(1 + theta_{k-1}) eta_{k-1}, |x_k - x_{k-1}| / (2 |grad f(x_k) - grad f(x_{k-1})|)). The paper begins with
theta_0 infinite; the formula is read here from step 2 on, where both terms are finite, and sums begin there. The readings
`proved` assume no more than the proofs do, two inequalities, and begin at step 1 as the paper does.
"""

from boundcheck import Bound, Convex, Differentiable, Follows, GradientDescent, Instance, Smooth
from boundcheck.letters import Delta, Index, L, Scalar, Sum, delta, eta, grad, i, k, norm, normsq, smaller, sqrt, x
from boundcheck.theorems.classical.sources import MALITSKY_MISHCHENKO_2020 as PAPER

moved, turned = x[i] - x[i - 1], grad(x[i]) - grad(x[i - 1])
growth, local = sqrt(1 + eta[i - 1] / eta[i - 2]) * eta[i - 1], norm(moved) / (2 * norm(turned))
CONVEX_GD = (Convex, Differentiable, GradientDescent())
ADGD = (*CONVEX_GD, Follows(eta[i] == smaller(growth, local)))

slow_growth = eta[i] ** 2 <= (1 + eta[i - 1] / eta[i - 2]) * eta[i - 1] ** 2
local_curvature = 4 * eta[i] ** 2 * normsq(turned) <= normsq(moved)
TWO_RULES = (*CONVEX_GD, slow_growth, local_curvature)
TWO_RULES_SUFFICE = (
    "the proof uses the formula through two inequalities only: steps grow slowly, and do not overstep the curvature"
)

# mu / L = 1/100: the slow direction hardly moves
SLOW = (Instance(problem="ill-conditioned-2d", method="adgd(1/1000)", steps=8, arithmetic="auto"),)
SHORT_STEPS = (
    Instance(problem="ill-conditioned-2d", method="1/(2L)", steps=5),
    Instance(problem="ridge-2d", method="1/(2L)", steps=5),
    Instance(problem="huber", method="1/(2L)", steps=8),
    Instance(problem="parabola", method="adgd(1/1000)", steps=6),
    Instance(problem="asymmetric", method="adgd(1/10)", steps=6),
)


def theta(n: Index | int) -> Scalar:
    return eta[n] / eta[n - 1]


def distance(n: Index | int) -> Scalar:
    """|x_n - x*|^2 + |x_n - x_{n-1}|^2 / 2."""
    return Delta[n] + normsq(x[n] - x[n - 1]) / 2


def D_from(n: Index | int) -> Scalar:
    """The constant of Theorem 1, where sums begin at n; in the paper n = 1."""
    return distance(n) + 2 * eta[n] * theta(n) * delta[n - 1]


def weight(n: Index | int) -> Scalar:
    """w_n = eta_n (1 + theta_n) - eta_{n+1} theta_{n+1}."""
    return eta[n] * (1 + theta(n)) - eta[n + 1] * theta(n + 1)


def weighted_gaps(n: Index | int) -> Scalar:
    return eta[k] * (1 + theta(k)) * delta[k] + Sum(weight(i) * delta[i], i, n, k - 1)


one_step = Bound(
    source=PAPER.at("adgd.one-step", "Lemma 1"),
    title="AdGD: what one step gains, in distance and in values",
    given=ADGD,
    states=distance(k + 1) + 2 * eta[k] * (1 + theta(k)) * delta[k] <= distance(k) + 2 * eta[k] * theta(k) * delta[k - 1],
    for_all=k >= 2,
)

one_step_proved = one_step.as_proved(
    because="the proof of the lemma uses that steps do not overstep the curvature, and nothing else of the formula",
    given=(*CONVEX_GD, local_curvature),
    for_all=k >= 1,
    try_on=SHORT_STEPS,
)

weights = Bound(
    source=PAPER.at("adgd.weights", "Theorem 1, in its proof"),
    title="AdGD: since steps grow slowly, no weight eta_k (1 + theta_k) - eta_{k+1} theta_{k+1} is negative",
    given=ADGD,
    states=eta[k + 1] * theta(k + 1) <= eta[k] * (1 + theta(k)),
    for_all=k >= 1,
)

bounded = Bound(
    source=PAPER.at("adgd.bounded", "Theorem 1, in its proof"),
    title="AdGD: the iterates stay bounded",
    given=ADGD,
    states=distance(k) <= D_from(2),
    for_all=k >= 3,
    try_on=SLOW,
)

bounded_proved = bounded.as_proved(
    because=TWO_RULES_SUFFICE, given=TWO_RULES, states=distance(k) <= D_from(1), for_all=k >= 2, try_on=SHORT_STEPS
)

rate = Bound(
    source=PAPER.at("adgd.rate", "Theorem 1, in its proof"),
    title="AdGD: the weighted sum of gaps, by convexity a bound on the gap at their weighted mean: D / (2 S_k), D the right side",
    given=ADGD,
    states=distance(k + 1) + 2 * weighted_gaps(2) <= D_from(2),
    for_all=k >= 3,
    try_on=SLOW,
)

rate_proved = rate.as_proved(
    because=TWO_RULES_SUFFICE,
    given=TWO_RULES,
    states=distance(k + 1) + 2 * weighted_gaps(1) <= D_from(1),
    for_all=k >= 2,
    try_on=SHORT_STEPS,
)

steps_do_not_vanish = Bound(
    source=PAPER.at("adgd.steps", "Theorem 1, in its proof"),
    title="AdGD on an L-smooth function: with eta_1 at least 1/(2L), so is every step",
    given=(*ADGD, Smooth, eta[1] >= 1 / (2 * L)),
    states=eta[k] >= 1 / (2 * L),
    for_all=k >= 2,
)
