"""Appendix B.1, lemma:lambda-convergence and the lines of its proof. eta_min is the smallest of eta_0, ..., eta_k."""

from fractions import Fraction

from boundcheck import Bound, By, Convex, Differentiable, Instance, Once, Smooth, StronglyConvex, chain
from boundcheck.letters import L, Min, Prod, Scalar, eta, i, k, mu_f, sqrt
from boundcheck.theorems.directional_smoothness.nesterov import (
    ALPHA_0,
    ALPHA_0_POSITIVE,
    ESTIMATING,
    ESTIMATING_SC,
    POSITIVE_ROOT,
    alpha,
    alpha0,
    curvature,
    gamma,
    lam,
)
from boundcheck.theorems.directional_smoothness.notation import PAPER

AT_MOST_1_OVER_MU = eta[i] * mu_f <= 1  # so that alpha_k is in (0, 1]
GIVEN = (Convex, Differentiable, By(ESTIMATING), gamma[0] > 0, ALPHA_0_POSITIVE, AT_MOST_1_OVER_MU)
FROM_MU = (StronglyConvex, Differentiable, By(ESTIMATING_SC), AT_MOST_1_OVER_MU)

# -- gamma_0 = mu ------------------------------------------------------------------------------------------------------------

lambda_sc = Bound(
    source=PAPER.at("eq:lambda-sc", "B.1"),
    title="from gamma_0 = mu > 0, lambda_k is the product of the 1 - sqrt(eta mu)",
    given=FROM_MU,
    states=lam[k] == Prod(1 - sqrt(eta[k] * mu_f), i, 0, k - 1),
    added=(
        r"$\alpha_k \in (0, 1]$ is written $\eta_k \mu \leq 1$, which says the same",
        r"$k \geq 1$: at $k = 0$ the product is empty",
    ),
    for_all=k >= 1,
    refuted_by=Instance(problem="asymmetric", method="given(1/4, 1/16)", steps=2),
)

lambda_sc_proved = lambda_sc.as_proved(
    because="the factor of step i has eta_i, not eta_k",
    states=lam[k] == Prod(1 - sqrt(eta[i] * mu_f), i, 0, k - 1),
    proof_sketch=(
        r"[lemma:lambda-convergence.alpha-squared] gives $\alpha_i^2 = \eta_i \mu$ for every $i$, and $\alpha_i > 0$, so "
        r"$\alpha_i = \sqrt{\eta_i \mu}$.",
        r"$\lambda_k$ is the product of the $1 - \alpha_i$ with $i < k$ [eq:estimating-sequences.lambda].",
    ),
)

gamma_stays_mu = Bound(
    source=PAPER.at("lemma:lambda-convergence.gamma-is-mu", "B.1"),
    title="from gamma_0 = mu on, gamma_k stays mu",
    given=FROM_MU,
    states=gamma[k] == mu_f,
    added=(r"$\alpha_k \in (0, 1]$ is written $\eta_k \mu \leq 1$, which says the same",),
)

alpha_from_mu = Bound(
    source=PAPER.at("lemma:lambda-convergence.alpha-squared", "B.1"),
    title="from gamma_0 = mu on, alpha_k^2 is eta_k mu",
    given=FROM_MU,
    states=chain(alpha[k] ** 2, "==", (1 - alpha[k]) * eta[k] * mu_f + alpha[k] * eta[k] * mu_f, "==", eta[k] * mu_f),
    added=(r"$\alpha_k \in (0, 1]$ is written $\eta_k \mu \leq 1$, which says the same",),
)

# -- gamma_0 > mu -----------------------------------------------------------------------------------------------------------

eta_min = Min(eta[i], i, 0, k)
ABOVE_MU = mu_f * eta[0] < alpha0**2  # alpha_0 > sqrt(mu eta_0), which says gamma_0 > mu
gamma_0 = curvature(alpha0, eta[0])
BELOW = Once(gamma_0 < mu_f + 3 / eta_min)
EQUAL_STEPS = (Instance(problem="huber", method="1/L", steps=41, arithmetic="auto"),)  # near equality as k grows, if mu = 0

