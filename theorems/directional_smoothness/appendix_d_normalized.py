"""Appendix D, the proof of thm:ngd, display by display. The step is a length; M is D, as in the theorem.

Where a printed display is true with D, the proof gives it with D / 2: see lemma:ngd-intermediate.
"""

from boundcheck import Bound, By, Follows, Instance, Once, Smooth, chain
from boundcheck.letters import D, Delta, Index, L, Max, Min, Scalar, Sum, delta, f, grad, i, inner, k, log, norm, sqrt, x, xstar
from boundcheck.letters import eta_length as eta
from boundcheck.theorems.directional_smoothness.notation import PAPER
from boundcheck.theorems.directional_smoothness.section4_normalized import (
    CONVEX_NGD,
    GROWING_STEPS,
    NON_DECREASING,
    NON_INCREASING,
    NORMALIZED,
    ONE_STEP_TO_THE_BEND,
    average_D,
    best,
    best_gap,
    highest,
    travelled,
)

g = grad(x[k])

# -- the sum of the progress ------------------------------------------------------------------------------------------------

slopes = Sum(norm(grad(x[i])) / eta[i], i, 0, k - 1)
sum_D = Sum(D(x[i], x[i + 1]), i, 0, k - 1)
first, last = f(x[0]) / eta[0] ** 2, f(xstar) / eta[k - 1] ** 2


def by_parts(high: Index) -> Scalar:
    """The terms of f(x_i) after summation by parts."""
    return Sum(f(x[i]) * (1 / eta[i] ** 2 - 1 / eta[i - 1] ** 2), i, 1, high)


telescoped = Bound(
    source=PAPER.at("eq:slienz8o4z23.telescoped", "D"),
    title="the progress of normalized steps divided by eta_i^2, summed, and rearranged by parts",
    given=(*CONVEX_NGD, NON_INCREASING),
    states=slopes <= first + by_parts(k - 2) - last + sum_D,
    added=(
        "$M = D$, as Section 4.3 has it",
        r"$k \geq 1$: at $k = 0$ the sum is empty",
    ),
    for_all=k >= 1,
    refuted_by=Instance(problem="huber", method="lengths(1, 1/2)", steps=2),
)

telescoped_proved = telescoped.as_proved(
    because="x_{k-1} has a term too: the inner sum ends at k-1, and then steps may do what they like",
    given=CONVEX_NGD,
    states=slopes <= first + by_parts(k - 1) - last + sum_D / 2,
    proof_sketch=(
        r"Divide [thm:ngd.one-step@proved] by $\eta_i^2$: $\|\nabla f(x_i)\| / \eta_i \leq (f(x_i) - f(x_{i+1})) / "
        r"\eta_i^2 + D(x_i, x_{i+1}) / 2$. Sum over $i = 0, \ldots, k - 1$.",
        r"By parts, $\sum_{i < k} (f(x_i) - f(x_{i+1})) / \eta_i^2 = f(x_0) / \eta_0^2 + \sum_{i=1}^{k-1} f(x_i) (1 / "
        r"\eta_i^2 - 1 / \eta_{i-1}^2) - f(x_k) / \eta_{k-1}^2$.",
        r"And $f(x_k) \geq f(x^*)$.",
    ),
)

dropped = Bound(
    source=PAPER.at("eq:slienz8o4z23", "D"),
    title="the sum of |grad f(x_i)| / eta_i without the terms of f(x_1), f(x_2), ...; steps do not increase",
    given=(*CONVEX_NGD, NON_INCREASING),
    states=slopes <= first - last + sum_D,
    added=(
        "$M = D$, as Section 4.3 has it",
        r"$k \geq 1$: at $k = 0$ the sum is empty",
    ),
    for_all=k >= 1,
    refuted_by=Instance(problem="huber", method="lengths(1, 1/2)", steps=2),
)

dropped_proved = dropped.as_proved(
    because="for non-increasing steps the terms are positive; each f(x_i) is at most the largest, and the weights telescope",
    states=slopes <= highest / eta[k - 1] ** 2 - last + sum_D / 2,
    proof_sketch=(
        r"Let $F$ be the largest of $f(x_0), \ldots, f(x_{k-1})$. The steps do not increase, so $1 / \eta_i^2 - 1 / "
        r"\eta_{i-1}^2 \geq 0$.",
        "In [eq:slienz8o4z23.telescoped@proved] replace each $f(x_i)$ with $i < k$ by $F$, which is not smaller.",
        r"The weights $1 / \eta_0^2 + \sum_{i=1}^{k-1} (1 / \eta_i^2 - 1 / \eta_{i-1}^2)$ telescope to $1 / \eta_{k-1}^2$.",
    ),
)

