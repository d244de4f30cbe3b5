"""Appendix D, lemma:ngd-intermediate and one step of normalized gradient descent, display by display. The step is a length.

M is D, as in Section 4.3. The proof recalls it as |grad f(x_k) - grad f(x_{k+1})| / |x_k - x_{k+1}|: this is D / 2, which is no
directional smoothness function; but the lemma holds with it, and so with D.
"""

from boundcheck import Bound, By, Differentiable, Instance, chain
from boundcheck.letters import D, M, f, grad, inner, k, norm, x
from boundcheck.letters import eta_length as eta
from boundcheck.theorems.directional_smoothness.notation import PAPER
from boundcheck.theorems.directional_smoothness.section4_normalized import CONVEX_NGD, NORMALIZED

g, g_next = grad(x[k]), grad(x[k + 1])
D_k = D(x[k], x[k + 1])


turned = -(eta[k] / norm(g)) * inner(g, g_next)

intermediate = Bound(
    source=PAPER.at("lemma:ngd-intermediate", "D"),
    title="eq:151: how far the gradient turns in a step of normalized gradient descent, by D",
    given=(Differentiable, By(NORMALIZED)),
    states=turned <= eta[k] ** 2 * D_k - eta[k] * norm(g),
    added=("$M = D$, as Section 4.3 has it",),
    loose_because="it holds with D / 2 in place of D: where the right side is positive, the left is at most half of it",
)

intermediate_any_M = Bound(
    source=PAPER.at("lemma:ngd-intermediate", "D"),
    reading="any-M",
    title="eq:151 with any directional smoothness function as its M (true for D, A and L; Section 4.3 has D)",
    given=(Differentiable, By(NORMALIZED)),
    states=turned <= eta[k] ** 2 * M(x[k], x[k + 1]) - eta[k] * norm(g),
    refuted_by=Instance(problem="asymmetric", method="length(3)", steps=2, smoothness="H"),
)

intermediate_proved = intermediate.as_proved(
    because="Cauchy-Schwarz leaves the change of the gradient, and eta_k D / 2 is its norm",
    states=turned <= eta[k] ** 2 * D_k / 2 - eta[k] * norm(g),
    loose_because="",
    proof_sketch=(
        r"[eq:15] bounds the left side by $\eta_k \|\nabla f(x_k) - \nabla f(x_{k+1})\| - \eta_k \|\nabla f(x_k)\|$.",
        r"$\|x_k - x_{k+1}\| = \eta_k$, so $\|\nabla f(x_k) - \nabla f(x_{k+1})\| = \frac{1}{2} \eta_k D(x_k, x_{k+1})$ "
        "[lemma:ngd-intermediate.definition@proved].",
    ),
)

convexity_step = Bound(
    source=PAPER.at("eq:step1NGD", "D"),
    title="a normalized step: convexity from x_{k+1}, and the update put in",
    given=CONVEX_NGD,
    states=chain(f(x[k + 1]), "<=", f(x[k]) + inner(x[k + 1] - x[k], g_next), "==", f(x[k]) + turned),
)

cauchy_schwarz = Bound(
    source=PAPER.at("eq:15", "D"),
    title="a normalized step: grad f(x_k) added and subtracted, then Cauchy-Schwarz",
    given=(Differentiable, By(NORMALIZED)),
    states=chain(
        turned,
        "==",
        eta[k] / norm(g) * inner(g, g - g_next) - eta[k] * norm(g),
        "<=",
        eta[k] * norm(g - g_next) - eta[k] * norm(g),
    ),
)

definition = Bound(
    source=PAPER.at("lemma:ngd-intermediate.definition", "D"),
    title="the definition of D that the proof of eq:151 recalls, and |x_k - x_{k+1}| = eta_k",
    given=(Differentiable, By(NORMALIZED)),
    states=chain(D_k, "==", norm(g - g_next) / norm(x[k] - x[k + 1]), "==", norm(g - g_next) / eta[k]),
    added=("$M = D$, as Section 4.3 has it",),
    refuted_by=Instance(problem="parabola", method="length(1/2)", steps=1),
)

definition_proved = definition.as_proved(
    because="eq:directional-smoothness has a 2 before the norm",
    states=chain(D_k / 2, "==", norm(g - g_next) / norm(x[k] - x[k + 1]), "==", norm(g - g_next) / eta[k]),
    proof_sketch=(
        r"By definition $D(x, y) = 2 \|\nabla f(x) - \nabla f(y)\| / \|x - y\|$; halve it.",
        r"A normalized step has length $\eta_k$.",
    ),
)

half_D = Bound(
    source=PAPER.at("lemma:ngd-intermediate.definition", "D"),
    reading="a-smoothness-function",
    title="the quotient that the proof of eq:151 recalls is a directional smoothness function",
    given=CONVEX_NGD,
    states=f(x[k + 1]) <= f(x[k]) - eta[k] * norm(g) + norm(g - g_next) / eta[k] / 2 * eta[k] ** 2,
    refuted_by=Instance(problem="huber", method="length(5)", steps=2),
)

one_step = Bound(
    source=PAPER.at("thm:ngd.one-step", "D"),
    title="the progress of a normalized step: convexity, then eq:151",
    given=CONVEX_NGD,
    states=chain(f(x[k + 1]), "<=", f(x[k]) + turned, "<=", f(x[k]) - eta[k] * norm(g) + eta[k] ** 2 * D_k),
    added=("$M = D$, as Section 4.3 has it",),
)

one_step_proved = one_step.as_proved(
    because="the lemma gives it with D / 2",
    states=chain(f(x[k + 1]), "<=", f(x[k]) + turned, "<=", f(x[k]) - eta[k] * norm(g) + eta[k] ** 2 * D_k / 2),
    proof_sketch=("The first inequality is convexity from $x_{k+1}$ [eq:step1NGD], the second [lemma:ngd-intermediate@proved].",),
)
