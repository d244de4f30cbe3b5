"""Gradient descent with constant and with decreasing steps: smooth functions, quadratics, quadratic upper bounds."""

from boundcheck import (
    Bound,
    By,
    Convex,
    ErrorBound,
    Follows,
    GradientDescent,
    IsQuadratic,
    Method,
    QuadraticGrowth,
    RestrictedSecant,
    Smooth,
    StronglyConvex,
    Update,
)
from boundcheck.letters import NONE, Delta, L, Numbers, as_scalar, delta, eta, grad, i, k, larger, mu_f, smaller, sqrt, x
from boundcheck.theorems.performance_estimation.notation import paper
from boundcheck.theorems.performance_estimation.sources import (
    BOUSSELMI_HENDRICKX_GLINEUR_2023,
    GOUJAUD_TAYLOR_DIEULEVEUT_2022,
)

CONSTANT_STEP = Follows(eta[i] == eta[0])
step = eta[0]

DRORI_TEBOULLE_2014 = paper(
    "Performance of first-order methods for smooth convex minimization: a novel approach", "Yoel Drori, Marc Teboulle", 2014
)
smooth_convex = Bound(
    source=DRORI_TEBOULLE_2014.at("gradient_descent", "Theorem 3.1"),
    title="gradient descent with a constant step up to 1/L on a smooth convex function: the last gap, exactly",
    given=(Convex, Smooth, GradientDescent(), CONSTANT_STEP, eta[i] <= 1 / L),
    for_all=k >= 1,
    states=delta[k] <= L / (4 * k * L * step + 2) * Delta[0],
)

# -- quadratics ----------------------------------------------------------------------------------------------------------

bend = larger(mu_f / L, smaller(1, 1 / (L * step * (2 * k + 1))))
quadratics = Bound(
    source=BOUSSELMI_HENDRICKX_GLINEUR_2023.at("gradient_descent_quadratics", "Equation (4.17)"),
    title="gradient descent with a constant step up to 2/L on a quadratic with curvatures from mu to L (a conjecture)",
    given=(IsQuadratic, Smooth, StronglyConvex, GradientDescent(), CONSTANT_STEP, eta[i] <= 2 / L),
    for_all=k >= 1,
    states=delta[k] <= L / 2 * larger(bend * ((1 - bend * L * step) ** 2) ** k, ((1 - L * step) ** 2) ** k) * Delta[0],
)

# -- convex functions with a quadratic upper bound: f(x) - f* <= L/2 |x - x*|^2 ------------------------------------------

BOUNDED_ABOVE = (Convex, QuadraticGrowth)
bounded_above = Bound(
    source=GOUJAUD_TAYLOR_DIEULEVEUT_2022.at("gradient_descent_qg_convex", "Theorem 2.2"),
    title="gradient descent with a constant step below 1/L on a convex function with a quadratic upper bound: the last gap",
    given=(*BOUNDED_ABOVE, GradientDescent(), CONSTANT_STEP, eta[i] < 1 / L),
    for_all=k >= 1,
    states=delta[k] <= L / 2 * larger(1 / (2 * k * L * step + 1), L * step) * Delta[0],
)

u = Numbers("u", NONE)
DECREASING = Method(
    name="gradient descent with steps 1 / (L u)",
    first=(Update(u[0], as_scalar(1)),),
    each=(
        Update(u[k + 1], u[k] / 2 + sqrt((u[k] / 2) ** 2 + 2)),
        Update(x[k + 1], x[k] - 1 / (L * u[k + 1]) * grad(x[k])),
    ),
)
decreasing = Bound(
    source=GOUJAUD_TAYLOR_DIEULEVEUT_2022.at("gradient_descent_qg_convex_decreasing", "Conjecture A.3"),
    title="gradient descent with steps 1 / (L u_{k+1}) under a quadratic upper bound: the last gap (a conjecture)",
    given=(*BOUNDED_ABOVE, By(DECREASING)),
    for_all=k >= 1,
    states=delta[k] <= L / (2 * u[k]) * Delta[0],
)

# -- neither convex nor smooth: <grad f(x), x - x*> >= mu |x - x*|^2 and |grad f(x)| <= L |x - x*| ----------------------

GUILLE_ESCURET_2022 = paper(
    "Gradient Descent Is Optimal Under Lower Restricted Secant Inequality And Upper Error Bound",
    "Charles Guille-Escuret, Baptiste Goujaud, Adam Ibrahim, Ioannis Mitliagkas",
    2022,
)
restricted_secant = Bound(
    source=GUILLE_ESCURET_2022.at("subgradient_method_rsi_eb", "Proposition 1"),
    title="gradient descent with a constant step under a restricted secant inequality and an error bound: the distance contracts",
    given=(RestrictedSecant, ErrorBound, GradientDescent(), CONSTANT_STEP),
    for_all=k >= 1,
    states=Delta[k] <= (1 - 2 * step * mu_f + L**2 * step**2) ** k * Delta[0],
)
