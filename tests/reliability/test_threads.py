"""Four threads that run and check at several precisions get what one gets; python-flint's precision is left as it was."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence

import flint
import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic.balls.plain import precision

from .tasks import Task, answered, tasks

THREADS = 4


@pytest.fixture(autouse=True)
def _often_switching() -> Iterator[None]:
    before, bits = sys.getswitchinterval(), flint.ctx.prec
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)
    flint.ctx.prec = bits


def _in_threads(todo: Sequence[Task], verdicts: int) -> None:
    """Each thread begins at another task, and goes round until it has asked for so many verdicts."""
    alone = {task: answered(task) for task in todo}
    before, differ, counts = flint.ctx.prec, [], [0] * THREADS

    def ask(thread: int) -> None:
        at = thread * len(todo) // THREADS
        while counts[thread] < verdicts:
            task = todo[at % len(todo)]
            found = answered(task)
            counts[thread] += len(found[0])
            at += 1
            if found != alone[task]:
                differ.append(task)

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert min(counts) >= verdicts
    assert not differ, f"{len(differ)} tasks differ from the same ones asked in one thread: {differ[:3]}"
    assert flint.ctx.prec == before
    assert all(answered(task) == alone[task] for task in todo[:6]), "what threads left behind changes later results"


def test_verdicts_and_their_reasons_are_the_same_in_four_threads() -> None:
    _in_threads(tasks(3, ("quadratic-3d", "smooth-abs-3/4", "logistic-1d"))[:8], 150)


@pytest.mark.slow
def test_ten_thousand_verdicts_in_each_of_four_threads_are_those_of_one() -> None:
    _in_threads(tasks(), 10_000)


def test_threads_that_only_compute_with_balls_keep_their_precision() -> None:
    """Without any public function: each operation sets the precision for itself."""
    wrong: list[str] = []

    def divide(bits: int) -> None:
        xp = arithmetic(f"ball:{bits}")
        for _ in range(1500):
            (radius,) = xp.error(xp.scalars([1.0]) / xp.scalar(3))
            if not 2.0 ** (-bits - 4) < radius < 2.0 ** (-bits + 4):
                wrong.append(f"{bits}: {radius}")

    threads = [threading.Thread(target=divide, args=(bits,)) for bits in (64, 128, 256, 512)]
    before = flint.ctx.prec
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and flint.ctx.prec == before


def test_a_precision_that_is_open_makes_other_threads_wait() -> None:
    seen: list[int] = []

    def look() -> None:
        with precision(300):
            seen.append(flint.ctx.prec)

    with precision(100):
        other = threading.Thread(target=look)
        other.start()
        other.join(0.2)
        assert not seen and flint.ctx.prec == 100
    other.join()
    assert seen == [300]
