"""Adaptive methods, potential functions, continuous-time models and tutorials: what is said of one step, or of one instant."""

from __future__ import annotations

from collections.abc import Iterator

from boundcheck.theorems.performance_estimation import adaptive_methods, tutorials
from boundcheck.tightness.numbers import Numbers

from .comparing import Case


def _cases() -> Iterator[Case]:
    for claim in (adaptive_methods.distance, adaptive_methods.values):
        for L, mu, eta in ((1.0, 0.1, 2 / 1.1), (2.0, 0.5, 0.75)):
            numbers, arguments = Numbers(steps=(eta,), L=L, mu=mu), {"L": L, "mu": mu, "gamma": eta}
            yield Case(claim=claim, folder="adaptive_methods", k=0, numbers=numbers, arguments=arguments)
    for n, L, mu, eta in ((1, 1.0, 0.1, 1.0), (2, 1.0, 0.1, 1.0), (2, 2.0, 0.5, 0.9)):
        numbers, arguments = Numbers(steps=(eta,), L=L, mu=mu), {"L": L, "mu": mu, "gamma": eta, "n": n}
        yield Case(claim=tutorials.contraction, folder="tutorials", k=n, numbers=numbers, arguments=arguments)


CASES = tuple(_cases())
