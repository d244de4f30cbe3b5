"""Section 3, Path-Dependent Sub-Optimality Bounds: gradient descent with any step sizes on a convex function."""

from collections.abc import Callable

from boundcheck import Bound, Follows, Instance, Smooth, StronglyConvex
from boundcheck.letters import (
    M_,
    Delta,
    Index,
    L,
    Prod,
    Scalar,
    Sum,
    delta,
    eta,
    gap,
    grad,
    i,
    j,
    k,
    mean,
    mu,
    mu_,
    mu_f,
    normsq,
    x,
    xstar,
)
from boundcheck.theorems.directional_smoothness.notation import CONVEX_GD, PAPER

# -- prop:sc-split-analysis ---------------------------------------------------------------------------------------------


def lam(n: Index) -> Scalar:
    """lambda_n = eta_n M_n - 2: negative on good steps."""
    return eta[n] * M_[n] - 2


good_i, good_j = eta[i] < 2 / M_[i], eta[j] < 2 / M_[j]
bad_i = ~good_i


def split_bound(last: Index) -> Scalar:
    """What steps 0, ..., last make of delta_0: good ones contract, bad ones add."""
    return Prod(1 + eta[i] * lam(i) * mu_[i], i, 0, last, where=good_i) * delta[0] + Sum(
        Prod(1 + eta[j] * lam(j) * mu_[j], j, i + 1, last, where=good_j) * (eta[i] * lam(i) / 2 * normsq(grad(x[i]))),
        i,
        0,
        last,
        where=bad_i,
    )


sc_split_analysis = Bound(
    source=PAPER.at("prop:sc-split-analysis", "3"),
    title="good steps contract the gap, bad steps add to it",
    added=(r"$[k] = \{0, \ldots, k\}$, which the paper does not define; with $\{0, \ldots, k-1\}$ it is true (reading first-k)",),
    given=CONVEX_GD,
    states=delta[k] <= split_bound(k),
    refuted_by=Instance(problem="parabola", method="1/(2L)", steps=2, smoothness="A"),
)

sc_split_analysis_proved = sc_split_analysis.as_proved(
    because="with [k] = {0, ..., k}, as in thm:ngd ([k-1] beside sums to k-1) and eta_min, the recursion bounds delta_{k+1}: "
    "step k does not act on x_k; with [k] = {0, ..., k-1} it is true (reading first-k)",
    states=delta[k + 1] <= split_bound(k),
    proof_sketch=(
        r"The descent lemma says $\delta_{i+1} \leq \delta_i + \frac{\eta_i \lambda_i}{2} \|\nabla f(x_i)\|_2^2$ "
        r"[eq:local-descent-lemma].",
        r"On a good step $\lambda_i < 0$, and directional strong convexity towards $x_*$ gives "
        r"$\|\nabla f(x_i)\|_2^2 \geq 2 \mu_i \delta_i$ [prop:sc-split-analysis.gradient]: "
        r"$\delta_{i+1} \leq (1 + \eta_i \lambda_i \mu_i) \delta_i$.",
        r"This factor is not negative while $\delta_i > 0$, since $\delta_{i+1} \geq 0$; once $\delta_i = 0$ the run has ended.",
        r"On a bad step the term $\frac{\eta_i \lambda_i}{2} \|\nabla f(x_i)\|_2^2 \geq 0$ is kept as it is.",
        r"Steps $0, \ldots, k$, one after another, lead from $\delta_0$ to $\delta_{k+1}$, and what a bad step $i$ adds is "
        r"multiplied "
        r"by the factors of the good steps $j > i$.",
    ),
)

sc_split_analysis_short = Bound(
    source=PAPER.at("prop:sc-split-analysis", "3"),
    reading="first-k",
    title="good steps contract the gap, bad steps add to it: with [k] = {0, ..., k-1}, the steps that lead to x_k",
    given=CONVEX_GD,
    states=delta[k] <= split_bound(k - 1),
)

# -- steps 1/L on a smooth and strongly convex function -----------------------------------------------------------------

ONE_OVER_L = (*CONVEX_GD, Smooth, StronglyConvex, Follows(eta[i] == 1 / L))
local_rate = Prod(1 - mu_[i] * (2 - M_[i] / L) / L, i, 0, k)
standard_rate = Prod(1 - mu_f / L, i, 0, k)

