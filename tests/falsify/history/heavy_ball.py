"""Heavy ball with Polyak's parameters for quadratics with spectrum in [mu, L]: does its rate hold for other functions?

On quadratics it does, with the factor (2k + 1)^2 for the double roots at both ends of the spectrum. On others it may cycle:
Lessard, Recht and Packard, Analysis and design of optimization algorithms via integral quadratic constraints, 2016.
"""

from fractions import Fraction

from boundcheck import Bound, Follows, IsQuadratic, Smooth, StronglyConvex
from boundcheck.claims.hypotheses import By
from boundcheck.language.letters import Delta, L, eta, grad, i, k, mu_f, sqrt, x, y
from boundcheck.language.scalars import as_scalar
from boundcheck.model.method import Method, Update


def heavy_ball(step, momentum):
    """x_{k+1} = x_k - step grad f(x_k) + momentum (x_k - x_{k-1}), and x_{-1} = x_0."""
    return Method(
        name="heavy ball",
        kind="accelerated",
        first=(Update(y[0], x[0]),),
        each=(Update(y[k], x[k] + momentum * (x[k] - x[k - 1])), Update(x[k + 1], y[k] - step * grad(x[k]))),
    )


beta = as_scalar(Fraction(4, 9))  # ((5 - 1) / (5 + 1))^2
POLYAK_25 = (By(heavy_ball(eta[k], beta)), L <= 25 * mu_f, Follows(eta[i] == 1 / (9 * mu_f)))

local_rate = Bound(
    title="L = 25 mu: |x_k - x*| falls as (2/3)^k on all L-smooth mu-strongly convex functions",
    given=(Smooth, StronglyConvex, *POLYAK_25),
    states=Delta[k] <= (2 * k + 1) ** 2 * beta**k * Delta[0],
)

local_rate_up_to_a_factor = Bound(
    title="L = 25 mu: the same, up to a factor 4 in the distance: what begins badly may still converge, but not what cycles",
    given=local_rate.given,
    states=Delta[k] <= 16 * (2 * k + 1) ** 2 * beta**k * Delta[0],
)

local_rate_on_quadratics = Bound(
    title="L = 25 mu: |x_k - x*| falls as (2/3)^k on quadratics",
    given=(IsQuadratic, Smooth, StronglyConvex, *POLYAK_25),
    states=local_rate.states,
)

any_beta = ((sqrt(L) - sqrt(mu_f)) / (sqrt(L) + sqrt(mu_f))) ** 2
POLYAK = By(heavy_ball(4 / (sqrt(L) + sqrt(mu_f)) ** 2, any_beta))

local_rate_for_any_L_and_mu = Bound(
    title="whatever L / mu is, |x_k - x*| falls at the rate of quadratics on all L-smooth mu-strongly convex functions",
    given=(Smooth, StronglyConvex, POLYAK),
    states=Delta[k] <= (2 * k + 1) ** 2 * any_beta**k * Delta[0],
)
