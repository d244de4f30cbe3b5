"""Appendix D, lemma:ngd-intermediate and one step of normalized gradient descent, display by display. The step is a length.

The proof defines its M as |grad f(x_k) - grad f(x_{k+1})| / |x_k - x_{k+1}|: D / 2, which is no directional smoothness function.
"""

from boundcheck.bound import Bound, Instance
from boundcheck.hypotheses import By
from boundcheck.language.letters import D, M, f, grad, inner, k, norm, normsq, x
from boundcheck.language.letters import eta_length as eta
from boundcheck.language.relations import chain
from boundcheck.problem import Convex, Differentiable
from boundcheck.theorems.directional_smoothness.notation import PAPER, any_x, any_y
from boundcheck.theorems.directional_smoothness.section4_normalized import CONVEX_NGD, NORMALIZED

g, g_next = grad(x[k]), grad(x[k + 1])
D_k = D(x[k], x[k + 1])


turned = -(eta[k] / norm(g)) * inner(g, g_next)

intermediate = Bound(
    source=PAPER.at("lemma:ngd-intermediate", "D"),
    title="eq:151: how far the gradient turns in a step",
    given=(Differentiable, By(NORMALIZED)),
    states=turned <= eta[k] ** 2 * M(x[k], x[k + 1]) - eta[k] * norm(g),
    refuted_by=Instance(problem="asymmetric", method="length(3)", steps=2, smoothness="H"),
)

intermediate_proved = intermediate.as_proved(
    because="Cauchy-Schwarz leaves the change of the gradient, and eta_k D / 2 is its norm",
    states=turned <= eta[k] ** 2 * D_k / 2 - eta[k] * norm(g),
)

convexity_step = Bound(
    source=PAPER.at("eq:step1NGD", "D"),
    title="convexity from x_{k+1}, and the update put in",
    given=CONVEX_NGD,
    states=chain(f(x[k + 1]), "<=", f(x[k]) + inner(x[k + 1] - x[k], g_next), "==", f(x[k]) + turned),
)

cauchy_schwarz = Bound(
    source=PAPER.at("eq:15", "D"),
    title="grad f(x_k) added and subtracted, then Cauchy-Schwarz",
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
    title="the definition that the proof recalls, and |x_k - x_{k+1}| = eta_k",
    given=(Differentiable, By(NORMALIZED)),
    states=chain(D_k, "==", norm(g - g_next) / norm(x[k] - x[k + 1]), "==", norm(g - g_next) / eta[k]),
    refuted_by=Instance(problem="parabola", method="length(1/2)", steps=1),
)

definition_proved = definition.as_proved(
    because="eq:directional-smoothness has a 2 before the norm",
    states=chain(D_k / 2, "==", norm(g - g_next) / norm(x[k] - x[k + 1]), "==", norm(g - g_next) / eta[k]),
)

half_D = Bound(
    source=PAPER.at("lemma:ngd-intermediate.is-smoothness", "D"),
    title="what the proof recalls is a directional smoothness function",
    given=(Convex, Differentiable),
    states=f(any_y) <= f(any_x) + inner(grad(any_x), any_y - any_x) + D(any_x, any_y) / 2 / 2 * normsq(any_y - any_x),
    refuted_by=Instance(problem="huber", method="chords", steps=200),
)

half_D_proved = half_D.as_proved(
    because="D itself is one (lemma:directional-smoothness), and no factor below 2 would do (prop:dirSmoothTight)",
    states=f(any_y) <= f(any_x) + inner(grad(any_x), any_y - any_x) + D(any_x, any_y) / 2 * normsq(any_y - any_x),
)

one_step = Bound(
    source=PAPER.at("thm:ngd.one-step", "D"),
    title="convexity, then eq:151",
    given=CONVEX_NGD,
    states=chain(f(x[k + 1]), "<=", f(x[k]) + turned, "<=", f(x[k]) - eta[k] * norm(g) + eta[k] ** 2 * D_k),
)

one_step_proved = one_step.as_proved(
    because="the lemma gives it with D / 2",
    states=chain(f(x[k + 1]), "<=", f(x[k]) + turned, "<=", f(x[k]) - eta[k] * norm(g) + eta[k] ** 2 * D_k / 2),
)
