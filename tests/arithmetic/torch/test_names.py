"""Names, refusals in one line, and the contract that every arithmetic keeps."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import numpy as np
import pytest

from boundcheck.arithmetic import Order, arithmetic
from boundcheck.arithmetic.torch import torch_arithmetic
from tests.arithmetic import test_contract

from .places import BOTH, FLOAT64, needs_cuda, torch

NO_CUDA = pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")


@pytest.mark.parametrize("name", FLOAT64)
@pytest.mark.parametrize("formula", test_contract.FORMULAS)
def test_a_formula_has_its_value_on_a_device(name, formula):
    test_contract.test_a_formula_has_the_same_value_in_every_arithmetic(name, formula)
    if formula not in test_contract.NOT_PLAIN:
        test_contract.test_the_plain_namespace_computes_the_same_formulas(name, formula)


@pytest.mark.parametrize("formula", test_contract.FORMULAS)
def test_a_formula_has_its_value_in_float32(formula):
    xp = arithmetic("torch:cpu:float32")
    compute, value = test_contract.FORMULAS[formula]
    result = compute(xp)
    assert xp.compare(result, xp.scalar(value)) in (Order.EQUAL, Order.UNKNOWN)
    assert float(xp.middle(result)) == pytest.approx(float(value), rel=1e-6) and xp.error(result) <= 1e-5


@pytest.mark.parametrize("name", BOTH)
def test_computed_numbers_refuse_to_be_looked_at(name):
    test_contract.test_computed_numbers_have_no_truth_value_and_no_order(name)
    test_contract.test_a_float_array_meets_computed_numbers_from_either_side(name)


def test_a_name_says_device_and_format():
    found = {name: arithmetic(name) for name in ("torch", "torch:cpu", "torch:float32", "torch:cpu:float64", "torch:cpu:float32")}
    assert [xp.name for xp in found.values()] == list(found)
    assert [xp.format.digits[-2:] for xp in found.values()] == ["64", "64", "32", "64", "32"]
    assert not any(xp.certified or xp.exact for xp in found.values())
    v = found["torch:cpu:float32"].vectors([[1.0, 2.0]])
    assert v.mid.tensor.dtype == torch.float32 and v.mid.tensor.device.type == "cpu"


@pytest.mark.parametrize("name", ["torch:gpu", "torch:cpu:float16", "torch:", "torch:float32:cpu", "torch:cuda:x", "torch:cpu:0"])
def test_an_unknown_device_or_format_is_refused_in_one_line(name):
    with pytest.raises(ValueError, match="devices are cpu and cuda, formats float64 and float32; write torch, ") as caught:
        arithmetic(name)
    assert "\n" not in str(caught.value) and f"'{name}'" in str(caught.value)


@NO_CUDA
def test_cuda_without_a_gpu_is_refused_in_one_line_by_the_command_line_too():
    with pytest.raises(ValueError, match=r"^arithmetic 'torch:cuda:float32': no CUDA device is here; use torch:cpu:float32$"):
        arithmetic("torch:cuda:float32")
    words = [sys.executable, "-m", "boundcheck", "check", "prop:convex-any-stepsize", "--arithmetic", "torch:cuda"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    said = " ".join((done.stdout + done.stderr).split())
    assert done.returncode == 2 and "arithmetic 'torch:cuda': no CUDA device is here; use torch:cpu" in said
    assert "Traceback" not in said


@needs_cuda
def test_a_gpu_that_is_not_there_is_refused_in_one_line():
    with pytest.raises(ValueError, match=r"CUDA devices here, counted from 0; use a smaller number$"):
        arithmetic("torch:cuda:999")


def test_without_pytorch_the_name_says_what_to_install(monkeypatch):
    before = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "torch" else before(name, *rest))
    with pytest.raises(ValueError, match=r"^arithmetic 'torch' needs PyTorch: pip install 'boundcheck\[torch\]'$"):
        torch_arithmetic("cpu")


def test_numbers_that_are_flushed_to_zero_are_refused():
    from boundcheck.arithmetic.torch.arithmetic import why_not

    if not torch.set_flush_denormal(True):
        pytest.skip("this processor cannot flush to zero")
    try:
        assert why_not("torch", "cpu", "float64").endswith("call torch.set_flush_denormal(False) first")
    finally:
        torch.set_flush_denormal(False)
    assert why_not("torch", "cpu", "float32") == ""


def test_boundcheck_and_the_other_arithmetics_do_not_import_torch():
    code = "import sys, boundcheck; from boundcheck.arithmetic import arithmetic; arithmetic('float64'); "
    code += "import boundcheck.problems.torch_function; print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "False"


def test_arrays_on_a_device_answer_numpy():
    plain = arithmetic("torch:cpu:float32").plain
    v, host = plain.vectors([[1.0, 2.0], [3.0, 4.0]]), np.array([[1.0, 1.0], [2.0, 0.1]])
    for made in (host - v, v - host, v * 2.0, -v, v[0] / v, np.concatenate([v, v], axis=-2), v[np.array([True, False])]):
        assert type(made) is type(v) and made.tensor.dtype == torch.float32
    assert float((v - host)[1, 1]) == np.float32(4) - np.float32(0.1)  # the host's number is rounded first
    buffer = np.zeros((2, 2))
    buffer[:] = v
    assert buffer.tolist() == [[1, 2], [3, 4]] and (v > 2).tolist() == [[False, False], [True, True]]
    assert np.linalg.norm(v[0]) == np.sqrt(5) and isinstance(plain.dot(v, v), np.ndarray) and plain.dot(v[0], v[0]) == 5


def test_a_formula_of_another_arithmetic_is_refused():
    with pytest.raises(TypeError, match="vectors of the same arithmetic only"):
        arithmetic("torch").vector([1]) + arithmetic("float64").vector([1])
