"""Unconstrained convex minimization."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import exp, sqrt
from typing import Any

from boundcheck import Bound
from boundcheck.theorems.performance_estimation import (
    accelerated_methods,
    coordinate_descent,
    gradient_descent,
    line_searches,
    linear_operators,
    momentum,
    nonsmooth,
    silver_steps,
)
from boundcheck.tightness.numbers import Numbers

from .comparing import Case

FOLDER = "unconstrained_convex_minimization"


def at(claim: Bound, k: int, numbers: Numbers, *, slow: bool = False, function: str = "", **arguments: Any) -> Case:
    return Case(claim=claim, folder=FOLDER, k=k, numbers=numbers, arguments=arguments, slow=slow, function=function)


def smooth(claim: Bound, L: float, n: int, **more: Any) -> Case:
    """A method without numbers of its own, on smooth functions."""
    return at(claim, n, Numbers(L=L), L=L, n=n, **more)


def strong(claim: Bound, L: float, mu: float, n: int, **more: Any) -> Case:
    return at(claim, n, Numbers(L=L, mu=mu), L=L, mu=mu, n=n, **more)


def _gradient_descent() -> Iterator[Case]:
    for n, L, eta in ((1, 3.0, 1 / 3), (2, 1.0, 0.5), (4, 3.0, 1 / 3)):
        yield at(gradient_descent.smooth_convex, n, Numbers(steps=(eta,), L=L), L=L, gamma=eta, n=n, slow=n > 2)
    for n, L, mu, eta in ((1, 3.0, 0.3, 1 / 3), (2, 1.0, 0.1, 1.5), (4, 3.0, 0.3, 1 / 3)):
        numbers = Numbers(steps=(eta,), L=L, mu=mu)
        yield at(gradient_descent.quadratics, n, numbers, L=L, mu=mu, gamma=eta, n=n, slow=n > 2)
    for n, L, eta in ((1, 1.0, 0.2), (2, 2.0, 0.4), (4, 1.0, 0.2)):
        yield at(gradient_descent.bounded_above, n, Numbers(steps=(eta,), L=L), L=L, gamma=eta, n=n, slow=n > 2)
    for n, L in ((1, 1.0), (2, 3.0), (4, 1.0)):
        yield smooth(gradient_descent.decreasing, L, n, slow=n > 2)
    for n, L, mu, eta in ((1, 1.0, 0.1, 0.1), (2, 2.0, 0.5, 0.3), (4, 1.0, 0.1, 0.1)):
        numbers = Numbers(steps=(eta,), L=L, mu=mu)
        yield at(gradient_descent.restricted_secant, n, numbers, L=L, mu=mu, gamma=eta, n=n, slow=n > 2)


def _line_searches() -> Iterator[Case]:
    for n, L, mu in ((1, 1.0, 0.1), (2, 1.0, 0.1), (2, 3.0, 1.0)):
        yield strong(line_searches.exact_line_search, L, mu, n)
    for n, L, mu, eps in ((1, 1.0, 0.1, 0.1), (2, 1.0, 0.1, 0.1), (2, 3.0, 1.0, 0.5)):
        numbers = Numbers(L=L, mu=mu, parameters={"eps": eps})
        for claim in (line_searches.inexact_gradient, line_searches.inexact_line_search):
            yield at(claim, n, numbers, L=L, mu=mu, epsilon=eps, n=n)
    for n, L in ((1, 1.0), (2, 1.0), (3, 2.0)):
        yield smooth(line_searches.conjugate_gradients, L, n, slow=n > 2)
        yield smooth(line_searches.conjugate_gradients_bounded_above, L, n, slow=n > 2)


def _accelerated() -> Iterator[Case]:
    for n, L in ((1, 1.0), (2, 3.0), (4, 1.0)):
        for claim in (accelerated_methods.nesterov, accelerated_methods.simplified):
            yield at(claim, n, Numbers(L=L), L=L, mu=0, n=n, slow=n > 2)
        yield smooth(accelerated_methods.optimized, L, n, slow=n > 2)
        yield smooth(accelerated_methods.optimized_for_gradients, L, n, slow=n > 2)
    for n, L, mu in ((1, 1.0, 0.1), (2, 1.0, 0.1), (3, 4.0, 1.0)):
        yield strong(accelerated_methods.strongly_convex, L, mu, n, slow=n > 2)
        yield strong(momentum.triple_momentum, L, mu, n, slow=n > 2)
        yield strong(momentum.information_theoretic, L, mu, n, function="wc_information_theoretic", slow=n > 2)
    for n, L, eps in ((1, 1.0, 0.1), (2, 3.0, 0.5), (4, 1.0, 0.1)):
        numbers = Numbers(L=L, parameters={"eps": eps, "tau": 1})
        arguments = {"L": L, "epsilon": eps, "n": n}
        claim = accelerated_methods.inexact
        yield Case(claim=claim, folder=FOLDER, k=n, numbers=numbers, arguments=arguments, printed=L, slow=n > 2)


def _momentum() -> Iterator[Case]:
    for n, L, mu, eta in ((1, 1.0, 0.1, 0.5), (2, 1.0, 0.1, 0.5), (3, 2.0, 0.5, 0.2)):
        numbers, beta = Numbers(steps=(eta,), L=L, mu=mu), sqrt((1 - eta * mu) * (1 - L * eta))
        yield at(momentum.heavy_ball, n, numbers, mu=mu, L=L, alpha=eta, beta=beta, n=n, slow=n > 2)
    for n, L in ((1, 1.0), (2, 3.0), (4, 1.0)):
        yield smooth(momentum.heavy_ball_bounded_above, L, n, slow=n > 2)
    for L, mu, lam in ((1.0, 0.1, 0.2), (4.0, 1.0, 0.5)):
        yield at(momentum.robust_momentum, 0, Numbers(L=L, mu=mu, parameters={"lambda": lam}), mu=mu, L=L, lam=lam)


def _nonsmooth() -> Iterator[Case]:
    for n, M in ((1, 2.0), (2, 1.0), (4, 2.0)):
        numbers = Numbers(parameters={"R": 1}, constants={"M": M})
        yield at(nonsmooth.subgradient_method, n, numbers, M=M, n=n, gamma=1 / (M * sqrt(n + 1)), slow=n > 2)
    for n, M, eta, eps, R in ((1, 2.0, 0.5, 0.1, 1.0), (2, 1.0, 1.0, 0.5, 2.0), (3, 2.0, 0.5, 0.1, 1.0)):
        numbers = Numbers(steps=(eta,), parameters={"R": R, "eps": eps}, constants={"M": M})
        claim = nonsmooth.epsilon_subgradient_method
        yield at(claim, n, numbers, M=M, n=n, gamma=eta, eps=eps, R=R, slow=n > 2)
    for n, eta in ((1, 3.0), (2, 0.5), (4, 3.0)):
        yield at(nonsmooth.proximal_point, n, Numbers(steps=(eta,)), gamma=eta, n=n, slow=n > 2)
    for n, A0 in ((1, 5.0), (2, 1.0), (3, 5.0)):
        steps = [(i + 1) / 1.1 for i in range(n)]
        numbers = Numbers(steps=tuple(steps), parameters={"A_0": A0})
        yield at(nonsmooth.accelerated_proximal_point, n, numbers, A0=A0, gammas=steps, n=n, slow=n > 2)


CASES = (*_gradient_descent(), *_line_searches(), *_accelerated(), *_momentum(), *_nonsmooth())


def least_h(kappa: float, n: int) -> float:
    """The positive h with (1 - kappa) (1 - kappa h)^(2n+1) = 1 - (2n + 1) kappa h, by halving."""

    def difference(h: float) -> float:
        return (1 - kappa) * (1 - kappa * h) ** (2 * n + 1) - 1 + (2 * n + 1) * kappa * h

    low, high = 0.0, 1 / kappa
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if difference(middle) < 0 else (low, middle)
    return high


def _linear_operators() -> Iterator[Case]:
    kinds = {"gen": linear_operators.general, "sym": linear_operators.symmetric, "skew": linear_operators.skew_symmetric}
    # PEPit's programs have equations without an interior: it needs 10 s and more, and is wrong in the third figure
    for n, Lg, mug, LM, muM, eta in ((1, 3.0, 0.3, 1.0, 0.1, 1 / 3), (1, 1.0, 0.1, 2.0, 0.5, 0.25)):
        for kind, claim in kinds.items():
            constants = {"L_g": Lg, "mu_g": mug, "L_M": LM, "mu_M": muM}
            numbers = Numbers(steps=(eta,), parameters={"h_0": least_h(mug / Lg, n)}, constants=constants)
            given = {"mug": mug, "Lg": Lg, "typeM": kind, "muM": muM if kind == "sym" else 0.0, "LM": LM, "gamma": eta, "n": n}
            made = Case(claim=claim, folder=FOLDER, k=n, numbers=numbers, arguments=given, near=5e-3, slow=True)
            yield replace(made, function="wc_gradient_descent_lc")


CASES = (*CASES, *_linear_operators())


def _silver_steps() -> Iterator[Case]:
    for n, L in ((1, 10.0), (3, 2.0), (7, 10.0)):
        yield smooth(silver_steps.convex, L, n, slow=n > 3)
    for n, L, mu in ((1, 3.2, 0.1), (2, 1.0, 0.2), (4, 3.2, 0.1), (8, 3.2, 0.1)):
        yield strong(silver_steps.strongly_convex, L, mu, n, slow=n > 2)
    function, rho = "wc_gradient_descent_silver_stepsize_strongly_convex", 1 + sqrt(2)
    for claim, n, printed in (
        (silver_steps.few_steps, 2, exp(-rho / 32)),
        (silver_steps.few_steps, 4, exp(-(rho**2) / 32)),
        (silver_steps.many_steps, 8, exp(-8 / 4 * rho**2 / 32)),
    ):
        yield replace(strong(claim, 3.2, 0.1, n, function=function, slow=n > 2), printed=printed)


CASES = (*CASES, *_silver_steps())


def _coordinate_descent() -> Iterator[Case]:
    for n, L in ((1, [1.0, 2.0, 10.0]), (3, [1.0, 2.0, 10.0]), (2, [2.0, 1.0, 1.0]), (4, [1.0, 2.0, 10.0])):
        numbers = Numbers(components=3, parameters={"tau": 1}, constants={f"L_{i + 1}": own for i, own in enumerate(L)})
        made = at(coordinate_descent.cyclic, n, numbers, L=L, n=n, slow=n > 2)
        yield replace(made, printed=L[0])


CASES = (*CASES, *_coordinate_descent())
