"""Appendix B.1, the two forms of Nesterov's method: eq:estimating-seq-acceleration, and lemma:agd-equivalence line by line.

Equality of two points is stated as |difference|^2 = 0.
"""

from fractions import Fraction
from typing import Any

from boundcheck.bound import LEMMA, Bound, Instance
from boundcheck.hypotheses import THE_SAME_STEPS, By, Runs
from boundcheck.language.letters import eta, grad, k, mu_f, normsq, v, x, y
from boundcheck.language.relations import chain
from boundcheck.problem import Convex, Differentiable
from boundcheck.theorems.directional_smoothness.nesterov import (
    AGD,
    AGD_ANY_STEPS,
    ALPHA_0,
    ALPHA_0_POSITIVE,
    ESTIMATING,
    alpha,
    alpha0,
    gamma,
    root,
    square,
)
from boundcheck.theorems.directional_smoothness.notation import PAPER

FUNCTION = (Convex, Differentiable, gamma[0] > 0, ALPHA_0_POSITIVE)
GIVEN = (*FUNCTION, By(ESTIMATING))

# eta = 1, 2, 4 from alpha_0 = 1/2 on: alpha_k = 1/2, gamma_k = 2^{-k-1}
DOUBLED = Instance(problem="huber", method="given(1, 2, 4)", steps=3, parameters={"alpha0": Fraction(1, 2)})

# -- eq:estimating-seq-acceleration ------------------------------------------------------------------------------------------

alpha_squared = Bound(
    source=PAPER.at("eq:estimating-seq-acceleration", "B.1"),
    title="alpha_k solves its quadratic equation",
    given=GIVEN,
    states=alpha[k] ** 2 == eta[k] * (1 - alpha[k]) * gamma[k] + eta[k] * alpha[k] * mu_f,
    try_with=ALPHA_0,
)

convex_combination = Bound(
    source=PAPER.at("eq:estimating-seq-acceleration.convex-combination", "B.1"),
    title="y_k is a convex combination of x_k and v_k: the weights add up to one",
    given=GIVEN,
    states=(alpha[k] * gamma[k] + gamma[k + 1]) / (gamma[k] + alpha[k] * mu_f) == 1,
    try_with=ALPHA_0,
)

same_start = Bound(
    source=PAPER.at("eq:estimating-seq-acceleration.start", "B.1"),
    title="y_0 = x_0 = v_0",
    given=GIVEN,
    states=chain(normsq(y[0] - x[0]), "==", normsq(v[0] - x[0]), "==", 0),
    for_all=k >= 1,
    try_with=ALPHA_0,
)

# -- lemma:agd-equivalence: both forms with the same steps -------------------------------------------------------------------

BOTH_AS_PRINTED = (*FUNCTION, Runs.together({"": ESTIMATING, "momentum": AGD}, THE_SAME_STEPS))
BOTH_FOR_ANY_STEPS = (*FUNCTION, Runs.together({"": ESTIMATING, "momentum": AGD_ANY_STEPS}, THE_SAME_STEPS))
TRUE_MOMENTUM = "for steps that vary the momentum is alpha_k (1 - alpha_k) / (alpha_k^2 + alpha_{k+1} eta_k / eta_{k+1})"

equivalence = Bound(
    source=PAPER.at("lemma:agd-equivalence", "B.1"),
    title="the estimating and the momentum form of AGD give the same x_k",
    given=BOTH_AS_PRINTED,
    states=normsq(x[k] - x.of("momentum")[k]) == 0,
    try_with=ALPHA_0,
    refuted_by=DOUBLED,
)

equivalence_proved = equivalence.as_proved(because=TRUE_MOMENTUM, given=BOTH_FOR_ANY_STEPS)

equivalence_of_y = Bound(
    source=PAPER.at("lemma:agd-equivalence.y", "B.1"),
    title="the estimating and the momentum form of AGD give the same y_k",
    given=BOTH_AS_PRINTED,
    states=normsq(y[k] - y.of("momentum")[k]) == 0,
    try_with=ALPHA_0,
    refuted_by=DOUBLED,
)

