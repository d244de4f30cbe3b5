"""What a correction changes, in a few signs: the smallest piece of the formula that differs, printed and corrected."""

from __future__ import annotations

from dataclasses import dataclass, replace

from boundcheck.certificates.errata.wording import ADDED, QUANTIFIER, RESTRICTION, RUN, Methods, Wording, wording
from boundcheck.claims.bound import Bound
from boundcheck.language.difference import Marked, differences
from boundcheck.language.latex import SIGNS, latex
from boundcheck.language.relations import Chain, Relation
from boundcheck.language.scalars import IndexNumber, Reduce
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Mean
from boundcheck.model.method import Update

SHORT = 90  # characters of LaTeX that fit into a table
SMALL = 12  # characters of text: a piece that is smaller is shown with what stands around it


@dataclass(frozen=True)
class Change:
    """What is printed, and what should be read instead: words with $mathematics$. `read` is "" where nothing is known."""

    printed: str
    read: str


def change(bound: Bound, proved: Bound | None, methods: Methods | None = None) -> Change:
    """From a false statement to its correction."""
    old = wording(bound, methods)
    if proved is None:
        return Change(f"${old.formula}$", "")
    new = wording(proved, methods)
    left, added = _only(old, new), _only(new, old)
    runs = _updates(bound, proved), _updates(proved, bound)
    if all(runs):  # another method: only those of its updates that differ
        left = [runs[0], *(words for words in left if words not in old.of_kind(RUN))]
        added = [runs[1], *(words for words in added if words not in new.of_kind(RUN))]
    formulas = _formulas(old, new)
    if formulas is None:
        return Change(
            "; ".join(left) or "the statement without that condition", "; ".join(added) or f"without: {'; '.join(left)}"
        )
    printed, read = formulas
    return Change(printed, f"{read}, where {'; '.join(added)}" if added and len(read) <= SHORT else read)


def _updates(one: Bound, other: Bound) -> str:
    """Return the updates of a claim's methods that those of another claim do not have; "" where the methods are the same."""
    mine, theirs = ([_equation(u) for _, m in b.runs.roles for u in (*m.first, *m.each)] for b in (one, other))
    return ", ".join(f"${update}$" for update in dict.fromkeys(mine) if update not in theirs)


def _equation(update: Update) -> str:
    return f"{latex(update.sets)} = {latex(update.to)}"


def _only(one: Wording, other: Wording) -> list[str]:
    """Return what one says and the other does not.

    An M without restriction may be every M, and says so beside one that may not.
    """
    told = {part.words for part in other.parts}
    found = [part.words for part in one.parts if part.kind not in (ADDED, QUANTIFIER) and part.words not in told]
    restricted, is_restricted = other.of_kind(RESTRICTION), one.of_kind(RESTRICTION)
    return [*found, "every $M$"] if restricted and not is_restricted else found


def _formulas(old: Wording, new: Wording) -> tuple[str, str] | None:
    """Return the pieces that differ, where they are few and short; else both formulas. None where the formulas are the same."""
    if old.states.key == new.states.key:
        return None
    whole = f"${old.formula}$", f"${new.formula}$"
    if max(len(old.formula), len(new.formula)) <= SHORT:
        return whole
    pieces = [_pieces(marked) for marked in differences(old.states, new.states)]
    if not all(pieces) or len(pieces[0]) != len(pieces[1]) or len(pieces[0]) > 2:
        return whole
    return ", ".join(f"${p}$" for p in pieces[0]), ", ".join(f"${p}$" for p in pieces[1])


def _pieces(marked: Marked) -> list[str]:
    """Return the marked pieces in the order of the formula, each with what is needed around it to be found on the page."""
    found: list[str] = []

    def visit(node: Node, around: list[Node]) -> None:
        fields = [name for name in ("low", "high", "index", "op") if (node, name) in marked.places]
        if (node, "") in marked.places:
            found.append(latex(_readable(node, around)))
        elif fields == ["op"] and isinstance(node, Relation):
            found.append(SIGNS[node.op])
        elif fields:
            found.append(_limits(node) if isinstance(node, Reduce | Mean) else latex(_readable(node, around)))
        for child in _children(node):
            if not ((node, "") in marked.places or (fields and not isinstance(node, Chain | Relation | Reduce | Mean))):
                visit(child, [*around, node])

    visit(marked.tree, [])
    return list(dict.fromkeys(found))


def _readable(node: Node, around: list[Node]) -> Node:
    """Return the piece itself, or the nearest piece around it that a reader can find: an x_i alone stands in many places."""
    for outer in reversed(around):
        if len(str(node)) >= SMALL or isinstance(outer, Relation | Chain):
            break
        node = outer
    return node


def _limits(node: Reduce | Mean) -> str:
    """Return a sum or mean whose ends differ: its sign with both ends, and nothing of what is summed."""
    return _short_sum(node) if isinstance(node, Reduce) else f"{node.letter} = {node.low}, \\ldots, {node.high}"


def _short_sum(node: Reduce) -> str:
    shown = latex(replace(node, body=IndexNumber(Index(node.letter)), where=None))
    return shown.removesuffix(f" {node.letter}") + r" \ldots"


def _children(node: Node) -> list[Node]:
    if isinstance(node, Chain):
        return [node.links[0].left, *(link.right for link in node.links)]
    found: list[Node] = []
    for name in type(node).__dataclass_fields__:
        value = getattr(node, name)
        found += (
            [value] if isinstance(value, Node) else [v for v in value if isinstance(v, Node)] if isinstance(value, tuple) else []
        )
    return found
