"""Appendix B.1, lemma:valid-sequences: alpha_k is in (0, 1], and whether lambda_k tends to 0.

eta_k <= 1 / mu is written eta_k mu <= 1, which mu = 0 always allows.
"""

from fractions import Fraction

from boundcheck import Bound, By, Convex, Differentiable, Instance, StronglyConvex, Through
from boundcheck.letters import Sum, eta, i, k, mu_f, sqrt, tends
from boundcheck.theorems.directional_smoothness.nesterov import (
    ALPHA_0,
    ALPHA_0_POSITIVE,
    C_0,
    C_0_POSITIVE,
    ESTIMATING,
    ESTIMATING_C0,
    ESTIMATING_SC,
    POSITIVE_ROOT,
    alpha,
    gamma,
    lam,
)
from boundcheck.theorems.directional_smoothness.notation import PAPER

FUNCTION = (Convex, Differentiable)
STRONGLY_CONVEX = (StronglyConvex, Differentiable)
AT_MOST_1_OVER_MU = eta[i] * mu_f <= 1
GIVEN = (*FUNCTION, By(ESTIMATING), gamma[0] > 0, ALPHA_0_POSITIVE, AT_MOST_1_OVER_MU)
FROM_MU = (*STRONGLY_CONVEX, By(ESTIMATING_SC), AT_MOST_1_OVER_MU)
FROM_C0 = (*FUNCTION, By(ESTIMATING_C0), C_0_POSITIVE, AT_MOST_1_OVER_MU)  # gamma_0 > mu whatever eta_0 is

quadratic_formula = Bound(
    source=PAPER.at("lemma:valid-sequences.alpha", "B.1"),
    title="alpha_k by the quadratic formula, with gamma_k for the undefined hat gamma_k and + for +-",
    given=GIVEN,
    states=alpha[k] == ((mu_f - gamma[k]) + sqrt((mu_f - gamma[k]) ** 2 + 4 * gamma[k] / eta[k])) / (2 / eta[k]),
    added=(
        POSITIVE_ROOT,
        r"$\gamma_k$ for $\hat \gamma_k$, which is not defined, and $+$ for $\pm$",
    ),
    try_with=ALPHA_0,
)

alpha_positive = Bound(
    source=PAPER.at("lemma:valid-sequences.positive", "B.1"),
    title="alpha_k is positive",
    given=(*FUNCTION, By(ESTIMATING_C0), C_0_POSITIVE),
    states=alpha[k] > 0,
    added=(r"$\gamma_0 > \mu$, where the paper has $\gamma_0 > 0$",),
    try_with=C_0,
    loose_because="the right side is 0 and the left side is positive",
)

alpha_at_most_1 = Bound(
    source=PAPER.at("lemma:valid-sequences.at-most-1", "B.1"),
    title="alpha_k is at most 1 if eta_k is at most 1 / mu",
    given=FROM_C0,
    states=alpha[k] <= 1,
    added=(r"$\gamma_0 > \mu$, where the paper has $\gamma_0 > 0$",),
    try_with=C_0,
)

alpha_above_1 = Bound(
    source=PAPER.at("lemma:valid-sequences.only-if", "B.1"),
    title="alpha_k is at most 1 only if eta_k is at most 1 / mu: with eta_k above 1 / mu it is above 1",
    given=(*STRONGLY_CONVEX, By(ESTIMATING_SC), eta[i] * mu_f > 1),
    states=alpha[k] > 1,
    added=(r"$\gamma_0 = \mu > 0$, one of the cases of the lemma",),
    try_on=tuple(  # eta mu = (21/20)^2
        Instance(problem=problem, method=f"constant({step})", steps=2)
        for problem, step in (("half-square", "441/400"), ("parabola", "441/800"), ("quadratic-2d", "441/400"))
    ),
)

left_of_condition = 4 + 4 * eta[k] * (gamma[k] - mu_f) + eta[k] ** 2 * (mu_f - gamma[k]) ** 2
right_of_condition = eta[k] ** 2 * (mu_f - gamma[k]) ** 2 + 4 * eta[k] * gamma[k]

condition_for_1 = Bound(
    source=PAPER.at("lemma:valid-sequences.condition", "B.1"),
    title="the inequality that the proof finds equivalent to eta_k <= 1 / mu",
    given=FROM_C0,
    states=left_of_condition <= right_of_condition,
    added=(r"$\gamma_0 > \mu$, where the paper has $\gamma_0 > 0$",),
    try_with=C_0,
    refuted_by=Instance(problem="huber", method="given(1)", steps=1, parameters={"c0": Fraction(1, 2)}),
)

condition_for_1_proved = condition_for_1.as_proved(
    because="its sides are exchanged: alpha_k <= 1 says that the root is at most 2 / eta_k + gamma_k - mu",
    states=right_of_condition <= left_of_condition,
    proof_sketch=(
        r"Both sides have $\eta_k^2 (\mu - \gamma_k)^2$. What is left is $4 \eta_k \gamma_k \leq 4 + 4 \eta_k (\gamma_k - "
        r"\mu)$.",
        r"This is $\eta_k \mu \leq 1$, which is assumed.",
    ),
)

lambda_not_negative = Bound(
    source=PAPER.at("lemma:valid-sequences.not-negative", "B.1"),
    title="lambda_k is never negative",
    given=FROM_C0,
    states=lam[k] >= 0,
    added=(r"$\gamma_0 > \mu$, where the paper has $\gamma_0 > 0$",),
    try_with=C_0,
    loose_because="lambda_k is positive unless some eta_i is 1 / mu, and then it is 0: a ratio of 0 to 0",
)

lambda_vanishes = Bound(
    source=PAPER.at("lemma:valid-sequences", "B.1"),
    title="steps of at most 1 / mu make lambda_k and phi_k estimating sequences: lambda_k tends to 0",
    given=FROM_MU,
    states=tends(lam[k], 0),
    added=(r"$\gamma_0 = \mu > 0$, one of the cases of the lemma",),
    refuted_through=Through(
        lemma="lemma:lambda-convergence.alpha-squared",
        argument="Let gamma_0 = mu and eta_k = 16^{-k-1} / mu. Then alpha_k = 4^{-k-1}, so lambda_k, the product of the "
        "1 - alpha_i before it, is at least 1 - (1/4 + 1/16 + ...) = 2/3 for every k. Nothing keeps the steps away from 0.",
    ),
)

lambda_vanishes_proved = lambda_vanishes.as_proved(
    because="it vanishes if the sum of the sqrt(eta_i) diverges; steps that are bounded above may shrink too fast",
    states=lam[k] <= 1 / (1 + Sum(sqrt(mu_f * eta[i]), i, 0, k - 1)),
    for_all=k >= 1,
    proof_sketch=(
        r"Let $s_i = \sqrt{\mu \eta_i}$, which is in $(0, 1]$. $\lambda_k$ is the product of the $1 - s_i$ with $i < k$ "
        "[eq:lambda-sc@proved].",
        r"If some $s_i$ is $1$, then $\lambda_k = 0$. Else $1 / (1 - s_i) \geq 1 + s_i$, since $(1 - s_i) (1 + s_i) \leq "
        "1$.",
        r"So $1 / \lambda_k$ is at least the product of the $1 + s_i$, and this at least $1 + \sum_{i < k} s_i$, all terms "
        "being positive.",
    ),
)
