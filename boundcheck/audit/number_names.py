"""Numbers as people write them: 3/2, 2 sqrt 2, 0.0137."""

from __future__ import annotations

import math
from fractions import Fraction

CLOSE = 1e-6


def number_name(value: float) -> str:
    """Return a fraction of small numbers, such a fraction times a small root, or six digits."""
    return known(value) or f"{value:.6g}"


def with_name(value: float) -> str:
    """2.82843 (2 sqrt 2)."""
    name = known(value)
    shown = f"{value:.6g}"
    return shown if not name or name == shown else f"{shown} ({name})"


def known(value: float) -> str:
    """Return the short name of a number, or ""."""
    if not math.isfinite(value) or value == 0:
        return ""
    for root in (1, 2, 3, 5):
        part = Fraction(value / math.sqrt(root)).limit_denominator(20)
        near = part and abs(float(part) * math.sqrt(root) / value - 1) < CLOSE
        if near and part.numerator <= 1000:
            return str(part) if root == 1 else _times_root(part, root)
    power = math.log10(abs(value))
    return f"1e{round(power)}" if abs(power - round(power)) < CLOSE and power < -2.5 else ""


def _times_root(part: Fraction, root: int) -> str:
    above = "" if part.numerator == 1 else f"{part.numerator} "
    return f"{above}sqrt {root}" + ("" if part.denominator == 1 else f" / {part.denominator}")


def over(value: float, what: str) -> str:
    """(5/2)/L."""
    name = number_name(value)
    return f"({name})/{what}" if "/" in name else f"{name}/{what}"


def rounded_down(value: float, digits: int = 3) -> float:
    """Return the next number of so many digits that is not larger."""
    if value <= 0 or not math.isfinite(value):
        return value
    unit = 10.0 ** (math.floor(math.log10(value)) - digits + 1)
    return math.floor(value / unit * (1 + 1e-12)) * unit


def apart(one: float, other: float, digits: int = 4) -> tuple[str, str]:
    """Return two numbers with as many digits as it takes to tell one from the other, four at least."""
    for count in range(digits, 18):
        shown = f"{one:.{count}g}", f"{other:.{count}g}"
        if shown[0] != shown[1]:
            return shown
    return f"{one:.{digits}g}", f"{other:.{digits}g}"


def names_apart(one: float, other: float) -> tuple[str, str]:
    """Return two numbers by their short names where these differ, else with digits that do."""
    names = known(one), known(other)
    return names if all(names) and names[0] != names[1] else apart(one, other)
