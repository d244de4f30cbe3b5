"""Appendix C, proofs for Section 4.1, display by display: the directional smoothness of a quadratic between iterates.

B v is written grad(x* + v), which it is for f(x) = x'Bx/2 - c'x, so B x_{i+1} - c - (B x_i - c) is the change of the gradient.
"""

from fractions import Fraction

from boundcheck import Bound, IsQuadratic, chain
from boundcheck.letters import A, D, eta, grad, i, inner, k, norm, normsq, x, xstar
from boundcheck.theorems.directional_smoothness.notation import PAPER
from boundcheck.theorems.directional_smoothness.notation import any_x as p
from boundcheck.theorems.directional_smoothness.notation import any_y as q
from boundcheck.theorems.directional_smoothness.section4_quadratics import BALANCED_DAI_YANG, QUADRATIC_GD, Bg, g

half = Fraction(1, 2)
point = p + half * (q - p)

one_secant = Bound(
    source=PAPER.at("lemma:quadratic-pathwise-direction-smoothness.secant", "C"),
    added=(r"only $t = 1/2$ of all $t \in (0, 1]$ is tested",),
    title="on quadratics A_t(x, y) does not depend on t: at t = 1/2 it is (y - x)'B(y - x) / |x - y|^2",
    given=(IsQuadratic,),
    states=chain(
        inner(grad(point) - grad(p), q - p) / (half * normsq(p - q)),
        "==",
        inner(half * grad(xstar + (q - p)), q - p) / (half * normsq(p - q)),
        "==",
        inner(grad(xstar + (q - p)), q - p) / normsq(p - q),
    ),
)

path_wise_of_a_chord = Bound(
    source=PAPER.at("lemma:quadratic-pathwise-direction-smoothness.chord", "C"),
    title="on quadratics A(x, y) is (y - x)'B(y - x) / |x - y|^2, on any chord",
    given=(IsQuadratic,),
    states=A(p, q) == inner(grad(xstar + (q - p)), q - p) / normsq(p - q),
)
step = x[k + 1] - x[k]

point_wise = Bound(
    source=PAPER.at("lemma:quadratic-pointwise-direction-smoothness", "C"),
    title="half of D(x_i, x_{i+1}) is |B grad f(x_i)| / |grad f(x_i)|, for any step",
    given=(*QUADRATIC_GD, eta[i] > 0),
    states=half * D(x[k], x[k + 1]) == norm(Bg) / norm(g),
    try_on=BALANCED_DAI_YANG,
)

point_wise_steps = Bound(
    source=PAPER.at("lemma:quadratic-pointwise-direction-smoothness.proof", "C"),
    title="D on quadratics, line by line: the definition, B taken out, the update put in",
    given=(*QUADRATIC_GD, eta[i] > 0),
    states=chain(
        half * D(x[k], x[k + 1]),
        "==",
        norm(grad(x[k + 1]) - grad(x[k])) / norm(step),
        "==",
        norm(grad(xstar + step)) / norm(step),
        "==",
        norm(grad(xstar + -eta[k] * g)) / norm(-eta[k] * g),
        "==",
        norm(Bg) / norm(g),
    ),
    try_on=BALANCED_DAI_YANG,
)

path_wise = Bound(
    source=PAPER.at("lemma:quadratic-pathwise-direction-smoothness", "C"),
    title="A(x_i, x_{i+1}) is the Rayleigh quotient of grad f(x_i), for any step",
    given=(*QUADRATIC_GD, eta[i] > 0),
    states=A(x[k], x[k + 1]) == inner(g, Bg) / inner(g, g),
)

path_wise_steps = Bound(
    source=PAPER.at("lemma:quadratic-pathwise-direction-smoothness.proof", "C"),
    title="A on quadratics: the update put into the chord",
    given=(*QUADRATIC_GD, eta[i] > 0),
    states=chain(
        A(x[k], x[k] - eta[k] * g),
        "==",
        inner(-eta[k] * g, grad(xstar + -eta[k] * g)) / normsq(eta[k] * g),
        "==",
        inner(g, Bg) / normsq(g),
        "==",
        inner(g, Bg) / inner(g, g),
    ),
)
