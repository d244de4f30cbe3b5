"""Gradient descent on x -> g(M x) for a linear operator M: general, symmetric, skew-symmetric."""

from boundcheck import (
    Bound,
    By,
    Constant,
    Follows,
    Linear,
    Method,
    Once,
    Parameter,
    SkewSymmetric,
    Smooth,
    Solution,
    StronglyConvex,
    Symmetric,
    Update,
)
from boundcheck.letters import (
    LENGTH,
    NONE,
    Delta,
    Function,
    Index,
    Operator,
    Scalar,
    Vector,
    as_scalar,
    eta,
    grad,
    i,
    k,
    larger,
    smaller,
    sqrt,
    x,
    xstar,
)
from boundcheck.theorems.performance_estimation.sources import BOUSSELMI_HENDRICKX_GLINEUR_2023

g, M = Function("g"), Operator("M", LENGTH)
L_g, mu_g = Constant("L_g"), Constant("mu_g")
L_M, mu_M = Constant("L_M", NONE), Constant("mu_M", NONE)
h_0 = Parameter("h_0")
L = L_g * L_M**2
step, kappa = L * eta[0], mu_g / L_g
CONVEX_PART = (Smooth.of(g), StronglyConvex.of(g), Follows(eta[i] == eta[0]), eta[0] <= 2 / L)
# what h_0 is: (1 - kappa) (1 - kappa h_0)^(2k+1) = 1 - (2k + 1) kappa h_0, and it is not 0
WHERE_RATES_MEET = (
    h_0 > 0,
    Once((1 - kappa) * ((1 - kappa * h_0) ** 2) ** k * (1 - kappa * h_0) == 1 - (2 * k + 1) * kappa * h_0),
)


def chain_rule(at: Vector, sign: int) -> Vector:
    """The gradient of g(M x), where the adjoint of M is M, or -M."""
    return M(grad(g, M(at))) if sign > 0 else -M(grad(g, M(at)))


def descent(gradient: Vector, name: str) -> Method:
    return Method(name=name, each=(Update(x[k + 1], x[k] - eta[k] * gradient),))


def rate(least: Scalar, n: Index) -> Scalar:
    """The conjectured rate; `least` is the smallest singular value that M may have."""
    scale = larger(least / L_M, smaller(1, sqrt(h_0 / step))) ** 2
    slow = kappa * scale / (kappa - 1 + 1 / ((1 - kappa * scale * step) ** 2) ** n)
    return L / 2 * larger(slow, ((1 - step) ** 2) ** n)


VALUES = {"h_0": (1,)}
general = Bound(
    source=BOUSSELMI_HENDRICKX_GLINEUR_2023.at("gradient_descent_lc", "Conjecture 4.2"),
    title="gradient descent with a constant step on g(M x), M any linear operator of norm at most L_M (a conjecture)",
    given=(
        *CONVEX_PART,
        Linear.of(M),
        Solution(M.T(grad(g, M(xstar)))),
        By(descent(M.T(grad(g, M(x[k]))), "gradient descent on g(M x)")),
        *WHERE_RATES_MEET,
    ),
    for_all=k >= 1,
    states=g(M(x[k])) - g(M(xstar)) <= rate(as_scalar(0), k) * Delta[0],
    try_with=VALUES,
)
symmetric = Bound(
    source=BOUSSELMI_HENDRICKX_GLINEUR_2023.at("gradient_descent_lc-symmetric", "Conjecture 4.2"),
    title="gradient descent with a constant step on g(M x), M symmetric with eigenvalues from mu_M to L_M (a conjecture)",
    given=(
        *CONVEX_PART,
        Symmetric.of(M),
        Solution(chain_rule(xstar, 1)),
        By(descent(chain_rule(x[k], 1), "gradient descent on g(M x), M symmetric")),
        *WHERE_RATES_MEET,
    ),
    for_all=k >= 1,
    states=g(M(x[k])) - g(M(xstar)) <= rate(mu_M, k) * Delta[0],
    try_with=VALUES,
)
skew_symmetric = Bound(
    source=BOUSSELMI_HENDRICKX_GLINEUR_2023.at("gradient_descent_lc-skew-symmetric", "Conjecture 4.2"),
    title="gradient descent with a constant step on g(M x), M skew-symmetric of norm at most L_M (a conjecture)",
    given=(
        *CONVEX_PART,
        SkewSymmetric.of(M),
        Solution(chain_rule(xstar, -1)),
        By(descent(chain_rule(x[k], -1), "gradient descent on g(M x), M skew-symmetric")),
        *WHERE_RATES_MEET,
    ),
    for_all=k >= 1,
    states=g(M(x[k])) - g(M(xstar)) <= rate(as_scalar(0), k) * Delta[0],
    try_with=VALUES,
)
