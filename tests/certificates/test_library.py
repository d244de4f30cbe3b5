"""Every claim of the library that is known to be false has a certificate, which the independent checker accepts."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import pytest

from boundcheck.certificates.errata import ErrataContent, errata, errata_page
from boundcheck.certificates.script import script
from boundcheck.certificates.write import as_text, file_name, kept
from boundcheck.library.catalogue import bounds

from .making import REFUTED, certificate, claim

verify = import_module("boundcheck.verify")  # the module: `boundcheck.verify` is the function

IDS = [f"{bound.label}@{bound.reading}" for bound in REFUTED]


@pytest.mark.parametrize("name", IDS)
def test_a_refuted_claim_certifies_and_the_checker_accepts_it(name, tmp_path):
    path = tmp_path / file_name(claim(name))
    path.write_text(as_text(certificate(name)), encoding="utf-8")
    code, line = verify.verify(str(path))
    assert code == verify.REFUTES, line
    assert claim(name).id in line


@pytest.mark.parametrize("name", IDS)
def test_its_script_runs_alone_and_prints_the_certificates_sides(name):
    made = certificate(name)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(script(claim(name), made), name, "exec"), {})
    _, left, _, right = out.getvalue().split("\n")[0].split()
    for given, printed in ((made["left"], left), (made["right"], right)):
        if isinstance(given, str) and "." in printed:  # a logarithm or a root on the way, in floats
            assert float(Fraction(given)) == pytest.approx(float(printed), rel=1e-12)
        elif isinstance(given, str):
            assert Fraction(given) == Fraction(printed)
        else:
            assert Fraction(given[0]) < Fraction(float(printed)) < Fraction(given[1])


def test_the_certificates_kept_beside_the_claims_are_those_of_the_claims_as_they_are():
    stored = kept()
    stale = [b.id for b in REFUTED if b.id not in stored or stored[b.id]["hash"] != b.hash]
    gone = sorted(set(stored) - {b.id for b in REFUTED})
    assert not stale and not gone, f"run `boundcheck certify`: stale or missing {stale}, of no claim {gone}"


@pytest.mark.parametrize("name", sorted(path.name for path in Path(__file__).parents[2].glob("theorems/*/certificates/*.json")))
def test_a_kept_certificate_refutes(name):
    (path,) = Path(__file__).parents[2].glob(f"theorems/*/certificates/{name}")
    code, line = verify.verify(str(path))
    assert code == verify.REFUTES, line


def test_the_errata_page_has_an_entry_for_each_false_statement_and_every_script_in_it_runs():
    made = {claim(name).id: certificate(name) for name in ("thm:polyak-alternate@printed", "eq:10@printed")}
    chosen = [b for b in bounds() if b.label in ("thm:polyak-alternate", "eq:10", "thm:polyak.best")]
    entries = errata(chosen, made)
    page = errata_page(ErrataContent(bounds=chosen, errata=entries))
    assert page.count("\n### ") == 2 and "thm:polyak.best" not in page
    assert r"which may be large, has not been taken yet." in page and r"\leq" in page
    assert page.count("**Corrected:**") == 2
    for block in page.split("```python\n")[1:]:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(block.split("```")[0], {})


def test_a_script_needs_nothing_but_python(tmp_path):
    path = tmp_path / "erratum.py"
    path.write_text(script(claim("thm:polyak-alternate@printed"), certificate("thm:polyak-alternate@printed")))
    done = subprocess.run([sys.executable, "-I", "-S", str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "left 25/4 right 324/55" in done.stdout, done.stderr


def test_a_script_whose_run_is_changed_stops():
    made = certificate("thm:polyak-alternate@printed")
    made["run"]["roles"][""]["eta"][1] = "1/8"
    with pytest.raises(AssertionError):
        exec(script(claim("thm:polyak-alternate@printed"), made), {})


def test_no_two_claims_share_a_file():
    assert len({file_name(bound) for bound in bounds()}) == len(list(bounds()))


def test_the_words_walk_through_the_run():
    words = certificate("thm:polyak-alternate@printed")["words"]
    for piece in ("x_0 = 9/2", "eta_0 = 1/16", "x_1 = 31/8", "eta_1 = 27/8", "25/4", "324/55", "left <= right"):
        assert piece in words
