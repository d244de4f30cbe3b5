"""A problem, a step-size rule and a claim. boundcheck finds them by type, through the entry points of pyproject.toml."""

from fractions import Fraction

from boundcheck import Bound, Convex, Differentiable, Follows, GradientDescent, Minimiser, Paper, Problem, Rule
from boundcheck.letters import Delta, delta, eta, grad, i, k, normsq, x


def _f(xp, u):
    t = xp.coordinate(u, 0)
    return t * t / 2 + t * t * t * t / 4


def _grad(xp, u):
    t = xp.coordinate(u, 0)
    return xp.from_coordinates([t + t * t * t])


bowl = Problem(
    name="bowl",
    dimension=1,
    f=_f,
    grad=_grad,
    facts=frozenset({Convex(), Differentiable()}),
    start=[2],
    minimiser=Minimiser(point=[0]),
    rational=True,
)

third_polyak = Rule(
    name="third-polyak",
    step=lambda run: run.xp.scalar(Fraction(1, 3)) * run.gap / run.grad_normsq,
    follows=eta[i] == delta[i] / (3 * normsq(grad(x[i]))),
    needs=("infimum",),
)

PAPER = Paper(name="example", title="An example")

monotone = Bound(
    source=PAPER.at("lem:monotone"),
    title="a third of Polyak's step never moves away from a minimiser",
    given=(Convex, Differentiable, GradientDescent(), Follows(third_polyak.follows)),
    states=Delta[k + 1] <= Delta[k],
)
