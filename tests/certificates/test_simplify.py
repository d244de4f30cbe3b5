"""`boundcheck recertify --simplify`: what is simpler replaces a kept certificate, and what tells less does not."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import pytest

from boundcheck.certificates.script import script
from boundcheck.certificates.write import as_text, file_name, sealed
from boundcheck.certificates.write import kept as kept_certificates
from boundcheck.falsify.candidate import Candidate, Ridges, RidgeTerm, with_steps
from boundcheck.falsify.certificate_io import candidate_from
from boundcheck.falsify.renew import StrengthDemand, WeakerCounterexample, cost, is_simpler, simplified
from boundcheck.falsify.shapes import PiecewiseShape, Side
from boundcheck.library.catalogue import bounds, bounds_in_file

from .making import certificate, claim
from .test_recertify import contents, data_of, kept, run, write

__all__ = ["kept"]  # a fixture
POLYAK = "thm:polyak-alternate@printed"
CHEAP = ("thm:polyak.M-at-most-L@printed", "eq:10@printed")


def test_simpler_certificates_replace_the_kept_ones_and_a_second_run_replaces_nothing(tmp_path):
    for name in CHEAP:
        (tmp_path / file_name(claim(name))).write_text(as_text(certificate(name)), encoding="utf-8")
    done = run("recertify", "--simplify", "--budget", 60, "--out", tmp_path)
    assert done.exit_code == 0 and done.output.count(": simpler: ") == len(CHEAP) and done.output.count("; it was 1 0 1 3 ") == 2
    after = contents(tmp_path)
    for name in CHEAP:
        made = data_of(tmp_path, file_name(claim(name)))
        assert is_simpler(claim(name), made, certificate(name)) and not is_simpler(claim(name), certificate(name), made)
        assert run("verify", tmp_path / file_name(claim(name))).exit_code == 0
    done = run("recertify", "--simplify", "--budget", 60, "--out", tmp_path, "--json")
    again = json.loads(done.stdout)
    assert done.exit_code == 0 and [one["outcome"] for one in again] == ["kept", "kept"]
    assert all(one["complexity"] <= (one["other"] or one["complexity"]) for one in again) and contents(tmp_path) == after


def test_the_relation_of_a_chain_that_fails_stays_the_same():
    name = "lemma:local-descent-lemma.proof@printed"
    old = certificate(name)
    found = simplified(claim(name), old, budget=60).certificate
    assert old["link"] == 2 and (found is None or found["link"] == 2)


def test_what_is_no_certificate_of_the_claim_as_it_is_cannot_be_made_simpler(tmp_path):
    path = tmp_path / file_name(claim(CHEAP[0]))
    path.write_text(json.dumps(sealed({**certificate(CHEAP[0]), "hash": "0" * 64})))
    before = path.read_bytes()
    done = run("recertify", CHEAP[0], "--simplify", "--out", tmp_path)
    assert done.exit_code == 1 and "not renewed" in done.output and path.read_bytes() == before


@pytest.mark.parametrize(
    "words", [["--budget", "5"], ["--seed", "1"], ["--simplify", "--budget", "0"], ["--simplify", "--budget", "nan"]]
)
def test_a_budget_is_positive_and_of_a_search(words):
    done = run("recertify", *words)
    assert done.exit_code == 2 and done.output.count("\n") == 1


# -- what must not replace a kept one ---------------------------------------------------------------------------------------


def telling(name: str) -> tuple[StrengthDemand, Candidate]:
    kept_one = candidate_from(certificate(name))
    return StrengthDemand(claim(name), kept_one), kept_one


def refusal(fair: StrengthDemand, candidate: Candidate) -> str:
    """Why it tells less; "" where it does not."""
    try:
        fair.demand(candidate)
    except WeakerCounterexample as why:
        return str(why)
    return ""


def test_the_kept_one_is_as_telling_as_itself():
    for name in (*CHEAP, POLYAK, "thm:ngd@printed", "lemma:agd-equivalence.gamma@printed"):
        assert refusal(*telling(name)) == ""


def test_a_constant_added_to_f_tells_less_where_the_claim_moves_with_it():
    fair, kept_one = telling("thm:ngd@printed")
    assert "f + C" in refusal(fair, replace(kept_one, function=replace(kept_one.function, shift=Fraction(1))))
    fair, kept_one = telling(POLYAK)  # speaks of gaps alone
    assert not refusal(fair, replace(kept_one, function=replace(kept_one.function, shift=Fraction(1))))


def test_a_function_keeps_its_minimum_and_its_strong_convexity(kept):
    rate = next(
        b for b in bounds_in_file(str(kept.parent / "claims.py")) if b.label == "rate"
    )  # f(x_k) <= 1, on Huber's function
    given = candidate_from(data_of(kept))

    def on(left: int, right: int, tilt: int = 0) -> Candidate:
        shape = PiecewiseShape(Side((), (Fraction(left),)), Side((), (Fraction(right),)), Fraction(tilt))
        return replace(given, function=Ridges((RidgeTerm((Fraction(1),), shape),)))

    assert refusal(StrengthDemand(rate, on(1, 1)), on(0, 1)) == "f is not strongly convex"
    assert refusal(StrengthDemand(rate, on(1, 1)), on(2, 1)) == refusal(StrengthDemand(rate, given), on(0, 1)) == ""
    gaps = claim("thm:polyak.M-at-most-L@printed")
    assert gaps.is_shift_invariant  # or f* would count
    with_least = candidate_from(certificate("thm:polyak.M-at-most-L@printed"))
    tilted = replace(with_least, function=replace(on(1, 1, 1).function, centre=()))
    assert refusal(StrengthDemand(gaps, with_least), tilted) == "no minimum of f is known"


def test_a_letter_stays_below_1_and_within_the_values_it_is_tried_with(kept):
    file = write(kept.parent, 'f(x[k]) <= Parameter("c")', 'try_with={"c": (1 / 2, 3 / 2)}')
    rate = next(b for b in bounds_in_file(str(file)) if b.label == "rate")
    given = candidate_from(data_of(kept))
    half, *others = (replace(given, parameters=(("c", Fraction(n, 4)),)) for n in (2, 3, 1, 5))
    assert [refusal(StrengthDemand(rate, half), other) for other in others] == ["", "c = 1/4", "c = 5/4"]


def test_a_sequence_that_is_between_0_and_1_stays_there():
    """With mu = 1/3 and eta_1 = 3 the method has alpha_1 = 1 and lambda_2 = 0: then all is forgotten at once."""
    fair, kept_one = telling("lemma:local-upper-bound@printed")
    side = Side((Fraction(1),), (Fraction(1, 3), Fraction(1)))
    function = Ridges((RidgeTerm((Fraction(1),), PiecewiseShape(side, side)),))
    run = with_steps(replace(kept_one, function=function, start=(Fraction(9),), smoothness="A"), [Fraction(1), Fraction(3)])
    assert refusal(fair, replace(run, parameters=(("alpha0", Fraction(3, 4)),))) == "lambda_k is not above 0 for some k"


def test_a_run_past_its_end_and_a_narrow_miss_tell_less(kept):
    rate = next(
        b for b in bounds_in_file(str(kept.parent / "claims.py")) if b.label == "rate"
    )  # f(x_k) <= 1, on Huber's function
    kept_one = candidate_from(data_of(kept))
    fair, step = StrengthDemand(rate, kept_one), Fraction(1)
    assert not refusal(fair, with_steps(kept_one, [step] * 3))
    assert "not proved" in refusal(fair, with_steps(kept_one, [step] * 4))  # the fourth begins at the minimum: it is no step
    assert not refusal(fair, replace(kept_one, start=(Fraction(2),)))
    assert "nearly equal" in refusal(fair, replace(kept_one, start=(Fraction(1501, 1000),)))  # f is 1001/1000 there
    assert "not proved" in refusal(fair, replace(kept_one, start=(Fraction(1),)))


def test_nothing_is_simpler_than_itself_and_a_table_of_values_is_not_compared():
    bound, old = claim(POLYAK), certificate(POLYAK)
    assert not is_simpler(bound, old, old)
    assert cost(bound, replace(candidate_from(old), start=(Fraction(1001, 1000),))) > cost(bound, candidate_from(old))
    table = {**old, "function": {"kind": "interpolation"}}
    assert not is_simpler(bound, old, table) and not is_simpler(bound, table, old)


@pytest.mark.parametrize("name", sorted(kept_certificates()))
def test_the_script_of_a_kept_certificate_runs_alone(name):
    bound = next(b for b in bounds() if b.id == name)
    text = script(bound, kept_certificates()[name])
    done = subprocess.run([sys.executable, "-I", "-S", "-c", text], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.startswith("left "), done.stderr
