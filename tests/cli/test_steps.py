"""`boundcheck steps`: eta*M along the way, and which rule is strongly adapted."""

from __future__ import annotations

import json
import math

import pytest

from boundcheck.cli.steps import rows_to_show


def found(run, *words):
    done = run("steps", *words, "--json")
    assert done.exit_code == 0, done.stderr
    return {rule["method"]: rule for rule in json.loads(done.stdout)["rules"]}


def line(done, rule):
    (only,) = [text for text in done.stdout.splitlines() if text.startswith(f"{rule}: ")]
    return only


def test_the_three_rules_on_logistic_regression(run):
    rules = found(run, "--problem", "logistic-40x5", "--steps", 8)
    assert list(rules) == ["1/D", "1/D-as-printed", "polyak(1)"]
    right, printed, polyak = rules.values()
    assert right["strongly_adapted"]["outcome"] == "holds" and right["strongly_adapted"]["residual"] < 1e-6
    assert right["adapted"]["outcome"] == "holds"
    assert printed["strongly_adapted"]["outcome"] == printed["adapted"]["outcome"] == "fails"
    assert all(row["value"] == pytest.approx(2 * math.sqrt(2), rel=1e-8) for row in printed["rows"])
    assert polyak["strongly_adapted"]["outcome"] == "fails"
    assert not any(rule["strongly_adapted"]["certified"] for rule in rules.values())


def test_what_people_read(run):
    done = run("steps", "--problem", "logistic-40x5", "--steps", 8)
    assert done.exit_code == 0
    assert "eta_k*D" in done.stdout and "D(x_k, x_k+1)" in done.stdout
    assert line(done, "1/D").startswith("1/D: STRONGLY ADAPTED, to rounding: |eta*D - 1| <= ")
    assert "NOT strongly adapted: eta*D = 2.828427125 at k = 0; NOT adapted: eta*D = 2.828427125" in line(done, "1/D-as-printed")
    assert "(numerical, 8 steps)" in line(done, "polyak(1)")


def test_in_rationals_it_is_certified_and_exact(run):
    words = ("--problem", "steep-then-flat", "--arithmetic", "rational", "--steps", 4)
    rules = found(run, *words)
    assert rules["1/D"]["strongly_adapted"] == {
        "outcome": "holds",
        "certified": True,
        "k": 0,
        "eta_M": "1",
        "steps": 4,
        "residual": 0.0,
    }
    assert rules["polyak(1)"]["strongly_adapted"]["outcome"] == "fails"
    assert rules["polyak(1)"]["strongly_adapted"]["eta_M"] == "9/5"
    assert rules["1/D-as-printed"]["rows"] == [] and rules["1/D-as-printed"]["strongly_adapted"] is None
    shown = run("steps", *words)
    assert "1/D: STRONGLY ADAPTED, exactly; adapted, eta*D < 2 (certified, 4 steps)" in shown.stdout
    assert "1/D-as-printed: made no step; no step at step 0: eq:zero-finding as printed meets no root" in shown.stdout


def test_both_orders_of_the_points_of_A_are_told_apart(run):
    """eq:strongly-adapted-step-size has A(x_{k+1}, x_k), prop:existence-A has A(x_k, x_{k+1})."""
    words = ("--problem", "quartic", "--smoothness", "A", "--method", "1/A", "--arithmetic", "rational", "--steps", 3)
    (rule,) = found(run, *words).values()
    assert rule["strongly_adapted"]["outcome"] == "fails"
    assert rule["with_points_exchanged"]["outcome"] == "holds"
    assert "with A(x_k, x_k+1) in place of A(x_k+1, x_k) STRONGLY ADAPTED, exactly" in run("steps", *words).stdout


def test_a_run_that_is_lost_in_rounding_is_not_called_strongly_adapted(run):
    """Near x* the error of eta*D is larger than any residual: that is what it says, and for how many steps it is otherwise."""
    rules = found(run, "--problem", "logistic-40x5", "--method", "1/D", "--steps", 60)
    answer = rules["1/D"]["strongly_adapted"]
    assert answer["outcome"] == "undecided" and 10 < answer["steps"] < 60
    assert "the rest hidden by rounding" in run("steps", "--problem", "logistic-40x5", "--method", "1/D", "--steps", 60).stdout


def test_constant_steps_and_L(run):
    rules = found(run, "--problem", "huber", "--method", "1/L", "--method", "1/(2L)", "--smoothness", "L", "--steps", 3)
    assert rules["1/L"]["strongly_adapted"]["outcome"] in ("holds", "undecided")
    assert rules["1/(2L)"]["strongly_adapted"]["outcome"] == "fails"


def test_default_rules_that_a_problem_cannot_have_are_left_out(run):
    assert list(found(run, "--problem", "slope")) == ["1/D", "1/D-as-printed"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "missing option '--problem'"),
        (("--problem", "hubr"), "no problem 'hubr'; did you mean 'huber'?"),
        (("--problem", "huber", "--method", "1/E"), "no method '1/E'; did you mean"),
        (("--problem", "huber", "--method", "adgd(0)"), "the first step of adgd is a positive number; found 0"),
        (("--problem", "huber", "--method", "length(1)"), "rule 'length(1)' chooses steps of normalized"),
        (("--problem", "huber", "--steps", "0"), "'--steps'"),
        (("--problem", "huber", "--smoothness", "Q"), "M is bound to D, A, H or L; found 'Q'"),
        (("--problem", "quartic", "--smoothness", "L"), "M = L needs Smooth"),
        (("--problem", "nonconvex"), "M = D needs Convex"),
        (("--problem", "logistic-40x5", "--arithmetic", "rational"), "cannot be evaluated in exact rationals"),
        (("--problem", "huber", "--method", "runners.py:nan"), "rule 'nan' returned nan at step 0 on huber"),
        (("--problem", "slope", "--method", "polyak(1)"), "needs f*; slope attains no minimum"),
    ],
)
def test_bad_input_is_one_line(run, words, said):
    done = run("steps", *words)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert said in done.stderr and len(done.stderr.strip().splitlines()) == 1


def test_the_first_and_the_last_step_are_always_shown():
    assert rows_to_show(0) == []
    assert rows_to_show(12) == list(range(12))
    for count in (13, 30, 1000):
        shown = rows_to_show(count)
        assert shown[:3] == [0, 1, 2] and shown[-1] == count - 1 and len(shown) <= 12


def test_in_balls_a_root_is_near_and_never_called_exact(run):
    words = ("--problem", "logistic-1d", "--method", "1/D", "--steps", 3, "--arithmetic", "ball:128")
    said = line(run("steps", *words), "1/D")
    assert "STRONGLY ADAPTED, to rounding: |eta*D - 1| <= " in said and "exactly" not in said
    answer = found(run, *words)["1/D"]
    assert not answer["strongly_adapted"]["certified"] and answer["strongly_adapted"]["residual"] < 1e-30
    assert answer["adapted"]["certified"]
