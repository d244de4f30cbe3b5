"""What pytest says of claims that hold, fail, are empty, are known to be false, or cannot be told."""

from __future__ import annotations

from .users import FALSE, TRUE, VACUOUS, Run

KNOWN = """\
at = Instance(problem='{problem}', method='{method}', steps=3)
known = Bound(given=GD, states=delta[k + 1] <= delta[k] / 2, refuted_by=at)
"""


def test_a_true_claim_passes_and_its_cells_are_counted(run: Run) -> None:
    done = run(TRUE)
    assert done.code == 0, done.out
    assert set(done.counts) <= {"passed", "undecided", "vacuous"}
    (line,) = done.claims
    assert (
        line.startswith("HOLDS      user/descent@printed")
        and "certified" in line
        and "numerical" in line
        and "0 violated" in line
    )
    assert "tightest 1 at k = " in line


def test_a_false_claim_fails_with_k_and_both_sides(run: Run) -> None:
    done = run(FALSE, "--bc-method", "1/(2L)", "--bc-arithmetic", "rational")
    assert done.code == 1
    assert "VIOLATED, certified: user/halved@printed" in done.out
    # huber with threshold 1 from 3: f = 5/2, then x = 5/2 and f = 2; half of 5/2 is 5/4
    for row in (
        "k           0 ",
        "left        2\n",
        "right       5/4\n",
        "problem     huber",
        "it says     each step halves the gap",
    ):
        assert row in done.out, row
    assert "boundcheck check theorems/mine.py:halved --problem huber --method '1/(2L)' --arithmetic rational" in done.out
    assert "Traceback" not in done.out and "runtest" not in done.out


def test_a_numerical_violation_says_how_to_certify_it(run: Run) -> None:
    done = run(FALSE, "--bc-method", "1/(2L)", "--bc-arithmetic", "float64")
    assert "VIOLATED, numerical" in done.out and "certify it: run it again with --arithmetic auto" in done.out


def test_a_vacuous_claim_is_skipped_with_its_reason_and_fails_the_session(run: Run) -> None:
    done = run(VACUOUS, "-v")
    assert done.code == 1
    assert set(done.counts) == {"vacuous", "skipped"}
    assert "VACUOUS (hypothesis eta_i < 0 for every step fails at step 0" in done.out
    assert "never exercised: user/never@printed: hypothesis eta_i < 0" in done.out


def test_a_vacuous_claim_fails_the_session_beside_a_true_one_but_not_when_it_is_not_selected(run: Run) -> None:
    assert run(TRUE + VACUOUS).code == 1
    assert run(TRUE + VACUOUS, "-k", "descent").code == 0


def test_a_claim_that_no_problem_suits_is_never_exercised(run: Run) -> None:
    done = run("odd = Bound(given=(*GD, type('Odd', (Convex,), {})), states=delta[k + 1] <= delta[k])\n", on=None)
    assert done.code == 1 and "never exercised: user/odd@printed: needs Odd" in done.out


def test_an_untested_claim_is_listed_with_its_reason_and_does_not_fail(run: Run) -> None:
    done = run("later = Bound(states=delta[k + 1] <= delta[k], untested='needs a method that nobody wrote')\n")
    assert done.code == 0 and done.counts == {"untested": 1}
    assert done.claims == ["UNTESTED   user/later@printed  needs a method that nobody wrote"]


def test_a_claim_known_to_be_false_passes_as_refuted_where_it_fails_and_passes_where_it_holds(run: Run) -> None:
    done = run(KNOWN.format(problem="huber", method="1/(2L)"))
    assert done.code == 0, done.out
    assert done.counts["refuted"] > 1 and done.counts["passed"] > 1 and "failed" not in done.counts
    assert done.claims[0].startswith("REFUTED    user/known@printed")


def test_a_refutation_may_spell_a_rule_that_is_not_in_the_catalogue(run: Run) -> None:
    done = run(KNOWN.format(problem="huber", method="polyak(1/7)"), "-k", "refutation")
    assert done.code == 0 and done.counts["refuted"] == 1


def test_an_instance_that_does_not_refute_fails(run: Run) -> None:
    done = run(KNOWN.format(problem="isotropic-4d", method="1/L"), "-k", "refutation")
    assert done.code == 1
    assert "not refuted by its own instance: user/known@printed" in done.out and "its instance does not refute it" in done.out


def test_an_instance_on_an_unknown_problem_fails_in_one_line(run: Run) -> None:
    done = run(KNOWN.format(problem="hubber", method="1/L"), "-k", "refutation")
    assert done.code == 1 and "cannot be run: no problem 'hubber'; did you mean 'huber'?" in done.out


def test_parameters_of_an_instance_are_used(run: Run) -> None:
    claim = "shrinks = Bound(given=(*GD, c > 0), states=delta[k + 1] <= c * delta[k], try_with={{'c': (1,)}}, refuted_by={at})\n"
    letter = "from boundcheck.language.scalars import Parameter\nc = Parameter('c')\n"
    at = "Instance(problem='huber', method='1/(2L)', steps=3, parameters={'c': Fraction(1, 2)})"
    assert run(letter + claim.format(at=at), "-k", "refutation").code == 0
    assert run(letter + claim.format(at=at.replace("1, 2", "1")), "-k", "refutation").code == 1


def test_a_method_that_gives_up_is_not_a_pass(run: Run) -> None:
    done = run(TRUE, "--bc-method", "given(1/2)", "--bc-arithmetic", "rational")
    assert done.code == 1 and "could not run" in done.out and "never exercised" in done.out
