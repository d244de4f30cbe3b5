"""A small writer of SVG: text, formulas and axes in the colour of the page around it, no ground of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from typing import Any

from flint import fmpq

LETTERS = {
    **{"eta": "η", "gamma": "γ", "mu": "μ", "alpha": "α", "lambda": "λ", "delta": "δ", "Delta": "Δ", "eps": "ε"},
    **{"sum": "Σ", "prod": "Π", "sqrt": "√", "grad f": "∇f", "<=": "≤", ">=": "≥", "==": "="},
}
_LETTERS = re.compile(r"(?<![A-Za-z])(eta|gamma|mu|alpha|lambda|delta|Delta|eps|sum|prod|sqrt|grad f)(?![A-Za-z])|<=|>=|==")
_WORD = re.compile(r"[^\W_]+")
LONGEST = 22  # characters of a number that are read at a glance
SMALL = 9.5


def greek(text: str) -> str:
    return _LETTERS.sub(lambda found: LETTERS[found[0]], text)


def rich(text: str) -> str:
    """SVG of a formula: x_{k+1} lowered, |x|^2 raised. What is lowered inside a lowered part stands beside it."""
    made, at = "", 0
    while at < len(text):
        if text[at] not in "_^" or at + 1 == len(text):
            made, at = made + escape(text[at], quote=False), at + 1
            continue
        inside, end = _part(text, at + 1)
        by = 3 if text[at] == "_" else -5
        flat = escape(inside.replace("_", "").replace("{", "").replace("}", ""), quote=False)
        made += f'<tspan dy="{by}" font-size="{SMALL}">{flat}</tspan><tspan dy="{-by}">\u200b</tspan>'
        at = end
    return made


def _part(text: str, at: int) -> tuple[str, int]:
    """Return what is raised or lowered from here on, and where it ends: {...}, (...), or a word."""
    if text[at] in "{(":
        depth, end = 0, at
        for end in range(at, len(text)):
            depth += (text[end] in "{(") - (text[end] in "})")
            if not depth:
                break
        return text[at : end + 1], end + 1
    word = _WORD.match(text, at)
    return (word[0], word.end()) if word else (text[at], at + 1)


def number_text(value: Any) -> str:
    """Return a short fraction as it is; a longer one, or a number that is no fraction, by its digits: ≈ 0.125."""
    if isinstance(value, fmpq) and len(str(value)) <= LONGEST:
        return str(value)
    return f"≈ {float(Fraction(str(value)) if isinstance(value, fmpq) else value):.6g}"


def point(values: Any) -> str:
    shown = [number_text(value) for value in values]
    return shown[0] if len(shown) == 1 else f"({', '.join(s.removeprefix('≈ ') for s in shown)})"


def equals(name: str, told: str) -> str:
    """x₀ = 9/2; x₀ ≈ 0.125."""
    return f"{name} {told}" if told.startswith("≈") else f"{name} = {told}"


BLUE, ORANGE, GREEN, RED, PURPLE = "#2586c8", "#e08a00", "#009e73", "#d55e00", "#b86a9b"  # told apart by the colour-blind
FONT = 13
ALONE = (
    "<style>.b{fill:#fff}@media(prefers-color-scheme:dark){svg{color:#e8e8e8}.b{fill:#161b22}}</style>"
    '<rect class="b" width="100%" height="100%" rx="6"/>'
)


def number(value: float) -> str:
    """Return a coordinate: one digit after the point, none where it is 0, and never -0."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def wide(text: str, size: float = FONT) -> float:
    """Return about how many pixels a text takes."""
    return 0.56 * size * len(text)


