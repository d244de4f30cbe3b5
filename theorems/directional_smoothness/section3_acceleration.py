"""Section 3.1, Path-Dependent Acceleration: Nesterov's method with steps adapted to the path.

The paper asks for eta_k <= 1 / M(x_k, x_{k+1}), but the gradient step starts at y_k: what acts is M(y_k, x_{k+1}). The momentum
of eq:agd is right only while the steps do not change. eta_min is the smallest of eta_0, ..., eta_k.
"""

from fractions import Fraction

from boundcheck import Bound, By, Convex, Differentiable, Instance, Once, Smooth, StronglyConvex, Through
from boundcheck.letters import M_, Delta, L, M, Min, Prod, delta, eta, f, gap, grad, i, k, mu_f, normsq, sqrt, x, y
from boundcheck.theorems.directional_smoothness.nesterov import (
    AGD,
    AGD_ANY_STEPS,
    AGD_ANY_STEPS_SC,
    AGD_SC,
    ALPHA_0,
    ALPHA_0_POSITIVE,
    ESTIMATING_SC,
    alpha0,
    curvature,
)
from boundcheck.theorems.directional_smoothness.notation import PAPER

ADAPTED_AS_PRINTED = eta[i] <= 1 / M_[i]
ADAPTED = eta[i] * M(y[i], x[i + 1]) <= 1  # so written, M = 0 allows every step

ESTIMATING_SEQUENCES = (
    r"With $\alpha_{k+1} \eta_k / \eta_{k+1}$ in the momentum, the method is that of the estimating sequences $\phi_k$, "
    r"$\lambda_k$ for any "
    r"steps [lemma:agd-equivalence].",
    r"Steps with $\eta_i M(y_i, x_{i+1}) \leq 1$ satisfy $f(x_{i+1}) \leq f(y_i) - \frac{\eta_i}{2} \|\nabla f(y_i)\|_2^2$ "
    r"[eq:agd-descent-condition].",
)
RATE_BY_LAMBDA = (
    r"By induction it gives $f(x_k) \leq \min \phi_k$ [lemma:local-upper-bound]; and "
    r"$\phi_k(x_*) \leq (1 - \lambda_k) f(x_*) + \lambda_k \phi_0(x_*)$ [eq:est-upper-bound].",
    r"Together $f(x_{k+1}) - f(x_*) \leq \lambda_{k+1} (\delta_0 + \frac{\gamma_0}{2} \Delta_0)$, with "
    r"$\lambda_{k+1} = \prod_{i=0}^k (1 - \alpha_i)$ [thm:adapted-acceleration.estimate].",
)
LINEAR = (
    r"From $\alpha_0 = \sqrt{\eta_0 \mu}$, $\gamma_k = \mu$ for all $k$, so that $\alpha_i^2 = \mu \eta_i$ "
    r"[lemma:lambda-convergence.alpha-squared] and $\lambda_{k+1} = \prod_{i=0}^k (1 - \sqrt{\mu \eta_i})$ [eq:lambda-sc].",
)

# -- the descent condition -----------------------------------------------------------------------------------------------------

descent = f(x[k + 1]) <= f(y[k]) - eta[k] / 2 * normsq(grad(y[k]))
descends = f(x[i + 1]) <= f(y[i]) - eta[i] / 2 * normsq(grad(y[i]))

agd_descent_condition = Bound(
    source=PAPER.at("eq:agd-descent-condition", "3.1"),
    title="an adapted step from y_k decreases f",
    added=(r"$\alpha_0 > 0$: of the two roots of the equation for $\alpha_0$ the positive one",),
    given=(Convex, Differentiable, By(AGD), ALPHA_0_POSITIVE, ADAPTED_AS_PRINTED),
    states=descent,
    try_with=ALPHA_0,
    refuted_by=Instance(
        problem="quadratic-2d", method="given(1/9, 4/9)", steps=2, smoothness="H", parameters={"alpha0": Fraction(1, 3)}
    ),
)

