"""Appendix D, the proofs that strongly adapted steps exist, display by display.

x is x_k, and eta is the step eta_k that a run takes, whatever it is, so that x - eta grad f(x) is x_{k+1}. With g = grad f(x) and
g+ = grad f(x - eta g), D(x, x - eta g) = 2 |g+ - g| / (eta |g|): so eta = 1/D exactly when |g+ - g| = |g| / 2.
"""

from fractions import Fraction

from boundcheck import Bound, Instance, IsQuadratic, TwiceDifferentiable, chain
from boundcheck.letters import A, D, Index, Scalar, Vector, eta, f, grad, i, inner, k, norm, normsq, x
from boundcheck.theorems.directional_smoothness.notation import CONVEX_GD, PAPER

g, after = grad(x[k]), grad(x[k + 1])
change = normsq(grad(x[i + 1]) - grad(x[i]))


def twice_as_far(n: Index) -> Vector:
    """x_n - 2 eta_n grad f(x_n)."""
    return x[n] - 2 * eta[n] * grad(x[n])


def half_as_far(n: Index) -> Vector:
    """x_n - eta_n grad f(x_n) / 2."""
    return x[n] - eta[n] / 2 * grad(x[n])


def h(n: Index) -> Scalar:
    """h(eta_n) of eq:zero-finding, as printed."""
    new, old = grad(x[n + 1]), grad(x[n])
    return normsq(new) / 2 - inner(new, old) - normsq(old) / 2


def corrected_h(n: Index) -> Scalar:
    """|g+ - g|^2 / 2 - (|g| / 2)^2 / 2: its root is eta = 1/D."""
    new, old = grad(x[n + 1]), grad(x[n])
    return normsq(new) / 2 - inner(new, old) + Fraction(3, 8) * normsq(old)


# -- prop:existence-D ---------------------------------------------------------------------------------------------------

# Runs that stay where f is affine, so that no step changes the gradient.
ON_A_SLOPE = tuple(Instance(problem=name, method="1/L", steps=4) for name in ("long-huber", "tilted"))

unchanged = Bound(
    source=PAPER.at("prop:existence-D.unchanged", "D"),
    title="where the gradient has not changed, -<g+, g> = -|g|^2",
    given=(*CONVEX_GD, change == 0),
    states=-inner(after, g) == -normsq(g),
    try_on=ON_A_SLOPE,
    loose_because="an equation between negative numbers: no ratio measures it, and it holds exactly",
)

monotone = Bound(
    source=PAPER.at("prop:existence-D.monotone", "D"),
    title="-<grad f(x - eta' g), g> does not decrease in eta': at eta and at 2 eta",
    given=CONVEX_GD,
    states=-inner(after, g) <= -inner(grad(twice_as_far(k)), g),
    added=(r"it is asked at $\eta$ and at $2 \eta$ only",),
)

interval = Bound(
    source=PAPER.at("prop:existence-D.interval", "D"),
    title="the steps that do not change the gradient are an interval from 0: if 2 eta does not, eta does not",
    given=(*CONVEX_GD, normsq(grad(twice_as_far(i)) - grad(x[i])) == 0),
    states=normsq(after - g) == 0,
    added=(r"it is asked at $\eta$ and at $2 \eta$ only",),
    try_on=ON_A_SLOPE,
    loose_because="an equation between two zeros: it holds exactly or not at all, and no ratio measures it",
)

implicit = Bound(
    source=PAPER.at("prop:existence-D.implicit", "D"),
    title="1/D is written 2 |x - eta g - x| / |g+ - g|",
    given=(*CONVEX_GD, change > 0),
    states=2 * norm(x[k + 1] - x[k]) / norm(after - g) == 1 / D(x[k], x[k + 1]),
    refuted_by=Instance(problem="parabola", method="1/(2L)", steps=1),
)

implicit_proved = implicit.as_proved(
    because="D has its 2 above, so 1/D has it below",
    states=norm(x[k + 1] - x[k]) / (2 * norm(after - g)) == 1 / D(x[k], x[k + 1]),
    proof_sketch=(
        r"By definition $D(x, y) = 2 \|\nabla f(x) - \nabla f(y)\| / \|x - y\|$.",
        r"Take $x = x_k$ and $y = x_{k+1}$, and invert both sides.",
    ),
)

sufficient = Bound(
    source=PAPER.at("prop:existence-D.sufficient", "D"),
    title="|g+ - g| = 2 |g| is sufficient for eta = 1/D",
    given=(*CONVEX_GD, change == 4 * normsq(grad(x[i]))),
    states=eta[k] * D(x[k], x[k + 1]) == 1,
    refuted_by=Instance(problem="parabola", method="constant(1)", steps=1),
)

