"""Splittings of sums of operators: two runs of Douglas and Rachford's, or of Davis and Yin's, contract towards each other."""

from fractions import Fraction

from boundcheck import (
    Bound,
    Cocoercive,
    Constant,
    LipschitzOperator,
    Method,
    Monotone,
    Once,
    Parameter,
    Runs,
    Smooth,
    StronglyConvex,
    StronglyMonotone,
    Update,
)
from boundcheck.letters import (
    STEP,
    Function,
    L,
    Operator,
    Points,
    Relation,
    Scalar,
    grad,
    k,
    larger,
    mu_f,
    normsq,
    resolvent,
    sqrt,
    x,
    y,
)
from boundcheck.theorems.performance_estimation.notation import UNTESTED, paper, tau

RYU_TAYLOR_2020 = paper(
    "Operator splitting performance estimation: Tight contraction factors and optimal parameter selection",
    "Ernest K. Ryu, Adrien B. Taylor, Carolina Bergeling, Pontus Giselsson",
    2020,
)

A, B, h = Operator("A"), Operator("B"), Function("h")
alpha, theta = Parameter("alpha", STEP, r"\alpha"), Parameter("theta", latex=r"\theta")
beta = Constant("beta", STEP, r"\beta")
z = Points("z")

DOUGLAS_RACHFORD = Method(
    name="Douglas-Rachford splitting",
    each=(
        Update(y[k], resolvent(B, alpha, x[k])),
        Update(z[k], resolvent(A, alpha, 2 * y[k] - x[k])),
        Update(x[k + 1], x[k] - theta * (y[k] - z[k])),
    ),
)
TWO_SPLITTINGS = Runs.from_starts({"": DOUGLAS_RACHFORD, "other": DOUGLAS_RACHFORD})
RELAXED = (alpha > 0, theta > 0, theta < 2)
apart, after = (normsq(x[n] - x.of("other")[n]) for n in (k, k + 1))

# of a Lipschitz and a strongly monotone operator, with a the constant L and m the constant mu in units of the step
a, m = alpha * L, alpha * mu_f
LIPSCHITZ_AND_STRONG = (
    Monotone.of(A),
    LipschitzOperator.of(A, L=L),
    StronglyMonotone.of(B, mu=mu_f),
    TWO_SPLITTINGS,
    *RELAXED,
    mu_f > 0,
)
p, q = 2 * (theta - 1) * m + theta - 2, theta - 2 * (m + 1)
c = sqrt((p**2 + a**2 * q**2) / (a**2 + 1))
first_case = theta * (theta + c) / (m + 1) ** 2 / c * (c + m * (p - a**2 * q) / (a**2 + 1))
short_relaxation = -(2 * (m + 1) * (a + 1) * (m + (m - 1) * a**2 - 2 * m * a - 1)) / (
    m + a * (a**2 + a + 1) + 2 * m**2 * (a - 1) + m * a * (1 - (a - 3) * a) + 1
)
SETTING = {"alpha": (Fraction(13, 10), 1), "theta": (Fraction(9, 10), Fraction(3, 2))}

douglas_rachford_balanced = Bound(
    source=RYU_TAYLOR_2020.at("monotone/douglas_rachford_splitting", "Theorem 4.3"),
    title="Douglas-Rachford splitting of a Lipschitz and a strongly monotone operator: one step contracts, first case",
    given=(*LIPSCHITZ_AND_STRONG, Once(first_case >= 0)),
    states=after <= ((theta + c) / 2 / (m + 1)) ** 2 * apart,
    try_with=SETTING,
)

douglas_rachford_strong = Bound(
    source=RYU_TAYLOR_2020.at("monotone/douglas_rachford_splitting.strong", "Theorem 4.3"),
    title="Douglas-Rachford splitting of a Lipschitz and a strongly monotone operator: one step contracts, second case",
    given=(
        *LIPSCHITZ_AND_STRONG,
        Once(first_case < 0),
        Once(a <= 1),
        Once(m * (a - 1) ** 2 >= a**2 + 1),
        Once(theta <= short_relaxation),
    ),
    states=after <= (1 - theta * (a + m) / (a + 1) / (m + 1)) ** 2 * apart,
    try_with=SETTING,
)

douglas_rachford_otherwise = Bound(
    source=RYU_TAYLOR_2020.at("monotone/douglas_rachford_splitting.otherwise", "Theorem 4.3"),
    title="Douglas-Rachford splitting of a Lipschitz and a strongly monotone operator: one step contracts, third case",
    given=(
        *LIPSCHITZ_AND_STRONG,
        Once(first_case < 0),
        Once(larger(a - 1, larger(a**2 + 1 - m * (a - 1) ** 2, theta - short_relaxation)) > 0),
    ),
    states=after
    <= (2 - theta)
    / (4 * m * (a**2 + 1))
    * (theta * (1 - 2 * m + a**2) - 2 * m * (a**2 - 1))
    * (theta * (1 + 2 * m + a**2) - 2 * (m + 1) * (a**2 + 1))
    / (theta * (1 + 2 * m - a**2) - 2 * (m + 1) * (1 - a**2))
    * apart,
    try_with=SETTING,
)

