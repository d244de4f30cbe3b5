"""Faults that runs once had, each with the old code to put back and a probe that must see it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic.bounded.arithmetic import BoundedArithmetic
from boundcheck.check import question
from boundcheck.check.answer import check
from boundcheck.check.verdict import Outcome
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import GradientDescent
from boundcheck.evaluate import columns
from boundcheck.evaluate.algebra import ArithmeticAlgebra
from boundcheck.evaluate.columns import as_column
from boundcheck.evaluate.scans import RunningMean
from boundcheck.language.letters import Delta, L, eta, f, grad, i, k, mean, normsq, x, y
from boundcheck.language.scalars import Parameter, Scalar
from boundcheck.language.tree import Index
from boundcheck.language.vectors import Mean
from boundcheck.model.method import Method, Update
from boundcheck.model.problem import Convex, Smooth
from boundcheck.problems import quadratic as quadratics
from boundcheck.problems.quadratic import quadratic
from boundcheck.runners import given, over_L, run
from boundcheck.runners.engine import batch, descent, recorder
from boundcheck.runners.engine.batch import Batch
from boundcheck.runners.engine.descent import Role, run_together
from boundcheck.runners.engine.recorder import Recorder, Window
from boundcheck.runs import trace
from tests.soundness.plain_runs import PlainRun

Patch = pytest.MonkeyPatch
GIVEN = (Convex, Smooth, GradientDescent())
B, STAR, START = [[2, 1], [1, 3]], [1, Fraction(1, 2)], [4, -2]
STEPS = [Fraction(n % 5 + 1, 16) for n in range(9)]
PROBLEM = quadratic(B, xstar=STAR, start=START)
TRUTH = PlainRun(B, STAR, START, STEPS)


@dataclass(frozen=True)
class Fault:
    """What was wrong, the way to put it back, and a probe that passes without it."""

    name: str
    put_back: Callable[[], AbstractContextManager[None]]
    probe: Callable[[], None]


def patched(change: Callable[[Patch], None]) -> Callable[[], AbstractContextManager[None]]:
    @contextmanager
    def put_back() -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            change(patch)
            yield

    return put_back


# -- probes ---------------------------------------------------------------------------------------------------------------


def _agrees(leaf: Scalar, ks: range, chunk: int = 512) -> Callable[[], None]:
    """The probe: a rational run, some steps at a time, records what plain fractions give at these k."""

    def probe() -> None:
        with pytest.MonkeyPatch.context() as patch:
            for name, value in (("CHUNK", chunk), ("LEAST", 1)):
                patch.setattr(batch, name, value)
            column, index = as_column(leaf)
            made = run(PROBLEM, given(STEPS), steps=len(STEPS), columns=[column], xp="rational")
        assert column in made.columns, made.refused
        for at in ks:
            where = at + index.offset
            (number,) = made.window(column, where, where + 1).data.reshape(-1)
            assert str(number) == str(TRUTH.value(leaf, {"k": at})), at

    return probe


def _ends_alone() -> None:
    column = as_column(f(x[3]))[0]
    made = run(quadratic([[1]], start=[1]), [over_L(1), over_L(Fraction(1, 2))], steps=5, columns=[column], xp="rational")
    assert np.isinf(made.xp.error(made.window(column, 3, 4))[0, 0])


def _each_indexes_its_own_y() -> None:
    at_k = Method(name="y at k", each=(Update(y[k], x[k]), Update(x[k + 1], y[k] - eta[k] * grad(y[k]))))
    later = (Update(x[k + 1], y[k] - eta[k] * grad(y[k])), Update(y[k + 1], x[k + 1]))
    other = Method(name="y at k + 1", first=(Update(y[0], x[0]),), each=later)
    made = run_together(
        PROBLEM,
        {"": Role(at_k, given(STEPS), START), "other": Role(other, given(STEPS), START)},
        steps=1,
        columns=[as_column(normsq(y[k]))[0], as_column(normsq(y.of("other")[k]))[0]],
        xp="rational",
    )
    assert made.length(as_column(normsq(y[k]))[0]) == 1  # y_1 of a run of one step is not there


def _roots_of_negatives() -> None:
    tiny = Fraction(1, 10**60) * L * Delta[0]
    below = (normsq(x[k]) + tiny) - normsq(x[k]) - 2 * tiny
    claim = Bound(states=below ** Fraction(1, 2) >= -L, given=GIVEN)
    (verdict,) = check([claim], run(PROBLEM, given(STEPS), steps=3, xp="ball:128"))
    assert set(verdict.outcomes.tolist()) == {Outcome.UNDECIDED}


def _powers_of_nothing() -> None:
    xp = arithmetic("float64")
    assert np.isinf(xp.error(xp.power(xp.scalar(1) / xp.scalar(0), Fraction(0))))


def _tiny_quadratics() -> None:
    t = Fraction(1, 10**400)
    assert Fraction(quadratic([[t, t], [t, t]]).L) >= 2 * t  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="semidefinite"):
        quadratic([[t, 2 * t], [2 * t, t]])


def _parameters_inside() -> None:
    gamma = Parameter("gamma")
    claim = Bound(
        states=f(x[k] - gamma * grad(x[k])) <= f(x[k]), given=(*GIVEN, gamma > 0), try_with={"gamma": (Fraction(1, 8),)}
    )
    (verdict,) = check([claim], run(PROBLEM, given(STEPS), steps=5, xp="rational"))
    assert set(verdict.outcomes.tolist()) == {Outcome.HOLDS}


def _mixed_mean() -> None:
    leaf = f(mean(x[i] - x[k], over=(i, 0, k)))
    assert as_column(leaf)[0] not in run(PROBLEM, given(STEPS), steps=4, columns=[as_column(leaf)[0]], xp="rational").columns


# -- the old code ---------------------------------------------------------------------------------------------------------


def _sliced(known: Any, start: int, stop: int, what: str) -> Any:
    """As Python slices: from the end where an index is negative, and fewer where there are not so many."""
    return known[..., start:stop]


def _wrapped_points(patch: Patch) -> None:
    patch.setattr(recorder, "cut", _sliced)
    patch.setattr(columns, "_from_its_points", lambda node: node)
    begin = RunningMean.__init__

    def from_0(self: RunningMean, node: Mean, xp: Any) -> None:
        begin(self, node, xp)
        self.start = self.next = self._from = 0

    patch.setattr(RunningMean, "__init__", from_0)


def _wrapped_columns(patch: Patch) -> None:
    for module in (columns, trace, recorder):
        patch.setattr(module, "entries", lambda xp, values, low, high: values[..., low:high])


def _ends_that_move(patch: Patch) -> None:
    means = Recorder.means

    def old(self: Recorder, node: Mean, window: Window) -> Any:
        high = Index(columns.LETTER, node.high.offset)
        return means(self, Mean(node.of, node.weight, node.letter, node.low, high), window)

    patch.setattr(Recorder, "means", old)


def _short_chunks(patch: Patch) -> None:
    flush, keep_from = Batch.flush, Recorder.keep_from.fget  # type: ignore[attr-defined]

    def old(self: Batch, first: int, *rest: Any, last: bool) -> Any:
        self.recorder.least = first + 1  # type: ignore[attr-defined]
        return flush(self, first, *rest, last=last)

    patch.setattr(Batch, "flush", old)
    patch.setattr(Recorder, "keep_from", property(lambda self: max(keep_from(self), self.least)))
    patch.setattr(Recorder, "span", property(lambda self: 0))
    patch.setattr(recorder, "cut", _sliced)


def _one_state_for_all(patch: Patch) -> None:
    def old(problem: Any, xp: Any, wanted: Any, letters: Any, state: Any) -> Recorder:
        union = frozenset(name for names in state.values() for name in names)
        return Recorder(problem, xp, wanted, letters, dict.fromkeys(state, union))

    patch.setattr(descent, "Recorder", old)
    patch.setattr(recorder, "cut", _sliced)
    patch.setattr(recorder, "_full", lambda xp, value, runs, length: value + xp.scalars(np.zeros((runs, length))))


def _no_own_end(patch: Patch) -> None:
    patch.setattr(Recorder, "_within", lambda self, column, values, steps: values)


def _root_of_the_positive_part(patch: Patch) -> None:
    patch.setattr(ArithmeticAlgebra, "power", lambda self, base, node: self.xp.power(base, node.exponent))


def _one_for_any_power_0(patch: Patch) -> None:
    power = BoundedArithmetic.power

    def old(self: Any, a: Any, exponent: Fraction) -> Any:
        return power(self, a * 0 if exponent else self.scalar(1), exponent)

    patch.setattr(BoundedArithmetic, "power", old)


def _diagonals_in_floats(patch: Patch) -> None:
    def old(rows: Any) -> bool:
        compact = np.array(rows, dtype=np.float64)
        return not (compact - np.diag(np.diag(compact))).any()

    patch.setattr(quadratics, "_is_diagonal", old)


def _parameters_left_alone(patch: Patch) -> None:
    patch.setattr(question, "put_inside", lambda relation, values: relation)


def _letters_taken_for_another(patch: Patch) -> None:
    given_by = Recorder.weights_and_parts

    def old(self: Recorder, node: Mean, chunk: Any) -> Any:
        letter = columns.LETTER
        put = columns.put_index(node.of, letter, Index(node.letter))
        return given_by(self, Mean(put, node.weight, node.letter, node.low, node.high), chunk)

    patch.setattr(Recorder, "weights_and_parts", old)


def _no_fixed_points(patch: Patch) -> None:
    def old(self: Recorder, what: str, node: Any, chunk: Any) -> Any:
        raise recorder.NotInThisArithmetic(f"{node} beside a moving index in one leaf")

    patch.setattr(Recorder, "fixed_point", old)


FAULTS = (
    Fault("points before the first wrap", patched(_wrapped_points), _agrees(f(mean(x[i - 1], over=(i, 1, k))), range(1, 9))),
    Fault(
        "entries before the first wrap",
        patched(_wrapped_columns),
        lambda: _agrees(normsq(mean(x[i], weight=eta[i - 1], over=(i, 1, k))), range(1, 9))() or _nothing_before_the_first(),
    ),
    Fault("a fixed end runs", patched(_ends_that_move), _agrees(normsq(x[k] - mean(x[i], over=(i, 0, 0))), range(9))),
    Fault("a leaf reaches beyond a chunk", patched(_short_chunks), _agrees(normsq(x[k + 6] - x[k]), range(3), chunk=2)),
    Fault("two methods share an index of y", patched(_one_state_for_all), _each_indexes_its_own_y),
    Fault("an ended run goes on", patched(_no_own_end), _ends_alone),
    Fault("the root of a negative number", patched(_root_of_the_positive_part), _roots_of_negatives),
    Fault("undefined to the power 0", patched(_one_for_any_power_0), _powers_of_nothing),
    Fault("a diagonal in floats", patched(_diagonals_in_floats), _tiny_quadratics),
    Fault("parameters inside vectors", patched(_parameters_left_alone), _parameters_inside),
    Fault("an outer index inside a mean", patched(_letters_taken_for_another), _mixed_mean),
    Fault("a fixed point beside a moving one", patched(_no_fixed_points), _agrees(normsq(x[k] - x[0]), range(9))),
)


def _nothing_before_the_first() -> None:
    column = as_column(normsq(x[k]))[0]
    made = run(PROBLEM, given(STEPS), steps=4, columns=[column], xp="rational")
    assert np.isinf(made.xp.error(made.window(column, -1, 1))[0, 0])
