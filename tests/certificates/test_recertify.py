"""`boundcheck recertify`: certificates of claims that have changed are renewed, and nothing else is touched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from boundcheck.certificates.write import certify, sealed
from boundcheck.cli import cli
from boundcheck.library.catalogue import bounds_in_file

from .making import certificate, claim

POLYAK = "thm:polyak-alternate@printed"
CLAIM = """
from boundcheck import Bound, Convex, GradientDescent, Instance
from boundcheck.language.letters import eta, f, k, normsq, x, xstar, delta, Delta, M, A, L
from boundcheck.language.scalars import Parameter

rate = Bound(
    given=(Convex, GradientDescent(), *RANGES),
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
    ranges = "".join(f"Parameter('{name}') > 0, " for name in ("gamma", "c") if f'Parameter("{name}")' in states)
    path.write_text(CLAIM.replace("*RANGES", ranges).replace("STATES", states).replace("REST", rest))
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
