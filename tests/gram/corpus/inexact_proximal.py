"""Proximal steps with errors."""

from __future__ import annotations

from collections.abc import Iterator

from boundcheck.theorems.performance_estimation import inexact_proximal
from boundcheck.tightness.numbers import Numbers

from .comparing import Case

FOLDER = "inexact_proximal_methods"


def _cases() -> Iterator[Case]:
    for n, L, zeta in ((1, 1.3, 0.45), (2, 1.3, 0.45), (2, 1.0, 0.8), (3, 1.3, 0.45)):
        numbers, arguments = Numbers(L=L, parameters={"zeta": zeta}), {"L": L, "zeta": zeta, "n": n}
        claim = inexact_proximal.forward_backward
        yield Case(claim=claim, folder=FOLDER, k=n, numbers=numbers, arguments=arguments, slow=n > 2)
    for n, L, mu, gamma, sigma in (
        (1, 5.0, 0.1, 1.4, 0.2),
        (2, 5.0, 0.1, 1.4, 0.2),
        (2, 2.0, 0.5, 1.0, 0.5),
        (4, 5.0, 0.1, 1.4, 0.2),
    ):
        numbers = Numbers(L=L, mu=mu, parameters={"gamma": gamma, "sigma": sigma})
        arguments = {"L": L, "mu": mu, "gamma": gamma, "sigma": sigma, "n": n}
        claim = inexact_proximal.douglas_rachford
        yield Case(claim=claim, folder=FOLDER, k=n, numbers=numbers, arguments=arguments, slow=n > 2)
    for n, gamma, sigma in ((1, 10.0, 0.65), (2, 10.0, 0.65), (2, 1.0, 0.3), (4, 10.0, 0.65)):
        numbers = Numbers(parameters={"gamma": gamma, "sigma": sigma})
        arguments = {"gamma": gamma, "sigma": sigma, "n": n}
        claim = inexact_proximal.proximal_point
        yield Case(claim=claim, folder=FOLDER, k=n, numbers=numbers, arguments=arguments, slow=n > 2)


CASES = tuple(_cases())
