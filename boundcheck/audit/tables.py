"""The text of an audit on a terminal: the line at the top, then tables."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from io import StringIO
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.table import Table
from rich.text import Text

from boundcheck.audit.step_comparison import many
from boundcheck.check.verdict import NEAR
from boundcheck.library.declarations import chord_quantities
from boundcheck.support.table import Row, aligned, flowing

if TYPE_CHECKING:
    from boundcheck.audit.audit import Audit
    from boundcheck.audit.behaviour import Behaviour
    from boundcheck.audit.race import Lane
    from boundcheck.audit.theorem_results import TheoremResult

GAP, LEAST = 2, 30  # between columns; of the last column


@dataclass(frozen=True)
class Sheet:
    """The last column is a sentence, which may be folded. `narrow` makes lines of all rows where the others leave no room."""

    title: str
    columns: Row
    rows: Sequence[Row]
    narrow: Callable[[Sequence[Row], int], Iterator[str]]
    styles: dict[str, str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(self.title, style="bold")
        if self.needs <= options.max_width:
            yield self._table()
            return
        for line in self.narrow(self.rows, options.max_width):
            yield self._styled(line)

    @property
    def needs(self) -> int:
        """The width below which something would be cut."""
        widths = [max(len(row[n]) if n < len(row) else 0 for row in (self.columns, *self.rows)) for n in range(len(self.columns))]
        return sum(widths[:-1]) + GAP * len(widths) + min(widths[-1], LEAST)

    def _table(self) -> Table:
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        for name in self.columns[:-1]:
            table.add_column(name, no_wrap=True)
        table.add_column(self.columns[-1], overflow="fold")
        for row in self.rows:
            table.add_row(*(Text(cell, style=self.styles.get(cell, "")) for cell in row))
        return table

    def _styled(self, line: str) -> Text:
        word = next((word for word in self.styles if line.startswith(f"{word} ")), "")
        return Text.assemble((word, self.styles.get(word, "")), line[len(word) :])


STYLES = {
    "CLEAN": "green",
    "WRONG": "red",
    "FAULTY": "red",
    "VIOLATED": "red",
    "DIVERGES": "red",
    "NOT DETERMINISTIC": "red",
    "LOOKS LIKE": "yellow",
    "HOLDS": "green",
}
OUTCOMES = {"HOLDS": "green", "VIOLATED": "red", "UNDECIDED": "yellow", "DOES NOT APPLY": "yellow"}
UNLIMITED = 100_000  # columns


def whole(audit: Audit) -> Group:
    """Return everything, the most important first."""
    return Group(headline(audit), details(audit))


def details(audit: Audit) -> Group:
    """Return all but the line at the top. Tables without a row are left out."""
    parts: list[Any] = [Text(f"  {detail}") for detail in audit.diagnosis.details]
    if audit.checked.problems:
        parts += [Text(), theorems(audit), Text(beside(audit), style="dim")]
    parts += [Text(), behaviour(audit)]
    parts += [Text(), comparison(audit)] if audit.races else []
    parts += [Text(f"left out: {line}", style="dim") for line in left_out(audit)]
    return Group(*parts)


def left_out(audit: Audit) -> tuple[str, ...]:
    return (*audit.skipped, *audit.checked.skipped)


def headline(audit: Audit) -> Text:
    word, _, rest = audit.verdict.partition(": ")
    return Text.assemble((f"{word}: ", f"bold {STYLES.get(word, 'yellow')}"), rest)


def shown(audit: Audit) -> list[TheoremResult]:
    """Return the theorems that a person looks for: those that fail, then those that apply, then main ones that do not."""
    rank = {"VIOLATED": 0, "HOLDS": 1, "UNDECIDED": 2}
    found = [one for one in audit.checked.theorems if one.is_main or one.violation is not None]
    return sorted(found, key=lambda one: rank.get(one.word, 3))


def theorem_rows(audit: Audit) -> Iterator[tuple[str, ...]]:
    for one in shown(audit):
        held = [M for M, word in one.smoothness.items() if word == one.word] if one.applies else list(one.smoothness)
        name = one.bound.id.partition("/")[2].removesuffix("@printed")
        yield one.word, name, one.reach, one.grade.replace(NEAR, "near"), " ".join(held), _told(one)


def _told(one: TheoremResult) -> str:
    """Return where it fails, where it is tightest, or why it does not apply."""
    failed = one.violation
    if failed is not None and failed.violation is not None:
        return f"{failed.violation} [{failed.cell.problem}]"
    return one.where if one.applies else one.reason


THEOREMS = ("", "theorem", "problems", "cells", "M", "left over right at its tightest; or why it does not apply")


def theorems_title(audit: Audit) -> str:
    return f"Theorems, on {many(len(audit.checked.problems), 'problem')}"


def theorems(audit: Audit) -> Sheet:
    return Sheet(theorems_title(audit), THEOREMS, list(theorem_rows(audit)), _theorem_lines, OUTCOMES)


def _theorem_lines(rows: Sequence[Row], width: int) -> Iterator[str]:
    for word, name, reach, grade, smoothness, told in rows:
        yield f"{word}  {name}"
        on = f"on {reach} problems" if word in ("HOLDS", "VIOLATED") else ""
        tightest = f"left over right {told}" if word == "HOLDS" and told else told
        yield from flowing([on, *grade.split(", "), f"M = {smoothness}" if smoothness else "", tightest], width)


def beside(audit: Audit) -> str:
    """Return what is said of the statements that are not shown, and of what HOLDS means."""
    others = [one for one in audit.checked.theorems if not one.is_main]
    held = sum(one.word == "HOLDS" for one in others)
    rest = f"{held} of {len(others)} other statements apply and hold; " if others else ""
    return f"{rest}near: {NEAR}; HOLDS is about these runs, and no proof of the theorem"


SHARES = "Behaviour: share of adapted steps, and the range of eta M along the path"


def behaviour_columns() -> tuple[str, ...]:
    return ("problem", "steps", *(f"eta {kind} < 2" for kind in chord_quantities()), "what happens")


def behaviour_rows(audit: Audit) -> Iterator[tuple[str, ...]]:
    for one in audit.behaviours:
        shares = (str(share) if share is not None else "-" for share in one.adapted.values())
        yield one.problem, str(one.steps), *shares, _happens(audit, one)


def _happens(audit: Audit, one: Behaviour) -> str:
    if one.error and audit.word == "FAULTY" and one.error == audit.errors[0]:
        return "the rule fails, as the first line says"
    return one.words + (f" ({one.ended})" if one.ended and one.steps else "")


def behaviour(audit: Audit) -> Sheet:
    return Sheet(SHARES, behaviour_columns(), list(behaviour_rows(audit)), _behaviour_lines, {})


def _behaviour_lines(rows: Sequence[Row], width: int) -> Iterator[str]:
    for problem, steps, *adapted, happens in rows:
        yield from flowing([problem, f"{steps} step{'' if steps == '1' else 's'}:", happens], width, 0)
        shares = [f"eta {kind} < 2: {share}" for kind, share in zip(chord_quantities(), adapted, strict=True) if share != "-"]
        yield from flowing(shares, width)


def comparison_columns(audit: Audit) -> tuple[str, ...]:
    goals = next((lane.reached for race in audit.races for lane in race.lanes), {})
    return ("problem", "rule", *(f"gap {goal:g}" for goal in goals), "went no further because")


def comparison_rows(audit: Audit) -> Iterator[tuple[str, ...]]:
    blank = [""] * (len(comparison_columns(audit)) - 3)
    for race in audit.races:
        if not race.lanes:
            yield race.problem, "", *blank, race.why
        for lane in race.lanes:
            yield race.problem, lane.rule, *_reached(lane), lane.why


def _reached(lane: Lane) -> Iterator[str]:
    for at in lane.reached.values():
        yield "-" if at is None else f"{at.k} ({at.total})"


RACE = "Iterations (and oracle calls) until f - f* is this share of what it was at x_0"


def comparison(audit: Audit) -> Sheet:
    columns, rows = comparison_columns(audit), list(comparison_rows(audit))
    firsts = {problem: n for n, (problem, *_) in reversed(list(enumerate(rows)))}
    once = [(problem if firsts[problem] == n else "", *rest) for n, (problem, *rest) in enumerate(rows)]
    return Sheet(RACE, columns, once, partial(_race_lines, columns), {})


def _race_lines(columns: Row, rows: Sequence[Row], width: int) -> Iterator[str]:
    """Yield a block a problem."""
    heading, *lines = aligned([row[1:-1] for row in (columns, *rows)])
    for (problem, *_, why), line in zip(rows, lines, strict=True):
        if problem:
            yield from [problem, f"  {heading}"] if line else [problem]
        if line:
            yield f"  {line}"
        yield from flowing([why], width)


def place_width() -> int:
    """Return columns of the terminal; without one, and without COLUMNS, as many as the lines need."""
    set_to = os.environ.get("COLUMNS", "")
    if set_to.isdigit() and int(set_to) > 0:
        return int(set_to)
    return shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else UNLIMITED


def as_text(audit: Audit, width: int | None = None) -> str:
    """Without colours, the line at the top in one line."""
    out = StringIO()
    Console(file=out, width=width or place_width(), highlight=False, color_system=None).print(details(audit), markup=False)
    return "\n".join([audit.verdict, *(line.rstrip() for line in out.getvalue().rstrip().splitlines())])
