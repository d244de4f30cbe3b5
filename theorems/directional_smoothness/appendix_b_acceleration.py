"""Appendix B.1, the two forms of Nesterov's method: eq:estimating-seq-acceleration, and lemma:agd-equivalence line by line.

Equality of two points is stated as |difference|^2 = 0.
"""

from fractions import Fraction

from boundcheck import Bound, By, Convex, Differentiable, Instance, Runs, chain
from boundcheck.letters import Scalar, Vector, eta, grad, k, mu_f, normsq, v, x, y
from boundcheck.theorems.directional_smoothness.nesterov import (
    AGD,
    AGD_ANY_STEPS,
    ALPHA_0,
    ALPHA_0_POSITIVE,
    ESTIMATING,
    POSITIVE_ROOT,
    alpha,
    alpha0,
    gamma,
    root,
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
    added=(POSITIVE_ROOT,),
    try_with=ALPHA_0,
)

convex_combination = Bound(
    source=PAPER.at("eq:estimating-seq-acceleration.convex-combination", "B.1"),
    title="y_k is a convex combination of x_k and v_k: the weights add up to one",
    given=GIVEN,
    states=(alpha[k] * gamma[k] + gamma[k + 1]) / (gamma[k] + alpha[k] * mu_f) == 1,
    added=(POSITIVE_ROOT,),
    try_with=ALPHA_0,
)

same_start = Bound(
    source=PAPER.at("eq:estimating-seq-acceleration.start", "B.1"),
    title="y_0 = x_0 = v_0",
    given=GIVEN,
    states=chain(normsq(y[0] - x[0]), "==", normsq(v[0] - x[0]), "==", 0),
    added=(POSITIVE_ROOT,),
    for_all=k >= 1,
    try_with=ALPHA_0,
)

# -- lemma:agd-equivalence: both forms with the same steps -------------------------------------------------------------------

BOTH_AS_PRINTED = (*FUNCTION, Runs.together({"": ESTIMATING, "momentum": AGD}, "the same steps"))
BOTH_FOR_ANY_STEPS = (*FUNCTION, Runs.together({"": ESTIMATING, "momentum": AGD_ANY_STEPS}, "the same steps"))
TRUE_MOMENTUM = "for steps that vary the momentum is alpha_k (1 - alpha_k) / (alpha_k^2 + alpha_{k+1} eta_k / eta_{k+1})"

equivalence = Bound(
    source=PAPER.at("lemma:agd-equivalence", "B.1"),
    title="the estimating and the momentum form of AGD give the same x_k",
    given=BOTH_AS_PRINTED,
    states=normsq(x[k] - x.of("momentum")[k]) == 0,
    added=(POSITIVE_ROOT,),
    try_with=ALPHA_0,
    refuted_by=DOUBLED,
)

equivalence_proved = equivalence.as_proved(
    because=TRUE_MOMENTUM,
    given=BOTH_FOR_ANY_STEPS,
    proof_sketch=(
        "Induction on $k$. Both forms begin with $y_0 = x_0$ [eq:estimating-seq-acceleration.start], and have the same "
        r"$\alpha_0$ by [eq:eta-init].",
        r"If $\alpha_k$ agrees, $\alpha_{k+1}$ is in both forms the positive root of the equation of "
        "[lemma:agd-equivalence.alpha-next@proved].",
        r"If $x_k$, $x_{k+1}$, $\alpha_k$ and $\alpha_{k+1}$ agree, so does $y_{k+1}$: "
        r"[lemma:agd-equivalence.y-line-6@proved] is the momentum step with $\alpha_{k+1} \eta_k / \eta_{k+1}$ below.",
        r"Then $x_{k+2} = y_{k+1} - \eta_{k+1} \nabla f(y_{k+1})$ agrees, the steps being the same.",
    ),
)

equivalence_of_y = Bound(
    source=PAPER.at("lemma:agd-equivalence.y", "B.1"),
    title="the estimating and the momentum form of AGD give the same y_k",
    given=BOTH_AS_PRINTED,
    states=normsq(y[k] - y.of("momentum")[k]) == 0,
    added=(POSITIVE_ROOT,),
    try_with=ALPHA_0,
    refuted_by=DOUBLED,
)

equivalence_of_y_proved = equivalence_of_y.as_proved(
    because=TRUE_MOMENTUM,
    given=BOTH_FOR_ANY_STEPS,
    proof_sketch=(
        "Both forms begin with $y_0 = x_0$ [eq:estimating-seq-acceleration.start].",
        "By [lemma:agd-equivalence@proved] they have the same $x_k$ and $x_{k+1}$, and by [lemma:agd-equivalence.alpha] "
        r"the same $\alpha_k$ and $\alpha_{k+1}$.",
        "[lemma:agd-equivalence.y-line-6@proved] gives the $y_{k+1}$ of the estimating form from these, as the momentum "
        "form does.",
    ),
)

