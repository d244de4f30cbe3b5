"""Section 4.3, Normalized Gradient Descent: x_{k+1} = x_k - eta_k grad f(x_k) / |grad f(x_k)|. Its step is a length.

M in thm:ngd is the point-wise D. Its proof divides the progress of a step by eta_i^2 and sums, so that f(x_i) gets the weight
1/eta_i^2 - 1/eta_{i-1}^2, and drops these terms as negative. For the non-increasing steps of the theorem they are positive; and
what is left moves when f becomes f + C.
"""

from dataclasses import replace

from boundcheck import Bound, By, Convex, Differentiable, Follows, Instance, Method, Once, Smooth, Through, Update, chain
from boundcheck.letters import M_, D, Delta, L, Max, Min, Scalar, Sum, delta, f, grad, i, k, larger, log, norm, sqrt, x, xstar
from boundcheck.letters import eta_length as eta
from boundcheck.theorems.directional_smoothness.notation import PAPER

NORMALIZED = Method(
    name="normalized gradient descent",
    kind="normalized",
    each=(Update(x[k + 1], x[k] - eta[k] / norm(grad(x[k])) * grad(x[k])),),
)
CONVEX_NGD = (Convex, Differentiable, By(NORMALIZED))
NON_INCREASING, NON_DECREASING = eta[i + 1] <= eta[i], eta[i] <= eta[i + 1]

# f is nearly |x| and one step ends where it bends, just before x*: D is 0, and eta_0^2 nearly Delta_0
ONE_STEP_TO_THE_BEND = (Instance(problem="sharp-huber", method="length(2999/1000)", steps=2),)  # and one to ask eta_1 <= eta_0
GROWING_STEPS = (Instance(problem="huber", method="lengths(1/4, 1/2, 1)", steps=3),)  # the rules of the library never grow

best = Min(f(x[i]), i, 0, k - 1) - f(xstar)  # f at the best of x_0, ..., x_{k-1}, less f*
travelled = Delta[0] + Sum(eta[i] ** 2, i, 0, k - 1)
average_D = Sum(D(x[i], x[i + 1]) / k, i, 0, k - 1)

# -- thm:ngd --------------------------------------------------------------------------------------------------------------


def guarantee(first: Scalar, average: Scalar = average_D) -> Scalar:
    return travelled / (2 * k**2) * first + travelled / (2 * k) * average


ngd = Bound(
    source=PAPER.at("thm:ngd", "4.3"),
    added=(r"$M = D$: the display has $M$, the theorem defines $D$",),
    title="normalized gradient descent with non-increasing steps",
    given=(*CONVEX_NGD, NON_INCREASING),
    states=best <= guarantee(f(x[0]) / eta[0] ** 2 - f(xstar) / eta[k - 1] ** 2),
    for_all=k >= 1,
    refuted_by=Instance(problem="huber", method="lengths(1, 1/10, 1/10)", steps=3),
)

highest = Max(f(x[i]), i, 0, k - 1)

half_D = average_D / 2
SUMMED_BY_PARTS = (
    r"One step says $f(x_{i+1}) \leq f(x_i) - \eta_i \|\nabla f(x_i)\|_2 + \frac12 \eta_i^2 D_i$ [thm:ngd.one-step]. Divided by "
    r"$\eta_i^2$ and summed, $\sum_i \|\nabla f(x_i)\|_2 / \eta_i \leq \sum_i (\delta_i - \delta_{i+1}) / \eta_i^2 + \frac12 "
    r"\sum_i D_i$, all "
    r"sums over $i = 0, \ldots, k-1$.",
    r"By parts, $\sum_i (\delta_i - \delta_{i+1}) / \eta_i^2 = \delta_0 / \eta_0^2 + \sum_{i=1}^{k-1} \delta_i (1 / \eta_i^2 - "
    r"1 / \eta_{i-1}^2) "
    r"- \delta_k / \eta_{k-1}^2$.",
)
THEN_JENSEN = (
    r"By Jensen's inequality $\sum_i \eta_i / \|\nabla f(x_i)\|_2 \geq k^2 / \sum_i (\|\nabla f(x_i)\|_2 / \eta_i)$, and the "
    r"best gap is at "
    r"most $(\Delta_0 + \sum_i \eta_i^2) / (2 \sum_i \eta_i / \|\nabla f(x_i)\|_2)$ [thm:ngd.best]. Put the one into the other."
)
TELESCOPED = (
    r"For non-increasing steps the brackets are not negative; with $\delta_i \leq \max_j \delta_j$ in each they telescope to "
    r"$\max_j \delta_j / \eta_{k-1}^2$, and $-\delta_k / \eta_{k-1}^2 \leq 0$ may be left out."
)

