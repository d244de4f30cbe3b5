"""The picture of a function of one variable: its graph, points, tangents, steps, and the height that a claim allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from flint import fmpq

from boundcheck.certificates.picture.scene import LEAST, MEAN, Mark, Scene, as_float
from boundcheck.certificates.picture.svg import (
    BLUE,
    GREEN,
    ORANGE,
    PURPLE,
    RED,
    Drawing,
    Labels,
    PlotFrame,
    around,
    equals,
    number,
    number_text,
    wide,
)

SAMPLES = 96


def value(scene: Scene, x: float) -> float:
    return as_float(scene.replay.f.value([exactly(x)]))


def exactly(x: float) -> fmpq:
    return fmpq(*x.as_integer_ratio())


def has_graph(scene: Scene) -> bool:
    """An interpolation says what f is at some points only."""
    return bool(scene.data["function"]["kind"] != "interpolation")


def sampled(scene: Scene, x0: float, x1: float) -> list[tuple[float, float]]:
    if not has_graph(scene):
        return []
    xs = [x0 + (x1 - x0) * n / SAMPLES for n in range(SAMPLES + 1)]
    return [(x, value(scene, x)) for x in xs]


def draw_graph(drawing: Drawing, scene: Scene, frame: PlotFrame) -> None:
    if not has_graph(scene):
        return
    clip = f"c{scene.data['hash'][:8]}"
    box = (
        f'x="{number(frame.left)}" y="{number(frame.top - 6)}" width="{number(frame.width)}" height="{number(frame.height + 6)}"'
    )
    drawing.parts.append(f'<clipPath id="{clip}"><rect {box}/></clipPath>')
    drawing.path(_path(scene, frame), stroke_width="2.2", clip_path=f"url(#{clip})")


def _path(scene: Scene, frame: PlotFrame) -> str:
    bends = _bends(scene.data["function"])
    if bends is None:
        return "M" + "L".join(frame.at(x, y) for x, y in sampled(scene, frame.x0, frame.x1))
    ends = [frame.x0, *sorted({x for x in bends if frame.x0 < x < frame.x1}), frame.x1]
    return beziers(ends, lambda x: (value(scene, x), as_float(scene.replay.f.gradient([exactly(x)])[0])), frame)


def _bends(data: Mapping[str, Any]) -> list[float] | None:
    """Return the places between the quadratic pieces of a function of one variable; None where it has no such pieces."""
    if data["kind"] == "quadratic":
        return []
    ridges: Any = data["terms"] if data["kind"] == "ridge sum" else [{"direction": ["1"], "function": data}]
    if any(ridge["function"]["kind"] != "piecewise quadratic" for ridge in ridges):
        return None
    speeds = [(Fraction(ridge["direction"][0]), ridge["function"]["knots"]) for ridge in ridges]
    return [float(Fraction(knot) / speed) for speed, knots in speeds if speed for knot in knots]


def beziers(ends: list[float], at: Callable[[float], tuple[Any, Any]], frame: PlotFrame) -> str:
    """On [a, b] a quadratic is the Bézier curve whose middle control point is where the tangents at a and b meet."""
    told = f"M{frame.at(ends[0], at(ends[0])[0])}"
    for a, b in pairwise(ends):
        height, slope = at(a)
        told += f"Q{frame.at((a + b) / 2, height + slope * (b - a) / 2)} {frame.at(b, at(b)[0])}"
    return told


@dataclass(frozen=True)
class Level:
    """Of a claim f(p) - f* <= R, or f(p) <= R: the height, and what it is."""

    height: float
    text: str


def level(scene: Scene) -> Level | None:
    """None where the claim is about something else, or no upper bound."""
    relation = scene.replay.relation
    if scene.op == "==":
        return None
    upward = scene.op in ("<=", "<")
    node, allowed = relation["left" if upward else "right"], scene.right if upward else scene.left
    some, node = _best_of(node)
    gap = node["is"] == "Sub" and node["right"] == {"is": "Value", "at": {"is": "Minimum"}} and scene.minimiser is not None
    also, node = _best_of(node["left"]) if gap else (False, node)
    if node["is"] != "Value":
        return None
    least = scene.minimiser.value if gap and scene.minimiser is not None else fmpq(0)
    who, above = "one of them" if some or also else "f", " above f*" if least else ""
    return Level(as_float(least) + as_float(allowed), f"the claim: {who} is at most {number_text(allowed)}{above}")


def _best_of(node: Any) -> tuple[bool, Any]:
    """Inside a minimum over k: whether it is one, and what it is of."""
    return (True, node["body"]) if node["is"] == "Reduce" and node["kind"] == "min" else (False, node)


def draw_level(drawing: Drawing, scene: Scene, frame: PlotFrame, labels: Labels) -> None:
    """The line, and above it what it says, where that hides least of the curve."""
    known = level(scene)
    if known is None or not frame.y0 < known.height < frame.y1:
        return
    y, long = frame.y(known.height), wide(known.text, 12)
    drawing.line(frame.left, y, frame.left + frame.width, y, RED, stroke_dasharray="7 4", stroke_width="1.5")
    near = [px for px, py in labels.points if -4 < y - py < 20]
    near += [frame.x(mark.floats[0]) for mark in scene.marks for _ in range(4) if -6 < y - frame.y(mark.height) < 24]
    starts = [frame.left + 4 + (frame.width - long - 8) * part for part in (0, 0.5, 1, 0.25, 0.75)]
    start = min(starts, key=lambda s: sum(s - 6 < px < s + long + 6 for px in near))
    drawing.text(start, y - 5, known.text, size=12)
    labels.boxes.append((start, y - 18, start + long, y - 1))
    labels.points += [(frame.left + frame.width * n / 60, y) for n in range(61)]


COLOURS = {"x": BLUE, "y": GREEN, "v": PURPLE, "chord": BLUE, MEAN: RED}
NEAR = 1e-9
ROW = 36  # pixels that the steps of one run take


def colour(mark: Mark) -> str:
    return ORANGE if mark.role else COLOURS.get(mark.kind, PURPLE)


def draw_line(drawing: Drawing, scene: Scene, left: float, top: float, width: float, height: float) -> None:
    """The graph in the upper part of the box; under its axis the names of the points, and the steps between them."""
    runs = [moves for role in dict.fromkeys(role for _, role in scene.paths) if (moves := _moves(scene, role))]
    runs = runs[:1] if len(runs) == 2 and [b.point for _, b in runs[0]] == [b.point for _, b in runs[1]] else runs
    frame = _frame(scene, left, top, width, height - ROW * len(runs) - 22)
    axis = frame.top + frame.height
    labels = Labels(drawing, frame)
    labels.points += [(frame.x(x), frame.y(y)) for x, y in sampled(scene, frame.x0, frame.x1)]
    draw_graph(drawing, scene, frame)
    drawing.line(left, axis, left + width, axis, opacity="0.6")
    draw_level(drawing, scene, frame, labels)
    _tangents(drawing, scene, frame)
    for mark in scene.places:
        x, y = frame.x(mark.floats[0]), frame.y(mark.height)
        drawing.line(x, y, x, axis, stroke_dasharray="2 3", opacity="0.5")
        labels.points += [(x, y)] * 3
        draw_mark(drawing, mark, x, y)
    _names(drawing, scene, frame, axis)
    for mark in scene.places if len(scene.places) <= 9 else scene.places[:3]:
        labels.place(frame.x(mark.floats[0]), frame.y(mark.height), [mark.worth])
    for n, moves in enumerate(runs):
        _arcs(drawing, scene, frame, moves, axis + 22 + ROW * n)


def _moves(scene: Scene, role: str) -> list[tuple[Mark, Mark]]:
    return [(a, b) for a, b in scene.moves if a.role == role]


def draw_mark(drawing: Drawing, mark: Mark, x: float, y: float) -> None:
    if LEAST in mark.name.split(" = "):
        drawing.diamond(x, y, 7, title=mark.told)
        if mark.kind == LEAST:
            return
    drawing.circle(x, y, 5, colour(mark), mark.told, hollow=mark.kind == MEAN)
    if MEAN in mark.name and mark.kind != MEAN:
        drawing.circle(x, y, 8, RED, hollow=True)


def _frame(scene: Scene, left: float, top: float, width: float, height: float) -> PlotFrame:
    """Around the points, and the graph as far as it stays near them in height."""
    x0, x1 = around([mark.floats[0] for mark in scene.marks], 0.14)
    heights = [mark.height for mark in scene.marks]
    lowest, highest = min(heights), max(heights)
    room = max(highest - lowest, NEAR * max(1.0, abs(highest)))
    known = level(scene)
    shown = [*heights, *([known.height] if known is not None and lowest - room <= known.height <= highest + room else [])]
    shown += [y for _, y in sampled(scene, x0, x1) if lowest - 0.3 * room <= y <= highest + 0.3 * room]
    if scene.is_chord:
        shown += [y for y in _under(scene) if abs(y - lowest) <= 2 * room]
    return PlotFrame(x0, x1, *around(shown, 0.1), left, top, width, height)


def _tangents(drawing: Drawing, scene: Scene, frame: PlotFrame) -> None:
    """At each point from which a step is made; of a chord, the tangent at x as far as y, and how far f(y) is above it."""
    if scene.is_chord:
        _chord(drawing, scene, frame)
        return
    for mark in scene.marks:
        if mark.kind in (LEAST, MEAN):
            continue
        slope = as_float(mark.gradient[0]) * frame.height / (frame.y1 - frame.y0) / (frame.width / (frame.x1 - frame.x0))
        half = 46 / (1 + slope * slope) ** 0.5
        x, y = frame.x(mark.floats[0]), frame.y(mark.height)
        drawing.line(x - half, y + slope * half, x + half, y - slope * half, colour(mark), stroke_width="1.4")


def _under(scene: Scene) -> list[float]:
    """Return what the tangent at x says of f(y)."""
    ends = [mark for mark in scene.marks if mark.kind == "chord"]
    if len(ends) != 2:
        return []
    a, b = ends
    return [a.height + as_float(a.gradient[0]) * (b.floats[0] - a.floats[0])]


def _chord(drawing: Drawing, scene: Scene, frame: PlotFrame) -> None:
    ends = [mark for mark in scene.marks if mark.kind == "chord"]
    if len(ends) != 2:
        return
    (ax, ay), (bx, by) = ((frame.x(m.floats[0]), frame.y(m.height)) for m in ends)
    drawing.line(ax, ay, bx, by, BLUE, stroke_dasharray="6 4")
    (under,) = (frame.y(height) for height in _under(scene))
    low, high = frame.top - 6, frame.top + frame.height
    if low <= under <= high:
        drawing.line(bx, by, bx, under, RED, stroke_width="3", opacity="0.7")
        drawing.line(ax, ay, bx, under, RED, stroke_width="1.4")
    else:  # as far as the picture goes
        end = high if under > high else low
        drawing.line(ax, ay, ax + (bx - ax) * (end - ay) / (under - ay), end, RED, stroke_width="1.4")


def _names(drawing: Drawing, scene: Scene, frame: PlotFrame, axis: float) -> None:
    """x₀ = 9/2 under the axis; where two would overlap, the later one is its name alone, or nothing."""
    taken: list[tuple[float, float]] = []
    for mark in sorted(scene.places, key=lambda m: (m.kind == MEAN, m.k)):
        x = frame.x(mark.floats[0])
        for text in (mark.place, mark.name):
            half = wide(text) / 2 + 3
            centre = min(max(x, frame.left + half), frame.left + frame.width - half)
            if all(centre + half <= a or centre - half >= b for a, b in taken):
                taken.append((centre - half, centre + half))
                drawing.text(centre, axis + 16, text, "middle")
                break


def _arcs(drawing: Drawing, scene: Scene, frame: PlotFrame, moves: list[tuple[Mark, Mark]], row: float) -> None:
    """The steps of a run as arcs, each that ends at x_{k+1} with its eta_k where there is room."""
    taken: list[tuple[float, float]] = []
    for a, b in moves:
        xa, xb, tint = frame.x(a.floats[0]), frame.x(b.floats[0]), colour(b)
        if abs(xb - xa) < 1:
            continue
        deep = min(18.0, 6 + abs(xb - xa) / 8)
        middle, tip = (xa + xb) / 2, 5 if xb > xa else -5
        drawing.path(f"M{number(xa)} {number(row)}Q{number(middle)} {number(row + 2 * deep)} {number(xb)} {number(row)}", tint)
        ends = f"M{number(xb - tip)} {number(row + 7)}L{number(xb)} {number(row)}L{number(xb - 2 * tip)} {number(row - 1)}"
        drawing.path(ends, tint)
        eta = scene.replay.entries.get((a.role, "eta"), {}).get(a.k) if b.kind == "x" else None
        text = "" if eta is None else equals("η" + a.name[1:].rstrip("′"), number_text(eta))
        half = wide(text, 12) / 2 + 3
        if text and all(middle + half <= low or middle - half >= high for low, high in taken):
            drawing.text(middle, row + deep + 13, text, "middle", 12)
            taken.append((middle - half, middle + half))