equivalence_of_alpha = Bound(
    source=PAPER.at("lemma:agd-equivalence.alpha", "B.1"),
    title="the estimating and the momentum form of AGD give the same alpha_k",
    given=BOTH_AS_PRINTED,
    states=alpha[k] == alpha.of("momentum")[k],
    added=(POSITIVE_ROOT,),
    try_with=ALPHA_0,
)

eta_init = Bound(
    source=PAPER.at("eq:eta-init", "B.1"),
    title="alpha_0 from gamma_0",
    given=GIVEN,
    states=alpha0 == root(eta[0], gamma[0]),
    added=(POSITIVE_ROOT,),
    for_all=k >= 1,
    try_with=ALPHA_0,
)

# -- its proof: v_{k+1} ------------------------------------------------------------------------------------------------------


def from_v(expanded: Vector) -> Scalar:
    """|v_{k+1} - expanded|^2, which is 0 where a line is right."""
    return normsq(v[k + 1] - expanded)


v_line_1 = (
    1
    / gamma[k + 1]
    * (
        (1 - alpha[k]) / alpha[k] * ((gamma[k] + alpha[k] * mu_f) * y[k] - gamma[k + 1] * x[k])
        + alpha[k] * mu_f * y[k]
        - alpha[k] * grad(y[k])
    )
)
v_line_2 = (
    1 / gamma[k + 1] * ((1 - alpha[k]) * gamma[k] / alpha[k] * y[k] + mu_f * y[k])
    - (1 - alpha[k]) / alpha[k] * x[k]
    - alpha[k] / gamma[k + 1] * grad(y[k])
)
v_line_3 = x[k] - eta[k] / alpha[k] * grad(y[k]) + 1 / alpha[k] * (y[k] - x[k])
v_line_4 = x[k] + 1 / alpha[k] * (x[k + 1] - x[k])

v_expanded = Bound(
    source=PAPER.at("lemma:agd-equivalence.v", "B.1"),
    title="v_{k+1} in terms of y_k and x_k, then of x_{k+1} and x_k: four lines",
    given=GIVEN,
    states=chain(from_v(v_line_1), "==", from_v(v_line_2), "==", from_v(v_line_3), "==", from_v(v_line_4), "==", 0),
    added=(POSITIVE_ROOT,),
    try_with=ALPHA_0,
)

v_weights = Bound(
    source=PAPER.at("lemma:agd-equivalence.v-weights", "B.1"),
    reading="lemma",
    title="the weights of y_k and x_k in the first two of these lines add up to one",
    given=GIVEN,
    states=((1 - alpha[k]) * gamma[k] / alpha[k] + mu_f) / gamma[k + 1] - (1 - alpha[k]) / alpha[k] == 1,
    try_with=ALPHA_0,
)

# -- its proof: y_{k+1} ------------------------------------------------------------------------------------------------------


def from_y(expanded: Vector) -> Scalar:
    """|y_{k+1} - expanded|^2, which is 0 where a line is right."""
    return normsq(y[k + 1] - expanded)


def moved(momentum: Scalar) -> Scalar:
    """|y_{k+1} - x_{k+1} - momentum (x_{k+1} - x_k)|^2."""
    return from_y(x[k + 1] + momentum * (x[k + 1] - x[k]))


below = gamma[k + 1] + alpha[k + 1] * mu_f
numerator_3 = alpha[k + 1] * gamma[k + 1] + alpha[k] * (1 - alpha[k + 1]) * gamma[k + 1] + alpha[k] * alpha[k + 1] * mu_f
momentum_4 = alpha[k + 1] * gamma[k + 1] * (1 - alpha[k]) / (alpha[k] * below)
y_line_1 = 1 / below * (alpha[k + 1] * gamma[k + 1] * v[k + 1] + gamma[k + 2] * x[k + 1])
y_line_2 = 1 / below * (alpha[k + 1] * gamma[k + 1] * v_line_4 + gamma[k + 2] * x[k + 1])
y_line_3 = numerator_3 / (alpha[k] * below) * x[k + 1] - momentum_4 * x[k]

y_expanded = Bound(
    source=PAPER.at("lemma:agd-equivalence.y-lines-1-to-4", "B.1"),
    title="y_{k+1} in terms of v_{k+1} and x_{k+1}, then of x_{k+1} and x_k: four lines",
    given=GIVEN,
    states=chain(from_y(y_line_1), "==", from_y(y_line_2), "==", from_y(y_line_3), "==", moved(momentum_4), "==", 0),
    added=(
        POSITIVE_ROOT,
        r"$\gamma_{k_1}$ in line 3 is read as $\gamma_{k+1}$",
    ),
    try_with=ALPHA_0,
)


