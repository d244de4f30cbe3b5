"""Functions that need not be convex."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boundcheck import Bound
from boundcheck.model.lojasiewicz import LOJASIEWICZ_BY_MATRICES, LOJASIEWICZ_BY_PARTS, LOJASIEWICZ_COMBINED
from boundcheck.theorems.performance_estimation import bregman, nonconvex
from boundcheck.tightness.numbers import Numbers

from .comparing import Case

FOLDER = "nonconvex_optimization"
NAIVE, INTERMEDIATE, EXPENSIVE = LOJASIEWICZ_BY_PARTS, LOJASIEWICZ_COMBINED, LOJASIEWICZ_BY_MATRICES


def at(claim: Bound, k: int, numbers: Numbers, *, function: str = "", printed: float | None = None, **arguments: Any) -> Case:
    said = {**arguments, "n": k}
    return Case(claim=claim, folder=FOLDER, k=k, numbers=numbers, arguments=said, printed=printed, function=function, slow=k > 2)


def _cases() -> Iterator[Case]:
    for n, L in ((1, 1.0), (2, 1.0), (2, 3.0), (4, 1.0)):
        yield at(nonconvex.gradient_descent_proved, n, Numbers(L=L), L=L, gamma=1 / L)
        yield at(nonconvex.gradient_descent, n, Numbers(L=L, parameters={"gamma": 0.5 / L}), L=L, gamma=0.5 / L)
    for n, L, gamma in ((1, 1.0, 0.5), (2, 1.0, 0.5), (2, 2.0, 0.25), (4, 1.0, 0.5)):
        yield at(bregman.nonconvex_forward, n, Numbers(parameters={"L_h": L, "gamma": gamma}), L=L, gamma=gamma)
    for n, L, gamma in ((1, 1.0, 1.0), (2, 1.0, 1.0), (2, 2.0, 0.25), (4, 1.0, 1.0)):
        yield at(bregman.nonconvex_backward, n, Numbers(parameters={"L_h": L, "gamma": gamma}), L=L, gamma=gamma)
    for n, (L1, L2, mu1, mu2) in ((1, (2.0, 5.0, 0.15, 0.1)), (2, (2.0, 5.0, 0.15, 0.1)), (2, (5.0, 2.0, 0.3, 0.1))):
        claim = nonconvex.dca if L1 >= L2 else nonconvex.dca_flat
        numbers = Numbers(constants={"L_1": L1, "L_2": L2, "mu_1": mu1, "mu_2": mu2})
        arguments = {"L1": L1, "L2": L2, "mu1": mu1, "mu2": mu2, "alpha": 0}
        yield at(claim, n, numbers, function="wc_difference_of_convex_algorithm", **arguments)


def _lojasiewicz() -> Iterator[Case]:
    short = (nonconvex.naive_short, nonconvex.intermediate_short, nonconvex.expensive_short)
    middle = (nonconvex.naive_middle, nonconvex.intermediate_middle, nonconvex.expensive_middle)
    long = (nonconvex.naive_long, nonconvex.intermediate_long, nonconvex.expensive_long)
    for claims, n, L, mu, gamma in (
        (short, 1, 1.0, 0.2, 1.0),
        (short, 2, 1.0, 0.2, 1.0),
        (middle, 1, 2.0, 0.5, 0.8),
        (long, 1, 1.0, 0.2, 1.9),
    ):
        for claim, about, name in zip(
            claims, (NAIVE, INTERMEDIATE, EXPENSIVE), ("naive", "intermediate", "expensive"), strict=True
        ):
            numbers = Numbers(L=L, mu=mu, parameters={"gamma": gamma}, descriptions={"f": about})
            combined = {"alpha": 2 * mu / (2 * L + mu)} if name == "intermediate" else {}
            function = f"wc_gradient_descent_quadratic_lojasiewicz_{name}"
            yield at(claim, n, numbers, function=function, L=L, mu=mu, gamma=gamma, **combined)


CASES = (*_cases(), *_lojasiewicz())
