"""The wording of a claim and of its methods, with $mathematics$, made from the tree and hypotheses that are checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from boundcheck.certificates.errata.math_words import sentence
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, Declared, Follows, Hypothesis, Once, Runs
from boundcheck.language.chords import ChordQuantity
from boundcheck.language.latex import latex
from boundcheck.language.letters import SMOOTHNESS
from boundcheck.language.relations import Relation, any_number
from boundcheck.language.rewrite import transform
from boundcheck.language.scalars import Parameter, Term
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Point
from boundcheck.model.method import Method, Update

PRIME = r"\prime"
LONG = 1  # updates: a method with more is told once a page

COUNTS = {
    "N": "$N$ is the number of all its steps of gradient descent",
    "searches": r"$N_\phi$ is how often it evaluates $\phi$, by a run each",
}


@dataclass
class Methods:
    """The long methods of a page, numbered in the order in which they are met. Without it each is told where it is used."""

    numbered: dict[str, tuple[int, Method]] = field(default_factory=dict)

    @classmethod
    def of(cls, bounds: Iterable[Bound]) -> Methods:
        made = cls()
        for bound in bounds:
            for _, method in bound.runs.roles:
                if is_long(method):
                    made.name(method)
        return made

    def name(self, method: Method) -> str:
        """Method 2 (estimating sequences)."""
        number, known = self.numbered.setdefault(method.key, (len(self.numbered) + 1, method))
        return f"Method {number} ({in_words(known.name)})"

    def told(self) -> list[tuple[str, str]]:
        """(its name, what it does in words with $mathematics$), in order."""
        return [(self.name(method), told(method)) for _, method in self.numbered.values()]


def in_words(name: str) -> str:
    """Return the words of a method's name, without a formula at its end: its updates say that."""
    words = name.split()
    end = next((n for n, word in enumerate(words) if set(word) & set("_=^\\")), len(words))
    kept = words[:end] or words
    return " ".join(kept[:-1] if end < len(words) and len(kept) > 1 else kept)


def is_long(method: Method) -> bool:
    return len(method.first) + len(method.each) > LONG


def told(method: Method) -> str:
    """Its updates, in words with $mathematics$."""
    constant = constants(method)
    first = [u for u in method.first if u.name not in constant]
    each = [u for u in method.each if u.name not in constant]
    begin = f"begin with {_listed(first)}; then for " if first else "for "
    return f"{begin}$k = 0, 1, \\ldots$: {_listed(each)}"


def _listed(updates: Iterable[Update]) -> str:
    pairs = [(latex(u.sets), latex(u.formula)) for u in updates]
    return ", ".join(f"${sets} = {to}$" for sets, to in pairs if _bare(sets) != _bare(to))


def _bare(formula: str) -> str:
    """Without brackets: alpha_{0} and the parameter \\alpha_0 are read alike, and need no equation between them."""
    return formula.replace("{", "").replace("}", "")


def constants(method: Method) -> dict[str, Point]:
    """Return the sequences of points that a method only carries along, unchanged from the first: what each of them is."""
    carried = {u.name: u.to for u in method.first if isinstance(u.to, Point)}
    same = {u.name for u in method.each if isinstance(u.to, Point) and u.to.name == u.name and u.to.index == Index("k")}
    return {name: to for name, to in carried.items() if name in same}


def without_constants(node: Node, runs: Runs) -> Node:
    """Return a formula in which what a run only carries along is written as what it is: x_0, not start_k."""
    known = {(role, name): to for role, method in runs.roles for name, to in constants(method).items()}
    searched = runs.searched  # whose runs have one step each: eta_0 is where the search begins

    def change(n: Node) -> Node | None:
        if searched and isinstance(n, Term) and n.name == "eta":
            return Parameter("eta", n.dimension, r"\eta'" if n.run else r"\eta")
        return known.get((n.run, n.name)) if isinstance(n, Point) and n.index is not None else None

    return transform(node, change) if known or searched else node


def runs_told(runs: Runs, parameters: Iterable[str], methods: Methods | None) -> str:
    """Return whose run a claim is about, in words with $mathematics$."""

    def by(method: Method) -> str:
        if methods is not None and is_long(method):
            return methods.name(method)
        return method.name if len(runs.roles) > 1 and not is_long(method) else f"{in_words(method.name)}: {told(method)}"

    if len(runs.roles) == 1:
        method = runs.main
        if is_long(method):
            return f"the run is that of {by(method)}"
        return f"${latex(method.each[0].sets)} = {latex(method.each[0].to)}$ for every $k$"
    if runs.searched:
        return _search(runs, set(parameters))
    whose = [f"${'x' if not role else 'x^{' + PRIME + '}'}_k$ by {by(method)}" for role, method in runs.roles]
    return f"two runs from one start with the same steps, {' and '.join(whose)}"


