"""The height that a claim allows f, where what it bounds is a value of f: a line across the graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import fmpq

from boundcheck.certificates.picture.labels import Labels
from boundcheck.certificates.picture.scene import Scene, as_float
from boundcheck.certificates.picture.svg import RED, Drawing, Frame, wide
from boundcheck.certificates.picture.words import number


@dataclass(frozen=True)
class Level:
    """Of a claim f(p) - f* <= R, or f(p) <= R: the height, and what it is."""

    height: float
    text: str


def level(scene: Scene) -> Level | None:
    """None where the claim is about something else, or no upper bound."""
    relation = scene.checked.relation
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
    return Level(as_float(least) + as_float(allowed), f"the claim: {who} is at most {number(allowed)}{above}")


def _best_of(node: Any) -> tuple[bool, Any]:
    """Inside a minimum over k: whether it is one, and what it is of."""
    return (True, node["body"]) if node["is"] == "Reduce" and node["kind"] == "min" else (False, node)


def draw_level(drawing: Drawing, scene: Scene, frame: Frame, labels: Labels) -> None:
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
