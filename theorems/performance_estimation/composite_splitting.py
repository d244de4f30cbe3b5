"""Composite convex minimization by proximal steps of both functions: Douglas and Rachford's splitting, and Davis and Yin's.

Runs are of the sequence that steps act on, w in PEPit, which is x here; v_k is the proximal point of x_k, and y_k the second one.
"""

from fractions import Fraction

from boundcheck import (
    Bound,
    By,
    Constant,
    Convex,
    IsQuadratic,
    Method,
    Minimises,
    Parameter,
    Runs,
    Smooth,
    StronglyConvex,
    Update,
)
from boundcheck.letters import CURVATURE, NONE, STEP, Function, L, Points, f, grad, k, larger, mu_f, normsq, prox, v, x, xstar, y
from boundcheck.theorems.performance_estimation.notation import UNTESTED, UPPER_BOUND, paper, tau

PATRINOS_STELLA_BEMPORAD = paper(
    "Douglas-Rachford splitting: complexity estimates and accelerated variants",
    "Panagiotis Patrinos, Lorenzo Stella, Alberto Bemporad",
    2014,
)
PRIMER = paper("A primer on monotone operator methods", "Ernest K. Ryu, Stephen Boyd", 2016)
GISELSSON_BOYD = paper(
    "Linear Convergence and Metric Selection for Douglas-Rachford Splitting and ADMM", "Pontus Giselsson, Stephen Boyd", 2016
)
DAVIS_YIN = paper("A Three-Operator Splitting Scheme and its Optimization Applications", "Damek Davis, Wotao Yin", 2017)

g, h = Function("g"), Function("h")
F = f + h
alpha, theta = Parameter("alpha", STEP), Parameter("theta", NONE)
rate_of_values = Parameter("tau", CURVATURE, r"\tau")
other = x.of("other")

DOUGLAS_RACHFORD = Method(
    name="Douglas-Rachford splitting",
    each=(
        Update(v[k], prox(f, alpha, x[k])),
        Update(y[k], prox(h, alpha, 2 * v[k] - x[k])),
        Update(x[k + 1], x[k] + theta * (y[k] - v[k])),
    ),
)

douglas_rachford = Bound(
    source=PRIMER.at("composite/douglas_rachford_splitting", "Section 7.3"),
    title="Douglas-Rachford splitting: the gap at y, by the distance from the first proximal point",
    given=(Convex, Smooth, Convex.of(h), Minimises(F), By(DOUGLAS_RACHFORD), alpha > 0, theta > 0, rate_of_values >= 0),
    for_all=k >= 1,
    states=F(y[k - 1]) - F(xstar) <= rate_of_values * normsq(v[0] - xstar),
    try_with={"alpha": (1, 2), "theta": (1, Fraction(1, 2)), "tau": (1,)},
    untested=UNTESTED,
)

NONSMOOTH_FIRST = Method(
    name="Douglas-Rachford splitting that begins with h",
    each=(
        Update(v[k], prox(h, alpha, x[k])),
        Update(y[k], prox(f, alpha, 2 * v[k] - x[k])),
        Update(x[k + 1], x[k] + y[k] - v[k]),
    ),
)

contraction = Bound(
    source=GISELSSON_BOYD.at("douglas_rachford_splitting_contraction", "Theorem 2"),
    title="two runs of Douglas-Rachford splitting: how much their distance contracts",
    given=(
        StronglyConvex,
        Smooth,
        Convex.of(h),
        Runs.from_starts({"": NONSMOOTH_FIRST, "other": NONSMOOTH_FIRST}),
        alpha > 0,
    ),
    for_all=k >= 1,
    states=normsq(x[k] - other[k])
    <= (larger(1 / (1 + mu_f * alpha), alpha * L / (1 + alpha * L)) ** 2) ** k * normsq(x[0] - other[0]),
    try_with={"alpha": (3, 1)},
)

w = Points("w")
ACCELERATED = Method(
    name="accelerated Douglas-Rachford splitting",
    first=(Update(w[0], x[0]),),
    each=(
        Update(v[k], prox(f, alpha, x[k])),
        Update(y[k], prox(h, alpha, 2 * v[k] - x[k])),
        Update(w[k + 1], x[k] + (1 - alpha * L) / (1 + alpha * L) * (y[k] - v[k])),
        Update(x[k + 1], w[k + 1] + larger(k - 1, 0) / (k + 2) * (w[k + 1] - w[k])),
    ),
)
start = normsq(w[0] - xstar - alpha * grad(xstar))

accelerated = Bound(
    source=PATRINOS_STELLA_BEMPORAD.at("accelerated_douglas_rachford_splitting", "Section 4"),
    title="accelerated Douglas-Rachford splitting where f is smooth and strongly convex",
    given=(StronglyConvex, Smooth, Convex.of(h), Minimises(F), By(ACCELERATED), alpha > 0, alpha * L < 1, rate_of_values >= 0),
    for_all=k >= 1,
    states=F(y[k - 1]) - F(xstar) <= rate_of_values * start,
    try_with={"alpha": (Fraction(9, 10), Fraction(1, 2)), "tau": (1,)},
    untested=UNTESTED,
)

accelerated_quadratics = Bound(
    source=PATRINOS_STELLA_BEMPORAD.at("accelerated_douglas_rachford_splitting.quadratics", "Theorem 5"),
    title="accelerated Douglas-Rachford splitting where f is a quadratic: the printed upper bound",
    given=(IsQuadratic, *accelerated.given[:-1]),
    for_all=k >= 1,
    states=F(y[k - 1]) - F(xstar) <= 2 / (alpha * (1 - alpha * L) / (1 + alpha * L) * (k + 3) ** 2) * start,
    try_with={"alpha": (Fraction(9, 10), Fraction(1, 2))},
    loose_because=UPPER_BOUND,
)

THREE_OPERATORS = Method(
    name="three-operator splitting",
    each=(
        Update(v[k], prox(h, alpha, x[k])),
        Update(y[k], prox(f, alpha, 2 * v[k] - x[k] - alpha * grad(g, v[k]))),
        Update(x[k + 1], x[k] + theta * (y[k] - v[k])),
    ),
)

three_operators = Bound(
    source=DAVIS_YIN.at("composite/three_operator_splitting"),
    title="two runs of three-operator splitting: how much their distance contracts",
    given=(
        StronglyConvex,
        Smooth,
        Convex.of(h),
        Convex.of(g),
        Smooth.of(g, L=Constant("L_g")),
        Runs.from_starts({"": THREE_OPERATORS, "other": THREE_OPERATORS}),
        alpha > 0,
        theta > 0,
        tau >= 0,
    ),
    for_all=k >= 1,
    states=normsq(x[k] - other[k]) <= tau * normsq(x[0] - other[0]),
    try_with={"alpha": (1, Fraction(1, 2)), "theta": (1, Fraction(1, 2)), "tau": (1,)},
    untested=UNTESTED,
)
