"""Section 4.2.2, Polyak's Step-Size Rule: eta_k = gamma (f(x_k) - f(x*)) / |grad f(x_k)|^2 adapts to every M at once."""

from fractions import Fraction

from boundcheck import Bound, Follows, Instance, Smooth, chain
from boundcheck.letters import M_, Delta, H, L, M, Min, Sum, delta, eta, gap, i, k, mean, x
from boundcheck.theorems.directional_smoothness.notation import BETWEEN_1_AND_2, CONVEX_GD, CONVEX_POLYAK, PAPER, gamma

average = mean(x[i], weight=1 / M_[i], over=(i, 0, k - 1))
harmonic = Sum(1 / M_[i], i, 0, k - 1)
c = gamma / ((2 - gamma) * (gamma - 1))

# f is a line from x_0 almost to x* = x_1, so gamma is near 1, and so is left over right: (2 - gamma) / gamma
STRAIGHT_TO_XSTAR = (Instance(problem="long-huber", method="polyak(40/39)", steps=1, smoothness="H"),)

polyak = Bound(
    source=PAPER.at("thm:polyak", "4.2.2"),
    added=(
        r"$c(\gamma) = \gamma / ((2 - \gamma)(\gamma - 1))$: printed without the outer brackets; read from left to right it is "
        r"false (reading left-to-right)",
    ),
    title="Polyak's step: the average with weights 1/M_i, for any directional smoothness function",
    given=(*CONVEX_POLYAK, 1 < gamma, gamma < 2),
    states=gap(average) <= c * Delta[0] / (2 * harmonic),
    for_all=k >= 1,
    try_with=BETWEEN_1_AND_2,
    try_on=STRAIGHT_TO_XSTAR,
)

polyak_left_to_right = Bound(
    source=PAPER.at("thm:polyak", "4.2.2"),
    reading="left-to-right",
    title="Polyak's step, any M: c(gamma) = gamma / (2 - gamma) (gamma - 1) read from left to right",
    given=(*CONVEX_POLYAK, 1 < gamma, gamma < 2),
    states=gap(average) <= gamma / (2 - gamma) * (gamma - 1) * Delta[0] / (2 * harmonic),
    for_all=k >= 1,
    try_with=BETWEEN_1_AND_2,
    refuted_by=Instance(problem="huber", method="polyak(5/4)", steps=3, smoothness="H"),
)

polyak_best = Bound(
    source=PAPER.at("thm:polyak.best", "4.2.2"),
    added=(r"$[k] = \{0, \ldots, k\}$, which the paper does not define; with $\{1, \ldots, k\}$ see the reading from-1",),
    title="the rate of Polyak's step also holds for the best iterate, the least f(x_i) over i in [k]",
    given=(*CONVEX_POLYAK, 1 < gamma, gamma < 2),
    states=Min(delta[i], i, 0, k) <= c * Delta[0] / (2 * harmonic),
    for_all=k >= 1,
    try_with=BETWEEN_1_AND_2,
    loose_because="M_i is at least 2 ((gamma - 1) delta_i + delta_{i+1}) / (gamma eta_i delta_i), so the best gap m, at most "
    "delta_i and delta_{i+1}, has m / M_i <= eta_i delta_i / 2: it is at most (gamma - 1) / gamma < 1/2 of the right side",
)

polyak_best_from_1 = Bound(
    source=PAPER.at("thm:polyak.best", "4.2.2"),
    reading="from-1",
    title="the rate of Polyak's step also holds for the best iterate, with [k] = {1, ..., k}",
    given=(*CONVEX_POLYAK, 1 < gamma, gamma < 2),
    states=Min(delta[i], i, 1, k) <= c * Delta[0] / (2 * harmonic),
    for_all=k >= 1,
    try_with=BETWEEN_1_AND_2,
    loose_because="as for the other reading m / M_i <= eta_i delta_i / 2, but for m / M_0 <= gamma eta_0 delta_0 / 2, where "
    "gamma eta_0 delta_0 = |x_0 - x_1|^2 <= 4 Delta_0: m is at most 0.62 of the right side, whatever gamma is",
)

classical = Bound(
    source=PAPER.at("thm:polyak.classical", "4.2.2"),
    added=(r"$\gamma = 1$, the step of the paper that is cited",),
    title="the standard guarantee of the Polyak step with gamma = 1 under L-smoothness",
    given=(*CONVEX_POLYAK, Smooth, gamma == 1),
    states=gap(mean(x[i], over=(i, 0, k - 1))) <= 2 * L * Delta[0] / k,
    for_all=k >= 1,
    try_with={"gamma": (1,)},
    loose_because="2/3 will do for 2: <grad f(x_i), x_i - x*> >= delta_i + |grad f(x_i)|^2 / (2L) and eta_i >= 1/(2L) give "
    "Delta_i - Delta_{i+1} >= eta_i delta_i + delta_i / L >= 3 delta_i / (2L)",
)

ONE_AND_A_HALF = {"gamma": (Fraction(3, 2),)}

