"""Roots in balls: secants that a poor first slope does not stop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.runners.roots.solve import KNOWN, _refined


@dataclass
class Cubic:
    """eta^3 - 1: its root is 1 and its slope there is 3."""

    xp: Any
    looks: int = 0

    def value(self, eta: Any) -> Any:
        self.looks += 1
        return eta * eta * eta - 1


@pytest.mark.parametrize("slope", [3.0, 9.0, 1.3])
def test_a_first_slope_that_is_far_off_costs_looks_and_no_digits(slope: float) -> None:
    xp = arithmetic("ball:320").plain
    equation = Cubic(xp)
    with arithmetic("ball:320").working():
        found = _refined(equation, 1 + 2.0**-20, slope, 2.0**-12)
        assert found is not None and abs(float(found - 1)) < 2.0**-280
    assert equation.looks < 14


def test_what_does_not_fall_is_given_up() -> None:
    xp = arithmetic("ball:320").plain

    class Flat(Cubic):
        def value(self, eta: Any) -> Any:
            self.looks += 1
            return xp.lift(KNOWN * 2) + (eta - 1) * xp.lift(2.0**-40)

    equation = Flat(xp)
    with arithmetic("ball:320").working():
        assert _refined(equation, 1.0, 3.0, 2.0**-12) is None
    assert equation.looks < 6
