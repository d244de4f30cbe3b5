"""Section 3.1 and Appendix B.1, Path-Dependent Acceleration: the closed form of the largest alpha_0."""

from boundcheck.bound import Bound
from boundcheck.language.letters import eta, mu_f, sqrt
from boundcheck.language.scalars import NONE, STEP, Parameter
from boundcheck.theorems.directional_smoothness.notation import PAPER

c = Parameter("c", NONE)
eta_min = Parameter("eta_min", STEP, r"\eta_{\min}")

largest_alpha_0 = Bound(
    source=PAPER.at("thm:adapted-acceleration.c", "B.1"),
    title="the largest alpha_0, by the quadratic formula",
    states=c == -3 * eta[0] / (2 * eta_min) + eta[0] / 2 * sqrt(9 / eta_min**2 + 4 * (3 * eta_min + mu_f) / eta[0]),
    try_with={"c": (1,), "eta_min": (1,)},
    untested="needs Nesterov's method, which the library does not run yet",
)
