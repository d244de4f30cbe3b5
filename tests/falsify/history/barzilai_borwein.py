"""Barzilai and Borwein's steps, eta_k = |s|^2 / <s, y>, claimed to descend. They do not, even on quadratics (Raydan, 1993)."""

from boundcheck import Bound, Convex, Follows, GradientDescent, IsQuadratic, Smooth, StronglyConvex
from boundcheck.language.letters import eta, f, grad, i, inner, k, normsq, x

s, y = x[i] - x[i - 1], grad(x[i]) - grad(x[i - 1])
BARZILAI_BORWEIN = (GradientDescent(), Follows(eta[i] == normsq(s) / inner(s, y)))

bb_descends = Bound(given=(Convex, Smooth, *BARZILAI_BORWEIN), states=f(x[k + 1]) <= f(x[k]), for_all=k >= 1)

bb_descends_on_quadratics = Bound(
    given=(IsQuadratic, Smooth, StronglyConvex, *BARZILAI_BORWEIN), states=f(x[k + 1]) <= f(x[k]), for_all=k >= 1
)
