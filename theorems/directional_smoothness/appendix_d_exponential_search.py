"""Appendix D, the proof of thm:exponential-search-gd, display by display. In it k is K, the number of steps that psi looks at.

The letters and the two runs are those of Section 4.2.1: x has the step that the search returned (eta_lo), x' has eta_hi.
"""

from fractions import Fraction

from boundcheck import Bound, Convex, GradientDescent, Instance, Once, Parameter, Smooth, chain
from boundcheck.letters import NONE, Delta, K, L, eta, gap, i, k, larger, log, mean, x
from boundcheck.theorems.directional_smoothness.notation import CONVEX_GD, PAPER
from boundcheck.theorems.directional_smoothness.section4_exponential_search import (
    FOUND_BY_THE_SEARCH,
    PRIME,
    SEARCH,
    SEARCH_JUST_ABOVE,
    THIRD_ROUND,
    TWICE,
    WALK_TO_THE_BEND,
    above_psi,
    at_most_psi,
    constant_steps,
    eta_0,
    evaluations,
    iterations,
    log2,
    squares,
    weighted,
)

# -- case 1 ---------------------------------------------------------------------------------------------------------------

average = mean(x[i + 1], over=(i, 0, k))

constant_step = Bound(
    source=PAPER.at("eq:exp-search-1", "D"),
    title="exponential search: prop:convex-any-stepsize with one step for all",
    given=(*CONVEX_GD, constant_steps(k)),
    states=gap(average) <= Delta[0] / (2 * eta[0] * k) + eta[0] * (eta[0] * weighted(k) - squares(k)) / (2 * k),
    added=(r"$k \geq 1$: at $k = 0$ it divides by $0$",),
    for_all=k >= 1,
    try_on=WALK_TO_THE_BEND,
)

constant_step_proved = constant_step.as_proved(
    because="the steps eta_0, ..., eta_k add up to (k+1) eta; the printed right side is (k+1)/k times this, not less",
    states=gap(average) <= Delta[0] / (2 * eta[0] * (k + 1)) + eta[0] * (eta[0] * weighted(k) - squares(k)) / (2 * (k + 1)),
    try_on=WALK_TO_THE_BEND,
    proof_sketch=(
        r"Put $\eta_i = \eta$ for all $i$ into [prop:convex-any-stepsize]: the steps $\eta_0, \ldots, \eta_k$ add up to "
        r"$(k + 1) \eta$, and the mean with weights $\eta_i$ is the plain mean of $x_1, \ldots, x_{k+1}$.",
    ),
)

lucky_strike = Bound(
    source=PAPER.at("thm:exponential-search-gd.lucky-strike", "D"),
    title="exponential search with phi(eta_0) <= 0: the brackets are phi(eta_0) times sum M_i |grad f(x_i)|^2",
    given=(Convex, Smooth, GradientDescent(), constant_steps(k), at_most_psi(k), Once(weighted(k) > 0)),
    states=chain(
        gap(average),
        "<=",
        Delta[0] / (2 * eta[0] * k) + eta[0] / (2 * k) * (eta[0] * weighted(k) - squares(k)),
        "==",
        Delta[0] / (2 * eta[0] * k) + eta[0] * weighted(k) / (2 * k) * (eta[0] - squares(k) / weighted(k)),
        "<=",
        Delta[0] / (2 * eta[0] * k),
    ),
    added=(
        r"$k \geq 1$: at $k = 0$ it divides by $0$",
        r"$\sum_i M_i \|\nabla f(x_i)\|^2 > 0$, so that $\psi$ is a number",
    ),
    for_all=k >= 1,
)

# -- how far the search goes --------------------------------------------------------------------------------------------

small_steps = Bound(
    source=PAPER.at("thm:exponential-search-gd.small-steps", "D"),
    title="exponential search: steps of at most 1/L have phi(eta) <= 0",
    given=(Convex, Smooth, GradientDescent(), constant_steps(k), Once(eta[0] <= 1 / L)),
    states=eta[0] * weighted(k) <= squares(k),
    refuted_by=Instance(problem="parabola", method="constant(1/3)", steps=3, smoothness="D"),
)

small_steps_proved = small_steps.as_proved(
    because="M_i <= L is used; A, H and L satisfy it, but D may be as large as 2L",
    smoothness=("A", "H", "L"),
    proof_sketch=(
        r"$M_i \leq L$ for $A$, $H$ and $L$ [thm:polyak.M-at-most-L@proved], so $\eta \sum_i M_i \|\nabla f(x_i)\|^2 \leq "
        r"\eta L \sum_i \|\nabla f(x_i)\|^2$.",
        r"And $\eta L \leq 1$.",
    ),
)

HALF_OVER_L = tuple(
    Instance(problem=name, method="over_L(1/2)", steps=4, smoothness="D") for name in ("parabola", "half-square", "asymmetric")
)  # on the first two D is 2L: phi(eta) = 0

