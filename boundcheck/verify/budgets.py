"""Budgets: how much a check may take. A file is written by strangers, and may be made to keep a checker busy for ever.

What is beyond a budget is refused with exit 2: nothing is said about the claim. Operations are counted, so that the answer is
the same on a slow machine; the clock is a second guard.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flint import arb, ctx, fmpq

from .refusals import TooLarge, must

Number = Any  # fmpq, an exact fraction; or arb, a ball: a number with an error bound
Vector = list[Any]  # of numbers

BYTES = 1_000_000  # of a file
DIGITS = 4_000  # of a number in a file
MOST = 10_000  # steps, indices, exponents: those of certificates for people are far smaller
BITS = 2**16  # of an exact number on the way
EXPONENT = 2**20  # a ball is less than 2^EXPONENT, and not closer to 0 than 2^-EXPONENT unless it is 0
DIMENSION = 1_000  # coordinates of a point
WORK = 400_000  # operations with numbers, counted; one with numbers of n bits counts 1 + n/256
SECONDS = 60.0  # on the clock, unless the caller says otherwise

HUGE, TINY = arb(2) ** EXPONENT, arb(2) ** -EXPONENT


class Budget(threading.local):
    """What is left of the work and the time, for this thread. There is no limit outside of `limits`."""

    work = math.inf
    until = math.inf
    met_balls = False  # has a number been a ball? Where all were exact, more bits change nothing


BUDGET = Budget()


@contextmanager
def limits(seconds: float) -> Iterator[None]:
    """Within it, work and time are limited; after it, the precision of balls is what it was before."""
    precision = ctx.prec
    BUDGET.work, BUDGET.until = WORK, time.monotonic() + seconds
    try:
        yield
    finally:
        ctx.prec = precision
        BUDGET.work = BUDGET.until = math.inf


def spend(units: float) -> None:
    """Take so many operations from the budget; raise TooLarge where nothing is left of it, or of the time."""
    BUDGET.work -= units
    if BUDGET.work < 0:
        raise TooLarge(f"it takes more than {WORK} operations; a certificate needs fewer steps, terms or digits")
    if BUDGET.until < math.inf and time.monotonic() > BUDGET.until:
        raise TooLarge(
            "it takes more time than is allowed; a certificate needs fewer steps, terms or digits (or give it more seconds)"
        )


def sized(value: Number) -> Number:
    """Return the number itself, where it is defined and of a size that can be computed with.

    A ball that is not finite is undefined (the root of -1), or not enclosed at this precision: either way nothing follows.
    """
    if isinstance(value, fmpq):
        bits = value.height_bits()
        spend(1 + bits // 256)
        if bits > BITS:
            raise TooLarge(f"an exact number grows beyond {BITS} bits; a certificate needs fewer steps, or shorter numbers")
        return value
    spend(1 + ctx.prec // 256)
    BUDGET.met_balls = True
    must(value.is_finite(), "a number is undefined, or cannot be enclosed")
    size = value.abs_upper()
    if not (size == 0 or (size < HUGE and size > TINY)):
        raise TooLarge(f"a number is larger than 2^{EXPONENT}, or closer to 0 than 2^-{EXPONENT}")
    return value
