"""`paper`: expected and unexpected verdicts, the report, and what is left behind."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import pytest

from boundcheck.registry import bounds, problems

FILES = ["errata.md", "index.html", "inventory.md", "summary.md", "verdicts.json"]


@pytest.fixture
def small(monkeypatch):
    """A paper of two claims, on one problem, which is enough here."""
    monkeypatch.setattr(sys.modules["boundcheck.cli.paper"], "ENOUGH_PROBLEMS", 1)
    refuted = next(b for b in bounds() if b.label == "eq:10" and b.is_refuted)
    claims = [next(b for b in bounds() if b.label == "lemma:local-descent-lemma"), refuted]

    def use(*others):
        monkeypatch.setattr("boundcheck.cli.given.bounds", lambda: [*claims, *others])

    monkeypatch.setattr("boundcheck.suite.problems", lambda: {"huber": problems()["huber"]})
    use()
    return use, claims


def test_a_paper_whose_verdicts_are_the_expected_ones(run, folder, small):
    done = run("paper", "--out", "out/deep")
    assert done.exit_code == 0, done.stdout
    assert done.stdout.splitlines()[-1] == "open out/deep/index.html"
    assert sorted(path.name for path in (folder / "out/deep").iterdir()) == FILES
    assert "2 claims: 1 holds, 1 refuted" in (folder / "out/deep/summary.md").read_text(encoding="utf-8")
    page = (folder / "out/deep/index.html").read_text(encoding="utf-8")
    assert "&lt;=" in page and "http" not in page and "<script" not in page
    assert "id='errata'" in page and "id='inventory'" in page
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
    monkeypatch.setattr(sys.modules["boundcheck.cli.paper"], "ENOUGH_PROBLEMS", 3)
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
    monkeypatch.setattr("boundcheck.certificate.file_name", lambda bound: "eq-n6@printed.json")
    done = run("paper")
    assert done.exit_code == 1
    assert "eq-n6@printed.json refutes another claim" in done.stdout


def test_an_interrupted_paper_leaves_nothing_behind(run, folder, small, monkeypatch):
    def interrupted(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("boundcheck.cli.work.run_all", interrupted)
    done = run("paper", "--out", "out/deep")
    assert (done.exit_code, done.stderr) == (130, "boundcheck: interrupted; nothing was written\n")
    assert not (folder / "out").exists()


def test_a_failed_write_leaves_the_old_report_whole(run, folder, small, monkeypatch):
    run("paper")
    before = {path.name: path.read_text(encoding="utf-8") for path in (folder / "report").iterdir()}
    monkeypatch.setattr("boundcheck.cli.page.html", lambda rows, notes: 3)
    assert run("paper").exit_code == 2
    assert {path.name: path.read_text(encoding="utf-8") for path in (folder / "report").iterdir()} == before


def test_record_writes_beside_the_claims_of_a_paper_that_was_checked_whole(folder, small, monkeypatch):
    from boundcheck.cli import record
    from boundcheck.report.tally import Tally

    (folder / "paper").mkdir()
    package = type("Package", (), {"__path__": [str(folder / "paper")], "__name__": "paper"})
    _, claims = small
    monkeypatch.setattr(record, "papers", lambda: [package])
    monkeypatch.setattr(record, "bounds_of", lambda paper: claims)
    assert record.write_records({claims[0].id: Tally(claims[0])}) == []
    (path,) = record.write_records({claim.id: Tally(claim) for claim in claims})
    assert json.loads(path.read_text(encoding="utf-8"))[claims[0].id]["hash"] == claims[0].hash
