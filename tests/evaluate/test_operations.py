"""Every operation of both machines encloses the exact result: at zero, near underflow and overflow, where nothing is known."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic import compiled
from boundcheck.evaluate.columns import as_column
from boundcheck.evaluate.plan import Asking, Plan, Room, Wanted
from boundcheck.language.letters import eta, k, larger, smaller
from boundcheck.language.scalars import Scalar, Term
from boundcheck.language.tree import Index

MIDS = (0.0, 1.0, -1.0, 0.1, -7.5, 1e-170, -3e-200, 2e-308, 5e-324, 1e160, -1e300, 1e308)
RADII = (0.0, 1e-16, 1e-3, 2.0)  # relative to the middle
NUMBERS = [(m, abs(m) * r) for m, r in product(MIDS, RADII)] + [(0.0, 1e-200), (0.0, 1.0), (3.0, math.inf)]
PAIRS = list(product(NUMBERS, NUMBERS))[::2]  # 51 is odd: each with half of the others, on either side
THREE = Fraction(1, 3)
A, B = eta[k], Term("b", Index("k"))


def quotient(x: Fraction, y: Fraction) -> Fraction | None:
    return x / y if y else None


FORMULAS: dict[str, tuple[Scalar, Callable[[Fraction, Fraction], Fraction | None]]] = {
    "sum": (A + B, lambda x, y: x + y),
    "difference": (A - B, lambda x, y: x - y),
    "product": (A * B, lambda x, y: x * y),
    "quotient": (A / B, quotient),
    "with a number": ((A + THREE) * THREE - B, lambda x, y: (x + THREE) * THREE - y),
    "number less": ((THREE - A) + B, lambda x, y: THREE - x + y),
    "by a number": (A / THREE - B, lambda x, y: x / THREE - y),
    "number by": (THREE / B - A, lambda x, y: THREE / y - x if y else None),
    "absolute": (abs(-A) + B, lambda x, y: abs(x) + y),
    "smaller": (smaller(A, B), min),
    "larger": (larger(A, B), max),
}


@pytest.fixture(params=["numba", "NumPy"])
def machine(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.param == "numba":
        pytest.importorskip("numba")
    with nullcontext() if request.param == "numba" else compiled.uncompiled():
        yield


def ends(number: tuple[float, float]) -> list[Fraction]:
    mid, rad = Fraction(number[0]), Fraction(number[1])
    return [mid - rad, mid, mid + rad]


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("whole", [True, False], ids=["all pairs in one block", "a block of positive numbers"])
def test_an_operation_encloses_the_exact_result(name: str, whole: bool, machine: None) -> None:
    """A claim that both sides of the result are violated would show: below and above are asked of values that it may have."""
    formula, exactly = FORMULAS[name]
    pairs = PAIRS if whole else [(a, b) for a, b in PAIRS if a[0] > 0 and b[0] > 0 and a[1] < math.inf and b[1] < math.inf]
    cases = []
    for a, b in pairs:
        if math.isinf(a[1]) or math.isinf(b[1]):
            cases.append((a, b, Fraction(0), False))
            continue
        undefined = any(exactly(x, y) is None for x in ends(a) for y in ends(b)) or (
            name in ("quotient", "number by") and min(ends(b)) <= 0 <= max(ends(b))
        )
        for x, y in product(ends(a), ends(b)):
            value = exactly(x, y)
            if value is not None and abs(value) < Fraction(10) ** 307:
                cases.append((a, b, value, not undefined))
    found = asked(formula, cases)
    wrong = [case for case, outcome in zip(cases, found, strict=True) if outcome != 2 and not (outcome == 0 and case[3])]
    assert not wrong, wrong[:3]
    assert len(cases) > 1000


def asked(formula: Scalar, cases: list[tuple[Any, Any, Fraction, bool]]) -> list[int]:
    """Whether the formula equals each value, which is read as the float64 next to it and the distance."""
    mids = [float(value) for _, _, value, _ in cases]
    gaps = [abs(Fraction(m) - value) for m, (_, _, value, _) in zip(mids, cases, strict=True)]
    rads = [0.0 if gap == 0 else math.nextafter(float(gap), math.inf) for gap in gaps]
    truth = Term("truth", Index("k"))
    columns = {
        as_column(A)[0]: _rows([a for a, _, _, _ in cases]),
        as_column(B)[0]: _rows([b for _, b, _, _ in cases]),
        as_column(truth)[0]: (np.array(mids), np.array(rads)),
    }
    plan = Plan([Wanted(formula == truth, "k", 0, False, ())], frozenset())
    room = Room(plan, len(cases))
    room.answers.ranges[0] = (0, len(cases))
    third = (float(THREE), 2.0**-54)
    asking = Asking(room, lambda kind, what: third if what == THREE else (float(what), 0.0), columns.__getitem__)
    asking.ask(np.array([True]))
    outcomes: list[int] = room.answers.outcomes[0].tolist()
    return outcomes


def _rows(numbers: list[tuple[float, float]]) -> tuple[Any, Any]:
    return np.array([mid for mid, _ in numbers]), np.array([rad for _, rad in numbers])


def test_what_is_not_a_number_hides_no_underflow_of_the_others(machine: None) -> None:
    """1e-200 squared is positive, and 0 in float64: neither may be said of it, whatever stands further on in the column."""
    column = (np.array([1e-200, 1e-200, math.nan]), np.array([0.0, 0.0, math.inf]))
    plan = Plan([Wanted(r, "k", 0, False, ()) for r in (A * B > 0, A * B <= 0)], frozenset())
    room = Room(plan, 3)
    room.answers.ranges[:] = (0, 3)
    Asking(room, lambda kind, what: (float(what), 0.0), lambda _: column).ask(np.array([True, True]))
    assert (room.answers.outcomes == 2).all()


def test_more_answers_than_there_is_room_for_are_refused(machine: None) -> None:
    column = (np.ones(9), np.zeros(9))
    plan = Plan([Wanted(A <= B, "k", 0, False, ())], frozenset())
    room = Room(plan, 4)
    room.answers.ranges[0] = (0, 9)
    with pytest.raises(IndexError, match="room for 4"):
        Asking(room, lambda kind, what: (float(what), 0.0), lambda _: column).ask(np.array([True]))