gamma_one_and_a_half = Bound(
    source=PAPER.at("thm:polyak.gamma-3/2", "4.2.2"),
    title="Polyak's step with gamma = 1.5: the harmonic, then the arithmetic mean of the M_i (the sum printed over k is over i)",
    given=(*CONVEX_POLYAK, gamma == Fraction(3, 2)),
    states=chain(gap(average), "<=", 3 * Delta[0] / harmonic, "<=", 3 * Delta[0] / k * (Sum(M_[i], i, 0, k - 1) / k)),
    for_all=k >= 1,
    try_with=ONE_AND_A_HALF,
)

smoothness_at_most_L = Bound(
    source=PAPER.at("thm:polyak.M-at-most-L", "4.2.2"),
    title="if f is L-smooth, M(x_k, x_{k+1}) is at most L",
    given=(*CONVEX_GD, Smooth),
    states=M_[k] <= L,
    smoothness=("D", "A", "H"),
    refuted_by=Instance(problem="huber", method="1/(2L)", steps=6, smoothness="D"),
)

smoothness_at_most_L_proved = smoothness_at_most_L.as_proved(
    because="D may be as large as 2L (Section 2 says so); A and H are at most L",
    smoothness=("A", "H"),
    proof_sketch=(
        r"$A$: by Cauchy-Schwarz $\langle \nabla f(x + t (y - x)) - \nabla f(x), y - x \rangle \leq L t \|y - x\|_2^2$, so "
        r"each quotient of "
        r"which $A(x, y)$ is the supremum is at most $L$.",
        r"$H$: for convex $f$ its numerator is $f(y) - f(x) - \langle \nabla f(x), y - x \rangle$, which $L$-smoothness bounds "
        r"by "
        r"$L \|y - x\|_2^2 / 2$ [eq:smoothness-upper-bound].",
    ),
)

up_to_three_halves = Bound(
    source=PAPER.at("thm:polyak.up-to-three-halves", "4.2.2"),
    title="where M_i <= L, the rate of Polyak's step with gamma = 1.5 is at most 3/2 times the classic 2 L Delta_0 / k",
    given=(*CONVEX_POLYAK, Smooth, gamma == Fraction(3, 2), M_[i] <= L),
    states=3 * Delta[0] / harmonic <= Fraction(3, 2) * (2 * L * Delta[0] / k),
    smoothness=("D", "A", "H"),
    for_all=k >= 1,
    try_with=ONE_AND_A_HALF,
)

strongly_adapted = Bound(
    source=PAPER.at("thm:polyak.strongly-adapted", "4.2.2"),
    title="what strongly adapted steps give: the average of x_1, ..., x_k with weights eta_i",
    given=(*CONVEX_GD, Follows(eta[i] == 1 / M_[i])),
    states=gap(mean(x[i + 1], weight=eta[i], over=(i, 0, k - 1))) <= Delta[0] / (2 * harmonic),
    for_all=k >= 1,
    added=(r"$\eta_i M_i = 1$, as under eq:quad-1, to which the sentence refers",),
    try_on=(Instance(problem="long-huber", method="1/L", steps=19, smoothness="L"),),  # 20, 19, ..., 1
)

strongly_adapted_in_the_other_order = Bound(
    source=PAPER.at("thm:polyak.strongly-adapted", "4.2.2"),
    reading="order-of-eq-ad-4",
    title="what strongly adapted steps give: the average of x_1, ..., x_k with weights eta_i",
    because="eq:strongly-adapted-step-size has eta_i = 1 / M(x_{i+1}, x_i); the rate needs eta_i = 1 / M(x_i, x_{i+1}), from the "
    "old point to the new one. This is the slip of eq:ad-4, and no other",
    given=(*CONVEX_GD, Follows(eta[i] == 1 / M(x[i + 1], x[i]))),
    states=gap(mean(x[i + 1], weight=eta[i], over=(i, 0, k - 1))) <= Delta[0] / (2 * harmonic),
    for_all=k >= 1,
    refuted_by=Instance(problem="huber", method="constant(12)", steps=1, smoothness="H"),
)

polyak_optimal = Bound(
    source=PAPER.at("eq:polyak-optimal", "4.2.2"),
    title="Polyak's step with gamma = 1.5 and the optimal smoothness H, for the best iterate",
    given=(*CONVEX_POLYAK, gamma == Fraction(3, 2)),
    states=Min(delta[i], i, 0, k - 1) <= 3 * Delta[0] / Sum(1 / H(x[i], x[i + 1]), i, 0, k - 1),
    for_all=k >= 1,
    try_with=ONE_AND_A_HALF,
    loose_because="the best gap m has m / H_i <= eta_i delta_i / 2 for i < k-1, and these sum to Delta_0 - Delta_{k-1} at most; "
    "m / H_{k-1} is at most 3/2 eta_{k-1} delta_{k-1} <= 9/4 Delta_{k-1}: so m is at most 3/4 of the right side",
)
