"""The fate of a mutant is that it is killed, implied by its claim, true by a semidefinite program, or unexplained (survived)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import cache
from time import perf_counter, process_time
from typing import Any

from boundcheck.claims.bound import LEMMA, PRINTED, PROVED, Bound
from boundcheck.claims.hypotheses import AtEachStep, Declared, Once
from boundcheck.falsify.search import PROGRAM, CannotFail, program_search, search
from boundcheck.falsify.search_space import follows_implicitly
from boundcheck.language.chords import spelled_out
from boundcheck.language.relations import Relation, links
from boundcheck.language.scalars import Chord, Gap, Parameter, Term, Value
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Grad, Minimum, Point
from boundcheck.library.catalogue import bounds
from boundcheck.model.problem import StronglyConvex
from boundcheck.power.corpus import Kill, kills
from boundcheck.power.mutant import Mutant, mutants, same_hypothesis, why_none
from boundcheck.power.prover.algebraic_identity import is_identity
from boundcheck.power.prover.implication import kinds_of_M, why_implied_for_kind

OF_F = (Chord, Gap, Grad, Minimum, Point, Value)


def explain_mutant(bound: Bound, mutant: Mutant, library: Sequence[Bound]) -> str:
    """Return one line, or "" where nothing is shown. The library's claims are those that are not known to be false."""
    if _has_nothing_to_do_with_f(bound, mutant.bound):
        return "neither the claim nor its hypotheses read f, only steps and letters: what was dropped asks nothing of these"
    if why := is_identity(bound, mutant.bound):
        return why
    reasons = []
    for kind in kinds_of_M(mutant.bound):
        reason = why_implied_for_kind(bound, mutant.bound, kind) or _from_another(bound, mutant.bound, kind, library)
        if not reason:
            return ""
        reasons.append(reason)
    return "; ".join(dict.fromkeys(reasons))


def _from_another(bound: Bound, mutant: Bound, kind: str, library: Sequence[Bound]) -> str:
    """Return why the mutant is true where M is `kind`, by another claim of the library."""
    sides = _sides(mutant, kind)
    for other in library:
        if other.id != bound.id and other.is_about_chords == mutant.is_about_chords and other.runs == mutant.runs:
            kinds = (kind,) if kind or not other.reads_M else other.smoothness
            if any(not sides.isdisjoint(_sides(other, k)) for k in kinds) and (why := why_implied_for_kind(other, mutant, kind)):
                return f"it follows from {other.id}: {why}"
    return ""


@cache
def _sides(bound: Bound, kind: str) -> frozenset[str]:
    """Return the formulas on both sides of what a claim states, where M is `kind`."""
    chosen = spelled_out(bound.with_M(bound.states, kind))
    return frozenset(str(side) for link in links(chosen) for side in (link.left, link.right))


def _has_nothing_to_do_with_f(bound: Bound, mutant: Bound) -> bool:
    """Return whether a fact about f was dropped from a claim that reads nothing of f but L and mu, which others have too."""
    dropped = [h for h in bound.hypotheses if h not in mutant.hypotheses]
    if len(dropped) != 1 or len(bound.hypotheses) != len(mutant.hypotheses) + 1 or not isinstance(dropped[0], Declared):
        return False
    nodes: list[Node] = [node for tree in mutant.trees for node in tree.walk()]
    return dropped[0].kind is not StronglyConvex and not any(isinstance(node, OF_F) for node in nodes)


KILLED, IMPLIED, TRUE, SURVIVED = "killed", "implied", "true by semidefinite program", "survived"
FATES = (KILLED, IMPLIED, TRUE, SURVIVED)
TASKS, ROOT_TASKS = 60, 24  # of search for one mutant; fewer where steps are roots, which are slow to find
DOUBTING = {IMPLIED: 6, TRUE: 16}  # for one that is explained, to be sure: a program shows less than a formula
WIDER = (*(Fraction(n, 2) for n in (-2, -1, 0, 1, 2, 3, 4, 5, 8)), Fraction(1, 100))  # values of a letter that less is said of
SECONDS = 60.0  # of the processor, and only a guard: what is found must not depend on the machine


@dataclass(frozen=True, kw_only=True)
class Fate:
    """The record of one mutant: the claim that was changed, the change, and what broke the mutant or why nothing did."""

    claim: str
    claim_hash: str
    mutant: str
    hash: str
    kind: str
    change: str
    fate: str
    how: str
    k: int | None = None
    seconds: float = 0.0
    seed: int = 0
    contradicts: str = ""  # of a mutant that was killed: why it would have been true

    @property
    def key(self) -> tuple[str, int]:
        return self.hash, self.seed

    def to_json(self) -> dict[str, Any]:
        said = asdict(self)
        of, contradicts = said.pop("claim_hash"), said.pop("contradicts")
        return {**said, "of": of, "contradicts": contradicts}

    @classmethod
    def from_json(cls, said: dict[str, Any]) -> Fate:
        """Return the fate that `to_json` wrote; KeyError or TypeError where a field is missing or unknown."""
        return cls(claim_hash=said["of"], **{name: value for name, value in said.items() if name != "of"})


KnownFates = Mapping[tuple[str, int], Fate]


