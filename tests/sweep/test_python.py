"""A sweep from Python: the example of docs/sweep.md, and the same results as the command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boundcheck.check.verdict import Outcome
from boundcheck.library.catalogue import NotFound
from boundcheck.sweep import BadSpec, Sweep, run
from boundcheck.sweep.dispatcher import Dispatcher
from boundcheck.sweep.driver import Interrupted

from .looking import edited, rows

DOCS = Path(__file__).resolve().parents[2] / "docs" / "sweep.md"


def test_the_example_of_the_docs_runs_as_written(folder, capsys):
    (example,) = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(example, "docs/sweep.md", "exec"), names)
    shown = capsys.readouterr().out
    assert shown.startswith(
        "24 cells of 12 works, in small.sqlite\nHOLDS directional-smoothness/prop:convex-any-stepsize@printed: on "
    )
    assert len(names["table"]) == 24 and "random-quadratic(dimension=3)" in shown


def test_it_is_the_command_s_sweep(folder, request):
    assert request.getfixturevalue("run")("small.toml", "--jobs", 1).exit_code == 0
    results = run("small.toml", out="again.parquet", jobs=2)
    assert results.notes == ["24 of 24 works are taken from small.sqlite; --fresh does them again"]
    assert (folder / "again.parquet").read_bytes() == (folder / "small.parquet").read_bytes()
    assert list(results.rows()) == rows("small.parquet") and (results.works, results.cells, results.failed) == (24, 48, 0)
    ((unit, verdict), *others) = results.verdicts()
    assert str(unit) == "parabola seed 0 [float64] rules.py:slow" and len(others) == 47
    assert (verdict.cell.smoothness, verdict.outcome) == ("D", Outcome.HOLDS)


def test_a_sweep_that_is_no_file_names_files_that_lie_here(folder):
    spec = Sweep(claims=["claims.py:descent"], problems=["huber"], methods=["rules.py:picky"], seeds=range(4), steps=3)
    results = run(spec, jobs=1)
    assert results.store == Path("sweep.sqlite") and results.tables == [] and results.failed == len(results.failures) > 0
    (tally,) = results.tallies.values()
    assert tally.outcome is Outcome.HOLDS and f"FAILED {results.failures[0]}" in repr(results)


@pytest.mark.parametrize(
    ("words", "kind", "said"),
    [
        ({"jobs": 0}, BadSpec, "jobs is 0; needs a whole number, 1 or more"),
        ({"jobs": 2, "cluster": "tcp://127.0.0.1:9"}, BadSpec, "give one of them"),
        ({"time_limit": -1}, BadSpec, "time_limit is -1; needs a number of seconds, or inf for none"),
        ({"store": "nowhere/s.sqlite"}, NotFound, "there is no folder nowhere"),
        ({"spec": "none.toml"}, NotFound, "no file none.toml"),
    ],
)
def test_bad_input_is_one_line(folder, words, kind, said):
    with pytest.raises(kind, match=re.escape(said)):
        run(**{"spec": "small.toml", **words})
    assert not (folder / "small.sqlite").exists()


def test_an_interrupt_says_how_far_it_came_and_the_same_call_goes_on(folder, monkeypatch):
    edited(folder / "small.toml", methods='["1/L"]')

    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as stopping:
        stopping.setattr(Dispatcher, "_take", stop)
        with pytest.raises(Interrupted, match=r"interrupted: \d+ of 12 works are kept in small.sqlite"):
            run("small.toml", jobs=1)
    assert run("small.toml", jobs=1).cells == 24