def momentum_5(step: Scalar) -> Scalar:
    """Line 5, with alpha_{k+1} mu put as alpha_{k+1}^2 / step - (1 - alpha_{k+1}) gamma_{k+1}."""
    bracket = gamma[k + 1] + alpha[k + 1] ** 2 / step - (1 - alpha[k + 1]) * gamma[k + 1]
    return alpha[k + 1] * gamma[k + 1] * (1 - alpha[k]) / (alpha[k] * bracket)


y_line_5 = Bound(
    source=PAPER.at("lemma:agd-equivalence.y-line-5", "B.1"),
    title="y_{k+1} expanded: alpha_{k+1} mu put in terms of alpha_{k+1}^2",
    given=GIVEN,
    states=moved(momentum_5(eta[k])) == 0,
    added=(POSITIVE_ROOT,),
    try_with=ALPHA_0,
    refuted_by=DOUBLED,
)

y_line_5_proved = y_line_5.as_proved(
    because="alpha_{k+1}^2 = eta_{k+1} gamma_{k+2}: the step is eta_{k+1}, not eta_k",
    states=moved(momentum_5(eta[k + 1])) == 0,
    proof_sketch=(
        r"Line 4 of [lemma:agd-equivalence.y-lines-1-to-4] has $\gamma_{k+1} + \alpha_{k+1} \mu$ in the denominator.",
        r"Step $k + 1$ of [eq:estimating-seq-acceleration] is $\alpha_{k+1}^2 = \eta_{k+1} ((1 - \alpha_{k+1}) "
        r"\gamma_{k+1} + \alpha_{k+1} \mu)$.",
        r"So $\alpha_{k+1} \mu = \alpha_{k+1}^2 / \eta_{k+1} - (1 - \alpha_{k+1}) \gamma_{k+1}$, which is put in.",
    ),
)

y_line_6 = Bound(
    source=PAPER.at("lemma:agd-equivalence.y-line-6", "B.1"),
    title="y_{k+1} expanded: the momentum of eq:agd",
    given=GIVEN,
    states=moved(alpha[k] * (1 - alpha[k]) / (alpha[k + 1] + alpha[k] ** 2)) == 0,
    added=(POSITIVE_ROOT,),
    try_with=ALPHA_0,
    refuted_by=DOUBLED,
)

y_line_6_proved = y_line_6.as_proved(
    because=TRUE_MOMENTUM,
    states=moved(alpha[k] * (1 - alpha[k]) / (alpha[k + 1] * (eta[k] / eta[k + 1]) + alpha[k] ** 2)) == 0,
    proof_sketch=(
        r"The bracket in [lemma:agd-equivalence.y-line-5@proved] is $\alpha_{k+1} \gamma_{k+1} + \alpha_{k+1}^2 / "
        r"\eta_{k+1}$.",
        r"Divide above and below by $\alpha_{k+1}$: the momentum is $\gamma_{k+1} (1 - \alpha_k) / (\alpha_k (\gamma_{k+1} "
        r"+ \alpha_{k+1} / \eta_{k+1}))$.",
        r"Put in $\gamma_{k+1} = \alpha_k^2 / \eta_k$ [lemma:agd-equivalence.gamma@proved] and multiply above and below by "
        r"$\eta_k / \alpha_k$.",
    ),
)

# -- its proof: alpha_{k+1} --------------------------------------------------------------------------------------------------

gamma_from_alpha = Bound(
    source=PAPER.at("lemma:agd-equivalence.gamma", "B.1"),
    title="gamma_k from alpha_k",
    given=GIVEN,
    states=gamma[k] == alpha[k] ** 2 / eta[k],
    added=(POSITIVE_ROOT,),
    try_with=ALPHA_0,
    refuted_by=DOUBLED,
)

gamma_from_alpha_proved = gamma_from_alpha.as_proved(
    because="the first two lines of eq:estimating-seq-acceleration say alpha_k^2 = eta_k gamma_{k+1}",
    states=gamma[k + 1] == alpha[k] ** 2 / eta[k],
    proof_sketch=(
        r"The first line of [eq:estimating-seq-acceleration] is $\alpha_k^2 = \eta_k ((1 - \alpha_k) \gamma_k + \alpha_k "
        r"\mu)$.",
        r"By the second line the bracket is $\gamma_{k+1}$.",
    ),
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
    added=(POSITIVE_ROOT,),
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
    proof_sketch=(
        "The first equation is the first line of [eq:estimating-seq-acceleration] at $k + 1$.",
        r"The second puts in $\gamma_{k+1} = \alpha_k^2 / \eta_k$ [lemma:agd-equivalence.gamma@proved].",
    ),
)
