"""An equation of algebraic formulas that holds on an open set holds wherever it is defined: no inequality is needed for it.

What such a claim reads are rational functions of free numbers: the start, the steps, the letters, and the values and gradients of
f at points of the run. (Near a strictly convex f there are others with any gradients and values near its own at finitely many
points, so facts about f and inequalities with room leave an open set.) A root of the method is a free number too, but for its
square, p: where p has an odd highest or lowest power of the step that is new with it, p is no square of what came before. So the
numbers of a run are the points of one irreducible variety, and an equation that holds on an open part of it holds on all of it.
A number that a run begins with and that one letter makes, a letter which is read nowhere else, is as free as that letter.
Where only facts about f are dropped, numbers that f has no part in stay as they are, and roots of them are any numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache

import numpy as np

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, Declared, Follows, Once, Runs
from boundcheck.falsify.families import families
from boundcheck.falsify.lane_batch import LaneBatch
from boundcheck.falsify.lane_formulas import UnreadableEntry
from boundcheck.falsify.search_space import Space
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
from boundcheck.model.method import Method, Update
from boundcheck.model.problem import Convex, Differentiable, Smooth, StronglyConvex, TwiceDifferentiable

WHY = "it is an equation of algebraic formulas, and holds wherever it is defined since it does on an open set"
OPEN_FACTS = (Convex, Differentiable, Smooth, StronglyConvex, TwiceDifferentiable)
LETTERS = (Constant, IndexNumber, Number, Parameter, Term)
OF_F = (Gap, Grad, Minimum, Point, Value)
RATIONAL = (*LETTERS, *OF_F, Add, Div, Inner, Minus, Mul, Neg, Normsq, Plus, Scaled, Sub)
CONSTANTS = ("L", "mu")  # of f: any that are valid, so a set with room
LANES, FAMILIES, FEW, ROOM = 400, 6, 4, 1e-3


def is_identity(original: Bound, mutant: Bound) -> str:
    """Return why the mutant is true if the original is, whatever its hypotheses are; "" where that is not shown."""
    said = [(b.states.key, b.runs, b.for_all) for b in (original, mutant)]
    if said[0] != said[1] or original.is_about_chords or original.runs.searched:
        return ""
    stated = links(original.states)
    sides = [side for link in stated for side in (link.left, link.right)]
    if any(link.op != "==" for link in stated) or not all(_is_rational(node) for side in sides for node in side.walk()):
        return ""
    if not all(_leaves_room(h) for h in (*original.hypotheses, *mutant.hypotheses)):
        return ""
    fixed = {str(h) for h in mutant.hypotheses} >= {str(h) for h in original.hypotheses if not _is_about_f_alone(h)}
    return WHY if _is_algebraic(original, fixed) and has_room(original) else ""


def _is_rational(node: Node) -> bool:
    if isinstance(node, Constant):
        return node.name in CONSTANTS
    if isinstance(node, Power):
        return node.exponent.denominator == 1
    if isinstance(node, Reduce):
        return node.kind in ("sum", "prod") and node.where is None
    return isinstance(node, (*RATIONAL, Mean))


def _leaves_room(hypothesis: object) -> bool:
    """Return whether it is a fact that nearby functions share, an inequality that varies with the run, or the method."""
    if isinstance(hypothesis, Declared):
        return hypothesis.kind in OPEN_FACTS
    if isinstance(hypothesis, Follows):
        return False
    if not isinstance(hypothesis, AtEachStep | Once):
        return isinstance(hypothesis, Runs)
    sides = (hypothesis.relation.left, hypothesis.relation.right)
    plain = all(_is_rational(n) and not isinstance(n, IndexNumber | Mean | Reduce) for side in sides for n in side.walk())
    return hypothesis.relation.op in ("<", "<=", ">", ">=") and plain


def _is_about_f_alone(hypothesis: object) -> bool:
    """Return whether it is a fact that says nothing of the letters: without strong convexity mu may be 0."""
    return isinstance(hypothesis, Declared) and hypothesis.kind is not StronglyConvex


def _is_algebraic(bound: Bound, fixed: bool) -> bool:
    """Return whether updates are rational, with roots of numbers without f, if those are `fixed`, or new ones of one method."""
    methods = [method for _, method in bound.runs.roles]
    found = [(u, n) for method in methods for u in (*method.first, *method.each) for n in u.to.walk() if not _is_rational(n)]
    if not all(isinstance(node, Power) and node.exponent.denominator == 2 for _, node in found):
        return False
    if fixed:
        without = _without_f(methods)
        return all(_reads_only(node, without) for _, node in found)
    names, roots = {update.name for update, _ in found}, {(update.sets.key, str(node)) for update, node in found}
    few = len(methods) == 1 and len(names) == 1 and len(roots) == len({sets for sets, _ in roots})
    return not found or (few and all(isinstance(n, Power) and _is_new_root(n, u, methods[0], bound) for u, n in found))


def _without_f(methods: list[Method]) -> frozenset[str]:
    """Return the sequences of numbers that f has no part in."""
    updates = [update for method in methods for update in (*method.first, *method.each)]
    names = {update.name for update in updates if isinstance(update.sets, Term)} | {"eta"}
    while bad := {u.name for u in updates if u.name in names and not _reads_only(u.to, names)}:
        names -= bad
    return frozenset(names)


def _reads_only(tree: Node, names: Collection[str]) -> bool:
    return not any(isinstance(n, OF_F) or (isinstance(n, Term) and n.name not in names) for n in tree.walk())


def _is_new_root(node: Power, update: Update, method: Method, bound: Bound) -> bool:
    """Return whether it is the root of an odd power of its index's step times what came before that step and is not 0."""
    if not isinstance(update.sets, Term) or not all(_came_before(n, update, method, bound) for n in node.base.walk()):
        return False
    terms = _terms(node.base, Term("eta", update.index).key)
    powers = [power for power, _ in terms]
    ends = [n for n, power in enumerate(powers) if power % 2 and powers.count(power) == 1 and power in (min(powers), max(powers))]
    return any(_is_not_zero(terms[n][1], update, bound) for n in ends)


