"""`boundcheck tightness`, and the table behind it."""

import csv
import json
import sys
from importlib import import_module
from os import times

import pytest
from click.testing import CliRunner

from boundcheck.cli import cli
from boundcheck.tightness import worst_cases
from boundcheck.tightness.families import families
from boundcheck.tightness.result import FAILS, LOOSE_WORDS, TIGHT_WORDS

pytestmark = pytest.mark.xdist_group("pepit")


@pytest.fixture
def boundcheck():
    def run(*words):
        result = CliRunner().invoke(cli, ["tightness", *words])
        return result.exit_code, result.stdout, result.stderr

    return run


def test_the_table_names_the_claim_the_bound_and_what_is_said_of_it(boundcheck):
    code, out, _ = boundcheck("--k", "2", "--family", "GD 1/L")
    assert code == 0
    assert "classical/gd.rate@printed" in out and "not certified" in out
    assert out.count(TIGHT_WORDS) == 2 and out.count(LOOSE_WORDS) == 2


def test_json_and_csv_have_the_same_rows(boundcheck, tmp_path):
    file = tmp_path / "table.csv"
    code, out, _ = boundcheck("--k", "1", "--family", "adapted steps, last", "--json", "--out", str(file), "--jobs", "1")
    rows = json.loads(out)
    assert code == 0 and len(rows) == 5
    with file.open(newline="") as table:
        written = list(csv.DictReader(table))
    assert [(r["name"], int(r["k"]), float(r["ratio"])) for r in written] == [(r["name"], r["k"], r["ratio"]) for r in rows]
    assert all(r["certified"] is False and r["claim"].endswith("prop:convex-any-stepsize@printed") for r in rows)


def test_a_statement_that_is_known_to_be_false_may_fail(boundcheck):
    code, out, _ = boundcheck("--k", "1", "--family", "Polyak by its steps, as printed")
    assert code == 0 and FAILS in out


def test_a_true_bound_that_fails_is_exit_1(boundcheck, monkeypatch):
    from dataclasses import replace
    from fractions import Fraction

    def sharper():
        row = next(iter(families()["GD 1/L, exact rate"](1)))
        return {row.name: lambda k: iter([replace(row, claim=row.claim.sharpened(Fraction(1, 2)))])}

    monkeypatch.setattr(import_module("boundcheck.tightness.table"), "families", sharper)
    code, out, _ = boundcheck("--k", "1")
    assert code == 1 and FAILS in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--family", "GD 2/L"), "no family 'GD 2/L'"),
        (("--k", "0"), "--k"),
        (("--out", "table.txt"), ".csv"),
    ],
)
def test_bad_input_is_one_line(boundcheck, words, says):
    code, out, err = boundcheck(*words)
    assert code == 2 and out == ""
    assert says in err and err.count("\n") == 1


def test_a_file_of_someone_else_is_not_written_over(boundcheck, tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text("a,b\n1,2\n")
    code, _, err = boundcheck("--k", "1", "--family", "GD", "--out", str(file))
    assert code == 2 and "is no table of this command" in err and file.read_text() == "a,b\n1,2\n"


def test_without_the_extra_one_line_says_what_to_install(boundcheck, monkeypatch):
    from boundcheck.gram.solver import clarabel

    clarabel.cache_clear()
    monkeypatch.setitem(sys.modules, "clarabel", None)
    try:
        code, out, err = boundcheck("--k", "1")
    finally:
        clarabel.cache_clear()
    assert code == 2 and out == ""
    assert err == "boundcheck: semidefinite programs need Clarabel: pip install 'boundcheck[pep]'\n"


def test_progress_is_told_each_row_and_processes_change_nothing():
    told = []
    alone = worst_cases([1, 2], told.append, only=["GD 1/L", "adapted steps, average, M = H"], jobs=1)
    assert told == alone and len(alone) == 6
    together = worst_cases([1, 2], only=["GD 1/L", "adapted steps, average, M = H"], jobs=2)
    assert [c.name for c in together] == [c.name for c in alone]
    assert [c.ratio for c in together] == pytest.approx([c.ratio for c in alone], rel=1e-6)


@pytest.mark.slow
def test_the_whole_table_is_made_in_two_minutes_and_every_row_is_known():
    before = times()
    found = worst_cases()
    spent = sum(after - then for after, then in zip(times()[:4], before[:4], strict=True))  # here and in the processes
    assert spent < 200, "two minutes on two cores, with a part of them idle at the end"
    assert {case.k for case in found} == set(range(1, 11)) and {case.name for case in found} == set(families())
    assert not [case for case in found if case.can_be_improved is None and not case.fails]
    by_name = {name: [case for case in found if case.name == name] for name in families()}
    assert {case.can_be_improved for case in by_name["adapted steps, average"]} == {False}
    assert {case.can_be_improved for case in by_name["adapted steps, last"] if case.k > 1} == {True}
    assert [case.worst * (4 * case.k + 2) for case in by_name["GD 1/L, exact rate"]] == pytest.approx([1] * 10, rel=1e-4)
    assert {case.name for case in found if case.fails} == {"Polyak by its steps, as printed"}
