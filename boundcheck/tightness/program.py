"""A claim's worst case over its class at fixed numbers: its left side, at most, where its right side is 1. By PEPit."""

from __future__ import annotations

from math import nan
from typing import Any

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, Declared, Once
from boundcheck.language.relations import Relation, links
from boundcheck.language.scalars import NONE, Div, Parameter
from boundcheck.support.optional_imports import extra
from boundcheck.tightness.numbers import ANY, Numbers
from boundcheck.tightness.reading import NotModelled, Reading
from boundcheck.tightness.solving import Ratio, Unsettled, agreed
from boundcheck.tightness.stacked import WHAT

ROUNDING = 1e-9  # by which steps may miss the formula that they follow
CLASSES = {"Convex", "Differentiable", "Smooth", "StronglyConvex"}


def pepit(module: str = "PEPit") -> Any:
    return extra(module, **WHAT)


def worst_ratio(bound: Bound, k: int, numbers: Numbers) -> Ratio:
    """left / right, at worst. NotModelled: it is no such program. Unsettled: no answer."""
    return worst(bound, k, numbers)[1]


def worst(bound: Bound, k: int, numbers: Numbers) -> tuple[float, Ratio]:
    """The right side of size 1, and left / right at worst."""
    right = nan

    def in_units_of(times: float) -> Any:
        nonlocal right
        problem, right = program(bound, k, numbers, times)
        return problem

    try:
        ratio = agreed(in_units_of)
        return right, ratio
    except Unsettled as wrong:
        wrong.right = right
        raise


def program(bound: Bound, k: int, numbers: Numbers, times: float = 1.0) -> tuple[Any, float]:
    """PEPit's problem, and the right side of size 1: where f(x_0) - f* is 1 or, if it does not read that, |x_0 - x*|^2 is.

    The problem is that of f in units of `times` the steps' middle curvature: the ratio is the same, but not the solver's error.
    """
    unit = times * numbers.middle
    numbers = numbers.in_units_of(unit)
    relation = links(bound.states)[0].upward()
    if len(links(bound.states)) > 1 or relation.op != "<=":
        raise NotModelled("the claim is not one inequality <=")
    if any(isinstance(n, Parameter) and n.dimension != NONE for tree in bound.trees for n in tree.walk()):
        raise NotModelled("the claim has a parameter with a dimension")
    problem = pepit().PEP()
    reading = _reading(problem, bound, numbers)
    reading.run(bound.runs.main)
    at = {bound.for_all.letter: k}
    left, right = reading.value(relation.left, at), reading.value(relation.right, at)
    for hypothesis in bound.hypotheses:
        if isinstance(hypothesis, AtEachStep | Once):
            places = (
                [at] if isinstance(hypothesis, Once) else [{_letter(hypothesis.relation): n} for n in range(len(numbers.steps))]
            )
            for place in places:
                _demand(problem, reading, hypothesis.relation, place)
    for n, (start, end) in reading.chords.items():
        _on_the_path(problem, reading, start, end, numbers.chords[n])
    problem.set_initial_condition(right <= 1.0)
    problem.set_performance_metric(left)
    return problem, _of_size_1(right, reading, unit)


def _of_size_1(right: Any, reading: Reading, unit: float) -> float:
    start, terms = reading.entries["x", 0], right.decomposition_dict
    gap = next(iter(reading.f.value(start).decomposition_dict))
    if gap in terms:
        return float(terms[gap])
    if (start, start) in terms:
        return float(terms[start, start]) * unit
    raise NotModelled("the right side reads neither f(x_0) nor |x_0 - x*|")


def _reading(problem: Any, bound: Bound, numbers: Numbers) -> Reading:
    """PEPit's function of the claim's class, with its minimiser at the origin and its least value 0."""
    facts = {h.kind.__name__ for h in bound.hypotheses if isinstance(h, Declared)}
    if other := sorted(facts - CLASSES):
        raise NotModelled(f"{other[0]} is not a class with interpolation conditions here")
    if "Convex" not in facts and "StronglyConvex" not in facts:
        raise NotModelled("the claim is not about convex functions")
    if "StronglyConvex" in facts and not numbers.mu:
        raise NotModelled("the claim is about strongly convex functions; mu is 0")
    functions, L, mu = pepit("PEPit.functions"), numbers.L, numbers.mu
    if "Smooth" in facts:
        if L is None:
            raise NotModelled("the claim is about L-smooth functions; L is not given")
        f = problem.declare_function(functions.SmoothStronglyConvexFunction, mu=mu, L=L, reuse_gradient=True)
    elif mu:
        f = problem.declare_function(functions.StronglyConvexFunction, mu=mu, reuse_gradient=True)
    else:
        f = problem.declare_function(functions.ConvexFunction, reuse_gradient=True)
    origin = pepit("PEPit.point").Point(is_leaf=False, decomposition_dict={})
    f.add_point((origin, origin, pepit("PEPit.expression").Expression(is_leaf=False, decomposition_dict={})))
    return Reading(f, problem.set_initial_point(), origin, numbers)


def _letter(relation: Relation) -> str:
    return next(iter(relation.free), "i")


def _demand(problem: Any, reading: Reading, relation: Relation, at: dict[str, int]) -> None:
    """A hypothesis: checked where it is about numbers, a constraint where it is about the run. eta = a/b is eta b = a."""
    try:
        left = reading.value(relation.left, at)
        whole = relation.right
        over = reading.value(whole.right, at) if isinstance(whole, Div) else 1.0
        if isinstance(whole, Div) and not isinstance(over, float):
            left, right = left * over, reading.value(whole.left, at)
        else:
            right = reading.value(whole, at)
    except IndexError:
        raise NotModelled(f"{relation} reads more of the run than there is") from None
    if isinstance(left, float) and isinstance(right, float):
        slack = ROUNDING * max(abs(left), abs(right))
        good = {"<=": left <= right + slack, ">=": left >= right - slack, "==": abs(left - right) <= slack}
        if not good.get(relation.op, left < right if relation.op == "<" else left > right):
            raise NotModelled(f"these numbers break the hypothesis {relation}")
    else:
        left, right = (right, left) if relation.op in (">=", ">") else (left, right)
        problem.add_constraint(left == right if relation.op == "==" else left <= right)


def _on_the_path(problem: Any, reading: Reading, start: Any, end: Any, M: float) -> None:
    """What M means for the chord: at most (any M), or equal to (H), the quadratic; or the change of the gradient (D)."""
    f, d = reading.f, end - start
    g = f.gradient(start)
    if reading.numbers.path == "D":
        problem.add_constraint(4 / M * (f.gradient(end) - g) ** 2 == M * d**2)  # in units of f, as the others are
        return
    rise, most = f.value(end) - f.value(start) - g * d, M / 2 * d**2
    problem.add_constraint(rise <= most if reading.numbers.path == ANY else rise == most)
