"""Steps in the geometry of another function: Bregman proximal points, NoLips, and the improved interior gradient algorithm.

D_h(p; q) = h(p) - h(q) - <grad h(q), p - q>. f is smooth relatively to h where L h - f is convex: where h = (d + f) / L for a
convex d. PEPit prints D_f for the Bregman proximal point method, and computes with the distance of the kernel, which is stated
here. It prints the rate of the improved interior gradient algorithm for a kernel with mu = 1.
"""

from fractions import Fraction

from boundcheck import Bound, By, Constant, Convex, Indicator, Method, Minimises, Parameter, Smooth, StronglyConvex, Update
from boundcheck.letters import (
    CURVATURE,
    NONE,
    STEP,
    ConvexSet,
    Function,
    FunctionSum,
    L,
    Min,
    Numbers,
    Points,
    Scalar,
    Vector,
    equal,
    f,
    grad,
    i,
    inner,
    k,
    sqrt,
    subgrad,
    x,
    xstar,
    y,
)
from boundcheck.theorems.performance_estimation.notation import UPPER_BOUND, paper

CENSOR_ZENIOS = paper("Proximal minimization algorithm with D-functions", "Yair Censor, Stavros A. Zenios", 1992)
AUSLENDER_TEBOULLE = paper(
    "Interior gradient and proximal methods for convex and conic optimization", "Alfred Auslender, Marc Teboulle", 2006
)
DRAGOMIR = paper(
    "Optimal complexity and certification of Bregman first-order methods",
    "Radu-Alexandru Dragomir, Adrien B. Taylor, Alexandre d'Aspremont, Jérôme Bolte",
    2021,
)
BOLTE = paper(
    "First order methods beyond convexity and Lipschitz gradient continuity with applications to quadratic inverse problems",
    "Jérôme Bolte, Shoham Sabach, Marc Teboulle, Yakov Vaisbourd",
    2018,
)

C = ConvexSet("C")


def distance(of: Function | FunctionSum, end: Vector, start: Vector) -> Scalar:
    """D_h(end; start)."""
    return of(end) - of(start) - inner(subgrad(of, start), end - start)


# -- proximal points -----------------------------------------------------------------------------------------

psi = Function("psi")
ratio = Parameter("gamma", NONE)
BREGMAN_PROXIMAL = Method(
    name="Bregman proximal point",
    each=(Update(x[k + 1], such_that=equal(subgrad(psi, x[k + 1]), subgrad(psi, x[k]) - ratio * subgrad(f, x[k + 1]))),),
)

proximal_point = Bound(
    source=CENSOR_ZENIOS.at("bregman_proximal_point", "Section 2"),
    title="Bregman proximal point: the gap is at most D(x*; x_0) / (gamma k), found numerically",
    given=(Convex, Convex.of(psi), By(BREGMAN_PROXIMAL), ratio > 0),
    for_all=k >= 1,
    states=f(x[k]) - f(xstar) <= 1 / (ratio * k) * distance(psi, xstar, x[0]),
    try_with={"gamma": (3, 1)},
)

# -- NoLips --------------------------------------------------------------------------------------------------

gamma = Parameter("gamma", STEP)
L_h = Parameter("L_h", CURVATURE)  # L of a function that is smooth relatively to h
d = Function("d")
h = (d + f) / L_h


def no_lips(kernel: FunctionSum, of: Function | FunctionSum) -> Method:
    """x_{k+1} minimises gamma <grad f(x_k), u> + D_h(u; x_k) over C."""
    here = grad(kernel, x[k + 1]) + gamma * subgrad(C, x[k + 1])
    return Method(name="NoLips", each=(Update(x[k + 1], such_that=equal(here, grad(kernel, x[k]) - gamma * grad(of, x[k]))),))


RELATIVELY_SMOOTH = (
    Convex,
    Convex.of(d),
    Indicator.of(C),
    Minimises(f + C),
    By(no_lips(h, f)),
    gamma > 0,
    L_h > 0,
    gamma * L_h <= 1,
)

in_values = Bound(
    source=DRAGOMIR.at("no_lips_in_function_value", "Theorem 1"),
    title="NoLips: the gap is at most D_h(x*; x_0) / (gamma k)",
    given=RELATIVELY_SMOOTH,
    for_all=k >= 1,
    states=f(x[k]) - f(xstar) <= 1 / (gamma * k) * distance(h, xstar, x[0]),
    try_with={"L_h": (1,), "gamma": (Fraction(1, 2), 1)},
)