lambda_convex = Bound(
    source=PAPER.at("eq:lambda-convex", "B.1"),
    title="lambda_k decreases as 1 / (k+1)^2",
    given=(*GIVEN, ABOVE_MU, BELOW),
    states=lam[k] <= 4 / (eta_min * (gamma[0] - mu_f) * (k + 1) ** 2),
    added=(
        POSITIVE_ROOT,
        r"$\alpha_k \in (0, 1]$ is written $\eta_k \mu \leq 1$, which says the same",
        r"$\eta_{\min}$ is the smallest of $\eta_0, \ldots, \eta_k$",
    ),
    try_with=ALPHA_0,
    try_on=EQUAL_STEPS,
)

lambda_convex_up_to_3L = Bound(
    source=PAPER.at("lemma:lambda-convergence.range", "B.1"),
    title="lambda_k decreases as 1 / (k+1)^2 for gamma_0 between mu and 3L + mu, as the proof begins",
    given=(*GIVEN, Smooth, ABOVE_MU, Once(gamma_0 < 3 * L + mu_f)),
    states=lam[k] <= 4 / (eta_min * (gamma[0] - mu_f) * (k + 1) ** 2),
    added=(
        POSITIVE_ROOT,
        r"$\alpha_k \in (0, 1]$ is written $\eta_k \mu \leq 1$, which says the same",
        "the bound of the lemma as the conclusion: the proof begins with this range, where the lemma has another",
    ),
    try_with=ALPHA_0,
    refuted_by=Instance(problem="huber", method="given(3/2)", steps=1, parameters={"alpha0": Fraction(5, 6)}),
)

lambda_convex_up_to_3_over_eta_min = lambda_convex_up_to_3L.as_proved(
    because="steps may be longer than 1/L, so 3L may be more than 3 / eta_min; it is the latter that makes lambda_0 = 1 obey",
    given=(*GIVEN, Smooth, ABOVE_MU, BELOW),
    try_on=EQUAL_STEPS,
    proof_sketch=(
        r"If some $\lambda_i$ with $i \leq k$ is $0$, so is $\lambda_k$. Else let $b_i = \lambda_i^{-1/2}$ and $s = "
        r"(\eta_{\min} (\gamma_0 - \mu))^{1/2}$.",
        "[lemma:lambda-convergence.roots] and [lemma:lambda-convergence.roots-at-least] give $2 b_{i+1} (b_{i+1} - b_i) "
        r"\geq b_{i+1} (\eta_{\min} \mu b_{i+1}^2 + s^2)^{1/2} \geq b_{i+1} s$ for $i < k$.",
        r"So $b_{i+1} \geq b_i + s / 2$, and $b_k \geq 1 + k s / 2$, as $\lambda_0 = 1$.",
        r"$\gamma_0 < \mu + 3 / \eta_{\min}$ says $s^2 < 3$, so $s / 2 < 1$ and $b_k \geq (k + 1) s / 2$: this is the "
        "bound.",
    ),
)

gamma_less_mu = Bound(
    source=PAPER.at("lemma:lambda-convergence.gamma", "B.1"),
    title="gamma_k - mu shrinks by 1 - alpha_k",
    given=GIVEN,
    states=chain(
        gamma[k + 1] - mu_f,
        "==",
        (1 - alpha[k]) * gamma[k] + (alpha[k] - 1) * mu_f,
        "==",
        (1 - alpha[k]) * (gamma[k] - mu_f),
    ),
    added=(
        POSITIVE_ROOT,
        r"$\alpha_k \in (0, 1]$ is written $\eta_k \mu \leq 1$, which says the same",
    ),
    try_with=ALPHA_0,
)

