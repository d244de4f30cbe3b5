"""The audit is a judge: right rules are not called wrong, and what it overlooked once it sees now."""

import math
import re
from itertools import count

import numpy as np
import pytest

from boundcheck import RunEnds, step_rule
from boundcheck.audit.audit import audit
from boundcheck.audit.behaviour import not_deterministic
from boundcheck.audit.number_names import apart
from boundcheck.language.letters import K, L, eta, f, grad, i, inner, normsq, sqrt, x
from tests.audit import table

SEEN: dict = {}
TWO = ["quadratic-2d", "quadratic-3d"]


def said(rule, problems, **more):
    return audit(rule, problems, quick=True, **{"steps": 40, **more})


# -- slander -------------------------------------------------------------------------------------------------------------------


@step_rule(needs=("L",))
def cosine(run):
    return 0.5 * (1 + math.cos(math.pi * run.k / run.steps)) / float(run.L)


@step_rule(follows=eta[i] == 1 / (L * sqrt(K)), needs=("L",))
def by_horizon(run):
    return 1 / (float(run.L) * math.sqrt(run.steps))


@pytest.mark.parametrize("rule", [cosine, by_horizon])
def test_a_schedule_that_reads_the_horizon_is_deterministic(rule):
    found = said(rule, TWO, steps=60)
    assert found.word == "CLEAN" and not found.differs, found.verdict


def bisected(run, widths=200):
    g, high = run.grad, 1.0
    while run.grad_at(run.x - high * g) @ g > 0:
        high *= 2
    low = 0.0
    for _ in range(widths):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if run.grad_at(run.x - middle * g) @ g > 0 else (low, middle)
    return (low + high) / 2


@pytest.mark.parametrize("follows", ["exact-line-search", inner(grad(x[i]), grad(x[i + 1])) == 0])
@pytest.mark.parametrize("problem", ["smooth-abs", "smooth-abs-1/100", "logistic-40x5", "huber"])
def test_an_exact_line_search_is_right_up_to_the_minimiser(follows, problem):
    found = said(step_rule(follows=follows)(lambda run: bisected(run)), problem)
    assert found.word in ("CLEAN", "NOTHING TO SAY"), found.verdict


def test_a_coarse_line_search_is_not_exact():
    found = said(step_rule(follows="exact-line-search")(lambda run: bisected(run, 10)), "logistic-40x5")
    assert found.word == "WRONG", found.verdict


@pytest.mark.parametrize("problem", ["parabola", "isotropic-4d", "huber", "quartic"])
@pytest.mark.parametrize("by_hand", [False, True])
def test_a_formula_that_is_0_over_0_at_the_minimiser_ends_the_run(problem, by_hand):
    def polyak(run):
        gap = float(run.f) - float(run.f_star) if by_hand else run.gap
        return gap / float(run.grad @ run.grad)

    found = said(polyak, problem, steps=100)
    assert not found.errors, found.errors


def test_a_rule_that_fails_before_the_run_is_over_is_faulty():
    found = said(lambda run: 0.1 if run.k < 3 else math.nan, "quadratic-2d")
    assert found.word == "FAULTY" and "step 3" in found.verdict


class AdGD2023:
    def __init__(self):
        self.theta = 1 / 3

    def step(self, run):
        if run.before is None:
            return 1e-3
        s, y, before = run.x - run.before.x, run.grad - run.before.grad, run.before.eta
        under = 2 * (y @ y) / (s @ s) - 1 / before**2
        step = min(math.sqrt(2 / 3 + self.theta) * before, math.inf if under <= 0 else 1 / math.sqrt(under))
        self.theta = step / before
        return step


@pytest.mark.parametrize("problem", ["parabola", "half-square", "quadratic-2d"])
def test_a_run_that_ends_earlier_when_it_is_made_again_is_cut_there(problem):
    found = said(AdGD2023, problem, steps=100)
    assert found.word == "CLEAN", found.verdict
    assert all(len(one.adapted) == 3 for one in found.behaviours)


# -- false clean ---------------------------------------------------------------------------------------------------------------


def adgd(first):
    def step(run):
        if run.before is None:
            return first
        y = np.linalg.norm(run.grad - run.before.grad)
        if y == 0:
            raise RunEnds("linear")
        local = run.before.eta * np.linalg.norm(run.before.grad) / (2 * y)
        if run.before.before is None:
            return local
        return min(math.sqrt(1 + run.before.eta / run.before.before.eta) * run.before.eta, local)

    return step


def test_the_first_step_is_part_of_what_a_named_rule_declares():
    assert said(step_rule(follows="adgd(1/10)")(adgd(0.1)), TWO).word == "CLEAN"
    found = said(step_rule(follows="adgd(1/10)")(adgd(0.001)), TWO)
    assert found.word == "WRONG" and "it begins otherwise: 1e-3 where adgd(1/10) has 1/10, at step 0" in found.verdict
    assert found.diagnosis.kind == "begins otherwise"


