"""Faults in how claims were once read, each with the old code to put back and a probe that must see it."""

from __future__ import annotations

import random
from fractions import Fraction
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from boundcheck.arithmetic.base import Truth
from boundcheck.check import hypotheses_on_run as stepwise
from boundcheck.check import question
from boundcheck.check import verdict_builder as asked
from boundcheck.check.answer import Windowed, answer
from boundcheck.check.question import questions
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.claims import bound
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import GradientDescent
from boundcheck.evaluate import scans
from boundcheck.evaluate.algebra import truth
from boundcheck.evaluate.series import Series
from boundcheck.language.definition import Definition
from boundcheck.language.letters import D, H, L, Prod, Sum, eta, f, grad, i, inner, k, larger, mean, normsq, x, xstar
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Value
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Mean
from boundcheck.model.method import Method, Update
from boundcheck.model.problem import Convex, Problem, Smooth
from boundcheck.model.rule import Rule
from boundcheck.problems.quadratic import quadratic
from boundcheck.runners import constant, run
from boundcheck.runners.engine import method_run, segment
from boundcheck.runs.trace import Trace
from tests.soundness.faults_of_runs import Fault, Patch, patched

HOLDS, VIOLATED, UNDECIDED, VACUOUS, _ = Outcome
check = import_module("boundcheck.check.answer")
GIVEN = (Convex, Smooth, GradientDescent())
BELOW = quadratic([[1]], fstar=-5, start=[2])  # x^2/2 - 5


def verdict_of(claim: Bound, problem: Problem = BELOW, step: Any = 1, steps: int = 8, xp: str = "rational") -> Verdict:
    """The verdict of a claim on a run with a constant step."""
    made: Verdict
    (made,) = check.check([claim], trace_of(problem, step, steps, xp))
    return made


def trace_of(problem: Problem, step: Any, steps: int, xp: str) -> Trace:
    return run(problem, constant(Fraction(step)), steps=steps, xp=xp)


def outcomes(claim: Bound, **how: Any) -> set[int]:
    return set(verdict_of(claim, **how).outcomes.tolist())


# -- probes ---------------------------------------------------------------------------------------------------------------


def f_is_f() -> None:
    half = {"step": Fraction(1, 2)}
    total = Sum(f(x[i]), i, 5, k)
    assert outcomes(Bound(given=GIVEN, states=total >= 0, for_all=k >= 5), **half) == {VIOLATED}
    assert outcomes(Bound(given=GIVEN, states=total <= 0, for_all=k >= 5), **half) == {HOLDS}
    assert outcomes(Bound(given=GIVEN, states=Fraction(1, 10**13) * f(x[k]) >= 0), **half) == {VIOLATED}
    assert VIOLATED in outcomes(Bound(given=GIVEN, states=(k - 3) * (k - 4) * f(x[k]) >= 0), **half)
    far = larger(f(x[k]), -(10**6) * L * normsq(x[0] - xstar)) - f(xstar)
    assert outcomes(Bound(given=GIVEN, states=far <= 0 * f(xstar)), **half) == {VIOLATED}  # f(x_k) - f* is positive


def a_method_reads_f_itself() -> None:
    update = Update(x[k + 1], x[k] - eta[k] * (Fraction(1, 10**12) * f(x[k])) * grad(x[k]))
    method = Method(name="scaled by f", each=(update,))
    made = run(BELOW, constant(1), steps=1, xp="rational", method=method)
    claim = Bound(given=(Convex, bound.Runs((("", method),))), states=normsq(x[1]) == (2 + Fraction(6, 10**12)) ** 2)
    (verdict,) = check.check([claim], made)  # f(2) = -3, f'(2) = 2
    assert verdict.outcomes.tolist() == [HOLDS]


def a_step_read_by_a_fixed_index_counts() -> None:
    claim = Bound(given=(*GIVEN, eta[i] <= 1 / L), states=f(x[2]) <= f(x[0]))
    assert outcomes(claim, step=3) == {VACUOUS}


def what_cannot_be_asked_is_undecided() -> None:
    claim = Bound(given=(*GIVEN, larger(eta[i], eta[9]) <= 1 / L), states=f(x[k]) <= f(x[0]))
    found = verdict_of(claim, step=3, steps=5)
    assert set(found.outcomes[1:].tolist()) == {UNDECIDED} and "eta_9" in found.reason
    ahead = Bound(given=(*GIVEN, eta[i + 9] <= 1 / L), states=f(x[k]) <= f(x[0]))
    assert set(verdict_of(ahead, step=3, steps=5).outcomes[1:].tolist()) == {UNDECIDED}


def a_first_k_below_0_is_refused() -> None:
    with pytest.raises(ValueError, match="k >= -1"):
        Bound(given=GIVEN, states=f(x[k + 1]) <= f(x[0]) - 10**9, for_all=k + 1 >= 0)


def hypotheses_read_no_entry_before_the_first() -> None:
    from boundcheck.language.letters import j

    with pytest.raises(ValueError, match="index -1"):
        Bound(given=(*GIVEN, Sum(eta[j - 1], j, 0, i) <= 1), states=f(x[k]) <= f(x[0]))


