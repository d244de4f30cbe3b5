"""Compiled kernels give NumPy's numbers, bit for bit where the order of operations is the same, and enclose the truth."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic import arithmetic, compiled
from boundcheck.arithmetic.bounded.scalars import BoundedScalars
from tests.arithmetic.truth import encloses, fraction

numba = pytest.importorskip("numba")
XP = arithmetic("float64")
SPECIAL = [0.0, -0.0, 5e-324, 1e-310, 1e-200, -1e-141, 1.0, -3.5, 1e150, 1e300, np.inf, np.nan]


@pytest.fixture(autouse=True)
def every_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "WORTH", 1)


def numbers(seed: int, count: int = 200) -> BoundedScalars:
    """Of all sizes, some exact, and the special ones among them."""
    rng = np.random.default_rng(seed)
    mid = rng.standard_normal(count) * 10.0 ** rng.integers(-180, 140, count)
    mid[: len(SPECIAL)] = rng.permutation(SPECIAL)
    with np.errstate(all="ignore"):
        rad = np.abs(mid) * 10.0 ** rng.integers(-20, 1, count) * (rng.random(count) < 0.7)
    rad[rng.integers(0, count, 5)] = np.inf
    return BoundedScalars(XP.format, mid[None], np.where(np.isfinite(mid), rad, np.inf)[None])


OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "scalar +": lambda a, b: a + b[..., 20:21],
    "scalar -": lambda a, b: b[..., 20:21] - a,
    "scalar *": lambda a, b: b[..., 20:21] * a,
    "scalar /": lambda a, b: b[..., 20:21] / a,
    "/ scalar": lambda a, b: a / b[..., 20:21],
}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", OPERATIONS)
def test_a_kernel_is_numpy_bit_for_bit(name: str, seed: int) -> None:
    a, b = numbers(seed), numbers(seed + 100)
    fast = OPERATIONS[name](a, b)
    with compiled.uncompiled():
        slow = OPERATIONS[name](a, b)
    known = np.isfinite(slow.rad)
    assert (known == np.isfinite(fast.rad)).all()
    assert np.array_equal(fast.mid[known], slow.mid[known])
    assert np.array_equal(fast.rad[known], slow.rad[known])


@pytest.mark.parametrize("seed", range(8))
def test_comparisons_are_numpy_s(seed: int) -> None:
    a, b = numbers(seed), numbers(seed + 100)
    b = BoundedScalars(
        XP.format, np.where(np.arange(200) % 3 == 0, a.mid, b.mid), np.where(np.arange(200) % 3 == 0, a.rad, b.rad)
    )
    fast = XP.compare(a, b)
    with compiled.uncompiled():
        slow = XP.compare(a, b)
    assert np.array_equal(fast, slow)


@pytest.mark.parametrize("seed", range(4))
def test_a_compiled_recurrence_encloses_the_exact_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.random((1, 300)), rng.standard_normal((1, 300))
    made = XP.recurrence(XP.scalars(a), XP.scalars(b), XP.scalars(np.array([[0.5]])))
    s, truths = Fraction(1, 2), []
    for factor, term in zip(a[0], b[0], strict=True):
        s = fraction(factor) * s + fraction(term)
        truths.append(s)
    encloses(made, truths)


def products(a: BoundedScalars, b: BoundedScalars) -> tuple[Any, list[Fraction]]:
    """a b, and the product of the upper ends, which the enclosure must hold too."""
    ends = [(fraction(m) + fraction(r)) * (fraction(n) + fraction(q)) for m, r, n, q in zip(*a.flat(), *b.flat(), strict=True)]
    return a * b, ends


def pairs() -> tuple[BoundedScalars, BoundedScalars]:
    rng = np.random.default_rng(0)
    return tuple(BoundedScalars(XP.format, rng.random((1, 50)) + 1, rng.random((1, 50)) / 100) for _ in range(2))  # type: ignore


def test_a_compiled_product_encloses_the_exact_one() -> None:
    encloses(*products(*pairs()))


def test_a_kernel_without_one_of_its_terms_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(a: Any, ra: Any, b: Any, rb: Any, mid: Any, rad: Any) -> None:
        mid[:], rad[:] = a * b, np.abs(a) * rb + 2.0**-53 * np.abs(a * b)  # |b| ra is missing

    monkeypatch.setattr(compiled.kernels(), "multiply", careless)
    with pytest.raises(AssertionError, match="off by"):
        encloses(*products(*pairs()))


def test_where_nothing_can_be_kept_on_disk_code_is_compiled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    njit, tried = numba.njit, []

    def refusing(**options: Any) -> Any:
        tried.append(options.get("cache", False))
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return njit(**options)

    monkeypatch.setattr(numba, "njit", refusing)
    made = compiled.compiler()(compiled.follow)
    result = np.empty(2)
    made(np.array([0.5, 0.5]), np.array([1.0, 1.0]), 2.0, result)
    assert tried == [True, False] and result.tolist() == [2.0, 2.0]


def test_small_arrays_do_not_wait_for_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "WORTH", 1024)
    assert compiled.for_size(1000) is None and compiled.for_size(1024) is compiled.kernels()


def test_without_numba_numpy_computes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_installed", lambda: False)
    assert compiled.for_size(10**6) is None and not compiled.wanted()
