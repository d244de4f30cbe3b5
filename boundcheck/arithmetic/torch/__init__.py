"""The names of the torch arithmetics: a device, then a format. PyTorch is imported when one is asked for."""

from __future__ import annotations

import importlib.util

from boundcheck.arithmetic.base import Arithmetic
from boundcheck.support.errors import UserError

DIGITS = ("float64", "float32")
WRITTEN = "write torch, torch:cpu, torch:cuda, torch:cpu:float32 or torch:cuda:float32"


def torch_arithmetic(detail: str | None) -> Arithmetic:
    """The arithmetic 'torch:detail': a device, cpu unless given, then a format, float64 unless given."""
    name = "torch" if detail is None else f"torch:{detail}"
    device, digits = _parts(name, detail)
    if importlib.util.find_spec("torch") is None:
        raise UserError("arithmetic 'torch' needs PyTorch: pip install 'boundcheck[torch]'")
    from boundcheck.arithmetic.torch.arithmetic import Torch, why_not

    if refused := why_not(name, device, digits):
        raise UserError(refused)
    return Torch(name, device, digits)


def _parts(name: str, detail: str | None) -> tuple[str, str]:
    parts = [] if detail is None else detail.split(":")
    digits = parts.pop() if parts and parts[-1] in DIGITS else "float64"
    device = ":".join(parts) or "cpu"
    kind, colon, number = device.partition(":")
    if kind not in ("cpu", "cuda") or (colon and not (kind == "cuda" and number.isascii() and number.isdigit())) or detail == "":
        raise UserError(
            f"'{name}' names no device and format of torch: devices are cpu and cuda, formats float64 and float32; {WRITTEN}"
        )
    return device, digits
