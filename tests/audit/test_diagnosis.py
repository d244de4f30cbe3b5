"""A rule that is not what it declares is told so, in one line that names the mistake; one that is gets a clean bill."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from boundcheck.audit.diagnosis import diagnose
from boundcheck.audit.number_names import known, rounded_down
from boundcheck.audit.path import path
from boundcheck.language.letters import L, delta, eta, f, grad, i, larger, normsq, smaller, sqrt, x
from boundcheck.library.catalogue import problems, rules
from boundcheck.library.user_rules import as_rule
from boundcheck.model.rule import Rule, RunEnds

HORIZON = 40


def diagnosed(rule, names=("quadratic-2d", "smooth-abs"), steps=HORIZON):
    rule = as_rule(rule)
    return diagnose(rule, [path(problems()[name](), rule, steps=steps) for name in names], horizon=steps)


WRONG = {
    ("one_over_D.py", "one_over_D"): (
        "factor",
        "every step is 2.82843 (2 sqrt 2) times what 1/D asks for; these are the steps of the known rule 1/D-as-printed, "
        "the root of eq:zero-finding as printed",
    ),
    ("polyak.py", "polyak"): (
        "cap",
        "capped at 1: first at step 0 on quadratic-3d, where polyak(1) asks for 1.772 and the step is 1; capped at ",
    ),
    ("normalized.py", "normalized"): (
        "index ignored",
        "the decay is not used: the steps are 1/(sqrt(1) |grad f(x_i)|)",
    ),
    ("normalized.py", "lengths"): ("index ignored", "the decay is not used: the steps stay at 1; first at step 1 on "),
    ("armijo.py", "armijo"): ("inequality fails", "f(x_{i+1}) <= f(x_i) - 1/2 eta_i |grad f(x_i)|^2 fails at "),
    ("adgd.py", "adgd"): (
        "part ignored",
        "the bound sqrt(1 + eta_{i-1}/eta_{i-2}) eta_{i-1} is not applied: first at step 3 on quadratic-2d, "
        "where the step is 1.581 times it",
    ),
}


@pytest.mark.parametrize("file, name", WRONG, ids=[f"{file}:{name}" for file, name in WRONG])
def test_each_wrong_rule_gets_its_own_line(runs, file, name):
    rule, paths = runs(file, name)
    found = diagnose(rule, paths, horizon=HORIZON)
    kind, line = WRONG[file, name]
    assert (found.kind, found.declared, found.clean) == (kind, True, False)
    assert found.sentence.startswith(line)
    assert "\n" not in found.sentence
    assert found.first is not None


def test_the_first_place_where_it_departs_has_both_numbers(runs):
    found = diagnose(*runs("polyak.py", "polyak"), horizon=HORIZON)
    assert found.first.step == 0 and found.first.found == 1.0 and found.first.wanted > 1
    assert f"asks for {found.first.wanted:.4g} and the step is 1" in found.sentence


def test_the_constant_that_a_line_search_satisfies_is_found(runs):
    rule, paths = runs("armijo.py", "armijo")
    found = diagnose(rule, paths, horizon=HORIZON)
    assert 1e-4 <= found.constant < 0.5
    for constant, clean in ((rounded_down(found.constant), True), (found.constant * 1.01, False)):
        weaker = f(x[i + 1]) <= f(x[i]) - Fraction(constant) * eta[i] * normsq(grad(x[i]))
        assert diagnose(replace(rule, follows=weaker), paths).clean is clean


def test_without_a_declaration_the_nearest_known_rule_tells_the_cap(runs):
    found = diagnose(*runs("polyak.py", "nothing_declared"), horizon=HORIZON)
    assert (found.kind, found.declared, found.clean) == ("cap", False, False)
    assert found.sentence.startswith("nearest known rule: polyak(1), equal at ") and "; capped at 1: " in found.sentence


def test_without_a_declaration_the_nearest_known_rule_tells_the_part_that_is_ignored(runs):
    found = diagnose(*runs("adgd.py", "Undeclared"), horizon=HORIZON)
    assert found.kind == "part ignored" and found.nearest.rule.name == "adgd(1/1000)"
    assert "eta_{i-1} is not applied" in found.sentence


CORRECT = ("polyak", "one_over_L", "cauchy", "AdGD", "one_over_D")


@pytest.mark.parametrize("name", CORRECT)
def test_correct_rules_get_a_clean_bill(runs, name):
    among = ("quadratic-2d", "quadratic-3d", "smooth-abs", "logistic-40x5") if name == "one_over_L" else None
    among = ("quadratic-2d", "quadratic-3d") if name == "cauchy" else among
    rule, paths = runs("correct.py", name, *([among] if among else []))
    found = diagnose(rule, paths, horizon=HORIZON)
    assert found.clean and found.kind == "follows", found.sentence
    assert found.equal == found.compared > 30 and "numerical" in found.sentence


def test_a_rule_that_subtracts_values_of_f_is_not_blamed_for_their_rounding(runs):
    found = diagnose(*runs("correct.py", "polyak_undeclared"), horizon=HORIZON)
    assert found.clean and found.is_known.name == "polyak(1)", found.sentence


def test_a_step_that_is_wrong_once_is_found():
    def almost(run):
        return run.gap / run.grad_normsq * (1.01 if run.k == 7 else 1)

    rule = replace(as_rule(almost), follows=rules()["polyak(1)"].follows, parameters={"gamma": 1})
    found = diagnosed(rule)
    assert (found.kind, found.clean) == ("departs", False)
    assert found.first.step == 7 and found.equal == found.compared - 2


def test_a_floor_and_a_cap_over_L_have_their_names():
    floor = Rule(
        name="floor", step=lambda run: max(run.gap / run.grad_normsq, 0.5), follows=eta[i] == delta[i] / normsq(grad(x[i]))
    )
    found = diagnosed(floor)
    assert found.kind == "floor" and found.sentence.startswith("not below 1/2: first at ") and "; raised at " in found.sentence
    over_L = Rule(
        name="cap",
        step=lambda run: min(run.gap / run.grad_normsq, 2.3 / float(run.L)),
        follows=eta[i] == delta[i] / normsq(grad(x[i])),
    )
    found = diagnosed(over_L)
    assert found.kind == "cap" and "capped at (23/10)/L" in found.sentence


def test_a_lower_bound_that_is_ignored_is_named():
    formula = larger(delta[i] / normsq(grad(x[i])), 1 / L)
    found = diagnosed(Rule(name="r", step=lambda run: run.gap / run.grad_normsq, follows=eta[i] == formula))
    assert found.kind == "part ignored" and "the lower bound 1/L is not applied" in found.sentence


def test_a_formula_with_another_number_in_it_is_told():
    formula = smaller(delta[i] / (2 * normsq(grad(x[i]))), 1 / L)
    found = diagnosed(
        Rule(name="r", step=lambda run: min(run.gap / run.grad_normsq, 1 / float(run.L)), follows=eta[i] == formula)
    )
    assert found.kind == "number changed" and "1 stands where the formula has 2" in found.sentence


def test_an_index_that_is_off_by_one_is_told():
    found = diagnosed(
        Rule(name="r", step=lambda run: 0.01 / np.sqrt(run.k + 2), follows=eta[i] == Fraction(1, 100) / sqrt(i + 1))
    )
    assert found.kind == "index shifted" and "too far by one" in found.sentence


def test_a_rule_like_no_other_is_not_called_wrong():
    found = diagnosed(lambda run: 0.02 * (2 + np.sin(run.k)))
    assert found.kind == "no known rule" and found.clean and not found.declared


def test_constant_steps_and_multiples_of_one_over_L_are_recognised():
    assert diagnosed(lambda run: 0.01).against == "constant(0.01)"
    assert diagnosed(lambda run: 0.7 / float(run.L)).against == "(7/10)/L"


def test_a_rule_without_a_step_is_no_clean_bill():
    def none(run):
        raise RunEnds("nothing here")

    found = diagnosed(none)
    assert found.kind == "nothing compared" and not found.clean


def test_numbers_have_their_short_names():
    assert (known(2 * np.sqrt(2)), known(1.5), known(1e-4), known(0.31337)) == ("2 sqrt 2", "3/2", "1e-4", "")
