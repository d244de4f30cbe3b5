"""Performance estimation: a claim's worst case over a class of functions, by a semidefinite program for fixed steps and M_i.

It searches (`strategy` yields exact counterexamples), and it explains (`true_by_sdp` says what no function of the class breaks).
The program itself is numerical. What is found is rounded to exact data, and the independent checker decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice, product
from math import inf
from random import Random
from time import process_time
from typing import Any

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, Follows, Hypothesis, Once
from boundcheck.falsify.candidate import Candidate
from boundcheck.falsify.gram_search.long_runs import seems_to_fail_late
from boundcheck.falsify.gram_search.worst import TOLERANCE, NoAnswer, Worst, candidate, exact, solve
from boundcheck.gram.affine import NotModelled, normsq
from boundcheck.gram.algebra import Excluded, Undefined
from boundcheck.gram.builder import program
from boundcheck.gram.program import Program, Setting
from boundcheck.gram.solver import NoSolver, clarabel
from boundcheck.language.relations import links
from boundcheck.language.scalars import Term
from boundcheck.language.vectors import Vector

KS, LATER = (1, 2, 3, 4), (6, 8, 14)
Patterns = Sequence[tuple[Fraction, ...]]


def _twentieths(*turns: tuple[int, ...]) -> Patterns:
    return tuple(tuple(Fraction(n, 20) for n in turn) for turn in turns)


# steps and numbers of chords, in turn, in units of 1/L and of L
STEPS = _twentieths((20,), (10,), (30,), (38,), (5,), (20, 5), (5, 20), (10, 30), (30, 10), (60,), (100,), (400,))
CHORDS = _twentieths((20,), (10,), (19,), (30,), (38,), (10, 30), (30, 10), (10, 20, 5))
SHORT = ((Fraction(1, 20),), (Fraction(1, 200),))
STILL, FAR = (Fraction(0),), 60  # steps of a run that does not move, and a k at which a rate is small
MUS = (Fraction(1, 4), Fraction(1, 25), Fraction(0))  # squares, as some steps are: roots of both are rational
NEAR = Fraction(81, 100)  # a mu that is nearly L
MOST_PARAMETERS, RANDOM, LATER_PATTERNS = 4, 8, 4
MOST_EXPLAINED = 16  # of parameters, for an explanation: what was allowed by a change of the hypotheses must be among them
FEW = 3  # numbers of a pattern that is no random one
EXPLAINING: dict[str, Any] = {"bent": None, "only_convex": False, "with_A": True}  # all that the claim is about
ROUNDING = 1e-6  # what a true claim may seem to fail by, of size 1


def settings(
    bound: Bound, ks: Sequence[int] = KS, steps: Patterns = STEPS, seed: int = 0, most: int = MOST_PARAMETERS
) -> Iterator[tuple[str, list[Setting]]]:
    """Yield what to try: for each M and relation of the claim a list, with small k first.

    The first parameters and mu are tried with all patterns, of which some are random; the others, and large k, with few.
    """
    random = Random(seed)
    irregular = [tuple(_twentieths(*(tuple(random.choices(range(1, 41), k=7)) for _ in range(2)))) for _ in range(RANDOM)]
    patterns = [*product(steps[:3], CHORDS), *product(steps[3:], CHORDS[:2]), *irregular]
    few = [*product(steps[:2], CHORDS[:2]), *irregular[:2]]
    values = [[(name, Fraction(v)) for v in tried] for name, tried in sorted(bound.try_with.items())]
    numbers = list(product(islice(product(*values), most), MUS))
    known = [0] if bound.is_about_chords else [k for k in ks if k >= bound.for_all.start]
    later = [] if bound.is_about_chords else [k for k in LATER if k > max(ks)]
    places = [place for k in known for place in (*product([k], numbers[:1], patterns), *product([k], numbers[1:], few))]
    places += product(later, numbers, few[:LATER_PATTERNS])
    for M in bound.smoothness if bound.reads_M else ("",):
        for link in range(len(links(bound.states))):
            yield M, [Setting(k, M, link, eta, turn, letters, mu=mu) for k, (letters, mu), (eta, turn) in places]


def programs(bound: Bound, tries: Sequence[Setting]) -> Iterator[tuple[Setting, Program]]:
    """Yield the programs of the settings that keep the hypotheses, each once.

    Of large k where the claim itself fixes all numbers.
    """
    read: dict[int, dict[str, bool]] = {}  # which numbers matter, as the first program of each k shows
    seen = set()
    for at in tries:
        if at.k in LATER and tries[0].k not in LATER and (not read or any(r["steps"] or r["chords"] for r in read.values())):
            return
        if at.k in read and _what_matters(at, read[at.k]) in seen:
            continue
        try:
            made = program(bound, at)
        except Excluded:
            continue
        seen.add(_what_matters(at, read.setdefault(at.k, made.reads)))
        yield at, made


def _what_matters(at: Setting, read: Mapping[str, bool]) -> tuple[Any, ...]:
    return at.k, at.parameters, *(getattr(at, name) for name, matters in read.items() if matters)


def strategy(bound: Bound, seed: int = 0, seconds: float = inf) -> Iterator[Candidate]:
    """Exact candidates at which the claim fails, for so many seconds of the processor; none where it is no such program."""
    clarabel()
    end = process_time() + seconds
    streams = [_fails(bound, tries) for _, tries in settings(bound, seed=seed)]
    while streams and process_time() < end:
        for stream in tuple(streams):
            try:
                found = next(stream)
            except StopIteration:
                streams.remove(stream)
                continue
            if found is not None:
                yield found


def _fails(bound: Bound, tries: Sequence[Setting]) -> Iterator[Candidate | None]:
    """For each program a candidate at which the claim fails, or None."""
    try:
        for at, made in programs(bound, tries):
            try:
                worst = solve(bound, at, made)
            except NoAnswer:
                worst = None
            yield None if worst is None else candidate(worst)
    except NotModelled:
        return


@dataclass
class _Shown:
    """What was decided, for the words about it."""

    worst: float = 0.0
    ks: set[int] = field(default_factory=set)
    steps: dict[str, None] = field(default_factory=dict)
    chords: set[Fraction] = field(default_factory=set)
    letters: dict[str, None] = field(default_factory=dict)

    def add(self, found: Worst) -> bool:
        """False where it is not settled, or no true claim."""
        made, at = found.program, found.setting
        if found.most > ROUNDING or made.is_strict or not (made.is_homogeneous and made.is_whole_class and made.is_movable):
            return False
        unit = "L" if made.knows_L else ""
        self.worst = max(self.worst, found.most)
        self.ks.add(at.k)
        if made.steps:
            constant = len(set(made.steps)) == 1
            turn = made.steps[:1] if constant else () if made.has_own_steps else at.steps
            words = " and ".join(_per(s, unit) for s in turn) + " in turn" * (len(turn) > 1) or "its own formula"
            self.steps["random numbers" if len(at.steps) > FEW and not made.has_own_steps else words] = None
        if len(at.chords) <= FEW:
            self.chords |= {pair.is_ for pair in made.pairs}
        self.letters |= {f"{name} = {number}": None for name, number in at.parameters}
        if made.knows_mu:
            self.letters[f"mu = {made.mu}{' L' * bool(unit)}"] = None
        return True

    def words(self, about: list[str], is_about_chords: bool) -> str:
        parts = ["for all chords"] if is_about_chords else [f"for k = {', '.join(map(str, sorted(self.ks)))}"]
        parts += [f"with eta = {', '.join(self.steps)}"] if self.steps else []
        parts += [f"with {', '.join(self.letters)}"] if self.letters else []
        parts += [f"for M = {', '.join(about)}"] if about else []
        parts += [f"where D, A and H are {', '.join(map(str, sorted(self.chords)))} or random numbers"] if self.chords else []
        bound = f"the worst left - right is at most {max(self.worst, 1e-12):.0e}"
        return f"{' '.join(['true', *parts])}: {bound} (semidefinite program, numerical)"


def true_by_sdp(bound: Bound, ks: Sequence[int] = KS, steps: Patterns = STEPS) -> str:
    """Return one line that says for which k and steps no function of the class breaks the claim, numerically. "": not shown."""
    clarabel()
    shown, about = _Shown(), []
    for M, tries in settings(bound, ks, steps, most=MOST_EXPLAINED):
        before = set()
        try:
            for at, made in programs(bound, [replace(at, **EXPLAINING) for at in tries]):
                if _moves(bound, at, made) and (found := solve(bound, at, made)) is not None:
                    if not shown.add(found):
                        return ""
                    before.add(at.k)
        except (NotModelled, NoAnswer):
            return ""
        missing = {at.k for at in tries} - {*LATER} - before
        if not before or not all(_is_undefined(bound, [at for at in tries if at.k == k]) for k in missing):
            return ""
        about += [M] if M else []
    if not shown.ks or seems_to_fail_late(bound) or _fails_later(bound, ks, steps) or _says_nothing_yet(bound, shown.ks, steps):
        return ""
    return shown.words(list(dict.fromkeys(about)), bound.is_about_chords)


def _numbers(bound: Bound, ks: Sequence[int], steps: Patterns) -> Iterator[list[Setting]]:
    """For each M and relation the parameters and mu that were tried, one setting for each."""
    for _, tries in settings(bound, ks, steps, most=MOST_EXPLAINED):
        yield [replace(at, chords=CHORDS[0], **EXPLAINING) for at in {(at.parameters, at.mu): at for at in tries}.values()]


def _fails_later(bound: Bound, ks: Sequence[int], steps: Patterns) -> bool:
    """Return whether a longer run breaks the claim, with short steps too, or where mu is nearly L.

    A rate may be true of the first few k only.
    """
    for numbers in () if bound.is_about_chords else _numbers(bound, ks, steps):
        longer = [replace(at, k=LATER[1]) for at in numbers]
        near = [replace(at, k=n, mu=NEAR) for n in (ks[0], LATER[1]) for at in numbers[:1]]
        turns = [replace(at, steps=turn) for at in (*longer, *near) for turn in (*SHORT, *steps[:4])]
        follows = any(isinstance(h, Follows) for h in bound.hypotheses)
        still = [] if follows else [replace(at, k=FAR, steps=STILL) for at in numbers]
        if any(_is_broken(bound, at) for at in (*turns, *still)):
            return True
    return False


def _says_nothing_yet(bound: Bound, shown: Iterable[int], steps: Patterns) -> bool:
    """Return whether a run that does not move satisfies a relation at every k that was shown, but not later.

    The method has no part in that.

    Of such a run only what the hypotheses say of f and of letters is asked: it is what is left where the steps are very short.
    """
    if bound.is_about_chords:
        return False
    still = bound.assuming(h for h in bound.hypotheses if not _is_about_the_run(h))
    for numbers in _numbers(bound, sorted(shown), steps):
        there = [replace(at, steps=STILL) for at in numbers]
        then = (_is_broken(still, replace(at, k=k)) for k in sorted(shown) for at in there)
        if not any(then) and any(_is_broken(still, replace(at, k=FAR)) for at in there):
            return True
    return False


def _is_about_the_run(hypothesis: Hypothesis) -> bool:
    if not isinstance(hypothesis, AtEachStep | Once):
        return False
    return any(isinstance(n, Term | Vector) for n in hypothesis.relation.walk())


def _is_broken(bound: Bound, at: Setting) -> bool:
    """By a function of the class. False too where that cannot be asked, or the solver is not sure and its data break nothing."""
    try:
        made = program(bound, at)
        found = None if at.mu == NEAR and not made.knows_mu else solve(bound, at, made)
    except (Excluded, NotModelled, NoAnswer):
        return False
    return found is not None and found.most > TOLERANCE and (found.is_settled or candidate(found) is not None)


def _is_undefined(bound: Bound, tries: Sequence[Setting]) -> bool:
    """Return whether a claim divides by 0 at one k with all numbers that keep its hypotheses, whatever f is."""
    found = False
    for at in tries:
        try:
            program(bound, at)
        except Undefined:
            found = True
        except Excluded:
            continue
        else:
            return False
    return found


def _moves(bound: Bound, at: Setting, made: Program) -> bool:
    """Return whether there is a run with these steps.

    The hypotheses may be satisfied by no others than those that begin at a minimum.
    """
    if not (made.equal or made.below) or made.least is None or made.start not in made.points:
        return True
    gradient = made.gradients[made.points.index(made.start)]
    found = solve(bound, at, replace(made, objectives=((normsq(gradient), ()),)))
    return found is not None and found.most > ROUNDING


def _per(step: Fraction, unit: str) -> str:
    """3/2 in units of 1/L is 3/(2L)."""
    if not unit:
        return str(step)
    return f"{step.numerator}/{unit}" if step.denominator == 1 else f"{step.numerator}/({step.denominator}{unit})"


__all__ = ["NoSolver", "NotModelled", "Setting", "Worst", "candidate", "exact", "solve", "strategy", "true_by_sdp"]