equivalence_of_y_proved = equivalence_of_y.as_proved(because=TRUE_MOMENTUM, given=BOTH_FOR_ANY_STEPS)

equivalence_of_alpha = Bound(
    source=PAPER.at("lemma:agd-equivalence.alpha", "B.1"),
    title="the estimating and the momentum form of AGD give the same alpha_k",
    given=BOTH_AS_PRINTED,
    states=alpha[k] == alpha.of("momentum")[k],
    try_with=ALPHA_0,
)

eta_init = Bound(
    source=PAPER.at("eq:eta-init", "B.1"),
    title="alpha_0 from gamma_0",
    given=GIVEN,
    states=alpha0 == root(eta[0], gamma[0]),
    for_all=k >= 1,
    try_with=ALPHA_0,
)

# -- its proof: v_{k+1} ------------------------------------------------------------------------------------------------------


def from_v(*terms: tuple[Any, Any]) -> Any:
    """|v_{k+1} - (c_1 u_1 + c_2 u_2 + ...)|^2, where the c sum to one over the points."""
    return square((1, v[k + 1] - x[k]), *((-c, u) for c, u in terms))


Y, STEP = y[k] - x[k], grad(y[k])  # everything is measured from x_k
weighted = ((1 - alpha[k]) * gamma[k] / alpha[k] + mu_f) / gamma[k + 1]

v_expanded = Bound(
    source=PAPER.at("lemma:agd-equivalence.v", "B.1"),
    title="v_{k+1} in terms of y_k and x_k, then of x_{k+1} and x_k: four lines",
    given=GIVEN,
    states=chain(
        from_v(
            (((1 - alpha[k]) / alpha[k] * (gamma[k] + alpha[k] * mu_f) + alpha[k] * mu_f) / gamma[k + 1], Y),
            (-alpha[k] / gamma[k + 1], STEP),
        ),
        "==",
        from_v((weighted, Y), (-alpha[k] / gamma[k + 1], STEP)),
        "==",
        from_v((-eta[k] / alpha[k], STEP), (1 / alpha[k], Y)),
        "==",
        from_v((1 / alpha[k], x[k + 1] - x[k])),
        "==",
        0,
    ),
    try_with=ALPHA_0,
)

v_weights = Bound(
    source=PAPER.at("lemma:agd-equivalence.v-weights", "B.1"),
    reading=LEMMA,
    title="the weights of y_k and x_k in the first two of these lines add up to one",
    given=GIVEN,
    states=weighted - (1 - alpha[k]) / alpha[k] == 1,
    try_with=ALPHA_0,
)

# -- its proof: y_{k+1} ------------------------------------------------------------------------------------------------------

below = gamma[k + 1] + alpha[k + 1] * mu_f
X = x[k + 1] - x[k]
gamma_k2 = (1 - alpha[k + 1]) * gamma[k + 1] + alpha[k + 1] * mu_f


def from_y(weight_of_v: Any, weight_of_x: Any) -> Any:
    """|y_{k+1} - x_k - weight_of_v (v_{k+1} - x_k) - weight_of_x (x_{k+1} - x_k)|^2."""
    return square((1, y[k + 1] - x[k]), (-weight_of_v, v[k + 1] - x[k]), (-weight_of_x, X))


def moved(momentum: Any) -> Any:
    """|y_{k+1} - x_{k+1} - momentum (x_{k+1} - x_k)|^2."""
    return square((1, y[k + 1] - x[k + 1]), (-momentum, X))


momentum_4 = alpha[k + 1] * gamma[k + 1] * (1 - alpha[k]) / (alpha[k] * below)
numerator_3 = alpha[k + 1] * gamma[k + 1] + alpha[k] * (1 - alpha[k + 1]) * gamma[k + 1] + alpha[k] * alpha[k + 1] * mu_f

