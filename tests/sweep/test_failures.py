"""What goes wrong in a sweep: the cell keeps its error, the rest goes on, and it is tried again only when asked to."""

from __future__ import annotations

import json
import subprocess
import sys

from boundcheck.library.catalogue import problems
from boundcheck.library.names import from_another_start
from boundcheck.sweep.cluster import brief, work
from boundcheck.sweep.plan import SweepPlan
from boundcheck.sweep.spec import read

from .looking import edited, once_each, rows, works


def test_a_rule_that_raises_fails_its_cells_and_no_others(run, folder):
    edited(folder / "small.toml", methods='["rules.py:picky", "1/L"]')
    done = run("small.toml")
    assert done.exit_code == 1
    found = rows("small.parquet")
    failed = [row for row in found if row["verdict"] == "FAILED"]
    assert len(found) == 48 and once_each("small.parquet") and 0 < len(failed) < 12
    assert {(row["problem"], row["method"], row["error"]) for row in failed} == {
        ("huber", "picky", "rule 'picky' failed at step 0 on huber: ZeroDivisionError: not from there (rules.py:22)")
    }
    assert {row["verdict"] for row in found if row not in failed} == {"HOLDS", "UNDECIDED"}  # float64 sees ties
    assert {row["claim"] for row in failed} == {"user/descent@printed"} and {row["M"] for row in failed} == {"D", "H"}
    first, last = [line for line in done.stdout.splitlines() if "FAILED" in line or "--retry-failed" in line][:: len(failed)]
    assert first.startswith("FAILED user/descent@printed on huber seed ") and first.endswith("not from there (rules.py:22)")
    assert last == f"{len(failed)} cells failed: --retry-failed tries them again"


def test_what_failed_stays_so_until_it_is_tried_again(run, folder):
    edited(folder / "small.toml", methods='["rules.py:moody", "1/L"]')
    (folder / "broken").touch()
    assert run("small.toml").exit_code == 1
    (folder / "broken").unlink()
    again = run("small.toml")
    assert again.exit_code == 1 and "RuntimeError: not today" in again.stdout
    assert {work.tries for work in works("small.sqlite")} == {1}
    mended = run("small.toml", "--retry-failed")
    assert mended.exit_code == 0 and "FAILED" not in mended.stdout
    tries = {(work.name.rpartition("]")[2].strip(), work.tries) for work in works("small.sqlite")}
    assert tries == {("rules.py:moody", 2), ("1/L", 1)}
    calm = run("small.toml", "--store", "calm.sqlite", "--out", "calm.parquet")
    assert calm.exit_code == 0 and (folder / "calm.parquet").read_bytes() == (folder / "small.parquet").read_bytes()


def test_a_repaired_rule_is_another_rule(run, folder):
    edited(folder / "small.toml", methods='["rules.py:picky", "1/L"]')
    assert run("small.toml").exit_code == 1
    rules = folder / "rules.py"
    mended = rules.read_text(encoding="utf-8").replace('raise ZeroDivisionError("not from there")', "pass")
    rules.write_text(mended, encoding="utf-8")
    done = run("small.toml", "--retry-failed")
    assert done.exit_code == 0 and "FAILED" not in done.stdout
    assert "works of small.sqlite are of files that changed since, and are done again\n" in done.stderr
    assert "12 of 24 works are taken from small.sqlite" in done.stderr


def test_a_file_that_a_rule_imports_counts_as_the_rule(run, folder):
    assert run("small.toml").exit_code == 0
    (folder / "helping.py").write_text("def tenth():\n    return 0.2\n", encoding="utf-8")
    assert "12 works of small.sqlite are of files that changed since" in run("small.toml").stderr


def test_a_step_that_is_no_number_is_a_failure_with_its_reason(run, folder):
    edited(folder / "small.toml", methods='["rules.py:nan", "1/L"]')
    done = run("small.toml", "--json")
    found = json.loads(done.stdout)
    assert done.exit_code == found["exit_code"] == 1
    assert (found["cells"], found["failed"], found["works"]) == (48, 24, 24) and len(found["failures"]) == 20
    assert "nan" in found["failures"][0]
    (claim,) = found["claims"]
    assert (claim["outcome"], claim["cells"]) == ("HOLDS", 24)


def test_a_process_that_dies_takes_only_its_own_work_with_it(run, folder):
    edited(folder / "small.toml", methods='["rules.py:deadly", "1/L"]', problems='["huber"]')
    done = run("small.toml", "--jobs", 2)
    assert done.exit_code == 1
    failed = [row for row in rows("small.parquet") if row["verdict"] == "FAILED"]
    assert {row["error"] for row in failed} == {"its process died 3 times, the last with exit code -9"}
    assert {row["method"] for row in rows("small.parquet") if row["verdict"] != "FAILED"} == {"deadly", "1/L"}
    assert sum(work.status == "failed" for work in works("small.sqlite")) == len(failed) < 6


