"""Composite convex minimization: proximal gradient methods, splittings, Bregman steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boundcheck import Bound
from boundcheck.theorems.performance_estimation import bregman, composite_gradients, composite_splitting
from boundcheck.tightness.numbers import Numbers

from .comparing import NEAR, Case

FOLDER = "composite_convex_minimization"


def at(claim: Bound, k: int, numbers: Numbers, *, printed: float | None = None, near: float = NEAR, **arguments: Any) -> Case:
    said = {**arguments, "n": k}
    slow = k > 2
    return Case(claim=claim, folder=FOLDER, k=k, numbers=numbers, arguments=said, printed=printed, slow=slow, near=near)


def _gradients() -> Iterator[Case]:
    for n, L in ((1, 1.0), (2, 1.0), (2, 3.0), (4, 1.0)):
        for claim in (composite_gradients.fista, composite_gradients.simplified):
            yield at(claim, n, Numbers(L=L), L=L, mu=0)
    for n, L, mu, gamma in ((1, 1.0, 0.1, 1.0), (2, 1.0, 0.1, 1.0), (2, 2.0, 0.5, 0.75), (4, 1.0, 0.1, 1.0)):
        for claim in (composite_gradients.proximal_gradient, composite_gradients.quadratics):
            yield at(claim, n, Numbers(L=L, mu=mu, parameters={"gamma": gamma}), L=L, mu=mu, gamma=gamma)
    for n, L, D in ((1, 1.0, 1.0), (2, 1.0, 1.0), (2, 2.0, 3.0), (4, 1.0, 1.0)):
        numbers = Numbers(L=L, constants={"D": D})
        yield at(composite_gradients.frank_wolfe, n, numbers, L=L, D=D, R=float("inf"), center=None)


def _splittings() -> Iterator[Case]:
    for n, L, alpha, theta in ((1, 1.0, 1.0, 1.0), (2, 1.0, 1.0, 1.0), (2, 2.0, 0.7, 0.5), (4, 1.0, 1.0, 1.0)):
        numbers = Numbers(L=L, parameters={"alpha": alpha, "theta": theta, "tau": 1})
        yield at(composite_splitting.douglas_rachford, n, numbers, printed=1.0, L=L, alpha=alpha, theta=theta)
    for n, L, mu, alpha in ((1, 1.0, 0.1, 3.0), (2, 1.0, 0.1, 3.0), (2, 2.0, 0.5, 1.0), (4, 1.0, 0.1, 3.0)):
        numbers = Numbers(L=L, mu=mu, parameters={"alpha": alpha})
        yield at(composite_splitting.contraction, n, numbers, L=L, mu=mu, alpha=alpha, theta=1)
    for n, L, mu, alpha in ((1, 1.0, 0.1, 0.9), (2, 1.0, 0.1, 0.9), (2, 2.0, 0.5, 0.3), (4, 1.0, 0.1, 0.9)):
        numbers = Numbers(L=L, mu=mu, parameters={"alpha": alpha, "tau": 1})
        yield at(composite_splitting.accelerated, n, numbers, printed=1.0, L=L, mu=mu, alpha=alpha)
    for n, L, mu, alpha, theta in (
        (1, 10.0, 0.1, 1.0, 1.0),
        (2, 10.0, 0.1, 1.0, 1.0),
        (1, 4.0, 0.5, 0.5, 1.3),
        (4, 10.0, 0.1, 1.0, 1.0),
    ):
        numbers = Numbers(L=L, mu=mu, constants={"L_g": 1}, parameters={"alpha": alpha, "theta": theta, "tau": 1})
        arguments = {"mu1": mu, "L1": L, "L3": 1, "alpha": alpha, "theta": theta}
        yield at(composite_splitting.three_operators, n, numbers, printed=1.0, **arguments)


def _bregman() -> Iterator[Case]:
    for n, gamma in ((1, 3.0), (2, 3.0), (2, 0.5), (4, 3.0)):
        yield at(bregman.proximal_point, n, Numbers(parameters={"gamma": gamma}), gamma=gamma)
    for n, L, gamma in ((1, 1.0, 0.5), (2, 1.0, 0.5), (2, 2.0, 0.5), (4, 1.0, 0.5)):
        yield at(bregman.in_values, n, Numbers(parameters={"L_h": L, "gamma": gamma}), L=L, gamma=gamma)
    for n, L, gamma in ((2, 1.0, 1.0), (2, 2.0, 0.25), (3, 1.0, 1.0), (4, 1.0, 1.0)):
        yield at(bregman.in_divergence, n, Numbers(parameters={"L_h": L, "gamma": gamma}), L=L, gamma=gamma)
    for n, L, c in ((1, 1.0, 1.0), (2, 1.0, 1.0), (2, 2.0, 1.5), (4, 1.0, 1.0)):
        numbers = Numbers(L=L, constants={"mu_h": 1}, parameters={"c": c})
        printed = 4 * L / (c * n**2)  # PEPit computes it with n + 1 in the place of the n that it prints
        yield at(bregman.interior, n, numbers, printed=printed, near=1e-3, L=L, mu=1, c=c, lam=1 / L)


CASES = (*_gradients(), *_splittings(), *_bregman())
