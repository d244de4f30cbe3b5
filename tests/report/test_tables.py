"""The tables: their rows are the verdicts, in both forms, and LaTeX takes them."""

from __future__ import annotations

import csv
import gzip
import re
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest

from boundcheck.check.hypotheses_on_run import CLOSE
from boundcheck.check.verdict import Outcome
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import GradientDescent
from boundcheck.language.letters import eta, f, i, k, x
from boundcheck.library.catalogue import bounds, problems
from boundcheck.library.names import rule_named
from boundcheck.report import tables
from boundcheck.report.content import Report, Tightness, gather
from boundcheck.report.folder import LATEX, whole_document
from boundcheck.report.iterate_table import AT_K, CELL, iterates, write_iterates
from boundcheck.suite.grid import GridSetting
from boundcheck.suite.profiles import PROFILES
from boundcheck.support.escaping import latex_text
from boundcheck.tightness.result import WorstCase
from tests.store.test_database import VERDICT

from .small import library, settings, store_at


@pytest.fixture
def found(tmp_path):
    with store_at(tmp_path / "results.sqlite") as store:
        return gather(store, library())


@pytest.fixture
def written(found, tmp_path):
    write_iterates(found.cells, tmp_path / "i.csv.gz", tmp_path / "i.parquet")
    return tmp_path


def number(text):
    return float(text) if text else np.nan