agd_descent_condition_proved = agd_descent_condition.as_proved(
    because="the step starts at y_k: the descent lemma reads M(y_k, x_{k+1})",
    given=(Convex, Differentiable, By(AGD), ALPHA_0_POSITIVE, ADAPTED),
    proof_sketch=(
        r"The definition of $M$ [def:directional-smoothness-function] from $x = y_k$ to "
        r"$y = x_{k+1} = y_k - \eta_k \nabla f(y_k)$ says "
        r"$f(x_{k+1}) \leq f(y_k) - \eta_k (1 - \eta_k M(y_k, x_{k+1}) / 2) \|\nabla f(y_k)\|_2^2$.",
        r"Where $\eta_k M(y_k, x_{k+1}) \leq 1$ the factor in brackets is at least $1/2$.",
    ),
)

at_least_one_half = Bound(
    source=PAPER.at("eq:agd-descent-condition.half", "3.1"),
    title="1 - eta_k M(x_k, x_{k+1}) / 2 is at least 1/2 for an adapted step",
    added=(r"$\alpha_0 > 0$: of the two roots of the equation for $\alpha_0$ the positive one",),
    given=(Convex, Differentiable, By(AGD), ALPHA_0_POSITIVE, ADAPTED_AS_PRINTED),
    states=eta[k] * M_[k] / 2 <= Fraction(1, 2),
    try_with=ALPHA_0,
)

# -- thm:adapted-acceleration, mu > 0 ------------------------------------------------------------------------------------------

STRONGLY_CONVEX = (StronglyConvex, Differentiable)
sc_rate = gap(x[k + 1]) <= Prod(1 - sqrt(mu_f * eta[i]), i, 0, k) * (delta[0] + mu_f / 2 * Delta[0])
SHRINKING_STEPS = Instance(problem="steep-valley", method="given(9/100, 1/400)", steps=2, smoothness="H")
SHORT_STEPS = (Instance(problem="quadratic-30d", method="over_L(1/100)", steps=2, smoothness="L", arithmetic="auto"),)

sc_accelerated_rate = Bound(
    source=PAPER.at("eq:sc-accelerated-rate", "3.1"),
    title="the accelerated linear rate, from alpha_0 = sqrt(eta_0 mu)",
    given=(*STRONGLY_CONVEX, By(AGD_SC), ADAPTED_AS_PRINTED),
    states=sc_rate,
    refuted_by=SHRINKING_STEPS,
)

sc_accelerated_rate_proved = sc_accelerated_rate.as_proved(
    because="the step starts at y_k, so M(y_k, x_{k+1}) counts; and the momentum has alpha_{k+1} eta_k / eta_{k+1}",
    given=(*STRONGLY_CONVEX, By(AGD_ANY_STEPS_SC), ADAPTED),
    try_on=SHORT_STEPS,
    proof_sketch=(*ESTIMATING_SEQUENCES, *RATE_BY_LAMBDA, *LINEAR),
)

sc_accelerated_rate_without_chord = sc_accelerated_rate_proved.without(
    "chord",
    because="with M(x_k, x_{k+1}) as printed",
    given=(*STRONGLY_CONVEX, By(AGD_ANY_STEPS_SC), ADAPTED_AS_PRINTED),
    refuted_by=Instance(problem="quadratic-2d", method="given(1/16, 9/16)", steps=2, smoothness="H"),
)

sc_accelerated_rate_without_momentum = sc_accelerated_rate_proved.without(
    "momentum",
    because="with the momentum of eq:agd as printed",
    given=(*STRONGLY_CONVEX, By(AGD_SC), ADAPTED),
    refuted_by=SHRINKING_STEPS,
)

only_through_descent = Bound(
    source=PAPER.at("eq:agd-descent-condition.only-connection", "3.1"),
    title="the descent condition is all that the analysis, by estimating sequences, needs to know of the smoothness of f",
    given=(*STRONGLY_CONVEX, By(ESTIMATING_SC), descends),
    states=sc_rate,
    try_on=SHORT_STEPS,
)

