"""More than two variables: f along the path, one mark a step."""

from __future__ import annotations

from itertools import pairwise
from math import log10

from boundcheck.certificates.picture.line import colour
from boundcheck.certificates.picture.scene import LEAST, MEAN, Mark, Scene
from boundcheck.certificates.picture.svg import Drawing, Frame, around

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
    frame = Frame(-0.04 * last, 1.04 * last, low, high, left + 60, top + 18, width - 60, height - 50)
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
    places = dict(zip(map(id, marks), seen, strict=True))
    for kind, role in scene.paths:
        own = scene.path(kind, role)
        for a, b in pairwise(own):
            drawing.line(frame.x(a.k), frame.y(places[id(a)]), frame.x(b.k), frame.y(places[id(b)]), colour(b), opacity="0.7")
        for mark in own:
            drawing.circle(frame.x(mark.k), frame.y(places[id(mark)]), 4, colour(mark), mark.told)
    for k in {0, last // 2, last}:
        drawing.text(frame.x(k), axis + 17, f"k = {k}", "middle", 12)
    for height, value in sorted({(min(seen), min(heights)), (max(seen), max(heights))}):
        drawing.text(frame.left - 6, frame.y(height) + 4, f"{value:.3g}", "end", 12)
    _starts(drawing, frame, marks, places)


def _starts(drawing: Drawing, frame: Frame, marks: list[Mark], places: dict[int, float]) -> None:
    first = marks[0]
    drawing.text(frame.x(first.k) + 9, frame.y(places[id(first)]) - 8, first.worth, size=12)
