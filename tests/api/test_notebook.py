"""What a notebook sees: run, check, tables and pictures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boundcheck
from boundcheck import Bound, Convex, GradientDescent, Outcome, Trace, Verdicts, check, run
from boundcheck.language.letters import eta, f, grad, k, normsq, x
from boundcheck.named import problem_named, rule_named
from boundcheck.registry import NotFound

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
        (lambda: check("prop:convex", run("parabola", "1/L", steps=1)), "no claim 'prop:convex'"),
        (lambda: check(7, run("parabola", "1/L", steps=1)), "7 is no claim"),
        (lambda: check([7], run("parabola", "1/L", steps=1)), "7 is no claim"),
        (lambda: check(ANY_STEPS, np.zeros(3)), "is no trace; make one with run(...)"),
        (lambda: check(ANY_STEPS, run("parabola", "1/L", steps=1), smoothness="B"), "M is bound to D, A, H or L; found 'B'"),
    ],
)
def test_bad_input_gets_one_clear_line(make: Any, said: str) -> None:
    with pytest.raises(NotFound) as wrong:
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
    code = "import boundcheck.check, boundcheck; from boundcheck.check import answer; print(callable(boundcheck.check))"
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
