"""Methods with momentum on strongly convex functions: heavy ball, triple and robust momentum, ITEM."""

from boundcheck import Bound, By, Convex, Follows, Method, Parameter, QuadraticGrowth, Smooth, StronglyConvex, Update
from boundcheck.letters import (
    NONE,
    Delta,
    Index,
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
    v,
    x,
    xstar,
    y,
)
from boundcheck.theorems.performance_estimation.notation import UPPER_BOUND, paper
from boundcheck.theorems.performance_estimation.sources import GOUJAUD_TAYLOR_DIEULEVEUT_2022

SMOOTH_STRONGLY_CONVEX = (StronglyConvex, Smooth)

# -- heavy ball: v_k is x_{k-1} ------------------------------------------------------------------------------------------

GHADIMI_2015 = paper(
    "Global convergence of the Heavy-ball method for convex optimization",
    "Euhanna Ghadimi, Hamid Reza Feyzmahdavian, Mikael Johansson",
    2015,
)
heavy_ball = Bound(
    source=GHADIMI_2015.at("heavy_ball_momentum", "Theorem 4"),
    title="the heavy-ball method with a constant step eta up to 1/L and momentum sqrt((1 - eta mu)(1 - eta L))",
    given=(
        *SMOOTH_STRONGLY_CONVEX,
        By(
            Method(
                name="heavy ball",
                first=(Update(v[0], x[0]),),
                each=(
                    Update(
                        x[k + 1],
                        x[k] - eta[k] * grad(x[k]) + sqrt((1 - eta[k] * mu_f) * (1 - L * eta[k])) * (x[k] - v[k]),
                    ),
                    Update(v[k + 1], x[k]),
                ),
            )
        ),
        Follows(eta[i] == eta[0]),
        eta[i] <= 1 / L,
    ),
    for_all=k >= 1,
    states=delta[k] <= (1 - eta[0] * mu_f) ** k * delta[0],
    loose_because=UPPER_BOUND,
)

heavy_ball_bounded_above = Bound(
    source=GOUJAUD_TAYLOR_DIEULEVEUT_2022.at("heavy_ball_momentum_qg_convex", "Theorem 2.4"),
    title="the heavy-ball method with steps 1 / (L (k + 2)) and momentum k / (k + 2) under a quadratic upper bound",
    given=(
        Convex,
        QuadraticGrowth,
        By(
            Method(
                name="heavy ball with vanishing steps",
                first=(Update(v[0], x[0]),),
                each=(
                    Update(x[k + 1], x[k] - 1 / (L * (k + 2)) * grad(x[k]) + k / (k + 2) * (x[k] - v[k])),
                    Update(v[k + 1], x[k]),
                ),
            )
        ),
    ),
    for_all=k >= 1,
    states=delta[k] <= L / (2 * (k + 1)) * Delta[0],
)

# -- triple momentum -----------------------------------------------------------------------------------------------------

VAN_SCOY_2018 = paper(
    "The fastest known globally convergent first-order method for minimizing strongly convex functions",
    "Bryan Van Scoy, Randy A. Freeman, Kevin M. Lynch",
    2018,
)
rho = 1 - sqrt(mu_f / L)
xi = Points("xi")
TRIPLE = Method(
    name="triple momentum",
    first=(Update(xi[0], x[0]), Update(v[0], x[0]), Update(y[0], x[0])),  # v_k is xi_{k-1}
    each=(
        Update(xi[k + 1], xi[k] + rho**2 / (2 - rho) * (xi[k] - v[k]) - (1 + rho) / L * grad(y[k])),
        Update(v[k + 1], xi[k]),
        Update(y[k + 1], xi[k + 1] + rho**2 / ((1 + rho) * (2 - rho)) * (xi[k + 1] - xi[k])),
        Update(x[k + 1], xi[k + 1] + rho**2 / (1 - rho**2) * (xi[k + 1] - xi[k])),
    ),
)
triple_momentum = Bound(
    source=VAN_SCOY_2018.at("triple_momentum", "Theorem 1"),
    title="the triple momentum method: the gap after k gradients contracts by (1 - sqrt(mu / L))^2",
    given=(*SMOOTH_STRONGLY_CONVEX, By(TRIPLE)),
    for_all=k >= 1,
    states=delta[k] <= (rho**2) ** k * L**2 / (2 * mu_f) * Delta[0],
)

