"""Step-size rules. Each is its formula: no cap, no safeguard, no epsilon."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from boundcheck.arithmetic.base import Exact, Scalars
from boundcheck.language.letters import A, D, L, delta, eta, grad, i, inner, norm, normsq, x
from boundcheck.language.scalars import Parameter
from boundcheck.model.method import GRADIENT_DESCENT
from boundcheck.model.rule import Rule, RuleError
from boundcheck.model.run_view import RunView

gamma = Parameter("gamma")
ANY_STEP = (GRADIENT_DESCENT.kind, "accelerated")  # methods whose step is x^2/f
ANY = (*ANY_STEP, "normalized")


def constant(step: Exact) -> Rule:
    """eta_k = c."""
    return Rule(name=f"constant({step})", step=lambda run: run.xp.scalar(step), constant=True, methods=ANY_STEP)


def over_L(numerator: Exact = 1) -> Rule:
    """eta_k = c / L."""
    c = Fraction(numerator)
    return Rule(
        name=f"{c.numerator}/L" if c.denominator == 1 else f"{c.numerator}/({c.denominator}L)",
        follows=eta[i] == c / L,
        methods=ANY_STEP,
    )


def given(steps: Sequence[Exact], name: str = "given") -> Rule:
    """eta_k = the k-th of a given sequence."""
    if not steps:
        raise RuleError("rule 'given' has no steps; give at least one")

    def step(run: RunView) -> Scalars:
        if run.k >= len(steps):
            raise RuleError(
                f"rule '{name}' has {len(steps)} steps and was asked for number {run.k}; run fewer steps or give more"
            )
        return run.xp.scalar(steps[run.k])

    return Rule(name=name, step=step, methods=ANY)


def polyak(value: Exact = 1) -> Rule:
    """eta_k = gamma (f(x_k) - f*) / |grad f(x_k)|^2."""
    return Rule(
        name=f"polyak({Fraction(value)})",
        follows=eta[i] == gamma * delta[i] / normsq(grad(x[i])),
        parameters={"gamma": Fraction(value)},
    )


g = grad(x[i])
Bg = g - grad(x[i] - g)  # on a quadratic with Hessian B


def cauchy() -> Rule:
    """eta_k = |g|^2 / g'Bg, which is 1 / A(x_k, x_{k+1}) on a quadratic with Hessian B."""
    return Rule(
        name="cauchy",
        step=lambda run: run.grad_normsq / run.xp.dot(run.grad, run.hessian_times(run.grad)),
        curvature=lambda normsq, once, twice: normsq / once,
        follows=eta[i] == 1 / A(x[i], x[i + 1]),
        formula=eta[i] == normsq(g) / inner(g, Bg),
        implies=(eta[i] == 1 / A(x[i], x[i + 1]), eta[i] == 1 / A(x[i + 1], x[i])),
        needs=("quadratic",),
    )


def dai_yang() -> Rule:
    """eta_k = |g| / (2 |Bg|), which is 1 / D(x_k, x_{k+1}) on a quadratic with Hessian B."""
    return Rule(
        name="dai-yang",
        step=lambda run: run.xp.norm(run.grad) / (run.xp.scalar(2) * run.xp.norm(run.hessian_times(run.grad))),
        curvature=lambda normsq, once, twice: (normsq**0.5) / (2 * twice**0.5),
        follows=eta[i] == 1 / D(x[i], x[i + 1]),
        formula=eta[i] == norm(g) / (2 * norm(Bg)),
        implies=(eta[i] == 1 / D(x[i], x[i + 1]), eta[i] == 1 / D(x[i + 1], x[i])),
        needs=("quadratic",),
    )
