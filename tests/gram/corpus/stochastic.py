"""Stochastic and randomized convex minimization: here k is 0, for a step from x_0, and n is the number of components."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boundcheck import Bound
from boundcheck.theorems.performance_estimation import stochastic
from boundcheck.tightness.numbers import Numbers

from .comparing import Case


def at(claim: Bound, numbers: Numbers, *, slow: bool = False, **arguments: Any) -> Case:
    folder = "stochastic_and_randomized_convex_minimization"
    return Case(claim=claim, folder=folder, k=0, numbers=numbers, arguments=arguments, slow=slow)


def _sums() -> Iterator[Case]:
    for n, L, mu, gamma, v, R in ((5, 1, 0.1, 0.7, 1, 2), (2, 2, 0.5, 0.6, 2, 1)):
        numbers = Numbers(L=L, mu=mu, parameters={"gamma": gamma, "v": v, "R": R}, components=n)
        yield at(stochastic.sgd, numbers, L=L, mu=mu, gamma=gamma, v=v, R=R, n=n)
    for n, L, mu, gamma in ((5, 1, 0.1, 2.3), (2, 2, 0.5, 0.6)):
        numbers = Numbers(L=L, mu=mu, parameters={"gamma": gamma}, components=n)
        yield at(stochastic.sgd_overparametrized, numbers, L=L, mu=mu, gamma=gamma, n=n)
    for claim, own in ((stochastic.saga, 0.1), (stochastic.point_saga, 0.01)):
        for n, L, mu in ((2, 1, own), (3, 2, 0.5), (5, 1, own)):
            yield at(claim, Numbers(L=L, mu=mu, components=n), slow=n > 2, L=L, mu=mu, n=n)


def _blocks() -> Iterator[Case]:
    for d, t, L, gamma in ((2, 4, 1, 1), (3, 1, 2, 0.25)):
        numbers = Numbers(L=L, parameters={"gamma": gamma, "t": t}, components=d)
        yield at(stochastic.coordinates_convex, numbers, L=L, gamma=gamma, d=d, t=t)
    for d, L, mu, gamma in ((2, 1, 0.1, 1), (3, 2, 0.5, 0.25)):
        numbers = Numbers(L=L, mu=mu, parameters={"gamma": gamma}, components=d)
        yield at(stochastic.coordinates_strongly_convex, numbers, L=L, mu=mu, gamma=gamma, d=d)


CASES = (*_sums(), *_blocks())
