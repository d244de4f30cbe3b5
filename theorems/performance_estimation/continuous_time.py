"""Gradient flows: how fast potentials decrease at an instant t, at any place and with any velocity there."""

from fractions import Fraction

from boundcheck import Bound, Convex, Parameter, StronglyConvex
from boundcheck.letters import STEP, Point, f, grad, inner, mu_f, normsq, sqrt, xstar
from boundcheck.theorems.performance_estimation.notation import paper
from boundcheck.theorems.performance_estimation.sources import MOUCER_TAYLOR_BACH_2022, SU_BOYD_CANDES_2016

TIME = STEP ** Fraction(1, 2)  # of a flow with accelerations
p = Point("x")
g = grad(p)
q = Point("y")  # any other point: it says what the velocity is, where that is not -g
s, t = Parameter("t", STEP), Parameter("t", TIME)
gap, away = f(p) - f(xstar), p - xstar

gradient_flow_convex = Bound(
    source=SU_BOYD_CANDES_2016.at("gradient_flow_convex", "p. 7"),
    title="the gradient flow dx/dt = -grad f(x) does not increase t (f(x) - f*) + |x - x*|^2 / 2",
    given=(Convex, s >= 0),
    states=gap - s * normsq(g) - inner(away, g) <= 0,
    try_with={"t": (2.5, 0)},
)

SCIEUR_2017 = paper(
    "Integration methods and accelerated optimization algorithms",
    "Damien Scieur, Vincent Roulet, Francis Bach, Alexandre d'Aspremont",
    2017,
)
gradient_flow_strongly_convex = Bound(
    source=SCIEUR_2017.at("gradient_flow_strongly_convex", "Proposition 11"),
    title="the gradient flow decreases f(x) - f* at a rate of 2 mu",
    given=(StronglyConvex,),
    states=normsq(g) >= 2 * mu_f * gap,
)

u = 2 / t * (q - p)  # the velocity: q is p + t/2 u
a = -3 / t * u - g  # the acceleration
accelerated_flow_convex = Bound(
    source=SU_BOYD_CANDES_2016.at("accelerated_gradient_flow_convex", "2"),
    title="the flow d2x/dt2 + 3/t dx/dt + grad f(x) = 0 does not increase t^2 (f(x) - f*) + 2 |x - x* + t/2 dx/dt|^2",
    given=(Convex, t > 0),
    states=2 * t * gap + t**2 * inner(u, g) + 4 * inner(away + t / 2 * u, Fraction(3, 2) * u + t / 2 * a) <= 0,
    try_with={"t": (3.4, 1)},
)

r = sqrt(mu_f)
w = r * (q - p)  # the velocity: q is p + w / sqrt(mu)
b = -2 * r * w - g  # the acceleration
accelerated_flow_strongly_convex = Bound(
    source=paper(
        "A Lyapunov analysis of accelerated methods in optimization", "Ashia C. Wilson, Ben Recht, Michael I. Jordan", 2021
    ).at("accelerated_gradient_flow_strongly_convex", "Appendix B"),
    title="the flow d2x/dt2 + 2 sqrt(mu) dx/dt + grad f(x) = 0 decreases f(x) - f* + |sqrt(mu) (x - x*) + dx/dt|^2 / 2 at a "
    "rate of sqrt(mu)",
    given=(StronglyConvex,),
    states=-(inner(g, w) + inner(r * away + w, r * w + b)) >= r * (gap + normsq(r * away + w) / 2),
)
accelerated_flow_faster = Bound(
    source=MOUCER_TAYLOR_BACH_2022.at("accelerated_gradient_flow_strongly_convex-faster", "Corollary 2.5"),
    title="the same flow: a potential that need not be positive everywhere decreases at a rate of 4/3 sqrt(mu)",
    given=(StronglyConvex,),
    states=-(
        inner(g, w) + Fraction(8, 9) * mu_f * inner(away, w) + Fraction(4, 3) * r * (normsq(w) + inner(away, b)) + inner(b, w)
    )
    >= Fraction(4, 3) * r * (gap + Fraction(4, 9) * mu_f * normsq(away) + Fraction(4, 3) * r * inner(away, w) + normsq(w) / 2),
)
