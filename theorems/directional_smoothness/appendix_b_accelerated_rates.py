"""Appendix B.1, lemma:local-upper-bound, and the proof of thm:adapted-acceleration down to the limit c of alpha_0.

Values are counted from f(x*): phistar_k = min phi_k - f(x*). eta_k <= 1 / mu is written eta_k mu <= 1.
"""

from fractions import Fraction

from boundcheck import Bound, By, Convex, Differentiable, GradientDescent, Instance, Once, Parameter, StronglyConvex, chain
from boundcheck.letters import (
    CURVATURE,
    M_,
    NONE,
    STEP,
    Delta,
    M,
    Min,
    Prod,
    delta,
    eta,
    gap,
    grad,
    i,
    inner,
    k,
    mu_f,
    normsq,
    sqrt,
    v,
    x,
    y,
)
from boundcheck.theorems.directional_smoothness.nesterov import (
    AGD,
    ALPHA_0,
    ALPHA_0_POSITIVE,
    C_0,
    C_0_POSITIVE,
    ESTIMATING,
    ESTIMATING_C0,
    ESTIMATING_SC,
    POSITIVE_ROOT,
    alpha,
    alpha0,
    curvature,
    gamma,
    lam,
    phistar,
    root,
)
from boundcheck.theorems.directional_smoothness.notation import PAPER
from boundcheck.theorems.directional_smoothness.section3_acceleration import SHORT_STEPS

FUNCTION = (Convex, Differentiable)
STRONGLY_CONVEX = (StronglyConvex, Differentiable)
AT_MOST_1_OVER_MU = eta[i] * mu_f <= 1
FROM_GAMMA_0 = (*FUNCTION, By(ESTIMATING), gamma[0] > 0, ALPHA_0_POSITIVE)
GIVEN = (*FROM_GAMMA_0, AT_MOST_1_OVER_MU)
FROM_MU = (*STRONGLY_CONVEX, By(ESTIMATING_SC), AT_MOST_1_OVER_MU)
FROM_C0 = (*FUNCTION, By(ESTIMATING_C0), C_0_POSITIVE, AT_MOST_1_OVER_MU)  # gamma_0 > mu whatever eta_0 is
ABOVE_MU = mu_f * eta[0] < alpha0**2  # with 0 < alpha_0 < 1: alpha_0 > sqrt(mu eta_0), which says gamma_0 > mu
FROM_ABOVE_MU = (*FUNCTION, By(ESTIMATING), ABOVE_MU, ALPHA_0_POSITIVE, alpha0 < 1)
ADAPTED_AS_PRINTED = eta[i] <= 1 / M_[i]
ADAPTED = eta[i] * M(y[i], x[i + 1]) <= 1

# -- lemma:local-upper-bound -------------------------------------------------------------------------------------------------

NEEDS_Y = "the descent of step k is that of the chord from y_k to x_{k+1}"
OVERSHOT = Instance(problem="huber", method="given(9/4, 12)", steps=2, smoothness="H", parameters={"alpha0": Fraction(1, 2)})

local_upper_bound = Bound(
    source=PAPER.at("lemma:local-upper-bound", "B.1"),
    title="the minimum of phi_k is at least f(x_k)",
    given=(*FROM_GAMMA_0, ADAPTED_AS_PRINTED),
    states=phistar[k] >= gap(x[k]),
    added=(POSITIVE_ROOT,),
    try_with=ALPHA_0,
    refuted_by=OVERSHOT,
)

local_upper_bound_proved = local_upper_bound.as_proved(
    because=NEEDS_Y,
    given=(*FROM_GAMMA_0, ADAPTED),
    proof_sketch=(
        r"Induction on $k$. At $k = 0$ the minimum of $\phi_0(x) = f(x_0) + \frac{\gamma_0}{2} \|x - x_0\|^2$ is $f(x_0)$.",
        r"If the minimum of $\phi_k$ is at least $f(x_k)$, the four lines of [lemma:local-upper-bound.lines@proved] give "
        "it for $k + 1$.",
    ),
)

g, g2 = grad(y[k]), normsq(grad(y[k]))
ratio = alpha[k] * gamma[k] / gamma[k + 1]
from_v = mu_f / 2 * normsq(y[k] - v[k]) + inner(g, v[k] - y[k])
to_x = inner(g, x[k] - y[k])
by_convexity = (1 - alpha[k]) * (gap(y[k]) + to_x) + alpha[k] * gap(y[k]) - eta[k] / 2 * g2 + (1 - alpha[k]) * ratio * from_v
by_descent = gap(x[k + 1]) + (1 - alpha[k]) * (to_x + ratio * from_v)

