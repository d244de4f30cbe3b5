"""Bounds on the gradient norm of gradient descent: what convexity gives, and what is left without it."""

from boundcheck import Bound, Convex, Follows, GradientDescent, Smooth
from boundcheck.language.letters import Delta, L, Min, delta, eta, grad, i, k, normsq, x

GD = (Smooth, GradientDescent())
ONE_OVER_L = Follows(eta[i] == 1 / L)
never_grows = normsq(grad(x[k + 1])) <= normsq(grad(x[k]))

monotone = Bound(given=(Convex, *GD, eta[i] <= 2 / L), states=never_grows)
monotone_without_convexity = Bound(given=(*GD, ONE_OVER_L), states=never_grows)

last = Bound(given=(Convex, *GD, ONE_OVER_L), states=normsq(grad(x[k])) <= L**2 * Delta[0] / (k + 1) ** 2)
last_by_values = Bound(given=(Convex, *GD, ONE_OVER_L), states=normsq(grad(x[k])) <= 2 * L * delta[0] / (2 * k + 1))
best = Bound(given=(*GD, ONE_OVER_L), states=Min(normsq(grad(x[i])), i, 0, k) <= 2 * L * delta[0] / (k + 1))

last_by_values_too_fast = Bound(
    title="the 1/k^2 that holds with |x_0 - x*|, claimed with f(x_0) - f*",
    given=(Convex, *GD, ONE_OVER_L),
    states=normsq(grad(x[k])) <= 2 * L * delta[0] / (k + 1) ** 2,
    for_all=k >= 1,
)