only_through_descent_momentum = Bound(
    source=PAPER.at("eq:agd-descent-condition.only-connection", "3.1"),
    reading="momentum-of-eq-agd",
    title="the descent condition is all that the rate needs to know of the smoothness of f, in the momentum form of eq:agd",
    given=(*STRONGLY_CONVEX, By(AGD_SC), descends),
    states=sc_rate,
    refuted_by=SHRINKING_STEPS,
)

only_through_descent_proved = only_through_descent_momentum.as_proved(
    because="true of the momentum with alpha_{k+1} eta_k / eta_{k+1}",
    given=(*STRONGLY_CONVEX, By(AGD_ANY_STEPS_SC), descends),
    try_on=SHORT_STEPS,
    proof_sketch=(ESTIMATING_SEQUENCES[0], *RATE_BY_LAMBDA, *LINEAR),
)

# -- thm:adapted-acceleration, mu >= 0 -----------------------------------------------------------------------------------------

eta_min = Min(eta[i], i, 0, k)
gamma_0 = curvature(alpha0, eta[0])
ALPHA_0_ABOVE = mu_f * eta[0] < alpha0**2  # alpha_0 > sqrt(mu eta_0), without the root: alpha_0 is positive
ALPHA_0_BELOW_C = Once(gamma_0 < 3 / eta_min + mu_f)
convex_bound = 4 / (eta_min * (gamma_0 - mu_f) * (k + 1) ** 2) * (delta[0] + gamma_0 / 2 * Delta[0])
CONVEX = (Convex, Differentiable, ALPHA_0_ABOVE, ALPHA_0_POSITIVE, alpha0 < 1)  # from 1 on gamma_0 is negative, or none
SHRINKING_ALPHA = Instance(  # alpha is 1/4, 1/10, 1/25, 1/26, 1/27, 1/28, 1/29
    problem="flat-bottom",
    method="given(9/10, 4/25, 2/75, 1/39, 2/81, 1/42, 2/87)",
    steps=7,
    smoothness="H",
    parameters={"alpha0": Fraction(1, 4)},
)


def down_a_line(step: str, steps: int) -> tuple[Instance, ...]:
    """A long run down a line: near equality when about half of it is done. H = 0 there, so that every step is adapted."""
    return (Instance(problem="sharp-huber", method=f"constant({step})", steps=steps, smoothness="H", arithmetic="auto"),)


SUBLINEAR = (
    r"$\gamma_{i+1} - \mu = (1 - \alpha_i)(\gamma_i - \mu)$, so $\gamma_{i+1} - \mu = \lambda_{i+1} (\gamma_0 - \mu)$, and "
    r"$\alpha_i^2 = \eta_i \gamma_{i+1} \geq \eta_{\min} (\gamma_0 - \mu) \lambda_{i+1}$ [lemma:lambda-convergence.gamma].",
    r"$\lambda_{i+1}^{-1/2} - \lambda_i^{-1/2} \geq \alpha_i / (2 \lambda_{i+1}^{1/2}) \geq \frac12 (\eta_{\min} (\gamma_0 - "
    r"\mu))^{1/2}$ "
    r"[lemma:lambda-convergence.roots-at-least].",
)
ROOTS_FROM_1 = (
    r"Summed over $i = 0, \ldots, k$: $\lambda_{k+1}^{-1/2} \geq \frac{k+1}{2} (\eta_{\min} (\gamma_0 - \mu))^{1/2}$, so "
    r"$\lambda_{k+1} \leq 4 / (\eta_{\min} (\gamma_0 - \mu) (k+1)^2)$."
)

