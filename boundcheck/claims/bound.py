"""A bound: a claim of a paper, with its hypotheses, its reading and its source."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from boundcheck.claims.hypotheses import (
    AtEachStep,
    Follows,
    GradientDescent,
    Hypothesis,
    Once,
    Runs,
    SamePoint,
    Solution,
    as_hypothesis,
    hypothesis_from,
    hypothesis_json,
)
from boundcheck.claims.lint import Remark
from boundcheck.claims.lint.dimension import chosen_findings, dimension_findings
from boundcheck.claims.lint.horizon import horizon_findings
from boundcheck.claims.lint.shift import is_shift_invariant, shift_findings
from boundcheck.claims.parameters import refuse_parameters_without_a_range, with_ranges
from boundcheck.claims.source import Instance, Paper, Source, Through
from boundcheck.language.canonical import (
    HORIZON,
    NotAClaim,
    canonical_json,
    digest,
    from_json,
    quantity_from_json,
    quantity_json,
)
from boundcheck.language.chords import ChordQuantity, DeclaredChord
from boundcheck.language.latex import latex
from boundcheck.language.letters import SMOOTHNESS, ChordFunction
from boundcheck.language.ranges import check_ranges, first_index, parameters_inside
from boundcheck.language.relations import Chain, Relation, Statement, links
from boundcheck.language.rewrite import N, bind_smoothness, mentions, rename_hidden
from boundcheck.language.scalars import Parameter, Term
from boundcheck.language.tree import IndexRange, Node
from boundcheck.language.vectors import Point
from boundcheck.model.method import BEYOND_F
from boundcheck.model.problem import FactAbout
from boundcheck.support.errors import UserError, WrongType
from boundcheck.support.pickling import PickledByFields

PRINTED, PROVED = "printed", "proved"
LEMMA = "lemma"  # a statement of the library, which the paper does not make
USER = Paper(name="user")
NOWHERE = USER.at("claim")
FROM_0 = IndexRange("k", 0)
CHANGES = (
    "states",
    "given",
    "for_all",
    "smoothness",
    "title",
)  # what a reading may change of another; the rest is how it is tried
CLAIMED = ("states", "given", "for_all", "smoothness")  # of a claim's JSON: what it says, as its hash sees it
UNREFUTED: dict[str, Any] = {"refuted_by": None, "refuted_through": None, "try_on": ()}


@dataclass(frozen=True, kw_only=True, eq=False)
class Bound(PickledByFields):
    """A claim: a statement (`states`) under hypotheses (`given`), for all k from `for_all` on.

    `try_with` gives values at which each parameter is tried. `refuted_by` is where a false statement is seen to fail; the suite
    asserts that it still does. `as_proved` makes the reading that the proof supports; its keywords are the erratum.

    >>> from boundcheck import Bound, Convex, GradientDescent, Smooth
    >>> from boundcheck.letters import Delta, L, delta, eta, i, k
    >>> descent = (Convex, Smooth, GradientDescent(), eta[i] == 1 / L)
    >>> Bound(given=descent, states=delta[k] <= L * Delta[0] / (2 * k), for_all=k >= 1).states
    f(x_k) - f(x*) <= L |x_0 - x*|^2/(2 k)
    """

    states: Statement
    given: tuple[Any, ...] = ()
    source: Source = NOWHERE
    title: str = ""
    for_all: IndexRange = FROM_0
    try_with: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    smoothness: tuple[str, ...] = SMOOTHNESS  # what M may be: names, or chord quantities, of which the names are kept
    reading: str = PRINTED
    because: str = ""
    because_of: tuple[str, ...] = ()
    refuted_by: Instance | None = None
    refuted_through: Through | None = None  # a false limit or existence claim: the lemma that contradicts it
    try_on: tuple[Instance, ...] = ()  # where it is tried besides the problems and rules that all claims are tried with
    loose_because: str = ""  # why no instance can come near equality, where that is so
    untested: str = ""  # what the library lacks to try it, where it cannot be tried yet
    function: str = ""  # LaTeX: f itself, where the claim is about one function: r"f(x) = \sqrt{x^2 + \epsilon^2}"
    quantifier: str = ""  # in words, where it is not for all: "there are $f$, $x$ and $y$ such that for all $t < 2$"
    added: tuple[str, ...] = ()  # to what is printed, each in words: "convexity of $f$", "$k \geq 1$: at $k = 0$ it is false"
    undoes: str = ""  # the reading that this one is with one of its changes undone: see `without`
    quantities: tuple[ChordQuantity, ...] = ()  # the declared ones among what M may be; filled from `smoothness`
    proof_sketch: tuple[str, ...] = ()  # of a correction: its steps in words and $mathematics$; [label@reading] names a claim

    def __post_init__(self) -> None:
        if not isinstance(self.states, Relation | Chain):
            raise WrongType(f"{self.source.label}: a bound states a relation such as a <= b; found {self.states!r}")
        if not isinstance(self.given, tuple | list):
            raise WrongType(f"{self.source.label}: given= is a tuple of hypotheses, as in (Convex, Smooth); found {self.given!r}")
        if not isinstance(self.for_all, IndexRange):
            raise WrongType(f"{self.source.label}: for_all= is a range such as k >= 1; found {self.for_all!r}")
        self._keep_quantities()
        try:
            if self.for_all.start < 0:
                raise UserError(
                    f"the claim is for all {self.for_all.letter} >= {self.for_all.start}; the first entry of a run is 0: "
                    f"write for_all={self.for_all.letter} >= 0"
                )
            object.__setattr__(self, "states", rename_hidden(self.states, self.states.free | {self.for_all.letter}))
            check_ranges(self.states, self.for_all.letter, self.for_all.start)
            _refuse_stray_letters(self.states, self.for_all.letter)
            for hypothesis in self.hypotheses:
                _check_hypothesis(hypothesis, self.for_all)
            _refuse_runs([h for h in self.hypotheses if isinstance(h, Runs)])
            for tree in self.trees if not self.is_about_chords else ():
                _refuse_unknown_points(tree, self.runs)
            refuse_parameters_without_a_range(self.parameters, self.hypotheses)
            if not all(isinstance(at, Instance) for at in self.try_on):
                raise WrongType(
                    f"try_on is a tuple of instances, Instance(problem=..., method=..., steps=...); found {self.try_on!r}"
                )
        except (ValueError, TypeError) as wrong:
            raise type(wrong)(f"{self.source.label}: {wrong}") from None
        tried = {name: tuple(map(self._tried, values)) for name, values in self.try_with.items()}
        object.__setattr__(self, "try_with", tried)
        missing = [p for p in self.parameters if p not in self.try_with]
        if missing:
            raise UserError(
                f"{self.source.label}: the parameter {missing[0]} has no values to try; add try_with={{'{missing[0]}': (...)}}"
            )

    def _keep_quantities(self) -> None:
        """Names stay in `smoothness`, definitions go to `quantities`: given there, or read in the statement."""
        known: dict[str, ChordQuantity] = {}
        written = [n.quantity for n in self.states.walk() if isinstance(n, DeclaredChord)]
        given = self.smoothness if isinstance(self.smoothness, tuple | list) else (self.smoothness,)
        if not all(isinstance(kind, str | ChordFunction | ChordQuantity) for kind in given):
            raise WrongType(f"{self.source.label}: smoothness is names or chord quantities, such as ('D', 'L'); found {given!r}")
        for quantity in (*self.quantities, *(kind for kind in given if isinstance(kind, ChordQuantity)), *written):
            if known.setdefault(quantity.name, quantity) != quantity:
                raise UserError(
                    f"{self.source.label}: two chord quantities have one name: {known[quantity.name]!r} and {quantity!r}"
                )
        names = tuple(kind if isinstance(kind, str) else kind.name for kind in given)
        for name in names:
            if name not in known and name not in SMOOTHNESS:
                raise UserError(
                    f"{self.source.label}: M cannot be {name}: it is one of {', '.join(SMOOTHNESS)}, or a chord quantity; "
                    f"write the quantity itself in smoothness=, not its name"
                )
        object.__setattr__(self, "smoothness", names)
        object.__setattr__(self, "quantities", tuple(known[name] for name in names if name in known))

    def _tried(self, value: Any) -> Any:
        """Return a value at which a parameter is tried: text such as "3/2" is the fraction."""
        try:
            return Fraction(value) if isinstance(value, str) else value
        except (ValueError, ZeroDivisionError):
            raise UserError(f"{self.source.label}: try_with has {value!r}; needs a number such as 3/2 or '3/2'") from None

    def as_proved(self, *, because: str, **changes: Any) -> Bound:
        """The reading that the proof supports, and why it differs."""
        return replace(
            self,
            **{
                **UNREFUTED,
                "reading": PROVED,
                "because": because,
                "because_of": tuple(n for n in changes if n in CHANGES),
                "added": (),
                "quantifier": "",
                **changes,
            },
        )

    def without(self, change: str, *, because: str, refuted_by: Instance, **undone: Any) -> Bound:
        """This reading with one of its changes undone, and where that is seen to fail: each change is necessary alone."""
        made = {
            **UNREFUTED,
            "reading": f"without-{change}",
            "undoes": self.reading,
            "because": because,
            "refuted_by": refuted_by,
            "proof_sketch": (),
            **undone,
        }
        return replace(self, **made)

    def assuming(self, hypotheses: Iterable[Hypothesis], **changes: Any) -> Bound:
        """The claim under other hypotheses. A parameter that these leave without a range may be any number."""
        given = tuple(hypotheses)
        updates = [update.formula for _, method in self.runs.roles for update in (*method.first, *method.each)]
        trees: list[Node] = [self.states, *updates, *(h.relation for h in given if isinstance(h, AtEachStep | Once))]
        letters = [node for tree in trees for node in tree.walk() if isinstance(node, Parameter)]
        return replace(self, given=with_ranges(letters, given), **changes)

    def sharpened(self, factor: Fraction) -> Bound:
        """The twin that must fail: every right side (of a <= b) multiplied by `factor`."""
        scaled = tuple(_sharpen(link, factor) for link in links(self.states))
        states = Chain(scaled) if isinstance(self.states, Chain) else scaled[0]
        return replace(self, states=states, reading=f"{self.reading}*{float(factor):.6g}", **UNREFUTED)

    # -- what it is called ---------------------------------------------------------------------------------------------

    @property
    def label(self) -> str:
        return self.source.label

    @property
    def id(self) -> str:
        return f"{self.source.paper.name}/{self.source.label}@{self.reading}"

    @cached_property
    def hash(self) -> str:
        """Changes exactly when what is claimed changes: statement, hypotheses, range, and what M may be."""
        said = self.to_json()
        return digest(json.dumps({name: said[name] for name in CLAIMED}, sort_keys=True))

    # -- what it says --------------------------------------------------------------------------------------------------

    @cached_property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        return tuple(_with_clear_letters(as_hypothesis(given)) for given in self.given)

    @cached_property
    def trees(self) -> tuple[Statement, ...]:
        """The statement, and the hypotheses that are relations."""
        return (self.states, *(h.relation for h in self.hypotheses if isinstance(h, AtEachStep | Once)))

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        written = {n.name for tree in self.trees for n in tree.walk() if isinstance(n, Parameter)}
        return tuple(sorted(written | {name for _, method in self.runs.roles for name in method.parameters}))

    @cached_property
    def inside_vectors(self) -> frozenset[str]:
        """The parameters that stand in vectors, and so in what a run records."""
        return frozenset(name for tree in self.trees for name in parameters_inside(tree))

    @cached_property
    def runs(self) -> Runs:
        """Whose run the claim is about: gradient descent's where it does not say."""
        return next((h for h in self.hypotheses if isinstance(h, Runs)), GradientDescent())

    @cached_property
    def is_beyond_f(self) -> bool:
        """Whether the claim is about more than f, its gradient and explicit updates.

        That is: functions, sets or operators with names, points that an inclusion defines, free vectors, components and chance,
        or runs from several starts.
        """
        hypotheses = any(isinstance(h, FactAbout | Solution | SamePoint) for h in self.hypotheses)
        nodes = (node for tree in self.trees for node in tree.walk())
        explicit = self.is_about_chords or all(method.is_explicit for _, method in self.runs.roles)
        return hypotheses or self.runs.apart or not explicit or any(isinstance(n, BEYOND_F) or n.parts for n in nodes)

    @cached_property
    def sequences(self) -> frozenset[str]:
        """The sequences of numbers that it reads."""
        return frozenset(n.name for tree in self.trees for n in tree.walk() if isinstance(n, Term))

    @cached_property
    def is_about_chords(self) -> bool:
        """A claim about any two points, rather than about the points of a run."""
        return any(isinstance(n, Point) and n.index is None for n in self.states.walk())

    @property
    def is_refuted(self) -> bool:
        """Known to be false: the suite asserts it."""
        return self.refuted_by is not None or self.refuted_through is not None

    @property
    def has_fixed_horizon(self) -> bool:
        return self.for_all.letter == "K"

    @cached_property
    def schedule_reads_horizon(self) -> bool:
        """Do the steps or the method depend on how many steps the run has? Then each K is a run of its own."""
        steps = (h.relation.free for h in self.hypotheses if isinstance(h, AtEachStep))
        if any(HORIZON in free and len(free) > 1 for free in steps):
            return True
        updates = (update.formula for _, method in self.runs.roles for update in (*method.first, *method.each))
        return any(HORIZON in formula.free for formula in updates)

    @cached_property
    def reads_M(self) -> bool:
        """Does what it says depend on M? Exponential search does, whatever is said of it."""
        return self.runs.searched or any(mentions(tree, "M") for tree in self.trees)

    def chord(self, kind: str) -> str | ChordQuantity:
        """What a choice of M stands for: a number of the chord that everybody knows, by its name, or a declared quantity."""
        return next((quantity for quantity in self.quantities if quantity.name == kind), kind)

    @cached_property
    def written_chords(self) -> tuple[ChordQuantity, ...]:
        """The declared chord quantities that stand in its formulas by name."""
        updates = [update.to for _, method in self.runs.roles for update in (*method.first, *method.each)]
        found = [n.quantity for tree in (*self.trees, *updates) for n in tree.walk() if isinstance(n, DeclaredChord)]
        return tuple(dict.fromkeys(found))

    @cached_property
    def declared_chords(self) -> tuple[ChordQuantity, ...]:
        """The declared chord quantities that stand in its formulas, and those that M may be."""
        return tuple(dict.fromkeys((*self.written_chords, *(self.quantities if self.reads_M else ()))))

    def chords_with(self, kind: str) -> tuple[ChordQuantity, ...]:
        """Those that it reads with M chosen."""
        chosen = self.chord(kind)
        return tuple(dict.fromkeys((*self.written_chords, *([chosen] if isinstance(chosen, ChordQuantity) else []))))

    def with_M(self, tree: N, kind: str) -> N:
        """A formula of the claim with M chosen, as it is written; "" leaves it as it is."""
        return bind_smoothness(tree, self.chord(kind)) if kind else tree

    @cached_property
    def is_shift_invariant(self) -> bool:
        return all(self.does_not_move(link) for link in links(self.states))

    def does_not_move(self, relation: Relation) -> bool:
        """Does this relation, one of the claim's own, stay when f becomes f + C? Then it may be read in gaps f - f*."""
        return self._stays[relation]

    @cached_property
    def _stays(self) -> dict[Relation, bool]:
        mine = [(link, self._lowest) for link in links(self.states)]
        mine += [(h.relation, {}) for h in self.hypotheses if isinstance(h, AtEachStep | Once)]
        return {relation: is_shift_invariant(relation, lowest) for relation, lowest in mine}

    @property
    def _lowest(self) -> dict[str, int]:
        return {self.for_all.letter: self.for_all.start}

    @property
    def rules(self) -> tuple[Relation, ...]:
        """The formulas that its steps must follow."""
        return tuple(h.relation for h in self.hypotheses if isinstance(h, Follows))

    def lint(self) -> list[Remark]:
        relations = links(self.states)
        found = dimension_findings(relations) + shift_findings(relations, self._lowest) + chosen_findings(self.quantities)
        for condition in (h.relation for h in self.hypotheses if isinstance(h, AtEachStep | Once)):
            remarks = dimension_findings([condition]) + shift_findings([condition])
            found += [replace(remark, message=f"in the hypothesis {condition}: {remark.message}") for remark in remarks]
        return found if self.is_about_chords else found + horizon_findings(relations, self.for_all.letter, self.runs.state)

    def latex(self) -> str:
        return latex(self.states)

    def to_json(self) -> dict[str, Any]:
        """The claim as data. `states` and `given` are canonical: bound letters do not matter."""
        return {
            "id": self.id,
            "label": self.label,
            "reading": self.reading,
            "title": self.title,
            "states": canonical_json(self.states),
            "given": [hypothesis_json(h) for h in self.hypotheses],
            "for_all": {"letter": self.for_all.letter, "from": self.for_all.start},
            "smoothness": self._smoothness_json() if self.reads_M else [],
            "try_with": {name: [str(Fraction(v)) for v in values] for name, values in sorted(self.try_with.items())},
            "because": self.because or None,
        }

    def _smoothness_json(self) -> list[Any]:
        """What M may be: names, and the definitions of declared quantities."""
        chosen = [self.chord(kind) for kind in self.smoothness]
        return [quantity_json(kind) if isinstance(kind, ChordQuantity) else kind for kind in chosen]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Bound:
        """The claim that `to_json` wrote: what it states, under which hypotheses, for which k. Its hash is the same."""
        try:
            paper, label = str(data["id"]).split("@")[0].split("/", 1)
            states, for_all = from_json(data["states"]), data["for_all"]
            start = IndexRange(str(for_all["letter"]), int(for_all["from"]))
            given = tuple(hypothesis_from(h, start.letter) for h in data["given"])
            try_with = {name: tuple(Fraction(v) for v in values) for name, values in data["try_with"].items()}
            title, reading, because = str(data["title"]), str(data["reading"]), data["because"] or ""
            smoothness = tuple(quantity_from_json(k) if isinstance(k, dict) else str(k) for k in data["smoothness"])
        except (KeyError, TypeError, ValueError) as wrong:
            raise NotAClaim(f"this is not a claim: {wrong}; needs what Bound.to_json writes") from None
        if not isinstance(states, Relation | Chain):
            raise NotAClaim(f"a claim states a relation; found {states}")
        return cls(
            states=states,
            given=given,
            source=Paper(name=paper).at(label),
            title=title,
            for_all=start,
            try_with=try_with,
            reading=reading,
            because=because,
            smoothness=smoothness,  # type: ignore[arg-type]  # names are kept of it
        )

    def __repr__(self) -> str:
        return f"<{self.id}: {self.states}>"


