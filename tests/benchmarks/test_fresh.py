"""Fresh processes: their time, their memory, and one clear line when they fail."""

from __future__ import annotations

import json
import sys

import bench_growth
import pytest
from fresh import Failed, fresh

from .conftest import BENCHMARKS

ALLOCATE = "b = bytearray({} * 2**20); b[::4096] = b'x' * len(b[::4096]); print('done')"


def test_the_peak_is_what_the_process_held_at_once():
    """Asked from a small process: the kernel counts what the parent held, and this one may hold anything."""
    ask = f"""
import sys; sys.path.append({str(BENCHMARKS)!r})
from fresh import fresh
print(*(fresh((sys.executable, "-c", {ALLOCATE!r}.format(mb))).peak for mb in (40, 120)))
"""
    little, much = map(float, fresh((sys.executable, "-c", ask)).out.split())
    assert 70 < much - little < 90


def test_the_seconds_of_the_processor_leave_out_waiting():
    waited = fresh((sys.executable, "-c", "import time; time.sleep(0.5)"))
    assert waited.seconds > 0.5
    assert waited.seconds - waited.processor > 0.4


def test_a_command_that_fails_says_so_with_its_last_line():
    with pytest.raises(Failed, match=r"ended with 3: no such thing"):
        fresh((sys.executable, "-c", "import sys; print('no such thing'); sys.exit(3)"))


def test_an_exit_code_that_is_expected_is_no_failure():
    assert fresh((sys.executable, "-c", "import sys; sys.exit(3)"), well=(0, 3)).out == ""


def test_without_a_command_sweep_there_is_none(monkeypatch, tmp_path):
    monkeypatch.setattr(bench_growth, "BOUNDCHECK", str(tmp_path / "no-such-command"))
    assert not bench_growth.has_sweep()


def test_one_run_asks_as_many_claims_as_it_was_told():
    said, done = bench_growth.one_run(steps=20, dimension=3, claims=4)
    assert said["claims"] == 4
    assert said["verdicts"] >= 4
    assert 0 < said["seconds"] < done.processor


@pytest.mark.slow
def test_more_claims_than_there_are_is_one_clear_line():
    with pytest.raises(Failed, match="claims that apply; --claims 100000 asks for more"):
        bench_growth.one_run(steps=2, dimension=2, claims=100_000)


def test_a_curve_tells_its_points_and_its_exponent(monkeypatch, tmp_path):
    monkeypatch.setenv("BOUNDCHECK_BENCH_ROWS", str(tmp_path / "rows"))
    turns = [[(x, 2 * x, 50 + 3 * x) for x in (10.0, 20.0, 40.0)]] * 2
    bench_growth.curve("number of steps K", "made up", turns, empty=50.0)
    told = [json.loads(line) for line in (tmp_path / "rows").read_text().splitlines()]
    assert [(row["at"], row["value"]) for row in told if row["unit"] == "s"] == [(10.0, 20.0), (20.0, 40.0), (40.0, 80.0)]
    assert [row["value"] for row in told if row["what"].startswith("exponent")] == pytest.approx([1.0, 1.0])