sufficient_proved = sufficient.as_proved(
    because="eta D = 2 |g+ - g| / |g| for every step, which is 1 where |g+ - g| = |g| / 2, and 4 where it is 2 |g|",
    given=CONVEX_GD,
    states=eta[k] * D(x[k], x[k + 1]) == 2 * norm(after - g) / norm(g),
    proof_sketch=(
        r"The step is $\|x_{k+1} - x_k\| = \eta_k \|\nabla f(x_k)\|$ long.",
        r"So $\eta_k D(x_k, x_{k+1}) = 2 \eta_k \|\nabla f(x_{k+1}) - \nabla f(x_k)\| / (\eta_k \|\nabla f(x_k)\|)$; "
        r"cancel $\eta_k$.",
    ),
)

squared = Bound(
    source=PAPER.at("eq:zero-finding.squared", "D"),
    title="h is |g+ - g|^2 / 2 - (2 |g|)^2 / 2: both sides squared and halved",
    given=CONVEX_GD,
    states=h(k) == normsq(after - g) / 2 - 4 * normsq(g) / 2,
    refuted_by=Instance(problem="parabola", method="1/(2L)", steps=1),
)

squared_proved = squared.as_proved(
    because="the square has +|g|^2 / 2, so h as printed is |g+ - g|^2 / 2 - |g|^2: its root has |g+ - g| = sqrt(2) |g|",
    states=h(k) == normsq(after - g) / 2 - normsq(g),
    proof_sketch=(
        r"With $g = \nabla f(x_k)$ and $g^+ = \nabla f(x_{k+1})$, $\frac{1}{2} \|g^+ - g\|^2 = \frac{1}{2} \|g^+\|^2 - "
        r"\langle g^+, g \rangle + \frac{1}{2} \|g\|^2$.",
        r"$h$ as printed has $-\frac{1}{2} \|g\|^2$ for the last term, so that it is less by $\|g\|^2$.",
    ),
)

zero_finding = Bound(
    source=PAPER.at("eq:zero-finding", "D"),
    title="a root of h is strongly adapted: eta = 1/D, which is |g+ - g|^2 = |g|^2 / 4",
    given=(*CONVEX_GD, h(i) == 0),
    states=normsq(after - g) == normsq(g) / 4,
    refuted_by=Instance(problem="quadratic-2-3", method="3/(2L)", steps=1),
)

zero_finding_proved = zero_finding.as_proved(
    because="a root as printed has eta D = 2 sqrt(2); with +3/8 |g|^2 last, 2h = |g+ - g|^2 - |g|^2 / 4, whose root is eta = 1/D",
    given=CONVEX_GD,
    states=normsq(after - g) == normsq(g) / 4 + 2 * corrected_h(k),
    proof_sketch=(
        r"With $g = \nabla f(x_k)$ and $g^+ = \nabla f(x_{k+1})$, let $h(\eta) = \frac{1}{2} \|g^+\|^2 - \langle g^+, g "
        r"\rangle + \frac{3}{8} \|g\|^2$. Then $2 h(\eta) = \|g^+ - g\|^2 - \|g\|^2 + \frac{3}{4} \|g\|^2 = \|g^+ - g\|^2 "
        r"- \frac{1}{4} \|g\|^2$.",
        r"A root has $\|g^+ - g\| = \|g\| / 2$, which is $\eta D = 1$ [prop:existence-D.sufficient@proved].",
    ),
)

at_the_interval = Bound(
    source=PAPER.at("prop:existence-D.h-begins-negative", "D"),
    title="h is -|g|^2 where the gradient has not changed",
    given=(*CONVEX_GD, change == 0),
    states=h(k) == -normsq(g),
    try_on=ON_A_SLOPE,
    loose_because="an equation between negative numbers: no ratio measures it, and it holds exactly",
)

at_the_interval_for_the_root = Bound(
    source=PAPER.at("prop:existence-D.h-begins-negative", "D"),
    reading="corrected-h",
    title="where the gradient has not changed, the corrected h is -|g|^2 / 8, still negative",
    given=(*CONVEX_GD, change == 0),
    states=corrected_h(k) == -normsq(g) / 8,
    try_on=ON_A_SLOPE,
    loose_because="an equation between negative numbers: no ratio measures it, and it holds exactly",
)

h_not_positive = Bound(
    source=PAPER.at("prop:existence-D.h-not-positive", "D"),
    title="h <= 0 can only occur where eta <= 1/D (printed D(x(eta), x - eta g), one point twice; read D(x, x - eta g))",
    given=(*CONVEX_GD, change > 0, h(i) <= 0),
    states=eta[k] <= 1 / D(x[k], x[k + 1]),
    added=(r"$D(x(\eta), x - \eta \nabla f(x))$, with one point twice, is read as $D(x, x - \eta \nabla f(x))$",),
    refuted_by=Instance(problem="parabola", method="1/L", steps=1),
)

