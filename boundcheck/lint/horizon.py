"""A bound on x_k should not need eta_k, which x_k does not depend on.

A warning only: the claim may still be true, but the bound at k cannot be known at k.
"""

from __future__ import annotations

from collections.abc import Iterable

from boundcheck.language.ranges import highest
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Scalar, Term
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Point
from boundcheck.lint.findings import Finding


def last_step(node: Node, letter: str) -> int | None:
    """The latest step that a formula depends on, as an offset from `letter`: eta_i is step i, x_i needs step i - 1."""
    steps = [
        offset if kind is Term else offset - 1 for (kind, _), offset in highest(node, letter).items() if kind in (Term, Point)
    ]
    return max(steps, default=None)


def horizon_findings(relations: Iterable[Relation], letter: str) -> list[Finding]:
    findings = []
    for relation in (r.upward() for r in relations):
        if relation.op == "==":
            continue
        allowed = max(-1, -1 if (left := last_step(relation.left, letter)) is None else left)
        right = last_step(relation.right, letter)
        if right is None or right <= allowed:
            continue
        piece = _latest(relation.right, letter, right)
        findings.append(
            Finding(
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


def _latest(node: Scalar, letter: str, step: int) -> Node:
    """The smallest piece that still reads the late step, as far down as it can be followed in the open."""
    for child in node.children:
        if last_step(child, letter) == step:
            return _latest(child, letter, step)  # type: ignore[arg-type]
    return node


def _name(letter: str, offset: int) -> str:
    return letter if offset == 0 else f"{letter}{offset:+d}"
