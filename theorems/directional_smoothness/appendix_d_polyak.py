"""Appendix D, proofs for the Polyak step, display by display."""

from boundcheck import Bound, Instance, chain
from boundcheck.letters import M_, Delta, Sum, delta, eta, f, gap, grad, i, inner, k, mean, normsq, x, xstar
from boundcheck.theorems.directional_smoothness.notation import BETWEEN_1_AND_2, CONVEX_GD, CONVEX_POLYAK, PAPER, gamma
from boundcheck.theorems.directional_smoothness.section4_polyak import STRAIGHT_TO_XSTAR

POLYAK_1_2 = (*CONVEX_POLYAK, 1 < gamma, gamma < 2)
g2 = normsq(grad(x[k]))

# -- prop:polyak: x = x_k and its successor x_{k+1} ---------------------------------------------------------------------------

prop_polyak = Bound(
    source=PAPER.at("prop:polyak", "D"),
    title="one Polyak step bounds the gap from below",
    given=POLYAK_1_2,
    states=delta[k] >= (gamma - 1) / gamma**2 * (2 / M_[k]) * g2,
    added=("convexity of $f$, which prop:polyak does not ask for and which is not used",),
    try_with=BETWEEN_1_AND_2,
)

eq_9 = Bound(
    source=PAPER.at("eq:9", "D"),
    title="one Polyak step: the gap is at least the progress of the step",
    given=POLYAK_1_2,
    states=delta[k] >= f(x[k]) - f(x[k + 1]),
    added=("convexity of $f$, which prop:polyak does not ask for and which is not used",),
    try_with=BETWEEN_1_AND_2,
)

prop_polyak_smoothness = Bound(
    source=PAPER.at("prop:polyak.smoothness", "D"),
    title="one Polyak step: directional smoothness, and the step put in",
    given=POLYAK_1_2,
    states=chain(
        f(x[k + 1]),
        "<=",
        f(x[k]) + inner(grad(x[k]), x[k + 1] - x[k]) + M_[k] / 2 * normsq(x[k + 1] - x[k]),
        "==",
        f(x[k]) - eta[k] * g2 + eta[k] ** 2 * M_[k] / 2 * g2,
    ),
    added=("convexity of $f$, which prop:polyak does not ask for and which is not used",),
    try_with=BETWEEN_1_AND_2,
)

prop_polyak_progress = Bound(
    source=PAPER.at("prop:polyak.progress", "D"),
    title="one Polyak step: directional smoothness put into eq:9, the gap is at least the progress",
    given=POLYAK_1_2,
    states=delta[k] >= eta[k] * g2 - eta[k] ** 2 * M_[k] / 2 * g2,
    added=("convexity of $f$, which prop:polyak does not ask for and which is not used",),
    try_with=BETWEEN_1_AND_2,
)

prop_polyak_step_put_in = Bound(
    source=PAPER.at("prop:polyak.step-put-in", "D"),
    title="one Polyak step: the definition of eta put into the bound on its progress",
    given=POLYAK_1_2,
    states=delta[k] >= gamma * delta[k] - gamma * eta[k] * M_[k] / 2 * delta[k],
    added=("convexity of $f$, which prop:polyak does not ask for and which is not used",),
    try_with=BETWEEN_1_AND_2,
)

prop_polyak_cancelled = Bound(
    source=PAPER.at("prop:polyak.cancelled", "D"),
    title="one Polyak step: the bound on its progress divided by the gap",
    given=POLYAK_1_2,
    states=1 >= gamma - gamma * eta[k] * M_[k] / 2,
    added=("convexity of $f$, which prop:polyak does not ask for and which is not used",),
    try_with=BETWEEN_1_AND_2,
)

