"""A plan encloses what the plain definition gives, and says at every k what the series say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic import arithmetic, compiled
from boundcheck.evaluate import plan as plans
from boundcheck.evaluate.columns import Column, as_column
from boundcheck.evaluate.plan import Answers, Asking, Plan, Room, Wanted
from boundcheck.evaluate.program import BLOCK
from boundcheck.language.letters import Sum, eta, i, k
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Log, Parameter, Reduce, Scalar, Term
from boundcheck.language.tree import Index

from .tables import Table, by_definition
from .test_one_pass import LAST, LIBRARY, SHAPES

FLOAT64 = arithmetic("float64")
OFF = Fraction(1, 10**6)


class Truths(Table):
    """A table that also has, for each formula, the column of its values by the definition, and of slightly wrong ones."""

    def told(self, name: str, letter: str, values: list[Fraction], first: int) -> Term:
        term = Term(name, Index(letter))
        column, _ = as_column(term)
        self.values[column] = [[Fraction(0)] * first + values + [Fraction(0)] * (self.length - first - len(values))]
        return term

    def row(self, column: Column) -> Any:
        made = FLOAT64.scalars(np.array(self.rows(column)[0], dtype=object))
        return made.mid, made.rad

    def given(self, kind: str, what: Any) -> tuple[float, float]:
        if kind == "entry":
            mids, radii = self.row(what[0])
            return float(mids[what[1]]), float(radii[what[1]])
        made = FLOAT64.scalar(what if kind == "number" else self.letters.setdefault(what, Fraction(len(self.letters), 3)))
        return float(made.mid), float(made.rad)


@pytest.fixture(params=["numba", "NumPy, blocks of 4", "NumPy, one block"])
def machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if request.param == "numba":
        pytest.importorskip("numba")
    elif request.param.endswith("4"):
        monkeypatch.setattr(plans, "NUMPY_BLOCK", 4)
    with nullcontext() if request.param == "numba" else compiled.uncompiled():
        yield


Formulas = tuple[tuple[Scalar, str, int], ...]  # each with its letter, and the first value of it


@cache
def told(formulas: Formulas, last: int) -> tuple[Truths, list[Wanted], list[list[Fraction]]]:
    """Of each formula: does it equal its values by the definition, and does it equal slightly wrong ones?"""
    table, wanted, exact = Truths(seed=1, length=last + 12), [], []
    for number, (formula, letter, first) in enumerate(formulas):
        (values,) = by_definition(formula, table, range(first, last), letter)
        exact.append(values)
        for name, each in (("right", values), ("wrong", [v * (1 + OFF) for v in values])):
            term = table.told(f"{name} {number}", letter, each, first)
            wanted.append(Wanted(Relation("==", formula, term), letter, first, False, ()))
    return table, wanted, exact


def answered(table: Truths, wanted: list[Wanted], last: int) -> tuple[Plan, Answers]:
    plan = Plan(wanted, frozenset())
    return plan, asked_of(plan, table, wanted, last).answers


def asked_of(plan: Plan, table: Truths, wanted: list[Wanted], last: int = LAST) -> Room:
    room = Room(plan, last)
    for w, place in zip(wanted, plan.which.tolist(), strict=True):
        if place >= 0:
            room.answers.ranges[place] = (w.floor, last)
    Asking(room, table.given, table.row).ask(np.ones(plan.relations, dtype=bool))
    return room


def large(values: list[Fraction]) -> Any:
    return np.array([abs(v) > Fraction(1, 1000) for v in values], dtype=bool)


def test_every_formula_of_the_library_is_enclosed_and_told_from_others(machine: None) -> None:
    formulas = tuple({side.key: (side, letter, first) for _, side, letter, first in LIBRARY}.values())
    table, wanted, exact = told(formulas, LAST)
    plan, answers = answered(table, wanted, LAST)
    planned = 0
    for number, (formula, _, first) in enumerate(formulas):
        right, wrong = plan.which[2 * number : 2 * number + 2].tolist()
        if right >= 0:
            planned += 1
            assert (answers.outcomes[right, first:LAST] != 1).all(), formula
            assert (answers.outcomes[wrong, first:LAST][large(exact[number])] == 1).all(), formula
    assert planned > 0.95 * len(formulas) > 50


UNPLANNED = {"equal factors", "to a fixed end", "an empty range to a fixed end"}  # left to the series


@pytest.mark.parametrize("name", SHAPES)
def test_a_formula_is_enclosed_across_blocks(name: str, machine: None) -> None:
    formula, first = SHAPES[name]
    table, wanted, exact = told(((formula, "k", first),), 24)
    plan, answers = answered(table, wanted, 24)
    assert (plan.which[0] < 0) == (name in UNPLANNED)
    if name not in UNPLANNED:
        right, wrong = answers.outcomes[plan.which, first:24]
        assert (right != 1).all()
        if not any(isinstance(n, Reduce) and n.where is not None for n in formula.walk()):  # a tie in a condition takes the hull
            assert (wrong[large(exact[0])] == 1).all()


@pytest.mark.parametrize("with_numba", [True, False])
def test_sums_go_on_from_block_to_block(with_numba: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """1 + ... + k is k (k + 1) / 2, read ahead and behind, over several blocks."""
    if with_numba:
        pytest.importorskip("numba")
    monkeypatch.setattr(plans, "NUMPY_BLOCK", BLOCK)
    ahead, behind = Sum(i.number(), i, 0, k + 1), Sum(i.number(), i, 0, k - 2)
    truth = 3 * k.number()  # (k + 1) + k + (k - 1)
    wanted = [
        Wanted(r, "k", 2, False, ()) for r in (ahead - behind == truth, ahead - behind <= truth - 1, ahead - behind > truth - 1)
    ]
    with nullcontext() if with_numba else compiled.uncompiled():
        plan, answers = answered(Truths(), wanted, 3 * BLOCK + 7)
    equal, less, more = answers.outcomes[plan.which, 2:]
    assert (equal == 2).all() and (less == 1).all() and (more == 0).all()
    assert answers.counts[plan.which[1]].tolist() == [[3 * BLOCK + 5, 2], [0, 0]]
    assert answers.sides[plan.which[1], 0, [0, 2]].tolist() == [6.0, 5.0]


def test_what_has_no_operation_is_not_planned() -> None:
    plan = Plan([Wanted(Log(eta[k]) <= 1, "k", 0, False, ()), Wanted(eta[k] <= 1, "k", 0, False, ())], frozenset())
    assert plan.which.tolist() == [-1, 0]


def test_what_formulas_share_is_one_node() -> None:
    """A sum of two products, asked twice with letters of its own, has the operations of one."""
    one = Plan([Wanted(eta[k] * eta[k] + 2 * eta[k] <= 1, "k", 0, False, ())], frozenset()).compiled
    both = [Wanted(eta[n] * eta[n] + 2 * eta[n] <= c, n.letter, 0, False, ()) for n, c in ((k, 1), (i, 2))]
    two = Plan(both, frozenset()).compiled
    assert len(two.code) == len(one.code) + 1  # the other comparison


def test_what_others_left_in_the_memory_changes_no_answer(machine: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plans share one memory. What stands there when a run begins is never read, be it numbers of another plan or none."""
    formulas = tuple({side.key: (side, letter, first) for _, side, letter, first in LIBRARY}.values())[:40]
    table, wanted, _ = told(formulas, LAST)
    monkeypatch.setattr(plans, "_KEPT", [])
    seen = []
    for fill in (0.0, np.nan, 1e300, None):
        memory = plans.Memory(8_000_000) if fill is not None else plans._KEPT.pop()  # at last, as the others left it
        if fill is not None:
            memory.buffer[:] = fill
        plans._KEPT[:] = [memory]
        room = asked_of(Plan(wanted, frozenset()), table, wanted)
        assert room.memory is memory
        seen.append((room.answers.outcomes.copy(), room.answers.counts.copy(), room.answers.sides.copy()))
        room.leave()
    for other in seen[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(seen[0], other, strict=True))