def targets(claims: Sequence[Bound]) -> list[Bound]:
    """Return the reading of each claim that its proof supports (the proved one, else the printed if it is true), and lemmas."""
    proved = {b.label for b in claims if b.reading == PROVED}
    true = [b for b in claims if not b.is_refuted and not why_none(b)]
    return [b for b in true if b.reading in (PROVED, LEMMA) or (b.reading == PRINTED and b.label not in proved)]


def find_fates(bound: Bound, known: KnownFates, seed: int) -> Iterator[Fate]:
    """Yield the fate of each mutant of a claim: first of those that are known, then of the others as they are found."""
    unknown = []
    for mutant in mutants(bound):
        before = known.get((mutant.bound.hash, seed))
        if before is None:
            unknown.append(mutant)
        else:
            yield before
    if not unknown:
        return
    tried = [mutant.bound for mutant in unknown if not mutant.lint]
    started = perf_counter()
    broken = kills(bound, tried)
    share = (perf_counter() - started) / max(1, len(tried))
    for mutant in unknown:
        started = perf_counter()
        kill = broken.get(mutant.bound.hash)
        fate, how, k, contradicts = _corpus_fate(bound, mutant, kill) if kill else _search_fate(bound, mutant, seed)
        yield Fate(
            claim=bound.id,
            claim_hash=bound.hash,
            mutant=mutant.bound.id,
            hash=mutant.bound.hash,
            kind=mutant.kind,
            change=mutant.change,
            fate=fate,
            how=how,
            k=k,
            seconds=round(perf_counter() - started + (0 if mutant.lint else share), 3),
            seed=seed,
            contradicts=contradicts,
        )


def _corpus_fate(bound: Bound, mutant: Mutant, kill: Kill) -> tuple[str, str, int, str]:
    return KILLED, f"corpus: {kill.where}", kill.k, explain_mutant(bound, mutant, ())


def _search_fate(bound: Bound, mutant: Mutant, seed: int) -> tuple[str, str, int | None, str]:
    """Return the fate, how and at which k; and of a mutant that is broken, why it would be true if its claim is."""
    if mutant.lint:
        return KILLED, "lint", None, ""
    first_k = 0 if bound.is_about_chords else 1  # at k = 0 nothing has happened yet
    explained, why = _explanation(bound, mutant)
    tried = with_wider_letters(bound, mutant.bound)
    tasks = min(DOUBTING.get(explained, TASKS), ROOT_TASKS if follows_implicitly(mutant.bound) else TASKS)
    try:
        result = search(tried, budget=SECONDS, seed=seed, first_k=first_k, moved_in=0, most_tasks=tasks, clock=process_time)
    except CannotFail as wrong:
        return explained or SURVIVED, why or str(wrong), None, ""
    found, by = result.found, result.strategy
    if found is None and not explained and tasks == ROOT_TASKS:  # the search ended before it came to programs
        found, by = program_search(tried, seed).found, PROGRAM
    if found is not None and found.candidate.k >= first_k:
        return KILLED, by, found.candidate.k, why if explained == IMPLIED else ""
    nearest = f"not broken by {result.looked_at} candidates; the nearest left/right is {result.ratio:.4g}"
    return explained or SURVIVED, why or nearest, None, ""


def _explanation(bound: Bound, mutant: Mutant) -> tuple[str, str]:
    """Return IMPLIED or TRUE, and why; "" twice where nothing explains the mutant."""
    if why := explain_mutant(bound, mutant, true_claims()):
        return IMPLIED, why
    return (TRUE, why) if (why := _true_by_sdp(with_wider_letters(bound, mutant.bound))) else ("", "")


def with_wider_letters(original: Bound, mutant: Bound) -> Bound:
    """Return the mutant with many values to try for each letter of a changed hypothesis: the mutant is about those values too."""
    kept = [h for h in original.hypotheses if any(same_hypothesis(h, own) for own in mutant.hypotheses)]
    changed = [h.relation for h in original.hypotheses if isinstance(h, AtEachStep | Once) and h not in kept]
    freed = {n.name for relation in changed for n in _nodes_read(relation, mutant) if isinstance(n, Parameter)}
    if not freed:
        return mutant
    first = {name: tuple(values)[:1] for name, values in mutant.try_with.items()}
    return replace(mutant, try_with={**first, **{name: (*mutant.try_with.get(name, ())[:2], *WIDER) for name in freed}})


def _nodes_read(relation: Relation, bound: Bound) -> list[Node]:
    """Return what a hypothesis reads: its formulas, and those that its entries begin with, as gamma_0 with alpha0."""
    own = list(relation.walk())
    names = {n.name for n in own if isinstance(n, Term)}
    methods = [] if bound.is_about_chords else [method for _, method in bound.runs.roles]
    return [*own, *(n for method in methods for u in method.first if u.name in names for n in u.to.walk())]


@cache
def true_claims() -> tuple[Bound, ...]:
    """Return the claims of the library that are not known to be false: a mutant may follow from another of them."""
    return tuple(b for b in bounds() if not b.is_refuted and not b.untested)


def _true_by_sdp(bound: Bound) -> str:
    from boundcheck.falsify.gram_search.strategy import true_by_sdp

    try:
        return true_by_sdp(bound)
    except ImportError:
        return ""
