"""Accelerated gradient methods on smooth convex functions: Nesterov's, the optimized ones, with inexact gradients."""

from boundcheck import Bound, By, Convex, Follows, Method, Parameter, Smooth, StronglyConvex, Update
from boundcheck.letters import (
    NONE,
    SLOPE,
    Delta,
    K,
    L,
    Numbers,
    Points,
    Scalar,
    as_scalar,
    delta,
    eta,
    f,
    grad,
    i,
    k,
    mu_f,
    normsq,
    sqrt,
    x,
    xstar,
    y,
)
from boundcheck.theorems.performance_estimation.notation import UNTESTED, UPPER_BOUND, paper, tau
from boundcheck.theorems.performance_estimation.sources import TAYLOR_HENDRICKX_GLINEUR_2017

ONE_OVER_L = Follows(eta[i] == 1 / L)
SMOOTH_CONVEX = (Convex, Smooth)


def next_theta(theta: Scalar) -> Scalar:
    return (1 + sqrt(4 * theta**2 + 1)) / 2


def last_theta(theta: Scalar) -> Scalar:
    return (1 + sqrt(8 * theta**2 + 1)) / 2


# -- Nesterov's method ---------------------------------------------------------------------------------------------------

BECK_TEBOULLE_2009 = paper(
    "A Fast Iterative Shrinkage-Thresholding Algorithm for Linear Inverse Problems", "Amir Beck, Marc Teboulle", 2009
)
lam = Numbers("lambda", NONE)  # lam[k] is the paper's lambda_{k+1}
NESTEROV = Method(
    name="Nesterov's method of 1983",
    kind="accelerated",
    first=(Update(lam[0], as_scalar(1)), Update(y[0], x[0])),
    each=(
        Update(lam[k], next_theta(lam[k - 1])),
        Update(y[k], x[k] + (lam[k - 1] - 1) / lam[k] * (x[k] - x[k - 1])),
        Update(x[k + 1], y[k] - eta[k] * grad(y[k])),
    ),
)
nesterov = Bound(
    source=BECK_TEBOULLE_2009.at("accelerated_gradient_convex", "Theorem 4.4"),
    title="Nesterov's accelerated gradient method with steps 1/L: the gap is at most L |x_0 - x*|^2 / (2 lambda_k^2)",
    given=(*SMOOTH_CONVEX, By(NESTEROV), ONE_OVER_L),
    for_all=k >= 1,
    states=delta[k] <= L / 2 * Delta[0] / lam[k - 1] ** 2,
    loose_because="the exact rate is found numerically only: 1/6 for 1/2 at k = 1",
)


def with_momentum(momentum: Scalar, name: str) -> Method:
    return Method(
        name=name,
        kind="accelerated",
        first=(Update(y[0], x[0]),),
        each=(Update(y[k], x[k] + momentum * (x[k] - x[k - 1])), Update(x[k + 1], y[k] - eta[k] * grad(y[k]))),
    )


simplified = Bound(
    source=TAYLOR_HENDRICKX_GLINEUR_2017.at("accelerated_gradient_convex_simplified", "Table 1"),
    title="the accelerated gradient method with momentum (k - 1) / (k + 2) and steps 1/L: the gap, exactly (found numerically)",
    given=(*SMOOTH_CONVEX, By(with_momentum((k - 1) / (k + 2), "simplified accelerated gradient method")), ONE_OVER_L),
    for_all=k >= 1,
    states=delta[k] <= 2 * L / (k**2 + 5 * k + 6) * Delta[0],
)

ASPREMONT_SCIEUR_TAYLOR_2021 = paper("Acceleration Methods", "Alexandre d'Aspremont, Damien Scieur, Adrien Taylor", 2021)
root = sqrt(mu_f / L)
strongly_convex = Bound(
    source=ASPREMONT_SCIEUR_TAYLOR_2021.at("accelerated_gradient_strongly_convex", "Corollary 4.15"),
    title="the accelerated gradient method with constant momentum: the gap contracts by 1 - sqrt(mu / L)",
    given=(StronglyConvex, Smooth, By(with_momentum((1 - root) / (1 + root), "with constant momentum")), ONE_OVER_L),
    for_all=k >= 1,
    states=delta[k] <= (1 - root) ** k * (delta[0] + mu_f / 2 * Delta[0]),
    loose_because=UPPER_BOUND,
)