dropped_without_last_step = dropped_proved.without(
    "last-step",
    because="the largest f(x_i) with 1/eta_0^2 is still too small",
    refuted_by=Instance(problem="huber", method="lengths(1, 1/2)", steps=2),
    states=slopes <= highest / eta[0] ** 2 - last + sum_D / 2,
)

dropped_without_highest = dropped_proved.without(
    "highest",
    because="f(x_0) with 1/eta_{k-1}^2 is still too small where the first step climbs",
    refuted_by=Instance(problem="tilted", method="lengths(12, 5)", steps=2),
    states=slopes <= f(x[0]) / eta[k - 1] ** 2 - last + sum_D / 2,
)

dropped_non_decreasing = dropped.as_proved(
    because="for non-decreasing steps the terms of f(x_i) - f* are not positive",
    reading="non-decreasing",
    title="the sum of |grad f(x_i)| / eta_i without the terms of f(x_1), f(x_2), ...; steps do not decrease",
    given=(*CONVEX_NGD, NON_DECREASING),
    states=slopes <= first - f(xstar) / eta[0] ** 2 + sum_D / 2,
    try_on=GROWING_STEPS,
    proof_sketch=(
        "[eq:slienz8o4z23.telescoped@proved] is the same for $f - f(x^*)$ in place of $f$, since gradients and $D$ are. "
        "Its last value is $0$.",
        r"The steps do not decrease, so $1 / \eta_i^2 - 1 / \eta_{i-1}^2 \leq 0$ [eq:slienz8o4z23.sign], and $f(x_i) - "
        r"f(x^*) \geq 0$: the terms of $x_1, \ldots, x_{k-1}$ are not positive, and are dropped.",
    ),
)

dropped_without_condition = dropped_non_decreasing.without(
    "condition",
    because="f - f* in place of f does not save non-increasing steps",
    refuted_by=Instance(problem="huber", method="lengths(1, 1/2)", steps=2),
    title=dropped.title,
    given=(*CONVEX_NGD, NON_INCREASING),
)

dropped_without_gap = dropped_non_decreasing.without(
    "gap",
    because="f(x_0) / eta_0^2 - f* / eta_{k-1}^2 moves with f + C: it is negative here, where f* = -5",
    refuted_by=Instance(problem="huber-lowered", method="lengths(1/2, 1)", steps=2),
    states=slopes <= first - last + sum_D / 2,
)

sign = Bound(
    source=PAPER.at("eq:slienz8o4z23.sign", "D"),
    title="eta_{i-1} <= eta_i implies 1/eta_i^2 - 1/eta_{i-1}^2 <= 0",
    given=(By(NORMALIZED), NON_DECREASING),
    states=1 / eta[k + 1] ** 2 - 1 / eta[k] ** 2 <= 0,
    try_on=GROWING_STEPS,
    loose_because="the bound is 0, which equal steps attain: no ratio comes near 1",
)

sign_as_used = Bound(
    source=PAPER.at("eq:slienz8o4z23.sign", "D"),
    reading="as-used",
    title="1/eta_i^2 - 1/eta_{i-1}^2 <= 0 for the steps of thm:ngd, which do not increase",
    given=(By(NORMALIZED), NON_INCREASING),
    states=1 / eta[k + 1] ** 2 - 1 / eta[k] ** 2 <= 0,
    refuted_by=Instance(problem="huber", method="lengths(1, 1/2)", steps=2),
)

# -- Jensen -------------------------------------------------------------------------------------------------------------------

jensen = Bound(
    source=PAPER.at("eq:tnreslinisere", "D"),
    title="thm:ngd: Jensen's inequality for 1/a bounds the sum of eta_i / |grad f|, then eq:slienz8o4z23",
    given=(*CONVEX_NGD, NON_INCREASING),
    states=chain(
        Sum(eta[i] / norm(grad(x[k])), i, 0, k - 1),
        ">=",
        k**2 / Sum(norm(grad(x[k])) / eta[i], i, 0, k - 1),
        ">=",
        k**2 / (first - last + sum_D),
    ),
    added=(
        "$M = D$, as Section 4.3 has it",
        r"$k \geq 1$: at $k = 0$ the sum is empty",
    ),
    for_all=k >= 1,
    refuted_by=Instance(problem="huber", method="lengths(1, 1/2)", steps=2),
)

lengths_over_slopes = Sum(eta[i] / norm(grad(x[i])), i, 0, k - 1)

jensen_proved = jensen.as_proved(
    because="the gradients are those at x_i, and eq:slienz8o4z23 as it is proved",
    states=chain(lengths_over_slopes, ">=", k**2 / slopes, ">=", k**2 / (highest / eta[k - 1] ** 2 - last + sum_D)),
    proof_sketch=(
        r"The mean of the $a_i = \eta_i / \|\nabla f(x_i)\|$ is at least their harmonic mean (Jensen's inequality for $1 / "
        r"a$): $\sum_{i < k} a_i \geq k^2 / \sum_{i < k} 1 / a_i$.",
        r"[eq:slienz8o4z23@proved] bounds $\sum_{i < k} 1 / a_i$, with $D / 2$, and so with $D$.",
    ),
)

