"""Both sides of a claim as two bars with their exact values, and by how much they are the wrong way round."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import fmpq

from boundcheck.certificates.picture.scene import Scene, as_float
from boundcheck.certificates.picture.svg import BLUE, RED, Drawing
from boundcheck.certificates.picture.words import LETTERS, number

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
    for n, (side, colour) in enumerate((("left", BLUE), ("right", RED))):
        y, length = top + 40 * n, sizes[side] * scale
        drawing.text(left, y, f"{side} side: {shortened(scene.formula(side))}", size=12.5)
        drawing.bar(zero + min(length, 0.0), y + 8, abs(length), 11, colour)
        drawing.line(zero, y + 5, zero, y + 22)
        drawing.text(max(zero + length, zero) + 8, y + 18, with_digits(values[side]), font_weight="bold")
    drawing.text(left, top + 84, false(scene))


def shortened(text: str, longest: int = LONGEST) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip(" _^") + "…"


def with_digits(value: Any) -> str:
    """5/3 ≈ 1.6667; 5/2 = 2.5; 2 alone."""
    told = number(value)
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
    apart = number(abs(scene.left - scene.right)).removeprefix("≈ ") if both_exact else f"{abs(a - b):.4g}"
    part = f", {100 * abs(a - b) / abs(b):.3g} % of the right side" if b else ""
    return f"The claim says left {sign} right: false, the left side is {'larger' if a > b else 'smaller'} by {apart}{part}."
