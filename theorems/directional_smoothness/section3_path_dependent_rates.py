"""Section 3, Path-Dependent Sub-Optimality Bounds: gradient descent with any step sizes on a convex function."""

from boundcheck.bound import Bound, Instance
from boundcheck.language.letters import M_, Delta, Prod, Sum, delta, eta, f, gap, grad, i, j, k, mean, mu_, normsq, x
from boundcheck.theorems.directional_smoothness.notation import CONVEX_GD, PAPER


def lam(n):  # type: ignore[no-untyped-def]
    """lambda_n = eta_n M_n - 2: negative on good steps."""
    return eta[n] * M_[n] - 2


good_i, good_j = eta[i] < 2 / M_[i], eta[j] < 2 / M_[j]
bad_i = ~good_i

local_descent = Bound(
    source=PAPER.at("eq:local-descent-lemma", "3"),
    title="a descent lemma that depends on local geometry only",
    given=CONVEX_GD,
    states=f(x[k + 1]) <= f(x[k]) - (eta[k] - eta[k] ** 2 * M_[k] / 2) * normsq(grad(x[k])),
)

sc_split_analysis = Bound(
    source=PAPER.at("prop:sc-split-analysis", "3"),
    title="good steps contract the gap, bad steps add to it",
    given=CONVEX_GD,
    states=delta[k]
    <= Prod(1 + eta[i] * lam(i) * mu_[i], i, 0, k, where=good_i) * delta[0]
    + Sum(
        Prod(1 + eta[j] * lam(j) * mu_[j], j, i + 1, k, where=good_j) * (eta[i] * lam(i) / 2 * normsq(grad(x[i]))),
        i,
        0,
        k,
        where=bad_i,
    ),
    refuted_by=Instance(problem="quadratic-2d", method="1/L", steps=4, smoothness="H"),
)

sc_split_analysis_proved = sc_split_analysis.as_proved(
    because="the recursion bounds delta_{k+1} by steps 0, ..., k: step k does not act on x_k",
    states=delta[k + 1]
    <= Prod(1 + eta[i] * lam(i) * mu_[i], i, 0, k, where=good_i) * delta[0]
    + Sum(
        Prod(1 + eta[j] * lam(j) * mu_[j], j, i + 1, k, where=good_j) * (eta[i] * lam(i) / 2 * normsq(grad(x[i]))),
        i,
        0,
        k,
        where=bad_i,
    ),
)


def contraction(n):  # type: ignore[no-untyped-def]
    return abs(1 - mu_[n] * eta[n]) / (1 + mu_[n + 1] * eta[n])


iterates_bound = Prod(contraction(i), i, 0, k) * Delta[0] + Sum(
    Prod(contraction(j), j, i + 1, k) * ((M_[i] * eta[i] ** 3 - eta[i] ** 2) / (1 + mu_[i + 1] * eta[i]) * normsq(grad(x[i]))),
    i,
    0,
    k,
)

sc_iterates_analysis = Bound(
    source=PAPER.at("prop:sc-iterates-analysis", "3"),
    title="linear progress of the iterates at each step, and an error where steps are not adapted",
    given=CONVEX_GD,
    states=Delta[k] <= iterates_bound,
    refuted_by=Instance(problem="quadratic-2d", method="1/L", steps=4, smoothness="H"),
)

sc_iterates_analysis_proved = sc_iterates_analysis.as_proved(
    because="the proof bounds Delta_{k+1} by steps 0, ..., k",
    states=Delta[k + 1] <= iterates_bound,
)

convex_any_stepsize = Bound(
    source=PAPER.at("prop:convex-any-stepsize", "3"),
    title="the average of x_1, ..., x_{k+1} with weights eta_i, for any steps",
    given=CONVEX_GD,
    states=gap(mean(x[i + 1], weight=eta[i], over=(i, 0, k)))
    <= Delta[0] / (2 * Sum(eta[i], i, 0, k))
    + Sum(eta[i] ** 2 * (eta[i] * M_[i] - 1) * normsq(grad(x[i])), i, 0, k) / (2 * Sum(eta[i], i, 0, k)),
)
