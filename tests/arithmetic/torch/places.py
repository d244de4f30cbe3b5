"""The torch arithmetics to test: on the CPU always, on a GPU where there is one."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'boundcheck[torch]'")

needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device is here")
FLOAT64 = ["torch", pytest.param("torch:cuda", marks=needs_cuda)]
FLOAT32 = ["torch:cpu:float32", pytest.param("torch:cuda:float32", marks=needs_cuda)]
BOTH = [*FLOAT64, *FLOAT32]
