"""Elementary functions on a device are within 4 units in the last place, which every error bound of torch assumes."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from .places import needs_cuda, torch

MP = mpmath.MPContext()
MP.prec = 200
# where each is asked: the signs, and the powers of 10, of its arguments
RANGES = {
    "exp": (True, -6, 1.9),
    "expm1": (True, -30, 1.9),
    "log": (False, -30, 30),
    "log1p": (False, -30, 30),
    "sqrt": (False, -30, 30),
}


@pytest.mark.parametrize("device", ["cpu", pytest.param("cuda", marks=needs_cuda)])
@pytest.mark.parametrize("digits", ["float64", "float32"])
@pytest.mark.parametrize("name", RANGES)
def test_a_function_is_within_four_units_in_the_last_place(name, digits, device):
    signed, low, high = RANGES[name]
    rng, dtype = np.random.default_rng(51), getattr(torch, digits)
    sizes = 10 ** rng.uniform(low, high, 3000)
    values = np.where(rng.random(3000) < 0.5, -sizes, sizes) if signed else sizes
    given = torch.tensor(values, dtype=dtype, device=device)
    found = getattr(torch, name)(given).cpu()
    ulp = torch.abs(torch.nextafter(found, torch.full_like(found, torch.inf)) - found).double().tolist()
    worst = 0.0
    for x, y, unit in zip(given.double().tolist(), found.double().tolist(), ulp, strict=True):
        worst = max(worst, abs(float((getattr(MP, name)(MP.mpf(x)) - MP.mpf(y)) / unit)))
    assert worst <= 4


def test_softplus_of_torch_itself_would_not_do():
    """It becomes the identity above 20: why `torch_softplus` has its own."""
    from boundcheck.arithmetic.torch.softplus import softplus

    x = torch.tensor([20.5], dtype=torch.float64)
    true = float(MP.log1p(MP.exp(MP.mpf(20.5))))
    assert abs(float(softplus(x)) - true) <= 1e-14 and float(torch.nn.functional.softplus(x)) == 20.5 != true


@pytest.mark.parametrize("wanted", ["medium", "high"])
def test_float32_products_stay_float32_whatever_the_program_around_asked_for(wanted):
    from boundcheck.arithmetic.torch.plain import full_products

    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision(wanted)
    try:
        with full_products():
            assert torch.get_float32_matmul_precision() == "highest"
        assert torch.get_float32_matmul_precision() == wanted
    finally:
        torch.set_float32_matmul_precision(before)