local_upper_bound_lines = Bound(
    source=PAPER.at("lemma:local-upper-bound.lines", "B.1"),
    title="the minimum of phi_k is at least f(x_k), line by line: induction, convexity, descent, and the rest is not negative",
    given=(*FROM_GAMMA_0, ADAPTED_AS_PRINTED),
    states=chain(
        phistar[k + 1],
        ">=",
        (1 - alpha[k]) * gap(x[k])
        + alpha[k] * gap(y[k])
        - alpha[k] ** 2 / (2 * gamma[k + 1]) * g2
        + (1 - alpha[k]) * ratio * from_v,
        ">=",
        by_convexity,
        ">=",
        by_descent,
        ">=",
        gap(x[k + 1]),
    ),
    added=(POSITIVE_ROOT,),
    try_with=ALPHA_0,
    refuted_by=OVERSHOT,
)

local_upper_bound_lines_proved = local_upper_bound_lines.as_proved(
    because=NEEDS_Y,
    given=(*FROM_GAMMA_0, ADAPTED),
    proof_sketch=(
        r"$M(y_k, x_{k+1}) \geq \mu$, since $f$ is between the two quadratics on that chord; so $\eta_k \mu \leq 1$ and $0 "
        r"< \alpha_k \leq 1$ [lemma:valid-sequences.at-most-1].",
        r"Line 1: [eq:canonical-minimizer], and the minimum of $\phi_k$ is at least $f(x_k)$ by induction, with the weight "
        r"$1 - \alpha_k \geq 0$.",
        r"Line 2: $f(x_k) \geq f(y_k) + \langle \nabla f(y_k), x_k - y_k \rangle$ by convexity, and $\alpha_k^2 / "
        r"\gamma_{k+1} = \eta_k$ [lemma:lambda-convergence.step].",
        r"Line 3: the definition of $M$ on the chord from $y_k$ to $x_{k+1} = y_k - \eta_k \nabla f(y_k)$ gives "
        r"$f(x_{k+1}) \leq f(y_k) - \eta_k (1 - \frac{1}{2} \eta_k M(y_k, x_{k+1})) \|\nabla f(y_k)\|^2 \leq f(y_k) - "
        r"\frac{\eta_k}{2} \|\nabla f(y_k)\|^2$; and [lemma:local-upper-bound.collected].",
        r"Line 4: by [lemma:local-upper-bound.remainder] what is left is a multiple of $\mu \|y_k - v_k\|^2$ that is not "
        "negative.",
    ),
)

collected = Bound(
    source=PAPER.at("lemma:local-upper-bound.collected", "B.1"),
    title="the proof of lemma:local-upper-bound: f(y_k) collected after convexity",
    given=GIVEN,
    states=by_convexity == gap(y[k]) + (1 - alpha[k]) * to_x - eta[k] / 2 * g2 + (1 - alpha[k]) * ratio * from_v,
    added=(
        POSITIVE_ROOT,
        r"$\eta_i \leq 1 / \mu$ in place of adapted steps: more is claimed than printed",
    ),
    try_with=ALPHA_0,
)

displacement = Bound(
    source=PAPER.at("lemma:local-upper-bound.displacement", "B.1"),
    title="x_k - y_k is a multiple of y_k - v_k",
    given=GIVEN,
    states=normsq(x[k] - y[k] - ratio * (y[k] - v[k])) == 0,
    added=(
        POSITIVE_ROOT,
        r"$\eta_i \leq 1 / \mu$ in place of adapted steps: more is claimed than printed",
    ),
    try_with=ALPHA_0,
)

remainder = Bound(
    source=PAPER.at("lemma:local-upper-bound.remainder", "B.1"),
    title="the proof of lemma:local-upper-bound: what is left is a multiple of mu |y_k - v_k|^2",
    given=GIVEN,
    states=chain(
        by_descent,
        "==",
        gap(x[k + 1]) + (1 - alpha[k]) * (ratio * inner(g, y[k] - v[k]) + ratio * from_v),
        "==",
        gap(x[k + 1]) + mu_f * alpha[k] * (1 - alpha[k]) * gamma[k] / (2 * gamma[k + 1]) * normsq(y[k] - v[k]),
    ),
    added=(
        POSITIVE_ROOT,
        r"$\eta_i \leq 1 / \mu$ in place of adapted steps: more is claimed than printed",
    ),
    try_with=ALPHA_0,
)

