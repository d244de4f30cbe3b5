"""Points that stand still beside moving ones: x_0 in |x_n - x_0|^2, the mean of x_1 and x_2 in |x_n - mean|^2.

A run keeps its latest points only. What stands at a constant index is taken when it comes by, and kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from boundcheck.arithmetic.base import Arithmetic, NotInThisArithmetic, Scalars, Vectors
from boundcheck.evaluate.lookahead import floor
from boundcheck.evaluate.means import mean_of_all
from boundcheck.evaluate.series import Unknown
from boundcheck.language.scalars import Scalar
from boundcheck.language.tree import Node
from boundcheck.language.vectors import Mean, Point
from boundcheck.runners.engine.run_history import History, Together
from boundcheck.runners.engine.segment import Chunk

if TYPE_CHECKING:
    from boundcheck.runners.engine.recorder import Recorder

Stretch = Chunk | History | Together


def cut(known: Scalars | Vectors, start: int, stop: int, what: str) -> Any:
    """Entries start..stop - 1 of what a stretch of a run has. All of them must be there: nothing wraps, and none is left out."""
    if start < 0 or stop > known.shape[-1]:
        raise LookupError(f"{what}: entries {start}..{stop - 1} are asked for; there are {known.shape[-1]} from 0 on")
    return known[..., start:stop]


class FixedVectors:
    """The vectors at constant indices that some formulas read."""

    def __init__(self, xp: Arithmetic, formulas: Iterable[Scalar], states: Mapping[str, frozenset[str]]) -> None:
        self.xp = xp
        nodes: dict[Any, Node] = {n.key: n for formula in formulas for n in formula.walk()}
        self._points = [n for n in nodes.values() if isinstance(n, Point) and n.index is not None and n.index.letter is None]
        still = [n for n in nodes.values() if isinstance(n, Mean) and n.low.letter is None and n.high.letter is None]
        self._still = {n: floor(n, states) for n in still if not n.free}
        self._kept: dict[Any, Any] = {}

    def look_at_points(self, chunk: Stretch) -> None:
        """Keep the points that come by in this chunk."""
        for point in self._points:
            assert point.index is not None
            if chunk.first <= point.index.offset < chunk.first + chunk.count:
                for what in ("points", "grads"):
                    with suppress(NotInThisArithmetic, LookupError):  # it is not there: whoever reads it is told
                        self.point(what, point, chunk)

    def look_at_means(self, recorder: Recorder, chunk: Stretch) -> None:
        """Keep the means of points that came by, once their weights are recorded."""
        for mean, last in self._still.items():
            if last < chunk.first + chunk.count and mean.key not in self._kept:
                with suppress(NotInThisArithmetic, Unknown):
                    self.means(mean, recorder, chunk)

    def point(self, what: str, node: Point, chunk: Stretch) -> Vectors:
        assert node.index is not None
        name = (what, node.key)
        if name not in self._kept:
            at = node.index.offset - chunk.first
            known = getattr(chunk.of(node.run), what)(node.name, "path")
            made = cut(known, at, at + 1, str(node))
            self._kept[name] = self.xp.concatenate_vectors([made])  # a copy: the run's buffers are written over
        return self._kept[name]

    def means(self, node: Mean, recorder: Recorder, chunk: Stretch) -> dict[str, Vectors]:
        if node.key not in self._kept:
            given = recorder.weights_and_parts(node, chunk)
            self._kept[node.key] = mean_of_all(self.xp, node.low.offset, node.high.offset, *given)
        made: dict[str, Vectors] = self._kept[node.key]
        return made
