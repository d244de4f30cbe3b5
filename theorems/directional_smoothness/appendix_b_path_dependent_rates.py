"""Appendix B, proofs for Section 3, display by display. `eta` without an index, as some displays have it, is read as eta_k."""

from collections.abc import Callable
from fractions import Fraction

from boundcheck import Bound, Convex, Differentiable, Instance, StronglyConvex, chain
from boundcheck.letters import (
    M_,
    Delta,
    Index,
    Relation,
    Scalar,
    Sum,
    delta,
    eta,
    f,
    gap,
    grad,
    i,
    inner,
    k,
    mean,
    mu,
    mu_,
    mu_f,
    normsq,
    x,
    xstar,
)
from boundcheck.theorems.directional_smoothness.notation import CONVEX_GD, PAPER
from boundcheck.theorems.directional_smoothness.notation import any_x as p
from boundcheck.theorems.directional_smoothness.notation import any_y as q
from boundcheck.theorems.directional_smoothness.section3_path_dependent_rates import (
    DOWN_A_SLOPE,
    contraction,
    error_of,
    from_minimum,
    lam,
    towards_minimum,
)

# -- lemma:directional-sc -----------------------------------------------------------------------------------------------

directional_sc = Bound(
    source=PAPER.at("lemma:directional-sc", "B"),
    title="directional strong convexity gives the lower bound",
    given=(Convex, Differentiable),
    states=f(q) >= f(p) + inner(grad(p), q - p) + mu(p, q) / 2 * normsq(q - p),
    added=(r"differentiability of $f$, without which $\mu(x, y)$ is not defined",),
)

at_least_mu = Bound(
    source=PAPER.at("lemma:directional-sc.at-least-mu", "B"),
    title="if f is mu-strongly convex, mu(x, y) is at least mu",
    given=(Convex, Differentiable, StronglyConvex),
    states=mu(p, q) >= mu_f,
)

fundamental_theorem = Bound(
    source=PAPER.at("lemma:directional-sc.proof", "B"),
    title="the integral of the change of the gradient is at least mu(x, y) |y - x|^2 / 2",
    given=(Convex, Differentiable),
    states=f(p) - inner(grad(p), q - p) >= mu(p, q) / 2 * normsq(q - p),
    refuted_by=Instance(problem="parabola", method="chords", steps=200),
)

fundamental_theorem_proved = fundamental_theorem.as_proved(
    because="f(y) is missing, and f(x) has the wrong sign: the integral is f(y) - f(x) - <grad f(x), y - x>",
    states=f(q) - f(p) - inner(grad(p), q - p) >= mu(p, q) / 2 * normsq(q - p),
    proof_sketch=(
        r"The fundamental theorem of calculus gives $f(y) - f(x) - \langle \nabla f(x), y - x \rangle = \int_0^1 \langle "
        r"\nabla f(x + t (y - x)) - \nabla f(x), y - x \rangle \, dt$.",
        r"By its definition $\mu(x, y)$ is the infimum over $t$ of the integrand divided by $t \|y - x\|^2$, so the "
        r"integrand is at least $t \mu(x, y) \|y - x\|^2$.",
        "The integral of $t$ from $0$ to $1$ is $1/2$.",
    ),
)

half = Fraction(1, 2)
point = p + half * (q - p)

secant_slope = Bound(
    source=PAPER.at("lemma:directional-sc.secant", "B"),
    title="strong convexity bounds each secant slope: the display at t = 1/2",
    given=(Convex, Differentiable, StronglyConvex),
    states=chain(
        inner(grad(point) - grad(p), q - p) / (half * normsq(p - q)),
        "==",
        inner(grad(point) - grad(p), point - p) / (half**2 * normsq(p - q)),
        ">=",
        mu_f * (normsq(p - half * (q - p) - p) / (half**2 * normsq(q - p))),
        "==",
        mu_f,
    ),
    added=("$t = 1/2$ only",),
)
g2 = normsq(grad(x[k]))

# -- prop:sc-split-analysis ---------------------------------------------------------------------------------------------

good_steps = Bound(
    source=PAPER.at("prop:sc-split-analysis.good", "B"),
    title="lambda_k is negative on good steps",
    given=(*CONVEX_GD, eta[i] < 2 / M_[i]),
    states=lam(k) < 0,
    loose_because="the bound is 0: no ratio comes near 1",
)

bad_steps = Bound(
    source=PAPER.at("prop:sc-split-analysis.bad", "B"),
    title="lambda_k is not negative on bad steps",
    given=(*CONVEX_GD, eta[i] >= 2 / M_[i]),
    states=lam(k) >= 0,
    loose_because="the bound is 0, attained at eta = 2/M: no ratio comes near 1",
)

gradient_domination = Bound(
    source=PAPER.at("prop:sc-split-analysis.gradient", "B"),
    title="directional strong convexity gives |grad f(x_k)|^2 >= 2 mu_k delta_k",
    given=CONVEX_GD,
    states=g2 >= 2 * mu_[k] * delta[k],
)