def _search(runs: Runs, parameters: set[str]) -> str:
    both = rf"$x_k$ and $x^{{\prime}}_k$ are runs of {runs.main.name} from one start"
    told = rf"{both}, with the last steps $\eta$ and $\eta'$ of {runs.steps}"
    return "; ".join([told, *(words for name, words in COUNTS.items() if name in parameters)])


FACTS = {
    "Convex": "convex",
    "Differentiable": "differentiable",
    "TwiceDifferentiable": "twice continuously differentiable",
    "Smooth": "$L$-smooth",
    "StronglyConvex": r"$\mu$-strongly convex",
    "IsQuadratic": "quadratic",
}
FUNCTION, QUANTIFIER, FACT, RUN, CONDITION, RESTRICTION, DEFINITION, ADDED = (
    "function",
    "quantifier",
    "fact",
    "run",
    "condition",
    "restriction",
    "definition",
    "added",
)


@dataclass(frozen=True)
class WordingPart:
    """One thing that a statement says besides its formula: words with $mathematics$, and the hypotheses that they tell."""

    kind: str
    words: str
    hypotheses: tuple[Hypothesis, ...] = ()


@dataclass(frozen=True)
class Wording:
    """A statement: its formula, as a tree and in LaTeX, and all that is said around it."""

    states: Node
    parts: tuple[WordingPart, ...]

    @cached_property
    def formula(self) -> str:
        return latex(self.states)

    def of_kind(self, *kinds: str) -> list[str]:
        return [part.words for part in self.parts if part.kind in kinds]

    @cached_property
    def text(self) -> str:
        """Everything but the formula, as sentences with $mathematics$."""
        (quantifier,) = self.of_kind(QUANTIFIER) or [""]
        given = "; ".join(self.of_kind(FUNCTION, FACT, RUN, CONDITION, RESTRICTION, DEFINITION))
        said = sentence(f"{quantifier}, where {given}" if quantifier and given else quantifier or (given and f"where {given}"))
        added = self.of_kind(ADDED)
        return " ".join(filter(None, [said, f"Added to what is printed: {'; '.join(added)}." if added else ""]))

    def __str__(self) -> str:
        return f"${self.formula}$ {self.text}"


def wording(bound: Bound, methods: Methods | None = None) -> Wording:
    """Return what the claim says. With `methods`, long methods are named and not told."""
    return Wording(without_constants(bound.states, bound.runs), tuple(_parts(bound, methods)))


def _parts(bound: Bound, methods: Methods | None) -> Iterator[WordingPart]:
    if quantifier := _quantifier(bound):
        yield WordingPart(QUANTIFIER, quantifier)
    if bound.function:
        yield WordingPart(FUNCTION, f"${bound.function}$")
    facts = tuple(h for h in bound.hypotheses if isinstance(h, Declared))
    if facts:
        yield WordingPart(FACT, f"$f$ is {_and([fact_words(h.kind.__name__) for h in facts])}", facts)
    runs = tuple(h for h in bound.hypotheses if isinstance(h, Runs))
    if runs or (not bound.is_about_chords and _reads_a_run(bound)):
        yield WordingPart(RUN, runs_told(bound.runs, bound.parameters, methods), runs)
    for h in bound.hypotheses:
        if isinstance(h, AtEachStep | Once):
            yield WordingPart(CONDITION, _condition(h, bound.runs), (h,))
    if bound.reads_M and set(bound.smoothness) != set(SMOOTHNESS):
        yield WordingPart(RESTRICTION, f"$M$ is {_or([_smoothness_words(bound.chord(kind)) for kind in bound.smoothness])}")
    for quantity in bound.declared_chords:
        yield WordingPart(DEFINITION, f"${latex(quantity.equation)}$")
    yield from (WordingPart(ADDED, words) for words in bound.added)


def _smoothness_words(kind: str | ChordQuantity) -> str:
    """What M may be: the constant L, or the symbol of a chord quantity."""
    return "the constant $L$" if kind == "L" else f"${kind if isinstance(kind, str) else kind.latex}$"


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
    """Return a fact in words: convex, $L$-smooth. One that is not known here by the words of its own name."""
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