def _with_clear_letters(hypothesis: Hypothesis) -> Hypothesis:
    """The hypothesis in which no letter of a sum hides another."""
    if not isinstance(hypothesis, AtEachStep | Once):
        return hypothesis
    clear = rename_hidden(hypothesis.relation)
    return hypothesis if clear is hypothesis.relation else replace(hypothesis, relation=clear)


def _check_hypothesis(hypothesis: Hypothesis, for_all: IndexRange) -> None:
    """A hypothesis is asked at every step i, or at the k of the claim: it reads one letter, and no entry before the first."""
    if not isinstance(hypothesis, AtEachStep | Once):
        return
    relation = hypothesis.relation
    letters = sorted(relation.free)
    if len(letters) > 1:  # a schedule may read the horizon beside its step
        letters = [letter for letter in letters if letter != HORIZON]
    if isinstance(hypothesis, AtEachStep) and letters:
        if len(letters) > 1:
            raise UserError(
                f"the hypothesis {relation} has the indices {' and '.join(letters)}; it is asked at each step: use one"
            )
        check_ranges(relation, letters[0], first_index(relation, letters[0]))
        return
    if letters not in ([], [for_all.letter]):
        raise UserError(
            f"the index {letters[0]} is free in the hypothesis {relation}, which is asked at each {for_all.letter}: "
            f"write AtEachStep(...) around it, or {for_all.letter}"
        )
    check_ranges(relation, for_all.letter, for_all.start)