sc_tighter_rate = Bound(
    source=PAPER.at("eq:sc-tighter-rate", "3"),
    title="steps 1/L contract the gap by 1 - mu_i (2 - M_i / L) / L",
    given=ONE_OVER_L,
    states=delta[k + 1] <= local_rate * delta[0],
)

sc_constants = Bound(
    source=PAPER.at("eq:sc-tighter-rate.constants", "3"),
    title="for steps 1/L, mu_i (2 - M_i / L) is at least mu",
    given=ONE_OVER_L,
    states=mu_[k] * (2 - M_[k] / L) >= mu_f,
    refuted_by=Instance(problem="parabola", method="1/L", steps=1, smoothness="D"),
)

sc_constants_proved = sc_constants.as_proved(
    because="2 - M_i / L is at least 1 only where M_i <= L: true of A and H; D may be 2L, and then the left side is 0",
    smoothness=("A", "H", "L"),
    proof_sketch=(
        r"On an $L$-smooth $f$, $A$ and $H$ are at most $L$ [thm:polyak.M-at-most-L], so $2 - M_k / L \geq 1$.",
        r"Also $\mu_k = \mu(x_k, x_*) \geq \mu \geq 0$ [eq:directional-sc.at-least-mu]; multiply the two.",
    ),
)

sc_at_least_as_tight = Bound(
    source=PAPER.at("eq:sc-tighter-rate.at-least-as-tight", "3"),
    title="the rate of steps 1/L is at least as tight as the standard 1 - mu / L, for any M",
    given=ONE_OVER_L,
    states=local_rate <= standard_rate,
    refuted_by=Instance(problem="parabola", method="1/L", steps=1, smoothness="D"),
)

sc_at_least_as_tight_proved = sc_at_least_as_tight.as_proved(
    because="it needs mu_i (2 - M_i / L) >= mu, which D does not give",
    smoothness=("A", "H", "L"),
    proof_sketch=(
        r"Each factor $1 - \mu_i (2 - M_i / L) / L$ is at most $1 - \mu / L$, because $\mu_i (2 - M_i / L) \geq \mu$ "
        r"[eq:sc-tighter-rate.constants].",
        r"It is not negative: a step $1/L$ is good, as $M_i \leq L$, so that "
        r"$0 \leq \delta_{i+1} \leq (1 - \mu_i (2 - M_i / L) / L) \delta_i$ "
        r"[prop:sc-split-analysis.good-step], and $\delta_i > 0$ until the run has ended.",
        r"Multiply over $i = 0, \ldots, k$.",
    ),
)

sc_strictly_better = Bound(
    source=PAPER.at("eq:sc-tighter-rate.strict", "3"),
    title="where M_i < L, the rate of steps 1/L is strictly better than the standard 1 - mu / L",
    given=(*ONE_OVER_L, M_[i] < L),
    states=local_rate < standard_rate,
    smoothness=("D", "A", "H"),
    try_on=(
        Instance(problem="ill-conditioned-2d", method="1/L", steps=4, smoothness="A"),
        Instance(problem="ill-conditioned-2d", method="1/L", steps=4, smoothness="H"),
    ),
)

# -- prop:sc-iterates-analysis ------------------------------------------------------------------------------------------


def contraction(n: Index, growth: Callable[[Index], Scalar]) -> Scalar:
    """What step n makes of Delta_n; `growth` is the directional strong convexity at x_{n+1}."""
    return abs(1 - mu_[n] * eta[n]) / (1 + growth(n + 1) * eta[n])


def error_of(n: Index, growth: Callable[[Index], Scalar]) -> Scalar:
    return (M_[n] * eta[n] ** 3 - eta[n] ** 2) / (1 + growth(n + 1) * eta[n]) * normsq(grad(x[n]))


def iterates_bound(growth: Callable[[Index], Scalar]) -> Scalar:
    return Prod(contraction(i, growth), i, 0, k) * Delta[0] + Sum(
        Prod(contraction(j, growth), j, i + 1, k) * error_of(i, growth), i, 0, k
    )


def towards_minimum(n: Index) -> Scalar:
    """mu_n = mu(x_n, x*), as printed."""
    return mu_[n]


def from_minimum(n: Index) -> Scalar:
    """mu(x*, x_n): by how much f grows from x* to x_n."""
    return mu(xstar, x[n])


