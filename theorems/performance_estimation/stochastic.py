"""Stochastic methods for finite sums f = (1/n) sum_i f_i, and descent along random blocks of coordinates: one step of each.

A step is from any x_0, so that each claim is about any two points x_t and x_{t+1} of a run.
"""

from fractions import Fraction

from boundcheck import Bound, By, Convex, Follows, Method, Minimises, Once, Parameter, Smooth, StronglyConvex, Update
from boundcheck.letters import (
    LENGTH,
    SLOPE,
    STEP,
    Delta,
    Draws,
    E,
    Function,
    L,
    Points,
    Scalar,
    average,
    block,
    delta,
    eta,
    f,
    grad,
    i,
    inner,
    k,
    larger,
    mu_f,
    n,
    normsq,
    pick,
    prox,
    sqrt,
    x,
    xstar,
)
from boundcheck.theorems.performance_estimation.notation import UPPER_BOUND, paper

PESTO_2017 = paper(
    "Performance Estimation Toolbox (PESTO): automated worst-case analysis of first-order optimization methods",
    "Adrien B. Taylor, Julien M. Hendrickx, François Glineur",
    2017,
)
TAYLOR_BACH_2019 = paper(
    "Stochastic first-order methods: non-asymptotic and computer-aided analyses via potential functions",
    "Adrien Taylor, Francis Bach",
    2019,
)
DEFAZIO_BACH_2014 = paper(
    "SAGA: A fast incremental gradient method with support for non-strongly convex composite objectives",
    "Aaron Defazio, Francis Bach, Simon Lacoste-Julien",
    2014,
)
DEFAZIO_2016 = paper("A simple practical accelerated method for finite sums", "Aaron Defazio", 2016)

j, h = Draws("j"), Function("h")
gamma = Parameter("gamma", STEP, r"\gamma")
drawn = f[j[k]]

# -- stochastic gradient descent ----------------------------------------------------------------------------------------

R, sigma = Parameter("R", LENGTH), Parameter("v", SLOPE)
variance = average(i, normsq(grad(f[i], xstar)))
SGD = Method(name="stochastic gradient descent", each=(Update(x[k + 1], x[k] - gamma * grad(drawn, x[k])),))

sgd = Bound(
    source=PESTO_2017.at("sgd"),
    title="one step of stochastic gradient descent, from the distance R at x_0 and the variance v^2 at x*",
    given=(StronglyConvex, Smooth, By(SGD), gamma > 0, R > 0, sigma >= 0, Delta[0] <= R**2, variance <= sigma**2),
    states=E(normsq(x[1] - xstar))
    <= (gamma * (L - mu_f) / 2 * R + sqrt((1 - gamma * (L + mu_f) / 2) ** 2 * R**2 + gamma**2 * sigma**2)) ** 2,
    try_with={"gamma": (Fraction(7, 10), Fraction(1, 2)), "R": (2, 1), "v": (1, 2)},
)

sgd_overparametrized = Bound(
    source=PESTO_2017.at("sgd_overparametrized"),
    title="one step of stochastic gradient descent, where all components have one minimiser",
    given=(StronglyConvex, Smooth, By(SGD), gamma > 0, variance <= 0),
    states=E(normsq(x[1] - xstar)) <= larger(1 - gamma * mu_f, L * gamma - 1) ** 2 * Delta[0],
    try_with={"gamma": (Fraction(23, 10), 1)},
)

# -- blocks of coordinates, of which there are n ----------------------------------------------------------------------------

BLOCKS = Method(name="randomized coordinate descent", each=(Update(x[k + 1], x[k] - gamma * block(grad(x[k]), j[k])),))
UP_TO_ONE_OVER_L = (gamma > 0, Once(gamma <= 1 / L))
t = Parameter("t")


def potential(step: Scalar, at: int) -> Scalar:
    """Return what decreases in expectation, at the t-th point of a run, which is x_0 or x_1 here."""
    return (step * gamma * L / n + 1) * delta[at] + L / 2 * Delta[at]