def what_was_not_compared_is_undecided() -> None:
    """A claim that a hypothesis takes away from k = 1 on has nothing decided there."""
    claim = Bound(given=(*GIVEN, eta[i] <= 1 / (2 * L)), states=f(x[k]) <= f(x[0]))
    asking = list(questions([claim], trace_of(BELOW, 1, 6, "rational").about, exact=True))
    made = trace_of(BELOW, 1, 6, "rational").with_columns(asking[0].columns)
    series = check._series(asking[0], made, {})
    assert set(Windowed(asking[0], made, series, False).outcomes.reshape(-1).tolist()) == {UNDECIDED}


def jensen_needs_weights_that_are_not_negative() -> None:
    weight = 3 - 5 * (i - 0)  # 3, -2
    claim = Bound(given=GIVEN, states=f(mean(x[i], weight=weight, over=(i, 0, 1))) - f(xstar) <= 3 * normsq(x[0] - xstar) * L / 2)
    made = trace_of(quadratic([[1]], start=[2]), Fraction(1, 2), 3, "rational")
    asking = list(questions([claim], made.about, exact=True))
    (itself,) = answer([q.through_jensen() or q for q in asking], made)
    assert itself.outcome is VIOLATED


def an_undefined_condition_is_undefined() -> None:
    nothing = normsq(x[i] - x[i]) / normsq(x[i] - x[i])
    claim = Bound(given=GIVEN, states=Sum(normsq(grad(x[i])), i, 0, k, where=nothing <= 1) <= 1000)
    for xp in ("rational", "ball:128", "float64"):
        assert outcomes(claim, step=Fraction(1, 2), xp=xp) == {UNDECIDED}


def freezing_decides_nothing() -> None:
    third = {"step": Fraction(1, 3), "xp": "ball:128"}
    for states in (3 * eta[k] - 1 >= 0, 3 * eta[k] - 1 < 0, 3 * eta[k] >= 1, eta[k] < Fraction(1, 3)):
        assert outcomes(Bound(given=GIVEN, states=states), **third) == {UNDECIDED}
    landed = {"problem": quadratic([[3]], start=[1]), **third}  # x_1 = 0 exactly, by the rule
    assert outcomes(Bound(given=GIVEN, states=normsq(grad(x[1])) <= 0), **landed) == {UNDECIDED}
    assert outcomes(Bound(given=GIVEN, states=normsq(grad(x[1])) > 0), **landed) == {UNDECIDED}
    for chord in (H(x[k], xstar), D(x[k], x[k + 1])):  # by the rule there is no chord from x_1
        found = verdict_of(Bound(given=GIVEN, states=chord > 1), **landed).outcomes.tolist()
        assert HOLDS not in found[1:] and VIOLATED not in found[1:]
    assert outcomes(Bound(given=(*GIVEN, 3 * eta[i] < 1), states=f(x[k + 1]) <= f(x[0])), **third) <= {UNDECIDED}


def rounding_decides_nothing() -> None:
    """x* = (2/3, -1) is stored 2^-130 beside itself: as a start, and as x_1, where steps of 1 lead to it exactly."""
    own = Rule(name="own", step=lambda run: Fraction(1))
    for start in ([Fraction(2, 3), -1], [2, 2]):
        problem = quadratic([[1, 0], [0, 1]], xstar=[Fraction(2, 3), -1], start=start)
        for states in (normsq(grad(x[k])) <= 0, inner(grad(x[k]), x[k]) <= 0, inner(grad(x[k]), x[k]) >= 0):
            (found,) = check.check([Bound(given=(GradientDescent(),), states=states)], run(problem, own, steps=3, xp="ball:128"))
            assert set(found.outcomes[int(start == [2, 2]) :].tolist()) == {UNDECIDED}


def weights_that_may_be_0_make_no_mean() -> None:
    landed: dict[str, Any] = {"problem": quadratic([[3]], start=[1]), "step": Fraction(1, 3), "xp": "ball:128"}
    for weight in (normsq(x[i + 1]), 3 * eta[i] - 1):
        claim = Bound(given=GIVEN, states=f(mean(x[i], weight=weight, over=(i, 0, k))) >= 1)
        assert outcomes(claim, **landed) == {UNDECIDED}


def letters_hide_nothing() -> None:
    claim = Bound(given=GIVEN, states=Sum(Prod(f(x[i]), i, k, k), k, 0, k) == Sum(f(x[i]), i, 0, k))
    assert outcomes(claim, step=Fraction(1, 2)) == {HOLDS}


# -- the old code -----------------------------------------------------------------------------------------------------------


