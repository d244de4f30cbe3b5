"""Runs whose own steps come back, or land, exactly where frozen ones only come near: what is undefined there is not decided."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from boundcheck.evaluate import widened_columns
from boundcheck.evaluate.columns import Column
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Chord, Number, Reduce, Term, Value
from boundcheck.language.tree import Index
from boundcheck.language.vectors import Minimum, Point
from boundcheck.runners.engine import method_run

from .compare import Case
from .functions import Piecewise
from .settings import Setting
from .shrink import failures_of
from .truth import Claim

F = Fraction
K = Index("k", 0)


def _claim(states: Relation, smoothness: tuple[str, ...] = ()) -> Claim:
    return Claim(states=states, given=(), facts=(), letter="k", start=0, parameters=(), smoothness=smoothness, about_chords=False)


def _back_at_the_start() -> Case:
    """x_3 is x_0 by the steps 4/3, 1/3, 1, so that M(x_3, x_0) does not exist; frozen steps keep the two apart."""
    function = Piecewise(knots=(F(-2), F(0)), gradients=(F(-6), F(0)), left=F(1, 2), right=F(2), star=F(0), least=F(0))
    setting = Setting(
        function=function,
        methods=(("", "gradient descent"),),
        starts=((F(-2),),),
        etas=((F(4, 3), F(1, 3), F(1)),),
        over_L=None,
        beta=F(0),
    )
    chord = Chord("M", Point("x", K), Point("x", Index(None, 0)))
    return Case(_claim(Relation(">", Value(Point("x", K)), chord), ("D",)), setting, "ball:256", 0)


def _other_run_lands() -> Case:
    """Heavy ball passes through x* at its second step of 1/6, where A(x_k, x*) does not exist; frozen steps pass beside it."""
    setting = Setting(
        function=Piecewise(knots=(F(0),), gradients=(F(0),), left=F(1), right=F(3), star=F(0), least=F(0)),
        methods=(("", "counted"), ("other", "heavy ball")),
        starts=((F(1),),),
        etas=((F(1, 6), F(1, 6)),),
        over_L=None,
        beta=F(1, 3),
    )
    return Case(_claim(Relation("<=", Number(F(1)), Chord("A", Point("x", K, "other"), Minimum()))), setting, "ball:128", 0)


def _exact_step_lands() -> Case:
    """A normalized step of (3/2)/L = 1/2 ends the run at x* = x_1: there is no eta_1; an enclosed one goes on."""
    setting = Setting(
        function=Piecewise(knots=(F(0),), gradients=(F(0),), left=F(3), right=F(3), star=F(0), least=F(0)),
        methods=(("", "normalized"),),
        starts=((F(1, 2),),),
        etas=((F(1, 2), F(1, 2)),),
        over_L=F(3, 2),
        beta=F(0),
    )
    steps = Reduce("sum", Term("eta", Index("j", 0)), "j", Index(None, 0), Index("i", 1))
    claim = _claim(Relation("<=", Number(F(1)), Value(Point("x", K))))
    return Case(replace(claim, given=(("each", Relation("<=", steps, Number(F(1)))),)), setting, "ball:128, unfrozen", 0)


def _parabola(method: str, steps: tuple[Fraction, ...], chord: Chord, bits: int) -> Case:
    setting = Setting(
        function=Piecewise(knots=(F(0),), gradients=(F(0),), left=F(1), right=F(1), star=F(0), least=F(0)),
        methods=(("", method),),
        starts=((F(1),),),
        etas=(steps,),
        over_L=None,
        beta=F(0),
    )
    return Case(_claim(Relation(">=", chord, Number(F(1, 2)))), setting, f"ball:{bits}", 0)


def _step_of_no_length() -> Case:
    """Heavy ball from 1: x_1 = x_2 = -4/3, though the gradient there is not 0."""
    return _parabola("heavy ball", (F(7, 3), F(7, 8), F(1, 3)), Chord("D", Point("x", K), Point("x", Index("k", 1))), 128)


def _no_momentum() -> Case:
    """Nesterov's method from 1: x_1 = x_2 = -2, so that y_2 is x_2."""
    return _parabola("nesterov", (F(3), F(3, 11), F(1, 3)), Chord("D", Point("y", K), Point("x", K)), 256)


def _never(column: Column) -> bool:
    return False


def _none(column: Column) -> tuple[tuple[Column, Column, bool], ...]:
    return ()


def _first_run(column: Column) -> frozenset[str]:
    return frozenset({""})


@pytest.mark.parametrize(
    ("case", "name", "old"),
    [
        (_back_at_the_start(), "_may_close", _never),
        (_other_run_lands(), "_runs", _first_run),
        (_step_of_no_length(), "_ends_that_move", _none),
        (_no_momentum(), "_ends_that_move", _none),
    ],
    ids=["a point comes back", "another run lands", "a step of no length", "no momentum"],
)
def test_what_a_run_may_have_ended_or_closed_is_not_decided_and_was(
    case: Case, name: str, old: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert failures_of(case) == []
    monkeypatch.setattr(widened_columns, name, old)
    assert any("undefined" in failure for failure in map(str, failures_of(case)))


def test_an_exact_step_that_may_have_landed_ends_the_run_and_did_not(monkeypatch: pytest.MonkeyPatch) -> None:
    case = _exact_step_lands()
    assert failures_of(case) == []
    monkeypatch.setattr(method_run.Iteration, "_may_have_landed", lambda run, g: False)
    assert any("cannot be read" in failure for failure in map(str, failures_of(case)))