coordinates_convex = Bound(
    source=TAYLOR_BACH_2019.at("randomized_coordinate_descent_smooth_convex", "Appendix I, Theorem 16"),
    title="randomized coordinate descent on a convex function: a potential decreases in expectation",
    given=(Convex, Smooth, By(BLOCKS), *UP_TO_ONE_OVER_L, t >= 1),
    states=E(potential(t, 1)) <= potential(t - 1, 0),
    try_with={"gamma": (1, Fraction(1, 2)), "t": (4, 1)},
)

coordinates_strongly_convex = Bound(
    source=TAYLOR_BACH_2019.at("randomized_coordinate_descent_smooth_strongly_convex", "Appendix I, Theorem 17"),
    title="randomized coordinate descent on a strongly convex function: one step contracts the expected squared distance",
    given=(StronglyConvex, Smooth, By(BLOCKS), *UP_TO_ONE_OVER_L),
    states=E(normsq(x[1] - xstar))
    <= larger(((gamma * mu_f - 1) ** 2 + n - 1) / n, ((gamma * L - 1) ** 2 + n - 1) / n) * Delta[0],
    try_with={"gamma": (1, Fraction(1, 2))},
)

# -- SAGA: a table of the points at which each component was last asked -----------------------------------------------------

phi, w = Points("phi"), Points("w")
SAGA = Method(
    name="SAGA",
    free=(phi[0, i],),
    each=(
        Update(
            w[k],
            x[k] - eta[k] * (grad(drawn, x[k]) - grad(drawn, phi[k, j[k]]) + average(i, grad(f[i], phi[k, i]))),
        ),
        Update(phi[k + 1, i], pick(i, j[k], x[k], phi[k, i])),
        Update(x[k + 1], prox(h, eta[k], w[k])),
    ),
)
saga_step = 1 / (2 * (mu_f * n + L))


def saga_energy(at: int) -> Scalar:
    """Return the energy of the table and the point."""
    below = average(i, f[i](phi[at, i]) - f[i](xstar) - inner(grad(f[i], xstar), phi[at, i] - xstar))
    return below + 1 / (2 * n * saga_step * (1 - mu_f * saga_step)) * Delta[at]


saga = Bound(
    source=DEFAZIO_BACH_2014.at("saga", "Theorem 1"),
    title="SAGA: one step contracts an energy in expectation",
    given=(StronglyConvex, Smooth, Convex.of(h), Minimises(f + h), By(SAGA), Follows(eta[i] == saga_step)),
    states=E(saga_energy(1)) <= (1 - saga_step * mu_f) * saga_energy(0),
)

# -- Point SAGA: a table of gradients, and proximal steps of one component -----------------------------------------------

g, z = Points("g", dimension=SLOPE), Points("z")
POINT_SAGA = Method(
    name="Point SAGA",
    free=(g[0, i],),
    each=(
        Update(z[k], x[k] + eta[k] * (g[k, j[k]] - average(i, g[k, i]))),
        Update(x[k + 1], prox(drawn, eta[k], z[k])),
        Update(g[k + 1, i], pick(i, j[k], (z[k] - x[k + 1]) / eta[k], g[k, i])),
    ),
)
point_saga_step = sqrt((n - 1) ** 2 + 4 * n * L / mu_f) / (2 * L * n) - (1 - 1 / n) / (2 * L)


def point_saga_energy(at: int) -> Scalar:
    """Return the energy of the table and the point."""
    return 1 / (L * mu_f) * average(i, normsq(g[at, i] - grad(f[i], xstar))) + Delta[at]


point_saga = Bound(
    source=DEFAZIO_2016.at("point_saga", "Theorem 5"),
    title="Point SAGA: one step contracts an energy in expectation",
    given=(StronglyConvex, Smooth, By(POINT_SAGA), Follows(eta[i] == point_saga_step)),
    states=E(point_saga_energy(1)) <= 1 / (1 + mu_f * point_saga_step) * point_saga_energy(0),
    loose_because=UPPER_BOUND,
)
