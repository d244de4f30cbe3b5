"""Appendix B.1, estimating sequences: lambda_k and phi_k, with phi_k(z) = min phi_k + gamma_k / 2 |z - v_k|^2.

Values are counted from f(x*), so that nothing moves when f becomes f + C: phistar_k = min phi_k - f(x*). eta_k <= 1 / mu is
written eta_k mu <= 1, which mu = 0 always allows.
"""

from boundcheck import Bound, By, Convex, Differentiable, chain
from boundcheck.letters import (
    Delta,
    Index,
    Prod,
    Scalar,
    Vector,
    delta,
    eta,
    gap,
    grad,
    i,
    inner,
    k,
    mu_f,
    normsq,
    v,
    x,
    xstar,
    y,
)
from boundcheck.theorems.directional_smoothness.nesterov import (
    ALPHA_0,
    ALPHA_0_POSITIVE,
    ESTIMATING,
    POSITIVE_ROOT,
    alpha,
    canonical_minimum,
    gamma,
    lam,
    phistar,
    start,
)
from boundcheck.theorems.directional_smoothness.notation import PAPER

GIVEN = (Convex, Differentiable, By(ESTIMATING), gamma[0] > 0, ALPHA_0_POSITIVE, eta[i] * mu_f <= 1)

# -- the definition ----------------------------------------------------------------------------------------------------------


def phi(z: Vector, n: Index) -> Scalar:
    """phi_n(z) - f(x*), in canonical form."""
    return phistar[n] + gamma[n] / 2 * normsq(z - v[n])


def estimate(z: Vector) -> Scalar:
    """(1 - lambda_k) f(z) + lambda_k phi_0(z), less f(x*)."""
    return (1 - lam[k]) * gap(z) + lam[k] * (delta[0] + gamma[0] / 2 * normsq(z - start[k]))


est_upper_bound = Bound(
    source=PAPER.at("eq:est-upper-bound", "B.1"),
    title="phi_k is at most (1 - lambda_k) f + lambda_k phi_0, at x*",
    given=GIVEN,
    states=phi(xstar, k) <= lam[k] * (delta[0] + gamma[0] / 2 * Delta[0]),
    added=(
        POSITIVE_ROOT,
        "$x = x^*$ only",
    ),
    try_with=ALPHA_0,
)

est_upper_bound_at_x = Bound(
    source=PAPER.at("eq:est-upper-bound.at-x", "B.1"),
    title="phi_k is at most (1 - lambda_k) f + lambda_k phi_0, at x_k",
    given=GIVEN,
    states=phi(x[k], k) <= estimate(x[k]),
    added=(
        POSITIVE_ROOT,
        "$x = x_k$ only",
    ),
    try_with=ALPHA_0,
)

est_upper_bound_at_y = Bound(
    source=PAPER.at("eq:est-upper-bound.at-y", "B.1"),
    title="phi_k is at most (1 - lambda_k) f + lambda_k phi_0, at y_k",
    given=GIVEN,
    states=phi(y[k], k) <= estimate(y[k]),
    added=(
        POSITIVE_ROOT,
        "$x = y_k$ only",
    ),
    try_with=ALPHA_0,
)

est_upper_bound_at_v = Bound(
    source=PAPER.at("eq:est-upper-bound.at-v", "B.1"),
    title="phi_k is at most (1 - lambda_k) f + lambda_k phi_0, at v_k, where phi_k is smallest",
    given=GIVEN,
    states=phistar[k] <= estimate(v[k]),
    added=(
        POSITIVE_ROOT,
        "$x = v_k$ only",
    ),
    try_with=ALPHA_0,
)

# -- the sequences used ------------------------------------------------------------------------------------------------------

lambda_is_a_product = Bound(
    source=PAPER.at("eq:estimating-sequences.lambda", "B.1"),
    title="lambda_k is the product of the 1 - alpha_i before it",
    given=GIVEN,
    states=lam[k] == Prod(1 - alpha[i], i, 0, k - 1),
    added=(
        POSITIVE_ROOT,
        r"$\eta_i \leq 1 / \mu$, which the paper asks for in Lemma lemma:valid-sequences only",
        r"$k \geq 1$: at $k = 0$ the product is empty",
    ),
    for_all=k >= 1,
    try_with=ALPHA_0,
)


def minorant(z: Vector) -> Scalar:
    """The quadratic lower bound of f at y_k, less f(x*)."""
    return gap(y[k]) + inner(grad(y[k]), z - y[k]) + mu_f / 2 * normsq(z - y[k])


def updated(z: Vector) -> Scalar:
    return (1 - alpha[k]) * phi(z, k) + alpha[k] * minorant(z)


canonical_form = Bound(
    source=PAPER.at("eq:estimating-sequences", "B.1"),
    title="the update of phi_k keeps the canonical form: equal at x*",
    given=GIVEN,
    states=phi(xstar, k + 1) == updated(xstar),
    added=(
        POSITIVE_ROOT,
        r"$\eta_i \leq 1 / \mu$, which the paper asks for in Lemma lemma:valid-sequences only",
        "$x = x^*$ only",
    ),
    try_with=ALPHA_0,
)

canonical_form_at_x = Bound(
    source=PAPER.at("eq:estimating-sequences.at-x", "B.1"),
    title="the update of phi_k keeps the canonical form: equal at x_k and at x_{k+1}",
    given=GIVEN,
    states=chain(phi(x[k], k + 1) - updated(x[k]), "==", phi(x[k + 1], k + 1) - updated(x[k + 1]), "==", 0),
    added=(
        POSITIVE_ROOT,
        r"$\eta_i \leq 1 / \mu$, which the paper asks for in Lemma lemma:valid-sequences only",
        "$x = x_k$ and $x = x_{k+1}$ only",
    ),
    try_with=ALPHA_0,
)

minimizer = Bound(
    source=PAPER.at("eq:estimating-sequences.minimizer", "B.1"),
    title="v_{k+1} minimises phi_{k+1}: its gradient there is 0",
    given=GIVEN,
    states=normsq((1 - alpha[k]) * gamma[k] * (v[k + 1] - v[k]) + alpha[k] * grad(y[k]) + alpha[k] * mu_f * (v[k + 1] - y[k]))
    == 0,
    added=(
        POSITIVE_ROOT,
        r"$\eta_i \leq 1 / \mu$, which the paper asks for in Lemma lemma:valid-sequences only",
    ),
    try_with=ALPHA_0,
)

canonical_minimizer = Bound(
    source=PAPER.at("eq:canonical-minimizer", "B.1"),
    title="the minimum of phi_{k+1}, by its update at v_{k+1}",
    given=GIVEN,
    states=canonical_minimum == updated(v[k + 1]),
    added=(
        POSITIVE_ROOT,
        r"$\eta_i \leq 1 / \mu$, which the paper asks for in Lemma lemma:valid-sequences only",
    ),
    try_with=ALPHA_0,
)
