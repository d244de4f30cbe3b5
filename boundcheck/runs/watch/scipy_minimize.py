"""`scipy.optimize.minimize(..., callback=recorder)`: points, values and gradients as the method reports its iterates.

SciPy tells where a method arrives, not how it got there. A move along the negative gradient is a step of gradient descent, and
its length gives eta; anything else makes claims about gradient descent VACUOUS.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from boundcheck.runs.recorded.recording import Floats, NotARun
from boundcheck.runs.trace import Trace


class ScipyRecorder:
    """A callback that keeps every iterate. `trace(...)` takes what Trace.from_arrays takes of the function: facts, x_star, ..."""

    def __init__(self, fun: Callable[..., Any], x0: Any, jac: Callable[..., Any] | bool | None, args: Sequence[Any] = ()) -> None:
        if not callable(fun):
            raise NotARun(f"fun={fun!r:.60} is no function; watch_scipy needs the one that minimize is given")
        if not (callable(jac) or jac is True):
            found = "without jac there is no gradient to record" if jac is None else f"jac={jac!r} is no gradient"
            raise NotARun(f"{found}: watch_scipy needs jac, a function for it; or jac=True where fun returns both")
        self.fun, self.jac, self.args = fun, jac, tuple(args)
        self.x: list[Floats] = []
        self.f: list[float] = []
        self.grad: list[Floats] = []
        self._keep(np.array(x0, dtype=np.float64).reshape(-1))

    def __call__(self, intermediate_result: Any) -> None:
        """What SciPy calls after each iteration; methods that pass the point alone may call it too."""
        point = np.array(getattr(intermediate_result, "x", intermediate_result), dtype=np.float64).reshape(-1)
        if point.shape != self.x[0].shape:
            raise NotARun(f"x0 has {len(self.x[0])} coordinates; the method reports a point with {len(point)}")
        self._keep(point)

    def _keep(self, point: Floats) -> None:
        if self.jac is True:
            value, gradient = self.fun(point, *self.args)
        else:
            assert callable(self.jac)
            value, gradient = self.fun(point, *self.args), self.jac(point, *self.args)
        self.x.append(point)
        self.f.append(float(value))
        self.grad.append(np.array(gradient, dtype=np.float64).reshape(-1))

    def trace(self, **known: Any) -> Trace:
        arrays = {"x": np.stack(self.x), "f": np.array(self.f), "grad": np.stack(self.grad)}
        return Trace.from_arrays(**{"by": "scipy.optimize.minimize", **arrays, **known})

    def __repr__(self) -> str:
        return f"<ScipyRecorder: {len(self.x) - 1} iterations; .trace(facts=...) to check them>"


def watch_scipy(
    fun: Callable[..., Any], x0: Any, *, jac: Callable[..., Any] | bool | None = None, args: Sequence[Any] = ()
) -> ScipyRecorder:
    """A recorder to pass as `callback=` to scipy.optimize.minimize, with the same fun, x0, jac and args.

    The function and its gradient are evaluated once more at each iterate.

    >>> from scipy.optimize import minimize
    >>> from boundcheck import watch_scipy
    >>> recorder = watch_scipy(lambda x: x @ x, [1.0, 2.0], jac=lambda x: 2 * x)
    >>> done = minimize(lambda x: x @ x, [1.0, 2.0], jac=lambda x: 2 * x, callback=recorder)
    >>> type(recorder.trace()).__name__
    'Trace'
    """
    return ScipyRecorder(fun, x0, jac, args)
