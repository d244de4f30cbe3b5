"""`boundcheck recertify`: certificates of claims that have changed are renewed, or made simpler, and nothing else is touched."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from boundcheck.certificate import as_text, certify, file_name, sealed
from boundcheck.certificate import kept as kept_certificates
from boundcheck.cli import cli
from boundcheck.falsify.exact import with_exact_steps
from boundcheck.falsify.model import Candidate, Pieces, Ridge, Ridges, Side
from boundcheck.falsify.numbers import with_steps
from boundcheck.falsify.read import candidate_from
from boundcheck.falsify.renew import cost, is_simpler, simplified
from boundcheck.falsify.telling import AsTelling, LessTelling
from boundcheck.registry import bounds, bounds_in_file
from boundcheck.script import script

from .making import certificate, claim

POLYAK = "thm:polyak-alternate@printed"
CHEAP = ("thm:polyak.M-at-most-L@printed", "eq:10@printed")
CLAIM = """
from boundcheck import Bound, Convex, GradientDescent, Instance
from boundcheck.language.letters import eta, f, k, normsq, x, xstar, delta, Delta, M, A, L
from boundcheck.language.scalars import Parameter

rate = Bound(
    given=(Convex, GradientDescent()),
    states=STATES,
    REST
)
other = Bound(given=(Convex, GradientDescent()), states=f(x[k]) <= 0, refuted_by=Instance(problem="huber", method="1/L", steps=3))
"""
INSTANCE = 'refuted_by=Instance(problem="huber", method="1/L", steps=3)'


def run(*words: Any) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


def write(folder: Path, states: str, rest: str = INSTANCE) -> Path:
    path = folder / "claims.py"
    path.write_text(CLAIM.replace("STATES", states).replace("REST", rest))
    return path


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A folder with the certificates of two claims, on the Huber function from 3 with steps of 1."""
    folder = tmp_path / "certificates"
    folder.mkdir()
    assert run("certify", write(tmp_path, "f(x[k]) <= 1"), "--out", folder).exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["other@printed.json", "rate@printed.json"]
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def data_of(folder: Path, name: str = "rate@printed.json") -> Any:
    return json.loads((folder / name).read_text())


def test_what_has_not_changed_is_kept_byte_for_byte(kept):
    before = contents(kept)
    done = run("recertify", kept.parent / "claims.py", "--out", kept)
    assert done.exit_code == 0 and done.output.count(": kept\n") == 2
    assert contents(kept) == before


def test_a_changed_claim_is_refuted_by_the_same_function_and_run(kept):
    before = contents(kept)
    file = write(kept.parent, "f(x[k]) <= 2", "")  # without an instance: only the old data can help
    done = run("recertify", file, "--out", kept)
    assert done.exit_code == 0 and "user/rate@printed: renewed: by the same function and run" in done.output
    after, rate = contents(kept), data_of(kept)
    assert after["other@printed.json"] == before["other@printed.json"] and set(after) == set(before)
    assert rate["hash"] == next(b for b in bounds_in_file(str(file)) if b.label == "rate").hash and rate["right"] == "2"
    assert run("verify", kept / "rate@printed.json").exit_code == 0
    assert run("recertify", file, "--out", kept).output.count(": kept\n") == 2


def test_a_nearby_k_does_where_the_old_one_no_longer_refutes(kept):
    old = data_of(kept)["at"]["k"]
    done = run("recertify", write(kept.parent, "f(x[k]) >= 1", ""), "--out", kept)
    assert done.exit_code == 1 and "not renewed" in done.output  # the old run has one step
    done = run("recertify", write(kept.parent, "f(x[k]) >= 2", ""), "--out", kept)
    assert done.exit_code == 0 and data_of(kept)["at"]["k"] == old + 1


def test_a_new_letter_constant_and_M_are_given_values(kept):
    rest = 'try_with={"gamma": (100, 1)}, smoothness=("A",)'
    file = write(kept.parent, 'f(x[k]) + 0 * L * normsq(x[k]) <= Parameter("gamma") * M(x[k], x[k + 1]) * 0 * delta[k] + 1', rest)
    done = run("recertify", file, "--out", kept)
    assert done.exit_code == 1 and "x*" in done.output  # of which the old certificate says nothing
    file = write(
        kept.parent, 'f(x[k]) + 0 * L * normsq(x[k]) <= Parameter("gamma") * M(x[k], x[k + 1]) * 0 * normsq(x[k]) + 1', rest
    )
    assert run("recertify", file, "--out", kept).exit_code == 0
    made = data_of(kept)
    assert made["smoothness"] == "A" and made["constants"] == {"L": "1"} and made["parameters"] == {"gamma": "100"}


def test_where_the_old_data_no_longer_help_the_instance_does(kept):
    elsewhere = 'refuted_by=Instance(problem="parabola", method="1/L", steps=3)'
    done = run("recertify", write(kept.parent, "f(x[k]) >= 5 / 2", elsewhere.replace("1/L", "1/(2L)")), "--out", kept)
    assert done.exit_code == 0
    done = run("recertify", write(kept.parent, "f(x[k]) <= 1 / 2 + delta[k] / 10", elsewhere), "--out", kept)
    assert "renewed: by its instance, parabola by 1/L" in done.output and done.exit_code == 0
    assert data_of(kept)["function"]["kind"] == "quadratic"


