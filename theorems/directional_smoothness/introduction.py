"""Section 1, Introduction: what it says of gradient descent and of M(x_{k+1}, x_k), in the order of arguments printed there.

The order matters: A and H are not symmetric, and Section 2 defines M(x, y) as the smoothness seen from x.
"""

from boundcheck.bound import Bound, Instance
from boundcheck.hypotheses import Follows, GradientDescent
from boundcheck.language.letters import M_, A, Delta, L, M, Sum, eta, f, gap, grad, i, inner, k, normsq, x, xstar
from boundcheck.problem import Differentiable, IsQuadratic, Smooth
from boundcheck.theorems.directional_smoothness.notation import CONVEX_GD, PAPER, any_x, any_y

smoothness_gives_a_quadratic = Bound(
    source=PAPER.at("sec:introduction.quadratic", "1"),
    title="an L-Lipschitz gradient bounds f by a quadratic, convex or not",
    given=(Differentiable, Smooth),
    states=f(any_y) <= f(any_x) + inner(grad(any_x), any_y - any_x) + L / 2 * normsq(any_y - any_x),
)

steps_below_2_over_L_descend = Bound(
    source=PAPER.at("sec:introduction.below-2-over-L", "1"),
    title="steps below 2/L decrease the gap at each iteration, convex or not",
    given=(Differentiable, Smooth, GradientDescent(), eta[i] < 2 / L, normsq(grad(x[i])) > 0),
    states=gap(x[k + 1]) < gap(x[k]),
)

# -- eq:quadratic-bound: M(x_{k+1}, x_k), against M(x_k, x_{k+1}) -------------------------------------------------------

linearised = f(x[k]) + inner(grad(x[k]), x[k + 1] - x[k])

quadratic_bound = Bound(
    source=PAPER.at("eq:quadratic-bound", "1"),
    title="a quadratic bound on the next value, with the M of Section 2 in the order printed here, M(x_{k+1}, x_k)",
    given=CONVEX_GD,
    states=f(x[k + 1]) <= linearised + M(x[k + 1], x[k]) / 2 * normsq(x[k + 1] - x[k]),
    refuted_by=Instance(problem="flat-bottom", method="3/(2L)", steps=1, smoothness="A"),
)

quadratic_bound_proved = quadratic_bound.as_proved(
    because="the smoothness must be seen from x_k, where the gradient is: M(x_k, x_{k+1}); only D and L are symmetric",
    states=f(x[k + 1]) <= linearised + M_[k] / 2 * normsq(x[k + 1] - x[k]),
)

# -- what the contributions say -----------------------------------------------------------------------------------------

tighter_than_classical = Bound(
    source=PAPER.at("fig:rate-comparison.tighter", "1"),
    title="the rate of strongly adapted steps is below the classical 2 L Delta_0 / k for the same number of steps",
    given=(*CONVEX_GD, Smooth, Follows(eta[i] == 1 / M_[i])),
    smoothness=("D", "A", "H"),
    states=Delta[0] / (2 * Sum(1 / M_[i], i, 0, k)) <= 2 * L * Delta[0] / (k + 1),
    loose_because="every M here is at most 2L, so that the left side is at most L Delta_0 / (k + 1), half of the right side",
)

tighter_than_textbook = Bound(
    source=PAPER.at("fig:rate-comparison.tighter", "1"),
    reading="textbook-constant",
    title="the rate of strongly adapted steps against the textbook L Delta_0 / (2k), which the paper does not compare with",
    given=(*CONVEX_GD, Smooth, Follows(eta[i] == 1 / M_[i])),
    smoothness=("D", "A", "H"),
    states=Delta[0] / (2 * Sum(1 / M_[i], i, 0, k)) <= L * Delta[0] / (2 * (k + 1)),
    refuted_by=Instance(problem="parabola", method="dai-yang", steps=2, smoothness="D"),
)

tighter_than_textbook_proved = tighter_than_textbook.as_proved(
    because="D may be as large as 2L, on isotropic quadratics (Section 2 says so), which costs a factor of two; A and H are at "
    "most L",
    smoothness=("A", "H"),
    try_on=(Instance(problem="quadratic-4-5", method="cauchy", steps=4),),
)

hessian_times_gradient = L * grad(xstar + grad(x[k]) / L)  # B g: the gradient of a quadratic is B (x - x*)
rayleigh_quotient = inner(grad(x[k]), hessian_times_gradient) / normsq(grad(x[k]))

rayleigh = Bound(
    source=PAPER.at("sec:introduction.rayleigh", "1"),
    title="on quadratics the step eta = 1 / A is the Rayleigh quotient of the gradient",
    given=(IsQuadratic, GradientDescent(), Follows(eta[i] == 1 / A(x[i + 1], x[i]))),
    states=eta[k] == rayleigh_quotient,
    refuted_by=Instance(problem="parabola", method="cauchy", steps=1),
)

rayleigh_proved = rayleigh.as_proved(
    because="it is the inverse of the Rayleigh quotient: a quotient is a curvature, a step is one over a curvature",
    states=eta[k] == 1 / rayleigh_quotient,
)