@dataclass
class Drawing:
    """What was drawn, in order."""

    width: float
    height: float
    parts: list[str] = field(default_factory=list)

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str = "currentColor", **style: object) -> None:
        ends = f'x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}"'
        self.parts.append(f'<line {ends} stroke="{colour}"{_attributes(style)}/>')

    def path(self, d: str, colour: str = "currentColor", **style: object) -> None:
        self.parts.append(f'<path d="{d}" fill="none" stroke="{colour}"{_attributes(style)}/>')

    def circle(self, x: float, y: float, r: float, colour: str, title: str = "", hollow: bool = False) -> None:
        shown = f"<title>{escape(title)}</title>" if title else ""
        paint = f'fill="none" stroke="{colour}" stroke-width="2"' if hollow else f'fill="{colour}"'
        end = f">{shown}</circle>" if shown else "/>"
        self.parts.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" {paint}{end}')

    def diamond(self, x: float, y: float, r: float, colour: str = "currentColor", title: str = "") -> None:
        d = f"M{number(x - r)} {number(y)}L{number(x)} {number(y - r)}L{number(x + r)} {number(y)}L{number(x)} {number(y + r)}Z"
        shown = f"<title>{escape(title)}</title>" if title else ""
        self.parts.append(f'<path d="{d}" fill="{colour}"{f">{shown}</path>" if shown else "/>"}')

    def bar(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        box = f'x="{number(x)}" y="{number(y)}" width="{number(max(width, 1))}" height="{number(height)}"'
        self.parts.append(f'<rect {box} fill="{colour}"/>')

    def text(self, x: float, y: float, text: str, anchor: str = "start", size: float = FONT, **style: object) -> None:
        where = f'x="{number(x)}" y="{number(y)}"'
        where += "" if anchor == "start" else f' text-anchor="{anchor}"'
        where += "" if size == FONT else f' font-size="{number(size)}"'
        self.parts.append(f"<text {where}{_attributes(style)}>{rich(text)}</text>")

    def svg(self, title: str, described: str, alone: bool = False) -> str:
        """Return the file.

        `alone`: on a ground of its own, light or dark as the reader has it; else in the colour of the page.
        """
        size = f'viewBox="0 0 {number(self.width)} {number(self.height)}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="sans-serif" font-size="{FONT}"'
        told = f"<title>{escape(title, quote=False)}</title><desc>{escape(described, quote=False)}</desc>"
        shade = f'color="{"#111" if alone else "currentColor"}"'
        body = "\n".join(self.parts)
        return f'{head} {shade}>{told}{ALONE if alone else ""}\n<g fill="currentColor">\n{body}\n</g></svg>\n'


def _attributes(style: dict[str, object]) -> str:
    return "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())


@dataclass(frozen=True)
class PlotFrame:
    """Where the plane of the picture lies on the drawing: [x0, x1] x [y0, y1] in a box."""

    x0: float
    x1: float
    y0: float
    y1: float
    left: float
    top: float
    width: float
    height: float

    def x(self, value: float) -> float:
        return self.left + (value - self.x0) / (self.x1 - self.x0) * self.width

    def y(self, value: float) -> float:
        return self.top + (self.y1 - value) / (self.y1 - self.y0) * self.height

    def at(self, x: float, y: float) -> str:
        return f"{number(self.x(x))} {number(self.y(y))}"


def around(values: list[float], part: float = 0.12) -> tuple[float, float]:
    """Return an interval with a margin around these numbers."""
    low, high = min(values), max(values)
    margin = part * (high - low) if high > low else max(abs(low), 1.0) / 2
    return low - margin, high + margin


SIZE = 12
LINE = 13.0  # pixels from one line of text to the next
AROUND = ((9, -7), (9, 15), (-9, -7), (-9, 15), (0, -13), (0, 22), (14, 4), (-14, 4), (20, -24), (-20, -24), (26, 30), (-26, 30))
ALLOWED = 2  # points of a curve that a label may touch

Box = tuple[float, float, float, float]


@dataclass
class Labels:
    """The places that are taken: boxes of labels, and points of curves and marks."""

    drawing: Drawing
    frame: PlotFrame
    boxes: list[Box] = field(default_factory=list)
    points: list[tuple[float, float]] = field(default_factory=list)

    def place(self, x: float, y: float, texts: Iterable[str]) -> bool:
        """Write the first text that finds a free place near (x, y)."""
        for text in texts:
            free = [
                (self._hidden(box), n, at, box) for n, at in enumerate(AROUND) if (box := self._box(x, y, at, text)) is not None
            ]
            if free and (best := min(free))[0] <= ALLOWED:
                _, _, (across, down), box = best
                anchor = "middle" if across == 0 else "start" if across > 0 else "end"
                self.drawing.text(x + across, y + down, text, anchor, SIZE)
                self.boxes.append(box)
                return True
        return False

    def _box(self, x: float, y: float, at: tuple[int, int], text: str) -> Box | None:
        """Return where a text would be; None outside the frame, or over another."""
        long, (across, down) = wide(text, SIZE), at
        left = x + across - (long / 2 if across == 0 else 0 if across > 0 else long)
        box = left - 2, y + down - LINE + 2, left + long + 2, y + down + 3
        frame = self.frame
        inside = frame.left - 16 <= box[0] and box[2] <= frame.left + frame.width + 16
        inside = inside and frame.top - 14 <= box[1] and box[3] <= frame.top + frame.height
        return box if inside and not any(_overlap(box, other) for other in self.boxes) else None

    def _hidden(self, box: Box) -> int:
        return sum(box[0] <= x <= box[2] and box[1] <= y <= box[3] for x, y in self.points)


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
