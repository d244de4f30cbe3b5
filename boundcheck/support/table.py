"""The layout of a table as text, Markdown, HTML and LaTeX, and the renderer of templates: no word of a cell becomes markup."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.ext import Extension
from markupsafe import Markup

from boundcheck.support.escaping import latex_text, markdown_row

if TYPE_CHECKING:
    from markupsafe import Markup

BREAK = re.compile(r"(?<=[>}])\s*\n\s*|\s*\n\s*(?=[<{])")


class _Layout(Extension):
    """A line break beside an element or a statement, with its indentation, writes nothing: a space that counts stands in a line.

    Comments take the place of the breaks, so that an error still names the right line of the template.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return BREAK.sub(lambda found: "{#" + "\n" * found[0].count("\n") + "#}", source)


@cache
def templates(package: str) -> Environment:
    """Return the templates in the folder `templates` of a package. A name that a template was not given is an error."""
    made = Environment(loader=PackageLoader(package), autoescape=True, undefined=StrictUndefined, extensions=[_Layout])
    made.filters["json"] = json_text
    return made


def json_text(value: Any) -> Markup:
    """Return JSON that may stand in a <script> element: nothing in it can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("<", "\\u003c"))  # which is in strings only


def render(package: str, template: str, **given: Any) -> Markup:
    """Return what a template of a package makes of what it is given."""
    return Markup(templates(package).get_template(f"{template}.html.j2").render(**given))


Row = Sequence[str]
GAP = "  "  # between the columns of aligned text
INDENT = 4  # of the lines below the first one of a row that became several


class LatexCell(str):
    """A cell that is LaTeX already. Any other cell of a LaTeX table is escaped."""


# -- text ----------------------------------------------------------------------------------------------------------------


def aligned(rows: Sequence[Row]) -> list[str]:
    """Return one line a row, with the cells of a column below each other."""
    widths = _widths(rows)
    return [GAP.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def folded_columns(rows: Sequence[Row], width: int, *, narrowest: int, between: str, indent: str = "") -> list[list[str]]:
    """Return the lines of each row within `width`: while the columns need more, the widest one is made narrower.

    No column is made narrower than `narrowest`, and a word is broken only where it is longer than its column.
    """
    widths = _widths(rows)
    room = width - len(indent) - len(between) * (len(widths) - 1)
    while sum(widths) > room and max(widths) > narrowest:
        widths[widths.index(max(widths))] -= 1
    return [_folded_row(row, widths, between, indent) for row in rows]


def _folded_row(row: Row, widths: Sequence[int], between: str, indent: str) -> list[str]:
    cells = [wrap(cell, width, break_on_hyphens=False) for cell, width in zip(row, widths, strict=True)]
    lines = zip_longest(*cells, fillvalue="")
    return [(indent + between.join(part.ljust(w) for part, w in zip(line, widths, strict=True))).rstrip() for line in lines]


def _widths(rows: Sequence[Row]) -> list[int]:
    return [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]


def flowing(parts: Iterable[str], width: int, indent: int = INDENT) -> Iterator[str]:
    """Yield the cells of a row on as few lines as they need, for a place that is too narrow for columns.

    A part that fits on a line is not broken; a longer one is, between words.
    """
    room, line = max(width - indent, 1), ""
    for part in (part for part in parts if part):
        longer = f"{line}{GAP}{part}" if line else part
        if line and len(longer) > room:
            yield " " * indent + line
            longer = part
        *full, line = wrap(longer, room) if len(longer) > room else [longer]
        yield from (" " * indent + one for one in full)
    if line:
        yield " " * indent + line


# -- Markdown, HTML, LaTeX -------------------------------------------------------------------------------------------------


def markdown_table(columns: Row, rows: Iterable[Row]) -> list[str]:
    """Return the lines of a Markdown table. A row that is too short ends in empty cells."""
    lines = [markdown_row(columns), "|---" * len(columns) + "|"]
    return lines + [markdown_row((*row, *[""] * (len(columns) - len(row)))) for row in rows]


def html_table(columns: Row, rows: Iterable[Row], *, titles: Row = (), colours: Row = ()) -> Markup:
    """Return an HTML table for a notebook. A row may have a title, shown under the mouse, and a colour for its first cell."""

    lines = [line for line in zip_longest(rows, titles, colours) if line[0] is not None]
    return render("boundcheck.support", "table", columns=columns, lines=lines)


def latex_table(alignment: str, columns: Row, rows: Iterable[Row], *, caption: str, label: str) -> str:
    """Return a longtable with booktabs rules. `alignment` and `caption` are LaTeX; cells are escaped unless `LatexCell`."""
    names = _latex_row(columns)
    lines = [f"\\begin{{longtable}}{{{alignment}}}", f"\\caption{{{caption}}}\\label{{{label}}}\\\\"]
    lines += ["\\toprule", names, "\\midrule", "\\endfirsthead", "\\toprule", names, "\\midrule", "\\endhead"]
    lines += ["\\bottomrule", "\\endlastfoot", *map(_latex_row, rows), "\\end{longtable}"]
    return "\n".join(lines) + "\n"


def _latex_row(row: Row) -> str:
    return " & ".join(cell if isinstance(cell, LatexCell) else latex_text(cell) for cell in row) + " \\\\"
