"""Watching optimizers that other libraries run: PyTorch's through its hooks, SciPy's through its callback."""

from boundcheck.watching.scipy_minimize import ScipyRecorder, watch_scipy
from boundcheck.watching.torch_optimizer import TorchRecorder, watch

__all__ = ["ScipyRecorder", "TorchRecorder", "watch", "watch_scipy"]
