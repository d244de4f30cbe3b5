"""Gradient descent by hand, in NumPy: arrays as anybody would record them."""

from __future__ import annotations

from typing import Any

import numpy as np

from boundcheck.model.problem import Convex, Differentiable, Smooth

RNG = np.random.default_rng(7)
A = RNG.standard_normal((30, 4))
B = A * np.sign(A @ RNG.standard_normal(4) + RNG.standard_normal(30))[:, None]
L = 1.001 * float(np.linalg.norm(B, 2)) ** 2 / (4 * len(B))
FACTS = (Convex(), Differentiable(), Smooth(L))


def f(x: Any) -> float:
    return float(np.logaddexp(0, -B @ x).mean())


def grad(x: Any) -> Any:
    return -B.T @ (1 / (1 + np.exp(B @ x))) / len(B)


def minimum() -> tuple[Any, float]:
    x = np.zeros(4)
    for _ in range(60):
        s = 1 / (1 + np.exp(B @ x))
        x = x - np.linalg.solve((B * (s * (1 - s))[:, None]).T @ B / len(B), grad(x))
    return x, f(x)


X_STAR, F_STAR = minimum()
MINIMUM = {"x_star": X_STAR, "f_star": F_STAR}


def steps(count: int) -> Any:
    return np.array([(1.5 if k % 3 else 0.4) / L for k in range(count)])


def arrays(count: int = 40, momentum: float = 0.0, decay: float = 0.0, scale: float = 1.0) -> dict[str, Any]:
    """x, f, grad, eta of a run; with momentum or weight decay it is no gradient descent."""
    x, eta, velocity = np.zeros(4), scale * steps(count), np.zeros(4)
    points = [x]
    for k in range(count):
        velocity = momentum * velocity + grad(x) + decay * x
        x = x - eta[k] * velocity
        points.append(x)
    return {"x": np.stack(points), "f": np.array([f(p) for p in points]), "grad": np.stack([grad(p) for p in points]), "eta": eta}
