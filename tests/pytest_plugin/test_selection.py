"""Which files are read, which items are made, and how to choose among them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .users import FALSE, LETTERS, TRUE, Run, run_pytest

NAME = re.compile(r"theorems/mine\.py::(\S+)")


def names(out: str) -> list[str]:
    return NAME.findall(out)


def test_an_item_is_named_after_claim_problem_arithmetic_method_and_M(run: Run) -> None:
    found = names(run(TRUE, "--collect-only", "-q").out)
    assert "descent@printed[huber-rational-polyak(3/2)-M=H]" in found and "descent@printed[twin]" in found
    assert len(found) == len(set(found))


def test_words_select_items(run: Run) -> None:
    found = names(run(TRUE + FALSE, "--collect-only", "-q", "-k", "descent and polyak_3/2 and M_H and rational").out)
    assert found == ["descent@printed[huber-rational-polyak(3/2)-M=H]"]


def test_markers_select_whole_words(run: Run) -> None:
    chosen = "boundcheck(label='descent', method='1/L', M='A', arithmetic='auto')"
    assert names(run(TRUE + FALSE, "--collect-only", "-q", "-m", chosen).out) == ["descent@printed[huber-auto-1/L-M=A]"]


def test_an_item_runs_by_its_own_name(run: Run, folder: Path) -> None:
    run(TRUE, "--collect-only")
    done = run_pytest(folder, "theorems/mine.py::descent@printed[huber-rational-polyak(3/2)-M=H]", "--bc-problem", "huber")
    assert done.code == 0 and done.counts == {"passed": 1}


def test_options_narrow_the_suite(run: Run) -> None:
    found = names(
        run(TRUE, "--collect-only", "-q", "--bc-method", "polyak(9/8)", "--bc-arithmetic", "mp:50", "--bc-problem", "quartic").out
    )
    cells = [f"descent@printed[{problem}-mp:50-polyak(9/8)-M={m}]" for problem in ("quartic", "huber") for m in "DAHL"]
    assert sorted(found) == sorted([*cells[:3], *cells[4:], "descent@printed[twin]"])  # quartic has no L


@pytest.mark.parametrize(
    ("option", "value", "line"),
    [
        ("--bc-profile", "quik", "--bc-profile: no profile 'quik'; did you mean 'quick'?; there are quick, full"),
        ("--bc-arithmetic", "flot64", "--bc-arithmetic: no arithmetic 'flot64'; did you mean 'float64'?"),
        ("--bc-problem", "hubber", "--bc-problem: no problem 'hubber'; did you mean 'huber'?"),
        ("--bc-method", "poliak(1)", "--bc-method: no method 'poliak(1)'; did you mean 'polyak(1)'?"),
        ("--bc-method", "polyak(one)", "--bc-method: no method 'polyak(one)'; needs numbers"),
    ],
)
def test_a_bad_value_is_one_line(option: str, value: str, line: str, run: Run) -> None:
    done = run(TRUE, option, value)
    assert done.code == 4
    assert (said := [text for text in done.out.splitlines() if text])[0].startswith(f"ERROR: {line}")
    assert len(said) == 1


def test_a_file_elsewhere_is_read_when_it_is_named(run: Run, folder: Path) -> None:
    assert run(TRUE, "claims.py", file="claims.py").code == 5  # a plain module without tests
    assert run(TRUE, "claims.py", "--bc-theorems", "-k", "rational", file="claims.py").code == 0
    (folder / "pytest.ini").write_text("[pytest]\nbc_theorems = cl*.py\n")
    assert run(TRUE, "claims.py", "-k", "rational", file="claims.py").code == 0


def test_a_named_file_without_a_claim_is_an_error_in_one_line(run: Run) -> None:
    done = run("", "claims.py", "--bc-theorems", file="claims.py")
    assert (
        done.code == 2
        and "claims.py has no claim (a Bound); write one at module level" in done.out
        and "Traceback" not in done.out
    )


def test_a_broken_file_is_an_error_with_its_line(run: Run) -> None:
    done = run("bad = Bound(states=3)\n")
    assert done.code == 2 and re.search(r"mine\.py:\d+: claim: a bound states a relation", done.out)


def test_two_claims_of_one_name_are_an_error(run: Run) -> None:
    both = "from boundcheck.claims.bound import USER\n" + (TRUE + FALSE).replace("Bound(", "Bound(source=USER.at('same'), ")
    assert "two claims are called 'user/same@printed'" in run(both).out


def test_tests_in_a_theorem_file_run_too(run: Run) -> None:
    done = run(TRUE + "def test_of_its_own(): pass\n", "-k", "of_its_own", "theorems/mine.py")
    assert done.code == 0 and done.counts["passed"] == 1


def test_files_that_are_not_about_boundcheck_are_left_alone(folder: Path) -> None:
    (folder / "theorems" / "prover.py").write_text("raise AssertionError('imported')\n")
    (folder / "tests" / "theorems").mkdir(parents=True)
    (folder / "tests" / "theorems" / "helper.py").write_text(LETTERS + "raise AssertionError('imported')\n")
    (folder / "tests" / "theorems" / "test_it.py").write_text("def test_it(): pass\n")
    done = run_pytest(folder)
    assert done.code == 0 and done.counts == {"passed": 1}


def test_a_claim_imported_from_another_file_is_tried_once(folder: Path) -> None:
    section = "boundcheck.theorems.directional_smoothness.section4_polyak"
    again = folder / "theorems" / "again.py"
    again.write_text(f"from {section} import classical, polyak\n")
    files = ("theorems/directional_smoothness/section4_polyak.py", str(again))
    done = run_pytest(Path(__file__).resolve().parents[2], *files, "--collect-only", "-q", "--bc-problem", "huber")
    assert done.code == 0, done.out
    assert "section4_polyak.py::" in done.out and "again.py::" not in done.out