def test_the_rows_are_the_verdicts(found, written):
    with gzip.open(written / "i.csv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    wanted = [(kind, verdict, n) for kind, verdict in found.cells for n in range(len(verdict.outcomes))]
    assert len(rows) == len(wanted) > 40
    for row, (kind, verdict, n) in zip(rows, wanted, strict=True):
        cell = verdict.cell
        assert [row[name] for name in ("claim", "problem", "method", "M", "run", "seed", "tried", "precision")] == [
            cell.claim, cell.problem, cell.method, cell.smoothness, str(cell.run), "0", kind, cell.arithmetic,
        ]  # fmt: skip
        assert row["reading"] == cell.claim.rpartition("@")[2]
        assert (int(row["k"]), row["verdict"]) == (verdict.first_k + n, Outcome(verdict.outcomes[n]).name)
        assert row["certified"] == str(bool(verdict.certified and verdict.outcomes[n] in (Outcome.HOLDS, Outcome.VIOLATED)))
        numbers = [number(row[name]) for name in ("lhs", "rhs", "hypothesis_residual")]
        assert np.array_equal(numbers, [verdict.left[n], verdict.right[n], verdict.residual[n]], equal_nan=True)


def test_the_ratio_of_an_iterate_is_the_one_of_every_other_table(written):
    import pandas

    from boundcheck.report.slack import ratio

    table = pandas.read_csv(written / "i.csv.gz")
    assert np.array_equal(table.ratio, ratio(table.lhs.to_numpy(), table.rhs.to_numpy()), equal_nan=True)
    assert (table.ratio[table.verdict == "VIOLATED"] > 1).all() and (table.verdict == "VIOLATED").any()


def test_parquet_and_csv_say_the_same(written):
    import pandas

    one, other = pandas.read_csv(written / "i.csv.gz", keep_default_na=False), pandas.read_parquet(written / "i.parquet")
    assert list(one) == list(other) == [*CELL, *AT_K]
    for name in ("lhs", "rhs", "ratio", "hypothesis_residual"):
        assert np.array_equal([number(str(text)) for text in one[name]], other[name], equal_nan=True), name
    assert [int(text or 0) for text in one["link"]] == other["link"].tolist()
    for name in set(one) - {"lhs", "rhs", "ratio", "hypothesis_residual", "link"}:
        assert (one[name].astype(str) == other[name].astype(str)).all(), name


def test_the_same_verdicts_make_the_same_bytes(found, written, tmp_path):
    write_iterates(found.cells, tmp_path / "again.csv.gz", tmp_path / "again.parquet")
    for kind in ("csv.gz", "parquet"):
        assert (tmp_path / f"again.{kind}").read_bytes() == (written / f"i.{kind}").read_bytes()


def test_of_a_chain_the_row_shows_the_link_that_is_nearest_to_failing():
    links = np.array([[[1.0, 9.0], [2.0, 3.0]], [[2.0, 3.0], [2.5, 4.0]]])  # 1 <= 2 <= 2.5, and 9 <= 3 <= 4
    verdict = replace(
        VERDICT, outcomes=np.array([0, 1], dtype=np.int8), left=links[0, 0], right=links[0, 1], links=links, residual=None
    )
    columns = iterates("everywhere", verdict)
    assert columns["link"].tolist() == [2, 1]
    assert (columns["lhs"].tolist(), columns["rhs"].tolist()) == ([2.0, 9.0], [2.5, 3.0])
    assert np.isnan(columns["hypothesis_residual"]).all()


def slack(rule, *given):
    """The slack at each k of a claim under these hypotheses, on huber with L = 1, and what came of the claim."""
    bound = Bound(given=(GradientDescent(), *given), states=f(x[k]) <= f(x[0]))
    setting = GridSetting(problems()["huber"](), "rational", PROFILES["quick"], (rule_named(rule),))
    (verdict,) = setting.verdicts([bound], sides=True)
    return verdict.residual.tolist(), verdict.outcomes.tolist()


def test_hypotheses_leave_their_slack_relative_to_their_sides():
    with_step = eta[i] * 3 <= 4  # a fourth is left of 4 at eta = 1
    found, outcomes = slack("constant(1)", with_step)
    assert np.isnan(found[0]) and set(found[1:]) == {0.25}  # at k = 0 no step was made
    assert set(outcomes) == {Outcome.HOLDS}
    assert set(slack("constant(1)", with_step, eta[i] * 3 >= 2)[0][1:]) == {0.25}  # the other has a third: the least counts
    assert np.isnan(slack("constant(1)")[0]).all()  # nothing was tested


def test_a_hypothesis_that_fails_has_a_negative_slack_from_there_on():
    found, outcomes = slack("constant(2)", eta[i] * 3 <= 4)
    assert set(found[1:]) == {-1 / 3} and set(outcomes[1:]) == {Outcome.VACUOUS}


def test_steps_that_were_enclosed_by_a_formula_follow_it_without_distance():
    polyak = next(b for b in bounds() if b.id == "directional-smoothness/thm:polyak@printed")
    profile = replace(PROFILES["quick"], steps=150)
    setting = GridSetting(problems()["quadratic-2d"](), "auto", profile, (rule_named("polyak(5/4)"),))
    for verdict in setting.verdicts([polyak], ("L",), sides=True):
        held = verdict.residual[verdict.outcomes == Outcome.HOLDS]
        assert len(held) > 100 and np.nanmin(held) >= -CLOSE


def test_both_sides_change_no_verdict():
    chosen, (setting,) = list(library()), settings()
    for plain, full in zip(setting.verdicts(chosen), setting.verdicts(chosen, sides=True), strict=True):
        assert plain.left is plain.residual is None
        assert plain.explain() == full.explain() and np.array_equal(plain.outcomes, full.outcomes)


def test_without_pyarrow_there_are_csv_files_alone(found, tmp_path):
    write_iterates(found.cells, tmp_path / "a.csv.gz", None)
    tables.write_rows(tables.cell_rows(found), tmp_path / "b.csv", None)
    tables.write_rows([], tmp_path / "c.csv", None)
    assert not list(tmp_path.glob("*.parquet")) and (tmp_path / "b.csv").stat().st_size > 500


def test_every_table_shows_the_same_ratio_of_a_claim(found):
    from dataclasses import replace

    from boundcheck.report.content import largest_ratio
    from boundcheck.report.folder import summary, verdicts_table
    from boundcheck.report.page.claims import beside

    wrong = next(b for b in found.report.bounds if b.is_refuted)
    right = next(b for b in found.report.bounds if not b.is_refuted)
    sizes = {
        b.id: Tightness(claim=b.id, supremum=1.00599 if b is wrong else 0.75431, where="k = 2", median=0.5)
        for b in (wrong, right)
    }
    report = replace(found.report, tightness=sizes)
    rows = {row["id"]: row for row in tables.claim_rows(report)}
    for bound, shown in ((wrong, "1.00599"), (right, "0.75431")):
        assert largest_ratio(report, report.rows[bound.id]) == (float(shown), "k = 2")
        assert rows[bound.id]["largest_ratio"] == float(shown)
        assert f"| {shown} k = 2 |" in summary(report)
    assert "0.75431 k = 2" in beside(report, report.rows[right.id], right)
    assert "$1.006$" in verdicts_table(report) and "$0.7543$" in verdicts_table(report)
    assert largest_ratio(found.report, found.report.rows[wrong.id]) is None, "where it holds says nothing of a claim that fails"


def test_cells_and_claims_have_a_row_each(found, tmp_path):
    import pandas

    tables.write_rows(tables.cell_rows(found), tmp_path / "cells.csv", tmp_path / "cells.parquet")
    tables.write_rows(tables.claim_rows(found.report), tmp_path / "claims.csv", tmp_path / "claims.parquet")
    cells, claims = pandas.read_csv(tmp_path / "cells.csv"), pandas.read_parquet(tmp_path / "claims.parquet")
    assert len(cells) == len(found.cells) and len(claims) == len(library())
    assert cells.groupby("claim").verdict.apply(lambda v: (v == "VIOLATED").sum()).to_dict() == {
        name: row["violated"] for name, row in found.report.rows.items()
    }
    assert dict(zip(claims.id, claims.status, strict=True)) == {n: row["status"] for n, row in found.report.rows.items()}


# -- LaTeX ---------------------------------------------------------------------------------------------------------------


def unbalanced(text):
    """Why LaTeX would stumble over a table, or ""."""
    bare = re.sub(r"(?m)%.*$", "", re.sub(r"\\\\|\\[{}$%&#_^]", " ", text))
    depth = np.cumsum([{"{": 1, "}": -1}.get(c, 0) for c in bare])
    if depth.min() < 0 or depth[-1]:
        return "braces"
    if sorted(re.findall(r"\\begin\{(\w+)\}", bare)) != sorted(re.findall(r"\\end\{(\w+)\}", bare)):
        return "environments"
    if bare.count("$") % 2:
        return "mathematics"
    if len(re.findall(r"\\left(?![a-z])", text)) != len(re.findall(r"\\right(?![a-z])", text)):
        return "left and right"
    outside = re.sub(r"\$[^$]*\$", "", bare)
    if any(not c.isascii() for c in text) or any(c in outside for c in "_^#"):
        return "a sign that means something else"
    rows = [line for line in re.sub(r"\\&", "", text).split("\n") if line.endswith(r" \\")]
    return "" if len({line.count("&") for line in rows}) <= 1 else "columns"


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (r"\emph{a", "braces"),
        (r"\begin{longtable}{l} a \\", "environments"),
        ("$ a", "mathematics"),
        (r"$ \left( a $", "left and right"),
        ("thm_1", "a sign that means something else"),
        ("a ≤ b", "a sign that means something else"),
        ("a & b \\\\\na \\\\", "columns"),
    ],
)
def test_the_checker_of_tables_rejects_what_latex_would(bad, why):
    assert unbalanced(bad) == why