convex_accelerated_rate = Bound(
    source=PAPER.at("eq:convex-accelerated-rate", "3.1"),
    title="the accelerated rate 1 / (k+1)^2, from alpha_0 between sqrt(mu eta_0) and c",
    added=(r"$0 < \alpha_0 < 1$: from $1$ on $\gamma_0$ is negative, or no number",),
    given=(*CONVEX, ALPHA_0_BELOW_C, By(AGD), ADAPTED_AS_PRINTED),
    states=gap(x[k + 1]) <= convex_bound,
    try_with=ALPHA_0,
    refuted_by=Instance(
        problem="wall", method="given(9/10, 1/4)", steps=2, smoothness="H", parameters={"alpha0": Fraction(1, 5)}
    ),
)

convex_accelerated_rate_proved = convex_accelerated_rate.as_proved(
    because="the step starts at y_k, so M(y_k, x_{k+1}) counts; and the momentum has alpha_{k+1} eta_k / eta_{k+1}",
    given=(*CONVEX, ALPHA_0_BELOW_C, By(AGD_ANY_STEPS), ADAPTED),
    try_on=down_a_line("3/2", steps=86),
    proof_sketch=(*ESTIMATING_SEQUENCES, *RATE_BY_LAMBDA, *SUBLINEAR, ROOTS_FROM_1),
)

convex_accelerated_rate_without_chord = convex_accelerated_rate_proved.without(
    "chord",
    because="with M(x_k, x_{k+1}) as printed",
    given=(*CONVEX, ALPHA_0_BELOW_C, By(AGD_ANY_STEPS), ADAPTED_AS_PRINTED),
    refuted_by=Instance(problem="huber", method="given(9/4, 12)", steps=2, smoothness="H", parameters={"alpha0": Fraction(1, 2)}),
)

convex_accelerated_rate_without_momentum = convex_accelerated_rate_proved.without(
    "momentum",
    because="with the momentum of eq:agd as printed",
    given=(*CONVEX, ALPHA_0_BELOW_C, By(AGD), ADAPTED),
    refuted_by=SHRINKING_ALPHA,
)

# -- what the paper says of the rates ------------------------------------------------------------------------------------------

LONGER_THAN_1_OVER_L = eta[i] > 1 / L

faster_linear_rate = Bound(
    source=PAPER.at("thm:adapted-acceleration.faster-sc", "3.1"),
    title="with steps longer than 1/L the linear rate is strictly faster than that of L-smoothness",
    given=(*STRONGLY_CONVEX, Smooth, By(AGD_SC), ADAPTED_AS_PRINTED, LONGER_THAN_1_OVER_L),
    states=Prod(1 - sqrt(mu_f * eta[i]), i, 0, k) < Prod(1 - sqrt(mu_f / L), i, 0, k),
    try_on=(
        Instance(problem="asymmetric", method="constant(9/16)", steps=2, smoothness="H"),
        Instance(problem="ill-conditioned-2d", method="constant(1/81)", steps=2, smoothness="H"),
    ),
)

faster_convex_rate = Bound(
    source=PAPER.at("thm:adapted-acceleration.faster-convex", "3.1"),
    title="with steps longer than 1/L the rate 1 / (k+1)^2 is strictly faster than that of L-smoothness, from the same gamma_0",
    added=(r"$0 < \alpha_0 < 1$: from $1$ on $\gamma_0$ is negative, or no number",),
    given=(*CONVEX, Smooth, By(AGD), ADAPTED_AS_PRINTED, LONGER_THAN_1_OVER_L),
    states=convex_bound < 4 * L / ((gamma_0 - mu_f) * (k + 1) ** 2) * (delta[0] + gamma_0 / 2 * Delta[0]),
    try_with=ALPHA_0,
)

