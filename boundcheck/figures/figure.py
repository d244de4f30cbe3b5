"""The definition of a figure: numbers to compute, a drawing of them, and a caption that is made from the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.support.errors import UserError

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
