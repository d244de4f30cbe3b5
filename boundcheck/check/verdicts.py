"""Verdicts together, as people look at them: a table, a data frame, a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from textwrap import wrap
from typing import Any, NoReturn, overload

import numpy as np

from boundcheck.check.verdict import NO_TRUTH_VALUE, Outcome, Verdict
from boundcheck.runs.trace_views import axes, pandas
from boundcheck.support.escaping import html_text, plot_text
from boundcheck.support.table import folded_columns, html_table

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


COLOURS = {"HOLDS": "green", "VIOLATED": "red", "UNDECIDED": "#b8860b", "VACUOUS": "#b8860b"}
HEADINGS = ("outcome", "claim", "M", "run", "k", "tightest", "why")
LONGEST = 110  # of a reason in a table; Verdict.explain() has all of it


@dataclass(frozen=True, repr=False)
class Verdicts(Sequence[Verdict]):
    """The verdicts of some claims on a trace: a sequence, one for each claim, choice of M and parameters, and run.

    >>> from boundcheck import check, run
    >>> verdicts = check("classical/gd.descent", run("huber", "1/L", steps=5))
    >>> len(verdicts), verdicts.outcome.name
    (1, 'HOLDS')
    """

    found: tuple[Verdict, ...]

    @overload
    def __getitem__(self, at: int) -> Verdict: ...
    @overload
    def __getitem__(self, at: slice) -> Verdicts: ...
    def __getitem__(self, at: int | slice) -> Verdict | Verdicts:
        return Verdicts(self.found[at]) if isinstance(at, slice) else self.found[at]

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.found)

    @property
    def outcome(self) -> Outcome:
        """The worst of them: VIOLATED, then NOT_EVALUATED, UNDECIDED, VACUOUS; HOLDS only if each is. Nothing asked is VACUOUS.

        One verdict is HOLDS where its claim was decided at some k >= 1 and fails at none; `counts` says how many k are undecided.
        """
        seen = {verdict.outcome for verdict in self.found}
        for worst in (Outcome.VIOLATED, Outcome.NOT_EVALUATED, Outcome.UNDECIDED, Outcome.VACUOUS):
            if worst in seen:
                return worst
        return Outcome.HOLDS if seen else Outcome.VACUOUS

    def explain(self) -> str:
        """A line for each."""
        return "\n".join(f"{verdict.cell}: {verdict.explain()}" for verdict in self.found)

    def to_pandas(self) -> Any:
        """A row for each claim, M, run and k: both sides, their ratio, the outcome, and whether it is certified.

        A claim that could not be asked has one row, without a k, that says why.
        """
        frames = pandas()
        rows = [row for verdict in self.found for row in _rows(verdict)]
        names = ["claim", "problem", "run", "M", "parameters", "k", "lhs", "rhs", "ratio", "outcome", "certified", "reason"]
        table = frames.DataFrame(rows, columns=names)
        return table.astype({"k": "Int64", "lhs": "float64", "rhs": "float64", "ratio": "float64", "certified": "bool"})

    def plot(self, ax: Any = None) -> Any:
        """Both sides against k, on a logarithmic scale; a cross where the claim is violated. Returns the axes."""
        ax = axes(ax)
        drawn = False
        for verdict in self.found:
            if verdict.left is None or verdict.right is None or not len(verdict.outcomes):
                continue
            k = verdict.first_k + np.arange(len(verdict.outcomes))
            (line,) = ax.plot(k, verdict.left, label=plot_text(f"left side, {_where(verdict)}"))
            ax.plot(k, verdict.right, "--", color=line.get_color(), label="right side")
            bad = verdict.outcomes == Outcome.VIOLATED
            if bad.any():
                ax.plot(k[bad], verdict.left[bad], "x", color=COLOURS["VIOLATED"], label=f"violated, {verdict.grade}")
            drawn = True
        ax.set_xlabel("k")
        if drawn:
            ax.set_yscale("log")
            ax.legend(fontsize="small")
        else:
            ax.set_title("nothing to draw: no claim was asked at any k")
        return ax

    def __bool__(self) -> NoReturn:
        told = f"a sequence of verdicts (here {len(self.found)}, {self.outcome.name})"
        raise TypeError(NO_TRUTH_VALUE.format(told, "verdicts.outcome", "verdicts"))

    def __repr__(self) -> str:
        return "\n".join([*as_text(self.found), *(line for note in self._notes() for line in folded(note))])

    def _repr_html_(self) -> str:
        titles, colours = [reason(v) for v in self.found], [COLOURS[v.outcome.name] for v in self.found]
        table = html_table(HEADINGS, [_html_cells(v) for v in self.found], titles=titles, colours=colours)
        notes = "".join(f"<div>{html_text(note)}</div>" for note in self._notes())
        return f"{table}{notes}"

    def _notes(self) -> list[str]:
        return [f"note: {note}" for note in dict.fromkeys(note for verdict in self.found for note in verdict.notes)]


def _where(verdict: Verdict) -> str:
    return f"{verdict.cell.claim.split('/', 1)[-1]}{_letters(verdict)}, {verdict.cell.method}"


def _letters(verdict: Verdict) -> str:
    return f" ({letters(verdict)})" if letters(verdict) else ""


def _html_cells(verdict: Verdict) -> tuple[str, ...]:
    cell, why = verdict.cell, reason(verdict)
    rest = (cell.claim, letters(verdict).removeprefix("M="), cell.method, at(verdict), tightest(verdict))
    return verdict.label, *rest, why if len(why) <= LONGEST else why[: LONGEST - 3] + "..."


def _rows(verdict: Verdict) -> Iterator[tuple[Any, ...]]:
    cell = verdict.cell
    parameters = ", ".join(f"{name}={value}" for name, value in cell.parameters)
    where = (cell.claim, cell.problem, cell.method, cell.smoothness, parameters)
    if not len(verdict.outcomes):
        yield *where, None, np.nan, np.nan, np.nan, verdict.outcome.name, False, verdict.reason
        return
    sides = [np.full(len(verdict.outcomes), np.nan) if side is None else side for side in (verdict.left, verdict.right)]
    for n, outcome in enumerate(verdict.outcomes.tolist()):
        decided = outcome in (Outcome.HOLDS, Outcome.VIOLATED)
        left, right = float(sides[0][n]), float(sides[1][n])
        ratio = left / right if right > 0 else np.nan
        why = "" if outcome == Outcome.HOLDS else verdict.reason
        yield *where, verdict.first_k + n, left, right, ratio, Outcome(outcome).name, verdict.certified and decided, why
