"""`check`: outcomes, counts, exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

CELL_KEYS = {
    "claim",
    "problem",
    "method",
    "smoothness",
    "parameters",
    "arithmetic",
    "outcome",
    "certified",
    "counts",
    "violation",
}
CLAIM_KEYS = {
    "id",
    "label",
    "reading",
    "title",
    "outcome",
    "status",
    "certified",
    "cells",
    "holds",
    "violated",
    "undecided",
    "vacuous",
}


def test_a_claim_of_ten_lines_holds_and_says_on_how_many_cells(run):
    done = run("check", "theorems.py:descent", "--problem", "huber")
    assert done.exit_code == 0
    assert "HOLDS     user/descent@printed: on " in done.stdout
    assert "certified" in done.stdout and "numerical" in done.stdout and "not a proof" in done.stdout


def test_a_false_variant_is_violated_with_k_and_both_sides(run):
    done = run("check", "theorems.py:greedy", "--problem", "problems.py:half", "--method", "1/L")
    assert done.exit_code == 1
    assert "k = 0: left 0, right -9/2" in done.stdout
    assert "boundcheck check theorems.py:greedy --problem problems.py:half --method 1/L --arithmetic rational" in done.stdout


def test_the_command_that_is_offered_finds_the_same_failure(run):
    first = run("check", "theorems.py:greedy", "--problem", "huber", "--method", "runners.py:tenth")
    (offered,) = (line.split()[1:] for line in first.stdout.splitlines() if line.startswith("  boundcheck check"))
    again = run(*offered)
    assert again.exit_code == 1
    sides = [[line for line in done.stdout.splitlines() if line.startswith("  k = ")] for done in (first, again)]
    assert sides[0] and sides[0] == sides[1]


def test_json_has_every_claim_and_every_cell_and_nothing_else(run):
    done = run("check", "theorems.py:descent", "theorems.py:greedy", "--problem", "huber", "--method", "1/L", "--json")
    found = json.loads(done.stdout)
    assert done.exit_code == found["exit_code"] == 1
    assert [claim["outcome"] for claim in found["claims"]] == ["HOLDS", "VIOLATED"]
    assert all(claim.keys() >= CLAIM_KEYS for claim in found["claims"])
    assert all(cell.keys() >= CELL_KEYS for cell in found["cells"])
    assert found["claims"][0]["cells"] == sum(cell["claim"] == "user/descent@printed" for cell in found["cells"])


def test_json_is_all_that_is_printed_though_a_rule_prints(tmp_path: Path) -> None:
    code = "print('loaded')\n\ndef loud(run):\n    print('noise')\n    return 0.1\n"
    (tmp_path / "loud.py").write_text(code, encoding="utf-8")
    words = ["check", "gd.descent", "--problem", "huber", "--method", f"{tmp_path}/loud.py:loud", "--jobs", "1", "--json"]
    done = subprocess.run([sys.executable, "-m", "boundcheck", *words], capture_output=True, text=True, check=False)
    assert json.loads(done.stdout)["exit_code"] == done.returncode
    assert "noise" in done.stderr and "loaded" in done.stderr


def test_verbose_has_a_line_for_each_cell(run):
    done = run("check", "theorems.py:descent", "--problem", "huber", "--method", "1/L", "--arithmetic", "rational", "--verbose")
    assert sum(" in rational (" in line and " ms): HOLDS, certified" in line for line in done.stdout.splitlines()) == 4


def test_smoothness_and_steps_are_obeyed(run):
    done = run(
        "check",
        "theorems.py:descent",
        "--problem",
        "huber",
        "--method",
        "runners.py:tenth",
        "--smoothness",
        "H",
        "--steps",
        3,
        "--json",
    )
    cells = json.loads(done.stdout)["cells"]
    assert [cell["smoothness"] for cell in cells] == ["H", "H"]
    assert [sum(cell["counts"].values()) for cell in cells] == [3, 3]


def test_a_zero_gradient_at_the_start_is_vacuous_and_says_so(run):
    done = run("check", "theorems.py:descent", "--problem", "problems.py:still")
    assert done.exit_code == 3
    assert "VACUOUS" in done.stdout and "the gradient is exactly zero at x_0" in done.stdout


def test_a_claim_that_no_cell_asks_says_why(run):
    done = run("check", "theorems.py:descent", "--problem", "nonconvex")
    assert done.exit_code == 3
    assert "needs Convex; nonconvex declares" in done.stdout


def test_an_untested_claim_counts_only_if_it_is_named(run):
    named = run("check", "theorems.py:untried", "--problem", "huber")
    assert named.exit_code == 3
    assert "UNTESTED  user/untried@printed: no cells: nobody has two runs yet" in named.stdout


def test_a_function_that_returns_a_problem_is_a_problem(run):
    assert run("check", "theorems.py:descent", "--problem", "problems.py:made", "--method", "1/L").exit_code == 0


def test_a_method_that_cannot_run_on_the_problem_says_what_it_lacks(run):
    done = run("check", "prop:convex-any-stepsize", "--problem", "quartic", "--method", "1/L")
    assert done.exit_code == 3
    assert "no method here can run on quartic; rule '1/L' needs L; quartic declares no smoothness constant" in done.stdout


def test_the_hypothesis_that_rules_a_method_out_is_the_one_that_is_blamed(run):
    """polyak(1) follows Polyak's formula; what the claim refuses is gamma = 1."""
    said = run("check", "thm:polyak@printed", "--method", "polyak(1)", "--problem", "huber").stdout
    assert "polyak(1) has gamma = 1, and the claim assumes gamma > 1" in said and "follow" not in said
    said = run("check", "thm:polyak@printed", "--method", "1/L", "--problem", "huber").stdout
    assert "1/L does not follow eta_i == gamma" in said and "gamma > 1" not in said
    said = run("check", "thm:polyak@printed", "--method", "1/L", "--method", "polyak(1)", "--problem", "huber").stdout
    assert "polyak(1) has gamma = 1" in said and "nearest of the 2 methods tried" in said


def test_the_cell_alone_is_about_one_claim_of_a_file(run):
    done = run("check", "theorems.py", "--problem", "problems.py:half", "--method", "1/L")
    assert "boundcheck check theorems.py:greedy --problem problems.py:half --method 1/L --arithmetic rational" in done.stdout


def test_the_name_of_a_paper_means_all_its_claims(run):
    done = run("lint", "classical", "--json")
    found = json.loads(done.stdout)
    assert len(found) > 20 and all(one["id"].startswith("classical/") for one in found)
