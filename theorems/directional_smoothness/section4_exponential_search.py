"""Section 4.2.1, Exponential Search: one constant step that adapts on average.

Along gradient descent with a constant step eta, psi(eta) = sum |grad f(x_i)|^2 / sum M_i |grad f(x_i)|^2, both over i = 0..k:
one over the mean of the M_i with weights |grad f(x_i)|^2. The search looks for a root of phi(eta) = eta - psi(eta). Where all M_i
are 0, psi is infinite; so phi(eta) <= 0 is written eta sum M_i |grad f(x_i)|^2 <= sum |grad f(x_i)|^2. In claims about the search
itself x is the run with the step returned, and x' (x.of("prime")) the run with eta', the step that ended up just above it.
"""

from typing import Any

from boundcheck import Bound, Convex, Follows, GradientDescent, Instance, Once, Parameter, Runs, Smooth, StepSearch
from boundcheck.letters import (
    NONE,
    STEP,
    Delta,
    K,
    L,
    M,
    Max,
    Min,
    Scalar,
    Sum,
    eta,
    gap,
    grad,
    i,
    k,
    larger,
    log,
    mean,
    normsq,
    x,
)
from boundcheck.theorems.directional_smoothness.notation import CONVEX_GD, PAPER

PRIME = "prime"
EXPONENTIAL_SEARCH = StepSearch("exponential search", roles=("", PRIME))
SEARCH = (Convex, Smooth, Runs.together({"": GradientDescent().main, PRIME: GradientDescent().main}, steps=EXPONENTIAL_SEARCH))
TWICE = Follows(eta.of(PRIME)[i] == 2 * eta[i])  # the steps tried are eta_0 over powers of 2: where it stops, eta' is 2 eta
eta_0 = Parameter("eta0", STEP, r"\eta_0")  # where the search begins
iterations = Parameter("N", NONE)  # of gradient descent, in the whole search
evaluations = Parameter("searches", NONE)  # of phi, each one a run of gradient descent
FOUND_BY_THE_SEARCH = {"eta0": (1,), "N": (1,), "searches": (1,)}  # a search says them itself

# f is nearly |x|, and 40 equal steps just above 1/(2L) lead to where it bends, at x*; with M = L, psi = 1/L is nearly 2 eta
WALK_TO_THE_BEND = (Instance(problem="tilted", method="over_L(513/1024)", steps=42, smoothness="L"),)
# phi(eta_0) is just above 0, so that eta_0 / 2 is returned: the same walk
SEARCH_JUST_ABOVE = (Instance(problem="tilted", method="exponential_search(513/512)", steps=41, smoothness="L"),)
# eta_0 L is just above 2^(2^2): two rounds just miss, the third is made
THIRD_ROUND = (Instance(problem="huber", method="exponential_search(17)", steps=2, smoothness="L", arithmetic="auto"),)


def squares(last: Any, run: str = "") -> Scalar:
    """sum_{i=0..last} |grad f(x_i)|^2."""
    return Sum(normsq(grad(x.of(run)[i])), i, 0, last)


def weighted(last: Any, run: str = "") -> Scalar:
    """sum_{i=0..last} M_i |grad f(x_i)|^2."""
    point = x.of(run)
    return Sum(M(point[i], point[i + 1]) * normsq(grad(point[i])), i, 0, last)


def constant_steps(last: Any) -> Once:
    """eta_0 = ... = eta_last."""
    return Once(Max(eta[i], i, 0, last) == Min(eta[i], i, 0, last))


def at_most_psi(last: Any, run: str = "") -> Once:
    """phi(eta) <= 0."""
    return Once(eta.of(run)[0] * weighted(last, run) <= squares(last, run))


def above_psi(last: Any, run: str = "") -> Once:
    """phi(eta) > 0."""
    return Once(eta.of(run)[0] * weighted(last, run) > squares(last, run))


# -- a step that adapts on average ----------------------------------------------------------------------------------------

average_smoothness = weighted(k) / squares(k)

exp_5 = Bound(
    source=PAPER.at("eq:exp-5", "4.2.1"),
    title="a step between psi/2 and psi: the rate has the weighted mean of the M_i",
    given=(*CONVEX_GD, constant_steps(k), at_most_psi(k), Once(squares(k) <= 2 * eta[0] * weighted(k))),
    states=gap(mean(x[i + 1], over=(i, 0, k))) <= k * average_smoothness * Delta[0],
    for_all=k >= 1,
    added=(r"$k \geq 1$: at $k = 0$ it says $f(x_1) \leq f(x_*)$, which is false (reading from-0)",),
    loose_because="the same bound holds with 1/(k+1) in place of k, so left over right is at most 1/(k (k+1))",
)

