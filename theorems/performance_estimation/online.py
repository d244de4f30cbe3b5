"""Online learning: a loss for each round, and the regret of K rounds against any point x* of the set."""

from boundcheck import Bound, By, Constant, Convex, Diameter, Follows, Indicator, Lipschitz, Method, Update
from boundcheck.letters import (
    LENGTH,
    SLOPE,
    ConvexSet,
    Function,
    K,
    Points,
    Scalar,
    Sum,
    equal,
    eta,
    i,
    k,
    minimise_linear,
    project,
    smaller,
    sqrt,
    subgrad,
    v,
    x,
    xstar,
)
from boundcheck.theorems.performance_estimation.notation import UNTESTED, UPPER_BOUND, paper, tau

HAZAN_2016 = paper("Introduction to online convex optimization", "Elad Hazan", 2016)
ORABONA_2025 = paper("A Modern Introduction to Online Learning", "Francesco Orabona", 2025)
WEIBEL_GAILLARD_2025 = paper(
    "Optimized projection-free algorithms for online learning: construction and worst-case analysis",
    "Julien Weibel, Pierre Gaillard, Wouter M. Koolen, Adrien Taylor",
    2025,
)

C, loss = ConvexSet("C"), Function("loss")
D, M = Constant("D", LENGTH), Constant("M", SLOPE)
s = Points("s", dimension=SLOPE)
regret = Sum(loss[i](x[i]) - loss[i](xstar), i, 0, K - 1)
LOSSES = (
    Convex.of(loss),
    Lipschitz.of(loss, M=M),
    Indicator.of(C),
    Diameter.of(C, D=D),
    C(x[0]) == 0,
    C(xstar) == 0,
)
BEST_STEP = Follows(eta[i] == D / (M * sqrt(K)))

ONLINE_GRADIENT_DESCENT = Method(
    name="online gradient descent", each=(Update(x[k + 1], project(C, x[k] - eta[k] * subgrad(loss[k], x[k]))),)
)

online_gradient_descent = Bound(
    source=ORABONA_2025.at("online_gradient_descent", "Section 2.1.2"),
    title="online gradient descent with the best constant step for K rounds: the regret is at most M D sqrt(K)",
    given=(*LOSSES, By(ONLINE_GRADIENT_DESCENT), BEST_STEP),
    for_all=K >= 1,
    states=regret <= M * D * sqrt(K),
)

# -- leaders: the best point for the rounds so far --------------------------------------------------------------------------

so_far = Sum(subgrad(loss[i], x[k + 1]), i, 0, k)
FOLLOW_THE_LEADER = Method(
    name="follow the leader",
    each=(Update(x[k + 1], such_that=equal(so_far + subgrad(C, x[k + 1]), 0 * subgrad(C, x[k + 1]))),),
)

follow_the_leader = Bound(
    source=HAZAN_2016.at("online_follow_leader", "Chapter 5"),
    title="follow the leader: each point minimises the losses so far; the regret may be linear in K",
    given=(*LOSSES, By(FOLLOW_THE_LEADER), tau >= 0),
    for_all=K >= 1,
    states=regret <= tau * M * D,
    try_with={"tau": (1,)},
    untested=UNTESTED,
)

# PEPit's text writes the regularisation as eta/2 |x - x_0|^2; its code, like the theorem, has 1/(2 eta)
FOLLOW_THE_REGULARIZED_LEADER = Method(
    name="follow the regularized leader",
    each=(Update(x[k + 1], such_that=equal(x[k + 1], x[0] - eta[k] * (so_far + subgrad(C, x[k + 1])))),),
)

follow_the_regularized_leader = Bound(
    source=HAZAN_2016.at("online_follow_regularized_leader", "Theorem 5.2"),
    title="follow the regularized leader, with |x - x_0|^2 / (2 eta) added to the losses: the regret is at most M D sqrt(K)",
    given=(*LOSSES, By(FOLLOW_THE_REGULARIZED_LEADER), BEST_STEP),
    for_all=K >= 1,
    states=regret <= M * D * sqrt(K),
)

# -- without projections ------------------------------------------------------------------------------------------------

weight: Scalar = smaller(1, sqrt(3 / K))
ONLINE_FRANK_WOLFE = Method(
    name="online Frank-Wolfe",
    first=(Update(s[0], subgrad(loss[0], x[0])),),
    each=(
        Update(s[k], s[k - 1] + subgrad(loss[k], x[k])),
        Update(v[k], minimise_linear(C, x[k] - x[0] + eta[k] * s[k])),
        Update(x[k + 1], (1 - weight) * x[k] + weight * v[k]),
    ),
)

online_frank_wolfe = Bound(
    source=WEIBEL_GAILLARD_2025.at("online_frank_wolfe", "Theorem 2.1"),
    title="online Frank-Wolfe: the regret is at most 4/3^(3/4) M D K^(3/4)",
    given=(*LOSSES, By(ONLINE_FRANK_WOLFE), Follows(eta[i] == D / (2 * M) * (3 / K) ** 0.75)),
    for_all=K >= 1,
    states=regret <= 4 * M * D * (K / 3) ** 0.75,
    loose_because=UPPER_BOUND,
)