# -- robust momentum: v_k is x_{k-1}, and both of the first two points are free ------------------------------------------

CYRUS_2018 = paper(
    "A robust accelerated optimization algorithm for strongly convex functions",
    "Saman Cyrus, Bin Hu, Bryan Van Scoy, Laurent Lessard",
    2018,
)
trust = Parameter("lambda", latex=r"\lambda")
kappa = L / mu_f
r = trust * (1 - 1 / kappa) + (1 - trust) * (1 - sqrt(mu_f / L))
z = Points("z")
ROBUST = Method(
    name="robust momentum",
    each=(
        Update(y[k], x[k] + r**3 / ((kappa - 1) * (1 - r) ** 2 * (1 + r)) * (x[k] - v[k])),
        Update(x[k + 1], x[k] + kappa * r**3 / (kappa - 1) * (x[k] - v[k]) - kappa * (1 - r) ** 2 * (1 + r) / L * grad(y[k])),
        Update(v[k + 1], x[k]),
        Update(z[k], (x[k + 1] - r**2 * x[k]) / (1 - r**2)),
    ),
    free=(v[0],),
)


def _robust_potential(n: Index) -> Scalar:
    weight = mu_f**2 * (kappa - kappa * r**2 - 1) / (2 * r * (1 - r))
    gap = f(y[n]) - f(xstar) - mu_f / 2 * normsq(y[n] - xstar)
    return weight * normsq(z[n] - xstar) + (L - mu_f) * gap - normsq(grad(y[n]) - mu_f * (y[n] - xstar)) / 2


robust_momentum = Bound(
    source=CYRUS_2018.at("robust_momentum", "Theorem 1"),
    title="the robust momentum method: its potential contracts by rho^2 at each step",
    given=(*SMOOTH_STRONGLY_CONVEX, By(ROBUST), trust >= 0, trust <= 1),
    states=_robust_potential(k + 1) <= r**2 * _robust_potential(k),
    try_with={"lambda": (0.2, 0, 0.5)},
)

# -- the information-theoretic exact method ------------------------------------------------------------------------------

TAYLOR_DRORI_2022 = paper("An optimal gradient method for smooth strongly convex minimization", "Adrien Taylor, Yoel Drori", 2022)
q = mu_f / L
A = Numbers("A", NONE)
_beta = A[k] / ((1 - q) * A[k + 1])
_delta = ((1 - q) ** 2 * A[k + 1] - (1 + q) * A[k]) / (2 * (1 + q + q * A[k]))
ITEM = Method(
    name="information-theoretic exact method",
    first=(Update(A[0], as_scalar(0)), Update(z[0], x[0])),
    each=(
        Update(A[k + 1], ((1 + q) * A[k] + 2 * (1 + sqrt((1 + A[k]) * (1 + q * A[k])))) / (1 - q) ** 2),
        Update(y[k], (1 - _beta) * z[k] + _beta * x[k]),
        Update(x[k + 1], y[k] - 1 / L * grad(y[k])),
        Update(z[k + 1], (1 - q * _delta) * z[k] + q * _delta * y[k] - _delta / L * grad(y[k])),
    ),
)
information_theoretic = Bound(
    source=TAYLOR_DRORI_2022.at("information_theoretic_exact_method", "Theorem 3"),
    title="the information-theoretic exact method: the distance, which no method improves",
    given=(*SMOOTH_STRONGLY_CONVEX, By(ITEM)),
    for_all=k >= 1,
    states=normsq(z[k] - xstar) <= 1 / (1 + q * A[k]) * normsq(z[0] - xstar),
)