ngd_proved = ngd.as_proved(
    because="the dropped terms f(x_i) (1/eta_i^2 - 1/eta_{i-1}^2) are positive; with the largest f(x_i) in each they telescope. "
    "And the proof gives D / 2 where D is printed",
    states=best <= guarantee(highest / eta[k - 1] ** 2 - f(xstar) / eta[k - 1] ** 2, half_D),
    try_on=ONE_STEP_TO_THE_BEND,
    proof_sketch=(*SUMMED_BY_PARTS, TELESCOPED, THEN_JENSEN),
)

ngd_without_last_step = ngd_proved.without(
    "last-step",
    because="the largest f(x_i) with 1/eta_0^2 is still too small",
    refuted_by=Instance(problem="huber", method="lengths(1, 1/10, 1/10)", steps=3),
    states=best <= guarantee(highest / eta[0] ** 2 - f(xstar) / eta[k - 1] ** 2, half_D),
)

ngd_without_highest = ngd_proved.without(
    "highest",
    because="f(x_0) with 1/eta_{k-1}^2 is still too small: a long first step may climb, and short ones stay there",
    refuted_by=Instance(problem="tilted", method="lengths(49/4, 7/4, 7/4, 7/4, 7/4, 7/4, 7/4)", steps=7),
    states=best <= guarantee(f(x[0]) / eta[k - 1] ** 2 - f(xstar) / eta[k - 1] ** 2, half_D),
)

ngd_non_decreasing = ngd.as_proved(
    because="the proof's own condition, eta_{i-1} <= eta_i, makes the dropped terms negative where f is at least 0: for f - f*",
    reading="non-decreasing",
    title="normalized gradient descent with non-decreasing steps",
    given=(*CONVEX_NGD, NON_DECREASING),
    states=best <= guarantee(f(x[0]) / eta[0] ** 2 - f(xstar) / eta[0] ** 2, half_D),
    try_on=(*ONE_STEP_TO_THE_BEND, *GROWING_STEPS),
    proof_sketch=(
        *SUMMED_BY_PARTS,
        r"For non-decreasing steps the brackets are not positive and $\delta_i \geq 0$, so that $\delta_0 / \eta_0^2$ is left.",
        THEN_JENSEN,
    ),
)

ngd_without_condition = ngd_non_decreasing.without(
    "condition",
    because="f - f* in place of f does not save non-increasing steps",
    refuted_by=Instance(problem="huber", method="lengths(1, 1/10, 1/10)", steps=3),
    title=ngd.title,
    given=(*CONVEX_NGD, NON_INCREASING),
)

ngd_without_gap = ngd_non_decreasing.without(
    "gap",
    because="f moved by a constant is no other problem; but with f* = -5 the printed difference is negative here",
    refuted_by=Instance(problem="huber-lowered", method="lengths(1/2, 1)", steps=2),
    states=best <= guarantee(f(x[0]) / eta[0] ** 2 - f(xstar) / eta[k - 1] ** 2, half_D),
)

# -- any directional smoothness function in place of D --------------------------------------------------------------------

average_M = Sum(M_[i] / k, i, 0, k - 1)
with_M = guarantee(highest / eta[k - 1] ** 2 - f(xstar) / eta[k - 1] ** 2, average_M / 2)

any_M_step = Bound(
    source=PAPER.at("thm:ngd.any-M-step", "4.3"),
    reading="lemma",
    title="a step of normalized gradient descent, for any directional smoothness function M",
    given=(Differentiable, By(NORMALIZED)),
    states=f(x[k + 1]) <= f(x[k]) - eta[k] * norm(grad(x[k])) + M_[k] / 2 * eta[k] ** 2,
    smoothness=("A", "H", "L"),  # D, for convex f, is thm:ngd.one-step@proved
)