# -- the proof of thm:adapted-acceleration -----------------------------------------------------------------------------------

smoothness_at_least_mu = Bound(
    source=PAPER.at("thm:adapted-acceleration.M-at-least-mu", "B.1"),
    title="M(x_k, x_{k+1}) is at least mu",
    given=(*FUNCTION, By(AGD), ALPHA_0_POSITIVE),
    states=M_[k] >= mu_f,
    added=(POSITIVE_ROOT,),
    try_with=ALPHA_0,
)

step_at_most_1_over_mu = Bound(
    source=PAPER.at("thm:adapted-acceleration.step", "B.1"),
    title="adapted steps of AGD, eta_k <= 1 / M_k, are at most 1 / mu",
    given=(*FUNCTION, By(AGD), ALPHA_0_POSITIVE, ADAPTED_AS_PRINTED),
    states=eta[k] * mu_f <= 1,
    added=(POSITIVE_ROOT,),
    try_with=ALPHA_0,
)

first_gap = delta[0] + gamma[0] / 2 * Delta[0]

estimate = Bound(
    source=PAPER.at("thm:adapted-acceleration.estimate", "B.1"),
    title="f(x_k) is at most the minimum of phi_k, which is at most (1 - lambda_k) f(x*) + lambda_k phi_0(x*)",
    given=(*FROM_GAMMA_0, ADAPTED_AS_PRINTED),
    states=chain(gap(x[k]), "<=", phistar[k], "<=", lam[k] * first_gap),
    added=(POSITIVE_ROOT,),
    try_with=ALPHA_0,
    refuted_by=OVERSHOT,
)

estimate_proved = estimate.as_proved(
    because=NEEDS_Y,
    given=(*FROM_GAMMA_0, ADAPTED),
    proof_sketch=(
        "The first inequality is [lemma:local-upper-bound@proved].",
        r"The minimum of $\phi_k$ is at most $\phi_k(x^*)$, and $\phi_k(x^*) \leq (1 - \lambda_k) f(x^*) + \lambda_k "
        r"\phi_0(x^*)$ [eq:est-upper-bound].",
        r"Subtract $f(x^*)$ and put in $\phi_0(x^*) = f(x_0) + \frac{\gamma_0}{2} \Delta_0$.",
    ),
)

sc_rate_at_k = Bound(
    source=PAPER.at("thm:adapted-acceleration.sc-at-k", "B.1"),
    title="the linear rate for f(x_k), from gamma_0 = mu",
    given=(*STRONGLY_CONVEX, By(ESTIMATING_SC), ADAPTED_AS_PRINTED),
    states=gap(x[k]) <= Prod(1 - sqrt(mu_f * eta[i]), i, 0, k - 1) * (delta[0] + mu_f / 2 * Delta[0]),
    added=(r"$k \geq 1$: at $k = 0$ the product is empty",),
    for_all=k >= 1,
    refuted_by=Instance(problem="quadratic-2d", method="given(1/16, 9/16)", steps=2, smoothness="H"),
)

sc_rate_at_k_proved = sc_rate_at_k.as_proved(
    because=NEEDS_Y,
    given=(*STRONGLY_CONVEX, By(ESTIMATING_SC), ADAPTED),
    try_on=SHORT_STEPS,
    proof_sketch=(
        r"[thm:adapted-acceleration.estimate@proved] with $\gamma_0 = \mu$ bounds the gap by $\lambda_k (\delta_0 + "
        r"\frac{\mu}{2} \Delta_0)$.",
        r"$\lambda_k$ is the product of the $1 - \sqrt{\mu \eta_i}$ with $i < k$ [eq:lambda-sc@proved].",
    ),
)

alpha_0_from_mu = Bound(
    source=PAPER.at("thm:adapted-acceleration.alpha-0", "B.1"),
    title="gamma_0 = mu is the same as alpha_0 = sqrt(eta_0 mu)",
    given=(*STRONGLY_CONVEX, By(ESTIMATING_SC)),
    states=alpha[0] == sqrt(eta[0] * mu_f),
    for_all=k >= 1,
)

eta_min_so_far = Min(eta[i], i, 0, k - 1)
BELOW = Once(gamma[0] < mu_f + 3 / eta_min_so_far)

