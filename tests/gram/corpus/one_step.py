"""Adaptive methods, potential functions, continuous-time models and tutorials: what is said of one step, or of one instant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boundcheck.theorems.performance_estimation import (
    adaptive_methods,
    continuous_time,
    potential_functions,
    tutorials,
)
from boundcheck.tightness.numbers import Numbers

from .comparing import Case


def _cases() -> Iterator[Case]:
    for claim in (adaptive_methods.distance, adaptive_methods.values):
        for L, mu, eta in ((1.0, 0.1, 2 / 1.1), (2.0, 0.5, 0.75)):
            parameters = {"gamma": 2} if claim is adaptive_methods.distance else {}
            numbers = Numbers(steps=(eta,), L=L, mu=mu, parameters=parameters)
            arguments = {"L": L, "mu": mu, "gamma": eta}
            yield Case(claim=claim, folder="adaptive_methods", k=0, numbers=numbers, arguments=arguments)
    for n, L, mu, eta in ((1, 1.0, 0.1, 1.0), (2, 1.0, 0.1, 1.0), (2, 2.0, 0.5, 0.9)):
        numbers, arguments = Numbers(steps=(eta,), L=L, mu=mu), {"L": L, "mu": mu, "gamma": eta, "n": n}
        yield Case(claim=tutorials.contraction, folder="tutorials", k=n, numbers=numbers, arguments=arguments)


def _differences() -> Iterator[Case]:
    for folder, claim, numbers, arguments in (
        ("potential_functions", potential_functions.first, {"n": 10}, {"L": 1, "gamma": 1, "n": 10}),
        ("potential_functions", potential_functions.first, {"n": 1}, {"L": 2, "gamma": 0.5, "n": 1}),
        ("potential_functions", potential_functions.second, {"n": 10}, {"L": 1, "gamma": 1, "n": 10}),
        ("potential_functions", potential_functions.second, {"n": 1}, {"L": 2, "gamma": 0.5, "n": 1}),
        ("potential_functions", potential_functions.accelerated, {"lambda_0": 10}, {"L": 1, "gamma": 1, "lam": 10.0}),
        ("potential_functions", potential_functions.accelerated, {"lambda_0": 1}, {"L": 2, "gamma": 0.5, "lam": 1.0}),
        ("continuous_time_models", continuous_time.gradient_flow_convex, {"t": 2.5}, {"t": 2.5}),
        ("continuous_time_models", continuous_time.gradient_flow_convex, {"t": 1}, {"t": 1}),
        ("continuous_time_models", continuous_time.accelerated_flow_convex, {"t": 3.4}, {"t": 3.4}),
        ("continuous_time_models", continuous_time.accelerated_flow_convex, {"t": 1}, {"t": 1}),
    ):
        L: Any = arguments.get("L")
        given = Numbers(L=L, parameters=numbers)
        yield Case(claim=claim, folder=folder, k=0, numbers=given, arguments=arguments, is_difference=True)


def _rates_of_decrease() -> Iterator[Case]:
    for mu in (0.1, 1.0):
        for claim, more in (
            (continuous_time.gradient_flow_strongly_convex, {}),
            (continuous_time.accelerated_flow_strongly_convex, {"psd": True}),
            (continuous_time.accelerated_flow_faster, {"psd": False}),
        ):
            function = "" if claim.label.endswith("convex") else "wc_accelerated_gradient_flow_strongly_convex"
            yield Case(
                claim=claim,
                folder="continuous_time_models",
                k=0,
                numbers=Numbers(mu=mu),
                arguments={"mu": mu, **more},
                function=function,
                is_rate_of_decrease=True,
            )


CASES = (*_cases(), *_differences(), *_rates_of_decrease())
