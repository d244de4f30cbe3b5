"""Section 4, Adaptive Learning Rates: steps that are adapted, and strongly adapted, to a directional smoothness function.

eq:strongly-adapted-step-size prints eta_k = 1 / M(x_{k+1}, x_k). What the descent lemma needs is eta_k = 1 / M(x_k, x_{k+1}).
"""

from fractions import Fraction

from boundcheck import Bound, Follows, Instance, Smooth
from boundcheck.letters import M_, L, M, Relation, Scalar, delta, eta, f, grad, i, k, normsq, x
from boundcheck.theorems.directional_smoothness.notation import BETWEEN_1_AND_2, CONVEX_GD, CONVEX_POLYAK, PAPER, gamma

at_most_twice_L = Bound(
    source=PAPER.at("sec:adapt-learn-rates.at-most-2L", "4"),
    title="on an L-smooth function every M of Section 2 is at most 2L",
    given=(*CONVEX_GD, Smooth),
    states=M_[k] <= 2 * L,
    smoothness=("D", "A", "H"),
)

trivially_adapted = Bound(
    source=PAPER.at("sec:adapt-learn-rates.trivially-adapted", "4"),
    title="steps below 1/L are adapted",
    given=(*CONVEX_GD, Smooth, eta[i] < 1 / L),
    states=eta[k] < 2 / M_[k],
)

strongly_adapted_as_printed = Follows(eta[i] == 1 / M(x[i + 1], x[i]))
strongly_adapted = Follows(eta[i] == 1 / M_[i])


def progress(smoothness: Scalar) -> Relation:
    return f(x[k + 1]) <= f(x[k]) - 1 / (2 * smoothness) * normsq(grad(x[k]))


guaranteed_progress = Bound(
    source=PAPER.at("eq:ad-4", "4"),
    title="a strongly adapted step makes progress |grad f(x_k)|^2 / (2M)",
    given=(*CONVEX_GD, strongly_adapted_as_printed),
    states=progress(M(x[k + 1], x[k])),
    refuted_by=Instance(problem="flat-bottom", method="3/(2L)", steps=1, smoothness="A"),
)

guaranteed_progress_proved = guaranteed_progress.as_proved(
    because="the descent lemma needs M(x_k, x_{k+1}), in the step and in the bound; A and H are not symmetric",
    given=(*CONVEX_GD, strongly_adapted),
    states=progress(M_[k]),
    proof_sketch=(
        r"The descent lemma [eq:local-descent-lemma] has the factor $\eta_k - \eta_k^2 M_k / 2$ of $\|\nabla f(x_k)\|^2$.",
        r"Put $\eta_k = 1 / M_k$: it is $1 / M_k - 1 / (2 M_k) = 1 / (2 M_k)$.",
    ),
)

guaranteed_progress_without_step = guaranteed_progress_proved.without(
    "the-order-in-the-step",
    because="the bound has M(x_k, x_{k+1}), but the step is 1 / M(x_{k+1}, x_k)",
    given=(*CONVEX_GD, strongly_adapted_as_printed),
    refuted_by=Instance(problem="asymmetric", method="given(2, 3/4)", steps=2, smoothness="H"),
)

guaranteed_progress_without_bound = guaranteed_progress_proved.without(
    "the-order-in-the-bound",
    because="the step is 1 / M(x_k, x_{k+1}), but the bound has M(x_{k+1}, x_k)",
    states=progress(M(x[k + 1], x[k])),
    refuted_by=Instance(problem="steep-then-flat", method="constant(9/160)", steps=1, smoothness="H"),
)

more_than_smoothness = Bound(
    source=PAPER.at("eq:ad-4.more-than-smoothness", "4"),
    added=(r"$\nabla f(x_i) \neq 0$, without which the two sides are equal; and $M_i > 0$",),
    title="where M_k < L, a strongly adapted step guarantees a smaller value than L-smoothness does",
    given=(*CONVEX_GD, Smooth, M_[i] < L, M_[i] > 0, normsq(grad(x[i])) > 0),
    states=f(x[k]) - 1 / (2 * M_[k]) * normsq(grad(x[k])) < f(x[k]) - 1 / (2 * L) * normsq(grad(x[k])),
    smoothness=("D", "A", "H"),
)

# -- does an iterative method make that progress? ---------------------------------------------------------------------------

polyak_progress = Bound(
    source=PAPER.at("sec:adapt-learn-rates.answers", "4"),
    title="gradient descent with the Polyak step achieves the progress of strongly adapted steps: |grad f(x_k)|^2 / (2M)",
    given=(*CONVEX_POLYAK, 1 < gamma, gamma < 2),
    states=progress(M_[k]),
    try_with=BETWEEN_1_AND_2,
    added=(
        r"$\gamma \in (1, 2)$, the range of thm:polyak",
        r"the order $M(x_k, x_{k+1})$, in which strongly adapted steps do make this progress; eq:ad-4 has the other. On the "
        r"counterexample both are the same number",
    ),
    refuted_by=Instance(
        problem="half-square", method="polyak(3/2)", steps=1, smoothness="H", parameters={"gamma": Fraction(3, 2)}
    ),
)

polyak_progress_proved = polyak_progress.as_proved(
    because="a step makes that progress where eta_k M_k = 1, and the Polyak step need not be 1 / M_k. What it shares with "
    "strongly adapted steps is the rate, up to a constant (thm:polyak), not the progress of each step",
    title="the progress of the Polyak step: f(x_{k+1}) - f* is at most 1 - gamma + gamma eta_k M_k / 2 times f(x_k) - f*",
    states=delta[k + 1] <= (1 - gamma + gamma * eta[k] * M_[k] / 2) * delta[k],
    proof_sketch=(
        r"The descent lemma [eq:local-descent-lemma] says $\delta_{k+1} \leq \delta_k - \eta_k (1 - \eta_k M_k / 2) \|\nabla "
        r"f(x_k)\|_2^2$.",
        r"For the Polyak step $\eta_k \|\nabla f(x_k)\|_2^2 = \gamma \delta_k$; so "
        r"$\delta_{k+1} \leq \delta_k - \gamma (1 - \eta_k M_k / 2) \delta_k$.",
    ),
)
