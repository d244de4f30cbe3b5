"""Arithmetics by name: one formula, many ways to compute it."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from functools import lru_cache

from boundcheck.arithmetic.base import Arithmetic, NotInThisArithmetic, Order, Truth
from boundcheck.support.errors import UserError

__all__ = ["Arithmetic", "NotInThisArithmetic", "Order", "Truth", "arithmetic"]


def _float64(detail: str | None) -> Arithmetic:
    from boundcheck.arithmetic.float64 import Float64

    return Float64()


def _high_precision(detail: str | None) -> Arithmetic:
    if detail is None or not (detail.isascii() and detail.isdigit()) or not 1 <= int(detail[:7]) <= 100_000:
        raise UserError(f"high precision needs a number of digits from 1 to 100000, as in 'mp:50'; found 'mp:{detail or ''}'")
    from boundcheck.arithmetic.highprecision import HighPrecision

    return HighPrecision(int(detail))


def _rational(detail: str | None) -> Arithmetic:
    from boundcheck.arithmetic.rationals import Rational

    return Rational()


def _ball(detail: str | None) -> Arithmetic:
    if detail is None or not (detail.isascii() and detail.isdigit()) or not 16 <= int(detail[:7]) <= 100_000:
        raise UserError(f"balls need a number of bits from 16 to 100000, as in 'ball:256'; found 'ball:{detail or ''}'")
    from boundcheck.arithmetic.balls.ball import Ball

    return Ball(int(detail))


def _torch(detail: str | None) -> Arithmetic:
    from boundcheck.arithmetic.torch import torch_arithmetic

    return torch_arithmetic(detail)


# name before the colon: how it is written, whether something follows the colon, and how it is made (imported when asked for)
_KINDS: dict[str, tuple[str, bool, Callable[[str | None], Arithmetic]]] = {
    "float64": ("float64", False, _float64),
    "mp": ("mp:50", True, _high_precision),
    "ball": ("ball:256", True, _ball),
    "rational": ("rational", False, _rational),
    "torch": ("torch:cpu", True, _torch),
}


@lru_cache(maxsize=64)
def arithmetic(name: str) -> Arithmetic:
    """The arithmetic of this name: 'float64', 'mp:DIGITS', 'ball:BITS', 'rational', 'torch:DEVICE:DTYPE'. One object a name."""
    kind, colon, detail = name.partition(":")
    if kind not in _KINDS:
        near = difflib.get_close_matches(kind, _KINDS, n=1)
        hint = f"did you mean '{_KINDS[near[0]][0]}'? " if near else ""
        raise UserError(f"no arithmetic '{name}'; {hint}there are {', '.join(written for written, _, _ in _KINDS.values())}")
    written, takes_detail, make = _KINDS[kind]
    if colon and not takes_detail:
        raise UserError(f"arithmetic '{kind}' takes nothing after its name; found '{name}', write '{written}'")
    return make(detail if colon else None)
