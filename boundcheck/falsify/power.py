"""The mutation score: of the mutants of true claims, how many does the falsifier break? It says what our HOLDS is worth."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from boundcheck.bound import PRINTED, PROVED, Bound
from boundcheck.falsify.implied import implied_by
from boundcheck.falsify.known import kills
from boundcheck.falsify.mutants import Mutant, mutants, why_none
from boundcheck.falsify.schedule import CannotFail
from boundcheck.falsify.search import search

KILLED, IMPLIED, TRUE, SURVIVED = "killed", "implied", "true by semidefinite program", "survived"
TASKS, DOUBTING_TASKS = 90, 8  # of search for one mutant, and for one that is implied, to be sure
SECONDS = 60.0  # only a guard: what is found must not depend on the machine


@dataclass(frozen=True, kw_only=True)
class Fate:
    """What became of a mutant: killed (how, at which k), or why it survives."""

    claim: str
    mutant: str
    hash: str
    kind: str
    change: str
    fate: str
    how: str
    k: int | None = None
    seconds: float = 0.0
    seed: int = 0

    @property
    def key(self) -> tuple[str, int]:
        return self.hash, self.seed


def targets(bounds: Sequence[Bound]) -> list[Bound]:
    """The reading of each claim that its proof supports: the proved one where there is one, else the printed, where it is true."""
    proved = {b.label for b in bounds if b.reading == PROVED}
    true = [b for b in bounds if not b.is_refuted and not why_none(b)]
    return [b for b in true if b.reading == PROVED or (b.reading == PRINTED and b.label not in proved)]


def fates(bound: Bound, done: Mapping[tuple[str, int], Fate], seed: int) -> Iterator[Fate]:
    """What becomes of each mutant of a claim. What is known already is not done again."""
    todo = []
    for mutant in mutants(bound):
        before = done.get((mutant.bound.hash, seed))
        if before is None:
            todo.append(mutant)
        else:
            yield before
    asked = [mutant for mutant in todo if not mutant.lint]
    started = perf_counter()
    in_corpus = kills(bound, [mutant.bound for mutant in asked])
    share = (perf_counter() - started) / max(1, len(asked))
    broken = {asked[n].bound.hash: kill for n, kill in in_corpus.items()}
    for mutant in todo:
        started = perf_counter()
        kill = broken.get(mutant.bound.hash)
        fate, how, k = (KILLED, f"corpus: {kill.where}", kill.k) if kill else _fate(bound, mutant, seed)
        yield Fate(
            claim=bound.id,
            mutant=mutant.bound.id,
            hash=mutant.bound.hash,
            kind=mutant.kind,
            change=mutant.change,
            fate=fate,
            how=how,
            k=k,
            seconds=round(perf_counter() - started + (0 if mutant.lint else share), 3),
            seed=seed,
        )


def _fate(bound: Bound, mutant: Mutant, seed: int) -> tuple[str, str, int | None]:
    if mutant.lint:
        return KILLED, "lint", None
    first_k = 0 if bound.is_about_chords else 1  # at k = 0 nothing has happened yet
    implied = implied_by(bound, mutant)
    try:
        tasks = DOUBTING_TASKS if implied else TASKS
        result = search(mutant.bound, budget=SECONDS, seed=seed, first_k=first_k, moved_in=0, most_tasks=tasks)
    except CannotFail as wrong:
        return SURVIVED, str(wrong), None
    if result.found is not None:
        return KILLED, result.strategy, result.found.candidate.k
    if implied:
        return IMPLIED, implied, None
    if why := _true_by_sdp(mutant.bound):
        return TRUE, why, None
    return SURVIVED, f"not broken by {result.looked_at} candidates; the nearest left/right is {result.ratio:.4g}", None


def _true_by_sdp(bound: Bound) -> str:
    from boundcheck.falsify.pep import true_by_sdp

    try:
        return true_by_sdp(bound)
    except ImportError:
        return ""


# -- the journal -----------------------------------------------------------------------------------------------------------


def journal(path: Path) -> dict[tuple[str, int], Fate]:
    """What an earlier run found. A last line that was cut off by a kill is left out."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        try:
            fate = Fate(**json.loads(line))
        except (ValueError, TypeError):
            continue
        found[fate.key] = fate
    return found


def note(path: Path, fate: Fate) -> None:
    """One line more, in one write: several processes may do it at once."""
    line = json.dumps(asdict(fate), ensure_ascii=False) + "\n"
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(handle, line.encode())
    finally:
        os.close(handle)


@dataclass(frozen=True)
class Score:
    """killed / (killed + unexplained)."""

    fates: tuple[Fate, ...]

    def count(self, fate: str) -> int:
        return sum(1 for one in self.fates if one.fate == fate)

    @property
    def value(self) -> float:
        asked = self.count(KILLED) + self.count(SURVIVED)
        return self.count(KILLED) / asked if asked else float("nan")

    def by_kind(self) -> dict[str, dict[str, int]]:
        kinds = sorted({one.kind for one in self.fates})
        names = (KILLED, IMPLIED, TRUE, SURVIVED)
        return {k: {n: sum(1 for f in self.fates if f.kind == k and f.fate == n) for n in names} for k in kinds}

    def to_json(self) -> dict[str, Any]:
        return {
            "score": self.value,
            **{name: self.count(name) for name in (KILLED, IMPLIED, TRUE, SURVIVED)},
            "by_kind": self.by_kind(),
            "survivors": [asdict(one) for one in self.fates if one.fate != KILLED],
        }
