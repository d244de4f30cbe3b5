"""`list`, `explain`, `lint`, `--version`, and the command as the shell sees it."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

from boundcheck.library.catalogue import bounds

STATUSES = {"holds", "refuted", "undecided", "untested"}
SCRIPT = Path(sys.executable).with_name("boundcheck")


def test_list_names_every_claim_with_a_status(run):
    found = json.loads(run("list", "--json").stdout)
    assert [claim["id"] for claim in found] == [bound.id for bound in bounds()]
    assert all(claim.keys() >= {"id", "label", "reading", "title", "status", "certified"} for claim in found)
    assert {claim["status"] for claim in found} <= STATUSES
    shown = run("list").stdout
    assert all(bound.id in shown for bound in bounds())


def test_a_claim_that_changed_since_its_record_is_untested(run, monkeypatch):
    bound = bounds()[0]
    entry = {"hash": bound.hash, "status": "holds", "certified": True, "holds": 3, "certified_cells": 1}
    for digest, status in ((bound.hash, "holds"), ("changed", "untested")):
        monkeypatch.setattr(
            "boundcheck.suite.recorded_verdicts.recorded", lambda digest=digest: {bound.id: {**entry, "hash": digest}}
        )
        assert json.loads(run("list", "--json").stdout)[0]["status"] == status


def test_explain_shows_the_statement_the_hypotheses_and_the_dimensions(run):
    done = run("explain", "theorems.py:descent", "--latex")
    assert done.exit_code == 0
    assert "f(x_{k+1}) <= f(x_k)" in done.stdout and r"\nabla f" in done.stdout
    assert "f is convex" in done.stdout and "f and f" in done.stdout and "D, A, H, L" in done.stdout


def test_explain_works_out_where_a_false_claim_fails(run):
    refuted = next(bound for bound in bounds() if bound.refuted_by and bound.refuted_by.arithmetic == "rational")
    done = run("explain", refuted.id)
    assert "VIOLATED, certified" in done.stdout
    (found,) = json.loads(run("explain", refuted.id, "--json").stdout)
    assert found["counterexample"]["outcome"] == "VIOLATED"
    sides = found["counterexample"]["violation"]
    assert Fraction(sides["left"]) != Fraction(sides["right"])


def test_explain_of_a_label_shows_its_readings_with_the_reason(run):
    proved = next(bound for bound in bounds() if bound.because)
    shown = run("explain", proved.label).stdout
    assert f"@{proved.reading}" in shown and proved.because in shown
    keys = {"id", "hash", "statement", "latex", "hypotheses", "dimensions", "findings", "recorded", "status", "because"}
    assert all(claim.keys() >= keys for claim in json.loads(run("explain", proved.label, "--json").stdout))


def test_lint_passes_a_well_formed_claim_and_names_the_piece_of_another(run, folder):
    assert run("lint", "theorems.py").exit_code == 0
    text = (folder / "theorems.py").read_text(encoding="utf-8") + "\nill = Bound(states=f(x[k]) + eta[k] <= f(x[0]))\n"
    (folder / "ill.py").write_text(text, encoding="utf-8")
    done = run("lint", "ill.py")
    assert done.exit_code == 1
    assert "user/ill@printed: error [dimension] in eta_k: " in done.stdout
    found = {claim["id"]: claim for claim in json.loads(run("lint", "ill.py", "--json").stdout)}
    assert found["user/descent@printed"]["well_formed"] and not found["user/ill@printed"]["well_formed"]
    assert found["user/ill@printed"]["findings"][0].keys() == {"check", "severity", "piece", "message"}


def test_a_users_file_may_import_its_neighbours(run, folder):
    (folder / "mine.py").write_text("from problems import half\nfrom theorems import descent\n", encoding="utf-8")
    before = list(sys.path)
    assert run("check", "mine.py:descent", "--problem", "mine.py:half", "--method", "1/L").exit_code == 0
    assert sys.path == before


def test_the_version_is_that_of_the_package(run):
    from importlib.metadata import version

    assert run("--version").stdout.split()[-1] == version("boundcheck")


def test_the_shell_sees_exit_codes_one_line_and_no_colour(folder):
    def shell(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([SCRIPT, *words], capture_output=True, text=True, timeout=120, check=False, cwd=folder)

    violated = shell("check", "theorems.py:greedy", "--problem", "huber", "--method", "1/L")
    assert violated.returncode == 1 and "\x1b" not in violated.stdout and violated.stderr == ""
    wrong = shell("check", "thm:polyac")
    assert wrong.returncode == 2 and wrong.stderr.count("\n") == 1


def test_a_closed_pipe_is_quiet(folder):
    words = f"'{sys.executable}' -m boundcheck check theorems.py:descent --verbose --problem huber --problem quadratic-2d | true"
    done = subprocess.run(words, shell=True, capture_output=True, text=True, timeout=120, check=False, cwd=folder)
    assert done.stderr == ""


def work(code: str, folder: Path) -> tuple[float, str]:
    """The seconds of work of a Python program, and what it says on stderr."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True, cwd=folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stderr


def test_list_is_quick_and_imports_nothing_heavy(folder):
    """Against `import numpy, click` in the same minute: seconds of work grow with whatever else runs on a machine."""
    code = (
        "import sys; from boundcheck.cli import cli\ntry: cli(['list', '--json'])\nfinally: print(*sys.modules, file=sys.stderr)"
    )
    heavy = {"scipy", "mpmath", "flint", "torch", "rich", "boundcheck.suite.grid", "boundcheck.runners", "boundcheck.problems"}
    ratios = []
    for _ in range(8):  # the first may compile what is new; on a busy machine caches are shared
        seconds, imported = work(code, folder)
        assert not heavy & set(imported.split())
        ratios.append(seconds / work("import numpy, click", folder)[0])
        if ratios[-1] < 6:
            break
    assert min(ratios) < 6
