"""Monotone inclusions and variational inequalities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boundcheck import Bound
from boundcheck.model.refined_operators import MONOTONE_LIPSCHITZ_BY_TRIPLES
from boundcheck.theorems.performance_estimation import monotone, splittings, variational
from boundcheck.tightness.numbers import Numbers

from .comparing import Case

BY_TRIPLES = {"F": MONOTONE_LIPSCHITZ_BY_TRIPLES}


def at(
    claim: Bound,
    k: int,
    numbers: Numbers,
    *,
    printed: float | None = None,
    function: str = "",
    slow: bool = False,
    **arguments: Any,
) -> Case:
    return Case(
        claim=claim,
        folder="monotone_inclusions_variational_inequalities",
        k=k,
        numbers=numbers,
        arguments=arguments,
        slow=slow or k > 2,
        function=function,
        printed=printed,
    )


def _proximal_points() -> Iterator[Case]:
    for n, alpha in ((1, 2), (2, 2), (2, 0.5), (3, 2), (4, 2)):
        for claim in (monotone.proximal_point, monotone.accelerated_proximal_point):
            yield at(claim, n, Numbers(parameters={"alpha": alpha}), alpha=alpha, n=n)
    for n, mu in ((1, 0.05), (2, 0.05), (2, 0.5), (4, 0.05)):
        yield at(monotone.optimal_proximal_point, n, Numbers(mu=mu), mu=mu, n=n)


def _splittings() -> Iterator[Case]:
    for claim, settings in (
        (splittings.douglas_rachford_balanced, ((1, 0.1, 1.3, 0.9), (3, 0.1, 0.5, 1.7))),
        (splittings.douglas_rachford_strong, ((0.1, 5, 1, 0.5), (0.4, 9, 1, 0.3))),
        (splittings.douglas_rachford_otherwise, ((0.2, 2, 1, 0.7), (0.3, 2, 1, 0.7))),
    ):
        for L, mu, alpha, theta in settings:
            numbers = Numbers(L=L, mu=mu, parameters={"alpha": alpha, "theta": theta})
            arguments = {"L": L, "mu": mu, "alpha": alpha, "theta": theta}
            yield at(claim, 0, numbers, function="wc_douglas_rachford_splitting", **arguments)
    for claim, rate, settings_2 in (
        (splittings.douglas_rachford_2, None, ((1, 1, 1, 1),)),
        (splittings.douglas_rachford_2, 7 / 15, ((0.5, 0.5, 0.5, 1.6),)),  # where PEPit's own rate is another: see the claim
        (splittings.douglas_rachford_2_first, None, ((0.1, 2, 1, 0.5),)),
        (splittings.douglas_rachford_2_first, (1 - 0.5 * 0.025 / 1.025) ** 2, ((0.1, 2, 4, 0.5),)),
        (splittings.douglas_rachford_2_second, None, ((3, 3, 1, 1), (4, 3, 1, 0.5))),
        (splittings.douglas_rachford_2_third, None, ((1, 1, 1, 1.9), (1, 2, 1, 1.95))),
        (splittings.douglas_rachford_2_fourth, None, ((1.2, 0.1, 0.3, 1.5), (1.2, 0.1, 2, 1.5))),
    ):
        for beta, mu, alpha, theta in settings_2:
            numbers = Numbers(mu=mu, constants={"beta": beta}, parameters={"alpha": alpha, "theta": theta})
            arguments = {"beta": beta, "mu": mu, "alpha": alpha, "theta": theta}
            yield at(claim, 0, numbers, printed=rate, function="wc_douglas_rachford_splitting_2", **arguments)
    for L, mu, beta, alpha, theta in ((1, 0.1, 1, 0.9, 1.3), (2, 0.5, 0.5, 0.4, 1)):
        numbers = Numbers(L=L, mu=mu, constants={"beta": beta}, parameters={"alpha": alpha, "theta": theta, "tau": 1})
        arguments = {"L": L, "mu": mu, "beta": beta, "alpha": alpha, "theta": theta}
        yield at(splittings.three_operator_splitting, 0, numbers, printed=1, **arguments)


def _variational() -> Iterator[Case]:
    for n, gamma, L in ((1, 0.25, 1), (2, 0.25, 1), (2, 0.2, 2), (3, 0.25, 1), (4, 0.25, 1)):
        numbers = Numbers(L=L, parameters={"gamma": gamma, "tau": 1})
        for claim in (variational.optimistic_gradient, variational.past_extragradient):
            yield at(claim, n, numbers, printed=1, gamma=gamma, L=L, n=n)
    for n, gamma, L in ((1, 0.25, 1), (2, 0.25, 1)):  # PEPit takes a minute at n = 2
        numbers = Numbers(L=L, parameters={"gamma": gamma, "tau": 1}, descriptions=BY_TRIPLES)
        yield at(variational.optimistic_gradient_refined, n, numbers, printed=1, slow=True, gamma=gamma, L=L, n=n)
    for n, gamma, beta in ((1, 0.25, 0.25), (2, 0.25, 0.25), (1, 0.5, 1)):
        numbers = Numbers(constants={"beta": beta}, parameters={"gamma": gamma, "tau": 1})
        claim = variational.optimistic_gradient_refined_cocoercive
        yield at(claim, n, numbers, printed=1, slow=True, gamma=gamma, beta=beta, n=n)


CASES = (*_proximal_points(), *_splittings(), *_variational())
