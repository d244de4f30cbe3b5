"""Appendix A, proofs for Section 2, step by step; and the descent lemma."""

from fractions import Fraction

from boundcheck import Bound, Constant, Convex, Differentiable, GradientDescent, Instance, Parameter, chain
from boundcheck.letters import LENGTH, M_, SLOPE, A, D, H, eta, f, grad, i, inner, k, mu, norm, normsq, sqrt, x, xstar
from boundcheck.theorems.directional_smoothness.notation import PAPER
from boundcheck.theorems.directional_smoothness.notation import any_x as p
from boundcheck.theorems.directional_smoothness.notation import any_y as q

# -- lemma:directional-smoothness ---------------------------------------------------------------------------------------

convexity = Bound(
    source=PAPER.at("lemma:directional-smoothness.convexity", "A"),
    title="a convex function lies above its tangents",
    given=(Convex, Differentiable),
    states=f(p) + inner(grad(p), q - p) <= f(q),
)

point_wise_steps = Bound(
    source=PAPER.at("lemma:directional-smoothness.proof", "A"),
    title="D gives a quadratic bound, line by line: convexity, add and subtract grad f(y), Cauchy-Schwarz, the definition of D",
    given=(Convex, Differentiable),
    states=chain(
        f(p),
        "<=",
        f(q) + inner(grad(p), p - q),
        "==",
        f(q) + inner(grad(q), p - q) + inner(grad(p) - grad(q), p - q),
        "<=",
        f(q) + inner(grad(q), p - q) + norm(grad(p) - grad(q)) * norm(p - q),
        "==",
        f(q) + inner(grad(q), p - q) + D(p, q) / 2 * normsq(p - q),
    ),
)

# -- path-smoothness: the integrand at t = 1/2 --------------------------------------------------------------------------

half = Fraction(1, 2)

path_wise_steps = Bound(
    source=PAPER.at("path-smoothness.proof", "A"),
    added=(r"only $t = 1/2$ of all $t \in (0, 1]$ is tested",),
    title="A gives a quadratic bound: the integrand of the proof, half way along the chord, is at most A(x, y) t |x - y|^2",
    given=(Differentiable,),
    states=inner(grad(p + half * (q - p)) - grad(p), q - p) <= A(p, q) * half * normsq(p - q),
)

# -- prop:dirSmoothTight ------------------------------------------------------------------------------------------------
# f(x) = sqrt(x^2 + eps^2) on the chord that joins 0 = x* and 1. So that units can be checked, the length 1 is written |x - y| and
# the slope of f far away, which is 1, is written s: the displays as printed are |x - y| = s = 1.

eps = Constant("eps", LENGTH, r"\epsilon")
s = Constant("slope", SLOPE, "s")
SMOOTH_ABS = r"f(x) = s \sqrt{x^2 + \epsilon^2}"
SCALED = (
    r"the units: $s$ is the slope of $f$ far away, which is $1$, and $\|x - y\|_2$ the length of the chord, printed as $1$",
    r"$\epsilon > 0$, as in the proof",
)
FROM_THE_MINIMISER = (Convex, Differentiable, normsq(q - xstar) == 0, 0 < eps, 0 < s)

# For these eps, sqrt(x^2 + eps^2) is rational at x = 1: it is 5/4 and 13/12.
PYTHAGOREAN = (
    Instance(problem="smooth-abs-3/4", method="chords", steps=200),
    Instance(problem="smooth-abs-5/12", method="chords", steps=200),
)
NEARLY_ABS = Instance(problem="smooth-abs-1/100", method="chords", steps=200, arithmetic="auto")

t = Parameter("t")
times_t = t * norm(grad(p) - grad(q)) / norm(p - q)

equivalent = Bound(
    source=PAPER.at("prop:dirSmoothTight.equivalent", "A"),
    title="the proposition is called equivalent to H(x, y) > t |grad f(x) - grad f(y)| / |x - y| for all x, y and convex f",
    given=(Convex, Differentiable, t < 2),
    states=H(p, q) > times_t,
    try_with={"t": (Fraction(3, 2),)},
    refuted_by=Instance(problem="parabola", method="chords", steps=200, parameters={"t": Fraction(3, 2)}),
)

