"""Work in several processes: the same results for any number of them, in order, whatever dies."""

from __future__ import annotations

import json
import os
import signal
import time

import pytest
from click.testing import CliRunner

from boundcheck.cli import cli
from boundcheck.support.processes.pool import in_processes

HERE = os.getpid()


def checked(jobs: int) -> dict:
    words = ["check", "prop:convex-any-stepsize", "eq:ad-4", "thm:polyak", "--problem", "huber", "--problem", "logistic-1d"]
    for method in ("1/L", "1/(2L)", "polyak(1)", "polyak(5/4)", "polyak(3/2)"):
        words += ["--method", method]
    done = CliRunner().invoke(cli, [*words, "--steps", "12", "--json", "--jobs", str(jobs)])
    found = json.loads(done.stdout)
    violations = [claim["violation"] for claim in found["claims"] if claim["violation"] is not None]
    for cell in (*found["cells"], *violations):
        assert cell["cost"].pop("seconds") >= 0
    return found


def test_results_do_not_depend_on_the_number_of_processes() -> None:
    alone = checked(1)
    assert len(alone["cells"]) > 40 and any(cell["arithmetic"].startswith("ball") for cell in alone["cells"])
    assert checked(3) == alone


def test_results_come_in_the_order_of_the_tasks() -> None:
    def task(n: int):  # type: ignore[no-untyped-def]
        return lambda: (time.sleep(0.05 * (5 - n)), os.getpid() != HERE, n)[1:]

    with in_processes([task(n) for n in range(5)], 3) as results:
        assert [result() for result in results] == [(True, n) for n in range(5)]


def test_what_a_dying_process_takes_with_it_is_done_again_here() -> None:
    def task(n: int):  # type: ignore[no-untyped-def]
        def do() -> int:
            if n == 2 and os.getpid() != HERE:
                os.kill(os.getpid(), signal.SIGKILL)
            return n

        return do

    with in_processes([task(n) for n in range(6)], 2) as results:
        assert [result() for result in results] == list(range(6))


def test_an_error_in_a_task_is_an_error_here() -> None:
    def wrong() -> None:
        raise ValueError("this one")

    with in_processes([wrong] * 5, 2) as results, pytest.raises(ValueError, match="this one"):
        results[0]()
