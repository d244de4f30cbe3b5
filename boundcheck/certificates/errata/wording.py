r"""What a claim says, in words with $mathematics$, made from the same tree and hypotheses that are checked.

Each hypothesis, each range, what M may be, which function it is about: every one of them is told, once. So two claims that are
read alike are the same claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from boundcheck.certificates.errata.mathwords import sentence
from boundcheck.certificates.errata.methods import Methods, runs_told, without_constants
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, Declared, Follows, Hypothesis, Once, Runs
from boundcheck.language.intervals import any_number
from boundcheck.language.latex import latex
from boundcheck.language.letters import SMOOTHNESS
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Parameter, Term
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Point

FACTS = {
    "Convex": "convex",
    "Differentiable": "differentiable",
    "TwiceDifferentiable": "twice continuously differentiable",
    "Smooth": "$L$-smooth",
    "StronglyConvex": r"$\mu$-strongly convex",
    "IsQuadratic": "quadratic",
}
FUNCTION, QUANTIFIER, FACT, RUN, CONDITION, RESTRICTION, ADDED = (
    "function",
    "quantifier",
    "fact",
    "run",
    "condition",
    "restriction",
    "added",
)


@dataclass(frozen=True)
class Part:
    """One thing that a statement says besides its formula: words with $mathematics$, and the hypotheses that they tell."""

    kind: str
    words: str
    hypotheses: tuple[Hypothesis, ...] = ()


@dataclass(frozen=True)
class Wording:
    """A statement: its formula, as a tree and in LaTeX, and all that is said around it."""

    states: Node
    parts: tuple[Part, ...]

    @cached_property
    def formula(self) -> str:
        return latex(self.states)

    def of_kind(self, *kinds: str) -> list[str]:
        return [part.words for part in self.parts if part.kind in kinds]

    @cached_property
    def text(self) -> str:
        """Everything but the formula, as sentences with $mathematics$."""
        (quantifier,) = self.of_kind(QUANTIFIER) or [""]
        given = "; ".join(self.of_kind(FUNCTION, FACT, RUN, CONDITION, RESTRICTION))
        said = sentence(f"{quantifier}, where {given}" if quantifier and given else quantifier or (given and f"where {given}"))
        added = self.of_kind(ADDED)
        return " ".join(filter(None, [said, f"Added to what is printed: {'; '.join(added)}." if added else ""]))

    def __str__(self) -> str:
        return f"${self.formula}$ {self.text}"


def wording(bound: Bound, methods: Methods | None = None) -> Wording:
    """What the claim says. With `methods`, long methods are named and not told."""
    return Wording(without_constants(bound.states, bound.runs), tuple(_parts(bound, methods)))


def _parts(bound: Bound, methods: Methods | None) -> Iterator[Part]:
    if quantifier := _quantifier(bound):
        yield Part(QUANTIFIER, quantifier)
    if bound.function:
        yield Part(FUNCTION, f"${bound.function}$")
    facts = tuple(h for h in bound.hypotheses if isinstance(h, Declared))
    if facts:
        yield Part(FACT, f"$f$ is {_and([fact_words(h.kind.__name__) for h in facts])}", facts)
    runs = tuple(h for h in bound.hypotheses if isinstance(h, Runs))
    if runs or (not bound.is_about_chords and _reads_a_run(bound)):
        yield Part(RUN, runs_told(bound.runs, bound.parameters, methods), runs)
    for h in bound.hypotheses:
        if isinstance(h, AtEachStep | Once):
            yield Part(CONDITION, _condition(h, bound.runs), (h,))
    if bound.reads_M and set(bound.smoothness) != set(SMOOTHNESS):
        yield Part(RESTRICTION, f"$M$ is {_or([SMOOTHNESS_WORDS.get(kind, f'${kind}$') for kind in bound.smoothness])}")
    yield from (Part(ADDED, words) for words in bound.added)


SMOOTHNESS_WORDS = {"L": "the constant $L$"}


def _quantifier(bound: Bound) -> str:
    """For which points or which k. Words of the claim's own say it where it is not simply for all."""
    letter, start = bound.for_all.letter, bound.for_all.start
    reads_k = any(letter in tree.free for tree in bound.trees)
    if bound.is_about_chords:
        points = sorted({n.name for tree in bound.trees for n in tree.walk() if isinstance(n, Point) and n.index is None})
        return bound.quantifier or f"for all {_and([f'${name}$' for name in points])}"
    every = f"for all ${letter} \\geq {start}$" if reads_k or _reads_a_run(bound) else ""
    if bound.quantifier and reads_k:
        return f"{bound.quantifier}, {every}" if f"${letter}" not in bound.quantifier else bound.quantifier
    return bound.quantifier or every


def _reads_a_run(bound: Bound) -> bool:
    nodes = (n for tree in bound.trees for n in tree.walk())
    return any(isinstance(n, Point | Term) and n.index is not None for n in nodes)


def fact_words(kind: str) -> str:
    """A fact in words: convex, $L$-smooth. One that is not known here by the words of its own name."""
    return FACTS.get(kind) or "".join(f" {c.lower()}" if c.isupper() else c for c in kind).replace("_", " ").strip()


def _condition(h: AtEachStep | Once, runs: Runs) -> str:
    relation = without_constants(h.relation, runs)
    assert isinstance(relation, Relation)
    if isinstance(h, Once):
        name = next((n for n in relation.walk() if isinstance(n, Parameter)), None)
        if name is not None and relation.key == any_number(name).key:
            return f"${latex(name)}$ is any real number"
        return f"${latex(relation)}$"
    letter = next(iter(sorted(relation.free)), "")
    if isinstance(h, Follows):
        return f"the steps are ${latex(relation)}$" if _gives_step(relation) else f"the steps satisfy ${latex(relation)}$"
    return f"${latex(relation)}$ for every {f'step ${letter}$' if letter else 'step'}"


def _gives_step(relation: Relation) -> bool:
    return isinstance(relation.left, Term) and relation.left.name == "eta"


def _and(words: Sequence[str]) -> str:
    return _joined(words, "and")


def _or(words: Sequence[str]) -> str:
    return _joined(words, "or")


def _joined(words: Sequence[str], last: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"
