"""Section 2: what one step gains, and the three lines of its proof."""

from boundcheck import Bound
from boundcheck.letters import Delta, delta, eta, f, grad, inner, k, normsq, x

from .notation import CONVEX_GD, PAPER, SHORT_STEPS, energy, local_curvature, theta

one_step = Bound(
    source=PAPER.at("lem:one-step", "2"),
    title="what one step gains, in distance and in values",
    given=(*CONVEX_GD, local_curvature),
    states=energy(k + 1) + 2 * eta[k] * (1 + theta(k)) * delta[k] <= energy(k) + 2 * eta[k] * theta(k) * delta[k - 1],
    for_all=k >= 1,
    try_on=SHORT_STEPS,
    proof_sketch=(
        r"[eq:convex-step] bounds $\|x_{k+1} - x_*\|^2$; its last term is $\|x_{k+1} - x_k\|^2$.",
        r"That is $2 \lambda_k \langle \nabla f(x_k), x_k - x_{k+1} \rangle - \|x_{k+1} - x_k\|^2$.",
        r"[eq:cross] and [eq:old-gradient] bound the two parts of the product; add the three.",
    ),
)

convex_step = Bound(
    source=PAPER.at("eq:convex-step", "2"),
    title="one step of gradient descent on a convex function, whatever its length",
    given=CONVEX_GD,
    states=Delta[k + 1] <= Delta[k] - 2 * eta[k] * delta[k] + eta[k] ** 2 * normsq(grad(x[k])),
    proof_sketch=(
        r"$\|x_{k+1} - x_*\|^2 = \|x_k - x_*\|^2 - 2 \lambda_k \langle \nabla f(x_k), x_k - x_* \rangle"
        r" + \lambda_k^2 \|\nabla f(x_k)\|^2$.",
        r"By convexity $\langle \nabla f(x_k), x_k - x_* \rangle \geq f(x_k) - f(x_*)$.",
    ),
)

cross = Bound(
    source=PAPER.at("eq:cross", "2"),
    title="the change of the gradient, against the step",
    given=(*CONVEX_GD, local_curvature),
    states=2 * eta[k] * inner(grad(x[k]) - grad(x[k - 1]), x[k] - x[k + 1])
    <= normsq(x[k] - x[k - 1]) / 2 + normsq(x[k + 1] - x[k]) / 2,
    for_all=k >= 1,
    try_on=SHORT_STEPS,
    loose_because="since f is convex, the left side is at most |x_k - x_{k-1}|^2 / 2, and left over right at most 4/5",
    proof_sketch=(
        r"By Cauchy and Schwarz the left side is at most"
        r" $2 \lambda_k \|\nabla f(x_k) - \nabla f(x_{k-1})\| \|x_k - x_{k+1}\| \leq \|x_k - x_{k-1}\| \|x_k - x_{k+1}\|$,"
        r" since steps do not overstep the curvature.",
        r"$a b \leq \frac12 a^2 + \frac12 b^2$.",
    ),
)

old_gradient = Bound(
    source=PAPER.at("eq:old-gradient", "2"),
    title="the gradient before, against the step",
    given=CONVEX_GD,
    states=2 * eta[k] * inner(grad(x[k - 1]), x[k] - x[k + 1]) <= 2 * eta[k] * theta(k) * (f(x[k - 1]) - f(x[k])),
    for_all=k >= 1,
    proof_sketch=(
        r"$\nabla f(x_{k-1}) = (x_{k-1} - x_k) / \lambda_{k-1}$ and $x_k - x_{k+1} = \lambda_k \nabla f(x_k)$, so the left side"
        r" is $2 \lambda_k \theta_k \langle \nabla f(x_k), x_{k-1} - x_k \rangle$.",
        r"By convexity $\langle \nabla f(x_k), x_{k-1} - x_k \rangle \leq f(x_{k-1}) - f(x_k)$.",
    ),
)