h_not_positive_proved = h_not_positive.as_proved(
    because="true of the corrected h, whose root is |g+ - g| = |g| / 2",
    given=(*CONVEX_GD, change > 0, corrected_h(i) <= 0),
    proof_sketch=(
        r"Where the corrected $h$ is at most $0$, [eq:zero-finding@proved] gives $\|\nabla f(x_{k+1}) - \nabla f(x_k)\| "
        r"\leq \frac{1}{2} \|\nabla f(x_k)\|$.",
        r"Then $\eta_k D(x_k, x_{k+1}) \leq 1$ by [prop:existence-D.sufficient@proved]; divide by $D > 0$.",
    ),
)

descent = Bound(
    source=PAPER.at("prop:existence-D.descent", "D"),
    title="where eta <= 1/D, the descent lemma gives f(x - eta g) <= f(x) - eta |g|^2 / 2",
    given=(*CONVEX_GD, eta[i] * D(x[i], x[i + 1]) <= 1),
    states=chain(
        f(x[k + 1]),
        "<=",
        f(x[k]) - eta[k] * (1 - eta[k] * D(x[k], x[k + 1]) / 2) * normsq(g),
        "<=",
        f(x[k]) - eta[k] / 2 * normsq(g),
    ),
)

# -- prop:existence-A ---------------------------------------------------------------------------------------------------

convexity = Bound(
    source=PAPER.at("prop:existence-A.convexity", "D"),
    title="convexity gives f(x - eta g) <= f(x) - eta <g+, g>",
    given=CONVEX_GD,
    states=f(x[k + 1]) <= f(x[k]) - eta[k] * inner(after, g),
)

infimum = Bound(
    source=PAPER.at("prop:existence-A.infimum", "D"),
    title="1/A is the infimum over t of t eta |g|^2 / <g - grad f(x - t eta g), g>: at most its value at t = 1/2",
    given=(*CONVEX_GD, inner(grad(x[i]) - grad(half_as_far(i)), grad(x[i])) > 0),
    states=1 / A(x[k], x[k + 1]) <= eta[k] / 2 * normsq(g) / inner(g - grad(half_as_far(k)), g),
    added=(
        "$t = 1/2$ only, and one direction of the equation",
        "a positive denominator",
    ),
)

infimum_at_the_end = Bound(
    source=PAPER.at("prop:existence-A.infimum-at-1", "D"),
    title="1/A is the infimum over t of t eta |g|^2 / <g - grad f(x - t eta g), g>: at most its value at t = 1",
    given=(*CONVEX_GD, inner(grad(x[i]) - grad(x[i + 1]), grad(x[i])) > 0),
    states=1 / A(x[k], x[k + 1]) <= eta[k] * normsq(g) / inner(g - after, g),
    added=(
        "$t = 1$ only, and one direction of the equation",
        "a positive denominator",
    ),
)

no_curvature = Bound(
    source=PAPER.at("prop:existence-A.no-curvature", "D"),
    title="where <g+, g> = |g|^2, there is no curvature along the way: A = 0",
    given=(*CONVEX_GD, inner(grad(x[i + 1]), grad(x[i])) == normsq(grad(x[i]))),
    states=A(x[k], x[k + 1]) == 0,
    added=(r"$A(x, x - \eta \nabla f(x)) = 0$ in place of the Hessian along the way",),
    try_on=ON_A_SLOPE,
    loose_because="an equation between two zeros: it holds exactly or not at all, and no ratio measures it",
)

# printed with t as the limit of the integral and as its variable; read from 0 to 1
integral = Bound(
    source=PAPER.at("prop:existence-A.integral", "D"),
    title="the integral of the curvature along the way is <g+ - g, g> = 0 where <g+, g> = |g|^2",
    given=(*CONVEX_GD, inner(grad(x[i + 1]), grad(x[i])) == normsq(grad(x[i]))),
    states=chain(A(x[k], x[k + 1]) * normsq(g), "==", inner(after - g, g), "==", 0),
    added=(r"$A \|\nabla f(x)\|^2$ in place of the integral, which is at most that and not negative",),
    try_on=ON_A_SLOPE,
    loose_because="an equation between zeros: it holds exactly or not at all, and no ratio measures it",
)