exp_5_from_0 = Bound(
    source=PAPER.at("eq:exp-5", "4.2.1"),
    reading="from-0",
    title="a step between psi/2 and psi: the rate has the weighted mean of the M_i; from k = 0 on",
    because="k stands above the line and belongs below it, as k + 1: at k = 0 the right side is 0, and then it grows with k",
    given=exp_5.given,
    states=exp_5.states,
    refuted_by=Instance(problem="half-square", method="over_L(1/2)", steps=1, smoothness="H"),
)

exp_5_proved = exp_5.as_proved(
    because="k + 1 steps of at least psi/2 add up to (k+1) psi/2: k divides; the printed bound grows with k, true and empty",
    states=gap(mean(x[i + 1], over=(i, 0, k))) <= average_smoothness / (k + 1) * Delta[0],
    try_on=WALK_TO_THE_BEND,
    loose_because="",
    proof_sketch=(
        r"With one step $\eta$ for all, prop:convex-any-stepsize reads "
        r"$f(\bar x_k) - f(x_*) \leq \frac{\Delta_0}{2 (k+1) \eta} + "
        r"\frac{\eta}{2 (k+1)} (\eta \sum_i M_i \|\nabla f(x_i)\|_2^2 - \sum_i \|\nabla "
        r"f(x_i)\|_2^2)$ [prop:convex-any-stepsize].",
        r"The bracket is not positive, because $\eta \leq \psi(\eta)$.",
        r"$\eta \geq \psi(\eta) / 2$ in the first term gives $\Delta_0 / ((k+1) \psi(\eta))$, and $1 / \psi(\eta)$ is the "
        r"weighted mean.",
    ),
)

average_at_most_largest = Bound(
    source=PAPER.at("eq:exp-5.average", "4.2.1"),
    title="the weighted mean of the M_i is not larger than the largest of them",
    given=CONVEX_GD,
    states=average_smoothness <= Max(M(x[i], x[i + 1]), i, 0, k),
)

average_below_largest = Bound(
    source=PAPER.at("eq:exp-5.average", "4.2.1"),
    reading="strict",
    title="the weighted mean of the M_i is smaller than the largest of them, strictly",
    given=CONVEX_GD,
    states=average_smoothness < Max(M(x[i], x[i + 1]), i, 0, k),
    refuted_by=Instance(problem="parabola", method="1/(2L)", steps=2, smoothness="H"),
)

# -- thm:exponential-search-gd --------------------------------------------------------------------------------------------

case_1 = Bound(
    source=PAPER.at("thm:exponential-search-gd.case-1", "4.2.1"),
    title="exponential search, case 1: phi(eta_0) <= 0, and eta_0 is returned",
    given=(Convex, Smooth, GradientDescent(), constant_steps(k), at_most_psi(k)),
    states=gap(mean(x[i], over=(i, 0, k - 1))) <= Delta[0] / (2 * k * eta[0]),
    for_all=k >= 1,
    refuted_by=Instance(problem="huber", method="constant(2)", steps=2, smoothness="H"),
)

case_1_proved = case_1.as_proved(
    because="prop:convex-any-stepsize, which the proof uses, bounds the mean of the x_{i+1}: no step has acted on x_0",
    states=gap(mean(x[i + 1], over=(i, 0, k - 1))) <= Delta[0] / (2 * k * eta[0]),
    try_on=WALK_TO_THE_BEND,
    proof_sketch=(
        r"One step says $2 \eta \delta_{i+1} \leq \Delta_i - \Delta_{i+1} + \eta^2 (\eta M_i - 1) \|\nabla f(x_i)\|_2^2$ "
        r"[prop:convex-any-stepsize.controlled].",
        r"Summed over $i = 0, \ldots, k$, the last terms add up to at most $0$, which is $\phi(\eta) \leq 0$: "
        r"$2 \eta \sum_{i=0}^{k} \delta_{i+1} \leq \Delta_0$.",
        r"Leave out $\delta_{k+1} \geq 0$, divide by $2 \eta k$, and use Jensen's inequality for the mean of $x_1, \ldots, x_k$.",
    ),
)

