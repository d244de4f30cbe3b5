"""The picture of a counterexample: the function, the iterates on it, and both sides of the claim in exact numbers."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import log10
from typing import Any

from flint import fmpq

from boundcheck.arithmetic.balls.plain import Precision
from boundcheck.certificates.picture.one_variable import colour, draw_line
from boundcheck.certificates.picture.scene import BITS, LEAST, MEAN, Mark, Scene, as_float, scene
from boundcheck.certificates.picture.svg import BLUE, LETTERS, RED, Drawing, PlotFrame, around, number_text
from boundcheck.certificates.picture.two_variables import draw_plane
from boundcheck.claims.bound import PRINTED, Bound

WIDE_SPREAD = 100.0  # largest over smallest: beyond it the scale is logarithmic


def draw_values(drawing: Drawing, scene: Scene, left: float, top: float, width: float, height: float) -> None:
    """f(x_k) - f* against k, f(x_k) where f* is not known."""
    least = scene.minimiser.height if scene.minimiser is not None else 0.0
    marks = [mark for mark in scene.marks if mark.kind not in (LEAST, MEAN)]
    heights = [mark.height - least for mark in marks]
    logarithmic = min(heights) > 0 and max(heights) > WIDE_SPREAD * min(heights)
    seen = [log10(h) if logarithmic else h for h in heights]
    last = max(max(mark.k for mark in marks), 1)
    low, high = around(seen if logarithmic else [*seen, 0.0], 0.1)
    frame = PlotFrame(-0.04 * last, 1.04 * last, low, high, left + 60, top + 18, width - 60, height - 50)
    what = "f − f*" if scene.minimiser is not None else "f"
    drawing.text(
        left,
        top + 10,
        f"{what} along the run in {scene.dimension} dimensions{', logarithmic scale' if logarithmic else ''}",
        size=12,
    )
    axis = frame.top + frame.height
    drawing.line(frame.left, axis, frame.left + frame.width, axis, opacity="0.6")
    drawing.line(frame.left, frame.top, frame.left, axis, opacity="0.6")
    places = dict(zip(marks, seen, strict=True))
    for kind, role in scene.paths:
        own = scene.path(kind, role)
        for a, b in pairwise(own):
            drawing.line(frame.x(a.k), frame.y(places[a]), frame.x(b.k), frame.y(places[b]), colour(b), opacity="0.7")
        for mark in own:
            drawing.circle(frame.x(mark.k), frame.y(places[mark]), 4, colour(mark), mark.told)
    for k in {0, last // 2, last}:
        drawing.text(frame.x(k), axis + 17, f"k = {k}", "middle", 12)
    for height, value in sorted({(min(seen), min(heights)), (max(seen), max(heights))}):
        drawing.text(frame.left - 6, frame.y(height) + 4, f"{value:.3g}", "end", 12)
    _starts(drawing, frame, marks, places)


def _starts(drawing: Drawing, frame: PlotFrame, marks: list[Mark], places: dict[Mark, float]) -> None:
    first = marks[0]
    drawing.text(frame.x(first.k) + 9, frame.y(places[first]) - 8, first.worth, size=12)


HEIGHT = 100
LONGEST = 96  # characters of a formula that are read at a glance
BAR = 300


def draw_sides(drawing: Drawing, scene: Scene, left: float, top: float) -> None:
    """Two rows: the formula, the bar, the value; then what is false."""
    values = {"left": scene.left, "right": scene.right}
    sizes = {side: as_float(value) for side, value in values.items()}
    low, high = min(0.0, *sizes.values()), max(0.0, *sizes.values())
    scale = BAR / (high - low) if high > low else 1.0
    zero = left - low * scale
    for n, (side, tint) in enumerate((("left", BLUE), ("right", RED))):
        y, length = top + 40 * n, sizes[side] * scale
        drawing.text(left, y, f"{side} side: {shortened(scene.formula(side))}", size=12.5)
        drawing.bar(zero + min(length, 0.0), y + 8, abs(length), 11, tint)
        drawing.line(zero, y + 5, zero, y + 22)
        drawing.text(max(zero + length, zero) + 8, y + 18, with_digits(values[side]), font_weight="bold")
    drawing.text(left, top + 84, false(scene))


def shortened(text: str, longest: int = LONGEST) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip(" _^") + "…"


def with_digits(value: Any) -> str:
    """5/3 ≈ 1.6667; 5/2 = 2.5; 2 alone."""
    told = number_text(value)
    if told.startswith("≈") or not isinstance(value, fmpq) or value.q == 1:
        return told
    digits = f"{as_float(value):.5g}"
    is_it = Fraction(digits) == Fraction(int(value.p), int(value.q))
    return f"{told} {'=' if is_it else '≈'} {digits}"


def false(scene: Scene) -> str:
    """The claim says left <= right: false, the left side is larger by 1/16, 4 % of the right side."""
    sign, a, b = LETTERS.get(scene.op, scene.op), as_float(scene.left), as_float(scene.right)
    both_exact = isinstance(scene.left, fmpq) and isinstance(scene.right, fmpq)
    if both_exact and scene.left == scene.right:
        return f"The claim says left {sign} right: false, the two are equal."
    apart = number_text(abs(scene.left - scene.right)).removeprefix("≈ ") if both_exact else f"{abs(a - b):.4g}"
    part = f", {100 * abs(a - b) / abs(b):.3g} % of the right side" if b else ""
    return f"The claim says left {sign} right: false, the left side is {'larger' if a > b else 'smaller'} by {apart}{part}."


WIDTH, GRAPH, MARGIN, TOP = 720, 270, 24, 44


def picture(bound: Bound, *, alone: bool = False) -> str | None:
    """The counterexample of a false claim as SVG, from its kept certificate or its instance; None where there is nothing to draw.

    `alone`: for a file of its own, light or dark as the reader has it; else it has no ground, and the colour of its page.
    """
    found = scene(bound)
    if found is None or not found.marks:
        return None
    with Precision(BITS[0]):
        return _drawn(found, alone)


def _drawn(shown: Scene, alone: bool) -> str:
    drawing = Drawing(WIDTH, TOP + GRAPH + 30 + HEIGHT)
    where = f", here at {shown.where}" if shown.where else ""
    told = "as printed" if shown.bound.reading == PRINTED else f"in the reading “{shown.bound.reading.replace('-', ' ')}”"
    title = f"{shown.bound.label} {told} is false{where}"
    drawing.text(MARGIN, 24, title, size=16, font_weight="bold")
    draw = {1: draw_line, 2: draw_plane}.get(shown.dimension, draw_values)
    draw(drawing, shown, MARGIN, TOP, WIDTH - 2 * MARGIN, GRAPH)
    draw_sides(drawing, shown, MARGIN, TOP + GRAPH + 30)
    return drawing.svg(title, str(shown.data["words"]), alone)
