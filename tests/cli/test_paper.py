"""`paper`: expected and unexpected verdicts, the report, and what is left behind."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import pytest

from boundcheck.cli.paper import command
from boundcheck.library.catalogue import bounds, problems, rules
from boundcheck.report import ranking, supplements

FILES = [
    "errata.md",
    "index.html",
    "inventory.md",
    "letter.md",
    "letter.tex",
    "provenance.json",
    "results.sqlite",
    "summary.md",
    "tables",
    "verdicts.json",
]
RULES = ("1/L", "1/(2L)", "polyak(1)", "polyak(3/2)")
TABLES = ["cells", "claims", "iterates", "tables", "tightness", "verdicts", "worst_cases"]


RANKINGS: dict = {}


def ranked_once(problem, rule, library, k):
    """Rankings do not depend on what else a test changes: those of the same claims on the same run are made once."""
    key = problem.name, rule.name, k, *(claim.hash for claim in library)
    if key not in RANKINGS:
        RANKINGS[key] = ranking.ranked(problem, rule, library, k)
    return RANKINGS[key]


@pytest.fixture
def small(monkeypatch):
    """A paper of two claims, on one problem, which is enough here."""
    monkeypatch.setattr(supplements, "ranked", ranked_once)
    monkeypatch.setattr("boundcheck.report.content.ENOUGH_PROBLEMS", 1)
    monkeypatch.setattr("boundcheck.library.declarations.audited_rules", lambda: ())
    refuted = next(b for b in bounds() if b.label == "eq:10" and b.is_refuted)
    claims = [next(b for b in bounds() if b.label == "lemma:local-descent-lemma"), refuted]

    def use(*others):
        monkeypatch.setattr("boundcheck.library.references.bounds", lambda: [*claims, *others])

    monkeypatch.setattr("boundcheck.suite.grid.problems", lambda: {"huber": problems()["huber"]})
    monkeypatch.setattr("boundcheck.suite.grid.rules", lambda: {name: rules()[name] for name in RULES})
    use()
    return use, claims


def test_the_provenance_has_the_command_with_all_that_changes_the_report(run, folder, small):
    run("paper", "--out", "out", "--no-audits", "--jobs", "1")
    said = json.loads((folder / "out/provenance.json").read_text(encoding="utf-8"))
    assert said["command"] == "boundcheck paper --profile quick --no-audits"
    given = {"figures": True, "worst_cases": True, "no_audits": False}
    assert command("classical", "full", given) == "boundcheck paper classical --profile full --figures --worst-cases"


def test_a_paper_whose_verdicts_are_the_expected_ones(run, folder, small):
    done = run("paper", "--out", "out/deep")
    assert done.exit_code == 0, done.stdout
    assert done.stdout.splitlines()[-1] == "open out/deep/index.html"
    assert sorted(path.name for path in (folder / "out/deep").iterdir()) == FILES
    assert "2 claims: 1 holds, 1 refuted" in (folder / "out/deep/summary.md").read_text(encoding="utf-8")
    assert sorted({path.name.partition(".")[0] for path in (folder / "out/deep/tables").iterdir()}) == TABLES
    assert "lemma:local-descent-lemma" in (folder / "out/deep/index.html").read_text(encoding="utf-8")
    cells = json.loads((folder / "out/deep/verdicts.json").read_text(encoding="utf-8"))["cells"]
    assert {cell["problem"] for cell in cells} == {"huber"}


def classical_descent():
    return next(b for b in bounds() if b.id == "classical/gd.descent@printed")


def test_without_a_name_the_papers_that_keep_an_inventory_are_checked(run, folder, small):
    use, claims = small
    use(classical_descent())
    found = json.loads(run("paper", "--json").stdout)
    assert [claim["id"] for claim in found["claims"]] == [claim.id for claim in claims]


def test_a_paper_is_chosen_by_the_name_that_begins_its_ids(run, folder, small):
    use, _ = small
    use(classical_descent())
    done = run("paper", "classical", "--json")
    found = json.loads(done.stdout)
    assert done.exit_code == 0
    assert [claim["id"] for claim in found["claims"]] == ["classical/gd.descent@printed"]
    assert json.loads((folder / "report/verdicts.json").read_text(encoding="utf-8"))["inventory"] == []


def test_a_paper_that_does_not_exist_is_one_line_and_leaves_nothing_behind(run, folder, small):
    done = run("paper", "directional")
    assert (done.exit_code, done.stderr) == (2, "boundcheck: no paper 'directional'; did you mean 'directional-smoothness'?\n")
    assert not (folder / "report").exists()


def test_a_claim_that_is_violated_against_expectation_fails_the_paper(run, folder, small):
    use, (_, refuted) = small
    use(replace(refuted, refuted_by=None, reading="hopeful"))
    done = run("paper", "--json")
    found = json.loads(done.stdout)
    assert done.exit_code == found["exit_code"] == 1
    assert [claim["expected"] for claim in found["claims"]] == [True, True, False]
    assert "is violated" in found["claims"][-1]["surprise"]


def test_a_claim_that_is_not_refuted_where_it_says_fails_the_paper(run, folder, small):
    use, (descent, refuted) = small
    use(replace(descent, refuted_by=replace(refuted.refuted_by, method="1/L", steps=3, smoothness="H"), reading="doubted"))
    done = run("paper")
    assert done.exit_code == 1
    assert "should be refuted on huber by 1/L, but there it is HOLDS, certified" in done.stdout


def test_a_claim_that_nothing_exercises_fails_the_paper_unless_it_says_so(run, folder, small):
    use, (descent, _) = small
    nowhere = replace(descent, smoothness=(), reading="nowhere")
    use(nowhere)
    assert run("paper").exit_code == 1
    use(replace(nowhere, untested="no M yet"))
    assert run("paper").exit_code == 0


def test_a_claim_that_is_tried_too_little_fails_the_paper(run, folder, small, monkeypatch):
    monkeypatch.setattr("boundcheck.report.content.ENOUGH_PROBLEMS", 3)
    done = run("paper")
    assert done.exit_code == 1
    assert "is exercised on huber only; give it more instances with try_on" in done.stdout


def test_a_claim_that_is_nowhere_nearly_tight_says_why_or_fails_the_paper(run, folder, small):
    from boundcheck.language.letters import delta, k

    use, (descent, _) = small
    loose = replace(descent, states=delta[k + 1] <= 100 * delta[0], reading="loose")
    use(loose)
    done = run("paper")
    assert done.exit_code == 1
    assert "is nowhere nearly tight" in done.stdout
    use(replace(loose, loose_because="99 in 100 are given away"))
    assert run("paper").exit_code == 0


def test_a_certificate_of_another_claim_fails_the_paper(run, folder, small, monkeypatch):
    monkeypatch.setattr("boundcheck.certificates.write.file_name", lambda bound: "eq-n6@printed.json")
    done = run("paper")
    assert done.exit_code == 1
    assert "eq-n6@printed.json refutes another claim" in done.stdout


def test_a_paper_that_was_checked_is_not_checked_again_unless_it_is_asked_to_be(run, folder, small, monkeypatch):
    first = run("paper")
    before = (folder / "report/tables/iterates.csv.gz").read_bytes()
    asked = []
    monkeypatch.setattr("boundcheck.report.paper_run.stream", lambda tasks, jobs: asked.extend(tasks) or ())
    again = run("paper")
    assert (first.exit_code, again.exit_code) == (0, 0) and not asked
    taken, _, all_of_them = again.stderr.partition(" runs ")[0].partition(" of ")
    assert taken == all_of_them and "are taken from report/results.sqlite" in again.stderr
    assert again.stdout == first.stdout
    assert (folder / "report/tables/iterates.csv.gz").read_bytes() == before


def test_fresh_does_everything_again_and_other_code_and_claims_take_nothing(run, folder, small, monkeypatch):
    use, (descent, _) = small
    run("paper")
    assert "taken" not in run("paper", "--fresh").stderr
    monkeypatch.setattr("boundcheck.report.provenance.code_hash", lambda: "another")
    assert "results.sqlite is of other code: nothing is taken from it" in run("paper").stderr
    use(replace(descent, smoothness=("D",), reading="narrow"))
    assert "results.sqlite is of other claims: nothing is taken from it" in run("paper").stderr


def interrupt_after(monkeypatch, works):
    """Ctrl-C comes when so many works are finished."""
    from boundcheck.store import Store

    finish, count = Store.finish, iter(range(works))

    def finish_or_stop(store, key, verdicts):
        if next(count, None) is None:
            raise KeyboardInterrupt
        return finish(store, key, verdicts)

    monkeypatch.setattr(Store, "finish", finish_or_stop)


def test_an_interrupted_paper_reports_what_there_is(run, folder, small, monkeypatch):
    with monkeypatch.context() as patched:
        interrupt_after(patched, 3)
        done = run("paper")
    assert done.exit_code == 130
    state = done.stderr.removeprefix("boundcheck: ").partition(";")[0]
    assert state.startswith("interrupted: 3 of ") and state.endswith("runs were made")
    assert "error" not in done.stdout  # nothing is held against claims that were not tried
    for name in ("index.html", "summary.md"):
        assert state in (folder / "report" / name).read_text(encoding="utf-8")
    assert json.loads((folder / "report/provenance.json").read_text(encoding="utf-8"))["state"] == state
    rest = run("paper")
    assert rest.exit_code == 0 and rest.stderr.startswith("3 of ")
    assert "interrupted" not in (folder / "report/summary.md").read_text(encoding="utf-8")


def test_a_run_that_fails_is_shown_and_stops_nothing(run, folder, small, monkeypatch):
    from boundcheck.suite.grid import GridSetting

    answers = GridSetting.answers

    def fails(setting, experiment, asked, **options):
        if experiment.rule is not None and experiment.rule.name == "1/L":
            raise ZeroDivisionError("nothing to divide by")
        return answers(setting, experiment, asked, **options)

    monkeypatch.setattr(GridSetting, "answers", fails)
    monkeypatch.setattr(supplements, "ranked", ranking.ranked)
    done = run("paper", "--json")
    found = json.loads(done.stdout)
    assert done.exit_code == found["exit_code"] == 1
    assert "huber[rational] 1/L: ZeroDivisionError: nothing to divide by" in found["failures"]
    *runs, beside = found["failures"]
    assert beside.startswith("rankings: ZeroDivisionError: nothing to divide by")
    assert found["state"].startswith(f"incomplete: {len(runs)} of ") and sum(c["cells"] for c in found["claims"]) > 10
    page = (folder / "report/index.html").read_text(encoding="utf-8")
    assert found["state"] in page and "nothing to divide by" in page


def test_a_file_in_the_store_s_place_is_refused_in_one_line(run, folder, small):
    (folder / "report").mkdir()
    (folder / "report/results.sqlite").write_text("mine" * 100, encoding="utf-8")
    done = run("paper")
    assert done.exit_code == 2 and done.stderr.count("\n") == 1 and "not a database" in done.stderr
    assert (folder / "report/results.sqlite").read_text(encoding="utf-8") == "mine" * 100


def report_files(folder):
    """Every file of a report but its store."""
    found = (path for path in (folder / "report").rglob("*") if path.is_file() and path.name != "results.sqlite")
    return {path: path.read_bytes() for path in found}


def test_a_failed_write_leaves_the_old_report_whole(run, folder, small, monkeypatch):
    run("paper")
    before = report_files(folder)
    monkeypatch.setattr("boundcheck.report.folder.write_iterates", lambda *wrong: 1 / 0)
    assert run("paper", "--fresh").exit_code == 70  # a bug of ours
    assert report_files(folder) == before


def test_extras_that_are_missing_are_named_before_the_work(run, folder, small, monkeypatch):
    monkeypatch.setitem(sys.modules, "clarabel", None)
    done = run("paper", "--worst-cases")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "needs clarabel, which is not installed: pip install 'boundcheck[pep]'" in done.stderr
    assert not (folder / "report").exists()


def test_record_writes_beside_the_claims_of_a_paper_that_was_checked_whole(folder, small, monkeypatch):
    from boundcheck.suite import recorded_verdicts as record
    from boundcheck.suite.tally import Tally

    (folder / "paper").mkdir()
    package = type("Package", (), {"__path__": [str(folder / "paper")], "__name__": "paper"})
    _, claims = small
    monkeypatch.setattr(record, "papers_of", lambda bounds: (package,))
    monkeypatch.setattr(record, "bounds_of", lambda paper: claims)
    assert record.write_records({claims[0].id: Tally(claims[0])}) == []
    (path,) = record.write_records({claim.id: Tally(claim) for claim in claims})
    assert path == folder / "paper" / "verdicts.json"  # and not beside the library's own claims
    assert json.loads(path.read_text(encoding="utf-8"))[claims[0].id]["hash"] == claims[0].hash
