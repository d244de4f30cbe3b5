"""The script of every entry runs with Python alone, and says that the claim fails."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from boundcheck import Bound, Convex, Smooth
from boundcheck.certificates.errata import errata
from boundcheck.certificates.script import script
from boundcheck.certificates.write import certify, kept
from boundcheck.claims.hypotheses import By
from boundcheck.claims.source import Instance
from boundcheck.language.letters import delta, eta, grad, k, sqrt, x
from boundcheck.language.scalars import NONE, Term
from boundcheck.language.tree import Index
from boundcheck.library.catalogue import bounds
from boundcheck.model.method import Method, Update

PROGRAMS = {f"{e.bound.label}@{e.bound.reading}": e.program for e in errata(bounds(), kept()) if e.program}


def run(program: str) -> tuple[int, str, str]:
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def with_a_root_that_no_side_reads() -> str:
    """The script of a false claim about a method that carries t = (1 + sqrt(5))/2 along, which is no fraction."""
    t = [Term("t", Index("k", n), NONE) for n in (0, 1)]
    golden = Method(
        name="a method with a root",
        first=(Update(Term("t", Index(None, 0), NONE), 1),),
        each=(Update(t[1], (1 + sqrt(1 + 4 * t[0] ** 2)) / 2), Update(x[k + 1], x[k] - eta[k] * grad(x[k]))),
        kind="gradient descent",
    )
    claim = Bound(states=delta[k] <= delta[0] / 100, given=(Convex, Smooth, By(golden)), for_all=k >= 1)
    return script(claim, certify(claim, Instance(problem="parabola", method="1/(2L)", steps=2, arithmetic="ball:128")))


def test_a_script_takes_a_root_that_is_no_fraction_where_no_side_reads_it():
    program = with_a_root_that_no_side_reads()
    assert "isqrt(" in program, "its sides are fractions"
    code, out, wrong = run(program)
    assert code == 0 and "the claim fails here" in out, wrong


def test_a_script_of_a_claim_that_holds_there_stops():
    program = with_a_root_that_no_side_reads()
    assert run(program.replace("/100", "*100"))[0] != 0


def check(names: list[str]) -> None:
    with ThreadPoolExecutor(2) as pool:
        for name, (code, out, wrong) in zip(names, pool.map(run, (PROGRAMS[n] for n in names)), strict=True):
            assert code == 0 and "the claim fails here: it says that left" in out, f"{name}: {wrong}"


def test_the_script_of_every_entry_runs():
    check(sorted(PROGRAMS))
    assert any("sqrt(" in program for program in PROGRAMS.values())
