"""Variational inequalities over a set: the optimistic gradient method and the past extragradient method."""

from dataclasses import replace
from fractions import Fraction

from boundcheck import Bound, By, Cocoercive, Constant, Indicator, LipschitzOperator, Method, Monotone, Parameter, Update, ZeroOf
from boundcheck.letters import STEP, ConvexSet, Delta, L, Operator, k, normsq, project, x, y
from boundcheck.theorems.performance_estimation.notation import UNTESTED, paper, tau

GORBUNOV_TAYLOR_GIDEL_2022 = paper(
    "Last-Iterate Convergence of Optimistic Gradient Method for Monotone Variational Inequalities",
    "Eduard Gorbunov, Adrien Taylor, Gauthier Gidel",
    2022,
)
CAI_OIKONOMOU_ZHENG_2022 = paper(
    "Tight Last-Iterate Convergence of the Extragradient and the Optimistic Gradient Descent-Ascent Algorithm for Constrained "
    "Monotone Variational Inequalities",
    "Yang Cai, Argyris Oikonomou, Weiqiang Zheng",
    2022,
)
RUBBENS_HENDRICKX_TAYLOR_2025 = paper(
    "A constructive approach to strengthen algebraic descriptions of function and operator classes",
    "Anne Rubbens, Julien M. Hendrickx, Adrien Taylor",
    2025,
)

C, F = ConvexSet("C"), Operator("F")
gamma = Parameter("gamma", STEP, r"\gamma")
beta = Constant("beta", STEP, r"\beta")

# y_{k+1} is where F is asked at step k, and y_0 = x_0 is in C
BOTH_METHODS = (Indicator.of(C), ZeroOf(F, C), C(x[0]) == 0, gamma > 0, tau >= 0)
LIPSCHITZ = (Monotone.of(F), LipschitzOperator.of(F, L=L), *BOTH_METHODS)
TRIED = {"gamma": (Fraction(1, 4), Fraction(1, 2)), "tau": (1,)}

OPTIMISTIC_GRADIENT = Method(
    name="optimistic gradient",
    first=(Update(y[0], x[0]),),
    each=(
        Update(y[k + 1], project(C, x[k] - gamma * F(y[k]))),
        Update(x[k + 1], y[k + 1] + gamma * (F(y[k]) - F(y[k + 1]))),
    ),
)

optimistic_gradient = Bound(
    source=GORBUNOV_TAYLOR_GIDEL_2022.at("optimistic_gradient", "Appendix D"),
    title="the optimistic gradient method for a monotone Lipschitz operator over a set: the last step is short",
    given=(*LIPSCHITZ, By(OPTIMISTIC_GRADIENT)),
    for_all=k >= 1,
    states=normsq(y[k] - y[k - 1]) <= tau * Delta[0],
    try_with=TRIED,
    untested=UNTESTED,
)

# the same statement; the paper has conditions for three points of a Lipschitz operator, with which its worst case is smaller
optimistic_gradient_refined = replace(
    optimistic_gradient,
    source=RUBBENS_HENDRICKX_TAYLOR_2025.at("optimistic_gradient_refined", "Proposition 3.15"),
    title=f"{optimistic_gradient.title}: with conditions for three points of the operator",
)

optimistic_gradient_refined_cocoercive = Bound(
    source=RUBBENS_HENDRICKX_TAYLOR_2025.at("optimistic_gradient_refined_cocoercive", "Proposition F.3"),
    title="the optimistic gradient method for a cocoercive operator over a set: the last step is short",
    given=(Cocoercive.of(F, beta=beta), *BOTH_METHODS, By(OPTIMISTIC_GRADIENT)),
    for_all=k >= 1,
    states=normsq(y[k] - y[k - 1]) <= tau * Delta[0],
    try_with=TRIED,
    untested=UNTESTED,
)

PAST_EXTRAGRADIENT = Method(
    name="past extragradient",
    first=(Update(y[0], x[0]),),
    each=(Update(y[k + 1], project(C, x[k] - gamma * F(y[k]))), Update(x[k + 1], project(C, x[k] - gamma * F(y[k + 1])))),
)

past_extragradient = Bound(
    source=CAI_OIKONOMOU_ZHENG_2022.at("past_extragradient"),
    title="the past extragradient method for a monotone Lipschitz operator over a set: the last step is short",
    given=(*LIPSCHITZ, By(PAST_EXTRAGRADIENT)),
    for_all=k >= 1,
    states=normsq(x[k] - x[k - 1]) <= tau * Delta[0],
    try_with=TRIED,
    untested=UNTESTED,
)
