"""`boundcheck report`, and what a killed `boundcheck paper` leaves for it and for the next one."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from io import StringIO

import pytest
from click.testing import CliRunner

from boundcheck.cli import cli
from boundcheck.store import Store

from .small import library, store_at, works

# The command line on a small library; Store.finish writes down what it keeps, and the process kills itself after so many works.
PROGRAM = """
import os, signal, sys
import boundcheck.library.declarations, boundcheck.library.references, boundcheck.suite.grid
import boundcheck.report.paper_run, boundcheck.report.supplements, boundcheck.report.provenance
from boundcheck.cli import main
from boundcheck.library.catalogue import bounds, problems, rules
from boundcheck.store import Store

def wanted(bound):
    return bound.label == "lemma:local-descent-lemma" or (bound.label == "eq:10" and bound.is_refuted)

boundcheck.library.references.bounds = lambda: [bound for bound in bounds() if wanted(bound)]
boundcheck.suite.grid.problems = lambda: {"huber": problems()["huber"]}
boundcheck.suite.grid.rules = lambda: {name: rules()[name] for name in ("1/L", "1/(2L)", "polyak(1)", "polyak(3/2)")}
boundcheck.library.declarations.audited_rules = lambda: ()
boundcheck.report.provenance.code_hash = lambda: "the same"
finish, left = Store.finish, int(sys.argv.pop(1))

def finish_and_note(store, key, verdicts):
    global left
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    left -= 1
    kept = finish(store, key, verdicts)
    print(key, file=open("kept.txt", "a"), flush=True)
    return kept

Store.finish = finish_and_note
main()
"""
NEVER = -1


def paper(folder, kill_after, *words):
    """`boundcheck paper` in a process of its own."""
    (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
    command = [sys.executable, "program.py", str(kill_after), "paper", "--no-audits", *words]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=300, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    )


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("boundcheck.library.references.bounds", lambda: list(library()))
    monkeypatch.setattr("boundcheck.report.content.ENOUGH_PROBLEMS", 1)
    return lambda *words: CliRunner().invoke(cli, ["report", *map(str, words)], prog_name="boundcheck")


def test_after_a_kill_the_rest_is_done_and_nothing_twice(tmp_path):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    whole.mkdir(), cut.mkdir()
    assert paper(whole, NEVER).returncode in (0, 1)
    killed = paper(cut, 4)
    assert killed.returncode == -signal.SIGKILL and not (cut / "report/index.html").exists()
    resumed = paper(cut, NEVER)
    assert resumed.stderr.startswith("4 of ") and "runs are taken from report/results.sqlite" in resumed.stderr
    kept = Counter((cut / "kept.txt").read_text(encoding="utf-8").split())
    with Store(cut / "report/results.sqlite") as store:
        assert set(kept) == {work.key for work in store.works()} and set(kept.values()) == {1}
    for name in ("iterates.csv.gz", "claims.csv", "verdicts.tex"):
        assert (cut / "report/tables" / name).read_bytes() == (whole / "report/tables" / name).read_bytes(), name
    assert cells_in(whole) == cells_in(cut)


def cells_in(folder):
    """The rows of the cells' table, without the times."""
    text = (folder / "report/tables/cells.csv").read_text(encoding="utf-8")
    return [{**row, "seconds": ""} for row in csv.DictReader(StringIO(text))]


