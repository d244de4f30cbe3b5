"""Malitsky and Mishchenko, Adaptive gradient descent without descent, 2020: the iterates stay bounded since steps grow slowly.

What one step gains telescopes where eta_k^2 <= (1 + eta_{k-1} / eta_{k-2}) eta_{k-1}^2. Else the iterates may jump away.
"""

from boundcheck import Bound, Convex, Differentiable, Follows, GradientDescent
from boundcheck.language.letters import Delta, delta, eta, grad, i, k, norm, normsq, smaller, sqrt, x

CONVEX_GD = (Convex, Differentiable, GradientDescent())
local = norm(x[i] - x[i - 1]) / (2 * norm(grad(x[i]) - grad(x[i - 1])))
growth = sqrt(1 + eta[i - 1] / eta[i - 2]) * eta[i - 1]


def distance(n):
    return Delta[n] + normsq(x[n] - x[n - 1]) / 2


def bounded_from(n):
    return distance(k) <= distance(n) + 2 * eta[n] ** 2 / eta[n - 1] * delta[n - 1]


adgd_bounded = Bound(given=(*CONVEX_GD, Follows(eta[i] == smaller(growth, local))), states=bounded_from(2), for_all=k >= 3)
adgd_bounded_without_slow_growth = Bound(given=(*CONVEX_GD, Follows(eta[i] == local)), states=bounded_from(1), for_all=k >= 2)