def test_a_rule_that_hangs_is_ended_and_the_rest_goes_on(run, folder):
    edited(folder / "small.toml", methods='["rules.py:hanging", "1/L"]', time_limit="1.5")
    done = run("small.toml", "--jobs", 2)
    assert done.exit_code == 1
    found = rows("small.parquet")
    failed = [row for row in found if row["verdict"] == "FAILED"]
    hung = {seed for seed in range(6) if from_another_start(problems()["huber"](), seed).start[0] > 3.5}
    assert {(row["problem"], row["method"], row["seed"]) for row in failed} == {("huber", "rules.py:hanging", n) for n in hung}
    assert len(failed) == len(hung) > 0 and len(found) == 48 - len(hung), "a work that hangs is one row"
    said = "took longer than 1.5 s, and was ended; time_limit says how long it may take"
    assert {row["error"] for row in failed} == {said} and f"rules.py:hanging: {said}\n" in done.stdout


def test_another_time_limit_is_the_same_sweep(run, folder):
    assert run("small.toml", "--time-limit", "60").exit_code == 0
    again = run("small.toml", "--time-limit", "inf")
    assert again.exit_code == 0 and "24 of 24 works are taken from small.sqlite" in again.stderr
    bad = run("small.toml", "--time-limit", "0")
    assert bad.exit_code == 2 and "time_limit is 0.0; needs a number of seconds, or inf for none" in bad.stderr


def test_a_work_in_a_thread_is_ended_too(folder):
    edited(folder / "small.toml", methods='["rules.py:hanging"]', time_limit="0.3", problems='["huber"]')
    said, path = read("small.toml")
    plan = SweepPlan(said, path.parent)
    found = work(brief(plan, path.parent), [(n, None) for n in range(6)])
    assert isinstance(found, list) and [done.work for done in found] == list(range(6))
    ended = [failure.error for done in found for failure in done.failed.values()]
    assert ended and all(error.startswith("took longer than 0.3 s") for error in ended) and len(ended) < 6


def test_what_a_rule_or_a_file_prints_is_not_in_the_json(folder):
    """In a process of its own, where stdout is a file and not what a test put in its place."""
    edited(folder / "small.toml", methods='["rules.py:chatty"]', problems='["parabola", "mine.py:drawn"]', seeds="[0, 1]")
    mine = "print('imported')\nfrom boundcheck.problems.quadratic import isotropic\n"
    mine += "def drawn(seed):\n    print('drawn')\n    return isotropic(1, curvature=2, start=[1], name='drawn')\n"
    (folder / "mine.py").write_text(mine, encoding="utf-8")
    words = [sys.executable, "-m", "boundcheck", "sweep", "small.toml", "--json", "--jobs", "1"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert json.loads(done.stdout)["exit_code"] == done.returncode == 0
    assert all(said in done.stderr for said in ("imported\n", "drawn\n", "a step\n", "from a program\n"))


def failed_claims():
    return {(row["claim"], row["verdict"] == "FAILED") for row in rows("small.parquet")}


def test_a_claim_that_breaks_takes_no_other_with_it(run, folder, monkeypatch):
    import boundcheck.suite.grid

    climb = boundcheck.suite.grid.climb

    def break_on_greedy(asked, *words, **more):
        if any("greedy" in q.bound.id for q in asked):
            raise ArithmeticError("no such claim")
        return climb(asked, *words, **more)

    monkeypatch.setattr("boundcheck.suite.grid.climb", break_on_greedy)
    edited(folder / "small.toml", claims='["claims.py"]', methods='["1/L"]')
    run("small.toml")
    assert failed_claims() == {("user/descent@printed", False), ("user/greedy@printed", True)}
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    assert run("small.toml", "--retry-failed").exit_code == 1
    assert failed_claims() == {("user/descent@printed", False), ("user/greedy@printed", False)} and once_each("small.parquet")
    assert {work.tries for work in works("small.sqlite")} == {2}


def test_a_violation_is_shown_with_its_seed_and_ends_with_1(run, folder):
    edited(folder / "small.toml", claims='["claims.py:greedy"]', arithmetic='["rational"]', methods='["1/L"]')
    done = run("small.toml")
    assert done.exit_code == 1
    assert "user/greedy@printed fails on parabola seed 0 [rational] 1/L (decided in rational, certified): k = 0: " in done.stdout


def test_a_claim_that_nothing_exercises_ends_with_3_and_says_why(run, folder):
    edited(folder / "small.toml", claims='["claims.py:descent", "thm:polyak@printed"]', methods='["1/L"]', seeds="[0]")
    done = run("small.toml")
    assert done.exit_code == 3
    assert "VACUOUS   directional-smoothness/thm:polyak@printed: no cells: 1/L does not follow eta_i ==" in done.stdout


def test_works_without_a_cell_are_counted_once(run, folder):
    edited(folder / "small.toml", problems='["parabola", "smooth-abs"]', arithmetic='["rational"]', methods='["1/L"]')
    done = run("small.toml")
    assert done.exit_code == 0
    assert "note: 6 works had no cell: smooth-abs cannot be evaluated in exact rationals" in done.stdout
