"""Section 4.2.2, Polyak's Step-Size Rule: eta_k = gamma (f(x_k) - f(x*)) / |grad f(x_k)|^2 adapts to every M at once."""

from fractions import Fraction

from boundcheck.bound import Bound, Instance
from boundcheck.hypotheses import Follows
from boundcheck.language.letters import M_, Delta, H, L, M, Min, Sum, delta, eta, gap, i, k, mean, x
from boundcheck.language.relations import chain
from boundcheck.problem import Smooth
from boundcheck.theorems.directional_smoothness.notation import BETWEEN_1_AND_2, CONVEX_GD, CONVEX_POLYAK, PAPER, gamma

average = mean(x[i], weight=1 / M_[i], over=(i, 0, k - 1))
harmonic = Sum(1 / M_[i], i, 0, k - 1)
c = gamma / ((2 - gamma) * (gamma - 1))

polyak = Bound(
    source=PAPER.at("thm:polyak", "4.2.2"),
    title="the average with weights 1/M_i, for any directional smoothness function",
    given=(*CONVEX_POLYAK, 1 < gamma, gamma < 2),
    states=gap(average) <= c * Delta[0] / (2 * harmonic),
    for_all=k >= 1,
    try_with=BETWEEN_1_AND_2,
)

polyak_left_to_right = Bound(
    source=PAPER.at("thm:polyak", "4.2.2"),
    reading="left-to-right",
    title="the same with c(gamma) = gamma / (2 - gamma) (gamma - 1) read from left to right",
    given=(*CONVEX_POLYAK, 1 < gamma, gamma < 2),
    states=gap(average) <= gamma / (2 - gamma) * (gamma - 1) * Delta[0] / (2 * harmonic),
    for_all=k >= 1,
    try_with=BETWEEN_1_AND_2,
    refuted_by=Instance(problem="huber", method="polyak(5/4)", steps=3, smoothness="H"),
)

polyak_best = Bound(
    source=PAPER.at("thm:polyak.best", "4.2.2"),
    title="it also holds for the best iterate, the least f(x_i) over i in [k]",
    given=(*CONVEX_POLYAK, 1 < gamma, gamma < 2),
    states=Min(delta[i], i, 0, k) <= c * Delta[0] / (2 * harmonic),
    for_all=k >= 1,
    try_with=BETWEEN_1_AND_2,
)

polyak_best_from_1 = Bound(
    source=PAPER.at("thm:polyak.best", "4.2.2"),
    reading="from-1",
    title="the same with [k] = {1, ..., k}",
    given=(*CONVEX_POLYAK, 1 < gamma, gamma < 2),
    states=Min(delta[i], i, 1, k) <= c * Delta[0] / (2 * harmonic),
    for_all=k >= 1,
    try_with=BETWEEN_1_AND_2,
)

classical = Bound(
    source=PAPER.at("thm:polyak.classical", "4.2.2"),
    title="the standard guarantee of the Polyak step with gamma = 1 under L-smoothness",
    given=(*CONVEX_POLYAK, Smooth, gamma == 1),
    states=gap(mean(x[i], over=(i, 0, k - 1))) <= 2 * L * Delta[0] / k,
    for_all=k >= 1,
    try_with={"gamma": (1,)},
)

ONE_AND_A_HALF = {"gamma": (Fraction(3, 2),)}

gamma_one_and_a_half = Bound(
    source=PAPER.at("thm:polyak.gamma-3/2", "4.2.2"),
    title="gamma = 1.5: the harmonic and then the arithmetic mean of the M_i",
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
)

strongly_adapted = Bound(
    source=PAPER.at("thm:polyak.strongly-adapted", "4.2.2"),
    title="what strongly adapted steps give: the average of x_1, ..., x_k with weights eta_i",
    given=(*CONVEX_GD, Follows(eta[i] == 1 / M(x[i + 1], x[i]))),
    states=gap(mean(x[i + 1], weight=eta[i], over=(i, 0, k - 1))) <= Delta[0] / (2 * harmonic),
    for_all=k >= 1,
    refuted_by=Instance(problem="huber", method="constant(12)", steps=1, smoothness="H"),
)

strongly_adapted_proved = strongly_adapted.as_proved(
    because="the proof uses eta_i = 1 / M(x_i, x_{i+1}), from the old point to the new one; M need not be symmetric",
    given=(*CONVEX_GD, Follows(eta[i] == 1 / M_[i])),
)

polyak_optimal = Bound(
    source=PAPER.at("eq:polyak-optimal", "4.2.2"),
    title="gamma = 1.5 with the optimal smoothness H, for the best iterate",
    given=(*CONVEX_POLYAK, gamma == Fraction(3, 2)),
    states=Min(delta[i], i, 0, k - 1) <= 3 * Delta[0] / Sum(1 / H(x[i], x[i + 1]), i, 0, k - 1),
    for_all=k >= 1,
    try_with=ONE_AND_A_HALF,
)
