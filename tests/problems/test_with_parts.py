"""Problems with parts keep their contract, every class of functions has two of them, and planted mistakes are found."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from boundcheck.check.casting import f_as_part, implied
from boundcheck.model import facts
from boundcheck.model.part import Part, Solved
from boundcheck.model.problem import Convex, Problem
from boundcheck.problems.proximal import one_norm
from boundcheck.problems.with_parts import WITH_PARTS
from boundcheck.testing import check_problem


@cache
def made(name: str) -> Problem:
    return WITH_PARTS[name]()


@pytest.mark.parametrize("name", WITH_PARTS)
def test_a_problem_with_parts_keeps_its_contract(name: str) -> None:
    assert made(name).name == name
    assert check_problem(made(name), raise_error=False) == []


KINDS = [kind for kind in facts.KINDS.values() if kind.__module__ == facts.__name__ and kind.__name__ != "ShortestDisplacement"]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_each_fact_has_two_problems(kind: type) -> None:
    having = set()
    for name in WITH_PARTS:
        problem = made(name)
        for part in (*problem.parts.values(), *problem.components, f_as_part(problem)):
            if any(isinstance(fact, kind) for fact in implied(frozenset(part.facts))):
                having.add(name)
    assert len(having) >= 2, having


def found(problem: Problem) -> str:
    return "; ".join(map(str, check_problem(problem, raise_error=False)))


def test_a_prox_with_the_wrong_threshold_is_found() -> None:
    lasso, wrong = made("lasso-2d"), one_norm(2, Fraction(1, 2))
    right = lasso.parts["h"]
    planted = replace(right, prox=wrong.prox)
    assert "each part keeps its facts" in found(lasso.replace(parts={**lasso.parts, "h": planted}))


def test_a_solution_whose_images_do_not_add_up_is_found() -> None:
    lasso = made("lasso-1d")
    assert "solutions solve" in found(lasso.replace(solutions=(Solved(point=[1], images={"f": [-1], "h": [Fraction(1, 2)]}),)))


def test_an_operator_that_is_not_monotone_is_found() -> None:
    part = Part(facts={facts.Monotone()}, image=lambda xp, x: -x)
    assert "monotone" in found(Problem(name="against", start=[1], parts={"A": part}, rational=True))


def test_a_lipschitz_constant_that_is_too_small_is_found() -> None:
    lasso = made("lasso-1d")
    part = replace(lasso.parts["h"], facts={Convex(), facts.Lipschitz(Fraction(1, 2))})
    assert "Lipschitz" in found(lasso.replace(parts={**lasso.parts, "h": part}))
