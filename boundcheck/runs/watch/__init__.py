"""Watching optimizers that other libraries run: PyTorch's through its hooks, SciPy's through its callback."""

from boundcheck.runs.watch.scipy_minimize import ScipyRecorder, watch_scipy
from boundcheck.runs.watch.torch_optimizer import TorchRecorder, watch

__all__ = ["ScipyRecorder", "TorchRecorder", "watch", "watch_scipy"]
