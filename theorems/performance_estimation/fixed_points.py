"""Fixed points of nonexpansive operators: Halpern's iteration and that of Krasnoselskii and Mann."""

from fractions import Fraction

from boundcheck import (
    Bound,
    By,
    Constant,
    FixedPointOf,
    LipschitzOperator,
    Method,
    Nonexpansive,
    Once,
    Parameter,
    ShortestDisplacement,
    Update,
)
from boundcheck.letters import LENGTH, NONE, Delta, Numbers, Operator, Sum, as_scalar, i, k, normsq, sqrt, x, xstar
from boundcheck.theorems.performance_estimation.notation import UNTESTED, UPPER_BOUND, paper, tau

LIEDER_2018 = paper(
    "Projection Based Methods for Conic Linear Programming: Optimal First Order Complexities and Norm Constrained Quasi Newton "
    "Methods",
    "Felix Lieder",
    2018,
)
LIEDER_2021 = paper("On the convergence rate of the Halpern-iteration", "Felix Lieder", 2021)
PARK_RYU_2022 = paper("Exact Optimal Accelerated Complexity for Fixed-Point Iterations", "Jisun Park, Ernest K. Ryu", 2022)
PARK_RYU_2023 = paper(
    "Accelerated Infeasibility Detection of Constrained Optimization and Fixed-Point Iterations",
    "Jisun Park, Ernest K. Ryu",
    2023,
)

T = Operator("T", LENGTH)
gamma = Parameter("gamma", latex=r"\gamma")
residual = normsq(x[k] - T(x[k]))

# -- Halpern: each point is drawn back to the first ---------------------------------------------------------------------

HALPERN = Method(name="Halpern iteration", each=(Update(x[k + 1], 1 / (k + 2) * x[0] + (1 - 1 / (k + 2)) * T(x[k])),))

halpern_iteration = Bound(
    source=LIEDER_2021.at("halpern_iteration", "Theorem 2.1"),
    title="Halpern's iteration: the residual |x - T x| is at most 2 / (k + 1) times the distance at x_0",
    given=(Nonexpansive.of(T), FixedPointOf(T), By(HALPERN)),
    for_all=k >= 1,
    states=residual <= (2 / (k + 1)) ** 2 * Delta[0],
)

harmonic = Sum(1 / i, i, 1, k)

inconsistent_halpern_iteration = Bound(
    source=PARK_RYU_2023.at("inconsistent_halpern_iteration", "Theorem 8"),
    title="Halpern's iteration without a fixed point: x - T x tends to the shortest displacement, which is that at x*",
    given=(Nonexpansive.of(T), ShortestDisplacement.of(T), By(HALPERN)),
    for_all=k >= 1,
    states=normsq(x[k] - T(x[k]) - (xstar - T(xstar))) <= ((sqrt(harmonic + 12) + 1) / (k + 1)) ** 2 * Delta[0],
    loose_because=UPPER_BOUND,
)

L_T = Constant("L", NONE, "L")
phi = Numbers("phi", NONE)  # phi_k = sum_{i=0..k} L^{-2i}
CONTRACTIVE_HALPERN = Method(
    name="optimal contractive Halpern iteration",
    first=(Update(phi[0], as_scalar(1)),),
    each=(
        Update(phi[k + 1], 1 + phi[k] / L_T**2),
        Update(x[k + 1], (1 - 1 / phi[k + 1]) * T(x[k]) + 1 / phi[k + 1] * x[0]),
    ),
)

optimal_contractive_halpern_iteration = Bound(
    source=PARK_RYU_2022.at("optimal_contractive_halpern_iteration", "Corollary 3.3, Theorem 4.1"),
    title="the optimal Halpern iteration for contractions by L = 1/gamma: the residual decreases with the sum of gamma^i",
    given=(LipschitzOperator.of(T, L=L_T), FixedPointOf(T), By(CONTRACTIVE_HALPERN), Once(L_T < 1)),
    for_all=k >= 1,
    states=residual <= (1 + L_T) ** 2 * (1 / Sum((1 / L_T) ** i, i, 0, k)) ** 2 * Delta[0],
)

# -- Krasnoselskii and Mann: averages of a point and its image ------------------------------------------------------------

AVERAGED = Method(name="Krasnoselskii-Mann iteration", each=(Update(x[k + 1], (1 - gamma) * x[k] + gamma * T(x[k])),))
AVERAGED_OF_NONEXPANSIVE = (Nonexpansive.of(T), FixedPointOf(T), By(AVERAGED))
middle = (1 + sqrt(k / (k + 1))) / 2  # where one rate of constant averages ends and the other begins

constant_averages = Bound(
    source=LIEDER_2018.at("krasnoselskii_mann_constant_step_sizes", "Theorem 4.9"),
    title="Krasnoselskii and Mann with a constant average gamma that is not too near 1: the residual decreases with sqrt(k)",
    given=(*AVERAGED_OF_NONEXPANSIVE, gamma >= 1 / 2, Once(gamma <= middle)),
    for_all=k >= 1,
    states=residual / 4 <= 1 / (k + 1) * (k / (k + 1)) ** k / (4 * gamma * (1 - gamma)) * Delta[0],
    try_with={"gamma": (Fraction(3, 4), Fraction(1, 2), Fraction(4, 5))},
)

# PEPit's text has (gamma - 1)^{2k} here, which is false, and its code (2 gamma - 1)^{2k}, which is the theorem's
near_one = Bound(
    source=LIEDER_2018.at("krasnoselskii_mann_constant_step_sizes.near-1", "Theorem 4.9"),
    title="Krasnoselskii and Mann with a constant average gamma near 1: the residual is at most that of the operator -1",
    given=(*AVERAGED_OF_NONEXPANSIVE, Once(gamma > middle), gamma <= 1),
    for_all=k >= 1,
    states=residual / 4 <= ((2 * gamma - 1) ** 2) ** k * Delta[0],
    try_with={"gamma": (Fraction(99, 100), 1)},
)

INCREASING = Method(
    name="Krasnoselskii-Mann iteration with increasing averages",
    each=(Update(x[k + 1], 1 / (k + 2) * x[k] + (1 - 1 / (k + 2)) * T(x[k])),),
)

increasing_averages = Bound(
    source=LIEDER_2018.at("krasnoselskii_mann_increasing_step_sizes"),
    title="Krasnoselskii and Mann with averages 1 - 1/(k + 2)",
    given=(Nonexpansive.of(T), FixedPointOf(T), By(INCREASING), tau >= 0),
    for_all=k >= 1,
    states=residual / 4 <= tau * Delta[0],
    try_with={"tau": (1,)},
    untested=UNTESTED,
)