# -- of a cocoercive and a strongly monotone operator, with b the constant beta in units of the step -------------------------
# The theorem is about steps 1. PEPit's code has alpha beta in the place of beta / alpha, and 1/mu twice where no case is met.

COCOERCIVE_AND_STRONG = (Cocoercive.of(A, beta=beta), StronglyMonotone.of(B, mu=mu_f), TWO_SPLITTINGS, *RELAXED, mu_f > 0)

b = beta / alpha
end_of_first = 2 * (b + 1) * (m - b - m * b) / (m + m * b - b - b**2 - 2 * m * b**2)
end_of_second = 2 * (m**2 + b**2 + m * b + m + b - m**2 * b**2) / (m**2 + b**2 + m**2 * b + m * b**2 + m + b - 2 * m**2 * b**2)
start_of_third = 2 * (m * b + m + b) / (2 * m * b + m + b)
end_of_fourth = 2 * (m + 1) * (b - m - m * b) / (b + m * b - m - m**2 - 2 * m**2 * b)
no_first = larger(m * b - m + b, theta - end_of_first) >= 0
no_second = larger(m + b - m * b, theta - end_of_second) >= 0
no_third = theta < start_of_third
no_fourth = larger(m * b + m - b, theta - end_of_fourth) >= 0
SETTING_2 = {"alpha": (Fraction(3, 10), 1), "theta": (Fraction(3, 2), 1, Fraction(19, 10))}


def _cocoercive(case: str, rate: Scalar, *conditions: Relation) -> Bound:
    """Return one case of the theorem."""
    return Bound(
        source=RYU_TAYLOR_2020.at("douglas_rachford_splitting_2" + case, "Theorem 4.1"),
        title="Douglas-Rachford splitting of a cocoercive and a strongly monotone operator: one step contracts"
        + (f" ({case[1:]})" if case else ""),
        given=(*COCOERCIVE_AND_STRONG, *map(Once, conditions)),
        states=after <= rate * apart,
        try_with=SETTING_2,
    )


douglas_rachford_2 = _cocoercive(
    "",
    (2 - theta)
    / 4
    * ((2 - theta) * m * (b + 1) + theta * b * (1 - m))
    * ((2 - theta) * b * (m + 1) + theta * m * (1 - b))
    / (m * b * (2 * m * b * (1 - theta) + (2 - theta) * (m + b + 1))),
    no_first,
    no_second,
    no_third,
    no_fourth,
)
douglas_rachford_2_first = _cocoercive(".case-1", (1 - theta * b / (b + 1)) ** 2, m * b - m + b < 0, theta <= end_of_first)
douglas_rachford_2_second = _cocoercive(
    ".case-2", (1 - theta * (1 + m * b) / (m + 1) / (b + 1)) ** 2, m * b - m - b > 0, theta <= end_of_second
)
douglas_rachford_2_third = _cocoercive(".case-3", (1 - theta) ** 2, theta >= start_of_third)
douglas_rachford_2_fourth = _cocoercive(".case-4", (1 - theta * m / (m + 1)) ** 2, m * b + m - b < 0, theta <= end_of_fourth)

# -- Davis and Yin: with a third operator, the gradient of a smooth function ------------------------------------------------

THREE_OPERATORS = Method(
    name="three operator splitting",
    each=(
        Update(y[k], resolvent(B, alpha, x[k])),
        Update(z[k], resolvent(A, alpha, 2 * y[k] - x[k] - alpha * grad(h, y[k]))),  # PEPit's text lacks this alpha
        Update(x[k + 1], x[k] - theta * (y[k] - z[k])),
    ),
)

three_operator_splitting = Bound(
    source=RYU_TAYLOR_2020.at("monotone/three_operator_splitting"),
    title="three operator splitting: of a monotone operator, a cocoercive one and a gradient; one step contracts",
    given=(
        Monotone.of(A),
        Cocoercive.of(B, beta=beta),
        StronglyConvex.of(h, mu=mu_f),
        Smooth.of(h, L=L),
        Runs.from_starts({"": THREE_OPERATORS, "other": THREE_OPERATORS}),
        *RELAXED[:2],
        tau >= 0,
    ),
    states=after <= tau * apart,
    try_with={"alpha": (Fraction(9, 10), 1), "theta": (Fraction(13, 10), 1), "tau": (1,)},
    untested=UNTESTED,
)