convex_rate_at_k = Bound(
    source=PAPER.at("thm:adapted-acceleration.convex-at-k", "B.1"),
    title="the rate 1 / k^2 for f(x_k)",
    given=(*FROM_ABOVE_MU, BELOW, ADAPTED_AS_PRINTED),
    states=gap(x[k]) <= 4 / (eta_min_so_far * (gamma[0] - mu_f) * k**2) * first_gap,
    added=(
        r"$0 < \alpha_0 < 1$, and $\gamma_0 > \mu$ written $\alpha_0^2 > \mu \eta_0$",
        r"$\eta_{\min}$ is the smallest of $\eta_0, \ldots, \eta_{k-1}$",
        r"$k \geq 1$: at $k = 0$ it divides by $0$",
    ),
    for_all=k >= 1,
    try_with=ALPHA_0,
    refuted_by=OVERSHOT,
)

convex_rate_at_k_proved = convex_rate_at_k.as_proved(
    because=NEEDS_Y,
    given=(*FROM_ABOVE_MU, BELOW, ADAPTED),
    try_on=(Instance(problem="sharp-huber", method="constant(3/2)", steps=86, smoothness="H", arithmetic="auto"),),
    proof_sketch=(
        r"[thm:adapted-acceleration.estimate@proved] bounds the gap by $\lambda_k (\delta_0 + \frac{\gamma_0}{2} "
        r"\Delta_0)$.",
        r"Let $s = (\eta_{\min} (\gamma_0 - \mu))^{1/2}$, where $\eta_{\min}$ is the smallest of the first $k$ steps. "
        r"[lemma:lambda-convergence.roots] and [lemma:lambda-convergence.roots-at-least] give $\lambda_{i+1}^{-1/2} \geq "
        r"\lambda_i^{-1/2} + s / 2$ for $i < k$.",
        r"So $\lambda_k^{-1/2} \geq 1 + k s / 2 \geq k s / 2$, which is $\lambda_k \leq 4 / (\eta_{\min} (\gamma_0 - \mu) "
        r"k^2)$; if $\lambda_k = 0$ there is nothing to show.",
    ),
)

gamma_0_formula = Bound(
    source=PAPER.at("thm:adapted-acceleration.gamma-0", "B.1"),
    title="gamma_0 from alpha_0: (alpha_0^2 - eta_0 alpha_0 mu) / (eta_0 (1 - alpha_0))",
    given=(*FUNCTION, By(ESTIMATING_C0), C_0_POSITIVE),
    states=gamma[0] == curvature(alpha[0], eta[0]),
    added=(r"$\gamma_0 > \mu$, where the paper has $\gamma_0 > 0$",),
    for_all=k >= 1,
    try_with=C_0,
)

# -- the limit c of alpha_0: any eta_0 and any eta_min up to it --------------------------------------------------------------

smaller_gamma, larger_gamma = Parameter("g1", CURVATURE, r"\gamma_0"), Parameter("g2", CURVATURE, r"\gamma_0'")
ANY_RUN = (*FUNCTION, GradientDescent())  # only eta_0 is read
INCREASING = {"g1": (1,), "g2": (2, Fraction(101, 100))}

increasing = Bound(
    source=PAPER.at("thm:adapted-acceleration.increasing", "B.1"),
    title="eta_0 is an increasing function of gamma_0",
    given=(*ANY_RUN, smaller_gamma > 0, smaller_gamma < larger_gamma, ALPHA_0_POSITIVE, alpha0 <= 1),
    states=alpha0**2 / ((1 - alpha0) * smaller_gamma + alpha0 * mu_f) < alpha0**2 / ((1 - alpha0) * larger_gamma + alpha0 * mu_f),
    added=(
        r"the formula: the paper says it in words. By the first line of eq:estimating-seq-acceleration, $\eta_0 = "
        r"\alpha_0^2 / ((1 - \alpha_0) \gamma_0 + \alpha_0 \mu)$, here for one $\alpha_0 \in (0, 1]$ and two $\gamma_0 "
        "> 0$",
    ),
    for_all=k >= 1,
    try_with={**INCREASING, "alpha0": (Fraction(3, 4), 1)},
    refuted_by=Instance(problem="huber", method="1/L", steps=2, parameters={"g1": 1, "g2": 2, "alpha0": Fraction(1, 2)}),
)

