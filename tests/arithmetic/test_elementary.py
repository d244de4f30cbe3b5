"""exp and expm1 from IEEE operations: within their bounds of mpmath's at every size; a wrong digit anywhere is noticed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic import elementary
from boundcheck.arithmetic.elementary import EXP_ERROR, EXPM1_ERROR, FLOOR, exp, expm1, power_of_two
from tests.arithmetic.truth import MP, fraction

SAMPLES = 3000
NOTHING, UNDERFLOW = Fraction(0), Fraction(1, 2**1075)
PROVED, PROVED_M1 = 3.2, 12.0  # in units of the roundoff: what the proof gives, less than the constants


def places(seed: int) -> Any:
    """Of every size and sign; near multiples of ln 2 and halfway between; where the result is about to overflow or underflow."""
    rng = np.random.default_rng(seed)
    sizes = rng.choice([-1.0, 1.0], SAMPLES) * 2.0 ** rng.uniform(-1074, 9.5, SAMPLES)
    spread = rng.uniform(-746, 709.78, SAMPLES)
    halves = rng.integers(-2150, 2046, SAMPLES) * (np.log(2) / 2)
    near = halves * (1 + rng.integers(-4, 5, SAMPLES) * 2.0**-52)
    edges = np.r_[rng.uniform(709.7, 709.78, 200), rng.uniform(-746, -690, 400), rng.uniform(-1, 1, 2000)]
    return np.r_[0.0, 5e-324, -5e-324, 2.0**-54, -(2.0**-54), sizes, spread, near, edges]


def worst(function: Callable[[Any], Any], truth: Callable[[Any], Any], x: Any, floor: Fraction = NOTHING) -> float:
    """The largest relative error beyond the absolute one, in units of the roundoff."""
    most = NOTHING
    for place, found in zip(x.tolist(), function(x).tolist(), strict=True):
        true = fraction(truth(MP.mpf(place)))
        off = max(abs(fraction(found) - true) - floor, NOTHING)
        most = max(most, off / abs(true) if true else Fraction(int(off != 0)))
    return float(most * 2**53)


@pytest.mark.parametrize("seed", range(2))
def test_no_value_is_outside_the_bounds(seed: int) -> None:
    x = places(seed)
    assert worst(exp, MP.exp, x, UNDERFLOW) <= PROVED
    assert worst(expm1, MP.expm1, x) <= PROVED_M1
    assert PROVED * 2.0**-53 < EXP_ERROR and PROVED_M1 * 2.0**-53 < EXPM1_ERROR and UNDERFLOW < FLOOR


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("LOW", elementary.LOW * (1 + 2.0**-20)),
        ("HIGH", float(np.log(2))),  # k HIGH is rounded, and LOW is counted twice
        ("COEFFICIENTS", elementary.COEFFICIENTS[2:]),
        ("COEFFICIENTS", (*elementary.COEFFICIENTS[:-2], 0.5 * (1 + 2.0**-48), 1.0)),
    ],
)
def test_a_wrong_constant_is_noticed(monkeypatch: pytest.MonkeyPatch, name: str, wrong: Any) -> None:
    monkeypatch.setattr(elementary, name, wrong)
    assert worst(exp, MP.exp, places(0), UNDERFLOW) > PROVED


def test_expm1_by_a_difference_is_noticed() -> None:
    assert worst(lambda x: exp(x) - 1, MP.expm1, places(0)) > PROVED_M1


def test_beyond_the_range() -> None:
    x = np.array([710.0, 1e300, np.inf, -746.0, -1e300, -np.inf, np.nan])
    np.testing.assert_array_equal(exp(x), [np.inf, np.inf, np.inf, 0.0, 0.0, 0.0, np.nan])
    np.testing.assert_array_equal(expm1(x), [np.inf, np.inf, np.inf, -1.0, -1.0, -1.0, np.nan])
    largest = np.float64(709.782712893384)
    assert np.isfinite(exp(largest)) and exp(np.nextafter(largest, 800)) == np.inf


def test_shapes_and_powers_of_two() -> None:
    assert exp(1.0).shape == () and exp(np.zeros((2, 3))).shape == (2, 3) and expm1(np.zeros((0, 4))).shape == (0, 4)
    k = np.arange(-1022, 1024)
    assert all(Fraction(found) == Fraction(2) ** n for found, n in zip(power_of_two(k).tolist(), k.tolist(), strict=True))


def test_no_mathematical_library_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise AssertionError

    for name in ("exp", "expm1", "exp2", "ldexp", "power", "float_power", "log", "log2"):
        monkeypatch.setattr(np, name, fails)
    assert exp(1.0) > 2.718 and expm1(-1.0) < -0.63
