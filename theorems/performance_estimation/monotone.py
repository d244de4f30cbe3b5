"""Zeros of monotone operators: proximal points, and two accelerations of them."""

from fractions import Fraction

from boundcheck import Bound, By, Constant, Method, Monotone, Parameter, StronglyMonotone, Update, ZeroOf
from boundcheck.letters import LENGTH, NONE, STEP, Delta, Numbers, Operator, Points, Sum, as_scalar, i, k, normsq, resolvent, x, y
from boundcheck.theorems.performance_estimation.notation import paper

GU_YANG_2020 = paper(
    "Tight sublinear convergence rate of the proximal point algorithm for maximal monotone inclusion problem",
    "Guoyong Gu, Junfeng Yang",
    2020,
)
KIM_2021 = paper("Accelerated proximal point method for maximally monotone operators", "Donghwan Kim", 2021)
PARK_RYU_2022 = paper("Exact Optimal Accelerated Complexity for Fixed-Point Iterations", "Jisun Park, Ernest K. Ryu", 2022)

A, alpha = Operator("A"), Parameter("alpha", STEP, r"\alpha")
w = Points("w")
PROXIMAL_POINT = Method(name="proximal point", each=(Update(x[k + 1], resolvent(A, alpha, x[k])),))

proximal_point = Bound(
    source=GU_YANG_2020.at("monotone/proximal_point", "Section 4"),
    title="proximal points of a monotone operator: the last step is short",
    given=(Monotone.of(A), ZeroOf(A), By(PROXIMAL_POINT), alpha > 0),
    for_all=k >= 1,
    states=normsq(x[k] - x[k - 1]) <= (1 - 1 / k) ** (k - 1) / k * Delta[0],
    try_with={"alpha": (2, Fraction(1, 2))},
)

# x_0 = y_0 = y_{-1}; w_k is y_{k-1}
ACCELERATED_PROXIMAL_POINT = Method(
    name="accelerated proximal point",
    first=(Update(y[0], x[0]), Update(w[0], x[0])),
    each=(
        Update(w[k + 1], y[k]),
        Update(x[k + 1], resolvent(A, alpha, y[k])),
        Update(y[k + 1], x[k + 1] + k / (k + 2) * (x[k + 1] - x[k]) - k / (k + 2) * (x[k] - w[k])),
    ),
)

accelerated_proximal_point = Bound(
    source=KIM_2021.at("monotone/accelerated_proximal_point", "Theorem 4.1"),
    title="accelerated proximal points of a monotone operator: the last residual is at most the distance at x_0 over k",
    given=(Monotone.of(A), ZeroOf(A), By(ACCELERATED_PROXIMAL_POINT), alpha > 0),
    for_all=k >= 1,
    states=normsq(x[k] - y[k - 1]) <= 1 / k**2 * Delta[0],
    try_with={"alpha": (2, Fraction(1, 2))},
)

S, mu_S = Operator("S", LENGTH), Constant("mu", NONE, r"\mu")
phi, psi = Numbers("phi", NONE), Numbers("psi", NONE)  # phi_k = sum_{i=0..k} (1 + 2 mu)^{2i}, and psi_k = phi_{k-1}
growth = 1 + 2 * mu_S
OPTIMAL_PROXIMAL_POINT = Method(
    name="optimal strongly monotone proximal point",
    first=(Update(y[0], x[0]), Update(w[0], x[0]), Update(phi[0], as_scalar(1)), Update(psi[0], as_scalar(0))),
    each=(
        Update(w[k + 1], y[k]),
        Update(psi[k + 1], phi[k]),
        Update(phi[k + 1], 1 + growth**2 * phi[k]),
        Update(x[k + 1], resolvent(S, 1, y[k])),
        Update(
            y[k + 1],
            x[k + 1]
            + (phi[k] - 1) / phi[k + 1] * (x[k + 1] - x[k])
            - 2 * mu_S * phi[k] / phi[k + 1] * (y[k] - x[k + 1])
            + growth * psi[k] / phi[k + 1] * (w[k] - x[k]),
        ),
    ),
)

optimal_proximal_point = Bound(
    source=PARK_RYU_2022.at("optimal_strongly_monotone_proximal_point", "Theorem 3.2, Corollary 4.2"),
    title="the optimal proximal point method of a strongly monotone operator: the resolvent's last residual",
    given=(StronglyMonotone.of(S, mu=mu_S), ZeroOf(S), By(OPTIMAL_PROXIMAL_POINT), mu_S > 0),
    for_all=k >= 1,
    states=normsq(y[k - 1] - x[k]) <= (1 / Sum(growth**i, i, 0, k - 1)) ** 2 * Delta[0],
)
