"""Polyak's step is not fixed: the worst case over all steps lies between that of steps which are tried and a relaxation's.

With d_i = eta_i grad f(x_i) Polyak's rule says |d_i|^2 = gamma eta_i delta_i, and so, whatever eta_i is:
convexity at x* is |d_i|^2 <= gamma <d_i, x_i - x*>, the quadratic bound delta_{i+1} <= (1 - gamma) delta_i + M_i |d_i|^2 / 2.
These are affine in the Gram matrix of x_0 - x*, d_0, d_1, ... The mean's value is at most the mean of the values (Jensen).
"""

from __future__ import annotations

from typing import Any

from boundcheck.claims.bound import Bound
from boundcheck.language.canonical import canonical_step
from boundcheck.language.letters import delta, eta, grad, i, normsq, x
from boundcheck.language.relations import Relation, links
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import Parameter, Sub, Value
from boundcheck.language.tree import Index
from boundcheck.language.vectors import Mean, Minimum, Point
from boundcheck.tightness.numbers import Numbers
from boundcheck.tightness.program import pepit
from boundcheck.tightness.reading import NotModelled, Reading
from boundcheck.tightness.sequences import Values
from boundcheck.tightness.solving import agreed

RULE = Relation("==", eta[i], Parameter("gamma") * delta[i] / normsq(grad(x[i])))


def over_all_steps(bound: Bound, k: int, chords: Values, gamma: float) -> float:
    """A number that left / right does not exceed, whatever Polyak's steps are on a path with these M."""
    if [canonical_step(rule) for rule in bound.rules] != [canonical_step(RULE)]:
        raise NotModelled("the claim is not about Polyak's step")
    numbers = Numbers(steps=tuple(1 / M for M in chords), chords=chords, parameters={"gamma": gamma})
    return agreed(lambda times: _relaxation(bound, k, numbers.in_units_of(times * numbers.middle))).high


def _relaxation(bound: Bound, k: int, numbers: Numbers) -> Any:
    problem, gamma = pepit().PEP(), numbers.parameters["gamma"]
    origin = pepit("PEPit.point").Point(is_leaf=False, decomposition_dict={})
    reading = Reading(None, problem.set_initial_point(), origin, numbers)
    gaps = [pepit("PEPit.expression").Expression() for _ in range(k + 1)]
    for gap in gaps:
        problem.add_constraint(gap >= 0)
    for n, M in enumerate(numbers.chords):
        here, d = reading.entries["x", n], pepit("PEPit.point").Point()
        problem.add_constraint(d**2 <= gamma * (d * here))
        problem.add_constraint(gaps[n + 1] <= (1 - gamma) * gaps[n] + M / 2 * d**2)
        reading.entries["x", n + 1] = here - d
    relation, at = links(bound.states)[0], {bound.for_all.letter: k}
    problem.set_initial_condition(reading.value(relation.right, at) <= 1.0)
    problem.set_performance_metric(_mean_of(gaps, reading, relation.left, at))
    return problem


def _mean_of(gaps: list[Any], reading: Reading, left: Any, at: dict[str, int]) -> Any:
    """The mean of the gaps, with the weights of the mean that the claim's left side reads."""
    ((letter, k),) = at.items()
    found = put_index(left, letter, Index(None, k))
    if not (isinstance(found, Sub) and isinstance(found.left, Value) and isinstance(found.right, Value)):
        raise NotModelled(f"{left} is not the gap at a mean")
    mean = found.left.at
    if not isinstance(mean, Mean) or not isinstance(mean.of, Point) or not isinstance(found.right.at, Minimum):
        raise NotModelled(f"{left} is not the gap at a mean of iterates")
    places = [Index(None, n) for n in range(mean.low.offset, mean.high.offset + 1)]
    weights = [reading.value(put_index(mean.weight, mean.letter, place), {}) for place in places]
    total = 0.0
    for weight, place in zip(weights, places, strict=True):
        index = put_index(mean.of, mean.letter, place).index
        assert index is not None
        total = total + weight / sum(weights) * gaps[index.offset]
    return total
