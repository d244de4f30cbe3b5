"""Section 4.3, Normalized Gradient Descent. Its step is a length: x_{k+1} = x_k - eta_k grad f(x_k) / |grad f(x_k)|."""

from boundcheck.bound import Bound
from boundcheck.language.letters import D, Delta, Min, Sum, f, i, k, x, xstar
from boundcheck.language.letters import eta_length as eta
from boundcheck.problem import Convex, Differentiable
from boundcheck.theorems.directional_smoothness.notation import PAPER

ngd = Bound(
    source=PAPER.at("thm:ngd", "4.3"),
    title="normalized gradient descent with non-increasing steps",
    given=(Convex, Differentiable, eta[i + 1] <= eta[i]),
    states=Min(f(x[i]), i, 0, k - 1) - f(xstar)
    <= (Delta[0] + Sum(eta[i] ** 2, i, 0, k - 1)) / (2 * k**2) * (f(x[0]) / eta[0] ** 2 - f(xstar) / eta[k - 1] ** 2)
    + (Delta[0] + Sum(eta[i] ** 2, i, 0, k - 1)) / (2 * k) * Sum(D(x[i], x[i + 1]) / k, i, 0, k - 1),
    for_all=k >= 1,
    untested="needs normalized gradient descent, which the library does not run yet",
)
