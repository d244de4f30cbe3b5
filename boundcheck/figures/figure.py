"""The definition of a figure, numbers to compute, a drawing of them and a caption, and how figures look."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.support.errors import UserError, extra

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


Tell = Callable[[float, str], None]  # how much is done, of 1, and what is being done


class NoFigure(UserError):
    """A figure cannot be made from what was given."""


@dataclass(frozen=True)
class FigureNumbers:
    """The table that is drawn, column by column, one row a point; and facts beside it, for the caption."""

    columns: Mapping[str, NDArray[Any]]
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        lengths = {name: len(column) for name, column in self.columns.items()}
        if len(set(lengths.values())) != 1:
            raise NoFigure(f"a table needs columns of one length; found {lengths}")

    def where(self, **chosen: Any) -> dict[str, NDArray[Any]]:
        """Return the rows in which these columns have these values."""
        kept = np.ones(len(next(iter(self.columns.values()))), dtype=bool)
        for name, value in chosen.items():
            kept &= self.columns[name] == value
        return {name: column[kept] for name, column in self.columns.items()}

    def values(self, column: str) -> list[Any]:
        """Return the different values of a column, in the order in which they come."""
        return list(dict.fromkeys(self.columns[column].tolist()))


def table(parts: Sequence[Mapping[str, Any]], **facts: Any) -> FigureNumbers:
    """Return one table from parts of several rows each; in a part, a single value stands for all its rows."""
    names = list(dict.fromkeys(name for part in parts for name in part))
    if not parts or any(set(part) != set(names) for part in parts):
        raise NoFigure("a table is made of parts with the same columns; found " + "; ".join(sorted(map(str, map(list, parts)))))
    sizes = [max(np.size(value) for value in part.values()) for part in parts]
    whole = {
        name: np.concatenate([np.broadcast_to(part[name], (size,)) for part, size in zip(parts, sizes, strict=True)])
        for name in names
    }
    return FigureNumbers(whole, facts)


@dataclass(frozen=True, kw_only=True)
class Figure:
    """`options` are those that it takes, with what they are unless given: of steps, problems, dimension, seed, data.

    `compute(options, tell)` makes the numbers, `draw(canvas, numbers)` draws them on a matplotlib Figure, and `caption(numbers)`
    says what is seen. Numbers are cached; so drawing and caption read nothing else.
    """

    name: str
    title: str
    compute: Callable[[Mapping[str, Any], Tell], FigureNumbers]
    draw: Callable[[Any, FigureNumbers], None]
    caption: Callable[[FigureNumbers], str]
    size: tuple[float, float] = (7.2, 2.6)  # inches
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class MadeFigure:
    """What was written, and what it shows."""

    name: str
    title: str
    caption: str
    paths: tuple[Path, ...]
    cached: bool  # its numbers were computed before

    def path(self, suffix: str) -> Path:
        """Return the file of this kind: "svg", "png", "csv", "txt"."""
        return next(path for path in self.paths if path.suffix == f".{suffix}")
