"""A copy of a problem that counts the points at which its oracles are asked."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.model.problem import Problem

RECENT = 4
KINDS = ("f", "gradient", "Hessian", "chord")
ORACLES = {  # f(x) - f* costs a value of f, and so does the Bregman distance from a point where f is known
    "f": "f",
    "gap": "f",
    "bregman": "f",
    "grad": "gradient",
    "hessian_vector": "Hessian",
    "chord": "chord",
}
ALONG = ("bregman", "hessian_vector", "chord")  # these read a direction too


def counted(problem: Problem, calls: NDArray[np.int64]) -> Problem:
    """The same problem; each call adds to the entry of its kind in `calls`, in the order of KINDS.

    A point that was asked for a moment ago costs nothing: whoever asks could have kept the answer.
    """
    recent = [deque[tuple[bytes, ...]](maxlen=RECENT) for _ in KINDS]
    changes: dict[str, Any] = {
        name: _counting(oracle, calls, KINDS.index(kind), recent[KINDS.index(kind)], name in ALONG)
        for name, kind in ORACLES.items()
        if (oracle := getattr(problem, name)) is not None
    }
    return replace(problem, **changes)


def _counting(
    oracle: Callable[..., Any], calls: NDArray[np.int64], kind: int, recent: deque[tuple[bytes, ...]], along: bool
) -> Callable[..., Any]:
    def asked(xp: Any, x: Any, *others: Any) -> Any:
        if isinstance(x, np.ndarray):  # an enclosure is read by whoever records the run
            key = (x.tobytes(), others[0].tobytes()) if along else (x.tobytes(),)
            if key not in recent:
                recent.append(key)
                calls[kind] += 1 if x.ndim < 2 else int(np.prod(x.shape[:-1]))
        return oracle(xp, x, *others)

    return asked
