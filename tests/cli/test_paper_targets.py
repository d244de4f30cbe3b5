"""`boundcheck paper` on claims of one's own: a file, a folder, a package; what is wrong with them; a misquote; a kill."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from boundcheck.library.catalogue import bounds, papers, problems, rules

EXAMPLE = Path(__file__).parents[2] / "examples" / "adgd"
RULES = ("1/L", "1/(2L)", "polyak(1)")
CLAIMS = """
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import GradientDescent
from boundcheck.language.letters import M_, eta, f, grad, k, normsq, x
from boundcheck.model.problem import Convex, Differentiable
{source}
GD = (Convex, Differentiable, GradientDescent())
descent = Bound(
    {descent}given=GD, states=f(x[k + 1]) <= f(x[k]) - eta[k] * (1 - eta[k] * M_[k] / 2) * normsq(grad(x[k])),
)
greedy = Bound({greedy}given=GD, states=f(x[k + 1]) <= f(x[k]) - eta[k] * normsq(grad(x[k])))
"""
PAPER = "from boundcheck.claims.bound import Paper\nMINE = Paper(name='mine', title='My paper', authors='Me')"
FILE = CLAIMS.format(source="", descent="", greedy="")
SECTION = CLAIMS.format(
    source="from .notation import MINE", descent="source=MINE.at('eq:descent'), ", greedy="source=MINE.at('eq:greedy'), "
)
FINDINGS = """
[[finding]]
title = "the factor $1/2$ is lost"
severity = "slip"
claims = ["eq:greedy"]
what = "The step gains half of what is written."
survives = "Everything, with $1/2$."
"""


@pytest.fixture
def small(monkeypatch):
    """One problem and three rules are enough here."""
    monkeypatch.setattr("boundcheck.report.content.ENOUGH_PROBLEMS", 1)
    monkeypatch.setattr("boundcheck.suite.grid.problems", lambda: {"huber": problems()["huber"]})
    monkeypatch.setattr("boundcheck.suite.grid.rules", lambda: {name: rules()[name] for name in RULES})


@pytest.fixture
def package(folder):
    """A package of two claims in the folder `mine`."""
    (folder / "mine").mkdir()
    for name, text in (("__init__", ""), ("notation", PAPER), ("section2", SECTION)):
        (folder / "mine" / f"{name}.py").write_text(text, encoding="utf-8")
    return folder / "mine"


def said(done):
    return {claim["id"]: (claim["outcome"], claim["expected"]) for claim in json.loads(done.stdout)["claims"]}


def test_the_claims_of_a_file_give_a_report_and_what_fails_is_an_erratum_with_a_certificate(run, folder, small):
    (folder / "claims.py").write_text(FILE, encoding="utf-8")
    done = run("paper", "claims.py", "--json", "--out", "out", "--jobs", "1")
    assert done.exit_code == 1
    assert said(done) == {"user/descent@printed": ("HOLDS", True), "user/greedy@printed": ("VIOLATED", False)}
    errata = (folder / "out/errata.md").read_text(encoding="utf-8")
    assert "ot rated yet" in errata and "greedy" in errata and "Counterexample" in errata and "Fraction" in errata
    assert run("verify", "out/certificates/greedy@printed.json").exit_code == 0
    about = json.loads((folder / "out/provenance.json").read_text(encoding="utf-8"))
    assert about["command"] == "boundcheck paper claims.py --profile quick" and str(folder) not in json.dumps(about)
    assert not (folder / "verdicts.json").exists()


def test_what_belongs_to_an_installed_paper_is_not_in_the_report_of_another(run, folder, small):
    (folder / "claims.py").write_text(FILE, encoding="utf-8")
    run("paper", "claims.py", "--out", "out", "--falsify", "0", "--jobs", "1")
    page = (folder / "out/index.html").read_text(encoding="utf-8")
    for section in ("audits", "rankings", "worst-cases", "inventory"):
        assert f"href='#{section}'" not in page and f'href="#{section}"' not in page
    assert "Directional Smoothness" not in page


def test_without_a_search_the_run_where_a_claim_failed_is_its_counterexample(run, folder, small):
    (folder / "claims.py").write_text(FILE, encoding="utf-8")
    run("paper", "claims.py", "--out", "out", "--falsify", "0", "--jobs", "1")
    kept = json.loads((folder / "out/certificates/greedy@printed.json").read_text(encoding="utf-8"))
    assert kept["claim"]["id"] == "user/greedy@printed"
    assert run("verify", "out/certificates/greedy@printed.json").exit_code == 0


@pytest.mark.parametrize("target", ["mine", "mine/", "./mine"])
def test_a_folder_is_a_package_and_what_is_kept_beside_its_claims_is_read(run, package, small, target):
    (package / "findings.toml").write_text(FINDINGS, encoding="utf-8")
    done = run("paper", target, "--json", "--falsify", "0", "--out", "out", "--jobs", "1")
    assert said(done) == {"mine/eq:descent@printed": ("HOLDS", True), "mine/eq:greedy@printed": ("VIOLATED", False)}
    errata = (package.parent / "out/errata.md").read_text(encoding="utf-8")
    letter = (package.parent / "out/letter.md").read_text(encoding="utf-8")
    assert f"boundcheck paper {target} --profile quick" in letter and "boundcheck explain" not in letter
    assert "My paper" in errata and "the factor $1/2$ is lost" in errata and "ot rated yet" not in errata


def test_a_package_is_given_by_its_dotted_name(run, package, small):
    inner = package.parent / "outer"
    inner.mkdir()
    (inner / "__init__.py").write_text("", encoding="utf-8")
    shutil.move(package, inner / "mine")
    done = run("paper", "outer.mine", "--json", "--falsify", "0", "--jobs", "1")
    assert list(said(done)) == ["mine/eq:descent@printed", "mine/eq:greedy@printed"]
    assert list(said(run("paper", "outer/mine", "--json", "--falsify", "0", "--jobs", "1"))) == list(said(done))


def test_an_installed_paper_given_by_its_package_is_that_paper(run, folder, small, monkeypatch):
    from boundcheck.library.targets import given_paper

    monkeypatch.setitem(sys.modules, "theorems", ModuleType("theorems"))  # another package of its folder's name

    with given_paper("boundcheck.theorems.classical") as module:
        assert module in papers() and papers().count(module) == 1
    with given_paper(str(Path(module.__path__[0]))) as again:
        assert again is module


def test_afterwards_everything_is_as_it_was(run, package, small):
    before, path, modules = bounds(), list(sys.path), {name for name in sys.modules if name.startswith("mine")}
    run("paper", "mine", "--falsify", "0", "--jobs", "1")
    assert bounds() == before and sys.path == path
    assert {name for name in sys.modules if name.startswith("mine")} == modules == set()


def test_a_refutation_that_is_declared_is_expected_and_gets_its_certificate(run, folder, small):
    at = "refuted_by=Instance(problem='parabola', method='1/L', steps=2), "
    text = CLAIMS.format(source="from boundcheck.claims.bound import Instance", descent="", greedy=at)
    (folder / "claims.py").write_text(text, encoding="utf-8")
    done = run("paper", "claims.py", "--json", "--out", "out", "--jobs", "1")
    assert (done.exit_code, said(done)["user/greedy@printed"]) == (0, ("VIOLATED", True))
    assert run("verify", "out/certificates/greedy@printed.json").exit_code == 0


def test_a_certificate_beside_the_claims_is_taken_and_a_damaged_one_refused(run, package, small):
    run("paper", "mine", "--out", "out", "--falsify", "0", "--jobs", "1")
    shutil.move(package.parent / "out/certificates", package / "certificates")
    run("paper", "mine", "--out", "other", "--falsify", "0", "--jobs", "1")
    assert not (package.parent / "other/certificates").exists()
    assert "Fraction" in (package.parent / "other/errata.md").read_text(encoding="utf-8")
    (package / "certificates/eq-greedy@printed.json").write_text("{}", encoding="utf-8")
    done = run("paper", "mine", "--out", "other", "--falsify", "0", "--jobs", "1")
    assert "eq-greedy@printed.json is no certificate" in done.stderr + done.stdout


def test_verdicts_are_recorded_beside_the_claims_only_when_asked(run, package, small):
    run("paper", "mine", "--falsify", "0", "--jobs", "1")
    assert not (package / "verdicts.json").exists()
    run("paper", "mine", "--falsify", "0", "--record", "--jobs", "1")
    assert set(json.loads((package / "verdicts.json").read_text(encoding="utf-8"))) == {
        "mine/eq:descent@printed",
        "mine/eq:greedy@printed",
    }


def test_a_report_is_written_again_from_its_store(run, package, small):
    run("paper", "mine", "--falsify", "0", "--out", "out", "--jobs", "1")
    (package.parent / "out/errata.md").unlink()
    assert run("report", "out").exit_code == 1
    assert "eq:greedy" in (package.parent / "out/errata.md").read_text(encoding="utf-8")
    shutil.move(package, package.parent / "elsewhere")
    done = run("report", "out")
    assert done.exit_code == 2 and done.stderr.startswith("boundcheck: the claims of this report are in mine")


BAD = {
    "missing.py": ("no file missing.py; give the name of a paper",),
    "theorem.py": ("no file theorem.py; did you mean 'theorems.py'?",),
    "theorems.py:descent": ("a report is about all claims of a file: give theorems.py",),
    "empty.py": ("empty.py is empty; write one at module level",),
    "none.py": ("none.py has no claim (a Bound); write one at module level",),
    "broken.py": ("broken.py:2: ZeroDivisionError",),
    "syntax.py": ("syntax.py:1: syntax error",),
    "twice.py": ("twice.py: two different claims are called 'user/eq:1@printed'",),
    "bare": ("bare is a folder without __init__.py; add that file", "such as bare/claims.py"),
    "wrong": ("wrong/section.py:2: NameError: name 'Bound' is not defined",),
    "unread": ("unread/section.py:1: syntax error",),
    "two-words": ("two-words cannot be imported: 'two-words' is no Python name; rename that folder, as in two_words",),
    "json/": ("json/ would be imported as 'json', which is another module; rename the folder json",),
    "nothing": ("nothing has no claim (a Bound)",),
    "classic": ("no paper 'classic'; did you mean 'classical'?",),
    "no.such.package": ("no paper 'no.such.package'; there are classical",),
    "here/there": ("no file or folder here/there",),
}


@pytest.mark.parametrize("target", list(BAD))
def test_a_target_that_is_none_is_one_line_and_leaves_nothing_behind(run, folder, target):
    texts = {
        "empty.py": "",
        "none.py": "x = 1\n",
        "broken.py": "\n1 / 0\n",
        "syntax.py": "def\n",
        "twice.py": FILE + "\nfrom dataclasses import replace\nfrom boundcheck import Paper\nP = Paper(name='user')\n"
        "descent, greedy = (replace(b, source=P.at('eq:1')) for b in (descent, greedy))\n",
        "bare/claims.py": FILE,
        "wrong/__init__.py": "",
        "wrong/section.py": "\nclaim = Bound()\n",
        "unread/__init__.py": "",
        "unread/section.py": "claim = (\n",
        "two-words/__init__.py": FILE,
        "json/__init__.py": FILE,
        "nothing/__init__.py": "",
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    done = run("paper", target)
    assert done.exit_code == 2 and done.stderr.count("\n") == 1, done.stderr
    for part in BAD[target]:
        assert part in done.stderr
    assert not (folder / "report").exists()


def test_worst_cases_are_of_installed_papers_only(run, folder, small):
    (folder / "claims.py").write_text(FILE, encoding="utf-8")
    done = run("paper", "claims.py", "--worst-cases")
    assert done.exit_code == 2 and "leave it out for claims.py" in done.stderr


def test_the_example_holds_but_for_its_misquote_which_is_found_and_refuted(run, folder, small, monkeypatch):
    monkeypatch.setattr("boundcheck.report.content.ENOUGH_PROBLEMS", 3)  # its claims name instances enough for themselves
    done = run("paper", EXAMPLE, "--source", EXAMPLE / "paper.tex", "--out", "out")
    assert done.exit_code == 1
    assert "10 claims: 9 holds, 1 refuted" in done.stdout and "9 of 10 quotations found in paper.tex" in done.stdout
    assert "misquote: adgd/eq:steps@printed: its words are not in paper.tex" in done.stdout
    assert "1 statement (1 misquoted) false as printed" in done.stdout
    rows = json.loads((folder / "out/verdicts.json").read_text(encoding="utf-8"))["claims"]
    assert all(row["certified"] for row in rows)
    assert {row["label"] for row in rows if row["outcome"] == "VIOLATED"} == {"eq:steps"}
    assert "Not to be sent" in (folder / "out/letter.md").read_text(encoding="utf-8")
    assert run("verify", "out/certificates/eq-steps@printed.json").exit_code == 0


def test_the_example_is_whole():
    from boundcheck.library.catalogue import bounds_of
    from boundcheck.library.inventory import uncovered
    from boundcheck.library.targets import given_paper

    with given_paper(str(EXAMPLE)) as module:
        claims = bounds_of(module)
        assert len(claims) == 10 and uncovered(module) == []
        assert all(bound.source.printed is not None for bound in claims)
        assert [bound.label for bound in claims if not bound.proof_sketch] == ["eq:steps"]


# The command line on a small library; after so many works the process kills itself.
PROGRAM = """
import os, signal, sys
import boundcheck.report.content, boundcheck.suite.grid
from boundcheck.cli import main
from boundcheck.library.catalogue import problems, rules
from boundcheck.store import Store

boundcheck.suite.grid.problems = lambda: {"huber": problems()["huber"]}
boundcheck.suite.grid.rules = lambda: {name: rules()[name] for name in ("1/L", "1/(2L)", "polyak(1)")}
finish, left = Store.finish, int(sys.argv.pop(1))

def finish_and_count(store, key, verdicts):
    global left
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    left -= 1
    return finish(store, key, verdicts)

Store.finish = finish_and_count
main()
"""


def test_after_a_kill_the_same_command_does_the_rest(package):
    def start(kill_after):
        words = [sys.executable, "-c", PROGRAM, str(kill_after), "paper", "mine", "--falsify", "0", "--out", "out", "--jobs", "1"]
        env = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        return subprocess.run(words, cwd=package.parent, capture_output=True, text=True, timeout=120, env=env)

    assert start(2).returncode == -signal.SIGKILL
    done = start(-1)
    assert done.returncode == 1 and "2 of " in done.stderr and "runs are taken from out/results.sqlite" in done.stderr
    assert "1 refuted" in done.stdout