equivalent_proved = equivalent.as_proved(
    because="the proposition says that f, x and y exist; for the same f, x and y the two inequalities are equivalent: "
    "their sides differ by the same, times |y - x|^2 / 2",
    states=(H(p, q) - times_t) / 2 * normsq(q - p)
    == f(q) - (f(p) + inner(grad(p), q - p) + t * norm(grad(p) - grad(q)) / (2 * norm(q - p)) * normsq(q - p)),
    proof_sketch=(
        r"For convex $f$ the absolute value in $H(x, y)$ may be left out [lemma:directional-smoothness.convexity], so that "
        r"$H(x, y) \|y - x\|_2^2 / 2 = f(y) - f(x) - \langle \nabla f(x), y - x \rangle$.",
        r"Subtract $t \|\nabla f(x) - \nabla f(y)\|_2 \|y - x\|_2 / 2$ on both sides. So the left side of one inequality "
        r"exceeds its right "
        r"side exactly where that of the other does.",
    ),
)

optimal_at_most_point_wise = Bound(
    source=PAPER.at("prop:dirSmoothTight.H-at-most-D", "A"),
    title="H is at most D, which is 2 |grad f(x) - grad f(y)| / |x - y|",
    given=(Convex, Differentiable),
    states=chain(H(p, q), "<=", D(p, q), "==", 2 * norm(grad(p) - grad(q)) / norm(p - q)),
)

first_derivative = Bound(
    source=PAPER.at("prop:dirSmoothTight.first-derivative", "A"),
    function=SMOOTH_ABS,
    added=SCALED[:1],
    title="the derivative of f = sqrt(x^2 + eps^2) is x / sqrt(x^2 + eps^2)",
    given=(Convex, Differentiable, 0 < eps, 0 < s),
    states=norm(grad(p)) == s * norm(p - xstar) / sqrt(normsq(p - xstar) + eps**2),
    try_on=PYTHAGOREAN,
)

SECANTS = (*SCALED[:1], r"$\mu(x, y)$ and $A(x, y)$, between which $f''(x)$ lies: the language has no second derivative")

second_derivative = Bound(
    source=PAPER.at("prop:dirSmoothTight.second-derivative", "A"),
    function=SMOOTH_ABS,
    added=SECANTS,
    title="f''(x) = eps^2 / (eps^2 + x^2)^(3/2) is not negative; it lies between the secant slopes from x, mu(x, y) and A(x, y)",
    given=(Convex, Differentiable, 0 < eps, 0 < s),
    states=chain(0, "<=", mu(p, q), "<=", s * eps**2 / sqrt(eps**2 + normsq(p - xstar)) ** 3, "<=", A(p, q)),
    try_on=PYTHAGOREAN,
)

triangle = Bound(
    source=PAPER.at("prop:dirSmoothTight.triangle", "A"),
    function=SMOOTH_ABS,
    added=SCALED,
    title="sqrt(x^2 + eps^2) in place of |x|: each of three differences is small",
    given=FROM_THE_MINIMISER,
    states=chain(
        s * norm(p - q),
        "<=",
        abs(f(p) - f(q) - inner(grad(q), p - q)) + s * abs(norm(p - q) - sqrt(normsq(p - q) + eps**2)) + s * eps,
        "<=",
        abs(f(p) - f(q) - inner(grad(q), p - q)) + 2 * s * eps,
    ),
    try_on=PYTHAGOREAN,
)

value_above_tangent = Bound(
    source=PAPER.at("eq:n5", "A"),
    function=SMOOTH_ABS,
    added=SCALED,
    title="f = sqrt(x^2 + eps^2) rises above its tangent at 0 by at least 1 - 2 eps",
    given=FROM_THE_MINIMISER,
    states=abs(f(p) - f(q) - inner(grad(q), p - q)) >= s * (norm(p - q) - 2 * eps),
    try_on=(*PYTHAGOREAN, NEARLY_ABS),
)

