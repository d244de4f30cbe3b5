"""A second implementation of the programs: our own affine layer and Clarabel, without PEPit and without cvxpy."""

from fractions import Fraction

from boundcheck.gram.affine import Affine, combine, inner, interpolation, minus, normsq, value
from boundcheck.gram.solver import Solution, maximise

ONE = Fraction(1)


def adapted_worst(M: tuple[Fraction, ...], *, average: bool) -> float:
    """f at the mean of x_1, ..., x_k with weights 1/M_i, or at x_k, at worst where |x_0 - x*| = 1: any M with these values."""
    steps = [1 / m for m in M]
    basis = 1 + len(M) + 2  # x_0, the gradients of the path, and that of the mean
    points, gradients = [{}, {0: ONE}], [{}]
    for n, step in enumerate(steps):
        gradients.append({n + 1: ONE})
        points.append(combine([(ONE, points[-1]), (-step, gradients[-1])]))
    gradients.append({len(M) + 1: ONE})
    if average:
        points.append(combine([(step / sum(steps), x) for step, x in zip(steps, points[2:], strict=True)]))
        gradients.append({len(M) + 2: ONE})
    below = interpolation(tuple(points), tuple(gradients), None, Fraction(0))
    for n, m in enumerate(M, start=1):
        d = minus(points[n + 1], points[n])
        rise = value(n + 1).plus(value(n), -ONE).plus(inner(gradients[n], d), -ONE)
        below.append(rise.plus(normsq(d), -m / 2))
    below.append(normsq(points[1]).plus(Affine(-ONE)))
    found = maximise(value(len(points) - 1), below, [value(0)], basis)
    assert isinstance(found, Solution)
    return found.value
