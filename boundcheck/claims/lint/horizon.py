"""A bound on x_k should not need eta_k, which x_k does not depend on.

A warning only: the claim may still be true, but the bound at k cannot be known at k.
"""

from __future__ import annotations

from collections.abc import Iterable

from boundcheck.claims.lint import Remark
from boundcheck.language.ranges import ONLY_X, last_step
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Scalar
from boundcheck.language.tree import Node


def horizon_findings(relations: Iterable[Relation], letter: str, state: frozenset[str] = ONLY_X) -> list[Remark]:
    findings = []
    for relation in (r.upward() for r in relations):
        if relation.op == "==":
            continue
        left, right = (last_step(side, letter, state) for side in (relation.left, relation.right))
        if left is None or right is None or right <= max(-1, left):
            continue  # a number is no quantity of the run: it bounds whatever it likes
        allowed = max(-1, left)
        piece = _latest(relation.right, letter, right, state)
        findings.append(
            Remark(
                check="horizon",
                severity="warning",
                piece=str(piece),
                message=(
                    f"the right side reads step {_name(letter, right)} (in {piece}), but the left side depends on "
                    f"steps up to {_name(letter, allowed)} only"
                ),
            )
        )
    return findings


def _latest(node: Scalar, letter: str, step: int, state: frozenset[str]) -> Node:
    """The smallest piece that still reads the late step, as far down as it can be followed in the open."""
    for child in node.children:
        if last_step(child, letter, state) == step:
            return _latest(child, letter, step, state)  # type: ignore[arg-type]
    return node


def _name(letter: str, offset: int) -> str:
    return letter if offset == 0 else f"{letter}{offset:+d}"