def _moves_by_trial(node: Node, lowest: Any = None) -> bool:
    """Four random tries at k = 3, 4, with a tolerance; an exception counts as no move."""
    if isinstance(node, Relation):
        node = node.right - node.left

    def moved(seed: int, shift: Fraction) -> bool:
        def value(by: Fraction) -> Any:
            values: dict[Any, Fraction] = {}
            generator = random.Random(seed)

            def leaf(n: Node) -> Fraction:
                found = values.setdefault(n.key, Fraction(generator.randint(10**6, 9 * 10**6), 10**6))
                return found + by if isinstance(n, Value) else found

            return Definition(leaf, {}, Fraction).value(node, dict.fromkeys(node.free, 3 + seed % 2))  # type: ignore[arg-type]

        try:
            before, after = value(Fraction(0)), value(shift)
        except ArithmeticError:
            return False
        return bool(abs(after - before) > Fraction(1, 10**9) * max(Fraction(1), abs(before), abs(after)))

    tops = [node] if not hasattr(node, "of") or not isinstance(node, Mean) else []
    return any(moved(seed, Fraction(shift)) for _ in tops for seed in range(4) for shift in (1009, -1013))


def _read_in_gaps_by_trial(patch: Patch) -> None:
    patch.setattr(bound, "is_shift_invariant", lambda relation, lowest: not _moves_by_trial(relation))


def _methods_in_gaps(patch: Patch) -> None:
    patch.setattr(method_run, "moves", lambda formula: False)
    patch.setattr(method_run, "_in_gaps", method_run._in_gaps.__wrapped__)  # nothing that was rewritten before


def _moving_indices_only(patch: Patch) -> None:
    patch.setattr(question.Form, "last_fixed_step", -1)


def _unread_is_satisfied(patch: Patch) -> None:
    patch.setattr(stepwise, "unread_entry", lambda *_: "")
    patch.setattr(stepwise, "steps_asked", lambda relation, q, trace: (0, 0))
    patch.setattr(asked.VerdictBuilder, "_unasked", lambda self, checked, run: False)


def _any_first_k(patch: Patch) -> None:
    patch.setattr(bound.Bound, "__post_init__", lambda self: None)


def _hypotheses_unchecked(patch: Patch) -> None:
    patch.setattr(bound, "_check_hypothesis", lambda hypothesis, for_all: None)


def _holds_until_told(patch: Patch) -> None:
    full = np.full

    def old(shape: Any, value: Any, *more: Any, **options: Any) -> Any:
        return full(shape, HOLDS if value is Outcome.UNDECIDED else value, *more, **options)

    patch.setattr(check.np, "full", old)


def _jensen_for_any_weights(patch: Patch) -> None:
    patch.setattr(question, "is_never_negative", lambda *_, **__: True)


def _undefined_is_unknown(patch: Patch) -> None:
    def old(series: Any, where: Any, letter: str, low: int, high: int, value: Any, neutral: Any) -> Any:
        left, right = (series.values(side, letter, low, high) for side in (where.left, where.right))
        held = truth(series.xp.compare(left, right), where.op)
        return series.xp.choose(np.where(held == Truth.UNKNOWN, Truth.YES, held), value, neutral)

    patch.setattr(scans, "_chosen", old)


def _frozen_steps_decide(patch: Patch) -> None:
    patch.setattr(check, "decided_by_freezing", lambda *given: np.zeros(given[-1].shape, dtype=bool))
    patch.setattr(stepwise, "decided_by_freezing", lambda *given: np.zeros(given[-1].shape, dtype=bool))


def _rounded_points_decide(patch: Patch) -> None:
    patch.setattr(Trace, "is_beside", lambda self, local: bool(self.moved))
    patch.setattr(segment, "beside_start", lambda *radii: None)


def _any_weights_make_a_mean(patch: Patch) -> None:
    patch.setattr(Series, "_with_known_weights", lambda self, leaf, entries, *where: entries)


def _letters_may_hide(patch: Patch) -> None:
    patch.setattr(bound, "rename_hidden", lambda node, taken=None: node)


FAULTS = (
    Fault("f is read as f - f* by a trial", patched(_read_in_gaps_by_trial), f_is_f),
    Fault("a method reads f as f - f*", patched(_methods_in_gaps), a_method_reads_f_itself),
    Fault("fixed indices rest on no step", patched(_moving_indices_only), a_step_read_by_a_fixed_index_counts),
    Fault("what cannot be read is satisfied", patched(_unread_is_satisfied), what_cannot_be_asked_is_undecided),
    Fault("a first k below 0", patched(_any_first_k), a_first_k_below_0_is_refused),
    Fault("hypotheses wrap", patched(_hypotheses_unchecked), hypotheses_read_no_entry_before_the_first),
    Fault("outcomes begin as HOLDS", patched(_holds_until_told), what_was_not_compared_is_undecided),
    Fault("Jensen with any weights", patched(_jensen_for_any_weights), jensen_needs_weights_that_are_not_negative),
    Fault("an undefined condition is unknown", patched(_undefined_is_unknown), an_undefined_condition_is_undefined),
    Fault("frozen steps decide", patched(_frozen_steps_decide), freezing_decides_nothing),
    Fault("rounded points decide", patched(_rounded_points_decide), rounding_decides_nothing),
    Fault("weights of 0 make a mean", patched(_any_weights_make_a_mean), weights_that_may_be_0_make_no_mean),
    Fault("a letter hides another", patched(_letters_may_hide), letters_hide_nothing),
)