def _refuse_stray_letters(states: Statement, letter: str) -> None:
    stray = sorted(states.free - {letter})
    if stray:
        raise UserError(
            f"the index {stray[0]} is free in {states}; the claim is for all {letter}: write {letter}, or sum over {stray[0]}"
        )


def _refuse_runs(found: list[Runs]) -> None:
    if len(found) > 1:
        raise UserError(
            f"given names {len(found)} methods; a claim over several runs names them together: Runs.together({{...}})"
        )


def _refuse_unknown_points(tree: Statement, runs: Runs) -> None:
    """A claim reads points that its methods set, of runs that it names."""
    known = {role: {"x", *(u.name for u in (*m.first, *m.each)), *(entry.name for entry in m.free)} for role, m in runs.roles}
    for node in tree.walk():
        if isinstance(node, Point | Term) and node.index is not None:
            if node.run not in known:
                raise UserError(f"{node} belongs to the run '{node.run}'; the claim is about {', '.join(repr(r) for r in known)}")
            if isinstance(node, Point) and node.name not in known[node.run]:
                raise UserError(f"{node} is no point of {runs.method}, which has {', '.join(sorted(known[node.run]))}")


def _sharpen(link: Relation, factor: Fraction) -> Relation:
    if link.op in (">=", ">"):
        return Relation(link.op, factor * link.left, link.right)
    return Relation(link.op, link.left, factor * link.right)


__all__ = ["LEMMA", "PRINTED", "PROVED", "Bound", "Instance", "Paper", "Source", "Through"]
