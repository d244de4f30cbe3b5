"""README's examples do what README says."""

from __future__ import annotations

import re
from pathlib import Path

from click.testing import CliRunner

from boundcheck.cli import cli
from boundcheck.library.catalogue import find_bounds

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"


def _check(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["check", *words])
    return done.exit_code, done.stdout


def test_the_claim_of_ten_lines_holds() -> None:
    code, said = _check(f"{EXAMPLES}/my_claim.py:descent", "--problem", "huber", "--problem", "quadratic-2d")
    assert code == 0
    assert said.startswith("HOLDS     user/descent@printed")


def test_the_version_that_asks_for_too_much_is_violated_with_both_sides() -> None:
    code, said = _check(
        f"{EXAMPLES}/my_claim.py:too_much", "--problem", "parabola", "--method", "1/L", "--arithmetic", "rational"
    )
    assert code == 1
    assert "k = 0: left 0, right -1" in said


def test_a_problem_and_a_rule_of_ones_own_are_checked_together() -> None:
    words = ("prop:convex-any-stepsize", "--problem", f"{EXAMPLES}/my_problem.py:cubic")
    code, said = _check(*words, "--method", f"{EXAMPLES}/my_rule.py:half_polyak")
    assert code == 0
    assert "5 certified, 0 numerical" in said  # A too: its chords follow from f


def test_the_result_that_readme_shows_is_the_result() -> None:
    code, said = _check("thm:polyak-alternate", "--problem", "steep-then-flat", "--arithmetic", "rational")
    shown = (ROOT / "README.md").read_text(encoding="utf-8")
    assert code == 1
    for line in ("  k = 1: left 25/4, right 324/55", "in rational (certified):"):
        assert line in said and line in shown


def test_each_claim_that_readme_gives_to_falsify_is_one_claim() -> None:
    shown = (ROOT / "README.md").read_text(encoding="utf-8")
    named = [name for name in re.findall(r"^boundcheck falsify (\S+)", shown, re.MULTILINE) if ".py" not in name]
    assert named and all(len(find_bounds(name)) == 1 for name in named)


def test_the_counterexample_that_readme_shows_is_found(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["falsify", f"{EXAMPLES}/my_claim.py:too_much", "--out", str(tmp_path / "found.json")])
    shown = (ROOT / "README.md").read_text(encoding="utf-8")
    assert done.exit_code == 1 and (tmp_path / "found.json").is_file()
    for line in ("  1. Let f(x) = x^2/2.", "  11. The claim says 0 <= -1/2, which is false (0 against -0.5)."):
        assert line in done.stdout and line in shown