optimal_smoothness_of_the_chord = Bound(
    source=PAPER.at("eq:n6", "A"),
    function=SMOOTH_ABS,
    added=SCALED,
    title="H(1, 0) of f = sqrt(x^2 + eps^2) is at least 2 - 4 eps",
    given=FROM_THE_MINIMISER,
    states=H(p, q) >= s * (2 * norm(p - q) - 4 * eps) / normsq(p - q),
    refuted_by=Instance(problem="smooth-abs-9/40", method="chords", steps=200),
)

optimal_smoothness_of_the_chord_proved = optimal_smoothness_of_the_chord.as_proved(
    because="the gradient in the display is taken at 0, so it is H(0, 1); H is not symmetric",
    states=H(q, p) >= s * (2 * norm(p - q) - 4 * eps) / normsq(p - q),
    try_on=(*PYTHAGOREAN, NEARLY_ABS),
    proof_sketch=(
        r"$y = x_*$, so $\nabla f(y) = 0$ and $H(y, x) \|x - y\|_2^2 / 2 = |f(x) - f(y) - \langle \nabla f(y), x - y \rangle|$.",
        r"By [eq:n5] that is at least $s (\|x - y\|_2 - 2 \epsilon)$; multiply by $2 / \|x - y\|_2^2$.",
    ),
)

change_of_gradient = Bound(
    source=PAPER.at("eq:n7", "A"),
    function=SMOOTH_ABS,
    added=SCALED,
    title="|f'(1) - f'(0)| = 1 / sqrt(1 + eps^2), which is at most 1",
    given=FROM_THE_MINIMISER,
    states=chain(norm(grad(p) - grad(q)), "==", s * norm(p - q) / sqrt(normsq(p - q) + eps**2), "<=", s),
    try_on=PYTHAGOREAN,
)

# -- lemma:local-descent-lemma ------------------------------------------------------------------------------------------

local_descent_lemma = Bound(
    source=PAPER.at("lemma:local-descent-lemma", "A"),
    title="the descent lemma: one step of gradient descent makes progress",
    given=(Differentiable, GradientDescent(), eta[i] > 0),
    states=f(x[k + 1]) <= f(x[k]) - eta[k] * (1 - eta[k] * M_[k] / 2) * normsq(grad(x[k])),
)

descent_steps = Bound(
    source=PAPER.at("lemma:local-descent-lemma.proof", "A"),
    title="the descent lemma, line by line: the quadratic bound, then the update put in",
    given=(Differentiable, GradientDescent(), eta[i] > 0),
    states=chain(
        f(x[k + 1]),
        "<=",
        f(x[k]) + inner(grad(x[k]), x[k + 1] - x[k]) + M_[k] / 2 * normsq(x[k + 1] - x[k]),
        "==",
        f(x[k]) - eta[k] * normsq(grad(x[k])) + eta[k] ** 2 * M_[k] / 2 * normsq(grad(x[k])),
        "==",
        f(x[k]) - eta[k] * ((1 - eta[k] * M_[k]) / 2) * normsq(grad(x[k])),
    ),
    refuted_by=Instance(problem="huber", method="1/L", steps=4, smoothness="H"),
)

descent_steps_proved = descent_steps.as_proved(
    because="the last line halves the 1 along with eta M: it must read 1 - eta M / 2, as in the lemma",
    states=chain(
        f(x[k + 1]),
        "<=",
        f(x[k]) + inner(grad(x[k]), x[k + 1] - x[k]) + M_[k] / 2 * normsq(x[k + 1] - x[k]),
        "==",
        f(x[k]) - eta[k] * normsq(grad(x[k])) + eta[k] ** 2 * M_[k] / 2 * normsq(grad(x[k])),
        "==",
        f(x[k]) - eta[k] * (1 - eta[k] * M_[k] / 2) * normsq(grad(x[k])),
    ),
    proof_sketch=(
        r"First line: the definition of $M$ [def:directional-smoothness-function] with $x = x_k$ and $y = x_{k+1}$.",
        r"Second line: $x_{k+1} - x_k = -\eta_k \nabla f(x_k)$ put in. Third line: $\eta_k \|\nabla f(x_k)\|_2^2$ taken out of "
        r"$-\eta_k \|\nabla f(x_k)\|_2^2 + \eta_k^2 M_k \|\nabla f(x_k)\|_2^2 / 2$ leaves $-(1 - \eta_k M_k / 2)$.",
    ),
)
