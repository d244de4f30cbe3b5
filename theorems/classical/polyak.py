"""Polyak's step, eta_k = (f(x_k) - f*) / |grad f(x_k)|^2: each step comes closer to every minimiser."""

from boundcheck import Bound, Convex, Differentiable, Follows, GradientDescent, Instance, Parameter, Smooth
from boundcheck.letters import Delta, L, Max, Min, delta, eta, grad, i, k, normsq, x
from boundcheck.theorems.classical.sources import HAZAN_KAKADE_2019, POLYAK_1969

gamma = Parameter("gamma")
POLYAK = (Convex, Differentiable, GradientDescent(), Follows(eta[i] == gamma * delta[i] / normsq(grad(x[i]))), gamma == 1)
GAMMA_1 = {"gamma": (1,)}

comes_closer = Bound(
    source=POLYAK_1969.at("polyak-step.comes-closer", "in its proof"),
    title="Polyak's step comes closer to every minimiser, by at least (f(x_k) - f*)^2 / |grad f(x_k)|^2",
    given=POLYAK,
    states=Delta[k + 1] <= Delta[k] - delta[k] ** 2 / normsq(grad(x[k])),
    try_with=GAMMA_1,
)

best_by_gradients = Bound(
    source=HAZAN_KAKADE_2019.at("polyak-step.best-by-gradients", "Theorem 1"),
    title="Polyak's step: the best gap of x_0, ..., x_{k-1} is at most G |x_0 - x*| / sqrt(k), with G the largest gradient there",
    given=POLYAK,
    states=k * Min(delta[i], i, 0, k - 1) ** 2 <= Max(normsq(grad(x[i])), i, 0, k - 1) * Delta[0],
    for_all=k >= 1,
    try_with=GAMMA_1,
    try_on=(Instance(problem="long-huber", method="polyak(1)", steps=1),),  # f is a line from x_0 almost to x*
)

best_smooth = Bound(
    source=HAZAN_KAKADE_2019.at("polyak-step.best-smooth", "Theorem 1"),
    title="Polyak's step on an L-smooth function: the best gap of x_0, ..., x_{k-1} is at most 2 L |x_0 - x*|^2 / k",
    given=(*POLYAK, Smooth),
    states=Min(delta[i], i, 0, k - 1) <= 2 * L * Delta[0] / k,
    for_all=k >= 1,
    try_with=GAMMA_1,
    loose_because="2/3 will do for 2: <grad f(x_i), x_i - x*> >= delta_i + |grad f(x_i)|^2 / (2L) and eta_i >= 1/(2L) give "
    "Delta_i - Delta_{i+1} >= eta_i delta_i + delta_i / L >= 3 delta_i / (2L)",
)
