"""exp and expm1 of float64 from IEEE operations alone, with proved error bounds. No library's exp is trusted.

Let u = 2^-53, and x be in [-746, 710]: beyond, e^x is below 2^-1076 or above 2^1024, and x is moved to the end. k is the integer
nearest to the rounded x / ln 2, so |k| <= 1077, and |x / ln 2 - k| <= 1/2 + 2^-40. ln 2 = HIGH + LOW + a rest below 2^-86: HIGH
has 32 bits, so k HIGH is exact, and 0 < LOW < 2^-32.

1. r = (x - k HIGH) - k LOW. Then |r| <= 0.347. Both differences are rounded, by at most 0.347 u each; what k LOW < 2^-21 and the
   rest add is below 2^-20 u. So r is within 0.7 u of x - k ln 2, and e^r 2^k is e^x times a factor within 0.71 u of 1.
   For k = 0, r = x.
2. s = 1 + r/2! + ... + r^12/13!, by Horner's rule. The coefficient of r^(i-1) is within u, and i - 1 products and i sums touch
   it; 1 is exact and one sum touches it. So a term is off by at most 2 i u, and 1 by u, to first order. With a = 0.347 these add
   up to at most (2 e^a - 1) u <= 1.84 u. The terms left out are below a^13/14! * 1.03 <= 0.13 u. And (e^r - 1) / r is at least
   (1 - e^-a) / a >= 0.844. So s is (e^r - 1) / r within a relative 2.34 u.
3. m = r s is e^r - 1 within 3.35 u (for |r| < 2^-54, s = 1 and m = r: nothing underflows; a product inside Horner's rule that
   does is added to a coefficient above 2^-33).
4. 1 + m is e^r within u + 3.35 u max(1 - e^-a, e^a - 1) <= 2.4 u.
5. exp(x) = 2^k (1 + m), times two powers of two, of which the first is exact and the second rounds only if the product is below
   2^-1022, by at most 2^-1075.

So exp(x) is e^x within a relative 3.2 u, and an absolute 2^-1075. For k = 0, expm1(x) = m is off by a relative 3.35 u. Else
expm1(x) = exp(x) - 1, and e^x / |e^x - 1| <= 3.42 as |x| >= 0.346: off by 3.2 u * 3.42 + u <= 12 u. What is of order u^2 is far
below what the constants leave:

    |exp(x) - e^x| <= EXP_ERROR e^x + FLOOR,    |expm1(x) - (e^x - 1)| <= EXPM1_ERROR |e^x - 1|.

Where the result is inf instead, e^x is above 2^1023: inf is an upper bound. NaN stays NaN.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from boundcheck.arithmetic.bounded.storage import FLOOR, U

__all__ = ["EXPM1_ERROR", "EXP_ERROR", "FLOOR", "exp", "expm1", "power_of_two"]

EXP_ERROR = 8 * U
EXPM1_ERROR = 16 * U

LOWEST, HIGHEST = -746.0, 710.0
PER_LN2 = float.fromhex("0x1.71547652b82fep+0")
HIGH = float.fromhex("0x1.62e42feep-1")
LOW = float.fromhex("0x1.a39ef35793c76p-33")
COEFFICIENTS = tuple(1 / math.factorial(i) for i in range(13, 0, -1))


def exp(x: Any) -> Any:
    with np.errstate(all="ignore"):
        k, m = _reduced(x)
        return _scaled(1 + m, k)


def expm1(x: Any) -> Any:
    with np.errstate(all="ignore"):
        k, m = _reduced(x)
        return np.where(k == 0, m, _scaled(1 + m, k) - 1)


def power_of_two(k: Any) -> Any:
    """2^k for integers k from -1022 to 1023, by its bits; 2^1024 is inf."""
    return ((np.asarray(k, dtype=np.int64) + 1023) << 52).view(np.float64)


def _reduced(x: Any) -> tuple[Any, Any]:
    """k, and m = e^(x - k ln 2) - 1. For NaN m is NaN, and so is its product with whatever power comes of k."""
    x = np.minimum(np.maximum(np.asarray(x, dtype=np.float64), LOWEST), HIGHEST)
    k = np.rint(x * PER_LN2)
    r = (x - k * HIGH) - k * LOW
    s = COEFFICIENTS[0] * r
    s += COEFFICIENTS[1]
    for coefficient in COEFFICIENTS[2:]:
        s *= r
        s += coefficient
    s *= r
    return k.astype(np.int64), s


def _scaled(a: Any, k: Any) -> Any:
    """a 2^k, in two steps: 2^k itself may be out of range."""
    half = k >> 1
    return a * power_of_two(half) * power_of_two(k - half)