def test_a_claim_that_nothing_refutes_any_more_keeps_its_old_file_and_exits_1(kept):
    before = contents(kept)
    done = run("recertify", write(kept.parent, "f(x[k]) <= 100"), "--out", kept)
    assert done.exit_code == 1 and done.output.count("\n") == 2
    assert "user/rate@printed: not renewed: " in done.output and "user/other@printed: kept" in done.output
    assert contents(kept) == before


def test_it_says_json(kept):
    done = run("recertify", write(kept.parent, "f(x[k]) <= 100"), "--out", kept, "--json")
    found = {one["claim"]: one for one in json.loads(done.stdout)}
    assert found["user/rate@printed"]["outcome"] == "not renewed" and found["user/rate@printed"]["why"]
    assert found["user/other@printed"] == {
        "claim": "user/other@printed",
        "file": str(kept / "other@printed.json"),
        "outcome": "kept",
        "why": "",
    }


def test_a_doctored_certificate_of_the_library_is_made_anew(tmp_path):
    path = tmp_path / "thm-polyak-alternate@printed.json"
    stale = {**certificate(POLYAK), "hash": "0" * 64}
    path.write_text(json.dumps(sealed(stale)))
    (tmp_path / "notes.json").write_text("{}")
    done = run("recertify", POLYAK, "--out", tmp_path)
    assert done.exit_code == 0 and "renewed" in done.output
    assert json.loads(path.read_text())["hash"] == claim(POLYAK).hash and run("verify", path).exit_code == 0
    assert (tmp_path / "notes.json").read_text() == "{}"


def test_a_broken_old_certificate_is_replaced_from_the_instance_and_a_missing_one_is_said(tmp_path):
    path = tmp_path / "thm-polyak-alternate@printed.json"
    path.write_text(json.dumps({"claim": {"id": claim(POLYAK).id}, "hash": ""}))
    assert run("recertify", POLYAK, "--out", tmp_path).exit_code == 0
    assert json.loads(path.read_text()) == certify(claim(POLYAK))
    done = run("recertify", "thm:polyak@left-to-right", "--out", tmp_path)
    assert done.exit_code == 1 and "there is no thm-polyak@left-to-right.json" in done.output


def test_bad_input_is_one_line(tmp_path):
    done = run("recertify", "--out", tmp_path / "nowhere")
    assert done.exit_code == 2 and done.output.count("\n") == 1 and "no folder" in done.output
    assert run("recertify", "thm:polyac").exit_code == 2
    assert run("recertify", "--out", tmp_path).exit_code == 2


# -- simpler ones -----------------------------------------------------------------------------------------------------------


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


def telling(name: str) -> tuple[AsTelling, Candidate]:
    kept_one = candidate_from(certificate(name))
    return AsTelling(claim(name), kept_one), kept_one


def refusal(fair: AsTelling, candidate: Candidate) -> str:
    """Why it tells less; "" where it does not."""
    try:
        fair.demand(candidate)
    except LessTelling as why:
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


def test_a_letter_stays_below_1_and_within_the_values_it_is_tried_with():
    fair, kept_one = telling("lemma:agd-equivalence.gamma@printed")  # alpha0 = 1/2
    assert not refusal(fair, replace(kept_one, parameters=(("alpha0", Fraction(1, 3)),)))
    assert refusal(fair, replace(kept_one, parameters=(("alpha0", Fraction(2)),))) == "alpha0 = 2"
    fair, kept_one = telling("thm:polyak@left-to-right")  # gamma = 5/4; it is tried with 5/4, 3/2, 7/4
    other = with_exact_steps(fair.bound, replace(kept_one, parameters=(("gamma", Fraction(17, 9)),)))
    assert other is not None and refusal(fair, other) == "gamma = 17/9"


def test_a_sequence_that_is_between_0_and_1_stays_there():
    """With mu = 1/3 and eta_1 = 3 the method has alpha_1 = 1 and lambda_2 = 0: then all is forgotten at once."""
    fair, kept_one = telling("lemma:local-upper-bound@printed")
    side = Side((Fraction(1),), (Fraction(1, 3), Fraction(1)))
    function = Ridges((Ridge((Fraction(1),), Pieces(side, side)),))
    run = with_steps(replace(kept_one, function=function, start=(Fraction(9),), smoothness="A"), [Fraction(1), Fraction(3)])
    assert refusal(fair, replace(run, parameters=(("alpha0", Fraction(3, 4)),))) == "lambda_k is not above 0 for some k"


def test_a_run_past_its_end_and_a_narrow_miss_tell_less(kept):
    rate = next(
        b for b in bounds_in_file(str(kept.parent / "claims.py")) if b.label == "rate"
    )  # f(x_k) <= 1, on Huber's function
    kept_one = candidate_from(data_of(kept))
    fair, step = AsTelling(rate, kept_one), Fraction(1)
    assert not refusal(fair, with_steps(kept_one, [step] * 3))
    assert "zero gradient" in refusal(fair, with_steps(kept_one, [step] * 4))  # the fourth begins at the minimum
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
