"""Gradient descent with silver steps, which depend on how often 2 divides the number of a step: 1, 2, 3, ...

Sums and products over the indices where a condition holds say this: 2^a b = n has one solution (a, b) for each power 2^a
that divides n, and 2^a (2b + 1) = n only one.
"""

from boundcheck import Bound, By, Convex, Follows, GradientDescent, Method, Once, Smooth, StronglyConvex, Update
from boundcheck.letters import (
    NONE,
    Delta,
    Index,
    K,
    L,
    Numbers,
    Prod,
    Scalar,
    Sum,
    as_scalar,
    delta,
    eta,
    exp,
    grad,
    i,
    k,
    mu_f,
    sqrt,
    x,
)
from boundcheck.theorems.performance_estimation.notation import paper

rho = 1 + sqrt(2)
a, b, c = Index("a"), Index("b"), Index("c")

# -- smooth convex functions: k = 2^m - 1 steps 1 + rho^(v - 1), where 2^v is the largest power of 2 that divides n --------

ALTSCHULER_PARRILO_2023_II = paper(
    "Acceleration by Stepsize Hedging II: Silver Stepsize Schedule for Smooth Convex Optimization",
    "Jason M. Altschuler, Pablo A. Parrilo",
    2023,
)
each_power_that_divides = Prod(Prod(rho, b, 1, i + 1, where=2**a * b == i + 1), a, 1, i + 1)
rho_2m = Prod(rho**2, a, 1, k, where=2**a <= k + 1)
convex = Bound(
    source=ALTSCHULER_PARRILO_2023_II.at("gradient_descent_silver_stepsize_convex", "Theorem 1.1"),
    title="gradient descent with 2^m - 1 silver steps on a smooth convex function",
    given=(
        Convex,
        Smooth,
        GradientDescent(),
        Follows(eta[i] == (1 + each_power_that_divides / rho) / L),
        Once(Sum(1, a, 1, k, where=2**a == k + 1) == 1),  # k + 1 is a power of 2
    ),
    for_all=k >= 1,
    states=delta[k] <= L / (1 + sqrt(4 * rho_2m - 3)) * Delta[0],
)

# -- strongly convex functions: K = 2^m steps ----------------------------------------------------------------------------

ALTSCHULER_PARRILO_2023_I = paper(
    "Acceleration by Stepsize Hedging I: Multi-Step Descent and the Silver Stepsize Schedule",
    "Jason M. Altschuler, Pablo A. Parrilo",
    2023,
)
y, z = Numbers("y", NONE), Numbers("z", NONE)  # y[a] is the paper's y of the power a + 1


def stretch(of: Scalar) -> Scalar:
    return 1 - of + sqrt(1 + (1 - of) ** 2)


def psi(t: Scalar) -> Scalar:
    return (1 + L / mu_f * t) / (1 + t)


SILVER = Method(
    name="gradient descent with the numbers of silver steps",
    first=(Update(z[0], mu_f / L), Update(y[0], mu_f / L / stretch(mu_f / L))),
    each=(
        Update(x[k + 1], x[k] - eta[k] * grad(x[k])),
        Update(z[k + 1], z[k] * stretch(z[k])),
        Update(y[k + 1], z[k + 1] / stretch(z[k + 1])),
    ),
)
not_the_last = Sum(Sum(psi(y[a]), b, 0, i, where=2**a * (2 * b + 1) == i + 1), a, 0, i)
before_the_last = Sum(not_the_last, c, i + 2, i + 2, where=as_scalar(c) <= K)
the_last = Sum(Sum(psi(z[a]), a, 0, i, where=2**a == i + 1), c, i + 1, i + 1, where=as_scalar(c) >= K)
GIVEN = (
    StronglyConvex,
    Smooth,
    By(SILVER),
    Follows(eta[i] == (before_the_last + the_last) / L),
    Once(Sum(1, a, 0, K, where=2**a == as_scalar(K)) == 1),  # K is a power of 2
)
strongly_convex = Bound(
    source=ALTSCHULER_PARRILO_2023_I.at("gradient_descent_silver_stepsize_strongly_convex", "Theorem 4.1"),
    title="gradient descent with 2^m silver steps on a strongly convex function: the distance, exactly",
    given=GIVEN,
    for_all=K >= 1,
    states=Delta[K] <= Sum(((1 - z[a]) / (1 + z[a])) ** 2, a, 0, K, where=2**a == as_scalar(K)) * Delta[0],
)

# The rates that the theorem prints for few steps and for many: n* = 2^(m*), with the largest m* for which rho^(m*) <= L / (3 mu)
rho_m = Prod(rho, a, 1, K, where=2**a <= as_scalar(K))
few_steps = Bound(
    source=ALTSCHULER_PARRILO_2023_I.at("gradient_descent_silver_stepsize_strongly_convex-few", "Theorem 4.1"),
    title="gradient descent with 2^m silver steps, few of them: an exponential rate",
    given=(*GIVEN, Once(rho_m <= L / (3 * mu_f))),
    for_all=K >= 1,
    states=Delta[K] <= exp(-rho_m * mu_f / L) * Delta[0],
    loose_because="the exponential rounds the exact rate up",
)
n_star = Prod(2, a, 1, K, where=rho**a <= L / (3 * mu_f))
rho_m_star = Prod(rho, a, 1, K, where=rho**a <= L / (3 * mu_f))
many_steps = Bound(
    source=ALTSCHULER_PARRILO_2023_I.at("gradient_descent_silver_stepsize_strongly_convex-many", "Theorem 4.1"),
    title="gradient descent with 2^m silver steps, many of them: an exponential rate",
    given=(*GIVEN, Once(rho_m > L / (3 * mu_f))),
    for_all=K >= 1,
    states=Delta[K] <= exp(-K / n_star * rho_m_star * mu_f / L) * Delta[0],
    loose_because="the exponential rounds the exact rate up",
)
