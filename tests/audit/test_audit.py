"""A whole audit: the line at the top, theorems, behaviour, faults of a rule, and every form of the result."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

import boundcheck
from boundcheck.audit.audit import Audit, audit
from boundcheck.audit.tables import as_text, behaviour_rows, comparison_rows, shown, theorem_rows
from boundcheck.audit.theorem_results import TheoremResult
from boundcheck.audit.theorems import check_theorems
from boundcheck.check.verdict import Outcome
from boundcheck.library.catalogue import problems
from boundcheck.library.references import method

from .conftest import OWN, WRONG

FAULTS = {
    "nan": "rule 'nan' returned nan at step 3 on quadratic-2d",
    "negative": "rule 'negative' returned -0.01 at step 0 on quadratic-2d",
    "shape": "rule 'shape' returned an array of shape (3,) at step 0 on quadratic-2d",
    "raises": "rule 'raises' failed at step 0 on quadratic-2d: ZeroDivisionError",
    "mutates": "rule 'mutates' changed run.x at step 0 on quadratic-2d",
}


@pytest.fixture(scope="module")
def clean() -> Audit:
    return audit(method(f"{OWN / 'correct.py'}:polyak"), ["quadratic-2d", "quartic"], steps=30)


@pytest.fixture(scope="module")
def wrong() -> Audit:
    return audit(method(f"{WRONG / 'polyak.py'}:polyak"), ["quadratic-3d", "smooth-abs"], steps=30)


def test_a_correct_rule_is_clean_and_its_theorems_hold_certified(clean):
    assert clean.word == "CLEAN" and clean.exit_code == 0
    assert clean.verdict.startswith("CLEAN: its steps are what it declares, polyak(1): at all ")
    theorems = {one.bound.id: one for one in clean.checked.theorems}
    any_step = theorems["directional-smoothness/prop:convex-any-stepsize@printed"]
    assert any_step.word == "HOLDS" and all(v.certified for v in any_step.exercised)
    assert any_step.smoothness["D"] == any_step.smoothness["H"] == "HOLDS"
    assert 0 < any_step.tightest.tightest.ratio <= 1
    assert all(one.violation is None for one in clean.checked.theorems)


def test_a_theorem_about_the_formula_holds_for_steps_near_it_and_says_so(clean):
    (one,) = [t for t in clean.checked.theorems if t.bound.id == "directional-smoothness/thm:polyak-alternate@proved"]
    assert one.word == "HOLDS" and "certified for steps near the rule's" in one.grade


def test_a_theorem_that_does_not_apply_says_which_hypothesis_failed_where_and_by_how_much(wrong):
    (one,) = [t for t in wrong.checked.theorems if t.bound.id == "directional-smoothness/thm:polyak-alternate@proved"]
    assert not one.applies and one.word == "DOES NOT APPLY"
    assert "the steps follow" in one.reason and "fails at step 0 (1 against " in one.reason
    (other,) = [t for t in wrong.checked.theorems if t.bound.id == "directional-smoothness/thm:polyak@printed"]
    assert other.reason == "hypothesis gamma > 1 fails (gamma = 1)"


def test_undecided_is_explained_by_what_was_not_decided_and_not_by_what_fails_elsewhere(wrong):
    one = next(t for t in wrong.checked.theorems if t.verdicts and not t.applies and t.word == "DOES NOT APPLY")
    failed = one.verdicts[0]
    hidden = replace(failed, outcomes=np.full(1, Outcome.UNDECIDED, dtype=np.int8), reason="cannot be decided")
    assert TheoremResult(one.bound, (failed,)).reason.startswith(failed.reason)
    mixed = TheoremResult(one.bound, (failed, hidden))
    assert mixed.word == "UNDECIDED" and mixed.reason.startswith("cannot be decided [")


def test_a_false_theorem_would_be_seen_to_fail(runs, monkeypatch):
    from fractions import Fraction

    from boundcheck.library.catalogue import find_bounds

    (true,) = find_bounds("prop:convex-any-stepsize")
    false = true.sharpened(Fraction(1, 100))
    monkeypatch.setattr(import_module("boundcheck.audit.theorems"), "bounds", lambda: (false,))
    rule, paths = runs("correct.py", "polyak", ("quadratic-2d",))
    (row,) = check_theorems(rule, paths, seconds=20).theorems
    assert row.word == "VIOLATED" and row.violation.certified and row.violation.outcome is Outcome.VIOLATED


def test_the_wrong_rule_is_wrong_at_the_top_of_every_form(wrong):
    line = "WRONG: capped at 1: first at "
    assert wrong.exit_code == 1 and wrong.verdict.startswith(line)
    assert repr(wrong).splitlines()[0] == wrong.verdict
    assert line in wrong._repr_html_() and "<table>" in wrong._repr_html_()
    said = json.loads(json.dumps(wrong.to_json(), allow_nan=False))
    assert said["verdict"] == wrong.verdict and said["exit_code"] == 1 and said["diagnosis"]["kind"] == "cap"
    assert said["diagnosis"]["certified"] is False


def test_adapted_steps_are_counted_on_the_path(clean):
    first = clean.behaviours[0]
    assert first.problem == "quadratic-2d" and first.course.is_monotone
    assert first.adapted["A"].below_2 == 1.0 and first.adapted["D"].high > 2 > first.adapted["D"].low


def test_divergence_is_told_with_its_step():
    found = audit(lambda run: 1.0, ["quadratic-2d"], steps=30)
    (one,) = found.behaviours
    assert one.course.diverged == 1 and "diverges: f(x_k) stays above f(x_0) from k = 1 on" in one.words
    assert one.adapted["H"].below_2 == 0 and one.adapted["H"].low > 2


def test_known_rules_race_on_the_same_problems(clean):
    race = clean.races[0]
    lanes = {lane.rule: lane for lane in race.lanes}
    assert {"polyak", "1/L", "adgd(1/1000)", "bb_long(1/1000)", "exact-line-search"} <= lanes.keys()
    assert lanes["polyak"].reached[1e-2].k < 40


@pytest.mark.parametrize("name", FAULTS)
def test_a_rule_that_gives_no_step_is_reported_in_one_line(name):
    found = audit(method(f"{OWN / 'faulty.py'}:{name}"), ["quadratic-2d"], steps=8)
    assert found.exit_code == 1
    assert found.verdict.startswith(f"FAULTY: on 1 of 1 problem: {FAULTS[name]}"), found.verdict
    assert "\n" not in found.verdict


def test_the_audit_goes_on_where_a_rule_fails_on_one_problem():
    def picky(run):
        if run.problem.name == "huber":
            raise KeyError("huber")
        return 0.05

    found = audit(picky, ["huber", "quadratic-2d"], steps=10)
    assert found.word == "FAULTY" and len(found.errors) == 1 and "KeyError" in found.errors[0]
    assert found.behaviours[1].steps == 10 and any(one.applies for one in found.checked.theorems)


def test_a_rule_that_loops_for_ever_is_given_up(monkeypatch):
    monkeypatch.setattr(import_module("boundcheck.audit.audit"), "ONE_RUN", 0.3)
    found = audit(method(f"{OWN / 'faulty.py'}:forever"), ["quadratic-2d", *["huber"] * 6], steps=5)
    assert found.exit_code == 1 and "loop" in found.verdict
    assert len(found.behaviours) == 4 and len([line for line in found.skipped if "took all the time" in line]) == 3


def test_a_rule_may_be_told_what_it_means_to_be():
    found = audit(lambda run: 0.5 * run.gap / run.grad_normsq, ["quadratic-2d"], steps=20, follows="polyak(1)")
    assert found.verdict.startswith("WRONG: every step is 0.5 (1/2) times what polyak(1) asks for")


def test_without_a_step_nothing_is_exercised():
    found = audit("polyak(1)", ["slope"], steps=5)
    assert found.word == "NOTHING TO SAY" and found.exit_code == 3


BAD = [{"steps": 0}, {"seconds": 0}, {"problems": []}, {"problems": ["quadratik-2d"]}, {"follows": "polyac"}]


@pytest.mark.parametrize("wrong", BAD, ids=str)
def test_bad_input_is_one_clear_line(wrong):
    with pytest.raises(ValueError) as said:
        audit("1/L", **{"problems": ["quadratic-2d"], **wrong})
    assert "\n" not in str(said.value) and len(str(said.value)) > 20


def test_data_frames_have_a_row_a_thing(clean):
    pytest.importorskip("pandas")
    assert list(clean.to_pandas()["problem"]) == ["quadratic-2d", "quartic"]
    theorems = clean.to_pandas("theorems")
    assert len(theorems) == len(clean.checked.theorems) and theorems["tightest"].max() <= 1
    assert {"k", "calls"} <= set(clean.to_pandas("comparison").columns)
    assert len(clean.to_pandas("cells")) > 100
    with pytest.raises(ValueError, match="no table 'steps'; it has behaviour"):
        clean.to_pandas("steps")


def test_boundcheck_offers_it_by_name():
    assert boundcheck.audit is audit


@pytest.mark.parametrize("width", [60, 80, 200, None])
def test_no_width_cuts_a_word_a_name_or_a_number(clean, width):
    text = as_text(clean, width)
    assert "\u2026" not in text
    for one in shown(clean):
        assert one.word in text and one.bound.id.partition("/")[2].removesuffix("@printed") in text
    spaced = " ".join(text.split())
    for _, _, _, grade, smoothness, told in theorem_rows(clean):
        assert " ".join(told.split()) in spaced or width == 200  # there the last column is folded inside its table
        assert smoothness in text and all(part in text for part in grade.split(", "))
    for row in (*behaviour_rows(clean), *comparison_rows(clean)):
        assert all(cell in text for cell in row[:-1] if cell != "-")
    if width is not None:
        assert all(len(line) <= width for line in text.splitlines()[1:])


def test_a_terminal_of_80_columns_is_kept_to(clean, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    first, *rest = repr(clean).splitlines()
    assert first == clean.verdict and max(map(len, rest)) <= 80
    monkeypatch.delenv("COLUMNS")
    assert max(map(len, repr(clean).splitlines())) > 80


def test_a_rule_that_diverges_is_not_clean():
    found = audit(lambda run: 2.5 / float(run.L), ["quadratic-2d", "quadratic-3d", "logistic-40x5"], steps=30)
    assert (found.word, found.exit_code) == ("DIVERGES", 1)
    assert found.verdict.startswith("DIVERGES: on 2 of 3 problems: quadratic-2d from k = 3 on, quadratic-3d from k = ")
    assert "it is (5/2)/L" in found.verdict


def test_a_rule_that_draws_its_steps_is_told():
    fixed, shared = np.random.default_rng, np.random.default_rng(7)
    for draw in (np.random.rand, lambda: fixed().random(), shared.random):
        found = audit(lambda run, draw=draw: 0.01 + 0.01 * draw(), "quadratic-2d", steps=6)
        assert (found.word, found.exit_code) == ("NOT DETERMINISTIC", 1)
        assert "two runs on quadratic-2d have different steps" in found.verdict and found.to_json()["not_deterministic"]
    again = audit(lambda run: 0.01 + 0.01 * fixed(run.k).random(), "quadratic-2d", steps=6)
    assert again.word == "CLEAN" and again.to_json()["not_deterministic"] is None


def test_a_fault_is_said_once_and_empty_tables_are_left_out():
    found = audit(lambda run: float("nan"), "huber", steps=4)
    for text in (repr(found), found._repr_html_()):
        assert text.count("returned nan") == 1 and "Theorems" not in text
    assert "Theorems, on 1 problem<" in audit("1/L", "huber", steps=4)._repr_html_()


def test_nothing_to_say_has_its_reason_at_the_top():
    found = audit(lambda run: 1 / run.L, problems()["quartic"](), steps=4)
    assert found.word == "NOTHING TO SAY" and "quartic declares no smoothness constant" in found.verdict


def test_a_slow_rule_makes_fewer_steps(monkeypatch):
    monkeypatch.setattr(import_module("boundcheck.audit.path"), "ENOUGH", -1.0)
    found = audit("1/L", "quadratic-2d", steps=40)
    assert found.behaviours[0].steps == 25 and "enough for one run" in found.behaviours[0].ended and not found.errors


@pytest.mark.slow
@pytest.mark.parametrize("name", ["polyak", "one_over_L", "cauchy", "AdGD"])
def test_correct_rules_are_clean_on_the_whole_battery(name):
    found = audit(method(f"{OWN / 'correct.py'}:{name}"))
    assert found.word == "CLEAN", found.verdict
    assert found.seconds < 60 and np.isfinite(found.seconds)
    assert problems() and not found.errors