def test_a_name_without_brackets_leaves_the_first_step_open():
    assert said(step_rule(follows="adgd")(adgd(0.02)), TWO).word == "CLEAN"
    assert said(adgd(0.02), TWO, follows="adgd").word == "CLEAN"
    assert said(adgd(0.02), TWO, follows="adgd(1/1000)").word == "WRONG"


@step_rule(needs=("L",))
def keeps_by_index(run):
    return SEEN.setdefault(run.k, 1 / float(run.L))


class InTheClass:
    largest = 0.0

    def step(self, run):
        type(self).largest = max(type(self).largest, float(np.sqrt(run.grad_normsq)))
        return 0.01 / type(self).largest


@pytest.mark.parametrize("rule", [keeps_by_index, InTheClass])
def test_state_that_leaks_from_one_problem_to_another_is_seen(rule):
    found = said(rule, TWO)
    assert found.word == "NOT DETERMINISTIC" and "the second after a run on" in found.verdict, found.verdict


def test_a_leak_is_seen_whichever_problem_comes_first():
    """Only the order with the smaller L last tells: the smallest 1/L of all runs so far."""
    for order in (TWO, TWO[::-1]):
        seen = []

        def least(run, seen=seen):
            seen.append(1 / float(run.L))
            return min(seen)

        assert said(step_rule(needs=("L",))(least), order).word == "NOT DETERMINISTIC"


def test_a_rule_that_resets_what_it_keeps_is_deterministic():
    class Reset:
        eta = 0.01

        def step(self, run):
            type(self).eta = 0.01 if run.k == 0 else type(self).eta * 1.01
            return type(self).eta

    assert not said(Reset, TWO).differs


def test_steps_in_single_precision_are_told_and_numbers_that_are_single_anyway_are_not():
    single = step_rule(follows="1/L", needs=("L",))(lambda run: float(np.float32(1 / float(run.L))))
    found = said(single, ["quadratic-2d", "quadratic-3d", "rank-deficient-6d"])
    assert found.word == "WRONG" and "in single precision" in found.verdict, found.verdict
    assert said("1/L", ["isotropic-4d", "huber"]).word == "CLEAN"  # 1/2 and 1


# -- the same line every time ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rule", [cosine, InTheClass, step_rule(follows="polyak(1)")(lambda run: min(run.gap / run.grad_normsq, 0.2))]
)
def test_three_audits_have_the_same_text(rule):
    texts = {repr(audit(rule, ["quadratic-2d", "huber", "logistic-40x5"], steps=12)) for _ in range(3)}
    assert len(texts) == 1


def test_a_busy_machine_changes_nothing(monkeypatch):
    """Each look at the clock is later than the last by a random time."""
    from boundcheck.audit import path

    lines = set()
    for seed in (0, 1):
        ticks, rng = count(), np.random.default_rng(seed)
        monkeypatch.setattr(path.time, "perf_counter", lambda ticks=ticks, rng=rng: next(ticks) + rng.uniform())
        lines.add(said(keeps_by_index, ["quadratic-3d", "huber", "quadratic-2d"], steps=12).verdict)
    assert len(lines) == 1
    assert "seconds" not in not_deterministic.__code__.co_names


# -- words ----------------------------------------------------------------------------------------------------------------------


def test_two_numbers_are_printed_with_digits_that_tell_them_apart():
    assert apart(1.80812, 1.80814) == ("1.80812", "1.80814")
    assert apart(0.25, 0.25000001) == ("0.25", "0.25000001")
    assert apart(1 / 3, 2 / 3) == ("0.3333", "0.6667")


def test_a_hypothesis_that_fails_makes_a_theorem_not_applicable_and_not_undecided():
    found = audit(
        step_rule(follows="polyak(1/2)")(lambda run: run.gap / (2 * run.grad_normsq)), ["quadratic-2d", "huber"], steps=20
    )
    for theorem in found.checked.theorems:
        assert theorem.word != "UNDECIDED" or " fails at " not in theorem.reason, (theorem.bound.id, theorem.reason)
    assert any(theorem.word == "DOES NOT APPLY" and "fails at step 3" in theorem.reason for theorem in found.checked.theorems)


def test_an_error_in_a_rule_names_its_file_and_line():
    case = next(case for case in table.cases() if case.name == "undefined_later")
    found = said(case.rule, "quadratic-2d")
    assert found.word == "FAULTY" and re.search(r"leaks\.py:\d+", found.verdict), found.verdict


def test_an_inequality_is_not_failed_by_the_rounding_of_f():
    @step_rule(follows=f(x[i + 1]) <= f(x[i]) - eta[i] / 2 * normsq(grad(x[i])))
    def armijo(run):
        step = 1.0
        while run.f_at(run.x - step * run.grad) > run.f - step / 2 * run.grad_normsq:
            step /= 2
            if step < 1e-40:
                raise RunEnds("rounding")
        return step

    for problem in ("quadratic-2d", "smooth-abs", "logistic-40x5"):
        assert said(armijo, problem, steps=100).word == "CLEAN"
