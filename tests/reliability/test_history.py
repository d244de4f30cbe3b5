"""A result is that of a fresh process, whatever was computed before it, in whatever order, and with whatever precision."""

from __future__ import annotations

import multiprocessing
import random
from fractions import Fraction

import flint
import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.problems._numerics.scalars import Constants

from .tasks import Task, answered, tasks


def _all_orders(todo: tuple[Task, ...], orders: int) -> None:
    answered(("parabola", "1/L", 1, "ball:64"))  # loads what all need, and nothing of their problems
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as fresh:  # a process for each task
        expected = dict(zip(todo, fresh.map(answered, todo, chunksize=1), strict=True))
    for seed in range(orders):
        for task in random.Random(seed).sample(todo, len(todo)):
            words, columns = answered(task)
            assert words == expected[task][0], (seed, task)
            assert columns == expected[task][1], (seed, task)


def test_results_are_those_of_fresh_processes_in_any_order() -> None:
    _all_orders(tuple(t for t in tasks(3, ("logistic-1d", "smooth-abs-3/4")) if t[1] == "1/L"), 2)


@pytest.mark.slow
def test_results_of_many_problems_are_those_of_fresh_processes_in_any_order() -> None:
    _all_orders(tasks(), 3)


def test_the_precision_that_somebody_set_before_changes_nothing_and_is_left_alone() -> None:
    task = ("logistic-1d", "1/L", 3, "ball:128")
    before, expected = flint.ctx.prec, answered(task)
    try:
        for bits in (20, 700):
            flint.ctx.prec = bits
            assert answered(task) == expected
            assert flint.ctx.prec == bits
    finally:
        flint.ctx.prec = before


def test_constants_have_the_same_bits_whoever_asks_for_them_first() -> None:
    plain = arithmetic("ball:128").plain
    found = []
    for precision in (plain.working(), plain.running()):
        with precision:
            found.append(Constants(a=[Fraction(1, 3)]).vector(plain, "a")[0])
    assert found[0].rad() == found[1].rad() and found[0].mid() == found[1].mid()
