"""A problem of your own: x^2 + |x|^3, with its facts and its minimiser. The gradient follows from f."""

from boundcheck import Convex, Differentiable, Minimiser, Problem


def f(xp, x):  # type: ignore[no-untyped-def]
    u = xp.coordinate(x, 0)
    return u * u + xp.abs(u) * u * u


cubic = Problem(
    name="x^2 + |x|^3",
    f=f,
    facts=frozenset({Convex(), Differentiable()}),
    start=[2],
    minimiser=Minimiser(point=[0]),
    rational=True,
)