jensen_without_index = jensen_proved.without(
    "index",
    because="with eq:slienz8o4z23 as proved, the gradient at x_k, which may be the steepest, still fails",
    refuted_by=Instance(problem="tilted", method="lengths(24, 4, 4, 4, 4, 4, 4)", steps=7),
    states=chain(
        Sum(eta[i] / norm(grad(x[k])), i, 0, k - 1),
        ">=",
        k**2 / Sum(norm(grad(x[k])) / eta[i], i, 0, k - 1),
        ">=",
        k**2 / (highest / eta[k - 1] ** 2 - last + sum_D),
    ),
)

jensen_without_highest = jensen_proved.without(
    "highest",
    because="with the gradients at x_i, the printed right side still fails",
    refuted_by=Instance(problem="huber", method="lengths(1, 1/2)", steps=2),
    states=chain(lengths_over_slopes, ">=", k**2 / slopes, ">=", k**2 / (first - last + sum_D)),
)

# -- the distance to x* -------------------------------------------------------------------------------------------------------

# f is nearly |x| and three steps of length 1 lead from 3 to x*: f(x_i) - f* is nearly <grad f(x_i), x_i - x*>
THREE_STEPS_TO_XSTAR = (Instance(problem="sharp-huber", method="length(1)", steps=3),)

# as printed it divides by the gradient at x_k, whichever i < k the step is: written for i = 0
distance = Bound(
    source=PAPER.at("thm:ngd.distance", "D"),
    title="the square of the distance to x* after a normalized step",
    given=CONVEX_NGD,
    states=Delta[1] <= Delta[0] - 2 * eta[0] * (delta[0] / norm(grad(x[k]))) + eta[0] ** 2,
    added=("$i = 0$: the step $i$ is the first, and $x_k$ any later point",),
    for_all=k >= 1,
    refuted_by=Instance(problem="huber", method="lengths(1, 1, 3/4)", steps=3),
)

distance_proved = distance.as_proved(
    because="step i divides by the gradient at x_i; written for i = k",
    states=chain(
        Delta[k + 1],
        "==",
        Delta[k] - 2 * (eta[k] / norm(g)) * inner(g, x[k] - xstar) + eta[k] ** 2,
        "<=",
        Delta[k] - 2 * eta[k] * (delta[k] / norm(g)) + eta[k] ** 2,
    ),
    for_all=k >= 0,
    try_on=THREE_STEPS_TO_XSTAR,
    proof_sketch=(
        r"$x_{k+1} = x_k - \eta_k \nabla f(x_k) / \|\nabla f(x_k)\|$; expand $\|x_{k+1} - x^*\|^2$, in which the last term "
        r"is $\eta_k^2$.",
        r"By convexity $\langle \nabla f(x_k), x_k - x^* \rangle \geq f(x_k) - f(x^*) = \delta_k$ "
        "[lemma:directional-smoothness.convexity].",
    ),
)

weighted_gaps = Sum(eta[i] * (delta[i] / norm(grad(x[i]))), i, 0, k - 1)

summed = Bound(
    source=PAPER.at("thm:ngd.summed", "D"),
    title="the distances to x* of normalized steps, summed and telescoped; the printed t is k",
    given=CONVEX_NGD,
    states=weighted_gaps <= travelled / 2,
    added=(
        "$t$ is read as $k$",
        r"$k \geq 1$: at $k = 0$ the sum is empty",
    ),
    for_all=k >= 1,
    try_on=THREE_STEPS_TO_XSTAR,
)

best_at_most_mean = Bound(
    source=PAPER.at("thm:ngd.best", "D"),
    title="thm:ngd: the best gap is at most the mean with weights eta_i / |grad f(x_i)|",
    given=CONVEX_NGD,
    states=chain(best_gap, "<=", 1 / lengths_over_slopes * weighted_gaps, "<=", travelled / lengths_over_slopes / 2),
    added=(r"$k \geq 1$: at $k = 0$ the sum is empty",),
    for_all=k >= 1,
)

master = Bound(
    source=PAPER.at("eq:norm-gd-master-eq", "D"),
    title="the master inequality of normalized gradient descent: thm:ngd in another order",
    given=(*CONVEX_NGD, NON_INCREASING),
    states=best <= travelled / k / 2 * (f(x[0]) / (k * eta[0] ** 2) - f(xstar) / (k * eta[k - 1] ** 2) + average_D),
    added=(
        "$M = D$, as Section 4.3 has it",
        r"$k \geq 1$: at $k = 0$ the sum is empty",
    ),
    for_all=k >= 1,
    refuted_by=Instance(problem="huber", method="lengths(1, 1/10, 1/10)", steps=3),
)

