"""What a notebook sees: run, check, tables and pictures."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boundcheck
from boundcheck import Bound, Convex, GradientDescent, Outcome, Trace, Verdicts, check, run
from boundcheck.language.letters import eta, f, grad, k, normsq, x
from boundcheck.library.names import problem_named, rule_named

ANY_STEPS = "prop:convex-any-stepsize"
TOO_BOLD = Bound(given=(Convex, GradientDescent()), states=f(x[k + 1]) <= f(x[k]) - eta[k] * normsq(grad(x[k])))


def half_over_L(run: Any) -> Any:
    return 1 / (2 * run.L)


@pytest.mark.parametrize("rule", ["1/(2L)", half_over_L], ids=["name", "function"])
@pytest.mark.parametrize("problem", ["logistic-40x5", problem_named("logistic-40x5")], ids=["name", "problem"])
def test_a_rule_runs_on_a_problem_and_claims_are_checked(problem: Any, rule: Any) -> None:
    trace = run(problem, rule, steps=20)
    verdicts = check(ANY_STEPS, trace)
    assert isinstance(verdicts, Verdicts) and len(verdicts) == 4 and verdicts.outcome is Outcome.HOLDS
    assert all(len(verdict.outcomes) == 20 and not verdict.certified for verdict in verdicts)


def test_exact_arithmetic_certifies() -> None:
    (verdict,) = check(TOO_BOLD, run("parabola", rule_named("1/L"), steps=1, arithmetic="rational"))
    assert verdict.label == "VIOLATED, certified"


def test_a_start_may_be_given() -> None:
    table = run("parabola", "1/(2L)", steps=2, start=[3]).to_pandas()
    assert table["k"].tolist() == [0, 1, 2]
    assert table["f"][0] == problem_named("parabola").f(boundcheck.arithmetic.plain.FLOAT64, np.array([3.0]))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: run("logistic-40x6", "1/L"), "no problem 'logistic-40x6'; did you mean"),
        (lambda: run(3, "1/L"), "3 is no problem"),
        (lambda: run("parabola", "1/l"), "no method '1/l'"),
        (lambda: run("parabola", 0.1), "0.1 is a float, no rule; needs the name of a rule, a Rule, or a function of the run"),
        (lambda: run("parabola", 3), "3 is an int, no rule; needs the name of a rule"),
        (lambda: run("parabola", None), "None is a NoneType, no rule; needs the name of a rule"),
        (lambda: run("parabola", "1/L", steps="a"), "steps='a' is a str; needs a whole number of steps"),
        (lambda: run("parabola", "1/L", steps=2.5), "steps=2.5 is a float; needs a whole number of steps"),
        (lambda: run("parabola", "1/L", steps=True), "steps=True is a bool; needs a whole number of steps"),
        (lambda: run("parabola", "1/L", start=[np.nan]), "start[0] is nan; needs a finite number"),
        (lambda: run("parabola", "1/L", start=["a"]), "start[0] is 'a'; needs a finite number"),
        (lambda: run("parabola", "1/L", start=3), "start=3 is no point; needs a list of numbers"),
        (lambda: run("parabola", "1/L", start=[[1]]), "start=[[1]] is no point; needs a list of numbers"),
        (lambda: check("prop:convex", run("parabola", "1/L", steps=1)), "no claim 'prop:convex'"),
        (lambda: check(7, run("parabola", "1/L", steps=1)), "7 is no claim"),
        (lambda: check([7], run("parabola", "1/L", steps=1)), "7 is no claim"),
        (lambda: check(ANY_STEPS, np.zeros(3)), "is no trace; make one with run(...)"),
        (lambda: check(ANY_STEPS, run("parabola", "1/L", steps=1), smoothness="B"), "M is bound to D, A, H or L; found 'B'"),
    ],
)
def test_bad_input_gets_one_clear_line(make: Any, said: str) -> None:
    with pytest.raises((ValueError, TypeError)) as wrong:
        make()
    assert said in str(wrong.value) and "\n" not in str(wrong.value)


# -- looking ---------------------------------------------------------------------------------------------------------------------


def test_verdicts_read_well() -> None:
    trace = run("parabola", "1/(2L)", steps=5)
    verdicts = check([ANY_STEPS, TOO_BOLD], trace, smoothness="H")
    shown = repr(verdicts)
    assert "HOLDS, numerical" in shown and "VIOLATED, numerical" in shown and "k = 0: left" in shown
    assert repr(
        trace
    ) == "<Trace of parabola (Convex, Differentiable, IsQuadratic, Smooth, StronglyConvex, TwiceDifferentiable) " + (
        "by gradient descent in float64: 1/(2L): 5 steps>"
    )
    html = verdicts._repr_html_()
    assert html.count("<tr") == 3 and "color:red" in html and "&lt;" not in html.split("<tbody>")[0]
    assert verdicts.explain().count("\n") == 1 and isinstance(verdicts[:1], Verdicts) and verdicts[0].outcome is Outcome.HOLDS


def test_an_outcome_is_printed_by_its_name_and_counted_as_a_number() -> None:
    assert [str(outcome) for outcome in Outcome] == ["HOLDS", "VIOLATED", "UNDECIDED", "VACUOUS", "NOT_EVALUATED"]
    assert f"{Outcome.VACUOUS} {Outcome.HOLDS:>6}" == "VACUOUS  HOLDS" and int(Outcome.VACUOUS) == 3
    assert np.array([Outcome.VIOLATED, 0], dtype=np.int8).tolist() == [1, 0] and json.dumps(Outcome.VIOLATED) == "1"


def test_a_verdict_is_shown_by_the_line_that_explains_it() -> None:
    (verdict,) = check(ANY_STEPS, run("parabola", "1/(2L)", steps=5), smoothness="H")
    assert repr(verdict) == f"<Verdict of {verdict.cell}: {verdict.explain()}>"
    assert repr(verdict).startswith(f"<Verdict of {verdict.cell.claim} on parabola by 1/(2L) (M=H): HOLDS, numerical (5 holds);")


def test_a_claim_that_holds_where_it_could_be_decided_says_how_often_it_could_not() -> None:
    verdicts = check(ANY_STEPS, run("logistic-40x5", "polyak(1)", steps=50), smoothness="D")
    held, open_ = (verdicts[0].counts[outcome] for outcome in (Outcome.HOLDS, Outcome.UNDECIDED))
    assert held and open_ and held + open_ == 50
    assert f"HOLDS, numerical   D   at {held} k, {open_} undecided" in repr(verdicts)
    assert f"elsewhere: k = {held}: the enclosure is unbounded" in repr(verdicts)
    assert f"<td style='text-align:left'>at {held} k, {open_} undecided</td>" in verdicts._repr_html_()


def test_a_table_fits_80_columns_and_says_each_claim_once() -> None:
    def a_rule_with_quite_a_long_name_that_says_what_it_does(run: Any) -> Any:
        return 3 / (2 * run.L)

    claims = ["thm:polyak", ANY_STEPS, TOO_BOLD]
    rules = ("polyak(3/2)", a_rule_with_quite_a_long_name_that_says_what_it_does)
    made = [check(claims, run("huber", rule, steps=20)).found for rule in rules]
    near = replace(made[0][0], certified=False, near=True)
    for verdicts in (Verdicts(made[0]), Verdicts(made[1]), Verdicts((*made[0], *made[1])), Verdicts((near,))):
        lines = repr(verdicts).splitlines()
        assert max(len(line) for line in lines) <= 80
    assert repr(Verdicts(made[0])).count("prop:convex-any-stepsize") == 1
    assert repr(Verdicts(())) == "no claim was asked"


def test_a_table_has_a_row_for_every_claim_and_k() -> None:
    trace = run("parabola", "1/(2L)", steps=5)
    table = check([ANY_STEPS, TOO_BOLD], trace, smoothness=("D", "H")).to_pandas()
    assert len(table) == 15 and set(table["outcome"]) <= {"HOLDS", "VIOLATED", "UNDECIDED"}
    rows = table[table["M"] == "D"]
    assert rows["k"].tolist() == [0, 1, 2, 3, 4] and np.allclose(rows["lhs"] / rows["rhs"], rows["ratio"])
    assert not table["certified"].any() and table["k"].dtype == "Int64"


def test_a_claim_that_could_not_be_asked_has_a_row_that_says_why() -> None:
    trace = Trace.from_arrays(f=np.array([2.0, 1.0]), facts=(Convex(),))
    table = check(ANY_STEPS, trace, smoothness="D").to_pandas()
    assert table["outcome"].tolist() == ["VACUOUS"] and table["k"].isna().all() and table["reason"][0]


def test_nothing_asked_is_no_pass() -> None:
    assert check([], run("parabola", "1/L", steps=1)).outcome is Outcome.VACUOUS


def test_pictures_show_both_sides_and_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    trace = run("parabola", "1/(2L)", steps=5)
    axes = check([ANY_STEPS, TOO_BOLD], trace, smoothness="D").plot()
    assert axes.get_yscale() == "log" and len(axes.lines) == 5  # two sides twice, and the crosses
    assert any("violated, numerical" in str(line.get_label()) for line in axes.lines)
    drawn = trace.plot(pyplot.subplots()[1])
    assert len(drawn.lines) == 2 and drawn.get_title() == "parabola"
    assert "nothing to draw" in Verdicts(()).plot().get_title()
    pyplot.close("all")


@pytest.mark.parametrize(("library", "use"), [("pandas", lambda v: v.to_pandas()), ("matplotlib.pyplot", lambda v: v.plot())])
def test_without_a_library_one_line_says_what_to_install(library: str, use: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts = check(ANY_STEPS, run("parabola", "1/L", steps=2))
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(
        ImportError, match=r"needs (pandas|matplotlib), which is not installed: pip install 'boundcheck\[report\]'"
    ):
        use(verdicts)


def test_check_is_the_function_whatever_was_imported_before() -> None:
    code = "import boundcheck.check, boundcheck; from boundcheck.check.answer import answer; print(callable(boundcheck.check))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "True"
    assert "check" in dir(boundcheck) and boundcheck.run is run


def test_watching_and_looking_import_nothing_heavy() -> None:
    code = (
        "import sys, boundcheck as b; t = b.run('parabola', '1/L', steps=2); "
        "repr(b.check('prop:convex-any-stepsize', t)); b.watch; "
        "print(*(m for m in ('torch', 'pandas', 'matplotlib', 'pyarrow') if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == []


def test_the_table_of_the_page_is_what_its_python_prints(capsys: pytest.CaptureFixture[str]) -> None:
    page = (DOCS / "api.md").read_text(encoding="utf-8")
    code, after = page.split("```python\n")[1].split("```\n")
    exec(compile(code, "api.md", "exec"), {})
    lines = [line for line in after.splitlines() if line.startswith("    ")]
    assert [line[4:] for line in lines] == [line for line in capsys.readouterr().out.splitlines() if line]


# -- the documentation ---------------------------------------------------------------------------------------------------

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("page", ["api.md", "watch.md"])
def test_the_python_of_a_page_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib

    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    blocks = (DOCS / page).read_text(encoding="utf-8").split("```python\n")[1:]
    assert blocks
    for block in blocks:
        exec(compile(block.split("```")[0], page, "exec"), names)
