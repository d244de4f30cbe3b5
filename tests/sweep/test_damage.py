"""One flipped bit in a finished store: the table is the same, or the store is refused in one line; never another table."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from boundcheck.cli import cli
from boundcheck.store import NotAStore, Store

SPEC = """
claims = ["claims.py:descent"]
problems = ["parabola", "huber"]
methods = ["1/L", "rules.py:picky"]
smoothness = ["D"]
seeds = { from = 0, count = 3 }
arithmetic = ["float64"]
steps = 4
"""


def _flipped(run, folder: Path, flips: int, seed: int) -> Counter[str]:  # type: ignore[no-untyped-def]
    (folder / "small.toml").write_text(SPEC, encoding="utf-8")
    first = run("small.toml", "--jobs", 1)
    assert first.exit_code in (0, 1), first.output
    store, table = folder / "small.sqlite", folder / "small.parquet"
    whole, expected = store.read_bytes(), table.read_bytes()
    found: Counter[str] = Counter()
    for bit in random.Random(seed).sample(range(8 * len(whole)), flips):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        for beside in folder.glob("small.sqlite*"):
            beside.unlink()
        store.write_bytes(damaged)
        table.unlink(missing_ok=True)
        done = run("small.toml", "--jobs", 1)
        if done.exit_code == 2:
            last = done.stderr.splitlines()[-1]
            assert last.startswith("boundcheck: small.sqlite ") and done.stderr.count("boundcheck: ") == 1, (bit, done.stderr)
            found["refused"] += 1
        else:
            assert done.exit_code == first.exit_code, (bit, done.output, done.exception)
            assert table.read_bytes() == expected, f"seed {seed}, bit {bit}: another table, in silence"
            found["the same"] += 1
    return found


def test_a_flipped_bit_in_a_store_never_gives_another_table(run, folder: Path) -> None:  # type: ignore[no-untyped-def]
    found = _flipped(run, folder, 60, 1)
    assert found["refused"] and found["the same"]


@pytest.mark.slow
def test_two_thousand_flipped_bits_in_a_store_never_give_another_table(run, folder: Path) -> None:  # type: ignore[no-untyped-def]
    found = _flipped(run, folder, 2000, 2)
    print(dict(found))
    assert found["refused"] > 20


@pytest.mark.parametrize(
    ("change", "row"),
    [
        ("UPDATE verdicts SET said = replace(said, 'parabola', 'parabole')", "table 'verdicts'"),
        ("UPDATE verdicts SET outcome = 1 - outcome", "table 'verdicts'"),
        ("UPDATE about SET value = '\"other\"' WHERE name = 'plan'", "table 'about'"),
        ("UPDATE works SET seal = 'x' WHERE id = 2", "row 2 of its table 'works'"),
    ],
)
def test_a_row_that_is_not_what_was_written_is_named(run, folder: Path, change: str, row: str) -> None:  # type: ignore[no-untyped-def]
    run("small.toml", "--jobs", 1)
    with Store(folder / "small.sqlite", write=True) as store, store.transaction() as database:
        database.execute(change)
    done = run("small.toml", "--jobs", 1)
    assert done.exit_code == 2 and row in done.stderr and "delete it and run the same command again" in done.stderr


def test_damage_that_sqlite_quotes_in_bytes_that_are_no_text_is_told(run, folder: Path) -> None:  # type: ignore[no-untyped-def]
    (folder / "small.toml").write_text(SPEC, encoding="utf-8")
    run("small.toml", "--jobs", 1)
    store = folder / "small.sqlite"
    store.write_bytes(store.read_bytes().replace(b"CREATE TABLE works", b"CREATE TABL\xce works"))
    done = run("small.toml", "--jobs", 1)
    assert done.exit_code == 2 and "not UTF-8" in done.stderr.splitlines()[-1], done.stderr


def test_a_store_without_checksums_is_refused(run, folder: Path) -> None:  # type: ignore[no-untyped-def]
    run("small.toml", "--jobs", 1)
    with Store(folder / "small.sqlite", write=True) as store, store.transaction() as database:
        database.execute("PRAGMA user_version = 1")
    with pytest.raises(NotAStore, match="has layout 1, of another version"):
        Store(folder / "small.sqlite")
    assert CliRunner().invoke(cli, ["sweep", "small.toml"]).exit_code == 2


def test_a_store_that_is_deleted_while_it_is_used_is_told(run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    from boundcheck.sweep import driver

    def gone(*given):  # type: ignore[no-untyped-def]
        for file in folder.glob("small.sqlite*"):
            file.unlink()
        return gather(*given)

    gather = driver.gather
    monkeypatch.setattr(driver, "gather", gone)
    done = run("small.toml", "--jobs", 1)
    assert done.exit_code == 2 and "small.sqlite was deleted or replaced while it was used" in done.stderr
