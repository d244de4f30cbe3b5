"""What numbering a source gives: the number of each label, and what each line stands in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class PrintedNumber:
    """A number as it is printed: `Theorem 3.1`, `Equation (7)`."""

    kind: str
    number: str

    def __str__(self) -> str:
        return f"{self.kind} ({self.number})" if self.kind == "Equation" else f"{self.kind} {self.number}"


@dataclass(frozen=True)
class LineSpan:
    """The lines of a theorem, a proof, a display or a figure, and what it is called; "" where that is not known."""

    first: int
    last: int
    words: str = ""
    what: str = ""  # "theorem", "proof", "display", "row", "float", "abstract"
    labels: tuple[str, ...] = ()

    def holds(self, first: int, last: int) -> bool:
        return self.first <= first and last <= self.last


@dataclass(frozen=True)
class SourceNumbers:
    """The numbers of a source."""

    labels: Mapping[str, PrintedNumber]  # those that are known
    lines: Mapping[str, int]  # of every label
    spans: Sequence[LineSpan]  # inner ones before those around them
    sections: Mapping[int, str] = field(default_factory=dict)  # by line: `Section 4.1`

    def words(self, label: str) -> str:
        """`Theorem 3.1`; "" where the source does not say."""
        return str(self.labels[label]) if label in self.labels else ""

    def around(self, first: int, last: int) -> str:
        """What some lines stand in: the smallest numbered thing that holds them all, at last their section."""
        holding = [span for span in self.spans if span.words and span.holds(first, last)]
        smallest = min(holding, key=lambda span: span.last - span.first, default=None)
        return smallest.words if smallest is not None else self.sections.get(first, "")
