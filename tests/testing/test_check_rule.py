"""check_rule says no: each planted mistake is found by the check that should find it, and an honest rule passes."""

from __future__ import annotations

import math
import os
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck import step_rule
from boundcheck.language.letters import delta, eta, grad, i, normsq, x
from boundcheck.language.scalars import Parameter
from boundcheck.model.rule import Rule
from boundcheck.problems import CATALOGUE
from boundcheck.testing import ContractError, check_rule

PROBLEMS = [CATALOGUE[name]() for name in ("quadratic-2d", "smooth-abs")]
POLYAK = eta[i] == delta[i] / normsq(grad(x[i]))


@step_rule(follows="polyak(1)", needs=("infimum",))
def honest(run: Any) -> Any:
    return run.gap / run.grad_normsq


class Counts:
    """State that is made anew for every run: how many steps it has chosen."""

    def __init__(self) -> None:
        self.chosen = 0

    def step(self, run: Any) -> Any:
        self.chosen += 1
        return run.xp.scalar(Fraction(1, 20 * self.chosen))


def remembering() -> Any:
    """What the first problem gave is what all others get: the second run on each is the same as the first."""
    kept: dict[int, float] = {}

    def step(run: Any) -> Any:
        return kept.setdefault(run.k, 0.1 / float(np.abs(run.grad).max()))

    return step


def leaking() -> Any:
    kept: list[int] = []

    def leaks(run: Any) -> Any:
        kept.append(run.k)
        return 0.1 / len(kept)

    return leaks


def mutates(run: Any) -> Any:
    run.x[...] = run.x * 2
    return 0.1


def nan_at_3(run: Any) -> Any:
    return math.nan if run.k == 3 else 0.1


def capped(run: Any) -> Any:
    return run.xp.minimum(run.gap / run.grad_normsq, run.xp.scalar(Fraction(1, 10)))


def by_arithmetic(run: Any) -> Any:
    return run.xp.scalar(Fraction(1, 10) if run.xp.dtype is not object else Fraction(1, 5))


def over_the_batch(run: Any) -> Any:
    return 0.1 / (1 + float(np.linalg.norm(run.grad))) if run.xp.dtype is not object else run.xp.scalar(0.1)


def _rule(step: Any, **more: Any) -> Rule:
    return Rule(name="planted", step=step, **more)


PLANTED: dict[str, tuple[Any, str]] = {
    "state that leaks from run to run": (leaking(), "a fresh run has the same steps"),
    "state that leaks from problem to problem": (remembering(), "a fresh run has the same steps"),
    "random numbers": (lambda run: float(np.random.uniform(0.1, 0.2)), "when random numbers are seeded otherwise"),
    "x changed in place": (mutates, "changed run.x"),
    "NaN at k = 3": (nan_at_3, "returned nan at step 3"),
    "a negative step": (lambda run: -0.1, "it has steps"),
    "an infinite step": (lambda run: math.inf, "it has steps"),
    "a step of the wrong shape": (lambda run: np.ones(3), "it has steps"),
    "text": (lambda run: "fast", "it has steps"),
    "a failure": (lambda run: 1 / 0, "ZeroDivisionError"),
    "L read and not declared": (lambda run: 1 / run.L, 'declare needs=("L",)'),
    "f* read and not declared": (lambda run: run.gap / run.grad_normsq, 'declare needs=("infimum",)'),
    "L declared and never read": (step_rule(needs=("L",))(lambda run: 0.1), 'leave "L" out of needs'),
    "a hidden cap": (step_rule(follows="polyak(1)", needs=("infimum",))(capped), "the steps follow the declared formula"),
    "a hidden epsilon": (
        step_rule(follows="polyak(1)", needs=("infimum",))(lambda run: run.gap / (run.grad_normsq + 1e-8)),
        "the steps follow the declared formula",
    ),
    "a parameter without a value": (
        _rule(lambda run: run.gap / run.grad_normsq, follows=eta[i] == Parameter("gamma") * POLYAK.right, needs=("infimum",)),
        'declare parameters={"gamma": ...}',
    ),
    "not constant": (_rule(lambda run: run.xp.scalar(1) / run.xp.scalar(run.k + 10), constant=True), "declare constant=False"),
    "a batch that is not kept apart": (_rule(over_the_batch), "runs alone and in a batch agree"),
    "another formula in another arithmetic": (by_arithmetic, "other arithmetics give the same steps"),
    "a kind of method that nobody knows": (_rule(lambda run: 0.1, methods=("magic",)), "methods=('magic',)"),
}


@pytest.mark.parametrize("rule", [honest, Counts, "1/L"], ids=["function", "class", "library"])
def test_an_honest_rule_passes(rule: Any) -> None:
    assert check_rule(rule, problems=PROBLEMS, raise_error=False) == []


@pytest.mark.parametrize("mistake", PLANTED)
def test_a_planted_mistake_is_found(mistake: str) -> None:
    rule, words = PLANTED[mistake]
    found = [str(finding) for finding in check_rule(rule, problems=PROBLEMS, raise_error=False)]
    assert any(words in line for line in found), found


def test_all_findings_come_at_once_one_line_each() -> None:
    several = _rule(lambda run: (1 + run.k) / (10 * run.L), follows=eta[i] == 1 / normsq(grad(x[i])), constant=True)
    with pytest.raises(ContractError) as caught:
        check_rule(several, problems=PROBLEMS)
    said = str(caught.value).splitlines()
    assert len(said) == 1 + len(caught.value.findings) == 4
    assert said[0] == "rule 'planted' breaks its contract (3 findings):"


def test_what_is_no_rule_is_one_finding() -> None:
    for wrong, found in (
        (3, "found 3, of type int;"),
        (lambda: 0.1, "found <lambda> "),
        ("polyac(1)", "no method"),
    ):
        (finding,) = check_rule(wrong, raise_error=False)
        assert found in str(finding) and str(finding).count("needs a ") == 1


def test_a_rule_may_be_named() -> None:
    assert check_rule("polyak(1)", problems=PROBLEMS, raise_error=False) == []


def test_global_random_numbers_go_on_as_if_nothing_had_been_checked() -> None:
    np.random.seed(5)
    expected = np.random.uniform()
    np.random.seed(5)
    check_rule(honest, problems=PROBLEMS)
    assert np.random.uniform() == expected


def loops_at_2(run: Any) -> Any:
    while run.k == 2:
        pass
    return 0.1


def ends_the_program(run: Any) -> Any:
    os._exit(3)


@pytest.mark.parametrize(
    ("rule", "found"),
    [(loops_at_2, "no 8 steps on quadratic-2d in 1 s of computing"), (ends_the_program, "the program ended with exit code 3")],
)
def test_a_rule_that_loops_for_ever_or_ends_the_program_is_one_finding(
    rule: Any, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boundcheck.testing.rule.SECONDS", 1.0)
    (finding,) = check_rule(rule, problems=PROBLEMS, raise_error=False)
    assert finding.check == "it comes to an end" and found in finding.found