# -- inexact gradients ---------------------------------------------------------------------------------------------------

d = Points("d", dimension=SLOPE)
eps = Parameter("eps", latex=r"\varepsilon")
INEXACT = Method(
    name="accelerated gradient method with inexact gradients",
    first=(Update(y[0], x[0]),),
    each=(Update(y[k], x[k] + (k - 1) / (k + 2) * (x[k] - x[k - 1])), Update(x[k + 1], y[k] - eta[k] * d[k])),
    free=(d[k],),
)
inexact = Bound(
    source=TAYLOR_HENDRICKX_GLINEUR_2017.at("inexact_accelerated_gradient", "Table 1"),
    title="the accelerated gradient method with gradients that are off by at most eps |grad f(y)|",
    given=(
        *SMOOTH_CONVEX,
        By(INEXACT),
        ONE_OVER_L,
        eps >= 0,
        eps <= 1,
        normsq(grad(y[i]) - d[i]) <= eps**2 * normsq(grad(y[i])),
        tau >= 0,
    ),
    for_all=k >= 1,
    states=delta[k] <= tau * L * Delta[0],
    try_with={"eps": (0.1,), "tau": (1,)},
    untested=UNTESTED,
)

# -- optimized methods ---------------------------------------------------------------------------------------------------

KIM_FESSLER_2016 = paper("Optimized first-order methods for smooth convex minimization", "Donghwan Kim, Jeffrey A. Fessler", 2016)
KIM_FESSLER_2021 = paper(
    "Optimizing the efficiency of first-order methods for decreasing the gradient of smooth convex functions",
    "Donghwan Kim, Jeffrey A. Fessler",
    2021,
)
theta, phi = Numbers("theta", NONE), Numbers("phi", NONE)
z = Points("z")  # what the method returns: y_n with the theta of the last step
OGM = Method(
    name="optimized gradient method",
    first=(Update(theta[0], as_scalar(1)), Update(phi[0], as_scalar(1)), Update(y[0], x[0]), Update(z[0], x[0])),
    each=(
        Update(x[k + 1], y[k] - 1 / L * grad(y[k])),
        Update(theta[k + 1], next_theta(theta[k])),
        Update(phi[k + 1], last_theta(theta[k])),
        Update(
            y[k + 1],
            x[k + 1] + (theta[k] - 1) / theta[k + 1] * (x[k + 1] - x[k]) + theta[k] / theta[k + 1] * (x[k + 1] - y[k]),
        ),
        Update(
            z[k + 1],
            x[k + 1] + (theta[k] - 1) / phi[k + 1] * (x[k + 1] - x[k]) + theta[k] / phi[k + 1] * (x[k + 1] - y[k]),
        ),
    ),
)
optimized = Bound(
    source=KIM_FESSLER_2016.at("optimized_gradient", "Theorem 2"),
    title="the optimized gradient method, whose last step has a theta of its own: the gap, which no method improves",
    given=(*SMOOTH_CONVEX, By(OGM)),
    for_all=k >= 1,
    states=f(z[k]) - f(xstar) <= L * Delta[0] / (2 * phi[k] ** 2),
)

tilde = Numbers("theta", NONE)  # runs backwards, from 1 at the last step
_weight = (2 * tilde[k + 1] - 1) / (2 * tilde[k] - 1)
OGM_G = Method(
    name="optimized gradient method for gradients",
    first=(Update(y[0], x[0]),),
    each=(
        Update(y[k + 1], x[k] - 1 / L * grad(x[k])),
        Update(x[k + 1], y[k + 1] + (tilde[k] - 1) / tilde[k] * _weight * (y[k + 1] - y[k]) + _weight * (y[k + 1] - x[k])),
    ),
    backwards=(
        Update(tilde[K], as_scalar(1)),
        Update(tilde[k], next_theta(tilde[k + 1])),
        Update(tilde[0], last_theta(tilde[1])),
    ),
)
optimized_for_gradients = Bound(
    source=KIM_FESSLER_2021.at("optimized_gradient_for_gradient", "Theorem 6.1"),
    title="the optimized gradient method for gradients, of K steps: the last gradient, which no method makes smaller",
    given=(*SMOOTH_CONVEX, By(OGM_G)),
    for_all=K >= 1,
    states=normsq(grad(x[K])) <= 2 * L * delta[0] / tilde[0] ** 2,
)
