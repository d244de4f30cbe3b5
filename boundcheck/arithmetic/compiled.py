"""The inner loops of float64 with error bounds as compiled code, one pass over memory each, where numba is installed.

Each kernel is the formula of `scalars`, `functions` or `scans`, operation by operation and without contraction or reordering, so
that its numbers are those of NumPy. A floor is added to an entry where its own size is small. Nothing certified comes through
here: balls and rationals have arithmetics of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from boundcheck.arithmetic.bounded.storage import DEFLATE, FLOOR, INFLATE, LARGEST, SAFE, U

WORTH = 1024  # entries from which a kernel is worth the import of numba
_wanted = True


@contextmanager
def uncompiled() -> Iterator[None]:
    """While this is entered, NumPy computes, though numba is there."""
    global _wanted
    before, _wanted = _wanted, False
    try:
        yield
    finally:
        _wanted = before


def wanted() -> bool:
    """Is numba installed, and may it be used?"""
    return _wanted and _installed()


@cache
def _installed() -> bool:
    return find_spec("numba") is not None


def compiler(**more: Any) -> Callable[[Any], Any]:
    """numba's, without changes to floating-point arithmetic; code is kept on disk where there is a place that can be written.

    numba looks whether the file of a function has changed, and not the files of what it calls. So what is kept has a folder of
    its own for each state of all the files that may be called: old code is never taken for new.
    """
    numba = import_module("numba")

    def compiled(function: Any) -> Any:
        options = {"nogil": True, "error_model": "numpy", **more}
        here = Path(function.__code__.co_filename).parent
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(Path(before or here / "__pycache__") / f"compiled-{_state_of(here)}")
        try:
            return numba.njit(cache=True, **options)(function)
        except RuntimeError:  # a read-only installation, and no folder for caches either
            return numba.njit(**options)(function)
        finally:
            numba.config.CACHE_DIR = before

    return compiled


@cache
def _state_of(folder: Path) -> str:
    """A short name for the state of the files of a folder, of this one, and of the one that evaluates formulas."""
    mine = Path(__file__).parent
    files = sorted({file for place in (folder, mine, mine.parent / "evaluate") for file in place.glob("*.py")})
    stamps = [(file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    return sha256(repr(stamps).encode()).hexdigest()[:16]


class Kernels:
    """Compiled on first use."""

    def __init__(self) -> None:
        compiled = compiler()
        for made in (multiply, multiply_by, add, add_to, subtract, divide, divide_by, divide_into, compare, follow):
            setattr(self, made.__name__, compiled(made))


@cache
def kernels() -> Any:
    return Kernels()


def for_size(size: int) -> Any:
    """The kernels, where arrays of this size are worth it; else None."""
    return kernels() if size >= WORTH and _wanted and _installed() else None


def multiply(a: Any, ra: Any, b: Any, rb: Any, mid: Any, rad: Any) -> None:
    for j in range(a.size):
        m = a[j] * b[j]
        size_a, size, whole_b = abs(a[j]), abs(m), abs(b[j]) + rb[j]
        r = size_a * rb[j] + ra[j] * whole_b + U * size
        if not size > SAFE and size_a + ra[j] != 0 and whole_b != 0:
            r = r + FLOOR
        r = r * INFLATE
        mid[j], rad[j] = m, np.inf if r != r else r


def multiply_by(a: Any, ra: Any, b: float, rb: float, mid: Any, rad: Any) -> None:
    whole_b = abs(b) + rb
    for j in range(a.size):
        m = a[j] * b
        size_a, size = abs(a[j]), abs(m)
        r = size_a * rb + ra[j] * whole_b + U * size
        if not size > SAFE and size_a + ra[j] != 0 and whole_b != 0:
            r = r + FLOOR
        r = r * INFLATE
        mid[j], rad[j] = m, np.inf if r != r else r


def add(a: Any, ra: Any, b: Any, rb: Any, mid: Any, rad: Any) -> None:
    for j in range(a.size):
        m = a[j] + b[j]
        size = abs(m)
        rounding = U * size
        if size < FLOOR / U and size > 0:
            rounding = rounding + FLOOR
        r = (ra[j] + rb[j] + rounding) * INFLATE
        mid[j], rad[j] = m, np.inf if r != r else r


def add_to(a: Any, ra: Any, b: float, rb: float, mid: Any, rad: Any) -> None:
    for j in range(a.size):
        m = a[j] + b
        size = abs(m)
        rounding = U * size
        if size < FLOOR / U and size > 0:
            rounding = rounding + FLOOR
        r = (ra[j] + rb + rounding) * INFLATE
        mid[j], rad[j] = m, np.inf if r != r else r


def subtract(a: Any, ra: Any, b: Any, rb: Any, mid: Any, rad: Any) -> None:
    for j in range(a.size):
        m = a[j] - b[j]
        size = abs(m)
        rounding = U * size
        if size < FLOOR / U and size > 0:
            rounding = rounding + FLOOR
        r = (ra[j] + rb[j] + rounding) * INFLATE
        mid[j], rad[j] = m, np.inf if r != r else r


def divide(a: Any, ra: Any, b: Any, rb: Any, mid: Any, rad: Any) -> None:
    for j in range(b.size):
        least = (min(abs(b[j]), LARGEST) * DEFLATE - rb[j]) * DEFLATE
        safe = least > 0
        m = a[j] / (b[j] if safe else 1.0)
        size = abs(m)
        r = (ra[j] + size * rb[j]) / (least if safe else 1.0) + U * size
        if not (size > SAFE and least > SAFE):
            spread = ra[j] + (size + FLOOR) * rb[j] + (FLOOR if rb[j] != 0 else 0.0)
            r = spread / (least if safe else 1.0) + U * size + (FLOOR if abs(a[j]) + ra[j] != 0 else 0.0)
        r = r * INFLATE
        mid[j], rad[j] = m, r if r == r and safe else np.inf


def divide_by(a: Any, ra: Any, b: float, rb: float, mid: Any, rad: Any) -> None:
    least = (min(abs(b), LARGEST) * DEFLATE - rb) * DEFLATE
    safe = least > 0
    by, least_by = (b, least) if safe else (1.0, 1.0)
    for j in range(a.size):
        m = a[j] / by
        size = abs(m)
        r = (ra[j] + size * rb) / least_by + U * size
        if not (size > SAFE and least > SAFE):
            spread = ra[j] + (size + FLOOR) * rb + (FLOOR if rb != 0 else 0.0)
            r = spread / least_by + U * size + (FLOOR if abs(a[j]) + ra[j] != 0 else 0.0)
        r = r * INFLATE
        mid[j], rad[j] = m, r if r == r and safe else np.inf


def divide_into(a: float, ra: float, b: Any, rb: Any, mid: Any, rad: Any) -> None:
    for j in range(b.size):
        least = (min(abs(b[j]), LARGEST) * DEFLATE - rb[j]) * DEFLATE
        safe = least > 0
        m = a / (b[j] if safe else 1.0)
        size = abs(m)
        r = (ra + size * rb[j]) / (least if safe else 1.0) + U * size
        if not (size > SAFE and least > SAFE):
            spread = ra + (size + FLOOR) * rb[j] + (FLOOR if rb[j] != 0 else 0.0)
            r = spread / (least if safe else 1.0) + U * size + (FLOOR if abs(a) + ra != 0 else 0.0)
        r = r * INFLATE
        mid[j], rad[j] = m, r if r == r and safe else np.inf


def compare(a: Any, ra: Any, b: Any, rb: Any, order: Any) -> None:
    """-1, 0, 1, or 2 where the enclosures do not tell."""
    for j in range(a.size):
        difference, radius = b[j] - a[j], (ra[j] + rb[j]) * INFLATE
        known = abs(difference) * DEFLATE > radius or radius == 0
        order[j] = (
            (-1 if difference > 0 else 1 if difference < 0 else 0 if radius == 0 and difference == 0 else 2) if known else 2
        )


def follow(a: Any, b: Any, carry: float, made: Any) -> None:
    """s_n = a_n s_{n-1} + b_n, one after another."""
    s = carry
    for j in range(a.size):
        s = a[j] * s + b[j]
        made[j] = s
