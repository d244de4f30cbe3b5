"""Section 3: bounded iterates and the rate."""

from boundcheck import Bound, Smooth
from boundcheck.letters import L, Sum, delta, eta, i, k

from .notation import BY_THE_RULE, CONVEX_GD, PAPER, RULE, SHORT_STEPS, C, energy, local_curvature, slow_growth, theta, weight

weights = Bound(
    source=PAPER.at("eq:weights", "3"),
    title="no weight is negative",
    given=(*CONVEX_GD, slow_growth),
    states=eta[k + 1] * theta(k + 1) <= eta[k] * (1 + theta(k)),
    for_all=k >= 1,
    try_on=(*SHORT_STEPS, *BY_THE_RULE),
    proof_sketch=(r"Divide $\lambda_{k+1}^2 \leq (1 + \theta_k) \lambda_k^2$ by $\lambda_k$.",),
)

bounded = Bound(
    source=PAPER.at("eq:bounded", "3"),
    title="the iterates stay bounded",
    given=(*CONVEX_GD, slow_growth, local_curvature),
    states=energy(k) <= C,
    for_all=k >= 2,
    try_on=SHORT_STEPS,
    proof_sketch=(
        r"[lem:one-step] at $1, \dots, k - 1$, added: the values that remain have the weights of [eq:weights] and"
        r" $\lambda_{k-1} (1 + \theta_{k-1})$, all at least $0$.",
        r"Leave them out.",
    ),
)

rate = Bound(
    source=PAPER.at("eq:rate", "3"),
    title="the weighted sum of gaps is bounded",
    given=(*CONVEX_GD, slow_growth, local_curvature),
    states=eta[k] * (1 + theta(k)) * delta[k] + Sum(weight(i) * delta[i], i, 1, k - 1) <= C / 2,
    for_all=k >= 2,
    try_on=SHORT_STEPS,
    proof_sketch=(
        r"[lem:one-step] at $1, \dots, k$, added; leave out $\|x_{k+1} - x_*\|^2 + \frac12 \|x_{k+1} - x_k\|^2 \geq 0$,"
        r" and divide by $2$.",
    ),
)

steps = Bound(
    source=PAPER.at("eq:steps", "3"),
    title="the steps do not vanish",
    given=(*RULE, Smooth, eta[1] >= 1 / (2 * L)),
    states=eta[k] >= 1 / L,  # misquoted on purpose: the text says 1 / (2 * L)
    for_all=k >= 2,
    try_on=BY_THE_RULE,
)
