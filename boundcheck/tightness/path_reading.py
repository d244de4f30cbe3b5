"""Reads a claim with the values of M along the path: M from x_i, or from y_i, to x_{i+1} is a number; no other chord has one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from boundcheck.gram.affine import Affine, NotModelled, Number, Quantity
from boundcheck.gram.builder import Reading
from boundcheck.gram.formulas import UNKNOWN, At
from boundcheck.language.interpreter import index_at
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Chord
from boundcheck.language.vectors import Point
from boundcheck.tightness.numbers import FINEST, ROUNDING


@dataclass(kw_only=True)
class PathReading(Reading):
    """A claim whose M is "any", D or H along the path: what `chords` says is about the steps of the run, in turn."""

    def read_chord(self, node: Chord, at: At) -> Quantity:
        start, end = node.start, node.end
        if not isinstance(start, Point) or not isinstance(end, Point) or start.index is None or end.index is None:
            raise NotModelled(f"{node} is no chord of the path")
        n = index_at(start.index, at)
        is_of_a_step = (end.name, index_at(end.index, at)) == ("x", n + 1)
        if not is_of_a_step or node.kind not in ("M", self.M):
            raise NotModelled(f"{node} is no chord of the path with a number of its own")
        if not self.chords:
            raise NotModelled(f"the claim reads {node}, and no values of M are given")
        number = self.chords[n % len(self.chords)]
        if self.entries.get((end.run or self.role, "x"), {}).get(n + 1) is UNKNOWN:
            return Affine(number)
        return self.pair(self.M, self.vector(start, at), self.vector(end, at), number)

    def exact_step(self, found: Affine, rule: Relation) -> Affine:
        """Return a step that a formula gives as a number, rounded to a fraction where it is none."""
        number = found.constant
        return found if isinstance(number, Fraction) else Affine(Fraction(number).limit_denominator(FINEST))

    def is_rounded(self, difference: Number, op: str) -> bool:
        return op == "==" and abs(float(difference)) <= ROUNDING
