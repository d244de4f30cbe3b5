"""The mutation score of a list of fates is killed / (killed + unexplained); tables say which changes and tools make it up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from boundcheck.power.fates import FATES, KILLED, SURVIVED, Fate

ENOUGH = 9, 10  # nine of ten mutants that nothing explains are to be broken


@dataclass(frozen=True, kw_only=True)
class Score:
    """The fates of all mutants. `not_mutated` and `unfinished` say why a claim has none, or not all, by its id."""

    fates: tuple[Fate, ...]
    not_mutated: dict[str, str]
    unfinished: dict[str, str]
    seed: int

    def count(self, word: str) -> int:
        return sum(1 for fate in self.fates if fate.fate == word)

    @property
    def breakable(self) -> int:
        """The number of mutants that could have been broken, as far as we know."""
        return self.count(KILLED) + self.count(SURVIVED)

    @property
    def value(self) -> float | None:
        return self.count(KILLED) / self.breakable if self.breakable else None

    @property
    def is_enough(self) -> bool:
        """Whether nine of ten are killed, with no contradiction, and no claim is left out because something went wrong."""
        some, of = ENOUGH
        reached = self.breakable > 0 and of * self.count(KILLED) >= some * self.breakable
        return reached and not self.contradictions and not self.unfinished

    @property
    def contradictions(self) -> list[Fate]:
        """The mutants that an instance breaks though they follow by the prover: one of the two is wrong, or the claim is."""
        return [fate for fate in self.fates if fate.contradicts]

    @property
    def survivors(self) -> list[Fate]:
        return [fate for fate in self.fates if fate.fate != KILLED]

    @property
    def seconds(self) -> float:
        """The seconds of work over all mutants, whichever run found their fate."""
        return round(sum(fate.seconds for fate in self.fates), 3)

    @property
    def counts(self) -> dict[str, int]:
        return {
            "claims": len({fate.claim for fate in self.fates}),
            "mutants": len(self.fates),
            **{word: self.count(word) for word in FATES},
            "contradictions": len(self.contradictions),
        }

    def by_kind(self) -> dict[str, dict[str, int]]:
        """Return, for each kind of change, how many mutants had which fate."""
        found: dict[str, dict[str, int]] = {}
        for fate in self.fates:
            found.setdefault(fate.kind, dict.fromkeys(FATES, 0))[fate.fate] += 1
        return dict(sorted(found.items()))

    def by_how(self) -> dict[str, int]:
        """Return how many mutants lint, the corpus and each strategy of the search killed."""
        killed = Counter(fate.how.partition(":")[0] for fate in self.fates if fate.fate == KILLED)
        return dict(sorted(killed.items(), key=lambda pair: (-pair[1], pair[0])))

    def to_json(self) -> dict[str, Any]:
        return {
            "score": self.value,
            "enough": self.is_enough,
            "counts": self.counts,
            "by_kind": self.by_kind(),
            "by_how": self.by_how(),
            "survivors": [fate.to_json() for fate in self.survivors],
            "contradictions": [fate.to_json() for fate in self.contradictions],
            "not_mutated": [{"claim": name, "why": why} for name, why in self.not_mutated.items()],
            "unfinished": [{"claim": name, "why": why} for name, why in self.unfinished.items()],
            "seconds": self.seconds,
            "seed": self.seed,
        }
