"""The step of a rule that is its formula: what follows from eta[i] == ..., and nothing else, about how to compute the step.

A formula is explicit where its right side reads x_i, letters of the problem (L, mu), parameters that the rule fixes, the index i
and the horizon K. One that reads another entry of the run, x_{i+1} or x_{i-1}, defines the step or needs a first one: a function
has to find it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from boundcheck.arithmetic.base import Exact, Scalars
from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import put_index, transform
from boundcheck.language.scalars import (
    Constant,
    Div,
    Gap,
    IndexNumber,
    Mul,
    Normsq,
    Number,
    Parameter,
    Reduce,
    Scalar,
    Sub,
    Term,
    Value,
)
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Grad, Mean, Minimum, Point, Vector
from boundcheck.model.method import STEP_LETTER
from boundcheck.model.run_view import RunView

HORIZON = "K"


@dataclass(frozen=True, eq=False)
class FormulaStep:
    """The step of a rule by its formula, in whatever arithmetic the run is in."""

    relation: Relation  # as the rule has it
    formula: Scalar  # its right side at k, with the parameters as numbers

    def __call__(self, run: RunView) -> Scalars:
        """Return the step at this moment of a run."""
        return run.of_formula(self.formula)

    @property
    def needs(self) -> tuple[str, ...]:
        """What the formula asks of a problem: L, f* or x*."""
        nodes = list(self.formula.walk())
        values = [node for node in nodes if isinstance(node, Gap) or (isinstance(node, Value) and isinstance(node.at, Minimum))]
        points = sum(isinstance(node, Minimum) for node in nodes) - sum(isinstance(node, Value) for node in values)
        reads = {
            "L": any(isinstance(node, Constant) and node.name == "L" for node in nodes),
            "infimum": bool(values),
            "minimiser": points > 0,
        }
        return tuple(need for need, is_read in reads.items() if is_read)

    @property
    def is_constant(self) -> bool:
        """Is the step the same number at every step of a run?"""
        return not any(
            isinstance(node, Vector) or (isinstance(node, IndexNumber) and node.index.letter == STEP_LETTER)
            for node in self.formula.walk()
        )

    @property
    def gap_factor(self) -> Fraction | None:
        """The c of c (f(x_k) - f*) / |grad f(x_k)|^2, where the formula is that."""
        made = self.formula
        if not isinstance(made, Div) or not isinstance(made.right, Normsq) or not isinstance(made.right.of, Grad):
            return None
        factor, above = (made.left.left, made.left.right) if isinstance(made.left, Mul) else (Number(Fraction(1)), made.left)
        if not isinstance(factor, Number) or not isinstance(above, Gap):
            return None
        return factor.value if all(isinstance(at, Point) for at in (above.at, made.right.of.at)) else None


def why_not_explicit(relation: Relation) -> str:
    """Return what keeps a relation from giving eta_i out of x_i, or "" where it does."""
    step = relation.left
    if relation.op != "==" or not isinstance(step, Term) or step.name != "eta" or step.index.letter is None or step.index.offset:
        return "which is not eta[i] == a formula"
    for node in relation.right.walk():
        if isinstance(node, Term) or (isinstance(node, Point) and (node.name, node.index, node.run) != ("x", step.index, "")):
            return f"which reads {node}"
        if isinstance(node, Reduce | Mean):
            return f"which has a sum or a mean, {node}"
        for index in node.indices:
            if index.letter not in (step.index.letter, None, HORIZON):
                return f"which reads the index {index}"
    return ""


def formula_step(relation: Relation, parameters: Mapping[str, Exact]) -> FormulaStep | str:
    """Return the step that an explicit formula gives; or, in words, why it gives none."""
    if why := why_not_explicit(relation):
        return why
    assert isinstance(relation.left, Term) and relation.left.index.letter is not None

    def change(node: Node) -> Node | None:
        if isinstance(node, Parameter) and node.name in parameters:
            return Number(Fraction(parameters[node.name]))
        if isinstance(node, Sub) and isinstance(node.left, Value) and _is_least(node.right):  # f(p) - f*, without cancellation
            return Gap(transform(node.left.at, change))
        return None

    formula = transform(put_index(relation.right, relation.left.index.letter, Index(STEP_LETTER)), change)
    if left := next((node.name for node in formula.walk() if isinstance(node, Parameter)), ""):
        return f'which reads {left}: say its value, parameters={{"{left}": 1}}'
    return FormulaStep(relation, formula)


def _is_least(node: Any) -> bool:
    return isinstance(node, Value) and isinstance(node.at, Minimum)
