"""A claim of your own, in ten lines: the descent lemma, and a version that asks for too much."""

from boundcheck import Bound, Convex, GradientDescent, Smooth
from boundcheck.letters import L, eta, f, grad, i, k, normsq, x

descent = Bound(
    given=(Convex, Smooth, GradientDescent(), eta[i] <= 1 / L),
    states=f(x[k + 1]) <= f(x[k]) - eta[k] / 2 * normsq(grad(x[k])),
)

too_much = Bound(given=descent.given, states=f(x[k + 1]) <= f(x[k]) - eta[k] * normsq(grad(x[k])))
