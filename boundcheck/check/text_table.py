"""Verdicts as text of 80 columns: each claim once, a row for each choice of M, parameters and run, and why beneath."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from textwrap import wrap

from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.support.table import folded_columns

WIDTH, NARROWEST, BETWEEN = 80, 12, "   "
WORDS = {Outcome.HOLDS: "hold", Outcome.VIOLATED: "violated", Outcome.UNDECIDED: "undecided", Outcome.VACUOUS: "vacuous"}


def as_text(found: Sequence[Verdict]) -> list[str]:
    """The lines of the table."""
    if not found:
        return ["no claim was asked"]
    rows = [("outcome", "M", "run", "k", "tightest"), *map(_row, found)]
    shared = len({verdict.cell.method for verdict in found}) == 1
    kept = [n for n in range(5) if any(row[n] for row in rows[1:]) and not (n == 2 and shared)]
    head, *lines = folded_columns(
        [tuple(row[n] for n in kept) for row in rows], WIDTH, narrowest=NARROWEST, between=BETWEEN, indent="  "
    )
    rule = "\u2500" * max(len(line) for block in (head, *lines) for line in block)
    problems = ", ".join(dict.fromkeys(verdict.cell.problem for verdict in found))
    title = f"{found[0].cell.method} on {problems}" if shared else f"on {problems}"
    text = [*folded(title), "", *head, rule]
    for claim, group in groupby(zip(found, lines, strict=True), key=lambda pair: pair[0].cell.claim):
        pairs = list(group)
        text += [claim, *(line for _, block in pairs for line in block), *_why([verdict for verdict, _ in pairs])]
    return text


def folded(text: str, indent: str = "") -> list[str]:
    """A sentence over as many lines as it takes."""
    return wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent + "  ", break_on_hyphens=False)


# -- what a row says -----------------------------------------------------------------------------------------------------


def letters(verdict: Verdict) -> str:
    """M=D, gamma=3/2."""
    M = [f"M={verdict.cell.smoothness}"] if verdict.cell.smoothness else []
    return ", ".join([*M, *(f"{name}={value}" for name, value in verdict.cell.parameters)])


def at(verdict: Verdict) -> str:
    """Goes on after the outcome, HOLDS: at 36 k, 14 undecided."""
    counts = verdict.counts
    own = counts.pop(verdict.outcome)
    if not own:
        return "at k = 0 only" if len(verdict.outcomes) else "not asked"
    return ", ".join([f"at {own} k", *(f"{n} {WORDS[outcome]}" for outcome, n in counts.items() if n)])


def tightest(verdict: Verdict) -> str:
    best = verdict.tightest
    return "" if best is None else f"{best.ratio:.4g} at k = {best.k}"


def reason(verdict: Verdict) -> str:
    """Where it is violated, and why it is not decided elsewhere."""
    first = str(verdict.violation) if verdict.outcome is Outcome.VIOLATED and verdict.violation is not None else ""
    return "; ".join(part for part in (first, verdict.reason) if part)


def _row(verdict: Verdict) -> tuple[str, ...]:
    M = letters(verdict).removeprefix("M=")
    return verdict.label, M, verdict.cell.method, at(verdict), tightest(verdict)


def _why(found: Sequence[Verdict]) -> list[str]:
    """Each reason once, with the rows of the claim that have it, unless all do."""
    rows: dict[tuple[str, str], list[str]] = {}
    for verdict in found:
        word = "elsewhere" if verdict.outcome is Outcome.HOLDS else "why"
        rows.setdefault((word, reason(verdict)), []).append(letters(verdict) or verdict.cell.method)
    told = []
    for (word, why), which in rows.items():
        whose = "" if len(which) == len(found) else f" ({'; '.join(dict.fromkeys(which))})"
        told += folded(f"{word}{whose}: {why}", "  ") if why else []
    return told
