"""`boundcheck certify` and `boundcheck verify`: files, exit codes, JSON, one line for what is wrong."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from boundcheck.certificates.write import NotCertified, as_text, certify, file_name, sealed
from boundcheck.cli import cli
from boundcheck.falsify.renew import simplified

from .making import certificate, claim, rehashed

POLYAK = "thm:polyak-alternate@printed"
SHRINKS = "thm:polyak.M-at-most-L@printed"  # its instance gives more than is needed


def run(*words: Any) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


def written(folder: Path, data: Any) -> Path:
    path = folder / "certificate.json"
    path.write_text(json.dumps(data))
    return path


def test_certify_writes_a_file_that_verify_accepts(tmp_path):
    done = run("certify", POLYAK, "--out", tmp_path)
    path = tmp_path / "thm-polyak-alternate@printed.json"
    assert done.exit_code == 0 and str(path) in done.output
    done = run("verify", path)
    assert done.exit_code == 0 and "refutes" in done.output and "324/55" in done.output


def test_certify_says_json(tmp_path):
    (entry,) = json.loads(run("certify", POLYAK, "--out", tmp_path, "--json").stdout)
    assert entry["written"] and entry["claim"].endswith(POLYAK) and Path(entry["file"]).is_file()


@cache
def simpler(name: str) -> dict[str, Any]:
    """A certificate of the claim that is simpler than what its instance gives."""
    found = simplified(claim(name), certificate(name), budget=60).certificate
    assert found is not None
    return found


def test_certify_leaves_a_simpler_certificate_that_refutes_the_claim_unless_it_is_forced(tmp_path):
    path = tmp_path / file_name(claim(SHRINKS))
    path.write_text(as_text(simpler(SHRINKS)), encoding="utf-8")
    before = path.read_bytes()
    done = run("certify", SHRINKS, "--out", tmp_path)
    assert done.exit_code == 0 and "kept: simpler" in done.output and path.read_bytes() == before
    (entry,) = json.loads(run("certify", SHRINKS, "--out", tmp_path, "--json").stdout)
    assert entry["kept"] and not entry["written"] and path.read_bytes() == before
    assert run("certify", SHRINKS, "--out", tmp_path, "--from-instance").exit_code == 0
    assert json.loads(path.read_text(encoding="utf-8")) == certificate(SHRINKS)


@pytest.mark.parametrize("damage", [{"hash": "0" * 64}, {"left": "1000"}, {"format": "notes"}])
def test_certify_writes_over_a_simpler_file_that_does_not_refute_the_claim(tmp_path, damage):
    path = tmp_path / file_name(claim(SHRINKS))
    path.write_text(as_text(sealed({**simpler(SHRINKS), **damage})), encoding="utf-8")
    done = run("certify", SHRINKS, "--out", tmp_path)
    assert done.exit_code == 0 and "kept" not in done.output
    assert json.loads(path.read_text(encoding="utf-8")) == certificate(SHRINKS)


def test_a_claim_that_is_not_refuted_gets_no_certificate(tmp_path):
    done = run("certify", "thm:polyak.best", "--out", tmp_path)
    assert done.exit_code == 2 and "no" in done.output and not list(tmp_path.iterdir())


def test_an_instance_that_does_not_refute_makes_no_certificate():
    from boundcheck.claims.bound import Instance

    with pytest.raises(NotCertified, match="is not violated on parabola"):
        certify(claim("thm:polyak@printed"), Instance(problem="parabola", method="polyak(5/4)", steps=2, smoothness="H"))


def test_verify_exits_1_where_it_does_not_refute_and_2_where_it_is_malformed(tmp_path):
    path = written(tmp_path, {**certificate(POLYAK), "left": "6"})
    assert run("verify", path).exit_code == 1
    path = written(tmp_path, {})
    done = run("verify", path)
    assert done.exit_code == 2 and done.output.count("\n") == 1 and "malformed" in done.output
    done = run("verify", tmp_path / "nowhere.json")
    assert done.exit_code == 2 and done.stderr.endswith("nowhere.json: malformed: there is no such file\n")
    assert run("verify").exit_code == 2


def test_verify_says_json(tmp_path):
    path = written(tmp_path, certificate(POLYAK))
    (entry,) = json.loads(run("verify", path, "--json").stdout)
    assert entry["outcome"] == "refutes" and entry["exit_code"] == 0 and entry["claim"].endswith(POLYAK)


def test_a_certificate_of_another_claim_under_a_librarys_name_does_not_refute_it(tmp_path):
    data = certificate(POLYAK)
    data["claim"]["given"] = [h for h in data["claim"]["given"] if h != {"fact": "Convex"}]
    done = run("verify", written(tmp_path, sealed(rehashed(data))))
    assert done.exit_code == 1 and "hashes differ" in done.output


def test_the_name_of_a_file_is_the_label_and_the_reading():
    assert file_name(claim(POLYAK)) == "thm-polyak-alternate@printed.json"
    assert file_name(claim("thm:polyak.M-at-most-L@printed")) == "thm-polyak-M-at-most-L@printed.json"