def test_a_machine_that_is_bound_to_a_memory_serves_another_run(machine: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same plan for a run with other numbers: instructions stay, constants and columns do not."""
    monkeypatch.setattr(plans, "_KEPT", [])
    letter = Parameter("c")
    wanted = [Wanted(eta[k] * letter <= 6, "k", 0, False, ()), Wanted(letter / 2 < 1, "k", 0, False, ())]
    plan = Plan(wanted, frozenset())
    found = []
    for c, steps in ((1.0, [5.0, 7.0]), (3.0, [1.0, 4.0]), (1.0, [7.0, 7.0])):
        room = Room(plan, 2)
        room.answers.ranges[:] = (0, 2)
        column = (np.array(steps), np.zeros(2))

        def given(kind: str, what: Any, c: float = c) -> tuple[float, float]:
            return (c if kind == "letter" else float(what), 0.0)

        Asking(room, given, {as_column(eta[k])[0]: column}.__getitem__).ask(np.ones(plan.relations, dtype=bool))
        found.append(room.answers.outcomes[plan.which].tolist())
        room.leave()
    assert found == [[[0, 1], [0, 0]], [[0, 1], [1, 1]], [[1, 1], [0, 0]]]


def test_a_plan_without_constants_serves_run_after_run(machine: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "_KEPT", [])
    plan, found = Plan([Wanted(eta[k + 1] <= eta[k], "k", 0, False, ())], frozenset()), []
    for steps in ([3.0, 2.0, 1.0], [3.0, 2.0, 4.0]):
        room = Room(plan, 2)
        assert not room.program.numbers
        room.answers.ranges[:] = (0, 2)
        column = (np.array(steps), np.zeros(3))
        Asking(room, lambda kind, what: (0.0, 0.0), {as_column(eta[k])[0]: column}.__getitem__).ask(np.ones(1, dtype=bool))
        found.append(room.answers.outcomes.tolist())
        room.leave()
    assert found == [[[0, 0]], [[0, 1]]]
