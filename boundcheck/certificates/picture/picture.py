"""The picture of a counterexample: the function, the iterates on it, and both sides of the claim in exact numbers."""

from __future__ import annotations

from boundcheck.arithmetic.balls.plain import Precision
from boundcheck.certificates.picture.line import draw_line
from boundcheck.certificates.picture.plane import draw_plane
from boundcheck.certificates.picture.scene import BITS, Scene, scene
from boundcheck.certificates.picture.sides import HEIGHT, draw_sides
from boundcheck.certificates.picture.svg import Drawing
from boundcheck.certificates.picture.values import draw_values
from boundcheck.claims.bound import PRINTED, Bound

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