good_step = Bound(
    source=PAPER.at("prop:sc-split-analysis.good-step", "B"),
    title="one good step: the descent lemma, then |grad f(x_k)|^2 >= 2 mu_k delta_k",
    given=(*CONVEX_GD, eta[i] < 2 / M_[i]),
    states=chain(
        f(x[k + 1]),
        "<=",
        f(x[k]) + eta[k] * (eta[k] * M_[k] / 2 - 1) * g2,
        "==",
        f(x[k]) + eta[k] * lam(k) / 2 * g2,
        "<=",
        f(x[k]) + eta[k] * lam(k) * mu_[k] * delta[k],
    ),
)

bad_step = Bound(
    source=PAPER.at("prop:sc-split-analysis.bad-step", "B"),
    title="one bad step: the descent lemma, with lambda_k not negative",
    given=(*CONVEX_GD, eta[i] >= 2 / M_[i]),
    states=chain(f(x[k + 1]), "<=", f(x[k]) + eta[k] * (eta[k] * M_[k] / 2 - 1) * g2, "==", f(x[k]) + eta[k] * lam(k) / 2 * g2),
)

# -- prop:sc-iterates-analysis, and prop:convex-any-stepsize, which begins in the same way ------------------------------

expansion = Bound(
    source=PAPER.at("prop:sc-iterates-analysis.expansion", "B"),
    title="the square of the distance to x* expanded at x_{k+1}",
    given=CONVEX_GD,
    states=Delta[k] == Delta[k + 1] + normsq(x[k] - x[k + 1]) + 2 * inner(x[k] - x[k + 1], x[k + 1] - xstar),
)

descent = -2 * eta[k] * inner(grad(x[k]), x[k + 1] - x[k])

difference = Bound(
    source=PAPER.at("prop:sc-iterates-analysis.difference", "B"),
    title="the change of the distance: the update put in, and x_k",
    given=CONVEX_GD,
    states=chain(
        Delta[k + 1] - Delta[k],
        "==",
        -normsq(x[k] - x[k + 1]) - 2 * inner(x[k] - x[k + 1], x[k + 1] - xstar),
        "==",
        -(eta[k] ** 2) * g2 - 2 * eta[k] * inner(grad(x[k]), x[k + 1] - xstar),
        "==",
        -(eta[k] ** 2) * g2 + descent - 2 * eta[k] * inner(grad(x[k]), x[k] - xstar),
    ),
    loose_because="an equation between negative numbers: no ratio measures it, and it holds exactly",
)

strong_convexity_and_smoothness = Bound(
    source=PAPER.at("prop:sc-iterates-analysis.controlled", "B"),
    title="directional strong convexity from x_k, then directional smoothness, control the inner products",
    given=CONVEX_GD,
    states=chain(
        Delta[k + 1] - Delta[k],
        "<=",
        -(eta[k] ** 2) * g2 + descent + 2 * eta[k] * (f(xstar) - f(x[k]) - mu_[k] / 2 * Delta[k]),
        "<=",
        -(eta[k] ** 2) * g2
        + 2 * eta[k] * (f(x[k]) - f(x[k + 1]) + M_[k] * eta[k] ** 2 / 2 * g2)
        + 2 * eta[k] * (f(xstar) - f(x[k]) - mu_[k] / 2 * Delta[k]),
        "==",
        eta[k] ** 2 * (M_[k] * eta[k] - 1) * g2 + 2 * eta[k] * (f(xstar) - f(x[k + 1])) - mu_[k] * eta[k] * Delta[k],
    ),
    loose_because="its sides are negative where the distance shrinks, and no ratio measures them",
)


def growth_step(growth: Callable[[Index], Scalar]) -> Relation:
    return (
        eta[k] ** 2 * (M_[k] * eta[k] - 1) * g2 + 2 * eta[k] * (f(xstar) - f(x[k + 1])) - mu_[k] * eta[k] * Delta[k]
        <= eta[k] ** 2 * (M_[k] * eta[k] - 1) * g2 - eta[k] * growth(k + 1) * Delta[k + 1] - mu_[k] * eta[k] * Delta[k]
    )


growth = Bound(
    source=PAPER.at("prop:sc-iterates-analysis.growth", "B"),
    title="f(x_{k+1}) - f* is at least mu_{k+1} Delta_{k+1} / 2: directional strong convexity between x_{k+1} and x*",
    given=CONVEX_GD,
    states=growth_step(towards_minimum),
    refuted_by=Instance(problem="steep-then-flat", method="given(3/5, 6)", steps=2, smoothness="H"),
)

growth_proved = growth.as_proved(
    because="f(x_{k+1}) - f* >= mu Delta_{k+1} / 2 is the lower bound seen from x*: mu(x*, x_{k+1}), not mu(x_{k+1}, x*)",
    states=growth_step(from_minimum),
    proof_sketch=(
        r"Since $\nabla f(x^*) = 0$, the lower bound [lemma:directional-sc] from $x^*$ to $x_{k+1}$ is $f(x_{k+1}) - "
        r"f(x^*) \geq \frac{1}{2} \mu(x^*, x_{k+1}) \Delta_{k+1}$.",
        r"Multiply by $-2 \eta_k$ and add $\eta_k^2 (M_k \eta_k - 1) \|\nabla f(x_k)\|^2 - \mu_k \eta_k \Delta_k$ to both "
        "sides.",
    ),
)


