"""scipy.optimize.minimize, watched through its callback."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import OptimizeResult, minimize

from boundcheck import Outcome, check, watch_scipy
from boundcheck.runs.recorded.recording import NotARun
from tests.runs.recorded.runs import FACTS, MINIMUM, L, f, grad

ANY_STEPS = "prop:convex-any-stepsize"


def descend(fun: Any, x0: Any, args: Any = (), jac: Any = None, callback: Any = None, steps: int = 25, **ignored: Any) -> Any:
    x = np.array(x0)
    for _ in range(steps):
        x = x - jac(x, *args) / L
        callback(OptimizeResult(x=x, fun=fun(x, *args)))
    return OptimizeResult(x=x, fun=fun(x, *args), success=True)


def watched(method: Any, **more: Any) -> Any:
    recorder = watch_scipy(f, np.zeros(4), jac=grad)
    minimize(f, np.zeros(4), jac=grad, method=method, callback=recorder, **more)
    return recorder


def test_a_method_that_is_gradient_descent_has_a_verdict_at_every_iterate() -> None:
    for verdict in check(ANY_STEPS, watched(descend).trace(facts=FACTS, **MINIMUM), smoothness=("D", "H", "L")):
        assert verdict.label == "HOLDS, numerical" and verdict.counts[Outcome.HOLDS] == 25


@pytest.mark.parametrize("method", ["BFGS", "CG", "L-BFGS-B", "Newton-CG"])
def test_scipys_own_methods_are_not_gradient_descent(method: str) -> None:
    for verdict in check(ANY_STEPS, watched(method).trace(facts=FACTS, **MINIMUM)):
        assert verdict.outcome is Outcome.VACUOUS and "), for any eta, off by" in verdict.reason


def test_a_function_that_returns_both_and_one_with_arguments_are_watched_too() -> None:
    def both(x: Any, scale: float) -> tuple[float, Any]:
        return scale * f(x), scale * grad(x)

    recorder = watch_scipy(both, np.zeros(4), jac=True, args=(2.0,))
    minimize(both, np.zeros(4), jac=True, args=(2.0,), method="BFGS", callback=recorder)
    assert len(recorder.x) > 3 and recorder.f[0] == 2 * f(np.zeros(4)) and "iterations" in repr(recorder)


def test_a_recorder_needs_the_gradient() -> None:
    with pytest.raises(NotARun, match=r"jac=False is no gradient: watch_scipy needs jac, a function for it; or jac=True"):
        watch_scipy(f, np.zeros(4), jac=False)
    with pytest.raises(NotARun, match=r"without jac there is no gradient to record: watch_scipy needs jac"):
        watch_scipy(f, np.zeros(4))
    with pytest.raises(NotARun, match=r"fun=3 is no function; watch_scipy needs the one that minimize is given"):
        watch_scipy(3, np.zeros(4))  # type: ignore[arg-type]
    with pytest.raises(NotARun, match=r"x0 has 4 coordinates; the method reports a point with 2"):
        watch_scipy(f, np.zeros(4), jac=grad)(OptimizeResult(x=np.zeros(2)))
