"""Gradient descent with eta = 1/L: the exact worst case of f(x_k) - f*, the contraction under strong convexity, and misquotes.

Drori and Teboulle, Performance of first-order methods for smooth convex minimization, 2014.
"""

from boundcheck import Bound, Convex, Follows, GradientDescent, Smooth, StronglyConvex
from boundcheck.language.letters import Delta, L, delta, eta, i, k, mu_f

GD = (Smooth, GradientDescent(), Follows(eta[i] == 1 / L))

gd_rate = Bound(given=(Convex, *GD), states=delta[k] <= L * Delta[0] / (4 * k + 2))
gd_rate_4k_plus_4 = Bound(given=(Convex, *GD), states=delta[k] <= L * Delta[0] / (4 * k + 4), for_all=k >= 1)

contraction = Bound(given=(StronglyConvex, *GD), states=Delta[k] <= ((1 - mu_f / L) ** 2) ** k * Delta[0])

contraction_of_a_longer_step = Bound(
    title="the rate of eta = 2 / (L + mu), claimed for 1/L",
    given=(StronglyConvex, *GD),
    states=Delta[k] <= (((L - mu_f) / (L + mu_f)) ** 2) ** k * Delta[0],
)
