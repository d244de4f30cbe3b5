"""Composite convex minimization by gradients of f and proximal steps of h: proximal gradient, its accelerations, Frank-Wolfe."""

from fractions import Fraction

from boundcheck import (
    Bound,
    By,
    Constant,
    Convex,
    Diameter,
    Indicator,
    IsQuadratic,
    Method,
    Minimises,
    Parameter,
    Smooth,
    StronglyConvex,
    Update,
)
from boundcheck.letters import (
    LENGTH,
    NONE,
    STEP,
    ConvexSet,
    Delta,
    Function,
    L,
    Numbers,
    as_scalar,
    f,
    grad,
    k,
    larger,
    minimise_linear,
    mu_f,
    prox,
    sqrt,
    x,
    xstar,
    y,
)
from boundcheck.theorems.performance_estimation.notation import UPPER_BOUND, paper

BECK_TEBOULLE = paper(
    "A Fast Iterative Shrinkage-Thresholding Algorithm for Linear Inverse Problems", "Amir Beck, Marc Teboulle", 2009
)
COMPOSITE = paper(
    "Exact worst-case performance of first-order methods for composite convex optimization",
    "Adrien B. Taylor, Julien M. Hendrickx, François Glineur",
    2017,
)
PROXIMAL_GRADIENT = paper(
    "Exact worst-case convergence rates of the proximal gradient method for composite convex minimization",
    "Adrien B. Taylor, Julien M. Hendrickx, François Glineur",
    2018,
)
JAGGI = paper("Revisiting Frank-Wolfe: Projection-Free Sparse Convex Optimization", "Martin Jaggi", 2013)

h, C = Function("h"), ConvexSet("C")
F = f + h
gamma = Parameter("gamma", STEP)
SMOOTH_PLUS_CONVEX = (Convex, Smooth, Convex.of(h), Minimises(F))

t = Numbers("t", NONE)  # t[k] is the paper's lambda_{k+1}
step_from_y = Update(x[k + 1], prox(h, 1 / L, y[k] - 1 / L * grad(y[k])))
FISTA = Method(
    name="FISTA",
    first=(Update(t[0], as_scalar(1)), Update(y[0], x[0])),
    each=(
        step_from_y,
        Update(t[k + 1], (1 + sqrt(4 * t[k] ** 2 + 1)) / 2),
        Update(y[k + 1], x[k + 1] + (t[k] - 1) / t[k + 1] * (x[k + 1] - x[k])),
    ),
)
SIMPLE_MOMENTUM = Method(
    name="accelerated proximal gradient with momentum k / (k + 3)",
    first=(Update(y[0], x[0]),),
    each=(step_from_y, Update(y[k + 1], x[k + 1] + k / (k + 3) * (x[k + 1] - x[k]))),
)
PROXIMAL_STEPS = Method(
    name="proximal gradient with a constant step", each=(Update(x[k + 1], prox(h, gamma, x[k] - gamma * grad(x[k]))),)
)

fista = Bound(
    source=BECK_TEBOULLE.at("accelerated_proximal_gradient", "Theorem 4.4"),
    title="FISTA: the gap is at most L |x_0 - x*|^2 / (2 lambda_k^2)",
    given=(*SMOOTH_PLUS_CONVEX, By(FISTA)),
    for_all=k >= 1,
    states=F(x[k]) - F(xstar) <= L / 2 * Delta[0] / t[k - 1] ** 2,
    loose_because=UPPER_BOUND,
)

simplified = Bound(
    source=COMPOSITE.at("accelerated_proximal_gradient_simplified", "Table 1"),
    title="accelerated proximal gradient with momentum k / (k + 3): the exact rate, found numerically",
    given=(*SMOOTH_PLUS_CONVEX, By(SIMPLE_MOMENTUM)),
    for_all=k >= 1,
    states=F(x[k]) - F(xstar) <= 2 * L / (k**2 + 5 * k + 2) * Delta[0],
)

contraction = larger((1 - L * gamma) ** 2, (1 - mu_f * gamma) ** 2)

proximal_gradient = Bound(
    source=PROXIMAL_GRADIENT.at("proximal_gradient", "Theorem 3.1"),
    title="proximal gradient: the squared distance contracts by max((1 - L gamma)^2, (1 - mu gamma)^2)",
    given=(StronglyConvex, Smooth, Convex.of(h), Minimises(F), By(PROXIMAL_STEPS), gamma > 0),
    for_all=k >= 1,
    states=Delta[k] <= contraction**k * Delta[0],
    try_with={"gamma": (1, Fraction(1, 2), Fraction(3, 2))},
)

quadratics = Bound(
    source=PROXIMAL_GRADIENT.at("proximal_gradient_quadratics", "Theorem 3.1"),
    title="proximal gradient where f is a quadratic: the contraction is the same",
    given=(IsQuadratic, *proximal_gradient.given),
    for_all=k >= 1,
    states=proximal_gradient.states,
    try_with=proximal_gradient.try_with,
)

D = Constant("D", LENGTH)
FRANK_WOLFE = Method(
    name="Frank-Wolfe",
    each=(
        Update(y[k], minimise_linear(C, grad(x[k]))),
        Update(x[k + 1], (1 - 2 / (k + 2)) * x[k] + 2 / (k + 2) * y[k]),
    ),
)

frank_wolfe = Bound(
    source=JAGGI.at("composite/frank_wolfe", "Theorem 1"),
    title="Frank-Wolfe on a set of diameter D: the gap is at most 2 L D^2 / (k + 2)",
    given=(Convex, Smooth, Indicator.of(C), Diameter.of(C, D=D), Minimises(f + C), By(FRANK_WOLFE), C(x[0]) == 0),
    for_all=k >= 1,
    states=(f + C)(x[k]) - (f + C)(xstar) <= 2 * L * D**2 / (k + 2),
    loose_because=UPPER_BOUND,
)
