"""The graph of a function of one variable: each quadratic piece is one Bézier curve, exactly; another function is sampled."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from flint import fmpq

from boundcheck.certificates.picture.scene import Scene, as_float
from boundcheck.certificates.picture.svg import Drawing, Frame, number
from boundcheck.verify import Piecewise

SAMPLES = 96


def value(scene: Scene, x: float) -> float:
    return as_float(scene.checked.f.value([exactly(x)]))


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


def draw_graph(drawing: Drawing, scene: Scene, frame: Frame) -> None:
    if not has_graph(scene):
        return
    clip = f"c{scene.data['hash'][:8]}"
    box = (
        f'x="{number(frame.left)}" y="{number(frame.top - 6)}" width="{number(frame.width)}" height="{number(frame.height + 6)}"'
    )
    drawing.parts.append(f'<clipPath id="{clip}"><rect {box}/></clipPath>')
    drawing.path(_path(scene, frame), stroke_width="2.2", clip_path=f"url(#{clip})")


def _path(scene: Scene, frame: Frame) -> str:
    f = scene.checked.f
    if all(isinstance(phi, Piecewise) for _, phi in f.terms):
        bends = [as_float(knot / a[0]) for a, phi in f.terms if a[0] != 0 for knot in phi.knots]
        ends = [frame.x0, *sorted({x for x in bends if frame.x0 < x < frame.x1}), frame.x1]
        return beziers(ends, lambda x: (value(scene, x), as_float(f.grad([exactly(x)])[0])), frame)
    return "M" + "L".join(frame.at(x, y) for x, y in sampled(scene, frame.x0, frame.x1))


def beziers(ends: list[float], at: Callable[[float], tuple[Any, Any]], frame: Frame) -> str:
    """On [a, b] a quadratic is the Bézier curve whose middle control point is where the tangents at a and b meet."""
    told = f"M{frame.at(ends[0], at(ends[0])[0])}"
    for a, b in pairwise(ends):
        height, slope = at(a)
        told += f"Q{frame.at((a + b) / 2, height + slope * (b - a) / 2)} {frame.at(b, at(b)[0])}"
    return told
