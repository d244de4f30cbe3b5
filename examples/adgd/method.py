"""Section 1: the rule, and the two inequalities that are used of it."""

from boundcheck import Bound
from boundcheck.letters import eta, grad, k, norm, x

from .notation import BY_THE_RULE, PAPER, RULE, theta

growth = Bound(
    source=PAPER.at("eq:growth", "1"),
    title="steps grow slowly",
    given=RULE,
    states=eta[k] ** 2 <= (1 + theta(k - 1)) * eta[k - 1] ** 2,
    for_all=k >= 2,
    try_on=BY_THE_RULE,
    proof_sketch=(r"$\lambda_k^2$ is the smaller of two numbers, of which $(1 + \theta_{k-1}) \lambda_{k-1}^2$ is one.",),
)

curvature = Bound(
    source=PAPER.at("eq:curvature", "1"),
    title="steps do not overstep the curvature that was met last",
    given=RULE,
    states=2 * eta[k] * norm(grad(x[k]) - grad(x[k - 1])) <= norm(x[k] - x[k - 1]),
    for_all=k >= 2,
    try_on=BY_THE_RULE,
    proof_sketch=(
        r"$\lambda_k^2$ is at most $\|x_k - x_{k-1}\|^2 / (4 \|\nabla f(x_k) - \nabla f(x_{k-1})\|^2)$; take roots.",
        r"Where the two gradients are equal, the left side is $0$.",
    ),
)
