"""A problem of your own: x^2 + |x|^3, with its facts and its minimiser."""

from boundcheck import Convex, Differentiable, Minimiser, Problem


def f(xp, x):  # type: ignore[no-untyped-def]
    u = xp.coordinate(x, 0)
    return u * u + xp.abs(u) * u * u


def grad(xp, x):  # type: ignore[no-untyped-def]
    u = xp.coordinate(x, 0)
    return xp.from_coordinates([2 * u + 3 * xp.abs(u) * u])


cubic = Problem(
    name="x^2 + |x|^3",
    dimension=1,
    f=f,
    grad=grad,
    facts=frozenset({Convex(), Differentiable()}),
    start=[2],
    minimiser=Minimiser(point=[0]),
    rational=True,
)