sc_iterates_analysis = Bound(
    source=PAPER.at("prop:sc-iterates-analysis", "3"),
    title="linear progress of the iterates at each step, and an error where steps are not adapted",
    given=CONVEX_GD,
    states=Delta[k] <= iterates_bound(towards_minimum),
    refuted_by=Instance(problem="parabola", method="1/(2L)", steps=2, smoothness="A"),
)

sc_iterates_analysis_proved = sc_iterates_analysis.as_proved(
    because="the proof bounds Delta_{k+1} by steps 0, ..., k; and f(x_{k+1}) - f* >= mu Delta_{k+1} / 2 needs mu(x*, x_{k+1})",
    states=Delta[k + 1] <= iterates_bound(from_minimum),
    proof_sketch=(
        r"With $g_i = \nabla f(x_i)$ the square expands to "
        r"$\Delta_{i+1} = \Delta_i - 2 \eta_i \langle g_i, x_{i+1} - x_* \rangle - \eta_i^2 \|g_i\|_2^2$ "
        r"[prop:sc-iterates-analysis.difference].",
        r"From the definition of $M$, $\langle g_i, x_{i+1} - x_i \rangle \geq f(x_{i+1}) - f(x_i) - \eta_i^2 M_i \|g_i\|_2^2 "
        r"/ 2$; from that of "
        r"$\mu_i$, $\langle g_i, x_i - x_* \rangle \geq \delta_i + \mu_i \Delta_i / 2$ [eq:directional-sc].",
        r"Added, $\Delta_{i+1} \leq (1 - \mu_i \eta_i) \Delta_i - 2 \eta_i \delta_{i+1} + (M_i \eta_i^3 - \eta_i^2) \|g_i\|_2^2$ "
        r"[prop:sc-iterates-analysis.controlled].",
        r"From $x_*$, where the gradient is $0$, $\delta_{i+1} \geq \mu(x_*, x_{i+1}) \Delta_{i+1} / 2$ [eq:directional-sc]: "
        r"it is "
        r"$\mu(x_*, x_{i+1})$ that enters, not $\mu(x_{i+1}, x_*)$.",
        r"So $(1 + \mu(x_*, x_{i+1}) \eta_i) \Delta_{i+1} \leq |1 - \mu_i \eta_i| \Delta_i + (M_i \eta_i^3 - \eta_i^2) "
        r"\|g_i\|_2^2$. Divide, and "
        r"apply it for $i = 0, \ldots, k$; the factors are not negative.",
    ),
)

sc_iterates_analysis_without_index = sc_iterates_analysis_proved.without(
    "the-index",
    because="with mu(x*, x_{i+1}) but still for Delta_k: step k does not act on x_k",
    states=Delta[k] <= iterates_bound(from_minimum),
    refuted_by=Instance(problem="parabola", method="1/(2L)", steps=2, smoothness="A"),
)

sc_iterates_analysis_without_order = sc_iterates_analysis_proved.without(
    "the-order",
    because="for Delta_{k+1} but still with mu(x_{i+1}, x*): it is large where f is flat near x* and steep at x_{i+1}",
    states=Delta[k + 1] <= iterates_bound(towards_minimum),
    refuted_by=Instance(problem="steep-then-flat", method="given(3/5, 6)", steps=2, smoothness="H"),
)

linear_progress = Bound(
    source=PAPER.at("prop:sc-iterates-analysis.linear-progress", "3"),
    title="the analysis shows linear progress at each step: where eta_k mu_k <= 2, the factor "
    "|1 - mu_k eta_k| / (1 + mu_{k+1} eta_k) is at most 1",
    given=(*CONVEX_GD, eta[i] * mu_[i] <= 2),
    states=contraction(k, towards_minimum) <= 1,
    added=(
        r"what linear progress means: that the factor $|1 - \mu_k \eta_k| / (1 + \mu_{k+1} \eta_k)$ is at most $1$",
        r"$\eta_k \mu_k \leq 2$: without a condition on the steps the factor may be more than $1$",
    ),
)

