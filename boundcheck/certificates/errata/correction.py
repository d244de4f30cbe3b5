"""What a correction changes, in a few signs, and what keeps its proof from being one that a reader can follow."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from boundcheck.certificates.errata.wording import ADDED, QUANTIFIER, RESTRICTION, RUN, Methods, Wording, wording
from boundcheck.claims.bound import LEMMA, PRINTED, PROVED, Bound
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


SHORTEST, LONGEST = 2, 10  # lines
MATHEMATICS = re.compile(r"(?<!\\)\$((?:\\.|[^$\\])*)\$")
REFERENCE = re.compile(r"\[([A-Za-z0-9][^\[\]\s]*)\]")  # a label has no spaces
BRACE = re.compile(r"(?<!\\)[{}]")
MEANT = (PROVED, PRINTED, LEMMA)  # by a label without a reading, the first that there is


def corrections(bounds: Sequence[Bound]) -> list[Bound]:
    """Return the readings that correct a printed claim which is refuted."""
    false = {b.source for b in bounds if b.reading == PRINTED and b.is_refuted}
    return [b for b in bounds if b.reading == PROVED and b.source in false]


def unsound_sketches(bounds: Sequence[Bound]) -> list[str]:
    """Return what is wrong with the proofs of the corrections among these claims, a line each."""
    found = [f"{b.id} corrects what is printed and has no proof_sketch" for b in corrections(bounds) if not b.proof_sketch]
    found += [f"{b.id}: {wrong}" for b in corrections(bounds) if (wrong := _too_short_or_long(b.proof_sketch))]
    found += [f"{b.id}: {wrong}" for b in bounds for wrong in faults(b, bounds)]
    return found + [f"{' rests on '.join(circle)}: a proof in a circle" for circle in circles(bounds)]


def _too_short_or_long(lines: Sequence[str]) -> str:
    if not lines or SHORTEST <= len(lines) <= LONGEST:
        return ""
    return f"its proof has {len(lines)} {'line' if len(lines) == 1 else 'lines'}; it needs {SHORTEST} to {LONGEST}"


def faults(bound: Bound, library: Sequence[Bound]) -> Iterator[str]:
    """Yield what is wrong with the lines of one sketch, without the proofs that they rest on."""
    for line in bound.proof_sketch:
        if "$" in MATHEMATICS.sub("", line).replace(r"\$", ""):
            yield f"a $ without its partner in '{line}'"
        elif any(not _closes(formula) for formula in MATHEMATICS.findall(line)):
            yield f"a brace without its partner in '{line}'"
    for name in references(bound):
        meant = resolved(name, bound, library)
        if meant is None:
            yield f"it rests on [{name}], which is no claim"
        elif meant.is_refuted:
            yield f"it rests on [{name}], which is refuted"


def references(bound: Bound) -> list[str]:
    """Return the names in square brackets, those inside mathematics left out: [0, 1] there is an interval."""
    return [name for line in bound.proof_sketch for name in REFERENCE.findall(MATHEMATICS.sub("", line))]


def resolved(name: str, bound: Bound, library: Iterable[Bound]) -> Bound | None:
    """Return the claim that a name in a sketch of `bound` means: one of the same paper, or by its id one of another."""
    mine = bound.source.paper.name
    known = {b.id: b for b in library}
    bare, _, reading = name.partition("@")
    wanted = [reading] if reading else MEANT
    ids = (f"{paper}{bare}@{each}" for paper in (f"{mine}/", "") for each in wanted)
    return next((known[each] for each in ids if each in known), None)


def circles(bounds: Sequence[Bound]) -> list[list[str]]:
    """Return claims whose proofs rest on themselves, each as the chain of ids that leads back to it."""
    meant = {b.id: [resolved(name, b, bounds) for name in references(b)] for b in bounds if b.proof_sketch}
    rests = {name: dict.fromkeys(claim.id for claim in claims if claim is not None) for name, claims in meant.items()}
    done: set[str] = set()
    found: list[list[str]] = []

    def follow(name: str, path: list[str]) -> None:
        if name in path:
            found.append([*path[path.index(name) :], name])
        elif name not in done:
            for other in rests.get(name, ()):
                follow(other, [*path, name])
            done.add(name)

    for name in rests:
        follow(name, [])
    return found


def _closes(formula: str) -> bool:
    depth = 0
    for brace in BRACE.findall(formula):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0