not_any_M = Bound(
    source=PAPER.at("thm:ngd.any-M", "4.3"),
    title="normalized gradient descent adapts to D and not to every M: for some M the rate with M in place of D fails",
    given=(*CONVEX_NGD, NON_INCREASING),
    states=best > with_M,
    for_all=k >= 1,
    quantifier="there are a convex $f$, a directional smoothness function $M$ of it, and non-increasing steps such that",
    added=(
        r"the formula: the paper says it in words; this is the corrected thm:ngd with $M$ in place of $D$",
        "the reading of the words: not to every $M$, as the comparison with the Polyak step shows",
    ),
    untested="it says that f, M and steps exist: no run decides that",
    refuted_through=Through(
        lemma="thm:ngd.any-M@proved",
        argument="the definition of M from x_k to x_{k+1}, at the distance eta_k, is f(x_{k+1}) <= f(x_k) - eta_k |grad f(x_k)| "
        "+ M_k eta_k^2 / 2 (thm:ngd.any-M-step). The proof of thm:ngd uses nothing else of D: with this line, the corrected "
        "theorem "
        "holds for every directional smoothness function at once, the optimal H among them.",
    ),
)

any_M = not_any_M.as_proved(
    because="the one property of D that the proof uses is that of every directional smoothness function: normalized gradient "
    "descent adapts to all of them at once, as the Polyak step does",
    title="normalized gradient descent with non-increasing steps, for any directional smoothness function M",
    states=best <= with_M,
    untested="",
    try_on=tuple(replace(at, smoothness=kind) for at in ONE_STEP_TO_THE_BEND for kind in ("D", "A", "H")),
    proof_sketch=(
        r"The definition of $M$ [def:directional-smoothness-function] from $x_i$ to $x_{i+1}$, at the distance $\eta_i$, says "
        r"$f(x_{i+1}) \leq f(x_i) - \eta_i \|\nabla f(x_i)\|_2 + \frac12 M_i \eta_i^2$ [thm:ngd.any-M-step@lemma].",
        r"Divided by $\eta_i^2$, summed over $i = 0, \ldots, k-1$ and arranged by parts as in the proof of [thm:ngd], "
        r"$\sum_i \|\nabla f(x_i)\|_2 / \eta_i \leq \max_j \delta_j / \eta_{k-1}^2 + \frac12 \sum_i M_i$.",
        THEN_JENSEN,
    ),
)

# -- its rates ------------------------------------------------------------------------------------------------------------

best_gap = Min(delta[i], i, 0, k - 1)

rate_1_over_k = Bound(
    source=PAPER.at("thm:ngd.rate", "4.3"),
    title="normalized gradient descent is O(1/k), with the constants of the proof",
    given=(*CONVEX_NGD, Smooth, Follows(eta[i] == eta[1] / sqrt(i))),
    states=best_gap <= (Delta[0] + eta[1] ** 2) / (2 * k) * (delta[0] / eta[1] ** 2 + 2 * L),
    for_all=k >= 2,
    untested="eta_0 = 1/sqrt(0) is no number; the proof has eta_i = 1/sqrt(k) here, for a horizon k that is known before",
    added=(
        r"the unit $c = \eta_1$: the step is $c / \sqrt{i}$; printed $c = 1$",
        r"the constants that $\mathcal{O}$ hides: those of the proof for $\eta_i = c / \sqrt{k}$",
    ),
)

horizon = k * eta[0] ** 2  # the step is c / sqrt(k), and this is c^2; as printed c is 1

rate_1_over_k_proved = rate_1_over_k.as_proved(
    because="the step is 1/sqrt(k), constant for the horizon k; and a length has a unit, c: the step is c / sqrt(k)",
    given=(*CONVEX_NGD, Smooth, Once(Max(eta[i], i, 0, k - 1) == Min(eta[i], i, 0, k - 1))),
    states=chain(
        best_gap,
        "<=",
        (Delta[0] + horizon) / (2 * k) * (delta[0] / horizon + average_D),
        "<=",
        (Delta[0] + horizon) / (2 * k) * (delta[0] / horizon + 2 * L),
    ),
    for_all=k >= 1,
    untested="",
    proof_sketch=(
        r"With equal steps $\eta = c / \sqrt{k}$ the brackets of the summation by parts are $0$; so [thm:ngd@non-decreasing] has "
        r"$\delta_0 / \eta_0^2 = k \delta_0 / c^2$ in it, and $\sum_i \eta_i^2 = c^2$ [thm:ngd.horizon-sum].",
        r"$D_i / 2 \leq D_i \leq 2L$ on an $L$-smooth $f$ [eq:directional-smoothness.at-most-2L].",
    ),
)

ANYTIME = (*CONVEX_NGD, Smooth, Follows(eta[i] == eta[0] / sqrt(i + 1)))  # eta_i = c / sqrt(i+1); c = eta_0, printed as 1