gamma_recursed = Bound(
    source=PAPER.at("lemma:lambda-convergence.gamma-recursed", "B.1"),
    title="gamma_{k+1} by recursion: gamma_0 - mu times the product of the 1 - alpha_i",
    given=GIVEN,
    states=chain(
        gamma[k + 1],
        "==",
        (gamma[0] - mu_f) * Prod(1 - alpha[k], i, 0, k),
        "==",
        lam[k + 1] * (gamma[0] - mu_f),
    ),
    added=(
        POSITIVE_ROOT,
        r"$\alpha_k \in (0, 1]$ is written $\eta_k \mu \leq 1$, which says the same",
    ),
    try_with=ALPHA_0,
    refuted_by=Instance(problem="parabola", method="given(1/4)", steps=1, parameters={"alpha0": Fraction(3, 4)}),
)

gamma_recursed_proved = gamma_recursed.as_proved(
    because="it is gamma_{k+1} - mu that was recursed on, and the factor of step i has alpha_i",
    states=chain(
        gamma[k + 1],
        "==",
        mu_f + (gamma[0] - mu_f) * Prod(1 - alpha[i], i, 0, k),
        "==",
        mu_f + lam[k + 1] * (gamma[0] - mu_f),
    ),
    proof_sketch=(
        r"[lemma:lambda-convergence.gamma] is $\gamma_{i+1} - \mu = (1 - \alpha_i) (\gamma_i - \mu)$ for each $i$.",
        r"Multiply these for $i = 0, \ldots, k$: $\gamma_{k+1} - \mu$ is $\gamma_0 - \mu$ times the product of the $1 - "
        r"\alpha_i$.",
        r"That product is $\lambda_{k+1}$ [eq:estimating-sequences.lambda].",
    ),
)

gamma_recursed_without_mu = gamma_recursed_proved.without(
    "mu",
    because="without + mu, as printed",
    states=chain(
        gamma[k + 1],
        "==",
        (gamma[0] - mu_f) * Prod(1 - alpha[i], i, 0, k),
        "==",
        lam[k + 1] * (gamma[0] - mu_f),
    ),
    refuted_by=Instance(problem="parabola", method="given(1/4)", steps=1, parameters={"alpha0": Fraction(3, 4)}),
)

gamma_recursed_without_index = gamma_recursed_proved.without(
    "index",
    because="with alpha_k in every factor, as printed",
    states=chain(
        gamma[k + 1],
        "==",
        mu_f + (gamma[0] - mu_f) * Prod(1 - alpha[k], i, 0, k),
        "==",
        mu_f + lam[k + 1] * (gamma[0] - mu_f),
    ),
    refuted_by=Instance(problem="huber", method="given(9/4, 12)", steps=2, parameters={"alpha0": Fraction(1, 2)}),
)

lambda_zero = Bound(
    source=PAPER.at("lemma:lambda-convergence.zero", "B.1"),
    title="where alpha_k is 1, lambda_{k+1} is 0",
    given=(*FROM_MU, alpha[i] == 1),
    states=lam[k + 1] == 0,
    added=(
        r"$\alpha_k \in (0, 1]$ is written $\eta_k \mu \leq 1$, which says the same",
        r"$\gamma_0 = \mu > 0$, where $\alpha_k = 1$ says $\eta_k = 1 / \mu$",
    ),
    try_on=tuple(
        Instance(problem=name, method="1/L", steps=3) for name in ("parabola", "half-square", "isotropic-4d")
    ),  # mu is L
    loose_because="an equation between two zeros: it holds exactly or not at all, and no ratio measures it",
)

step_from_alpha = Bound(
    source=PAPER.at("lemma:lambda-convergence.step", "B.1"),
    title="alpha_k^2 / gamma_{k+1} is eta_k",
    given=GIVEN,
    states=alpha[k] ** 2 / gamma[k + 1] == eta[k],
    added=(
        POSITIVE_ROOT,
        r"$\alpha_k \in (0, 1]$ is written $\eta_k \mu \leq 1$, which says the same",
    ),
    try_with=ALPHA_0,
)

