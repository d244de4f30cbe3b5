"""The report of `boundcheck power` has the mutation score, killed / (killed + unexplained), and is Markdown for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from boundcheck.power.fates import FATES, IMPLIED, KILLED, SURVIVED, TRUE, Fate
from boundcheck.support.escaping import markdown_block, markdown_code, markdown_text, one_line

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


HEADING = "# Mutation score"
SURVIVORS = {
    SURVIVED: "Survived, and nothing explains it",
    IMPLIED: "Explained: it follows",
    TRUE: "Explained: true by semidefinite program",
}
FEW = 5  # claims that one reason names; of more it gives the number


def page(score: Score) -> str:
    """Return the report: the score, what it is made of, every survivor with its reason, and the claims that were left out."""
    return "\n".join(_lines(score)) + "\n"


def _lines(score: Score) -> Iterator[str]:
    yield f"{HEADING}: {'none' if score.value is None else f'{score.value:.4f}'}"
    yield ""
    counts = score.counts
    yield f"{counts[KILLED]} killed of {score.breakable} mutants that nothing explains. In all:"
    yield f"{_many(counts['mutants'], 'mutant')} of {_many(counts['claims'], 'claim')}: {_counts(counts)}."
    yield f"Seed {score.seed}; {score.seconds:,.0f} s of work."
    if score.value is None:
        yield "Nothing that could be broken was asked: that is no score."
    yield from _section("By what was changed", _table(("kind", *FATES), [(k, *c.values()) for k, c in score.by_kind().items()]))
    yield from _section("Killed by", _table(("how", KILLED), list(score.by_how().items())))
    if score.contradictions:
        yield from _section("Contradictions", _contradictions(score.contradictions))
    if score.unfinished:
        yield from _section("Not finished", _unfinished(score))
    for word, title in SURVIVORS.items():
        if found := [fate for fate in score.survivors if fate.fate == word]:
            yield from _section(f"{title} ({len(found)})", _listed(found))
    if score.not_mutated:
        yield from _section("Claims without mutants", _left_out(score.not_mutated))


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{counts[fate]} {fate}" for fate in FATES)


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    yield from ("", f"## {title}", "", *lines)


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    cells = [[str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(len(row[n]) for row in cells) for n in range(len(head))]
    first, *rest = ["| " + " | ".join(_padded(row, widths)) + " |" for row in cells]
    yield first
    yield "|" + "|".join("-" * (width + 2) if n == 0 else "-" * (width + 1) + ":" for n, width in enumerate(widths)) + "|"
    yield from rest


def _padded(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    for n, (cell, width) in enumerate(zip(row, widths, strict=True)):
        yield cell.ljust(width) if n == 0 else cell.rjust(width)


def _listed(fates: Sequence[Fate]) -> list[str]:
    """Return each claim once, under it each change of it and why the mutant survives."""
    lines: list[str] = []
    claim = ""
    for fate in fates:
        if fate.claim != claim:
            claim = fate.claim
            lines.append(one_line(claim))
        lines += [f"  {one_line(_change(fate))}", f"    {one_line(fate.how)}"]
    return markdown_block("\n".join(lines), "text")


def _change(fate: Fate) -> str:
    return fate.change if fate.change.startswith(fate.kind) else f"{fate.kind}: {fate.change}"


def _contradictions(fates: Sequence[Fate]) -> Iterator[str]:
    yield "Broken by an instance, though they follow from their claim, which counts as true. Either it is false, or one of"
    yield "the two computations is wrong: look at these before anything else."
    yield ""
    lines: list[str] = []
    for fate in fates:
        at = "" if fate.k is None else f" at k = {fate.k}"
        killed = f"    killed by {fate.how}{at}; but {fate.contradicts}"
        lines += [one_line(line) for line in (fate.claim, f"  {_change(fate)}", killed)]
    yield from markdown_block("\n".join(lines), "text")


def _unfinished(score: Score) -> list[str]:
    return [f"- {markdown_code(name)}: {markdown_text(why)}" for name, why in score.unfinished.items()]


def _left_out(not_mutated: dict[str, str]) -> Iterator[str]:
    by_reason: dict[str, list[str]] = {}
    for name, why in not_mutated.items():
        by_reason.setdefault(why, []).append(markdown_code(name))
    for why, names in by_reason.items():
        yield f"- {', '.join(names) if len(names) <= FEW else _many(len(names), 'claim')}: {markdown_text(why)}"