# a constant that O may hide: no gap exceeds L/2 times the larger of Delta_0 and c^2 (thm:ngd.no-climb), and D / 2 <= L
anytime_rate = Bound(
    source=PAPER.at("thm:ngd.anytime", "4.3"),
    title="normalized gradient descent is O(log k / k) at any time, with an explicit constant; 1/sqrt(i) read 1/sqrt(i+1)",
    added=(
        r"$\eta_i = c / \sqrt{i+1}$: printed is $1 / \sqrt{i}$, which at $i = 0$ is no number, as for the first schedule",
        r"$L$-smoothness for bounded $M(x_i, x_{i+1})$, and the constant that $\mathcal{O}$ hides",
    ),
    given=ANYTIME,
    states=best_gap
    <= (Delta[0] + eta[0] ** 2 * (1 + log(k))) / (2 * k) * (L / 2 * larger(Delta[0], eta[0] ** 2) / eta[0] ** 2 + L),
    for_all=k >= 1,
    loose_because="for the best i, f(x_i) - f* is at most L d^2 / 2 with d = (Delta_0 + sum eta_i^2) / (2 sum eta_i): "
    "left over right is at most 1/2 for all k up to 10^4",
)

anytime_constants = Bound(
    source=PAPER.at("thm:ngd.anytime", "4.3"),
    reading="constants-of-the-proof",
    title="normalized gradient descent is O(log k / k) at any time, with the constants of the proof put into the guarantee",
    given=ANYTIME,
    states=best <= (Delta[0] + eta[0] ** 2 * log(k)) / (2 * k) * ((f(x[0]) / k - f(xstar)) / eta[0] ** 2 + average_D),
    for_all=k >= 1,
    refuted_by=Instance(problem="tilted", method="over_sqrt(1)", steps=1),
)

anytime_rate_proved = anytime_constants.as_proved(
    because="sum 1/(i+1) is at most 1 + log k, never log k; and 1/eta_{k-1}^2 = k multiplies the largest f(x_i) - f*",
    states=best_gap <= (Delta[0] + eta[0] ** 2 * (1 + log(k))) / (2 * k) * (Max(delta[i], i, 0, k - 1) / eta[0] ** 2 + average_D),
    try_on=(Instance(problem="sharp-huber", method="over_sqrt(2999/1000)", steps=1, arithmetic="auto"),),
    proof_sketch=(
        r"With $\eta_i = c / \sqrt{i+1}$, $c = \eta_0$: $\sum_{i=0}^{k-1} \eta_i^2 = c^2 \sum_{i=1}^{k} 1/i \leq c^2 (1 + \log "
        r"k)$ "
        r"[thm:ngd.anytime-sum], and $1 / \eta_{k-1}^2 = k / c^2$.",
        r"The steps do not increase: put both into [thm:ngd], where $D_i / 2 \leq D_i$.",
    ),
)

anytime_without_one = anytime_rate_proved.without(
    "one",
    because="log k in place of 1 + log k fails at k = 1",
    refuted_by=Instance(problem="tilted", method="over_sqrt(1)", steps=1),
    states=best_gap <= (Delta[0] + eta[0] ** 2 * log(k)) / (2 * k) * (Max(delta[i], i, 0, k - 1) / eta[0] ** 2 + average_D),
)

anytime_without_highest = anytime_rate_proved.without(
    "highest",
    because="(f(x_0) - f*) / k in place of the largest f(x_i) - f* is too small after many steps",
    refuted_by=Instance(problem="tilted", method="over_sqrt(1/20)", steps=60, arithmetic="auto"),
    states=best_gap <= (Delta[0] + eta[0] ** 2 * (1 + log(k))) / (2 * k) * (delta[0] / k / eta[0] ** 2 + average_D),
)

# f rises only where |grad f| < L eta / 2, to a gap of at most L/2 times eta_k times the larger of eta_k and |x_k - x*|
no_climb = Bound(
    source=PAPER.at("thm:ngd.no-climb", "4.3"),
    reading="lemma",
    title="what the anytime rate needs and the paper leaves out: with eta_i = c / sqrt(i+1) the gaps stay bounded",
    given=ANYTIME,
    states=delta[k] <= L / 2 * larger(Delta[0], eta[0] ** 2),
    try_on=(Instance(problem="parabola", method="over_sqrt(100)", steps=1),),  # from 1 to -99: nearly as far as the step is long
)
