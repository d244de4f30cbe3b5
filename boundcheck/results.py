"""Verdicts together, as people look at them: a table, a data frame, a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, overload

import numpy as np

from boundcheck.looking import axes, pandas
from boundcheck.verdict import Outcome, Verdict

COLOURS = {"HOLDS": "green", "VIOLATED": "red", "UNDECIDED": "#b8860b", "VACUOUS": "#b8860b"}
HEADINGS = ("outcome", "claim", "M", "run", "k", "tightest", "why")
LONGEST = 110  # of a reason in a table; Verdict.explain() has all of it


@dataclass(frozen=True, repr=False)
class Verdicts(Sequence[Verdict]):
    """The verdicts of some claims on a trace: a sequence, one for each claim, choice of M and parameters, and run."""

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
        """VIOLATED if any is; HOLDS only if all hold; else UNDECIDED if any is, else VACUOUS. Nothing asked is VACUOUS."""
        seen = {verdict.outcome for verdict in self.found}
        for worst in (Outcome.VIOLATED, Outcome.UNDECIDED, Outcome.VACUOUS):
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
            (line,) = ax.plot(k, verdict.left, label=f"left side, {_where(verdict)}")
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

    def __repr__(self) -> str:
        from io import StringIO

        from rich import box
        from rich.console import Console
        from rich.table import Table

        table = Table(*HEADINGS[:-1], box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        reasons: dict[tuple[str, str], list[str]] = {}
        for verdict in self.found:
            *row, why = _cells(verdict)
            table.add_row(*row)
            if why:
                reasons.setdefault((verdict.cell.claim, why), []).append(_letters(verdict).strip(" ()"))
        out = StringIO()
        Console(file=out, width=160, highlight=False).print(table, markup=False)
        lines = [line.rstrip() for line in out.getvalue().rstrip().splitlines()]
        told = [f"{claim}{_joined(letters)}: {why}" for (claim, why), letters in reasons.items()]
        return "\n".join([*lines, *told, *self._notes()])

    def _repr_html_(self) -> str:
        head = "".join(f"<th style='text-align:left'>{word}</th>" for word in HEADINGS)
        body = "".join(_html_row(verdict) for verdict in self.found)
        notes = "".join(f"<div>{escape(note)}</div>" for note in self._notes())
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"

    def _notes(self) -> list[str]:
        return [f"note: {note}" for note in dict.fromkeys(note for verdict in self.found for note in verdict.notes)]


def _joined(letters: list[str]) -> str:
    told = [each for each in dict.fromkeys(letters) if each]
    return f" ({'; '.join(told)})" if told else ""


def _where(verdict: Verdict) -> str:
    return f"{verdict.cell.claim.split('/', 1)[-1]}{_letters(verdict)}, {verdict.cell.method}"


def _letters(verdict: Verdict) -> str:
    M = [f"M={verdict.cell.smoothness}"] if verdict.cell.smoothness else []
    letters = [*M, *(f"{name}={value}" for name, value in verdict.cell.parameters)]
    return f" ({', '.join(letters)})" if letters else ""


def _cells(verdict: Verdict) -> tuple[str, ...]:
    """A row of the table."""
    counts = ", ".join(f"{n} {o.name.lower()}" for o, n in verdict.counts.items() if n) or "none"
    letters = _letters(verdict).strip(" ()").removeprefix("M=")
    tightest = f"{verdict.tightest.ratio:.4g} at k = {verdict.tightest.k}" if verdict.tightest is not None else ""
    why = verdict.reason
    if verdict.outcome is Outcome.VIOLATED and verdict.violation is not None:
        why = f"{verdict.violation}{'; ' + why if why else ''}"
    return verdict.label, verdict.cell.claim, letters, verdict.cell.method, counts, tightest, why


def _html_row(verdict: Verdict) -> str:
    label, *rest, why = _cells(verdict)
    short = why if len(why) <= LONGEST else why[: LONGEST - 3] + "..."
    cells = "".join(f"<td style='text-align:left'>{escape(text)}</td>" for text in (*rest, short))
    colour = COLOURS[verdict.outcome.name]
    return f"<tr title='{escape(why, quote=True)}'><td style='text-align:left;color:{colour}'>{escape(label)}</td>{cells}</tr>"


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
