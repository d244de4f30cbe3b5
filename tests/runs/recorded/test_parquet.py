"""A recorded run written as Parquet comes back bit for bit, and gets the same verdicts."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boundcheck import Convex, Outcome, Smooth, Trace, check, run
from boundcheck.library.names import problem_named
from boundcheck.runs.recorded import parquet
from boundcheck.runs.recorded.parquet import _about
from boundcheck.runs.recorded.recording import NotARun

from .runs import FACTS, MINIMUM, arrays

ANY_STEPS = "prop:convex-any-stepsize"


def _same(a: Any, b: Any) -> bool:
    return a is b is None or np.array_equal(a, b)


@pytest.mark.parametrize(
    "lacking", [{}, {"x": None, "method": "gradient descent"}, {"grad": None}, {"eta": None}, {"x_star": None}], ids=str
)
def test_what_was_recorded_comes_back(lacking: dict[str, Any], tmp_path: Path) -> None:
    known = {"facts": FACTS, "name": "mine", "by": "SGD", "precision": "float32", "notes": ("said",)}
    wrote = Trace.from_arrays(**{**arrays(), **MINIMUM, **known, **lacking})
    wrote.to_parquet(tmp_path / "run.parquet")
    read = Trace.from_parquet(tmp_path / "run.parquet")
    a, b = wrote.recorded, read.recorded
    assert a is not None and b is not None
    assert all(_same(getattr(a, name), getattr(b, name)) for name in ("x", "f", "grad", "eta", "x_star"))
    words = (
        "f_star",
        "facts",
        "precision",
        "relative_error",
        "name",
        "by",
        "method",
        "estimated",
        "best",
        "doubt",
        "notes",
        "ended",
    )
    assert [getattr(a, name) for name in words] == [getattr(b, name) for name in words]
    assert repr(wrote) == repr(read) and wrote.notes == read.notes
    assert [v.to_json() for v in check(ANY_STEPS, wrote)] == [v.to_json() for v in check(ANY_STEPS, read)]


def test_verdicts_at_every_iterate_come_from_a_file(tmp_path: Path) -> None:
    Trace.from_arrays(**arrays(), facts=FACTS, estimate=True).to_parquet(tmp_path / "run.parquet")
    (verdict,) = check(ANY_STEPS, Trace.from_parquet(tmp_path / "run.parquet"), smoothness="D")
    assert verdict.counts[Outcome.UNDECIDED] == 40 and any("does not bound f* and x*" in note for note in verdict.notes)


def test_a_problem_is_named_in_the_file_and_given_again(tmp_path: Path) -> None:
    problem = problem_named("logistic-40x5")
    points = np.zeros((1, problem.dimension))
    Trace.from_arrays(x=points, problem=problem).to_parquet(tmp_path / "run.parquet")
    again = Trace.from_parquet(tmp_path / "run.parquet", problem=problem)
    assert again.recorded is not None and again.recorded.problem is problem
    with pytest.raises(NotARun, match="was recorded on logistic-40x5; found problem=parabola"):
        Trace.from_parquet(tmp_path / "run.parquet", problem=problem_named("parabola"))


def test_what_is_no_such_file_gets_one_line(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"f": [1.0]}), tmp_path / "other.parquet")
    (tmp_path / "text.parquet").write_text("no table")
    for name, said in (("none", "no file"), ("other", "holds no run"), ("text", "cannot be read as Parquet")):
        with pytest.raises(NotARun, match=said) as wrong:
            Trace.from_parquet(tmp_path / f"{name}.parquet")
        assert "\n" not in str(wrong.value)
    with pytest.raises(NotARun, match="was run by boundcheck"):
        run("parabola", "1/L", steps=2).to_parquet(tmp_path / "run.parquet")


def test_a_file_that_says_it_estimated_something_else_gets_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "_about", lambda run: {**_about(run), "estimated": ["f"]})
    Trace.from_arrays(**arrays()).to_parquet(tmp_path / "run.parquet")
    with pytest.raises(NotARun, match=r"estimated is \['f'\]; only f_star and x_star can be") as wrong:
        Trace.from_parquet(tmp_path / "run.parquet")
    assert "\n" not in str(wrong.value)


def test_a_file_that_cannot_be_written_gets_one_line(tmp_path: Path) -> None:
    made = Trace.from_arrays(**arrays())
    for path, why in ((tmp_path / "none" / "run.parquet", "none is no directory"), (tmp_path, "Is a directory")):
        with pytest.raises(NotARun, match=f"cannot be written: .*{why}.*; give a path") as wrong:
            made.to_parquet(path)
        assert "\n" not in str(wrong.value)


def test_without_pyarrow_one_line_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Trace.from_arrays(**arrays(3), facts=(Convex(), Smooth(100)))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"a Parquet file needs pyarrow, .*: pip install 'boundcheck\[report\]'"):
        made.to_parquet(tmp_path / "run.parquet")
