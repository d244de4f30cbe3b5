"""Gradient descent on an L-smooth function, convex or not: what a step gains, and the smallest gradient so far."""

from boundcheck import Bound
from boundcheck.letters import L, Min, delta, eta, f, grad, i, k, normsq, x
from boundcheck.theorems.classical.notation import ONE_OVER_L, SMOOTH_GD
from boundcheck.theorems.classical.sources import NESTEROV_2004

descent = Bound(
    source=NESTEROV_2004.at("gd.descent", "1.2.3"),
    title="the descent lemma: a step eta decreases f by at least eta (1 - eta L / 2) |grad f|^2",
    given=SMOOTH_GD,
    states=f(x[k + 1]) <= f(x[k]) - eta[k] * (1 - eta[k] * L / 2) * normsq(grad(x[k])),
)

smallest_gradient = Bound(
    source=NESTEROV_2004.at("gd.smallest-gradient", "1.2.3"),
    title="steps 1/L: the smallest gradient so far, convex or not",
    given=(*SMOOTH_GD, ONE_OVER_L),
    states=Min(normsq(grad(x[i])), i, 0, k) <= 2 * L * delta[0] / (k + 1),
    loose_because="4 / (3k + 2) will do for 2 / (k + 1), and not less (Abbaszadehpeivasti, de Klerk and Zamani, 2022): "
    "from k = 1 on the left side is at most 4/5 of the right",
)