def _came_before(node: Node, update: Update, method: Method, bound: Bound) -> bool:
    """Return whether it is the step of the update itself, or a letter, or an entry that this step has no part in."""
    if not isinstance(node, Term):
        return _is_rational(node) and not isinstance(node, (IndexNumber, Mean, Reduce, *OF_F))
    if node.name == "eta" and node.index == update.index:
        return True
    if node.index.letter != update.index.letter or node.index.letter is None:
        return False
    if node.index.offset < update.index.offset:
        return True
    makes = [u for u in method.each if u.name == node.name]
    begins = [u for u in method.first if u.name == node.name]
    carried = bool(makes) and all(u.index.offset == node.index.offset + 1 for u in makes)
    return carried and node.index == update.index and all(_is_free(u, method, bound) for u in begins)


def _is_free(first: Update, method: Method, bound: Bound) -> bool:
    """Return whether a run begins with letters alone, or with what some letter makes any number of some interval."""
    nodes = list(first.to.walk())
    if any(isinstance(n, OF_F) for n in nodes):
        return False
    others = [u.to for u in (*method.first, *method.each) if u is not first]
    read = {n.name for tree in (bound.states, *others) for n in tree.walk() if isinstance(n, Parameter)}
    own = {n.name for n in nodes if isinstance(n, Parameter)} - read
    return not any(isinstance(n, Term) for n in nodes) or any(_varies_with(first, letter, bound) for letter in own)


def _varies_with(first: Update, letter: str, bound: Bound) -> bool:
    """Return whether what a run begins with changes with the letter."""
    for family in families(bound, "")[:FAMILIES]:
        space = Space(bound, "", family, (FEW,))
        rows = space.rows(np.random.default_rng(0).random((LANES, len(space.grids))))
        changed = rows.copy()
        changed[:, space.column(letter)] *= 1 + ROOM
        with np.errstate(all="ignore"):
            one, other = (space.batch(made).entries["", first.name][0] for made in (rows, changed))
            if (np.abs(other - one) > ROOM**2 * np.abs(one)).any():
                return True
    return False


def _terms(node: Scalar, step: object) -> list[tuple[int, Scalar]]:
    """Return the terms of a sum, each with its power of the step; [] where that cannot be told."""
    if node.key == step:
        return [(1, node)]
    if all(part.key != step for part in node.walk()):
        return [(0, node)]
    if isinstance(node, Add | Sub):
        left, right = _terms(node.left, step), _terms(node.right, step)
        return [*left, *right] if left and right else []
    if isinstance(node, Mul | Div):
        left, right = _terms(node.left, step), _terms(node.right, step)
        sign = 1 if isinstance(node, Mul) else -1
        return [(left[0][0] + sign * right[0][0], node)] if len(left) == len(right) == 1 else []
    if isinstance(node, Power) and node.exponent.denominator == 1:
        base = _terms(node.base, step)
        return [(int(node.exponent) * base[0][0], node)] if len(base) == 1 else []
    return [(power, node) for power, _ in _terms(node.of, step)] if isinstance(node, Neg) else []


def _is_not_zero(term: Scalar, update: Update, bound: Bound) -> bool:
    """Return whether the term is not 0 in some run, at each of the first few steps."""
    places = [{update.index.letter: n} for n in range(FEW + 1)] if update.index.letter else [{}]
    seen = [False] * len(places)
    for batch in _runs(bound, (FEW + 1,)):
        for n, place in enumerate(places):
            try:
                with np.errstate(all="ignore"):
                    seen[n] |= bool((np.abs(batch.scalar(term, place)) > ROOM).any())
            except UnreadableEntry:
                seen[n] = True  # the run has no such entry: another update sets this one
    return all(seen)


def _runs(bound: Bound, ks: tuple[int, ...]) -> Iterator[LaneBatch]:
    """Yield runs on functions of a few families, anywhere in their spaces, in floating point."""
    for n, family in enumerate(families(bound, "")[:FAMILIES]):
        space = Space(bound, "", family, ks)
        with np.errstate(all="ignore"):
            yield space.batch(space.rows(np.random.default_rng(n).random((LANES, len(space.grids)))))


@lru_cache(maxsize=64)
def has_room(bound: Bound) -> bool:
    """Return whether, for each of the first few k, some run satisfies every hypothesis with something to spare."""
    first = max(1, bound.for_all.start)
    ks = tuple(range(first, first + FEW))
    seen: set[int] = set()
    for batch in _runs(bound, ks):
        with np.errstate(all="ignore"):
            seen |= {one.k for one in batch.scores(ks) if ((one.slack > ROOM) & np.isfinite(one.violation)).any()}
    return seen >= set(ks)
