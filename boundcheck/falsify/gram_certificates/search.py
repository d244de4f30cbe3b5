"""The search: a Gram program for each choice of numbers, until one has an exact counterexample."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from math import inf, sqrt
from typing import Any

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Declared
from boundcheck.falsify.exact_check import ProvedFailure
from boundcheck.falsify.gram_certificates.certificate import gram_certificate, nodes_of
from boundcheck.falsify.gram_certificates.choices import settings
from boundcheck.falsify.gram_certificates.exact_program import ExactProgram, NotRational, exact_program
from boundcheck.falsify.gram_certificates.rational_point import Point, rational_points
from boundcheck.falsify.search import GRAM_STRATEGY, SearchResult, SearchTask
from boundcheck.falsify.strategies import FailingCandidate
from boundcheck.gram.affine import Affine, NotModelled, Quantity, Root, affine, normsq
from boundcheck.gram.algebra import NEGATIVE, ONE, Excluded
from boundcheck.gram.builder import SIGN, alternatives
from boundcheck.gram.formulas import squared
from boundcheck.gram.named_reading import NamedProgram, NamedReading, NamedSetting, read_named
from boundcheck.gram.program import Objective
from boundcheck.gram.solver import Solution, clarabel, maximise
from boundcheck.language.chords import DeclaredChord
from boundcheck.language.relations import Relation, links
from boundcheck.language.scalars import Chord, Constant
from boundcheck.support.errors import NotCertified

TOLERANCE = 1e-6  # a worst case below this, of size 1, is none
LARGE = ONE * 1000  # the squares of all vectors together, where 1 is too little: a hypothesis may have a size of its own
NECESSARY = "the class's inequalities are only necessary: data that keep them may belong to no member of the class"
MOST_ROUNDED = 6  # forms of one worst case that the checker is asked about
MOST_PAIRS = 2000  # of rows, of which classes have inequalities: paths of draws are many, and a program of a minute is too large
IRRATIONAL = "the method's own numbers are not rational"


@dataclass(frozen=True)
class GramCandidate:
    """Where a claim fails, as those ask who tell it: the fields of a candidate that a certificate of this kind has too."""

    k: int
    link: int
    dimension: int
    chord: tuple[str, ...] = ()
    smoothness: str = ""


@dataclass(frozen=True)
class GramFailure:
    """A claim that fails at a setting, proved by the independent checker."""

    setting: NamedSetting
    certificate: dict[str, Any]
    size: int  # of the Gram matrix

    @property
    def candidate(self) -> GramCandidate:
        """Where it fails."""
        chord = tuple(self.certificate.get("chord", ()))
        return GramCandidate(self.setting.k, self.setting.link, self.size, chord)

    @property
    def margin(self) -> float:
        """|left - right| as a part of |left| + |right|."""
        a, b = (_middle(self.certificate[side]) for side in ("left", "right"))
        return abs(a - b) / (abs(a) + abs(b)) if a or b else 0.0


def _middle(side: Any) -> float:
    ends = [side, side] if isinstance(side, str) else side
    return float(sum(map(Fraction, ends), Fraction(0)) / 2)


@dataclass(frozen=True)
class Attempt:
    """What one program came to: a proved failure, or how near to equality it got, or why what it found is not certified."""

    found: GramFailure | None = None
    ratio: float = -inf
    not_certified: str = ""


def attempts(bound: Bound, seed: int, goes_on: Callable[[], bool]) -> Iterator[Attempt]:
    """Yield what each program comes to, as long as `goes_on`. NotModelled: the claim is no such program at all."""
    clarabel()
    why: NotModelled | None = None
    was_read = False
    for setting in settings(bound, seed):
        if not goes_on():
            return
        try:
            yield attempt(bound, setting)
            was_read = True
        except Excluded:
            continue
        except NotModelled as wrong:
            why = wrong
    if why is not None and not was_read:
        raise why


def attempt(bound: Bound, setting: NamedSetting) -> Attempt:
    """Return what the program of one setting comes to. Excluded: it breaks a hypothesis. NotModelled: it is no program."""
    relation = links(bound.states)[setting.link]
    if relation.op == "->":
        raise NotModelled("the claim is a limit")
    reading, (left, right) = read_named(bound, setting, lambda made, at: _sides(made, relation, at))
    if sum(len(rows) * (len(rows) - 1) for rows in reading.data.values()) > MOST_PAIRS:
        return Attempt()
    is_of_norms = isinstance(left, Root) or isinstance(right, Root)
    first, second = (squared(left), squared(right)) if is_of_norms else (affine(left), affine(right))
    difference = first.plus(second, NEGATIVE)
    signs = (ONE, NEGATIVE) if relation.op == "==" else (SIGN[relation.op],)
    made = reading.program(tuple(o for sign in signs for o in alternatives(reading.algebra, difference.scaled(sign))))
    best = Attempt()
    for objective in made.objectives:
        found = _worst(made, objective)
        if found is None:
            continue
        solution, size = found
        if solution.value <= TOLERANCE:
            near = _nearest(made, objective, (left, right), relation.op, solution)
            best = replace(best, ratio=max(best.ratio, min(near, 1.0)))  # above 1 it would fail: that is the solver's error
            continue
        try:
            return Attempt(GramFailure(setting, *_certified(bound, reading, made, objective, size, solution.value)))
        except NotRational:
            best = replace(best, not_certified=IRRATIONAL)
        except NotCertified as wrong:
            best = replace(best, not_certified=str(wrong) if made.is_sufficient else NECESSARY)
    return best


def _sides(made: NamedReading, relation: Relation, at: dict[str, int]) -> tuple[Quantity, Quantity]:
    return made.scalar(relation.left, at), made.scalar(relation.right, at)


def _worst(made: NamedProgram, objective: Objective) -> tuple[Solution, Affine] | None:
    """The worst case by the first size that bounds the program, and that size. None: there is no instance."""
    goal, own = objective
    has_no_size = all(a.constant == 0 for a in (*made.below, *made.equal, *own, goal))
    last: tuple[Solution, Affine] | None = None
    for size in _sizes(made):
        found = maximise(goal, [*made.below, *own, size], made.equal, made.basis, made.matrices)
        if isinstance(found, Solution):
            last = found, size
            if found.value > TOLERANCE or has_no_size:
                return last
    return last


def _sizes(made: NamedProgram) -> Iterator[Affine]:
    """<= 0 for |x_0 - x*|^2 or the squares of all vectors together at most 1, and at most 1000."""
    if made.start:
        yield normsq(made.start).plus(Affine(-ONE))
    squares = {("G", i, i): ONE for i in range(made.basis)}
    yield Affine(-ONE, squares)
    yield Affine(-LARGE, squares)


def _certified(
    bound: Bound, reading: NamedReading, made: NamedProgram, objective: Objective, size: Affine, worst: float
) -> tuple[dict[str, Any], int]:
    goal, own = objective
    read = [goal, *made.below, *made.equal, *own, *(a for m in made.matrices for row in m for a in row)]
    used = _used(reading, read)
    small = Affine(size.constant, {s: c for s, c in size.terms.items() if used.issuperset(s[1:])})
    whole = exact_program(goal, [*made.below, *own, small], made.equal, made.matrices, used)
    apart = replace(whole, below=whole.below[:-1])
    why = NotCertified(f"{bound.id}: no simple fractions near it satisfy every equation and inequality")
    for now, point in islice(rational_points(apart, whole.below[-1], worst), MOST_ROUNDED):
        try:
            certificate = gram_certificate(bound, reading, reading.setting.link, now, point)
            _compare(certificate, now, point)
            return certificate, now.size
        except NotCertified as wrong:
            why = wrong
    raise why


def _compare(certificate: Mapping[str, Any], made: ExactProgram, point: Point) -> None:
    """NotCertified unless the checker's |left - right| is the program's: two computations agree before anything is called false.

    They are compared where both sides are fractions, and the program's is no difference of squares, or a variable's.
    """
    left, right = certificate["left"], certificate["right"]
    if isinstance(left, str) and isinstance(right, str) and not any(s[0] == "T" for s in made.goal.terms):
        mine, other = made.goal.at(point), abs(Fraction(left) - Fraction(right))
        squares = abs(Fraction(left) ** 2 - Fraction(right) ** 2)
        if mine not in (other, squares):
            raise NotCertified(f"the independent checker finds |left - right| = {other}; the program says {mine}")


def _used(reading: NamedReading, read: Iterable[Affine]) -> set[int]:
    """The vectors of the basis that anything of the claim reads: those that equations gave in terms of others are gone."""
    vectors = [v for rows in reading.data.values() for row in rows for v in (row.point, row.image)]
    vectors += [*reading.starts.values(), *reading.names.values(), *reading.free.values()]
    for entries in (reading.entries, *reading.runs.values()):
        vectors += [entry for sequence in entries.values() for entry in sequence.values() if isinstance(entry, dict)]
    found = {i for vector in vectors for i in vector}
    return found | {i for a in read for s in a.terms if s[0] == "G" for i in s[1:]}


def _nearest(made: NamedProgram, objective: Objective, sides: tuple[Quantity, Quantity], op: str, at: Solution) -> float:
    """How near to equality a claim comes that holds: at the worst case, or where the larger side is at most 1."""
    found = _ratio(*sides, op, at)
    small, large = sides if op in ("<", "<=") else sides[::-1]
    if found > -inf or not isinstance(small, Affine) or not isinstance(large, Affine) or op == "==" or large.is_number:
        return found
    if any(s[0] == "T" for s in (*small.terms, *large.terms)):
        return found
    again = maximise(small, [*made.below, *objective[1], large.plus(Affine(-ONE))], made.equal, made.basis, made.matrices)
    return _ratio(*sides, op, again) if isinstance(again, Solution) else found


def _ratio(left: Quantity, right: Quantity, op: str, at: Solution) -> float:
    """Left over right at the worst case, or right over left where the claim says that left is larger."""
    a, b = (_number(side, at) for side in (left, right))
    if op in (">", ">="):
        a, b = b, a
    return a / b if b > 1e-3 else -inf


def _number(side: Quantity, at: Solution) -> float:
    if isinstance(side, Root):
        return float(side.factor) * sqrt(max(float(side.square.at(at.symbols)), 0.0))
    return float(side.at({**{s: 0.0 for s in side.terms}, **at.symbols}))


def result_of(made: Attempt, looked_at: int, nearest: float, seconds: float) -> SearchResult:
    """Return what a search came to with this attempt."""
    if made.found is None:
        return SearchResult(None, nearest, looked_at, looked_at, seconds)
    left, right = (str(made.found.certificate[side]) for side in ("left", "right"))
    candidate: Any = made.found.candidate  # of another kind than those that have a function
    found = FailingCandidate(candidate, ProvedFailure(left, right, made.found.margin))
    return SearchResult(found, nearest, looked_at, looked_at, seconds, GRAM_STRATEGY)


def task_of(number: int, seed: int) -> SearchTask:
    """Return a program as a task of a search, for those who show what is done."""
    return SearchTask(number, GRAM_STRATEGY, "", 0, (), "", seed)


def is_gram_claim(bound: Bound) -> bool:
    """Whether a claim about f alone is one that such programs may refute: without numbers of chords, or constants of no fact."""
    if bound.reads_M or (not bound.is_about_chords and bound.runs.searched):
        return False
    declared = {name for h in bound.hypotheses if isinstance(h, Declared) for name in getattr(h.kind, "__dataclass_fields__", {})}
    nodes = list(nodes_of(bound))
    read = {node.name for node in nodes if isinstance(node, Constant)}
    return not any(isinstance(node, Chord | DeclaredChord) for node in nodes) and read & {"L", "mu"} <= declared