case_1_to_K_1 = Bound(
    source=PAPER.at("thm:exponential-search-gd.case-1", "4.2.1"),
    reading="k-is-K-1",
    title="exponential search, case 1: phi(eta_0) <= 0, and eta_0 is returned; the k of psi's sums read as K - 1",
    given=(Convex, Smooth, GradientDescent(), constant_steps(k - 1), at_most_psi(k - 1)),
    states=gap(mean(x[i], over=(i, 0, k - 1))) <= Delta[0] / (2 * k * eta[0]),
    for_all=k >= 1,
    refuted_by=Instance(problem="huber", method="constant(2)", steps=1, smoothness="H"),
)

average_smoothness_prime = weighted(K, PRIME) / squares(K, PRIME)

case_2 = Bound(
    source=PAPER.at("thm:exponential-search-gd.case-2", "4.2.1"),
    title="exponential search, case 2: phi(eta) <= 0 < phi(eta'), eta' = 2 eta; the k of the printed sums read as K",
    given=(*SEARCH, at_most_psi(K), above_psi(K, PRIME), TWICE),
    states=gap(mean(x[i], over=(i, 0, K - 1))) <= Delta[0] / (2 * K) * average_smoothness_prime,
    for_all=K >= 1,
    quantifier=r"there is an $\eta' \in [\eta, 2 \eta]$ such that",
    added=(r"$\eta' = 2 \eta$, with which the search ends", r"$k = K$: the $k$ of the printed sums is not defined"),
    because="the proof bounds the mean of the x_{i+1}, not of the x_i; and eta is only known to be at least eta'/2: 2 cancels. "
    "No other eta' saves it: on the run of the counterexample (Huber from x_0 = 2, eta = 3/2, K = 1) every eta' in [eta, 2 eta] "
    "fails, the largest right side of all being 4/3, at eta' = 2 eta, against 3/2 on the left",
    refuted_by=Instance(problem="huber", method="exponential_search(27/4)", steps=2, smoothness="H"),
)

case_2_proved = case_2.as_proved(
    because="the proof bounds the mean of the x_{i+1}; and eta is only known to be at least eta'/2, so the 2 cancels",
    states=gap(mean(x[i + 1], over=(i, 0, K - 1))) <= Delta[0] / K * average_smoothness_prime,
    try_on=SEARCH_JUST_ABOVE,
    proof_sketch=(
        r"As in case 1, $\phi(\eta) \leq 0$ gives $f(\bar x_K) - f(x_*) \leq \Delta_0 / (2 K \eta)$ for the mean of "
        r"$x_1, \ldots, x_K$ "
        r"[thm:exponential-search-gd.case-1].",
        r"$\phi(\eta') > 0$ says $1 / \eta' < \sum_i M_i \|\nabla f(x_i')\|_2^2 / \sum_i \|\nabla f(x_i')\|_2^2$ "
        r"[thm:exponential-search-gd.invariant-high].",
        r"$\eta' = 2 \eta$, so $\Delta_0 / (2 K \eta) = \Delta_0 / (K \eta')$.",
    ),
)

case_2_to_K_1 = Bound(
    source=PAPER.at("thm:exponential-search-gd.case-2", "4.2.1"),
    reading="k-is-K-1",
    title="exponential search, case 2: phi(eta) <= 0 < phi(eta'), eta' = 2 eta; the k of the printed sums read as K - 1",
    given=(*SEARCH, at_most_psi(K - 1), above_psi(K - 1, PRIME), TWICE),
    states=gap(mean(x[i], over=(i, 0, K - 1))) <= Delta[0] / (2 * K) * (weighted(K - 1, PRIME) / squares(K - 1, PRIME)),
    for_all=K >= 1,
    refuted_by=Instance(problem="huber", method="exponential_search(12)", steps=1, smoothness="H"),
)

case_2_without_shift = case_2_proved.without(
    "shift",
    because="with the factor corrected, the mean of x_0, ..., x_{K-1} still fails",
    refuted_by=Instance(problem="tilted", method="exponential_search(125/2)", steps=2, smoothness="H"),
    states=gap(mean(x[i], over=(i, 0, K - 1))) <= Delta[0] / K * average_smoothness_prime,
)

case_2_without_factor = case_2_proved.without(
    "factor",
    because="with the mean corrected, 1/(2K) still fails",
    refuted_by=Instance(problem="tilted", method="exponential_search(135/2)", steps=3, smoothness="H"),
    states=gap(mean(x[i + 1], over=(i, 0, K - 1))) <= Delta[0] / (2 * K) * average_smoothness_prime,
)

# -- its number of iterations: K for each evaluation of phi ---------------------------------------------------------------


def log2(of: Any) -> Scalar:
    return log(of) / log(2)


