"""Which method a rule drives in an audit."""

from __future__ import annotations

from boundcheck.library.catalogue import bounds
from boundcheck.model.method import GRADIENT_DESCENT, Method
from boundcheck.model.rule import Rule, RuleError


def driven_by(rule: Rule) -> Method:
    """Gradient descent if the rule may drive it; else the first method of its kind that the library has a claim about."""
    if GRADIENT_DESCENT.kind in rule.methods:
        return GRADIENT_DESCENT
    for bound in bounds():
        if not bound.runs.steps and bound.runs.main.kind in rule.methods:
            return bound.runs.main
    raise RuleError(
        f"rule '{rule.name}' drives {', '.join(rule.methods)}; an audit knows gradient descent, normalized, accelerated"
    )
