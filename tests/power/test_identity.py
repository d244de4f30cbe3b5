"""Equations that hold on an open set hold everywhere: which are shown to, and near misses that would be false."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, By, Follows, GradientDescent, Once
from boundcheck.falsify.search import search
from boundcheck.language.letters import L, Numbers, Sum, any_number, eta, f, grad, i, inner, j, k, normsq, sqrt, x, xstar
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import NONE, Constant, Parameter, Scalar, Term, as_scalar
from boundcheck.language.tree import Index
from boundcheck.library.catalogue import find_bounds
from boundcheck.model.method import Method, Update
from boundcheck.model.problem import Convex, Differentiable, IsQuadratic, Smooth
from boundcheck.power.prover.algebraic_identity import has_room, is_identity

GD = (Convex(), Differentiable(), GradientDescent())
SHORT = AtEachStep(L * eta[i] <= 1)
MOVE = normsq(x[k + 1] - x[k]) == eta[k] ** 2 * normsq(grad(x[k]))


def alpha(index: Index) -> Term:
    return Term("alpha", index, NONE)


def rooted(*roots: tuple[str, Scalar]) -> Method:
    """Gradient descent that notes square roots beside its steps."""
    noted = tuple(Update(Term(name, k, NONE), sqrt(of)) for name, of in roots)
    return Method(name="noting", each=(*noted, Update(x[k + 1], x[k] - eta[k] * grad(x[k]))))


def claim(states: Relation, *given: object) -> Bound:
    return Bound(states=states, given=given)


def without(bound: Bound, *dropped: object) -> Bound:
    return replace(bound, given=tuple(h for h in bound.given if h not in dropped))


def test_an_equation_needs_neither_convexity_nor_short_steps() -> None:
    original = claim(MOVE, *GD, Smooth(1), SHORT)
    assert is_identity(original, without(original, SHORT))
    assert is_identity(original, without(original, Convex()))


def test_a_root_that_is_new_with_its_step() -> None:
    (original,) = find_bounds("lemma:lambda-convergence.alpha-squared")
    dropped = next(h for h in original.hypotheses if isinstance(h, AtEachStep))
    assert is_identity(original, without(original, dropped))


u = L * eta[k]


@pytest.mark.parametrize(
    "roots",
    [
        [("alpha", (1 - u) ** 2)],
        [("alpha", 1 - 2 * u + u**2)],
        [("alpha", u * (1 - u) ** 2), ("beta", u)],
        [("beta", u), ("alpha", u - 2 * u**2 + u**3)],
        [("alpha", 1 - 2 * u + u**2 + 0 * u**3)],
        [("alpha", 1 - 2 * u + u**2 + normsq(grad(xstar)) * u**3)],
    ],
    ids=["square", "expanded", "two roots", "a multiple of the other root", "an end that is 0", "an end that is always 0"],
)
def test_a_root_of_a_square_has_two_branches(roots: list[tuple[str, Scalar]]) -> None:
    """alpha is |1 - L eta| (times a root): an equation for steps up to 1/L that fails beyond, so nothing may be shown."""
    right = (1 - u) * (1 if len(roots) == 1 else Term("beta", k, NONE))
    original = claim(Term("alpha", k, NONE) == right, Convex(), Differentiable(), Smooth(1), By(rooted(*roots)), SHORT)
    longer = without(original, SHORT)
    assert not is_identity(original, longer)
    assert search(original, budget=30, most_tasks=6).found is None
    assert search(longer, budget=30, most_tasks=12).found is not None


@pytest.mark.parametrize(
    "original",
    [
        claim(f(x[k + 1]) <= f(x[k]), *GD, Smooth(1), SHORT),
        claim(MOVE, *GD, Smooth(1), SHORT, Follows(eta[i] == 1 / L)),
        claim(MOVE, *GD, Smooth(1), SHORT, IsQuadratic()),
        claim(MOVE, *GD, Smooth(1), SHORT, AtEachStep(L * eta[i] >= 1)),
    ],
    ids=["an inequality", "steps that follow a formula", "a quadratic", "hypotheses that leave no room"],
)
def test_what_is_no_open_set_or_no_equation_shows_nothing(original: Bound) -> None:
    assert not is_identity(original, without(original, SHORT))


ZERO_SO_FAR = Relation("==", as_scalar(k) * (as_scalar(k) - 1) * (as_scalar(k) - 2) * normsq(grad(x[k])), as_scalar(0))
PARALLEL = inner(grad(x[k]), grad(x[k + 1])) ** 2 == normsq(grad(x[k])) * normsq(grad(x[k + 1]))


@pytest.mark.parametrize(
    ("states", "dropped", "others"),
    [
        (ZERO_SO_FAR, AtEachStep(L * Sum(eta[j], j, 0, i) <= Fraction(5, 2)), (Smooth(1), AtEachStep(L * eta[i] >= 1))),
        (PARALLEL, Once(Constant("eps") <= 1), ()),
    ],
    ids=["no room later on", "a constant that only one function has"],
)
def test_hypotheses_that_leave_no_open_set_show_nothing(states: Relation, dropped: object, others: tuple[object, ...]) -> None:
    original = claim(states, *GD, *others, dropped)
    assert not is_identity(original, without(original, dropped))
    assert search(without(original, dropped), budget=30, most_tasks=24).found is not None


def test_another_statement_shows_nothing() -> None:
    original = claim(MOVE, *GD)
    assert not is_identity(original, replace(original, states=normsq(x[k + 1] - x[k]) == eta[k] * normsq(grad(x[k]))))
    assert not is_identity(original, replace(original, states=normsq(x[k + 1] - xstar) == normsq(x[k] - xstar)))


def test_room() -> None:
    assert has_room(claim(MOVE, *GD, Smooth(1), SHORT))
    assert not has_room(claim(MOVE, *GD, Smooth(1), SHORT, AtEachStep(L * eta[i] >= 1)))


c = Numbers("c", NONE)


def begun(first: Scalar) -> Method:
    """Gradient descent with a root of a number that it begins with and carries along."""
    noted = Update(alpha(k), sqrt(as_scalar(1) + c[k] * L * eta[k]))
    carried = Update(c[k + 1], c[k] + 1)
    return Method(
        name="begun",
        first=(Update(c[0], first),),
        each=(noted, carried, Update(x[k + 1], x[k] - eta[k] * grad(x[k]))),
    )


letter = Parameter("p", NONE, "p")
SQUARE = alpha(k) ** 2 == 1 + c[k] * L * eta[k]


def test_what_a_run_begins_with_is_free_where_a_letter_that_is_read_nowhere_else_makes_it() -> None:
    positive = Once(c[0] > 0)

    def holds(states: Relation, first: Scalar) -> bool:
        given = (*GD[:2], Smooth(1), By(begun(first)), positive, any_number(letter))
        original = Bound(states=states, given=given, try_with={"p": (Fraction(1),)})
        return bool(is_identity(original, without(original, positive)))

    assert holds(SQUARE, letter * L * eta[0])
    assert not holds(SQUARE, L * eta[0]), "then c_0 is the first step, and the root at 0 may be no new number"
    assert not holds(Relation("==", SQUARE.left * letter, SQUARE.right * letter), letter * L * eta[0]), "it is read there too"


@pytest.mark.parametrize("label", ["lemma:agd-equivalence.v", "eq:estimating-sequences.minimizer"])
def test_an_equation_about_estimating_sequences_needs_no_positive_gamma_0(label: str) -> None:
    (original,) = find_bounds(label)
    dropped = next(h for h in original.hypotheses if str(h) == "gamma_0 > 0")
    assert is_identity(original, without(original, dropped))
