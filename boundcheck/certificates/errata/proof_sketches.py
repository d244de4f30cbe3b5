"""Proof sketches: what keeps the proof of a correction from being one that a reader can follow."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from boundcheck.claims.bound import LEMMA, PRINTED, PROVED, Bound

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
