"""Fixed point problems."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from boundcheck import Bound
from boundcheck.theorems.performance_estimation import fixed_points
from boundcheck.tightness.numbers import Numbers

from .comparing import Case

KRASNOSELSKII_MANN = "wc_krasnoselskii_mann_constant_step_sizes"


def at(claim: Bound, k: int, numbers: Numbers, **more: Any) -> Case:
    slow, function, printed = k > 2, more.pop("function", ""), more.pop("printed", None)
    return Case(
        claim=claim,
        folder="fixed_point_problems",
        k=k,
        numbers=numbers,
        arguments={"n": k, **more},
        slow=slow,
        function=function,
        printed=printed,
    )


def _cases() -> Iterator[Case]:
    for n in (1, 2, 3, 4):
        yield at(fixed_points.halpern_iteration, n, Numbers())
        yield at(fixed_points.increasing_averages, n, Numbers(parameters={"tau": 1}), printed=1)
    for n in (1, 2):  # the worst case is only approached: at n = 3 the solvers' answers differ by 7e-4
        yield at(fixed_points.inconsistent_halpern_iteration, n, Numbers())
    for n, gamma in ((1, 1.1), (2, 1.1), (2, 2.0), (4, 1.1)):
        numbers = Numbers(L=1 / Fraction(str(gamma)))
        yield at(fixed_points.optimal_contractive_halpern_iteration, n, numbers, gamma=gamma)
    for claim, settings in (
        (fixed_points.constant_averages, ((1, 0.75), (2, 0.75), (2, 0.5), (3, 0.75), (4, 0.9))),
        (fixed_points.near_one, ((1, 0.99), (2, 1.0), (3, 0.98))),
    ):
        for n, gamma in settings:
            yield at(claim, n, Numbers(parameters={"gamma": gamma}), gamma=gamma, function=KRASNOSELSKII_MANN)


CASES = tuple(_cases())