def one_step(growth: Callable[[Index], Scalar]) -> Relation:
    return (
        Delta[k + 1] * (1 + growth(k + 1) * eta[k]) <= (1 - mu_[k] * eta[k]) * Delta[k] + eta[k] ** 2 * (M_[k] * eta[k] - 1) * g2
    )


rearranged = Bound(
    source=PAPER.at("prop:sc-iterates-analysis.rearranged", "B"),
    title="a rate for one step, with an error that depends on the local smoothness",
    given=CONVEX_GD,
    states=one_step(towards_minimum),
    added=(r"$\eta$ without an index is read as $\eta_k$",),
    refuted_by=Instance(problem="steep-then-flat", method="given(3/5, 6)", steps=2, smoothness="H"),
)

rearranged_proved = rearranged.as_proved(
    because="with mu(x*, x_{k+1}): see prop:sc-iterates-analysis.growth",
    states=one_step(from_minimum),
    proof_sketch=(
        r"[prop:sc-iterates-analysis.controlled] and then [prop:sc-iterates-analysis.growth@proved] bound $\Delta_{k+1} - "
        r"\Delta_k$ by $\eta_k^2 (M_k \eta_k - 1) \|\nabla f(x_k)\|^2 - \eta_k \mu(x^*, x_{k+1}) \Delta_{k+1} - \mu_k "
        r"\eta_k \Delta_k$.",
        r"Bring $\eta_k \mu(x^*, x_{k+1}) \Delta_{k+1}$ to the left and $\Delta_k$ to the right.",
    ),
)


def contracted(growth: Callable[[Index], Scalar]) -> Relation:
    return Delta[k + 1] <= contraction(k, growth) * Delta[k] + error_of(k, growth)


divided = Bound(
    source=PAPER.at("prop:sc-iterates-analysis.divided", "B"),
    title="the rate for one step divided by 1 + mu_{k+1} eta_k, with |1 - mu_k eta_k|",
    given=CONVEX_GD,
    states=contracted(towards_minimum),
    added=(r"$\eta$ without an index is read as $\eta_k$",),
    refuted_by=Instance(problem="steep-then-flat", method="given(3/5, 6)", steps=2, smoothness="H"),
)

divided_proved = divided.as_proved(
    because="with mu(x*, x_{k+1}): see prop:sc-iterates-analysis.growth",
    states=contracted(from_minimum),
    proof_sketch=(
        r"$f$ is convex, so $\mu(x^*, x_{k+1}) \geq 0$ [eq:directional-sc-constant.not-negative] and $1 + \mu(x^*, "
        r"x_{k+1}) \eta_k \geq 1$.",
        r"Divide [prop:sc-iterates-analysis.rearranged@proved] by it, and use $1 - \mu_k \eta_k \leq |1 - \mu_k \eta_k|$ "
        r"and $\Delta_k \geq 0$.",
    ),
)

# -- prop:convex-any-stepsize -------------------------------------------------------------------------------------------

convexity_and_smoothness = Bound(
    source=PAPER.at("prop:convex-any-stepsize.controlled", "B"),
    title="convexity, then directional smoothness, control the inner products",
    given=CONVEX_GD,
    states=chain(
        Delta[k + 1] - Delta[k],
        "<=",
        -(eta[k] ** 2) * g2 - 2 * eta[k] * (f(x[k]) - f(xstar)) + descent,
        "<=",
        -(eta[k] ** 2) * g2 - 2 * eta[k] * (f(x[k]) - f(xstar)) + 2 * eta[k] * (f(x[k]) - f(x[k + 1])) + eta[k] ** 3 * M_[k] * g2,
        "==",
        eta[k] ** 2 * (eta[k] * M_[k] - 1) * g2 - 2 * eta[k] * (f(x[k + 1]) - f(xstar)),
    ),
)

total = Sum(eta[i], i, 0, k)
summed_errors = (Delta[0] + Sum(eta[i] ** 2 * (eta[i] * M_[i] - 1) * normsq(grad(x[i])), i, 0, k)) / (2 * total)

summed = Bound(
    source=PAPER.at("prop:convex-any-stepsize.summed", "B"),
    title="the steps summed: the mean of the gaps with weights eta_i",
    given=CONVEX_GD,
    states=Sum(eta[i] * delta[i + 1], i, 0, k) / total <= summed_errors,
    try_on=DOWN_A_SLOPE,
)

jensen = Bound(
    source=PAPER.at("prop:convex-any-stepsize.jensen", "B"),
    title="Jensen's inequality: the gap at the mean is at most the mean of the gaps",
    given=CONVEX_GD,
    states=gap(mean(x[i + 1], weight=eta[i], over=(i, 0, k))) <= Sum(eta[i] * delta[i + 1], i, 0, k) / total,
)
