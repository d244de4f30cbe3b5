"""What PEPit looks for in few dimensions: its value is that of the program before it reduces the dimension."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boundcheck import Bound
from boundcheck.theorems.performance_estimation import low_dimensional, projections
from boundcheck.tightness.numbers import Numbers

from .comparing import Case

FOLDER = "low_dimensional_worst_cases_scenarios"


def at(claim: Bound, k: int, numbers: Numbers, *, slow: bool = True, printed: float | None = None, **arguments: Any) -> Case:
    said = {**arguments, "n": k}
    return Case(claim=claim, folder=FOLDER, k=k, numbers=numbers, arguments=said, printed=printed, slow=slow)


def _cases() -> Iterator[Case]:
    for n in (1, 2, 3):
        for claim in (projections.alternate, projections.averaged, projections.dykstra):
            yield at(claim, n, Numbers(parameters={"tau": 1}), printed=1.0, slow=n > 1)
        yield at(low_dimensional.halpern, n, Numbers(), slow=n > 1)
    for n, L, D in ((1, 1.0, 1.0), (2, 2.0, 3.0)):
        yield at(low_dimensional.frank_wolfe, n, Numbers(L=L, constants={"D": D}), L=L, D=D)
    for n, L in ((1, 1.0), (2, 1.0), (2, 3.0)):
        yield at(low_dimensional.gradient_descent_proved, n, Numbers(L=L), slow=n > 1, L=L, gamma=1 / L)
        numbers = Numbers(L=L, parameters={"gamma": 0.5 / L})
        yield at(low_dimensional.gradient_descent, n, numbers, L=L, gamma=0.5 / L)
    for n, L in ((1, 3.0), (2, 3.0), (2, 1.0)):
        yield at(low_dimensional.optimized_gradient, n, Numbers(L=L), slow=n > 1, L=L)
    for n, L, mu, eps in ((1, 1.0, 0.1, 0.1), (2, 2.0, 0.5, 0.3)):
        numbers = Numbers(L=L, mu=mu, parameters={"epsilon": eps})
        yield at(low_dimensional.inexact_gradient, n, numbers, L=L, mu=mu, epsilon=eps)
    for n, alpha in ((1, 2.2), (2, 2.2), (2, 1.0), (4, 2.2)):
        yield at(low_dimensional.proximal_point, n, Numbers(parameters={"alpha": alpha}), slow=n > 2, alpha=alpha)


CASES = tuple(_cases())
