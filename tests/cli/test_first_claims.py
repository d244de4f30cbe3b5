"""Files of a user who begins: schedules, past steps, edited claims, rules by name, methods of one's own."""

from __future__ import annotations

import json
from pathlib import Path

FILE = """
from boundcheck import Bound, By, Convex, Follows, GradientDescent, Method, Smooth, Update, step_rule
from boundcheck.letters import Delta, K, L, delta, eta, exp, grad, i, k, mu_f, smaller, x

GIVEN = (Convex, Smooth, GradientDescent())
schedule = Bound(given=(*GIVEN, Follows(eta[i] == 1 / (L * (K + 1)))), states=delta[K] <= delta[0] / FACTOR, for_all=K >= 1)
past = Bound(given=(*GIVEN, Follows(eta[i] == smaller(eta[i - 1], 1 / L))), states=delta[k + 1] <= delta[k] / 2)
fixed = Method(name="mine", each=(Update(x[k + 1], x[k] - 1 / L * grad(x[k])),))
alone = Bound(given=(Convex, Smooth, By(fixed)), states=delta[k] <= L * Delta[0] / (2 * k), for_all=k >= 1)
fast = Bound(given=(*GIVEN, Follows(eta[i] == 1 / L)), states=delta[k] <= exp(-k) * delta[0])

@step_rule(follows="over_sqrt(1)")
def root(run):
    return 1 / run.xp.sqrt(run.xp.scalar(run.k + 1))
"""


def written(factor: str = "(1 + K)") -> None:
    Path("first.py").write_text(FILE.replace("FACTOR", factor), encoding="utf-8")


def test_a_schedule_of_the_horizon_is_linted_explained_checked_and_refuted(run):
    written()
    assert "well formed" in run("lint", "first.py:schedule").output
    assert "1/(L (K+1))" in run("explain", "first.py:schedule").output
    checked = run("check", "first.py:schedule", "--problem", "parabola")
    assert checked.exit_code == 1
    assert "K = " in checked.output or "k = " in checked.output
    refuted = run("falsify", "first.py:schedule", "--budget", "30", "--jobs", "1")
    assert "is false" in refuted.output
    assert "eta_0 == 1/(L (K+1))" in refuted.output
    assert "refutes" in run("verify", "schedule@printed.json").output


def test_a_certificate_of_an_earlier_version_is_put_aside(run):
    written()
    run("falsify", "first.py:schedule", "--budget", "30", "--jobs", "1")
    before = json.loads(Path("schedule@printed.json").read_text(encoding="utf-8"))["hash"]
    written("(2 + K)")
    again = run("falsify", "first.py:schedule", "--budget", "30", "--jobs", "1")
    assert "was about an earlier version of the claim; it is now" in again.output
    assert json.loads(Path("schedule@printed.earlier-1.json").read_text(encoding="utf-8"))["hash"] == before
    assert json.loads(Path("schedule@printed.json").read_text(encoding="utf-8"))["hash"] != before


def test_free_steps_are_said(run):
    written()
    checked = run("check", "first.py:past", "--problem", "huber")
    assert "step 0 is free: eta_i == min(eta_{i-1}, 1/L) reads entries before, and is asked from step 1 on" in checked.output
    refuted = run("falsify", "first.py:past", "--budget", "30", "--jobs", "1")
    assert "Step 0 is free" in refuted.output


def test_a_method_of_ones_own_that_reads_no_step_is_run(run):
    written()
    assert run("check", "first.py:alone", "--problem", "huber").exit_code == 0


def test_an_exponential_is_refuted_and_verified(run):
    written()
    refuted = run("falsify", "first.py:fast", "--budget", "30", "--jobs", "1")
    assert "exp(-1)" in refuted.output
    assert "refutes" in run("verify", "fast@printed.json").output


def test_the_librarys_theorem_is_tried_with_the_librarys_rule(run):
    done = run("check", "gd.sc-exact-line-search", "--method", "exact-line-search", "--problem", "quadratic-2d")
    assert done.output.startswith("HOLDS")


def test_a_rule_that_has_a_formula_may_be_followed(run):
    written()
    done = run("check", "gd.descent", "--method", "first.py:root", "--problem", "huber")
    assert "no formula of its own" not in done.output