needs_the_minimum_step = Bound(
    source=PAPER.at("thm:adapted-acceleration.prior-knowledge", "3.1"),
    title="for mu = 0 the rate requires prior knowledge of the smallest step: any alpha_0 may turn out not to be below c",
    quantifier=r"for every $\alpha_0$ there are a convex $f$ and steps such that",
    added=(
        r"the formula: the paper says it in words; this is $\alpha_0 \geq c$, which no knowledge before the run would exclude",
    ),
    given=(*CONVEX, By(AGD_ANY_STEPS), ADAPTED),
    states=gamma_0 >= 3 / eta_min + mu_f,
    try_with=ALPHA_0,
    untested="it says what must be known before a run; no run decides that",
    refuted_through=Through(
        lemma="thm:adapted-acceleration.prior-knowledge@proved",
        argument="alpha_0 = 3/4 will do whatever the steps are. gamma_0 eta_0 is at most alpha_0^2 / (1 - alpha_0) = 9/4, and "
        "3 eta_0 / eta_min is at least 3, eta_0 being one of the steps: so gamma_0 < 3 / eta_min + mu, the theorem's own range, "
        "and the rate follows (eq:convex-accelerated-rate@proved).",
    ),
)

UP_TO_39_OVER_50 = {"alpha0": (Fraction(3, 4), Fraction(39, 50))}

needs_no_minimum_step = needs_the_minimum_step.as_proved(
    because="every alpha_0 up to 39/50 is below c, however small a later step is: alpha_0^2 / (1 - alpha_0) < 3",
    title="alpha_0 of at most 39/50 is below c whatever the steps are: gamma_0 < 3 / eta_min + mu",
    given=(Convex, Differentiable, ALPHA_0_ABOVE, ALPHA_0_POSITIVE, alpha0 <= Fraction(39, 50), By(AGD_ANY_STEPS)),
    states=gamma_0 < 3 / eta_min + mu_f,
    try_with=UP_TO_39_OVER_50,
    untested="",
    proof_sketch=(
        r"$\gamma_0 \eta_0 = (\alpha_0^2 - \eta_0 \alpha_0 \mu) / (1 - \alpha_0) \leq \alpha_0^2 / (1 - \alpha_0)$, which "
        r"grows with "
        r"$\alpha_0$ and is $1521/550 < 3$ at $\alpha_0 = 39/50$.",
        r"So $\gamma_0 < 3 / \eta_0 \leq 3 / \eta_{\min} \leq 3 / \eta_{\min} + \mu$, since $\eta_0$ is one of the steps.",
    ),
)

beyond_c = Bound(
    source=PAPER.at("thm:adapted-acceleration.prior-knowledge", "3.1"),
    reading="beyond-c",
    title="the rate 1 / (k+2)^2 from every alpha_0 between sqrt(mu eta_0) and 1, beyond c too",
    because="c matters for lambda_0 only, which bounds no iterate: lambda_{k+1}^{-1/2} is at least (k+2) / 2 times "
    "(eta_min (gamma_0 - mu))^{1/2} whatever gamma_0 > mu is",
    given=(*CONVEX, By(AGD_ANY_STEPS), ADAPTED),
    states=gap(x[k + 1]) <= 4 / (eta_min * (gamma_0 - mu_f) * (k + 2) ** 2) * (delta[0] + gamma_0 / 2 * Delta[0]),
    try_with={"alpha0": (Fraction(9, 10),)},
    try_on=down_a_line("4", steps=52),
    proof_sketch=(
        *ESTIMATING_SEQUENCES,
        *RATE_BY_LAMBDA,
        *SUBLINEAR,
        r"The first step gives more: $\eta_0 (\gamma_0 - \mu)(1 - \alpha_0) = \alpha_0^2 - \mu \eta_0 \leq 1$, so "
        r"$\lambda_1^{-1/2} = (1 - \alpha_0)^{-1/2} \geq (\eta_{\min} (\gamma_0 - \mu))^{1/2}$. Summed over $i = 1, \ldots, k$, "
        r"$\lambda_{k+1}^{-1/2} \geq \frac{k+2}{2} (\eta_{\min} (\gamma_0 - \mu))^{1/2}$.",
    ),
)
