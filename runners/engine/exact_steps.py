"""Steps that are their formula: exact Polyak, not the number that a run in floating point took for it.

A rule's step is stored, and then taken as exact: frozen. Where the rule follows an explicit formula, eta_k = ..., that formula
can be an update of the method instead: then eta_k is enclosed like any other entry, and the run is that of the exact formula.
"""

from __future__ import annotations

from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import Term
from boundcheck.language.tree import Index
from boundcheck.model.method import Method, Update
from boundcheck.model.problem import Problem
from boundcheck.model.rule import HORIZON, Rule, why_not_explicit
from boundcheck.model.schedule import STEP_LETTER
from boundcheck.support.errors import UserError


def with_own_steps(method: Method, rule: Rule) -> Method:
    """The method with the rule's formula as its first update."""
    relation = explicit(rule)
    assert isinstance(relation.left, Term) and relation.left.index.letter is not None
    formula = put_index(relation.right, relation.left.index.letter, Index(STEP_LETTER))
    own = Update(put_index(relation.left, relation.left.index.letter, Index(STEP_LETTER)), formula)
    return Method(name=method.name, kind=method.kind, first=method.first, each=(own, *method.each))


def has_own_steps(problem: Problem, rule: Rule) -> bool:
    """Has the rule a formula that can be enclosed on this problem?"""
    if "infimum" in rule.needs and problem.minimiser is None:
        return False  # f* is only approached: its number is good for choosing steps, not for proving
    try:
        explicit(rule)
    except ValueError:
        return False
    return True


def explicit(rule: Rule) -> Relation:
    """The formula that a rule follows, if it gives eta_i from x_i alone."""
    relation = rule.follows if rule.formula is None else rule.formula
    if relation is None:
        raise UserError(f"rule '{rule.name}' follows no formula; its steps can only be taken as they are stored")
    why = why_not_explicit(relation)
    if not why and any(index.letter == HORIZON for node in relation.right.walk() for index in node.indices):
        why = "which reads the horizon K"
    if why:
        raise UserError(f"rule '{rule.name}' follows {relation}, {why}; unfrozen steps need eta_i == a formula of x_i alone")
    return relation