linear_progress_of_adapted_steps = Bound(
    source=PAPER.at("prop:sc-iterates-analysis.linear-progress", "3"),
    reading="adapted-steps",
    title="the analysis shows linear progress at each step: for adapted steps the factor |1 - mu_k eta_k| / (1 + mu_{k+1} eta_k) "
    "is at most 1",
    because="it needs eta_k mu_k <= 2; mu_k is seen from x_k towards x*, and may be more than M_k, seen towards x_{k+1}",
    given=(*CONVEX_GD, eta[i] < 2 / M_[i]),
    states=contraction(k, towards_minimum) <= 1,
    refuted_by=Instance(problem="asymmetric", method="given(5/4, 7/10)", steps=2, smoothness="H"),
)

degraded = Bound(
    source=PAPER.at("prop:sc-iterates-analysis.degraded", "3"),
    added=(
        r"what degraded means: that the term of step $k$ is positive",
        r"$\nabla f(x_k) \neq 0$, without which the term is $0$",
    ),
    title="where eta_k is not adapted, the second term degrades convergence: what step k adds is positive",
    given=(*CONVEX_GD, eta[i] * M_[i] >= 2, normsq(grad(x[i])) > 0),
    states=error_of(k, towards_minimum) > 0,
    loose_because="the bound is 0: no ratio comes near 1",
)

degraded_only_when = Bound(
    source=PAPER.at("prop:sc-iterates-analysis.degraded", "3"),
    reading="only-when",
    title="the second term degrades convergence only when eta_k is not adapted: for adapted steps it is not positive",
    given=(*CONVEX_GD, eta[i] < 2 / M_[i]),
    states=error_of(k, towards_minimum) <= 0,
    refuted_by=Instance(problem="parabola", method="3/(2L)", steps=1, smoothness="A"),
)

degraded_proved = degraded_only_when.as_proved(
    title="the second term is not positive for steps up to 1/M_k",
    because="M eta^3 - eta^2 is not positive for eta <= 1/M; a step between 1/M and 2/M is adapted, and adds to the distance",
    given=(*CONVEX_GD, eta[i] <= 1 / M_[i]),
    loose_because="the right side is 0, attained at eta = 1/M: no ratio comes near 1",
    proof_sketch=(
        r"$M_k \eta_k^3 - \eta_k^2 = \eta_k^2 (\eta_k M_k - 1) \leq 0$ for $\eta_k \leq 1 / M_k$.",
        r"The denominator $1 + \mu_{k+1} \eta_k$ is positive: $\mu_{k+1} \geq 0$ on a convex $f$ "
        r"[eq:directional-sc-constant.not-negative].",
    ),
)

# -- prop:convex-any-stepsize -------------------------------------------------------------------------------------------


# Where f is affine, D = A = H = 0. On |x|, after travelling a distance s from x_0, the bound's two sides differ by
# (|x_0 - x*| - s)^2 / (2 sum eta_i): little, if s is nearly |x_0 - x*|.
DOWN_A_SLOPE = tuple(
    Instance(problem="sharp-huber", method="constant(1375)", steps=2, smoothness=kind) for kind in ("D", "A", "H")
)


def errors(smoothness: Scalar) -> Scalar:
    return Sum(eta[i] ** 2 * (eta[i] * smoothness - 1) * normsq(grad(x[i])), i, 0, k)


convex_any_stepsize = Bound(
    source=PAPER.at("prop:convex-any-stepsize", "3"),
    title="the average of x_1, ..., x_{k+1} with weights eta_i, for any steps",
    given=CONVEX_GD,
    states=gap(mean(x[i + 1], weight=eta[i], over=(i, 0, k)))
    <= Delta[0] / (2 * Sum(eta[i], i, 0, k)) + errors(M_[i]) / (2 * Sum(eta[i], i, 0, k)),
    try_on=DOWN_A_SLOPE,
)

faster_than_standard = Bound(
    source=PAPER.at("eq:1.faster", "3"),
    added=(r"$\nabla f(x_i) \neq 0$, without which the two sides are equal",),
    title="where M_i < L at every step, the right side of eq:1 is below that of the standard analysis, in which M_i = L",
    given=(*CONVEX_GD, Smooth, M_[i] < L, normsq(grad(x[i])) > 0),
    states=Delta[0] / (2 * Sum(eta[i], i, 0, k)) + errors(M_[i]) / (2 * Sum(eta[i], i, 0, k))
    < Delta[0] / (2 * Sum(eta[i], i, 0, k)) + errors(L) / (2 * Sum(eta[i], i, 0, k)),
    smoothness=("D", "A", "H"),
)
