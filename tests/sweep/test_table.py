"""The table: parts that can be read while a sweep runs, and one file at the end, a block of works at a time."""

from __future__ import annotations

from importlib import import_module

import pyarrow.parquet
import pytest

from boundcheck.sweep import table

from .looking import edited, rows, where, works


@pytest.fixture
def eager(monkeypatch):
    """Parts of four works, written as soon as they can be."""
    monkeypatch.setattr(table, "BLOCK", 4)
    monkeypatch.setattr(table, "BETWEEN", -1.0)
    monkeypatch.setattr(import_module("boundcheck.sweep.dispatcher"), "BETWEEN", 0.0)


def test_parts_are_written_while_it_runs_and_go_when_the_whole_is_there(run, folder, eager, monkeypatch):
    seen, finish = [], table.Tables.finish

    def look_and_finish(tables, see):
        seen.extend((path.name, rows(path)) for path in sorted(tables.parts.iterdir()))
        return finish(tables, see)

    monkeypatch.setattr(table.Tables, "finish", look_and_finish)
    assert run("small.toml", "--jobs", 1).exit_code == 0
    whole = rows("small.parquet")
    assert len(seen) >= 5 and seen[0][0] == "part-000000.parquet" and not (folder / "small.parquet.parts").exists()
    for name, part in seen:
        number = int(name[5:11])
        assert part == whole[8 * number : 8 * number + 8]  # four works, of two cells each


def test_a_row_group_is_a_block_of_works_in_the_order_of_the_spec(run, folder, eager):
    assert run("small.toml", "--jobs", 2).exit_code == 0
    found = pyarrow.parquet.ParquetFile("small.parquet")
    assert [found.metadata.row_group(n).num_rows for n in range(found.metadata.num_row_groups)] == [8] * 6
    order = [(row["problem"], row["seed"], row["method"], row["M"]) for row in rows("small.parquet")]
    assert order == [(p, n, m, s) for p in ("parabola", "huber") for n in range(6) for m in ("slow", "1/L") for s in "DH"]


def test_other_files_among_the_parts_are_left_alone(run, folder):
    (folder / "small.parquet.parts").mkdir()
    (folder / "small.parquet.parts" / "mine.txt").write_text("mine", encoding="utf-8")
    (folder / "small.parquet.parts" / "part-000007.parquet").write_text("old", encoding="utf-8")
    assert run("small.toml").exit_code == 0
    assert [path.name for path in (folder / "small.parquet.parts").iterdir()] == ["mine.txt"]


def test_a_table_that_is_lost_is_written_again_from_the_store(run, folder):
    run("small.toml")
    before = (folder / "small.parquet").read_bytes()
    (folder / "small.parquet").unlink()
    done = run("small.toml")
    assert "24 of 24 works are taken from small.sqlite" in done.stderr and (folder / "small.parquet").read_bytes() == before


def test_without_pyarrow_the_store_is_enough_and_out_is_refused(run, folder, monkeypatch):
    monkeypatch.setattr("boundcheck.cli.sweep_page.can_write_parquet", lambda: False)
    refused = run("small.toml", "--out", "x.parquet")
    assert refused.exit_code == 2 and "pip install 'boundcheck[sweep]'" in refused.stderr and refused.stderr.count("\n") == 1
    done = run("small.toml")
    assert done.exit_code == 0 and "no table: Parquet needs pyarrow" in done.stderr and "48 cells of 24 works" in done.stdout
    assert not (folder / "small.parquet").exists()


def test_a_store_of_another_sweep_is_refused_and_left_as_it_is(run, folder):
    run("small.toml")
    before = works("small.sqlite")
    for keys, said in (
        ({"steps": "5"}, "small.sqlite is of another sweep; give another --store, or drop what it has with --fresh"),
        ({"steps": "4", "claims": '["claims.py:greedy"]'}, "small.sqlite is of another sweep"),
        ({"claims": '["claims.py:descent"]', "seeds": "[1, 2]"}, "small.sqlite has 16 works that small.toml does not name"),
    ):
        edited(folder / "small.toml", **keys)
        done = run("small.toml")
        assert done.exit_code == 2 and said in done.stderr and done.stderr.count("\n") == 1
        assert works("small.sqlite") == before
    assert run("small.toml", "--fresh").exit_code == 0 and len(works("small.sqlite")) == 8


def test_a_spec_may_grow(run, folder):
    run("small.toml")
    edited(folder / "small.toml", seeds="[6, 0, 1, 2, 3, 4, 5]", arithmetic='["float64", "rational"]')
    done = run("small.toml")
    assert done.exit_code == 0 and "24 of 56 works are taken from small.sqlite" in done.stderr
    assert {work.tries for work in works("small.sqlite")} == {1}
    order = list(dict.fromkeys((row["problem"], row["seed"]) for row in rows("small.parquet")))
    assert order == [(p, n) for p in ("parabola", "huber") for n in (6, 0, 1, 2, 3, 4, 5)]
    assert len({where(row) for row in rows("small.parquet")}) == 112


def test_other_code_is_refused(run, folder, monkeypatch):
    run("small.toml")
    monkeypatch.setattr(import_module("boundcheck.sweep.plan"), "code_hash", lambda: "another")
    done = run("small.toml")
    assert done.exit_code == 2 and "small.sqlite is of other code; give another --store" in done.stderr
