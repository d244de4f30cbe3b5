"""Labels beside points: each where it hides neither the curve nor another label, and left out where there is no such place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from boundcheck.certificates.picture.svg import Drawing, Frame, wide

SIZE = 12
LINE = 13.0  # pixels from one line of text to the next
AROUND = ((9, -7), (9, 15), (-9, -7), (-9, 15), (0, -13), (0, 22), (14, 4), (-14, 4), (20, -24), (-20, -24), (26, 30), (-26, 30))
ALLOWED = 2  # points of a curve that a label may touch

Box = tuple[float, float, float, float]


@dataclass
class Labels:
    """The places that are taken: boxes of labels, and points of curves and marks."""

    drawing: Drawing
    frame: Frame
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
        """Where a text would be; None outside the frame, or over another."""
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
