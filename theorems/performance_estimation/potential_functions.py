"""Potentials that no step increases: from any point, with any number n or lambda in the potential."""

from boundcheck import Bound, By, Convex, Follows, GradientDescent, Method, Parameter, Smooth, Update
from boundcheck.letters import NONE, Delta, L, Numbers, Points, delta, eta, grad, i, k, normsq, sqrt, x, xstar, y
from boundcheck.theorems.performance_estimation.sources import BANSAL_GUPTA_2019, TAYLOR_BACH_2019

SMOOTH_CONVEX = (Convex, Smooth)
ONE_OVER_L = Follows(eta[i] == 1 / L)
n = Parameter("n")

first = Bound(
    source=BANSAL_GUPTA_2019.at("gradient_descent_lyapunov_1", "Theorem 3.3"),
    title="a gradient step 1/L does not increase n (f(x) - f*) + L/2 |x - x*|^2 as n becomes n + 1",
    given=(*SMOOTH_CONVEX, GradientDescent(), ONE_OVER_L, n >= 0),
    states=(n + 1) * delta[k + 1] + L / 2 * Delta[k + 1] <= n * delta[k] + L / 2 * Delta[k],
    try_with={"n": (10, 0, 1)},
)

second = Bound(
    source=TAYLOR_BACH_2019.at("gradient_descent_lyapunov_2", "Theorem 3"),
    title="a gradient step 1/L does not increase (2n + 1) L (f(x) - f*) + n (n + 2) |grad f(x)|^2 + L^2 |x - x*|^2",
    given=(*SMOOTH_CONVEX, GradientDescent(), ONE_OVER_L, n >= 0),
    states=(2 * n + 3) * L * delta[k + 1] + (n + 1) * (n + 3) * normsq(grad(x[k + 1])) + L**2 * Delta[k + 1]
    <= (2 * n + 1) * L * delta[k] + n * (n + 2) * normsq(grad(x[k])) + L**2 * Delta[k],
    try_with={"n": (10, 0, 1)},
)

z = Points("z")
lam = Numbers("lambda", NONE)
lam_0 = Parameter("lambda_0", latex=r"\lambda_0")
_tau = 1 / lam[k + 1]
ACCELERATED = Method(
    name="the accelerated gradient method with two sequences",
    kind="accelerated",
    first=(Update(lam[0], lam_0),),
    each=(
        Update(lam[k + 1], (1 + sqrt(4 * lam[k] ** 2 + 1)) / 2),
        Update(y[k], (1 - _tau) * x[k] + _tau * z[k]),
        Update(z[k + 1], z[k] - (lam[k + 1] ** 2 - lam[k] ** 2) / L * grad(y[k])),
        Update(x[k + 1], y[k] - eta[k] * grad(y[k])),
    ),
    free=(z[0],),
)
accelerated = Bound(
    source=BANSAL_GUPTA_2019.at("accelerated_gradient_method", "Theorem 5.3"),
    title="the accelerated gradient method does not increase lambda^2 (f(x) - f*) + L/2 |z - x*|^2",
    given=(*SMOOTH_CONVEX, By(ACCELERATED), ONE_OVER_L, lam_0 >= 0),
    states=lam[k + 1] ** 2 * delta[k + 1] + L / 2 * normsq(z[k + 1] - xstar)
    <= lam[k] ** 2 * delta[k] + L / 2 * normsq(z[k] - xstar),
    try_with={"lambda_0": (10, 1)},
)