@pytest.fixture(scope="module")
def everything():
    """A report with a row for every claim of the library, and hostile labels."""
    claims = list(bounds())
    row = {"status": "holds", "cells": 3, "certified_cells": 2, "tightest": {"ratio": 1.25e-7}}
    sizes = {b.id: Tightness(claim=b.id, supremum=float("inf"), where="on a_b & c%", median=float("nan")) for b in claims}
    worst = [
        WorstCase(claim="p/thm:a_b@printed", name="50% {x}", k=k, bound=1.0, worst=0.5, can_be_improved=True) for k in (1, 2)
    ]
    rows = {b.id: {**row, "id": b.id} for b in claims}
    return Report(
        title="t", bounds=claims, rows=rows, verdicts={}, tightness=sizes, worst_cases=worst, state="interrupted: 5 % of a_b"
    )


@pytest.mark.parametrize("name", LATEX)
def test_the_tables_of_the_whole_library_are_well_formed(everything, name):
    text = LATEX[name](everything)
    assert unbalanced(text) == ""
    assert text.count(r" \\") >= 3


def test_every_sign_is_escaped():
    assert unbalanced(latex_text('a_b^c~#$%&{}\\<>|"≤é\n')) == ""
    assert latex_text("thm:a_b") == r"thm:a\_b"
    assert latex_text("Jérôme Łojasiewicz") == r"J\'{e}r\^{o}me \L{}ojasiewicz" and latex_text("凸") == "U+51F8"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.slow
def test_latex_compiles_them(everything, tmp_path):
    for name, make in LATEX.items():
        (tmp_path / name).write_text(make(everything), encoding="utf-8")
    (tmp_path / "all.tex").write_text(whole_document(list(LATEX)), encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"], cwd=tmp_path, capture_output=True
    )
    assert done.returncode == 0, done.stdout[-2000:]
