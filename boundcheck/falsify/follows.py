"""Does one relation follow from another, or from nothing? Shown from the trees, under what a claim's hypotheses say."""

from __future__ import annotations

from boundcheck.falsify.defined import is_defined_with
from boundcheck.falsify.facts import Facts
from boundcheck.falsify.normal import Normal
from boundcheck.falsify.order import at_least
from boundcheck.falsify.polynomial import Poly
from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import N, put_index, transform
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Point
from boundcheck.method import STEP_LETTER, Method

TRUE_ALONE = "it is true by itself: {}"


class Prover:
    """What follows under these facts; `method`, where it is one map, says what x_{k+1} is."""

    def __init__(self, facts: Facts, method: Method | None) -> None:
        self.facts = facts
        self.method = method if method is not None and method.is_one_map else None

    def alone(self, goal: Relation) -> str:
        """Why the relation is true of every run, or ""."""
        goal = goal.upward()
        for expanded in (False, True):
            normal = Normal(self.facts, expanded)
            slack = self._slack(goal, normal)
            if slack.is_zero:
                return "" if goal.op == "<" else TRUE_ALONE.format("both sides are the same")
            if goal.op != "==" and normal.is_nonnegative(slack, strictly=goal.op == "<"):
                return TRUE_ALONE.format("every term of the difference of its sides is nonnegative")
        if goal.op == "<=" and at_least(goal.right, goal.left, self.facts):
            return TRUE_ALONE.format("its right side is never below its left side")
        return ""

    def from_known(self, known: Relation, goal: Relation) -> str:
        """Why `goal` is true wherever `known` is, or ""."""
        if known.key == goal.key:
            return "it says the same"
        if not is_defined_with(known, (goal,), self.facts):
            return ""
        known, goal = known.upward(), goal.upward()
        if goal.op == "==" and known.op != "==":
            return ""
        for expanded in (False, True):
            if why := self._by_difference(known, goal, Normal(self.facts, expanded)):
                return why
        if goal.op == "==" or (goal.op == "<" and known.op != "<"):
            return ""
        if at_least(known.left, goal.left, self.facts) and at_least(goal.right, known.right, self.facts):
            return "the smaller side is no larger, the larger side no smaller"
        return ""

    def _by_difference(self, known: Relation, goal: Relation, normal: Normal) -> str:
        a, b = self._slack(known, normal), self._slack(goal, normal)
        if (ratio := b.over(a)) is not None and normal.has_value(ratio[0]):
            sign, strict = normal.monomial_sign(*ratio), goal.op == "<"
            if goal.op == known.op == "==" or (sign >= 0 and goal.op == "<=") or (strict and known.op == "<" and sign > 0):
                return "its sides differ by the same, up to a factor"
        if goal.op == "==":
            same = _support(a) is not None and _support(a) == _support(b)
            return "a product is zero where a power of it is" if same else ""
        strictly = goal.op == "<" and known.op != "<"
        if normal.is_nonnegative(b - a, strictly):
            return "its sides are no closer: every term of what was added is nonnegative"
        return ""

    def _slack(self, relation: Relation, normal: Normal) -> Poly:
        """The larger side less the smaller, in normal form."""
        sides = (relation.right, relation.left)
        right, left = (self.unrolled(side) if normal.expanded else side for side in sides)
        return normal(right) - normal(left)

    def unrolled(self, node: N) -> N:
        """The formula with x_{k+1} replaced by what the method makes of x_k."""
        if self.method is None:
            return node
        (update,) = self.method.each

        def change(n: Node) -> Node | None:
            if not isinstance(n, Point) or n.name != "x" or n.index is None or n.index.letter is None or n.index.offset < 1:
                return None
            return transform(put_index(update.to, STEP_LETTER, n.index.shift(-1)), change)

        return transform(node, change)


def _support(poly: Poly) -> tuple[str, ...] | None:
    """The atoms of a product of positive powers."""
    if poly.single is None or any(exponent < 0 for _, exponent in poly.single[0]):
        return None
    return tuple(name for name, _ in poly.single[0])
