"""A table whose cells are never cut: in a narrow place each row becomes a few lines."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

Row = Sequence[str]
GAP, LEAST, INDENT = 2, 30, 4  # between columns; of the last column; of the lines below a row's first one


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


def flow(parts: Sequence[str], width: int, indent: int = INDENT) -> Iterator[str]:
    """Parts on as few lines as they need. A part that fits on a line is not broken; a longer one is, between words."""
    room, line = max(width - indent, 1), ""
    for part in (part for part in parts if part):
        longer = f"{line}  {part}" if line else part
        if line and len(longer) > room:
            yield " " * indent + line
            longer = part
        *full, line = textwrap.wrap(longer, room) if len(longer) > room else [longer]
        yield from (" " * indent + one for one in full)
    if line:
        yield " " * indent + line


def aligned(rows: Sequence[Row]) -> list[str]:
    """Cells below each other."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))] if rows else []
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
