"""scipy.optimize.minimize, watched through its callback: gradient descent, and a method that is something else."""

import numpy as np
from scipy.optimize import OptimizeResult, minimize

from boundcheck import Convex, Smooth, check, watch_scipy

rng = np.random.default_rng(0)
A = rng.standard_normal((40, 5))
labels = np.sign(A @ rng.standard_normal(5) + rng.standard_normal(40))
B = labels[:, None] * A


def f(x):
    return np.logaddexp(0, -B @ x).mean()


def grad(x):
    return -B.T @ (1 / (1 + np.exp(B @ x))) / len(B)


def gradient_descent(fun, x0, args=(), jac=None, callback=None, steps=50, eta=1.0, **ignored):
    """A method that minimize accepts: method=gradient_descent."""
    x = np.array(x0)
    for k in range(steps):
        x = x - eta / np.sqrt(k + 1) * jac(x, *args)
        callback(OptimizeResult(x=x, fun=fun(x, *args)))
    return OptimizeResult(x=x, fun=fun(x, *args), jac=jac(x, *args), nit=steps, success=True)


facts = (Convex(), Smooth(1.001 * np.linalg.norm(B, 2) ** 2 / (4 * len(B))))
best = minimize(f, np.zeros(5), jac=grad, method="BFGS", options={"gtol": 1e-12})
known = {"facts": facts, "x_star": best.x, "f_star": best.fun}

verdicts = {}
for method in (gradient_descent, "BFGS"):
    recorder = watch_scipy(f, np.zeros(5), jac=grad)
    minimize(f, np.zeros(5), jac=grad, method=method, callback=recorder)
    verdicts[method] = check("prop:convex-any-stepsize", recorder.trace(**known))
    print(verdicts[method], end="\n\n")
