"""Gradient descent with eta <= 2 / L never moves away from a minimiser of a convex function. A little above, it does."""

from fractions import Fraction

from boundcheck import Bound, Convex, Follows, GradientDescent, Smooth
from boundcheck.language.letters import Delta, L, eta, f, i, k, x

CONVEX_GD = (Convex, Smooth, GradientDescent())

contracts_up_to_two_over_L = Bound(given=(*CONVEX_GD, eta[i] <= 2 / L), states=Delta[k + 1] <= Delta[k])

SLIGHTLY_ABOVE = Follows(eta[i] == Fraction(21, 10) / L)

contracts_slightly_above = Bound(given=(*CONVEX_GD, SLIGHTLY_ABOVE), states=Delta[k + 1] <= Delta[k])
descends_slightly_above = Bound(given=(*CONVEX_GD, SLIGHTLY_ABOVE), states=f(x[k + 1]) <= f(x[k]))
