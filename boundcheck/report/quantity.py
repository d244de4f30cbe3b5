"""What a claim bounds: the quantity on its smaller side, in one text for all claims about it, whatever they call its index."""

from __future__ import annotations

from dataclasses import dataclass

from boundcheck.claims.bound import Bound
from boundcheck.evaluate.columns import in_gaps
from boundcheck.language.canonical import canonical
from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import Add, Mul, Number, Scalar, Sub
from boundcheck.language.tree import Index, Node, field_names


@dataclass(frozen=True)
class Quantity:
    """delta_{k+1} <= ... and delta_k <= ... both bound delta_n: `key` is that of delta_n, and n = k + `later`."""

    key: str
    text: str
    later: int


def quantity(bound: Bound) -> Quantity | None:
    """What a claim bounds from above; None of a chain, an equation, a limit, or a claim about chords."""
    relation = bound.states
    if not isinstance(relation, Relation) or relation.op in ("==", "->") or bound.is_about_chords:
        return None
    upward = (in_gaps(relation) if bound.is_shift_invariant else relation).upward()
    left, letter = _plain(upward.left), bound.for_all.letter
    offsets = [index.offset for index in _indices(left) if index.letter == letter]
    if not offsets:
        return None
    later = max(offsets)
    shifted = put_index(left, letter, Index("n", -later)) if letter != "n" else left
    return Quantity(f"{bound.runs.main.kind}: {canonical(shifted)}", str(shifted), later)


def _plain(left: Scalar) -> Scalar:
    """Without what does nothing: - 0, + 0, 1 *."""
    while isinstance(left, Sub | Add | Mul):
        nothing, parts = (1 if isinstance(left, Mul) else 0), (left.left, left.right)
        if isinstance(parts[1], Number) and parts[1].value == nothing:
            left = parts[0]
        elif not isinstance(left, Sub) and isinstance(parts[0], Number) and parts[0].value == nothing:
            left = parts[1]
        else:
            break
    return left


def _indices(node: Node) -> list[Index]:
    found = [value for n in node.walk() for name in field_names(type(n)) if isinstance(value := getattr(n, name), Index)]
    return found
