"""Softplus and its Bregman distance on a device, in float64 and without cancellation: the formulas of `softplus`, on tensors.

`torch.nn.functional.softplus` becomes the identity above 20, off by more than 10^5 units in the last place: it is not used.
Middles in float32 are turned into float64 first, which is exact, so the errors are those of float64 in both formats.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from boundcheck.arithmetic.bounded.storage import FLOOR, U
from boundcheck.arithmetic.softplus import _E as SERIES

torch: Any = import_module("torch")


def softplus(v: Any) -> Any:
    """log(1 + e^v) = max(v, 0) + log(1 + e^-|v|), relatively within 20 u."""
    v = v.double()
    return v.clamp(min=0.0) + torch.log1p(torch.exp(-v.abs()))


def bregman(v: Any, d: Any) -> tuple[Any, Any]:
    """s(v + d) - s(v) - s'(v) d for s = log(1 + exp): never negative, with a bound of its absolute error."""
    v, d = torch.broadcast_tensors(v.double(), d.double())
    d = torch.where(v > 0, -d, d)
    v = -v.abs()
    tail = torch.exp(v)
    p = tail / (1 + tail)
    value = _near(p, d).clamp(min=0.0)
    error = 320 * U * value + FLOOR * (d != 0).double()  # a bool alone would make it float32
    far = ~(d.abs() <= 0.125)
    if bool(far.any()):
        value[far], error[far] = _far(v[far], p[far], d[far])
    return value, error


def _near(p: Any, d: Any) -> Any:
    """p E(d) - G(y) by series, for |d| <= 1/8."""
    e = SERIES[0] * d
    for coefficient in SERIES[1:-1]:
        e.add_(coefficient).mul_(d)
    e.add_(SERIES[-1]).mul_(d).mul_(d)
    y = (d + e).mul_(p)
    w = y / (2 + y)
    z = w * w
    g = 2 / 13 * z
    for k in (11, 9, 7, 5):
        g.add_(2 / k).mul_(z)
    g.add_(2 / 3).mul_(z).sub_(y).mul_(w)  # this is -G
    return e.mul_(p).add_(g)


def _far(v: Any, p: Any, d: Any) -> tuple[Any, Any]:
    """log(1 + y) - p d, with absolute errors; beyond d = 30, where e^d could overflow, s(v + d) - s(v) - p d."""
    end, start = softplus(v + d), softplus(v)
    rise = torch.log1p(p * torch.expm1(d.clamp(max=30.0)))
    huge = d > 30.0
    error = torch.where(huge, 24 * U * (end + start) + 2 * U * (v + d).abs(), 48 * U * rise.abs())
    rise = torch.where(huge, end - start, rise)
    linear = p * d
    value = torch.where(torch.isnan(v) | torch.isnan(d), torch.nan, (rise - linear).clamp(min=0.0))
    return value, error + 24 * U * linear.abs() + 2 * U * value + FLOOR