prop_polyak_step_put_in_again = Bound(
    source=PAPER.at("prop:polyak.step-put-in-again", "D"),
    title="one Polyak step: the bound divided by the gap, with the definition of eta put in again",
    given=POLYAK_1_2,
    states=1 - gamma >= -(gamma**2) * (M_[k] / 2) * (delta[k] / g2),
    added=("convexity of $f$, which prop:polyak does not ask for and which is not used",),
    try_with=BETWEEN_1_AND_2,
    loose_because="both sides are negative: no ratio measures it",
)

# -- thm:polyak --------------------------------------------------------------------------------------------------------------

eq_11 = Bound(
    source=PAPER.at("eq:11", "D"),
    title="one Polyak step: the square of the distance to x* expanded",
    given=CONVEX_GD,
    states=Delta[k + 1] == Delta[k] - 2 * eta[k] * inner(grad(x[k]), x[k] - xstar) + eta[k] ** 2 * g2,
)

eq_12 = Bound(
    source=PAPER.at("eq:12", "D"),
    title="one Polyak step: the square of the distance decreases by (2 - gamma) eta_k delta_k",
    given=(*CONVEX_POLYAK, gamma > 0),
    states=chain(
        Delta[k + 1], "<=", Delta[k] - 2 * eta[k] * delta[k] + eta[k] ** 2 * g2, "==", Delta[k] - (2 - gamma) * eta[k] * delta[k]
    ),
    added=(r"$\gamma > 0$ in place of $\gamma \in (1, 2)$: more is claimed than printed",),
    try_with=BETWEEN_1_AND_2,
)

eq_10 = Bound(
    source=PAPER.at("eq:10", "D"),
    title="prop:polyak as the proof of thm:polyak quotes it",
    given=POLYAK_1_2,
    states=delta[k] >= (gamma - 1) / gamma * (2 / M_[k]) * g2,
    try_with=BETWEEN_1_AND_2,
    refuted_by=Instance(problem="huber", method="polyak(3/2)", steps=6, smoothness="H"),
)

eq_10_proved = eq_10.as_proved(
    because="prop:polyak divides by gamma^2, and the lines after eq:10 do so too",
    states=delta[k] >= (gamma - 1) / gamma**2 * (2 / M_[k]) * g2,
    proof_sketch=(
        r"[prop:polyak] says $\delta \geq \frac{\gamma - 1}{\gamma^2} \frac{2}{M} \|\nabla f\|^2$ at a point and its successor.",
        "Take the point $x_k$, whose successor is $x_{k+1}$.",
    ),
)

polyak_one_step = Bound(
    source=PAPER.at("thm:polyak.one-step", "D"),
    title="what one Polyak step takes off the square of the distance to x*",
    given=POLYAK_1_2,
    states=Delta[k + 1] <= Delta[k] - 2 * (2 - gamma) * (gamma - 1) / (gamma * M_[k]) * delta[k],
    try_with=BETWEEN_1_AND_2,
)

of_the_gradient = (gamma - 1) / gamma**2 * (2 / M_[k])

polyak_one_step_lines = Bound(
    source=PAPER.at("thm:polyak.one-step-lines", "D"),
    title="what one Polyak step takes off the square of the distance to x*: prop:polyak put into eq:12, three lines",
    given=POLYAK_1_2,
    states=chain(
        Delta[k + 1],
        "<=",
        Delta[k] - (2 - gamma) * eta[k] * of_the_gradient * g2,
        "==",
        Delta[k] - (2 - gamma) * of_the_gradient * (gamma * delta[k] / g2) * g2,
        "==",
        Delta[k] - 2 * (2 - gamma) * (gamma - 1) / (gamma * M_[k]) * delta[k],
    ),
    try_with=BETWEEN_1_AND_2,
)

polyak_telescoped = Bound(
    source=PAPER.at("thm:polyak.telescoped", "D"),
    title="the Polyak steps summed: the gaps weighted by 1/M_i",
    given=POLYAK_1_2,
    states=Sum(2 * (2 - gamma) * (gamma - 1) / (gamma * M_[i]) * delta[i], i, 0, k - 1) <= Delta[0],
    added=(r"$k \geq 1$: at $k = 0$ the sum is empty",),
    for_all=k >= 1,
    try_with=BETWEEN_1_AND_2,
    try_on=STRAIGHT_TO_XSTAR,
)

