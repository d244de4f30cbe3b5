"""Polyak's step is not fixed: the worst case over all steps lies between that of steps which are tried and a relaxation's.

With d_i = eta_i grad f(x_i) Polyak's rule says |d_i|^2 = gamma eta_i delta_i, and so, whatever eta_i is:
convexity at x* is |d_i|^2 <= gamma <d_i, x_i - x*>, the quadratic bound delta_{i+1} <= (1 - gamma) delta_i + M_i |d_i|^2 / 2.
These are affine in the Gram matrix of x_0 - x*, d_0, d_1, ... The mean's value is at most the mean of the values (Jensen).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from boundcheck.claims.bound import Bound
from boundcheck.gram.affine import Affine, Combination, NotModelled, affine, inner, minus, normsq, value
from boundcheck.gram.builder import at_origin
from boundcheck.gram.formulas import ORIGIN, At, GramFormulas
from boundcheck.language.canonical import canonical_step
from boundcheck.language.interpreter import index_at, places
from boundcheck.language.letters import delta, eta, grad, i, x
from boundcheck.language.letters import normsq as squared_norm
from boundcheck.language.relations import Relation, links
from boundcheck.language.scalars import Chord, Parameter, Scalar, Sub, Value
from boundcheck.language.vectors import Mean, Minimum, Point
from boundcheck.tightness.numbers import Exact, Numbers, exact
from boundcheck.tightness.solving import Maximisation, agreed, in_units

ONE = Fraction(1)
RULE = Relation("==", eta[i], Parameter("gamma") * delta[i] / squared_norm(grad(x[i])))


def over_all_steps(bound: Bound, k: int, chords: Sequence[Exact], gamma: Exact) -> float:
    """Return a number that left / right does not exceed, whatever Polyak's steps are on a path with these M."""
    if [canonical_step(rule) for rule in bound.rules] != [canonical_step(RULE)]:
        raise NotModelled("the claim is not about Polyak's step")
    M = tuple(map(exact, chords))
    middle = Numbers(steps=tuple(1 / m for m in M)).middle
    objective, right, below = _relaxation(bound, k, M, exact(gamma))
    vectors = [False] * (k + 1)  # x_0 - x*, and the displacements d_i

    def made(times: float) -> Maximisation:
        unit = times * middle
        scale = in_units(vectors, unit)
        rows = tuple(map(scale, (*below, right.plus(Affine(-unit)))))
        return Maximisation(objectives=((scale(objective, unit), ()),), below=rows, equal=(), basis=k + 1)

    return agreed(made).high


class _Path(GramFormulas):
    """Reads the right side: M from x_n to x_{n+1} is a number."""

    def read_chord(self, node: Chord, at: At) -> Affine:
        if not isinstance(node.start, Point) or node.start.index is None:
            raise NotModelled(f"{node} is no chord of the path")
        return Affine(self.chords[index_at(node.start.index, at)])


def _relaxation(bound: Bound, k: int, M: tuple[Fraction, ...], gamma: Fraction) -> tuple[Affine, Affine, list[Affine]]:
    """Return the left side, the right side, and what is at most 0. Value n is the gap at x_n; d_n is vector n + 1."""
    start, below = {0: ONE}, [value(n).scaled(-ONE) for n in range(k + 1)]
    here: Combination = start
    for n, m in enumerate(M):
        d = {n + 1: ONE}
        below.append(normsq(d).plus(inner(d, here), -gamma))
        below.append(value(n + 1).plus(value(n), gamma - 1).plus(normsq(d), -m / 2))
        here = minus(here, d)
    relation, at = links(bound.states)[0], {bound.for_all.letter: k}
    reader = _Path(M="any", constants={}, parameters={"gamma": gamma}, chords=M, reads_least=True, is_convex=True, with_A=False)
    reader.entries["", "x"] = {0: {ORIGIN: ONE, **start}}
    return _mean_of_gaps(reader, relation.left, at), at_origin(affine(reader.scalar(relation.right, at))), below


def _mean_of_gaps(reader: GramFormulas, left: Scalar, at: dict[str, int]) -> Affine:
    """Return the mean of the gaps, with the weights of the mean that the claim's left side reads."""
    if not (isinstance(left, Sub) and isinstance(left.left, Value) and isinstance(left.right, Value)):
        raise NotModelled(f"{left} is not the gap at a mean")
    mean = left.left.at
    if not isinstance(mean, Mean) or not isinstance(mean.of, Point) or not isinstance(left.right.at, Minimum):
        raise NotModelled(f"{left} is not the gap at a mean of iterates")
    index = mean.of.index
    assert index is not None
    here = places(mean, at)
    weights = [reader.number(mean.weight, place) for place in here]
    total = Affine(Fraction(0))
    for weight, place in zip(weights, here, strict=True):
        total = total.plus(value(index_at(index, place)), weight / sum(weights))
    return total
