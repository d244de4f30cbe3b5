"""The truth to compare with: exact rationals, and mpmath at 120 digits for what is not rational."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import numpy as np

MP = mpmath.MPContext()
MP.dps = 120


def fraction(value: Any) -> Fraction:
    """The exact value of a float or an mpf."""
    if hasattr(value, "_mpf_"):
        sign, mantissa, exponent, _ = value._mpf_
        made = Fraction(int(mantissa)) * Fraction(2) ** exponent
        return -made if sign else made
    return Fraction(float(value))


def mp(value: Fraction) -> Any:
    return MP.mpf(value.numerator) / value.denominator


def function(name: str, *values: Fraction) -> Fraction:
    return fraction(getattr(MP, name)(*map(mp, values)))


def encloses(result: Any, truths: list[Fraction]) -> None:
    """Each true value lies in its enclosure; a failure shows the worst one. An infinite radius encloses everything."""
    mids, radii = result.mid.reshape(-1), result.rad.reshape(-1)
    assert len(mids) == len(truths)
    for n, (mid, radius, truth) in enumerate(zip(mids, radii, truths, strict=True)):
        if np.isfinite(radius):
            off = abs(fraction(mid) - truth)
            assert off <= Fraction(float(radius)), f"entry {n}: middle {mid}, off by {float(off)}, radius {radius}"
        else:
            assert radius == np.inf


def numbers(rng: np.random.Generator, count: int, wild: bool = True) -> np.ndarray:
    """Random floats: some ordinary, some integers, some zero, and if wild some denormal and some huge."""
    made = rng.normal(size=count) * 10.0 ** rng.integers(-9, 9, size=count)
    kind = rng.integers(0, 10, size=count)
    made = np.where(kind == 0, rng.integers(-3, 4, size=count), made)
    if wild:
        with np.errstate(all="ignore"):
            made = np.where(kind == 1, rng.integers(-9, 10, size=count) * 5e-324, made)
            made = np.where(kind == 2, rng.normal(size=count) * 10.0 ** rng.integers(-310, -150, size=count).astype(float), made)
            made = np.where(kind == 3, rng.normal(size=count) * 10.0 ** rng.integers(150, 307, size=count).astype(float), made)
    return np.asarray(made, dtype=np.float64)


def radii(rng: np.random.Generator, mids: np.ndarray) -> np.ndarray:
    """Radii from zero to larger than the number itself."""
    kind = rng.integers(0, 4, size=mids.shape)
    relative = 10.0 ** rng.integers(-17, 1, size=mids.shape).astype(float)
    return np.where(kind == 0, 0.0, np.minimum(np.abs(mids) * relative, 1e300))


def inside(rng: np.random.Generator, mids: np.ndarray, rads: np.ndarray) -> list[Fraction]:
    """For each ball one exact number in it, often at an end."""
    sides = [Fraction(int(t), 8) for t in rng.choice([-8, -8, -3, 0, 5, 8, 8], size=mids.size)]
    balls = zip(mids.reshape(-1).tolist(), rads.reshape(-1).tolist(), sides, strict=True)
    return [Fraction(m) + t * Fraction(r) for m, r, t in balls]
