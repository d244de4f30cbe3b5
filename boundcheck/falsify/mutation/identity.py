"""An equation of algebraic formulas that holds on an open set holds wherever it is defined: no inequality is needed for it.

What such a claim reads are rational functions of free numbers: the start, the steps, the letters, and the values and gradients of
f at points of the run. (Near a strictly convex f there are others with any gradients and values near its own at finitely many
points, so facts about f and inequalities with room leave an open set.) A root of the method is a free number too, but for its
square, p: where p has an odd highest or lowest power of the step that is new with it, p is no square of what came before. So the
numbers of a run are the points of one irreducible variety, and an equation that holds on an open part of it holds on all of it.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from boundcheck.bound import Bound
from boundcheck.falsify.families import families
from boundcheck.falsify.space import Space
from boundcheck.hypotheses import EXPONENTIAL_SEARCH, AtEachStep, Declared, Follows, Once, Runs
from boundcheck.language.relations import links
from boundcheck.language.scalars import (
    Add,
    Constant,
    Div,
    Gap,
    IndexNumber,
    Inner,
    Mul,
    Neg,
    Normsq,
    Number,
    Parameter,
    Power,
    Reduce,
    Scalar,
    Sub,
    Term,
    Value,
)
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Grad, Mean, Minimum, Minus, Plus, Point, Scaled
from boundcheck.method import Method, Update
from boundcheck.problem import Convex, Differentiable, Smooth, StronglyConvex, TwiceDifferentiable

WHY = "it is an equation of algebraic formulas, and holds wherever it is defined since it does on an open set"
OPEN_FACTS = (Convex, Differentiable, Smooth, StronglyConvex, TwiceDifferentiable)
LETTERS = (Constant, IndexNumber, Number, Parameter, Term)
OF_F = (Gap, Grad, Minimum, Point, Value)
RATIONAL = (*LETTERS, *OF_F, Add, Div, Inner, Minus, Mul, Neg, Normsq, Plus, Scaled, Sub)
CONSTANTS = ("L", "mu")  # of f: any that are valid, so a set with room
LANES, FAMILIES, ROOM = 400, 6, 1e-3


def is_identity(original: Bound, mutant: Bound) -> str:
    """Why the mutant is true if the original is, whatever its hypotheses are; "" where that is not shown."""
    said = [(b.states.key, b.runs, b.for_all) for b in (original, mutant)]
    if said[0] != said[1] or original.is_about_chords or original.runs.steps == EXPONENTIAL_SEARCH:
        return ""
    stated = links(original.states)
    if not all(
        link.op == "==" and _is_rational(node) for link in stated for side in (link.left, link.right) for node in side.walk()
    ):
        return ""
    methods = [method for _, method in original.runs.roles]
    open_ones = all(_leaves_room(h) for h in (*original.hypotheses, *mutant.hypotheses))
    return WHY if open_ones and _is_algebraic(methods) and has_room(original) else ""


def _is_rational(node: Node) -> bool:
    if isinstance(node, Constant):
        return node.name in CONSTANTS
    if isinstance(node, Power):
        return node.exponent.denominator == 1
    if isinstance(node, Reduce):
        return node.kind in ("sum", "prod") and node.where is None
    return isinstance(node, (*RATIONAL, Mean))


def _leaves_room(hypothesis: object) -> bool:
    """Is it a fact that nearby functions share, an inequality, or the method?"""
    if isinstance(hypothesis, Declared):
        return hypothesis.kind in OPEN_FACTS
    if isinstance(hypothesis, Follows):
        return False
    if isinstance(hypothesis, AtEachStep | Once):
        return hypothesis.relation.op in ("<", "<=", ">", ">=")
    return isinstance(hypothesis, Runs)


def _is_algebraic(methods: list[Method]) -> bool:
    """Rational updates; and, of one method alone, roots of one sequence, one at each of its steps."""
    found = [(u, n) for method in methods for u in (*method.first, *method.each) for n in u.to.walk() if not _is_rational(n)]
    names = {update.name for update, _ in found}
    roots = {(update.sets.key, str(node)) for update, node in found}
    few = len(names) <= 1 and len(roots) == len({sets for sets, _ in roots})
    new = all(isinstance(node, Power) and _is_new_root(node, update) for update, node in found)
    return not found or (len(methods) == 1 and few and new)


def _is_new_root(node: Power, update: Update) -> bool:
    """A square root that sets a number with the index of its step, of what has an odd power of that step at an end."""
    if node.exponent.denominator != 2 or not isinstance(update.sets, Term):
        return False
    powers = _powers(node.base, Term("eta", update.index).key)
    if not powers:
        return False
    return any(end % 2 == 1 and powers.count(end) == 1 for end in (min(powers), max(powers)))


def _powers(node: Scalar, step: object) -> list[int]:
    """The powers of the step in the terms of a sum, one a term; [] where they cannot be told."""
    if node.key == step:
        return [1]
    if all(part.key != step for part in node.walk()):
        return [0]
    if isinstance(node, Add | Sub):
        left, right = _powers(node.left, step), _powers(node.right, step)
        return [*left, *right] if left and right else []
    if isinstance(node, Mul | Div):
        left, right = _powers(node.left, step), _powers(node.right, step)
        sign = 1 if isinstance(node, Mul) else -1
        return [left[0] + sign * right[0]] if len(left) == len(right) == 1 else []
    if isinstance(node, Power) and node.exponent.denominator == 1:
        base = _powers(node.base, step)
        return [int(node.exponent) * base[0]] if len(base) == 1 else []
    return _powers(node.of, step) if isinstance(node, Neg) else []


@lru_cache(maxsize=64)
def has_room(bound: Bound) -> bool:
    """Is there a run that satisfies every hypothesis with something to spare?"""
    first = max(1, bound.for_all.start)
    for n, family in enumerate(families(bound, "")[:FAMILIES]):
        space = Space(bound, "", family, (first,))
        rows = space.rows(np.random.default_rng(n).random((LANES, len(space.grids))))
        with np.errstate(all="ignore"):
            scores = space.batch(rows).scores(space.ks)
        if any(((one.slack > ROOM) & np.isfinite(one.violation)).any() for one in scores):
            return True
    return False
