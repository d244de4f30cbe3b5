"""Displayed formulas: which of their rows have a number."""

from __future__ import annotations

from dataclasses import dataclass, field

ONE_NUMBER = ("equation", "multline", "displaymath")
ONE_A_ROW = ("align", "gather", "eqnarray", "flalign", "alignat", "xalignat")
NOT_UNDERSTOOD = ("dmath", "dgroup", "dseries", "darray", "IEEEeqnarray", "IEEEeqnarraybox", "empheq", "numcases", "subnumcases")
NEVER = ("displaymath", "xxalignat")


@dataclass
class DisplayRow:
    """A row of a display, as far as it was read."""

    first: int
    last: int
    is_numbered: bool
    is_empty: bool = True
    tag: str | None = None
    labels: list[str] = field(default_factory=list)


@dataclass
class Display:
    """A display that is being read."""

    first: int
    is_numbered: bool  # unless a row says otherwise
    has_rows: bool  # \\ ends a row of its own number
    row: DisplayRow
    numbers: list[str] = field(default_factory=list)  # of the rows so far
    labels: list[str] = field(default_factory=list)

    def begin_row(self, line: int) -> None:
        self.row = DisplayRow(line, line, self.is_numbered)

    @property
    def words(self) -> str:
        """`Equation (7)` where it has one number, `Equations (7)-(9)` where it has several."""
        if len(self.numbers) > 1:
            return f"Equations ({self.numbers[0]})-({self.numbers[-1]})"
        return f"Equation ({self.numbers[0]})" if self.numbers else ""


def display(environment: str, line: int) -> Display | None:
    """The display that an environment begins; None where it is none, or none that is understood."""
    name = environment.removesuffix("*")
    if name not in (*ONE_NUMBER, *ONE_A_ROW, *NEVER):
        return None
    is_numbered = name == environment and name not in NEVER
    return Display(line, is_numbered, name in ONE_A_ROW, DisplayRow(line, line, is_numbered))
