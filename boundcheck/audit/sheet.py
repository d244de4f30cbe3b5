"""A table whose cells are never cut: in a narrow place each row becomes a few lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from boundcheck.support.table import Row

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