master_proved = master.as_proved(
    because="as for thm:ngd; and the proof gives D / 2",
    states=best <= travelled / k / 2 * (highest / (k * eta[k - 1] ** 2) - f(xstar) / (k * eta[k - 1] ** 2) + average_D / 2),
    try_on=ONE_STEP_TO_THE_BEND,
    proof_sketch=(
        r"Let $F$ be the largest of $f(x_0), \ldots, f(x_{k-1})$. [thm:ngd.best] bounds the best gap by $\frac{1}{2} "
        r"(\Delta_0 + \sum_{i < k} \eta_i^2)$ over $\sum_{i < k} \eta_i / \|\nabla f(x_i)\|$.",
        r"The harmonic mean is at most the mean, so that this sum is at least $k^2 / \sum_{i < k} \|\nabla f(x_i)\| / "
        r"\eta_i$.",
        r"[eq:slienz8o4z23@proved] bounds the sum below by $(F - f(x^*)) / \eta_{k-1}^2 + \frac{1}{2} \sum_{i < k} D(x_i, "
        "x_{i+1})$; divide by $k$ twice.",
    ),
)

# -- the two choices of the steps ------------------------------------------------------------------------------------------------

HORIZON = Once(Max(eta[i], i, 0, k - 1) == Min(eta[i], i, 0, k - 1))  # eta = c / sqrt(k) for the horizon k: c^2 = k eta^2
c2 = k * eta[0] ** 2

bounded_average = Bound(
    source=PAPER.at("thm:ngd.bounded", "D"),
    title="thm:ngd: the average of the D_i is bounded if the gradient is L-Lipschitz",
    given=(*CONVEX_NGD, Smooth),
    states=average_D <= 2 * L,
    for_all=k >= 1,
    added=("the bound $2 L$: none is printed",),
)

horizon_sum = Bound(
    source=PAPER.at("thm:ngd.horizon-sum", "D"),
    title="thm:ngd with eta_i = 1/sqrt(k): the squares add up to 1 (to c^2, with a unit)",
    given=(By(NORMALIZED), HORIZON),
    states=Sum(eta[i] ** 2, i, 0, k - 1) == c2,
    added=("a unit of length $c$, which is printed as $1$",),
    for_all=k >= 1,
)

horizon_difference = Bound(
    source=PAPER.at("thm:ngd.horizon-difference", "D"),
    title="thm:ngd with eta_i = 1/sqrt(k): its difference is f(x_0) - f*",
    given=(*CONVEX_NGD, HORIZON),
    states=f(x[0]) / (k * eta[0] ** 2) - f(xstar) / (k * eta[k - 1] ** 2) == (f(x[0]) - f(xstar)) / c2,
    added=("a unit of length $c$, which is printed as $1$",),
    for_all=k >= 1,
)

ANYTIME = Follows(eta[i] == eta[0] / sqrt(i + 1))

anytime_sum = Bound(
    source=PAPER.at("thm:ngd.anytime-sum", "D"),
    title="thm:ngd with eta_i = 1/sqrt(i+1): the sum of the squares",
    given=(By(NORMALIZED), ANYTIME),
    states=Sum(eta[i] ** 2, i, 0, k - 1) <= eta[0] ** 2 * log(k),
    added=(
        "a unit of length $c$, which is printed as $1$",
        r"$k \geq 1$: at $k = 0$ the sum is empty",
    ),
    for_all=k >= 1,
    refuted_by=Instance(problem="huber", method="over_sqrt(1)", steps=1),
)

anytime_sum_proved = anytime_sum.as_proved(
    because="1 + 1/2 + ... + 1/k is above log k for every k, and at most 1 + log k",
    states=Sum(eta[i] ** 2, i, 0, k - 1) <= eta[0] ** 2 * (1 + log(k)),
    proof_sketch=(
        r"$\eta_i^2 = \eta_0^2 / (i + 1)$. For $i \geq 1$, $\frac{1}{i + 1} \leq \int_i^{i+1} \frac{dt}{t}$.",
        r"So $\sum_{i=0}^{k-1} \frac{1}{i + 1} \leq 1 + \int_1^k \frac{dt}{t} = 1 + \log k$.",
    ),
)

anytime_difference = Bound(
    source=PAPER.at("thm:ngd.anytime-difference", "D"),
    title="thm:ngd with eta_i = 1/sqrt(i+1): its difference is f(x_0)/k - f*",
    given=(*CONVEX_NGD, ANYTIME),
    states=f(x[0]) / (k * eta[0] ** 2) - f(xstar) / (k * eta[k - 1] ** 2) == (f(x[0]) / k - f(xstar)) / eta[0] ** 2,
    added=("a unit of length $c$, which is printed as $1$",),
    for_all=k >= 1,
)
