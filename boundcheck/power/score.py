"""The mutation score of a list of fates: killed / (killed + unexplained), and how it comes about."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from boundcheck.power.fates import KILLED, SURVIVED
from boundcheck.power.journal import FATES, StoredFate

ENOUGH = 9, 10  # nine of ten mutants that nothing explains are to be broken


@dataclass(frozen=True, kw_only=True)
class Score:
    """What became of the mutants. `not_mutated` and `unfinished` say why, by a claim's id."""

    entries: tuple[StoredFate, ...]
    not_mutated: dict[str, str]
    unfinished: dict[str, str]
    seed: int

    def count(self, fate: str) -> int:
        return sum(1 for entry in self.entries if entry.fate.fate == fate)

    @property
    def asked(self) -> int:
        """Those that could have been broken, as far as we know."""
        return self.count(KILLED) + self.count(SURVIVED)

    @property
    def value(self) -> float | None:
        return self.count(KILLED) / self.asked if self.asked else None

    @property
    def is_enough(self) -> bool:
        """At least nine of ten, with no contradiction, and no claim left out because something went wrong."""
        some, of = ENOUGH
        reached = self.asked > 0 and of * self.count(KILLED) >= some * self.asked
        return reached and not self.contradictions and not self.unfinished

    @property
    def contradictions(self) -> list[StoredFate]:
        """Broken by an instance, though the trees show that they follow: one of these is wrong, or the original is false."""
        return [entry for entry in self.entries if entry.contradicts]

    @property
    def survivors(self) -> list[StoredFate]:
        return [entry for entry in self.entries if entry.fate.fate != KILLED]

    @property
    def seconds(self) -> float:
        """Of work, over all mutants, whichever run found their fate."""
        return round(sum(entry.fate.seconds for entry in self.entries), 3)

    @property
    def counts(self) -> dict[str, int]:
        return {
            "claims": len({entry.fate.claim for entry in self.entries}),
            "mutants": len(self.entries),
            **{fate: self.count(fate) for fate in FATES},
            "contradictions": len(self.contradictions),
        }

    def by_kind(self) -> dict[str, dict[str, int]]:
        """For each kind of change, how many had which fate."""
        found: dict[str, dict[str, int]] = {}
        for entry in self.entries:
            found.setdefault(entry.fate.kind, dict.fromkeys(FATES, 0))[entry.fate.fate] += 1
        return dict(sorted(found.items()))

    def by_how(self) -> dict[str, int]:
        """How many were killed by what: lint, the corpus, or a strategy of the search."""
        killed = Counter(entry.fate.how.partition(":")[0] for entry in self.entries if entry.fate.fate == KILLED)
        return dict(sorted(killed.items(), key=lambda pair: (-pair[1], pair[0])))

    def to_json(self) -> dict[str, Any]:
        return {
            "score": self.value,
            "enough": self.is_enough,
            "counts": self.counts,
            "by_kind": self.by_kind(),
            "by_how": self.by_how(),
            "survivors": [entry.to_json() for entry in self.survivors],
            "contradictions": [entry.to_json() for entry in self.contradictions],
            "not_mutated": [{"claim": name, "why": why} for name, why in self.not_mutated.items()],
            "unfinished": [{"claim": name, "why": why} for name, why in self.unfinished.items()],
            "seconds": self.seconds,
            "seed": self.seed,
        }
