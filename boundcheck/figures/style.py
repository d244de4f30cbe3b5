"""How figures look: colours that colour-blind people tell apart (Okabe and Ito), a dash and a mark of its own for each line.

The same numbers give the same bytes: no dates, fixed names inside an SVG, and the font that comes with matplotlib.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np

from boundcheck.support.errors import extra

BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
BLUE, VERMILION, PURPLE = "#0072B2", "#D55E00", "#CC79A7"
GREY, DARK = "#7F7F7F", "#555555"  # for what stands beside the methods
SETTINGS = {
    "font.family": "DejaVu Sans",
    "mathtext.fontset": "dejavusans",
    "font.size": 8,
    "axes.titlesize": 8.5,
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7.5,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.3,
    "lines.markersize": 3.6,
    "legend.frameon": False,
    "legend.handlelength": 3.2,
    "svg.fonttype": "path",
    "svg.hashsalt": "boundcheck",
    "path.simplify": False,
    "figure.dpi": 100,
    "savefig.dpi": 200,
}
METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": "boundcheck"},
    "png": {"Software": "boundcheck"},
    "pdf": {"CreationDate": None, "ModDate": None, "Producer": None, "Creator": "boundcheck"},
}
FORMATS = tuple(METADATA)


@dataclass(frozen=True)
class LineStyle:
    """How one method is drawn, everywhere."""

    colour: str
    dash: Any
    mark: str
    label: str = ""
    width: float = 1.3

    def on(self, ax: Any, x: Any, y: Any, *, label: str = "", shift: float = 0.0, marks: int = 6, **more: Any) -> None:
        """Draw it, with marks at even distances along the axis, shifted (0 to 1) so that those of several lines do not meet."""
        along = np.log(x) if ax.get_xscale() == "log" else np.asarray(x, dtype=float)
        low, high = (along[0], along[-1]) if len(along) else (0.0, 0.0)
        wanted = low + (high - low) * (np.arange(marks) + shift) / marks
        each = sorted({int(np.abs(along - place).argmin()) for place in wanted}) if len(along) else []
        given = {"color": self.colour, "linestyle": self.dash, "marker": self.mark, "linewidth": self.width, **more}
        ax.plot(x, y, label=label or self.label, markevery=each, markerfacecolor="white", markeredgewidth=0.8, **given)

    def band(self, ax: Any, x: Any, low: Any, high: Any) -> None:
        """A light band between two curves; nothing where they are no numbers."""
        if np.isfinite(low).any():
            ax.fill_between(x, low, high, color=self.colour, alpha=0.13, linewidth=0)


def matplotlib() -> Any:
    return extra("matplotlib", what="a figure", extra="report")


def canvas(size: tuple[float, float]) -> Any:
    """Return an empty figure, drawn in memory: no window is opened, and nobody's settings change."""
    return extra("matplotlib.figure", what="a figure", extra="report").Figure(figsize=size, layout="constrained")


def drawing_bytes(figure: Any, kind: str) -> bytes:
    """Return the figure as a file of this kind."""
    held = BytesIO()
    figure.savefig(held, format=kind, metadata=METADATA[kind])
    return held.getvalue()
