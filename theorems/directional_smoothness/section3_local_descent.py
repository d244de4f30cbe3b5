"""Section 3, Path-Dependent Sub-Optimality Bounds: directional strong convexity, and the descent lemma of gradient descent."""

from boundcheck import Bound, Convex, Differentiable, Follows, Instance, Smooth, StronglyConvex
from boundcheck.letters import M_, L, M, eta, f, grad, i, inner, k, mu, mu_f, normsq, x
from boundcheck.theorems.directional_smoothness.notation import CONVEX_GD, PAPER
from boundcheck.theorems.directional_smoothness.notation import any_x as p
from boundcheck.theorems.directional_smoothness.notation import any_y as q

# -- directional strong convexity ---------------------------------------------------------------------------------------

strong_convexity_not_negative = Bound(
    source=PAPER.at("eq:directional-sc-constant.not-negative", "3"),
    title="on a convex function mu(x, y) is not negative",
    given=(Convex, Differentiable),
    states=mu(p, q) >= 0,
    loose_because="the bound is 0, which mu attains where f is affine from x on: no ratio comes near 1",
)

directional_sc = Bound(
    source=PAPER.at("eq:directional-sc", "3"),
    title="mu(x, y) gives the lower bound of strong convexity",
    given=(Convex, Differentiable),
    states=f(q) >= f(p) + inner(grad(p), q - p) + mu(p, q) / 2 * normsq(q - p),
)

at_least_mu = Bound(
    source=PAPER.at("eq:directional-sc.at-least-mu", "3"),
    title="mu(x, y) is at least the strong convexity of f",
    given=(Differentiable, StronglyConvex),
    states=mu(p, q) >= mu_f,
)

# -- the descent lemma --------------------------------------------------------------------------------------------------

local_descent = Bound(
    source=PAPER.at("eq:local-descent-lemma", "3"),
    title="a descent lemma that depends on local geometry only",
    given=CONVEX_GD,
    states=f(x[k + 1]) <= f(x[k]) - (eta[k] - eta[k] ** 2 * M_[k] / 2) * normsq(grad(x[k])),
    added=(r"convexity of $f$, so that $D$ is among the $M$; it is true without, see lemma:local-descent-lemma",),
)

adapted_steps_descend = Bound(
    source=PAPER.at("eq:local-descent-lemma.adapted", "3"),
    added=(r"$\nabla f(x_k) \neq 0$: at a stationary point nothing decreases",),
    title="an adapted step, eta_k < 2 / M_k, decreases f",
    given=(*CONVEX_GD, eta[i] < 2 / M_[i], normsq(grad(x[i])) > 0),
    states=f(x[k + 1]) < f(x[k]),
)

adapted_as_in_the_introduction = Bound(
    source=PAPER.at("eq:local-descent-lemma.adapted", "3"),
    reading="order-of-the-introduction",
    title="the introduction's 'adapted', eta_k < 2 / M(x_{k+1}, x_k), put into Section 3's sentence: such a step decreases f",
    because="Section 3 exchanges the arguments: adapted means eta_k < 2 / M(x_k, x_{k+1}); A and H are not symmetric",
    given=(*CONVEX_GD, eta[i] < 2 / M(x[i + 1], x[i]), normsq(grad(x[i])) > 0),
    states=f(x[k + 1]) < f(x[k]),
    refuted_by=Instance(problem="huber", method="constant(7)", steps=1, smoothness="H"),
)

better_than_L = Bound(
    source=PAPER.at("fig:quadratic-bound", "3"),
    added=(r"$\nabla f(x_i) \neq 0$, without which the two sides are equal",),
    title="where M_k < L, the descent lemma predicts more progress of the step 1/L than L-smoothness does",
    given=(*CONVEX_GD, Smooth, Follows(eta[i] == 1 / L), M_[i] < L, normsq(grad(x[i])) > 0),
    states=f(x[k]) - (eta[k] - eta[k] ** 2 * M_[k] / 2) * normsq(grad(x[k])) < f(x[k]) - eta[k] / 2 * normsq(grad(x[k])),
    smoothness=("D", "A", "H"),
)