@pytest.mark.slow
def test_a_real_interrupt_writes_the_report_of_what_there_is(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM.replace("signal.SIGKILL", "signal.SIGINT"), encoding="utf-8")
    command = [sys.executable, "program.py", "3", "paper", "--no-audits"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 130, done.stderr
    assert "boundcheck: interrupted: " in done.stderr and " runs were made; the report shows what there is" in done.stderr
    assert "interrupted: " in (tmp_path / "report/index.html").read_text(encoding="utf-8")


def test_the_report_of_a_killed_run_says_that_it_is_not_whole(run, tmp_path):
    store_at(tmp_path / "results.sqlite", done=2).close()
    done = run(tmp_path, "--out", "elsewhere")
    state = f"interrupted: 2 of {len(works()[0])} runs were made"
    assert done.exit_code == 1 and done.stderr == f"boundcheck: {state}; the report shows what there is\n"
    assert done.stdout.splitlines()[-1] == "open elsewhere/index.html"
    for name in ("index.html", "summary.md", "verdicts.json", "provenance.json", "tables/verdicts.tex"):
        assert state in (tmp_path / "elsewhere" / name).read_text(encoding="utf-8"), name
    assert sorted(path.name for path in tmp_path.iterdir()) == ["elsewhere", "results.sqlite"]


def test_a_whole_run_is_reported_again_in_its_own_folder(run, tmp_path):
    store_at(tmp_path / "results.sqlite").close()
    done = run(tmp_path, "--json")
    found = json.loads(done.stdout)
    assert done.exit_code == found["exit_code"] == 0, found
    assert found["state"] is None and [claim["status"] for claim in found["claims"]] == ["holds", "refuted"]
    assert any("were checked" in line for line in found["summary"])
    assert (tmp_path / "tables/iterates.parquet").is_file()


def test_out_alone_names_the_folder_that_paper_wrote_to(run, tmp_path):
    (tmp_path / "mine").mkdir()
    store_at(tmp_path / "mine/results.sqlite").close()
    done = run("--out", "mine")
    assert done.exit_code == 0 and done.stdout.splitlines()[-1] == "open mine/index.html"
    told = " ".join(done.stdout.split())
    assert "2 printed statements were checked, lines of proofs and remarks included: 1 holds, 1 is refuted." in told
    assert "1 of the 1 theorems, propositions, lemmas and corollaries stands as printed" in told
    assert "which is not a proof" in told and "$" not in told
    assert run("--out", "new").stderr.startswith("boundcheck: there is no report/results.sqlite")


def test_worst_cases_that_the_store_keeps_are_in_the_tables(run, tmp_path):
    from boundcheck.report.supplements import keep_worst_cases
    from boundcheck.report.tables import WORST
    from boundcheck.tightness.result import WorstCase

    with store_at(tmp_path / "results.sqlite") as store:
        run(tmp_path)
        table = tmp_path / "tables/worst_cases.csv"
        assert table.read_text(encoding="utf-8").splitlines() == [",".join(WORST)]
        keep_worst_cases(
            store, [WorstCase(claim=library()[0].id, name="gd 1/L", k=3, bound=2.0, worst=1.0, can_be_improved=True)]
        )
    assert run(tmp_path).exit_code == 0
    assert (
        table.read_text(encoding="utf-8")
        .splitlines()[1]
        .startswith(f'{library()[0].id},gd 1/L,3,2.0,1.0,0.5,nan,can be improved,"by semidefinite program, not certified",')
    )
    assert "$0.5$ & can be improved" in (tmp_path / "tables/worst_cases.tex").read_text(encoding="utf-8")


@pytest.mark.parametrize(("text", "told"), [(None, "there is no "), ("x" * 500, "not a database")])
def test_a_folder_without_a_store_is_refused_in_one_line(run, tmp_path, text, told):
    if text is not None:
        (tmp_path / "results.sqlite").write_text(text, encoding="utf-8")
    done = run(tmp_path, "--out", "new")
    assert done.exit_code == 2 and told in done.stderr and done.stderr.count("\n") == 1
    assert not (tmp_path / "new").exists()


def test_audits_are_shown_and_other_files_are_no_audits(run, tmp_path):
    from boundcheck.audit.audit import audit
    from boundcheck.support.atomic_files import sealed

    store_at(tmp_path / "results.sqlite").close()
    said = sealed(audit("1/L", ["huber"], steps=5, seconds=2).to_json())
    (tmp_path / "mine.json").write_text(json.dumps(said), encoding="utf-8")
    assert run(tmp_path, "--audit", "mine.json").exit_code == 0
    assert "its steps are what it declares" in (tmp_path / "index.html").read_text(encoding="utf-8")
    for text in ("{}", "[]", "no json"):
        (tmp_path / "bad.json").write_text(text, encoding="utf-8")
        done = run(tmp_path, "--audit", "bad.json")
        assert done.exit_code == 2 and "bad.json is no audit" in done.stderr and done.stderr.count("\n") == 1


def test_figures_beside_the_report_are_shown_unless_they_are_not_wanted(run, tmp_path):
    store_at(tmp_path / "results.sqlite").close()
    (tmp_path / "figures").mkdir()
    (tmp_path / "figures/mine.svg").write_text("<svg/>", encoding="utf-8")
    (tmp_path / "figures/mine.txt").write_text("A title\n\nWhat is seen & why\n", encoding="utf-8")
    run(tmp_path)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "data:image/svg+xml;base64,PHN2Zy8+" in page and "What is seen &amp; why" in page
    run(tmp_path, "--out", tmp_path / "other")
    assert "data:image/svg+xml;base64,PHN2Zy8+" in (tmp_path / "other/index.html").read_text(encoding="utf-8")
    run(tmp_path, "--no-figures")
    assert "data:image/svg+xml" not in (tmp_path / "index.html").read_text(encoding="utf-8")