in_divergence = Bound(
    source=DRAGOMIR.at("no_lips_in_bregman_divergence", "Proposition 4"),
    title="NoLips: the shortest step is at most 2 D_h(x*; x_0) / (k (k - 1))",
    given=RELATIVELY_SMOOTH,
    for_all=k >= 2,
    states=Min(distance(h, x[i - 1], x[i]), i, 1, k) <= 2 / (k * (k - 1)) * distance(h, xstar, x[0]),
    try_with={"L_h": (1,), "gamma": (1, Fraction(1, 2))},
    loose_because=UPPER_BOUND,
)

# -- NoLips where f is not convex: f = (d_2 - d_1) / 2 and h = (d_1 + d_2) / (2 L) ---------------------------

d1, d2 = Function("d_1"), Function("d_2")
difference, mean_kernel = (d2 - d1) / 2, (d1 + d2) / (2 * L_h)
objective = difference + C
NONCONVEX = (
    Convex.of(d1),
    Convex.of(d2),
    Indicator.of(C),
    By(no_lips(mean_kernel, difference)),
    C(x[0]) == 0,
    gamma > 0,
    L_h > 0,
)
decrease = objective(x[0]) - objective(x[k])

nonconvex_forward = Bound(
    source=BOLTE.at("no_lips_1", "Proposition 4.1"),
    title="NoLips on a function that need not be convex: the shortest step, D_h(x_{i+1}; x_i), by the decrease",
    given=(*NONCONVEX, gamma * L_h < 1),
    for_all=k >= 1,
    states=Min(distance(mean_kernel, x[i + 1], x[i]), i, 0, k - 1) <= gamma / (k * (1 - L_h * gamma)) * decrease,
    try_with={"L_h": (1,), "gamma": (Fraction(1, 2), Fraction(1, 4))},
)

nonconvex_backward = Bound(
    source=DRAGOMIR.at("no_lips_2"),
    title="NoLips on a function that need not be convex: the shortest step, D_h(x_i; x_{i+1}), by the decrease",
    given=(*NONCONVEX, gamma * L_h <= 1),
    for_all=k >= 1,
    states=Min(distance(mean_kernel, x[i], x[i + 1]), i, 0, k - 1) <= gamma / k * decrease,
    try_with={"L_h": (1,), "gamma": (1, Fraction(1, 2))},
)

# -- the improved interior gradient algorithm ----------------------------------------------------------------

kernel = Function("h")
mu_h, first_weight = Constant("mu_h", CURVATURE, r"\mu_h"), Parameter("c", NONE)
z, c, a = Points("z"), Numbers("c", NONE), Numbers("a", NONE)
speed = c[k] * mu_h / L
INTERIOR = Method(
    name="improved interior gradient algorithm",
    first=(Update(z[0], x[0]), Update(c[0], first_weight)),
    each=(
        Update(a[k], (sqrt(speed**2 + 4 * speed) - speed) / 2),
        Update(y[k], (1 - a[k]) * x[k] + a[k] * z[k]),
        Update(c[k + 1], (1 - a[k]) * c[k]),
        Update(
            z[k + 1],
            such_that=equal(grad(kernel, z[k + 1]) + subgrad(C, z[k + 1]), grad(kernel, z[k]) - a[k] / c[k + 1] * grad(y[k])),
        ),
        Update(x[k + 1], (1 - a[k]) * x[k] + a[k] * z[k + 1]),
    ),
)

interior = Bound(
    source=AUSLENDER_TEBOULLE.at("improved_interior_algorithm", "Theorem 5.2"),
    title="improved interior gradient algorithm with lambda = mu / L: the gap, by a sum at the start",
    given=(
        Convex,
        Smooth,
        Indicator.of(C),
        StronglyConvex.of(kernel, mu=mu_h),
        Minimises(f + C),
        By(INTERIOR),
        first_weight > 0,
    ),
    for_all=k >= 1,
    states=(f + C)(x[k]) - (f + C)(xstar)
    <= 4 * L / (mu_h * first_weight * k**2) * (first_weight * distance(kernel, xstar, x[0]) + f(x[0]) - f(xstar)),
    try_with={"c": (1, 2)},
    loose_because=UPPER_BOUND,
)
