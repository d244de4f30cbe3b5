"""The picture of a function of two variables: contour lines through the iterates, and their path."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import atan2, degrees, sqrt
from typing import Any

from flint import fmpq

from boundcheck.certificates.picture.one_variable import colour, draw_mark
from boundcheck.certificates.picture.scene import LEAST, Mark, Scene, as_float
from boundcheck.certificates.picture.svg import Drawing, Labels, PlotFrame, around, number

GRID = 36
STRETCHED = 3.0  # beyond it the axes have scales of their own
MOST_LEVELS = 7
FAINT: dict[str, Any] = {"opacity": "0.35"}


def draw_plane(drawing: Drawing, scene: Scene, left: float, top: float, width: float, height: float) -> None:
    frame = _frame(scene, left, top, width, height)
    clip = f"p{scene.data['hash'][:8]}"
    box = f'x="{number(left)}" y="{number(top)}" width="{number(width)}" height="{number(height)}"'
    drawing.parts.append(f'<clipPath id="{clip}"><rect {box}/></clipPath>')
    drawing.parts.append(f'<g clip-path="url(#{clip})">')
    if scene.data["function"]["kind"] != "interpolation":
        _contours(drawing, scene, frame)
    drawing.parts.append("</g>")
    for a, b in scene.moves:
        _arrow(drawing, frame, a, b)
    ends = [mark for mark in scene.marks if mark.kind == "chord"]
    if len(ends) == 2:
        _arrow(drawing, frame, ends[0], ends[1])
    labels = Labels(drawing, frame)
    for mark in scene.places:
        x, y = frame.x(mark.floats[0]), frame.y(mark.floats[1])
        draw_mark(drawing, mark, x, y)
        labels.points += [(x, y)] * 3
    for mark in scene.places:
        labels.place(frame.x(mark.floats[0]), frame.y(mark.floats[1]), [mark.place, mark.name])


def _frame(scene: Scene, left: float, top: float, width: float, height: float) -> PlotFrame:
    xs, ys = ([mark.floats[n] for mark in scene.marks] for n in (0, 1))
    (x0, x1), (y0, y1) = around(xs, 0.16), around(ys, 0.16)
    across, up = (x1 - x0) / width, (y1 - y0) / height
    if max(across, up) <= STRETCHED * min(across, up):
        scale = max(across, up)
        x0, x1 = _centred(x0, x1, scale * width)
        y0, y1 = _centred(y0, y1, scale * height)
    return PlotFrame(x0, x1, y0, y1, left, top, width, height)


def _centred(low: float, high: float, length: float) -> tuple[float, float]:
    middle = (low + high) / 2
    return middle - length / 2, middle + length / 2


def _levels(scene: Scene) -> list[float]:
    """Through the points, and a few between."""
    own = sorted({round(mark.height, 12) for mark in scene.marks if mark.kind != LEAST})
    least = scene.minimiser.height if scene.minimiser is not None else own[0]
    more = [least + (own[-1] - least) * part for part in (0.04, 0.15, 0.35, 0.65, 1.5)]
    return sorted({*own[-MOST_LEVELS:], *more})[: MOST_LEVELS + 5]


def _contours(drawing: Drawing, scene: Scene, frame: PlotFrame) -> None:
    data = scene.data["function"]
    if data["kind"] == "quadratic":
        matrix, centre = [[Fraction(v) for v in row] for row in data["matrix"]], [float(Fraction(v)) for v in data["minimiser"]]
        if _is_definite(matrix):
            for level in _levels(scene):
                _ellipse(drawing, matrix, centre, level, frame)
            return
    grid = _grid(scene, frame)
    for level in _levels(scene):
        if d := "".join(_crossings(grid, level)):
            drawing.path(d, **FAINT)


def _is_definite(B: list[list[Fraction]]) -> bool:
    return bool(len(B) == 2 and B[0][0] > 0 and B[0][0] * B[1][1] - B[0][1] ** 2 > 0)


def _ellipse(drawing: Drawing, B: list[list[Fraction]], centre: list[float], level: float, frame: PlotFrame) -> None:
    """(x - c)' B (x - c) = 2 level, in the drawing's own units: an ellipse there too."""
    if level <= 0:
        return
    sx, sy = frame.width / (frame.x1 - frame.x0), frame.height / (frame.y1 - frame.y0)
    a, b, c = (float(v) for v in (B[0][0], B[0][1], B[1][1]))
    a, b, c = a / sx**2, -b / (sx * sy), c / sy**2
    middle, apart = (a + c) / 2, sqrt(((a - c) / 2) ** 2 + b * b)
    small, large = middle - apart, middle + apart
    turn = degrees(atan2(small - a, b)) if b else (0.0 if a <= c else 90.0)
    radii = [sqrt(2 * level / value) for value in (small, large)]
    x, y = frame.x(centre[0]), frame.y(centre[1])
    where = f'cx="{number(x)}" cy="{number(y)}" rx="{number(radii[0])}" ry="{number(radii[1])}"'
    turned = f' transform="rotate({number(turn)} {number(x)} {number(y)})"' if turn else ""
    drawing.parts.append(f'<ellipse {where}{turned} fill="none" stroke="currentColor" opacity="0.35"/>')


def _grid(scene: Scene, frame: PlotFrame) -> list[list[tuple[float, float, float]]]:
    """Return places of the drawing, and f there."""
    rows = []
    for j in range(GRID + 1):
        y = frame.y0 + (frame.y1 - frame.y0) * j / GRID
        row = []
        for i in range(GRID + 1):
            x = frame.x0 + (frame.x1 - frame.x0) * i / GRID
            value = scene.replay.f.value([fmpq(*x.as_integer_ratio()), fmpq(*y.as_integer_ratio())])
            row.append((frame.x(x), frame.y(y), as_float(value)))
        rows.append(row)
    return rows


def _crossings(grid: list[list[tuple[float, float, float]]], level: float) -> list[str]:
    """Return where the level is crossed, in each half of each cell: a piece of a line."""
    found = []
    for low, high in pairwise(grid):
        for (a, b), (c, d) in zip(pairwise(low), pairwise(high), strict=True):
            for corners in ((a, b, d), (a, c, d)):
                cuts = [
                    _cut(p, q, level) for p, q in (corners[:2], corners[1:], corners[::2]) if (p[2] < level) != (q[2] < level)
                ]
                if len(cuts) == 2:
                    found.append(f"M{cuts[0]}L{cuts[1]}")
    return found


def _cut(p: tuple[float, float, float], q: tuple[float, float, float], level: float) -> str:
    t = (level - p[2]) / (q[2] - p[2])
    return f"{round(p[0] + t * (q[0] - p[0]))} {round(p[1] + t * (q[1] - p[1]))}"


def _arrow(drawing: Drawing, frame: PlotFrame, a: Mark, b: Mark) -> None:
    (x1, y1), (x2, y2) = ((frame.x(m.floats[0]), frame.y(m.floats[1])) for m in (a, b))
    long = sqrt((x2 - x1) ** 2 + (y2 - y1) ** 2)
    drawing.line(x1, y1, x2, y2, colour(b), stroke_width="1.6")
    if long > 18:
        u, v = (x2 - x1) / long, (y2 - y1) / long
        x, y = x2 - 6 * u, y2 - 6 * v
        ends = [f"{number(x - 8 * u + s * 4 * v)} {number(y - 8 * v - s * 4 * u)}" for s in (1, -1)]
        drawing.path(f"M{ends[0]}L{number(x)} {number(y)}L{ends[1]}", colour(b), stroke_width="1.6")
