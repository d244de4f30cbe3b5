"""Polyak's step, gamma (f(x_k) - f*) / |grad f(x_k)|^2, comes closer to every minimiser if gamma <= 2. Not beyond."""

from fractions import Fraction

from boundcheck import Bound, Convex, Differentiable, Follows, GradientDescent, Parameter
from boundcheck.language.letters import Delta, delta, eta, grad, i, k, normsq, x

gamma = Parameter("gamma")
POLYAK = (Convex, Differentiable, GradientDescent(), Follows(eta[i] == gamma * delta[i] / normsq(grad(x[i]))))

comes_closer = Bound(given=(*POLYAK, gamma <= 2), states=Delta[k + 1] <= Delta[k], try_with={"gamma": (1, Fraction(3, 2), 2)})
comes_closer_up_to_three = Bound(
    given=(*POLYAK, gamma <= 3), states=Delta[k + 1] <= Delta[k], try_with={"gamma": (1, 2, Fraction(5, 2), 3)}
)
