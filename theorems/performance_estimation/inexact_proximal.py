"""Proximal steps with errors: forward-backward, Douglas-Rachford, and the proximal point method.

What is free, the error e_k and the point w_k, may be anything that keeps the accuracy that the method asks for. For the
accelerated forward-backward method that is the primal-dual gap of its paper's Definition 2.3, which PEPit prints with another
factor than it computes with.
"""

from fractions import Fraction

from boundcheck import (
    AtEachStep,
    Bound,
    By,
    Convex,
    Method,
    Minimises,
    Parameter,
    Smooth,
    StronglyConvex,
    Update,
)
from boundcheck.letters import (
    NONE,
    SLOPE,
    STEP,
    Delta,
    Function,
    L,
    Numbers,
    Points,
    as_scalar,
    exp,
    f,
    grad,
    i,
    inner,
    k,
    larger,
    log,
    mu_f,
    normsq,
    prox,
    sqrt,
    subgrad,
    v,
    x,
    xstar,
    y,
)
from boundcheck.theorems.performance_estimation.notation import UPPER_BOUND, paper

NOTE = paper(
    "A note on approximate accelerated forward-backward methods with absolute and relative errors, and possibly strongly convex "
    "objectives",
    "Mathieu Barré, Adrien B. Taylor, Francis Bach",
    2021,
)
PRINCIPLED = paper(
    "Principled analyses and design of first-order methods with inexact proximal operators",
    "Mathieu Barré, Adrien B. Taylor, Francis Bach",
    2020,
)

h = Function("h")
F = f + h

# -- forward-backward ----------------------------------------------------------------------------------------

zeta = Parameter("zeta", NONE, r"\zeta")
a, z, w, e = Numbers("a", STEP), Points("z"), Points("w"), Points("e")
step = (1 - zeta**2) / L
slope = subgrad(h, w[k]) + grad(y[k])
FORWARD_BACKWARD = Method(
    name="accelerated inexact forward-backward",
    first=(Update(a[0], as_scalar(0)), Update(z[0], x[0])),
    each=(
        Update(a[k + 1], a[k] + (step + sqrt(step**2 + 4 * step * a[k])) / 2),
        Update(y[k], x[k] + (1 - a[k] / a[k + 1]) * (z[k] - x[k])),
        Update(x[k + 1], y[k] - 1 / L * slope + e[k]),
        Update(z[k + 1], z[k] - (a[k + 1] - a[k]) * slope),
    ),
    free=(w[k], e[k]),
)
bend = h(x[i + 1]) - h(w[i]) - inner(subgrad(h, w[i]), x[i + 1] - w[i])
accuracy = normsq(e[i]) / 2 + bend / L <= zeta**2 / (2 * L**2) * normsq(subgrad(h, w[i]) + grad(y[i]))

forward_backward = Bound(
    source=NOTE.at("accelerated_inexact_forward_backward", "Corollary 3.5"),
    title="accelerated forward-backward with inexact proximal steps: the gap is at most 2 L |x_0 - x*|^2 / ((1 - zeta^2) k^2)",
    given=(
        Convex,
        Smooth,
        Convex.of(h),
        Minimises(F),
        By(FORWARD_BACKWARD),
        AtEachStep(accuracy),
        zeta >= 0,
        zeta < 1,
    ),
    for_all=k >= 1,
    states=F(x[k]) - F(xstar) <= 2 * L / ((1 - zeta**2) * k**2) * Delta[0],
    try_with={"zeta": (Fraction(9, 20), 0)},
    loose_because=UPPER_BOUND,
)

# -- Douglas-Rachford: x is PEPit's z, and v its x -----------------------------------------------------------

gamma, sigma = Parameter("gamma", STEP), Parameter("sigma", NONE, r"\sigma")
error = Points("e", dimension=SLOPE)
PARTIALLY_INEXACT = Method(
    name="partially inexact Douglas-Rachford splitting",
    each=(
        Update(v[k], x[k] - gamma * (grad(v[k]) - error[k])),
        Update(y[k], prox(h, gamma, v[k] - gamma * grad(v[k]))),
        Update(x[k + 1], x[k] + y[k] - v[k]),
    ),
    free=(error[k],),
)
fixed = xstar + gamma * grad(xstar)
slow = (1 - sigma + gamma * mu_f * sigma) / (1 - sigma + gamma * mu_f)
fast = (sigma + (1 - sigma) * gamma * L) / (1 + (1 - sigma) * gamma * L)

douglas_rachford = Bound(
    source=PRINCIPLED.at("partially_inexact_douglas_rachford_splitting", "Theorem 5.1"),
    title="Douglas-Rachford splitting with one inexact proximal step: how much the distance to its fixed point contracts",
    given=(
        StronglyConvex,
        Smooth,
        Convex.of(h),
        Minimises(F),
        By(PARTIALLY_INEXACT),
        AtEachStep(normsq(error[i]) <= sigma**2 / gamma**2 * normsq(y[i] - x[i] + gamma * grad(v[i]))),
        gamma > 0,
        sigma >= 0,
        sigma < 1,
    ),
    for_all=k >= 1,
    states=normsq(x[k] - fixed) <= (larger(slow, fast) ** 2) ** k * normsq(x[0] - fixed),
    try_with={"gamma": (Fraction(7, 5), 1), "sigma": (Fraction(1, 5), Fraction(1, 2))},
)

# -- proximal point ------------------------------------------------------------------------------------------

INEXACT_PROXIMAL = Method(
    name="proximal point with errors",
    each=(Update(x[k + 1], x[k] - gamma * subgrad(f, x[k + 1]) + e[k]),),
    free=(e[k],),
)
proximal_point = Bound(
    source=PRINCIPLED.at("relatively_inexact_proximal_point_algorithm", "Section 3.5.1"),
    title="proximal point with relative errors: the gap decreases like k to the power -sqrt(1 - sigma^2), found numerically",
    given=(
        Convex,
        By(INEXACT_PROXIMAL),
        AtEachStep(normsq(e[i]) <= sigma**2 * normsq(x[i + 1] - x[i])),
        gamma > 0,
        sigma >= 0,
        sigma < 1,
    ),
    for_all=k >= 1,
    # k to the power -sqrt(1 - sigma^2)
    states=f(x[k]) - f(xstar) <= (1 + sigma) / (4 * gamma) * exp(-sqrt(1 - sigma**2) * log(k)) * Delta[0],
    try_with={"gamma": (10, 1), "sigma": (Fraction(13, 20), Fraction(3, 5))},
    loose_because=UPPER_BOUND,
)