y_expanded = Bound(
    source=PAPER.at("lemma:agd-equivalence.y-lines-1-to-4", "B.1"),
    title="y_{k+1} in terms of v_{k+1} and x_{k+1}, then of x_{k+1} and x_k: four lines",
    given=GIVEN,
    states=chain(
        from_y(alpha[k + 1] * gamma[k + 1] / below, gamma[k + 2] / below),
        "==",
        square((1, y[k + 1] - x[k]), (-(alpha[k + 1] * gamma[k + 1] / alpha[k] + gamma[k + 2]) / below, X)),
        "==",
        square((1, y[k + 1] - x[k]), (-numerator_3 / (alpha[k] * below), X)),
        "==",
        moved(momentum_4),
        "==",
        0,
    ),
    try_with=ALPHA_0,
)


def momentum_5(step: Any) -> Any:
    """Line 5, with alpha_{k+1} mu put as alpha_{k+1}^2 / step - (1 - alpha_{k+1}) gamma_{k+1}."""
    bracket = gamma[k + 1] + alpha[k + 1] ** 2 / step - (1 - alpha[k + 1]) * gamma[k + 1]
    return alpha[k + 1] * gamma[k + 1] * (1 - alpha[k]) / (alpha[k] * bracket)


y_line_5 = Bound(
    source=PAPER.at("lemma:agd-equivalence.y-line-5", "B.1"),
    title="y_{k+1} expanded: alpha_{k+1} mu put in terms of alpha_{k+1}^2",
    given=GIVEN,
    states=moved(momentum_5(eta[k])) == 0,
    try_with=ALPHA_0,
    refuted_by=DOUBLED,
)

y_line_5_proved = y_line_5.as_proved(
    because="alpha_{k+1}^2 = eta_{k+1} gamma_{k+2}: the step is eta_{k+1}, not eta_k",
    states=moved(momentum_5(eta[k + 1])) == 0,
)

y_line_6 = Bound(
    source=PAPER.at("lemma:agd-equivalence.y-line-6", "B.1"),
    title="y_{k+1} expanded: the momentum of eq:agd",
    given=GIVEN,
    states=moved(alpha[k] * (1 - alpha[k]) / (alpha[k + 1] + alpha[k] ** 2)) == 0,
    try_with=ALPHA_0,
    refuted_by=DOUBLED,
)

y_line_6_proved = y_line_6.as_proved(
    because=TRUE_MOMENTUM,
    states=moved(alpha[k] * (1 - alpha[k]) / (alpha[k + 1] * (eta[k] / eta[k + 1]) + alpha[k] ** 2)) == 0,
)

# -- its proof: alpha_{k+1} --------------------------------------------------------------------------------------------------

gamma_from_alpha = Bound(
    source=PAPER.at("lemma:agd-equivalence.gamma", "B.1"),
    title="gamma_k from alpha_k",
    given=GIVEN,
    states=gamma[k] == alpha[k] ** 2 / eta[k],
    try_with=ALPHA_0,
    refuted_by=DOUBLED,
)

gamma_from_alpha_proved = gamma_from_alpha.as_proved(
    because="the first two lines of eq:estimating-seq-acceleration say alpha_k^2 = eta_k gamma_{k+1}",
    states=gamma[k + 1] == alpha[k] ** 2 / eta[k],
)

in_terms_of_alpha = eta[k + 1] / eta[k] * (1 - alpha[k + 1]) * alpha[k] ** 2 + eta[k + 1] * alpha[k + 1] * mu_f

next_alpha = Bound(
    source=PAPER.at("lemma:agd-equivalence.alpha-next", "B.1"),
    title="alpha_{k+1} from gamma, then from alpha_k as in eq:agd",
    given=GIVEN,
    states=chain(
        alpha[k + 1] ** 2,
        "==",
        eta[k + 1] * (1 - alpha[k + 1]) * gamma[k] + eta[k + 1] * alpha[k + 1] * mu_f,
        "==",
        in_terms_of_alpha,
    ),
    try_with=ALPHA_0,
    refuted_by=DOUBLED,
)

next_alpha_proved = next_alpha.as_proved(
    because="step k+1 of eq:estimating-seq-acceleration reads gamma_{k+1}",
    states=chain(
        alpha[k + 1] ** 2,
        "==",
        eta[k + 1] * (1 - alpha[k + 1]) * gamma[k + 1] + eta[k + 1] * alpha[k + 1] * mu_f,
        "==",
        in_terms_of_alpha,
    ),
)
