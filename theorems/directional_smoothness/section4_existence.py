"""Section 4.2, Adaptivity for Convex Functions: strongly adapted steps exist.

Existence is checked by a bracket. The rule that solves eta = 1 / M(x, x - eta grad f(x)) records eta_lo_k and eta_hi_k, between
which its root lies; eta M(x, x - eta grad f(x)) is continuous in eta, so that a root exists if it is at most 1 at the one and at
least 1 at the other. Where f is not bounded below along the ray, alternative (i), there may be no bracket: the run ends there and
says so.

The two numbers are positive. For A, which does not decrease with the length of a chord, it is enough that the step is between
them. For D it is not; h of Appendix D (eq:zero-finding@proved) must be at most 0 at the one and at least 0 at the other.
"""

from fractions import Fraction

from boundcheck import Bound, Convex, Differentiable, Follows, GradientDescent, IsQuadratic, TwiceDifferentiable, chain
from boundcheck.letters import STEP, A, D, Index, L, Numbers, Scalar, ScalarLike, Vector, eta, grad, i, inner, k, normsq, x, xstar
from boundcheck.theorems.directional_smoothness.notation import PAPER

eta_lo, eta_hi = Numbers("eta_lo", STEP), Numbers("eta_hi", STEP)


def after(step: ScalarLike, n: Index = k) -> Vector:
    """x_n - eta grad f(x_n)."""
    return x[n] - step * grad(x[n])


def h(step: ScalarLike, n: Index = i) -> Scalar:
    """h(eta) of eq:zero-finding, corrected, at x_n: it is not positive exactly where eta D is at most 1."""
    new, old = grad(after(step, n)), grad(x[n])
    return normsq(new) / 2 - inner(new, old) + Fraction(3, 8) * normsq(old)


BRACKET_OF_H = (eta_lo[i] > 0, h(eta_lo[i]) <= 0, eta_hi[i] > 0, h(eta_hi[i]) >= 0)
AROUND_THE_STEP = (eta_lo[i] > 0, eta_lo[i] <= eta[i], eta[i] <= eta_hi[i])


existence_D = Bound(
    source=PAPER.at("prop:existence-D", "4.2"),
    added=(r"a bracket of the root, which a rule finds; where there is none, alternative (i), nothing is claimed",),
    title="a step strongly adapted to D exists, unless f is minimised along the ray",
    given=(Convex, Differentiable, GradientDescent(), Follows(eta[i] == 1 / D(x[i], x[i + 1])), *BRACKET_OF_H),
    states=chain(eta_lo[k] * D(x[k], after(eta_lo[k])), "<=", 1, "<=", eta_hi[k] * D(x[k], after(eta_hi[k]))),
)

existence_A = Bound(
    source=PAPER.at("prop:existence-A", "4.2"),
    added=(r"a bracket of the root, which a rule finds; where there is none, alternative (i), nothing is claimed",),
    title="a step strongly adapted to A exists, unless f is minimised along the ray",
    given=(Convex, TwiceDifferentiable, GradientDescent(), Follows(eta[i] == 1 / A(x[i], x[i + 1])), *AROUND_THE_STEP),
    states=chain(eta_lo[k] * A(x[k], after(eta_lo[k])), "<=", 1, "<=", eta_hi[k] * A(x[k], after(eta_hi[k]))),
)

# -- Newton's method on h -------------------------------------------------------------------------------------------------------

Bg = L * grad(xstar + grad(x[k]) / L)  # B grad f(x_k), as in Section 4.1

newton = Bound(
    source=PAPER.at("sec:adaptivity-general-case.root-finding", "4.2"),
    title="Newton's method needs Hessian-vector products only: on quadratics h and its slope need B grad f(x)",
    given=(IsQuadratic, GradientDescent()),
    states=h(eta[k], k) == eta[k] ** 2 * normsq(Bg) / 2 - normsq(grad(x[k])) / 8,
    added=(
        r"that $f$ is quadratic: for other $f$ the slope of $h$ has $\nabla^2 f(x - \eta \nabla f(x)) \nabla f(x)$ in it, and "
        r"the printed "
        r"$\nabla^2 f(x) \nabla f(x)$ is not enough; the language has no second derivative to test that",
        r"$h$ of eq:zero-finding as corrected",
    ),
)
