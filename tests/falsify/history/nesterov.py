"""Nesterov's method for convex functions: its rate, that rate with a wrong momentum, and a descent that it does not have.

Beck and Teboulle, A fast iterative shrinkage-thresholding algorithm, 2009, with t_k = (k + 1) / 2.
"""

from boundcheck import Bound, Convex, Follows, Smooth
from boundcheck.claims.hypotheses import By
from boundcheck.language.letters import Delta, L, delta, eta, f, grad, i, k, x, y
from boundcheck.model.method import Method, Update


def nesterov(momentum):
    """y_k = x_k + momentum (x_k - x_{k-1}), and x_{k+1} is a gradient step from y_k."""
    return Method(
        name=f"Nesterov's method with momentum {momentum}",
        kind="accelerated",
        first=(Update(y[0], x[0]),),
        each=(Update(y[k], x[k] + momentum * (x[k] - x[k - 1])), Update(x[k + 1], y[k] - eta[k] * grad(y[k]))),
    )


def with_momentum(momentum):
    return (Convex, Smooth, By(nesterov(momentum)), Follows(eta[i] == 1 / L))


RIGHT = with_momentum((k - 1) / (k + 2))

nesterov_rate = Bound(given=RIGHT, states=delta[k] <= 2 * L * Delta[0] / (k + 1) ** 2, for_all=k >= 1)

too_much_momentum = Bound(given=with_momentum(k / (k + 1)), states=nesterov_rate.states, for_all=k >= 1)
undamped = Bound(given=with_momentum(1), states=nesterov_rate.states, for_all=k >= 1)
backwards = Bound(given=with_momentum((1 - k) / (k + 2)), states=nesterov_rate.states, for_all=k >= 1)

nesterov_descends = Bound(given=RIGHT, states=f(x[k + 1]) <= f(x[k]))