small_steps_for_D = small_steps.as_proved(
    because="D is at most 2L",
    reading="for-D",
    title="exponential search with M = D: steps of at most 1/(2L) have phi(eta) <= 0",
    given=(Convex, Smooth, GradientDescent(), constant_steps(k), Once(eta[0] <= 1 / (2 * L))),
    smoothness=("D",),
    try_on=HALF_OVER_L,
    proof_sketch=(
        r"$D \leq 2 L$ [eq:directional-smoothness.at-most-2L], so $\eta \sum_i D_i \|\nabla f(x_i)\|^2 \leq 2 \eta L "
        r"\sum_i \|\nabla f(x_i)\|^2$.",
        r"And $2 \eta L \leq 1$.",
    ),
)

# k is the number of the round, and these stand for its powers: what is used of them is all that is said
power_as_printed, power = Parameter("power", NONE, "2^{2^{-k}}"), Parameter("power", NONE, "2^{2^k}")
ABOVE_1_OVER_L = (Convex, Smooth, GradientDescent(), Once(eta[0] > 1 / L))

first_low_end = Bound(
    source=PAPER.at("thm:exponential-search-gd.low-end", "D"),
    title="exponential search: eta_lo, where a round begins, comes down to 1/L though eta_0 is above it",
    given=(*ABOVE_1_OVER_L, 1 < power_as_printed, power_as_printed**2 <= 2),
    states=power_as_printed * eta[0] <= 1 / L,
    added=("of $2^{2^{-k}}$ only that its square is at most $2$ and that it is above $1$ is used",),
    for_all=K >= 1,
    try_with={"power": (Fraction(7, 5), Fraction(6, 5))},
    quantifier=r"there is a round $k$ such that",
    refuted_by=Instance(problem="half-square", method="constant(2)", steps=1),
)

first_low_end_proved = first_low_end.as_proved(
    because="2^(2^-k) is above 1 in every round k, and makes eta_0 larger; the algorithm has 2^(-2^k), "
    "which is at most 1/(eta_0 L) once 2^(2^k) >= eta_0 L",
    given=(*ABOVE_1_OVER_L, 1 < power, Once(power >= eta[0] * L)),
    states=1 / power * eta[0] <= 1 / L,
    try_with={"power": (2, 4, 16)},
    try_on=(Instance(problem="huber", method="over_L(2)", steps=3, parameters={"power": 2}),),
    proof_sketch=(
        r"The power stands for $2^{2^k}$, and $2^{2^k} \geq \eta_0 L$ is assumed.",
        r"Divide by $2^{2^k} L > 0$: $\eta_0 / 2^{2^k} \leq 1 / L$.",
    ),
)

# a whole number is at most the ceiling of z exactly when it is below z + 1
rounds = Bound(
    source=PAPER.at("thm:exponential-search-gd.rounds", "D"),
    title="exponential search, number of rounds and bisections: each is a third of the evaluations of phi",
    given=(*SEARCH, at_most_psi(K - 1), above_psi(K - 1, PRIME), eta_0 > 0),
    states=evaluations / 3 < log(log(eta_0 * L)) + 1,
    added=(
        r"the formula: the paper has $\lceil \log \log (\eta_0 L) \rceil$ in words, for the rounds and for the "
        r"bisections. Each is a third of the evaluations of $\phi$, and a whole number is at most $\lceil z \rceil$ "
        "where it is below $z + 1$",
    ),
    for_all=K >= 1,
    try_with=FOUND_BY_THE_SEARCH,
    refuted_by=Instance(problem="half-square", method="exponential_search(5)", steps=1, smoothness="L", arithmetic="auto"),
)

rounds_proved = rounds.as_proved(
    because="to base 2, and never fewer than one round: eta_0 L may be between 1 and 2; and M at most L, which D is not",
    states=evaluations / 3 <= 1 + log2(log2(larger(eta_0 * L, 2))),
    smoothness=("A", "H", "L"),
    try_on=THIRD_ROUND,
    proof_sketch=(
        r"Round $j$ fails only if $\phi(2^{-2^j} \eta_0) > 0$, and then $2^{-2^j} \eta_0 > 1 / L$ "
        r"[thm:exponential-search-gd.small-steps@proved], that is $2^{2^j} < \eta_0 L$.",
        r"Let $n$ be the number of rounds. If $n > 1$, round $n - 1$ failed, so $n - 1 < \log_2 \log_2 (\eta_0 L)$. In "
        r"each case $n \leq 1 + \log_2 \log_2 \max(\eta_0 L, 2)$.",
        r"Each round evaluates $\phi$ at $\eta_0$ and at $2^{-2^j} \eta_0$: $2 n$ evaluations, as $\phi(\eta_0) > 0$.",
        r"The bisection begins with $\log_2 (\eta_{hi} / \eta_{lo}) = 2^n$, halves it each time, and ends when it is at "
        "most $1$: $n$ evaluations.",
        "Together $3 n$, so that the rounds, and the bisections, are a third of the evaluations.",
    ),
)

# -- what an evaluation of phi costs -------------------------------------------------------------------------------------