increasing_proved = increasing.as_proved(
    because="it is alpha_0 that increases with gamma_0, for a fixed eta_0 < 1 / mu",
    given=(*ANY_RUN, smaller_gamma > 0, smaller_gamma < larger_gamma, eta[0] * mu_f < 1),
    states=root(eta[0], smaller_gamma) < root(eta[0], larger_gamma),
    try_with=INCREASING,
    proof_sketch=(
        r"Let $F(a, \gamma) = a^2 - \eta_0 (1 - a) \gamma - \eta_0 a \mu$. $\alpha_0$ is the positive root in $a$ "
        "[eq:eta-init].",
        r"$F(0, \gamma) = -\eta_0 \gamma < 0$ and $F(1, \gamma) = 1 - \eta_0 \mu > 0$, so the one positive root is below "
        r"$1$, and $F(a, \gamma) < 0$ between $0$ and it only.",
        r"Let $a$ be the root for $\gamma_0$ and $\gamma_0' > \gamma_0$. Then $F(a, \gamma_0') = F(a, \gamma_0) - \eta_0 "
        r"(1 - a) (\gamma_0' - \gamma_0) < 0$, so that the root for $\gamma_0'$ is larger than $a$.",
    ),
)

c = Parameter("c", NONE)
eta_min = Parameter("eta_min", STEP, r"\eta_{\min}")
IS_THE_LIMIT = c**2 == eta[0] * (1 - c) * (3 / eta_min + mu_f) + eta[0] * c * mu_f  # gamma_0 = 3 / eta_min + mu
WHERE_IT_IS = {"c": (1, Fraction(4, 5), Fraction(9, 10)), "eta_min": (Fraction(1, 2), Fraction(15, 16), Fraction(15, 112))}
c_as_printed = -3 * eta[0] / (2 * eta_min) + eta[0] / 2 * sqrt(9 / eta_min**2 + 4 * (3 * eta_min + mu_f) / eta[0])
AT_1_OVER_L = Instance(problem="parabola", method="1/L", steps=2, parameters={"c": 1, "eta_min": Fraction(1, 2)})

largest_alpha_0 = Bound(
    source=PAPER.at("thm:adapted-acceleration.c", "B.1"),
    title="c, the largest alpha_0, by the quadratic formula",
    given=(*ANY_RUN, eta_min > 0, eta_min <= eta[0], c > 0, IS_THE_LIMIT),
    states=c == c_as_printed,
    added=(
        r"$0 < \eta_{\min} \leq \eta_0$ and $c > 0$",
        r"what $c$ is, the $\alpha_0$ of $\gamma_0 = 3 / \eta_{\min} + \mu$, as a hypothesis",
    ),
    for_all=k >= 1,
    try_with=WHERE_IT_IS,
    refuted_by=AT_1_OVER_L,
)

largest_alpha_0_proved = largest_alpha_0.as_proved(
    because="gamma_0 is 3 / eta_min + mu; 3 eta_min + mu adds unlike things",
    states=c == -3 * eta[0] / (2 * eta_min) + eta[0] / 2 * sqrt(9 / eta_min**2 + 4 * (3 / eta_min + mu_f) / eta[0]),
    proof_sketch=(
        r"$c$ is the $\alpha_0$ of $\gamma_0 = 3 / \eta_{\min} + \mu$, so $c^2 + \frac{3 \eta_0}{\eta_{\min}} c - \eta_0 "
        r"(\frac{3}{\eta_{\min}} + \mu) = 0$.",
        r"Its positive root is $-\frac{3 \eta_0}{2 \eta_{\min}} + \frac{1}{2} (\frac{9 \eta_0^2}{\eta_{\min}^2} + 4 \eta_0 "
        r"(\frac{3}{\eta_{\min}} + \mu))^{1/2}$; take $\eta_0$ out of the root.",
    ),
)

largest_alpha_0_second_line = Bound(
    source=PAPER.at("thm:adapted-acceleration.c-second-line", "B.1"),
    title="the second line for c, the largest alpha_0, is equal to the first",
    given=(*ANY_RUN, eta_min > 0, eta_min <= eta[0]),
    states=c_as_printed == 3 * eta[0] / (2 * eta_min) * (sqrt(1 + 4 * eta_min**2 * ((3 * eta_min + mu_f) / (9 * eta[0]))) - 1),
    added=(r"$0 < \eta_{\min} \leq \eta_0$",),
    for_all=k >= 1,
    try_with={"eta_min": (Fraction(1, 2), Fraction(3, 4), Fraction(1, 4))},
)
