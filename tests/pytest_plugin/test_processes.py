"""One process or two, and what is imported when there is no theorem file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .users import FALSE, TRUE, VACUOUS, Run, run_pytest

HEAVY = (
    "numpy",
    "scipy",
    "mpmath",
    "flint",
    "boundcheck.claims.bound",
    "boundcheck.language",
    "boundcheck.problems",
    "boundcheck.runners",
)


@pytest.mark.slow
@pytest.mark.parametrize("dist", ["loadgroup", "load"])
def test_two_processes_say_the_same_as_one(dist: str, run: Run) -> None:
    claims, more = TRUE + FALSE + VACUOUS, ("--bc-problem", "asymmetric")
    one, two = run(claims, *more), run(claims, *more, "-n", "2", "--dist", dist)
    assert one.claims == two.claims and len(one.claims) == 3
    assert one.counts == two.counts and one.code == two.code == 1
    assert "never exercised: user/never@printed" in two.out


def test_runs_made_ahead_by_processes_say_the_same(run: Run) -> None:
    one, two = (run(TRUE + FALSE, "--bc-problem", "asymmetric", "--bc-jobs", jobs) for jobs in ("1", "2"))
    assert one.claims == two.claims and len(one.claims) == 2
    assert one.counts == two.counts and one.code == two.code == 1


def test_runs_are_made_by_processes_of_their_own(run: Run) -> None:
    spy = "import os, boundcheck.runners as r\n_trace = r.trace\ndef told(*a, **o):\n    print('BY', os.getpid(), flush=True)\n"
    spy += "    return _trace(*a, **o)\nr.trace = told\nprint('MAIN', os.getpid(), flush=True)\n"
    where = ("-s", "-k", "not twin", "--bc-problem", "asymmetric")
    for jobs, ahead in (("1", False), ("2", True)):
        said = run(spy + TRUE, *where, "--bc-jobs", jobs).out.split()
        main = said[said.index("MAIN") + 1]
        by = {said[n + 1] for n, word in enumerate(said) if word.endswith("BY")}
        assert by and (main not in by) is ahead


def test_no_processes_at_all_is_refused(run: Run) -> None:
    done = run(TRUE, "--bc-jobs", "0")
    assert done.code == 4 and "--bc-jobs: found 0; needed a number of processes, 1 or more" in done.out


def test_a_claim_that_nothing_exercised_fails_two_processes_too(run: Run) -> None:
    assert run(VACUOUS, "-n", "2").code == 1
    assert run(TRUE, "-n", "2").code == 0


def test_a_run_is_made_once_for_all_claims(run: Run) -> None:
    spy = (
        "import boundcheck.runners as r\n_trace = r.trace\n"
        "def counted(*a, **o):\n    print('RUN', a[1].rule.name)\n    return _trace(*a, **o)\nr.trace = counted\n"
    )
    done = run(spy + TRUE + FALSE, "-s", "-k", "not twin", "--bc-method", "1/L", "--bc-arithmetic", "rational")
    assert done.out.count("RUN 1/L") == 1


def test_the_plugin_imports_nothing_of_the_library(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(f"import sys\ndef test_it(): assert not [n for n in {HEAVY!r} if n in sys.modules]\n")
    done = run_pytest(tmp_path)
    assert done.code == 0, done.out
    code = f"import sys, boundcheck.pytest_plugin; print(*(name for name in {HEAVY!r} if name in sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert found.stdout.split() == []


def test_claims_of_the_library_are_imported_once_under_their_own_name(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    (tmp_path / "spy.py").write_text(
        "import sys\ndef pytest_collection_finish(session):\n"
        "    print('FOUND', *sorted({n for n in sys.modules if n.endswith('section4_polyak')}))\n"
        "    from boundcheck.library.catalogue import bounds\n"
        "    print('SAME', {id(i.bound) for i in session.items} <= {id(b) for b in bounds()})\n"
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "spy",
        "-p",
        "no:cacheprovider",
        "--collect-only",
        "-q",
        "--bc-problem",
        "huber",
    ]
    done = subprocess.run(
        [*command, "theorems/directional_smoothness/section4_polyak.py"],
        cwd=root,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(tmp_path), "PATH": ""},
        check=False,
    )
    assert "FOUND boundcheck.theorems.directional_smoothness.section4_polyak\n" in done.stdout, done.stdout + done.stderr
    assert "SAME True" in done.stdout