# psi has its sums to k = K, and an access makes the steps to x_{K+1}, which the last M_i reads (M = L does not read it)
access = Bound(
    source=PAPER.at("alg:exponential-search-gd.access", "D"),
    title="one access to phi requires T descent steps; T, which is not defined, read as the number of terms in psi's sums, k + 1",
    given=(*SEARCH, at_most_psi(K)),
    states=iterations == (K + 1) * evaluations,
    added=(
        "$T = k + 1$: $T$ is not defined",
        "$K$ for $k$",
    ),
    for_all=K >= 1,
    try_with=FOUND_BY_THE_SEARCH,
    smoothness=("D", "A", "H"),
)

access_k = Bound(
    source=PAPER.at("alg:exponential-search-gd.access", "D"),
    reading="T-is-k",
    title="one access to phi requires k descent steps, though the last term of psi's sums reads x_{k+1}",
    given=access.given,
    states=iterations == K * evaluations,
    for_all=K >= 1,
    try_with=FOUND_BY_THE_SEARCH,
    smoothness=("D", "A", "H"),
    refuted_by=Instance(problem="huber", method="exponential_search(7/4)", steps=2, smoothness="H"),
)

# -- case 2 ---------------------------------------------------------------------------------------------------------------

TWO_STEPS = Once(eta.of(PRIME)[0] > eta[0])  # case 2: the search returned another step than eta_0
INVARIANT = (at_most_psi(K), above_psi(K, PRIME))
average_K = mean(x[i + 1], over=(i, 0, K))
average_smoothness_prime = weighted(K, PRIME) / squares(K, PRIME)

invariant_low = Bound(
    source=PAPER.at("thm:exponential-search-gd.invariant-low", "D"),
    title="exponential search: the step returned satisfies phi(eta_lo) <= 0",
    given=SEARCH,
    states=eta[0] * weighted(K) <= squares(K),
    for_all=K >= 1,
)

invariant_high = Bound(
    source=PAPER.at("thm:exponential-search-gd.invariant-high", "D"),
    title="exponential search: the step above the one returned satisfies phi(eta_hi) > 0",
    given=(*SEARCH, TWO_STEPS),
    states=eta.of(PRIME)[0] * weighted(K, PRIME) > squares(K, PRIME),
    for_all=K >= 1,
    try_on=SEARCH_JUST_ABOVE,
)

output = Bound(
    source=PAPER.at("thm:exponential-search-gd.output", "D"),
    title="exponential search ends with eta_hi / 2 <= eta_lo <= eta_hi, that is, with eta_hi in [eta_lo, 2 eta_lo]",
    given=(*SEARCH, at_most_psi(K - 1)),
    states=chain(eta.of(PRIME)[0] / 2, "<=", eta[0], "<=", eta.of(PRIME)[0]),
    for_all=K >= 1,
)

rate_of_the_low_end = Bound(
    source=PAPER.at("eq:exp-search-proof-1", "D"),
    title="eq:exp-search-1 with eta_lo (printed: for eta = eta_0) and phi(eta_lo) <= 0",
    given=(*SEARCH, at_most_psi(K), Once(weighted(K) > 0)),
    states=chain(
        gap(average_K),
        "<=",
        Delta[0] / (2 * eta[0] * K) + eta[0] * weighted(K) / (2 * K) * (eta[0] - squares(K) / weighted(K)),
        "<=",
        Delta[0] / (2 * eta[0] * K),
    ),
    added=(
        "the $k$ of the proof is the $K$ of the theorem",
        r"$\sum_i M_i \|\nabla f(x_i)\|^2 > 0$, so that $\psi$ is a number",
        r"$\eta_{lo}$ where the paper has $\eta_0$",
    ),
    for_all=K >= 1,
)

high_end = Bound(
    source=PAPER.at("thm:exponential-search-gd.high-end", "D"),
    title="exponential search: phi(eta_hi) > 0 means that eta_hi is above psi(eta_hi)",
    given=(*SEARCH, above_psi(K, PRIME)),
    states=eta.of(PRIME)[0] > squares(K, PRIME) / weighted(K, PRIME),
    for_all=K >= 1,
    try_on=SEARCH_JUST_ABOVE,
)

low_end = Bound(
    source=PAPER.at("thm:exponential-search-gd.half", "D"),
    title="exponential search: eta_lo is at least psi(eta_hi) / 2",
    given=(*SEARCH, above_psi(K, PRIME), TWICE),
    states=chain(eta[0], ">=", eta.of(PRIME)[0] / 2, ">=", squares(K, PRIME) / weighted(K, PRIME) / 2),
    added=(r"$\eta_{hi} = 2 \eta_{lo}$, with which the search ends",),
    for_all=K >= 1,
)

last_display = Bound(
    source=PAPER.at("thm:exponential-search-gd.last", "D"),
    title="exponential search, case 2 as the proof ends: the mean of prop:convex-any-stepsize, and no 2 in the denominator",
    given=(*SEARCH, *INVARIANT, TWICE),
    states=gap(average_K) <= Delta[0] / K * average_smoothness_prime,
    added=(
        "the $k$ of the proof is the $K$ of the theorem",
        r"$\eta_{hi} = 2 \eta_{lo}$, with which the search ends",
    ),
    for_all=K >= 1,
    try_on=SEARCH_JUST_ABOVE,
)