lambda_ratio = Bound(
    source=PAPER.at("lemma:lambda-convergence.ratio", "B.1"),
    title="1 - lambda_{k+1} / lambda_k, which is alpha_k, in three ways",
    given=GIVEN,
    states=chain(
        1 - lam[k + 1] / lam[k],
        "==",
        alpha[k],
        "==",
        sqrt(gamma[k + 1] * eta[k]),
        "==",
        sqrt(eta[k] * mu_f + eta[k] * lam[k + 1] * (gamma[0] - mu_f)),
    ),
    added=(
        POSITIVE_ROOT,
        r"$\alpha_k \in (0, 1]$ is written $\eta_k \mu \leq 1$, which says the same",
    ),
    try_with=ALPHA_0,
)


def increase(step: Scalar) -> Scalar:
    return 1 / sqrt(lam[k + 1]) * sqrt(step * mu_f / lam[k + 1] + step * (gamma[0] - mu_f))


lambda_difference = Bound(
    source=PAPER.at("lemma:lambda-convergence.difference", "B.1"),
    title="how much 1 / lambda_k grows in step k",
    given=(*GIVEN, ABOVE_MU),
    states=1 / lam[k + 1] - 1 / lam[k] == increase(eta[k]),
    added=(
        POSITIVE_ROOT,
        r"$\alpha_k \in (0, 1]$ is written $\eta_k \mu \leq 1$, which says the same",
        r"$\gamma_0 > \mu$, written $\alpha_0^2 > \mu \eta_0$",
    ),
    try_with=ALPHA_0,
)

lambda_difference_at_least = Bound(
    source=PAPER.at("lemma:lambda-convergence.difference-at-least", "B.1"),
    title="1 / lambda_k grows in step k by at least what the smallest step, eta_min, gives",
    given=(*GIVEN, ABOVE_MU),
    states=1 / lam[k + 1] - 1 / lam[k] >= increase(eta_min),
    added=(
        POSITIVE_ROOT,
        r"$\alpha_k \in (0, 1]$ is written $\eta_k \mu \leq 1$, which says the same",
        r"$\gamma_0 > \mu$, written $\alpha_0^2 > \mu \eta_0$",
    ),
    try_with=ALPHA_0,
)

root_now, root_next = 1 / sqrt(lam[k]), 1 / sqrt(lam[k + 1])

lambda_roots = Bound(
    source=PAPER.at("lemma:lambda-convergence.roots", "B.1"),
    title="the growth of 1 / lambda_k bounds that of lambda_k^{-1/2}, since a^2 - b^2 <= 2 a (a - b)",
    given=(*GIVEN, ABOVE_MU),
    states=2 * root_next * (root_next - root_now) >= (root_next - root_now) * (root_next + root_now),
    added=(
        POSITIVE_ROOT,
        r"$\alpha_k \in (0, 1]$ is written $\eta_k \mu \leq 1$, which says the same",
        r"$\gamma_0 > \mu$, written $\alpha_0^2 > \mu \eta_0$",
    ),
    try_with=ALPHA_0,
)

lambda_roots_at_least = Bound(
    source=PAPER.at("lemma:lambda-convergence.roots-at-least", "B.1"),
    title="(a - b) (a + b), with a and b the roots of 1 / lambda_{k+1} and 1 / lambda_k, is at least what eta_min gives",
    given=(*GIVEN, ABOVE_MU),
    states=(root_next - root_now) * (root_next + root_now) >= increase(eta_min),
    added=(
        POSITIVE_ROOT,
        r"$\alpha_k \in (0, 1]$ is written $\eta_k \mu \leq 1$, which says the same",
        r"$\gamma_0 > \mu$, written $\alpha_0^2 > \mu \eta_0$",
    ),
    try_with=ALPHA_0,
    try_on=(Instance(problem="huber", method="given(1, 11/10, 6/5)", steps=3, arithmetic="auto"),),  # equal steps: equality
)
