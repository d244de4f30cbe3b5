"""A claim of your own, in ten lines: the descent lemma, and a version that asks for too much."""

from boundcheck import Bound, Convex, GradientDescent, Smooth
from boundcheck.language.letters import eta, f, i, k, x
from boundcheck.language.named import grad
from boundcheck.letters import L, normsq

descent = Bound(
    given=(Convex, Smooth, GradientDescent(), eta[i] <= 1 / L),
    states=f(x[k + 1]) <= f(x[k]) - eta[k] / 2 * normsq(grad(x[k])),
)

too_much = Bound(given=descent.given, states=f(x[k + 1]) <= f(x[k]) - eta[k] * normsq(grad(x[k])))
