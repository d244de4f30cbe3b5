"""Batches of runs on a device: their verdicts never contradict those of float64, and float32 leaves more undecided."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.check.answer import check
from boundcheck.check.question import needs, questions
from boundcheck.check.verdict import Outcome
from boundcheck.evaluate.columns import as_column
from boundcheck.language.letters import k, normsq, x, xstar
from boundcheck.library.catalogue import bounds
from boundcheck.problems.logistic import synthetic_logistic
from boundcheck.problems.quadratic import quadratic, random_quadratic
from boundcheck.runners import about, run
from boundcheck.runners.engine.descent import _records_read
from boundcheck.runners.rules.explicit import constant, over_L, polyak
from tests.arithmetic.test_vectors import product

from .places import BOTH, FLOAT32, FLOAT64

RULES = (over_L(1), over_L(Fraction(1, 2)), over_L(Fraction(3, 2)), over_L(Fraction(5, 2)))  # the last one goes uphill
DECIDED = (Outcome.HOLDS, Outcome.VIOLATED)


@cache
def problem(name):
    return random_quadratic(12, condition=30.0) if name == "quadratic" else synthetic_logistic(60, 6, seed=3)


@cache
def verdicts(which, name, steps=60):
    """All claims about gradient descent with L, on a batch of four runs."""
    at, asked = problem(which), []
    for bound in bounds():
        if not bound.is_about_chords and not bound.untested:
            found = questions([bound], about(at), exact=False, fixed={}, smoothness=("L",))
            found = [q for q in found if not q.out_of_place and not q.wrong_method("gradient descent")]
            if found and not any(_records_read(column) for q in found for column in q.columns):
                asked += found
    trace = run(at, RULES, steps=steps, columns=needs(asked, "gradient descent"), xp=name)
    return check(list(dict.fromkeys(q.bound for q in asked)), trace, smoothness=("L",))


def counted(found, *outcomes):
    return sum(int(np.isin(verdict.outcomes, outcomes).sum()) for verdict in found)


@pytest.mark.parametrize("which", ["quadratic", "logistic"])
@pytest.mark.parametrize("name", BOTH)
def test_where_both_decide_a_device_and_float64_say_the_same(which, name):
    there, here = verdicts(which, name), verdicts(which, "float64")
    assert len(there) == len(here) > 100
    for a, b in zip(there, here, strict=True):
        assert (a.cell.claim, a.cell.method) == (b.cell.claim, b.cell.method) and not a.certified
        both = min(len(a.outcomes), len(b.outcomes))
        x, y = a.outcomes[:both], b.outcomes[:both]
        assert not (np.isin(x, DECIDED) & np.isin(y, DECIDED) & (x != y)).any(), a.cell
    assert counted(there, Outcome.VIOLATED) > 50 and counted(there, Outcome.HOLDS) > 1000


@pytest.mark.parametrize("which", ["quadratic", "logistic"])
@pytest.mark.parametrize(("single", "double"), [("torch:cpu:float32", "torch")])
def test_float32_leaves_more_undecided(which, single, double):
    assert counted(verdicts(which, single), *DECIDED) < counted(verdicts(which, double), *DECIDED)
    assert counted(verdicts(which, double), *DECIDED) > 0.9 * counted(verdicts(which, "float64"), *DECIDED)


@pytest.mark.parametrize("name", BOTH)
def test_the_exact_run_is_within_the_radius_of_the_one_on_the_device(name):
    """On a small quadratic the exact run from the same start with the same steps is computed in rationals."""
    rows, steps = [[Fraction(1), Fraction(1, 4)], [Fraction(1, 4), Fraction(1, 2)]], 40
    at = quadratic(rows, xstar=[Fraction(1, 3), Fraction(-2, 7)], start=[3, -1])
    xp = arithmetic(name)
    wanted = as_column(normsq(x[k] - xstar), False)[0]
    trace = run(at, [constant(Fraction(1, 2)), polyak(1)], steps=steps, columns=[wanted], xp=xp)
    found = trace.columns[wanted]
    point, star = [Fraction(3), Fraction(-1)], [Fraction(1, 3), Fraction(-2, 7)]
    for n in range(steps):
        square = sum((p - s) ** 2 for p, s in zip(point, star, strict=True))
        off = abs(Fraction(float(xp.middle(found)[0, n])) - square)
        assert off <= Fraction(float(xp.error(found)[0, n]))
        away = [p - s for p, s in zip(point, star, strict=True)]
        point = [p - g / 2 for p, g in zip(point, product(rows, away), strict=True)]
    assert np.isfinite(xp.error(found)).all() and (xp.error(found) > 0)[0, 1:].all()


@pytest.mark.parametrize("name", FLOAT64)
def test_one_run_on_a_device_has_the_numbers_of_float64(name):
    """A single run of a quadratic goes its own way in float64, by inner products; on a device it goes as a batch of one."""
    wanted = as_column(normsq(x[k] - xstar), False)[0]
    there, here = (run(problem("quadratic"), over_L(1), steps=30, columns=[wanted], xp=xp) for xp in (name, "float64"))
    a, b = there.xp.middle(there.columns[wanted]), here.xp.middle(here.columns[wanted])
    assert np.allclose(a, b, rtol=1e-12, atol=0) and there.steps.tolist() == [30]


@pytest.mark.parametrize("name", FLOAT32)
def test_a_run_in_float32_is_in_float32(name):
    wanted = as_column(normsq(x[k]), False)[0]
    trace = run(problem("quadratic"), over_L(1), steps=5, columns=[wanted], xp=name)
    exact = run(problem("quadratic"), over_L(1), steps=5, columns=[wanted], xp="float64")
    gap = np.abs(trace.xp.middle(trace.columns[wanted]) - exact.xp.middle(exact.columns[wanted]))
    assert (gap <= trace.xp.error(trace.columns[wanted]) + 1e-12)[0, :1].all() and 1e-12 < gap.max() < 1e-4


@pytest.mark.parametrize("name", BOTH)
def test_a_run_that_leaves_the_numbers_of_the_device_ends(name):
    trace = run(problem("quadratic"), constant(1000), steps=400, columns=[], xp=name)
    assert "left the floating-point numbers" in trace.ended[0]
