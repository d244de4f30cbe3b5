"""Means to be AdGD (Malitsky and Mishchenko, 2020), but the bound on the growth of the steps is dropped."""

import numpy as np

from boundcheck import RunEnds, step_rule


@step_rule(follows="adgd(1/1000)")
def adgd(run):  # type: ignore[no-untyped-def]
    """eta_k = |x_k - x_{k-1}| / (2 |grad f(x_k) - grad f(x_{k-1})|), where min(sqrt(1 + theta) eta_{k-1}, that) is meant."""
    if run.before is None:
        return 0.001
    moved = np.linalg.norm(run.x - run.before.x)
    turned = np.linalg.norm(run.grad - run.before.grad)
    if turned == 0:
        raise RunEnds(f"the gradient did not change before step {run.k}")
    return moved / (2 * turned)


class Undeclared:
    """The same with state of its own, and without a word of what it means to be."""

    def __init__(self) -> None:
        self.x = self.grad = None

    def step(self, run):  # type: ignore[no-untyped-def]
        x, grad, self.x, self.grad = self.x, self.grad, run.x.copy(), run.grad.copy()
        if x is None:
            return 0.001
        turned = np.linalg.norm(run.grad - grad)
        if turned == 0:
            raise RunEnds(f"the gradient did not change before step {run.k}")
        return np.linalg.norm(run.x - x) / (2 * turned)