integral_for_any_step = Bound(
    source=PAPER.at("prop:existence-A.integral", "D"),
    reading="for-any-step",
    title="the integral from 0 to 1 of <g, Hessian(x - t eta g) g> is <g+ - g, g> for every step; on a quadratic it is A |g|^2",
    because="it is <g - g+, g> / eta: the sign and the step are missing, and its t is both a limit and the variable; "
    "where the proof uses it, both sides are 0",
    given=(*CONVEX_GD, IsQuadratic),
    states=A(x[k], x[k + 1]) * normsq(g) == inner(after - g, g),
    refuted_by=Instance(problem="half-square", method="1/(2L)", steps=1),
)

g_of_eta = Bound(
    source=PAPER.at("prop:existence-A.g-and-h", "D"),
    title="h(eta) = eta - 1/A is eta - g(eta), with g(eta) = 1 / (eta A) as printed, which has lost its eta",
    given=(*CONVEX_GD, TwiceDifferentiable, A(x[i], x[i + 1]) > 0),
    states=eta[k] - 1 / A(x[k], x[k + 1]) == eta[k] - 1 / (eta[k] * A(x[k], x[k + 1])),
    added=("$A > 0$, so that $1 / A$ is a number",),
    refuted_by=Instance(problem="parabola", method="1/(2L)", steps=1),
)

g_of_eta_proved = g_of_eta.as_proved(
    because="inf of t |g|^2 / <...> is a pure number, 1 / (eta A); h subtracts eta times it",
    states=eta[k] - 1 / A(x[k], x[k + 1]) == eta[k] - eta[k] * (1 / (eta[k] * A(x[k], x[k + 1]))),
    proof_sketch=(
        r"Let $y = x - \eta \nabla f(x)$. $A(x, y)$ is the supremum over $t$ of $\langle \nabla f(x) - \nabla f(x - t \eta "
        r"\nabla f(x)), \nabla f(x) \rangle / (t \eta \|\nabla f(x)\|^2)$.",
        r"So the infimum over $t$ of $t \|\nabla f(x)\|^2 / \langle \nabla f(x) - \nabla f(x - t \eta \nabla f(x)), \nabla "
        r"f(x) \rangle$, which is printed as $g(\eta)$, is $1 / (\eta A)$; and $1 / A$ is $\eta$ times it.",
    ),
)

g_does_not_increase = Bound(
    source=PAPER.at("prop:existence-A.g-non-increasing", "D"),
    title="g(eta) = 1 / (eta A(x, x - eta g)) does not increase: at eta and at 2 eta",
    given=(*CONVEX_GD, A(x[i], x[i + 1]) > 0),
    states=1 / (2 * eta[k] * A(x[k], twice_as_far(k))) <= 1 / (eta[k] * A(x[k], x[k + 1])),
    added=(
        r"it is asked at $\eta$ and at $2 \eta$ only",
        "$A > 0$, so that $g$ is a number",
    ),
    loose_because="A does not decrease with the length of the chord, so that the left side is at most half of the right side",
)

corrected_g_does_not_increase = Bound(
    source=PAPER.at("prop:existence-A.g-non-increasing", "D"),
    reading="corrected-g",
    title="1 / A(x, x - eta g), which is what h subtracts from eta, does not increase: at eta and at 2 eta",
    given=(*CONVEX_GD, A(x[i], x[i + 1]) > 0),
    states=1 / A(x[k], twice_as_far(k)) <= 1 / A(x[k], x[k + 1]),
)

# as g does not increase, its limit is at most g(2 eta)
strict_limit = Bound(
    source=PAPER.at("prop:existence-A.strict-limit", "D"),
    title="the limit of g(eta) = 1 / (eta A(x, x - eta g)) is below g(eta'), strictly: g(2 eta) is below g(eta)",
    given=(*CONVEX_GD, A(x[i], x[i + 1]) > 0),
    states=1 / (2 * eta[k] * A(x[k], twice_as_far(k))) < 1 / (eta[k] * A(x[k], x[k + 1])),
    added=(r"$g(2 \eta')$ in place of the limit, which is not larger",),
    loose_because="A does not decrease with the length of the chord, so that the left side is at most half of the right side",
)

strict_limit_of_corrected_g = Bound(
    source=PAPER.at("prop:existence-A.strict-limit", "D"),
    reading="corrected-g",
    title="the limit of 1 / A(x, x - eta g), which is what h subtracts from eta, is below its value at eta', strictly",
    because="on a quadratic 1 / A is the same for every eta, so that the limit is equal to it; the proof needs a finite one only",
    given=(*CONVEX_GD, TwiceDifferentiable, A(x[i], x[i + 1]) > 0),
    states=1 / A(x[k], twice_as_far(k)) < 1 / A(x[k], x[k + 1]),
    refuted_by=Instance(problem="half-square", method="1/(2L)", steps=1),
)