harmonic = Sum(1 / M_[i], i, 0, k - 1)

polyak_jensen = Bound(
    source=PAPER.at("thm:polyak.jensen", "D"),
    title="Polyak's step: convexity and Jensen's inequality, then the telescoped sum",
    given=POLYAK_1_2,
    states=chain(
        gap(mean(x[i], weight=1 / M_[i], over=(i, 0, k - 1))),
        "<=",
        1 / harmonic * Sum(1 / M_[i] * delta[i], i, 0, k - 1),
        "<=",
        gamma / (2 * (2 - gamma) * (gamma - 1)) * (1 / harmonic) * Delta[0],
    ),
    added=(r"$k \geq 1$: at $k = 0$ the sum is empty",),
    for_all=k >= 1,
    try_with=BETWEEN_1_AND_2,
)

# -- thm:polyak-alternate ------------------------------------------------------------------------------------------------------

ALTERNATE = {"gamma": (1,)}
NEARLY_A_LINE = (Instance(problem="long-huber", method="polyak(1)", steps=2),)  # from x_0 to x*
average = mean(x[i], weight=eta[i], over=(i, 0, k - 1))

polyak_alternate = Bound(
    source=PAPER.at("thm:polyak-alternate", "D"),
    title="Polyak's step: a rate in the sum of the step sizes",
    given=(*CONVEX_POLYAK, 0 < gamma, gamma < 2),
    states=gap(average) <= 1 / ((2 - gamma) * Sum(eta[i], i, 0, k)) * Delta[0],
    added=(
        r"$\gamma > 0$: the paper has $\gamma < 2$ alone",
        r"$k \geq 1$: at $k = 0$ the sum is empty",
    ),
    for_all=k >= 1,
    try_with=ALTERNATE,
    refuted_by=Instance(problem="steep-then-flat", method="polyak(1)", steps=3),
)

polyak_alternate_proved = polyak_alternate.as_proved(
    because="the telescoped sum ends at k-1: eta_k, which may be large, has not been taken yet",
    states=gap(average) <= 1 / ((2 - gamma) * Sum(eta[i], i, 0, k - 1)) * Delta[0],
    try_on=NEARLY_A_LINE,
    proof_sketch=(
        r"Sum [eq:12] over $i = 0, \ldots, k - 1$: $(2 - \gamma) \sum_{i < k} \eta_i \delta_i \leq \Delta_0 - \Delta_k "
        r"\leq \Delta_0$.",
        r"Divide by $(2 - \gamma) \sum_{i < k} \eta_i > 0$.",
        r"By Jensen's inequality $f(\bar x_k) - f(x^*)$ is at most the mean of $\delta_0, \ldots, \delta_{k-1}$ with "
        r"weights $\eta_i$.",
    ),
)

polyak_alternate_step = Bound(
    source=PAPER.at("thm:polyak-alternate.summed", "D"),
    title="the Polyak steps summed, divided by their sum to k: true, but the left side has lost the weight of eta_k",
    given=(*CONVEX_POLYAK, 0 < gamma, gamma < 2),
    states=Sum(eta[i] / Sum(eta[i], i, 0, k) * delta[i], i, 0, k - 1)
    <= 1 / ((2 - gamma) * Sum(eta[i], i, 0, k)) * (Delta[0] - Delta[k]),
    added=(
        r"$\gamma > 0$: the paper has $\gamma < 2$ alone",
        r"$k \geq 1$: at $k = 0$ the sum is empty",
    ),
    for_all=k >= 1,
    try_with=ALTERNATE,
    try_on=NEARLY_A_LINE,
)
