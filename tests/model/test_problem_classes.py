"""A problem is a class: its methods go before what follows from f, and keywords go before its methods."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from fractions import Fraction

import pytest

from boundcheck import Convex, Minimiser, Problem, Smooth, UserError, run
from boundcheck.library.names import problem_named
from boundcheck.library.references import problem
from boundcheck.model.oracles import ChordBounds, Gradient, HessianVector


class Bowl(Problem):
    start = (3, 1)
    facts = {Convex(), Smooth(4)}  # noqa: RUF012 - as a user writes it
    minimiser = Minimiser(point=(0, 0))

    def f(self, xp, x):
        u, v = xp.coordinate(x, 0), xp.coordinate(x, 1)
        return u * u + 2 * v * v


class Wider(Bowl):
    scale: int

    def __init__(self, scale, **given):
        super().__init__(scale=scale, name=f"wider {scale}", **given)

    def f(self, xp, x):
        return super().f(xp, x) / self.scale

    def gap(self, xp, x, g):
        return self.f(xp, x)


def steps(of: Problem, arithmetic: str = "float64") -> int:
    return int(run(of, "1/L", steps=5, arithmetic=arithmetic).steps[0])


def test_everything_follows_from_f():
    bowl = Bowl()
    assert (bowl.name, bowl.dimension, bowl.L) == ("Bowl", 2, 4)
    assert (
        isinstance(bowl.grad, Gradient) and isinstance(bowl.chord, ChordBounds) and isinstance(bowl.hessian_vector, HessianVector)
    )
    assert bowl.gap is None and steps(bowl, "rational") == 5


def test_a_method_goes_before_what_is_derived_and_a_keyword_before_a_method():
    wider = Wider(2)
    assert (wider.name, wider.scale, wider.gap.__self__ is wider) == ("wider 2", 2, True)
    assert Wider(2, gap=None).gap is None and Wider(2, start=[1, 1]).start == [1, 1]
    assert run(wider, "polyak(1)", steps=3, arithmetic="rational").steps[0] == 3


@pytest.mark.parametrize("made", [Bowl(), Wider(2)], ids=str)
def test_copies_pickles_and_problems_with_other_fields_run_as_it_does(made):
    known = steps(made)
    for other in (copy.deepcopy(made), pickle.loads(pickle.dumps(made)), made.replace(name="other"), made.replace(rational=True)):
        assert steps(other) == known
    assert replace(Bowl(), name="other").name == "other"


def test_what_is_derived_follows_another_f():
    bowl = Bowl()
    higher = bowl.replace(f=lambda xp, x: bowl.f(xp, x) + 1)
    assert higher.grad != bowl.grad and higher.grad.f is higher.f
    assert bowl.replace(name="other").grad == bowl.grad


def test_the_other_oracles_of_a_library_problem_stay_when_f_moves():
    huber = problem_named("huber")
    lower = huber.replace(f=lambda xp, x: huber.f(xp, x) - xp.scalar(Fraction(1, 2)))
    assert lower.gap == huber.gap and type(huber).__name__ == "PiecewiseQuadratic"
    assert replace(huber, name="other").chord == huber.chord  # without the pieces: the oracles know them


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "a problem needs name"),
        ({"name": "x"}, r"a problem needs f: a function f\(xp, x\)"),
        ({"name": "x", "f": abs, "start": [1]}, "a problem needs facts: what is true of f"),
        ({"name": "x", "f": abs, "facts": {Convex()}}, "a problem needs start: a point"),
        ({"nmae": "x"}, "a problem has no 'nmae'; it has name, dimension, f, grad"),
    ],
)
def test_what_is_missing_is_told_in_one_line(given, said):
    with pytest.raises(UserError, match=said):
        Problem(**given)


def test_a_file_may_hold_the_class(tmp_path):
    (tmp_path / "bowls.py").write_text(
        "from boundcheck import Convex, Problem, Smooth\n\n\n"
        "class Bowl(Problem):\n    start = (1,)\n    facts = {Convex(), Smooth(2)}\n\n"
        "    def f(self, xp, x):\n        return xp.normsq(x)\n"
    )
    assert problem(f"{tmp_path}/bowls.py:Bowl").name == "Bowl"
    assert problem(f"{tmp_path}/bowls.py").dimension == 1