count = Bound(
    source=PAPER.at("thm:exponential-search-gd.count", "4.2.1"),
    title="the number of iterations of gradient descent in a whole exponential search",
    given=(*SEARCH, at_most_psi(K - 1), eta_0 > 0),
    states=iterations <= 2 * K * larger(log(log(2 * eta_0 / L)), 1),
    for_all=K >= 1,
    try_with=FOUND_BY_THE_SEARCH,
    refuted_by=Instance(problem="huber", method="exponential_search(7/4)", steps=1, smoothness="L", arithmetic="auto"),
)

count_proved = count.as_proved(
    because="n rounds evaluate phi 2n times and n bisections follow, where n is 1 or the least with 2^(2^n) >= eta_0 L: "
    "3 runs, not 2, and logarithms to base 2 of eta_0 L (eta_0 / L is no pure number); D may reach 2L and is a claim of its own",
    states=iterations <= 3 * K * (1 + log2(log2(larger(eta_0 * L, 2)))),
    smoothness=("A", "H", "L"),
    try_on=THIRD_ROUND,
    proof_sketch=(
        r"Steps of at most $1 / L$ have $\phi \leq 0$, as $M_i \leq L$ [thm:exponential-search-gd.small-steps]; so the rounds "
        r"end at the "
        r"latest with the first $n \geq 1$ for which $2^{-2^n} \eta_0 \leq 1 / L$, and "
        r"$n \leq 1 + \log_2 \log_2 \max(\eta_0 L, 2)$.",
        r"Each round evaluates $\phi$ twice, at $\eta_0$ and at $2^{-2^j} \eta_0$: at most $2n$ evaluations.",
        r"The bisection begins with $\log_2(\eta_{hi} / \eta_{lo}) = 2^n$, halves it with each evaluation, and stops at $1$: "
        r"$n$ more.",
        r"An evaluation is a run of $K$ steps: at most $3 n K$ in all.",
    ),
)

count_without_three = count_proved.without(
    "three",
    because="with the logarithms corrected, two runs for each round are still too few: phi(eta_0), phi(eta_0/4), phi(eta_0/2)",
    refuted_by=Instance(problem="huber", method="exponential_search(7/4)", steps=1, smoothness="L", arithmetic="auto"),
    states=iterations <= 2 * K * (1 + log2(log2(larger(eta_0 * L, 2)))),
)

count_without_base_2 = count_proved.without(
    "base-2",
    because="natural logarithms grow too slowly: each round squares, to base 2",
    refuted_by=Instance(problem="huber", method="exponential_search(257)", steps=1, smoothness="L", arithmetic="auto"),
    states=iterations <= 3 * K * (1 + log(log(larger(eta_0 * L, 2)))),
)

count_without_product = count_proved.without(
    "product",
    because="eta_0 / L has a dimension; where L is 2 it is four times too small",
    refuted_by=Instance(problem="parabola", method="exponential_search(17)", steps=2, smoothness="L", arithmetic="auto"),
    states=iterations <= 3 * K * (1 + log2(log2(larger(eta_0 / L, 2)))),
)

count_without_ceiling = count_proved.without(
    "ceiling",
    because="the number of rounds is a ceiling, which adds up to 1 to the logarithm: the larger of it and 1 is too small",
    refuted_by=Instance(problem="huber", method="exponential_search(5)", steps=1, smoothness="L", arithmetic="auto"),
    states=iterations <= 3 * K * larger(log2(log2(2 * eta_0 * L)), 1),
)

count_for_D = count_proved.as_proved(
    because="D is at most 2L: the search goes on until eta is at most 1/(2L)",
    reading="for-D",
    title="the number of iterations of gradient descent in a whole exponential search with M = D",
    states=iterations <= 3 * K * (1 + log2(log2(larger(2 * eta_0 * L, 2)))),
    smoothness=("D",),
    proof_sketch=(
        r"$D \leq 2L$ [eq:directional-smoothness.at-most-2L], so steps of at most $1 / (2L)$ have $\phi \leq 0$ "
        r"[thm:exponential-search-gd.small-steps@for-D].",
        r"The count of [thm:exponential-search-gd.count] with $2L$ in place of $L$.",
    ),
)

count_for_D_without_twice = count_for_D.without(
    "twice-L",
    because="with M = D, phi(1/L) may be positive",
    refuted_by=Instance(problem="parabola", method="exponential_search(3)", steps=2, smoothness="D", arithmetic="auto"),
    states=iterations <= 3 * K * (1 + log2(log2(larger(eta_0 * L, 2)))),
)
