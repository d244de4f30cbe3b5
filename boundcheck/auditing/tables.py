"""An audit on a terminal: the line at the top, then tables."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from boundcheck.auditing.behaviour import KINDS
from boundcheck.auditing.compared import many
from boundcheck.verdict import NEAR

if TYPE_CHECKING:
    from boundcheck.auditing.audit import Audit
    from boundcheck.auditing.comparison import Lane
    from boundcheck.auditing.results import Theorem

STYLES = {"CLEAN": "green", "WRONG": "red", "FAULTY": "red", "VIOLATED": "red", "LOOKS LIKE": "yellow", "HOLDS": "green"}
WIDTH = 170


def whole(audit: Audit) -> Group:
    """Everything, the most important first."""
    return Group(headline(audit), details(audit))


def details(audit: Audit) -> Group:
    """All but the line at the top."""
    parts: list[Any] = [Text(f"  {detail}") for detail in audit.diagnosis.details]
    parts += [Text(f"  {error}", style="red") for error in audit.errors]
    parts += [Text(), theorems(audit), Text(beside(audit), style="dim"), Text(), behaviour(audit)]
    parts += [Text(), comparison(audit)] if audit.races else []
    parts += [Text(f"left out: {line}", style="dim") for line in (*audit.skipped, *audit.checked.skipped)]
    return Group(*parts)


def headline(audit: Audit) -> Text:
    word, _, rest = audit.verdict.partition(": ")
    return Text.assemble((f"{word}: ", f"bold {STYLES.get(word, 'yellow')}"), rest)


def _table(title: str, *columns: str) -> Table:
    table = Table(
        *columns, title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False
    )
    for column in table.columns:
        column.no_wrap, column.overflow = True, "ellipsis"
    return table


def shown(audit: Audit) -> list[Theorem]:
    """The theorems that a person looks for: those that fail, then those that apply, then main ones that do not."""
    rank = {"VIOLATED": 0, "HOLDS": 1, "UNDECIDED": 2}
    found = [one for one in audit.checked.theorems if one.is_main or one.violation is not None]
    return sorted(found, key=lambda one: rank.get(one.word, 3))


def theorem_rows(audit: Audit) -> Iterator[tuple[str, ...]]:
    for one in shown(audit):
        held = [M for M, word in one.smoothness.items() if word == one.word] if one.applies else list(one.smoothness)
        name = one.bound.id.partition("/")[2].removesuffix("@printed")
        yield one.word, name, one.reach, one.grade.replace(NEAR, "near"), " ".join(held), _told(one)


def _told(one: Theorem) -> str:
    """Where it fails, where it is tightest, or why it does not apply."""
    failed = one.violation
    if failed is not None and failed.violation is not None:
        return f"{failed.violation} [{failed.cell.problem}]"
    return one.where if one.applies else one.reason


THEOREMS = ("", "theorem", "problems", "cells", "M", "left over right at its tightest; or why it does not apply")


def theorems(audit: Audit) -> Table:
    table = _table(f"Theorems, on {many(len(audit.checked.problems), 'problem')}", *THEOREMS)
    for word, *rest in theorem_rows(audit):
        table.add_row(Text(word, style=STYLES.get(word, "yellow")), *rest)
    return table


def beside(audit: Audit) -> str:
    """What is said of the statements that are not shown, and of what HOLDS means."""
    others = [one for one in audit.checked.theorems if not one.is_main]
    held = sum(one.word == "HOLDS" for one in others)
    rest = f"{held} of {len(others)} other statements apply and hold; " if others else ""
    return f"{rest}near: {NEAR}; HOLDS is about these runs, and no proof of the theorem"


BEHAVIOUR = ("problem", "steps", *(f"eta {kind} < 2" for kind in KINDS), "what happens")


def behaviour_rows(audit: Audit) -> Iterator[tuple[str, ...]]:
    for one in audit.behaviours:
        adapted = (str(one.adapted[kind]) if one.adapted[kind] is not None else "-" for kind in KINDS)
        yield one.problem, str(one.steps), *adapted, one.words + (f" ({one.ended})" if one.ended and one.steps else "")


def behaviour(audit: Audit) -> Table:
    table = _table("Behaviour: share of adapted steps, and the range of eta M along the path", *BEHAVIOUR)
    for row in behaviour_rows(audit):
        table.add_row(*row)
    return table


def comparison_columns(audit: Audit) -> tuple[str, ...]:
    goals = next((lane.reached for race in audit.races for lane in race.lanes), {})
    return ("problem", "rule", *(f"gap {goal:g}" for goal in goals), "went no further because")


def comparison_rows(audit: Audit) -> Iterator[tuple[str, ...]]:
    for race in audit.races:
        if not race.lanes:
            yield race.problem, race.why
        for lane in race.lanes:
            yield race.problem, lane.rule, *_reached(lane), lane.why


def _reached(lane: Lane) -> Iterator[str]:
    for at in lane.reached.values():
        yield "-" if at is None else f"{at.k} ({at.total})"


def comparison(audit: Audit) -> Table:
    title = "Iterations (and oracle calls) until f - f* is this share of what it was at x_0"
    table = _table(title, *comparison_columns(audit))
    before = ""
    for problem, *rest in comparison_rows(audit):
        table.add_row("" if problem == before else problem, *rest)
        before = problem
    return table


def as_text(audit: Audit, width: int = WIDTH) -> str:
    """Without colours, the line at the top in one line."""
    out = StringIO()
    Console(file=out, width=width, highlight=False).print(details(audit), markup=False)
    return "\n".join([audit.verdict, *(line.rstrip() for line in out.getvalue().rstrip().splitlines())])
