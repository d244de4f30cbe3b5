"""Formulas as series over their index: the value for every k of a window, each sum carried from window to window."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from boundcheck.arithmetic.base import Arithmetic, Order, Scalars
from boundcheck.evaluate.algebra import ArithmeticAlgebra
from boundcheck.evaluate.columns import Column, as_column
from boundcheck.evaluate.scans import Fold, Prefix, Recurrence, Scan, Separated, separate
from boundcheck.evaluate.widened_columns import Replayed, Widened
from boundcheck.language.interpreter import Interpreter
from boundcheck.language.rewrite import put_index
from boundcheck.language.scalars import Constant, IndexNumber, Number, Parameter, Reduce, Scalar
from boundcheck.language.tree import Index, IndexError_, Node
from boundcheck.language.vectors import Mean
from boundcheck.support.errors import UserError

FORMS: dict[tuple[int, str], int] = {}  # of formulas by their identity, and the letter that they run over
LEAVES: dict[tuple[int, bool], tuple[Column, Index]] = {}  # where the leaves of formulas are read, by their identity


def _form(node: Node, letter: str) -> int:
    """The same number for all formulas that differ in the letter they run over only."""
    made = FORMS.get((node.identity, letter))
    if made is None:
        made = FORMS[node.identity, letter] = put_index(node, letter, Index("#")).identity
    return made


def _column(leaf: Scalar, local: bool) -> tuple[Column, Index]:
    made = LEAVES.get((leaf.identity, local))
    if made is None:
        made = LEAVES[leaf.identity, local] = as_column(leaf, local)
    return made


class ColumnSource(Protocol):
    """Where columns are read: a trace."""

    def window(self, column: Column, low: int, high: int) -> Scalars: ...


class Unknown(UserError):
    """A letter of the claim has no value on this problem."""


Window = tuple[str, int, int]  # a letter, its first value, and the one after its last


class Series(Interpreter[Window, Scalars, Any]):
    """Evaluates formulas on one trace. What several claims share is computed once for each window."""

    def __init__(self, xp: Arithmetic, source: ColumnSource, letters: Mapping[str, Any], local: bool = False) -> None:
        self.xp, self.source, self.letters, self.local = xp, source, letters, local
        self.algebra = ArithmeticAlgebra(xp)
        self._memo: dict[tuple[int, str, int, int], Scalars] = {}
        self._asked: dict[tuple[int, str], int] = {}  # how often each formula is read in a window
        self._left: dict[tuple[int, str], int] | None = None  # and how often it still will be in this one
        self.counting = False  # is this window like those that follow? Then what it reads is counted
        self._scans: dict[Any, Scan] = {}
        self._widened: Series | None = None
        self.kept: dict[Any, Any] = {}  # what those who ask want to keep as long as this lives

    def forget(self) -> None:
        """Drop what belongs to one window; the carries stay."""
        self._memo.clear()
        self._left = dict(self._asked) if self._asked else None
        self.counting = False
        if self._widened is not None:
            self._widened.forget()

    @property
    def widened(self) -> Series:
        """The same formulas on columns as wide as the freezing of steps could have moved them."""
        if self._widened is None:
            assert isinstance(self.source, Replayed)
            self._widened = Series(self.xp, Widened(self.xp, self.source), self.letters, self.local)
        return self._widened

    def identity(self, node: Node | None) -> int | None:
        """A small number that two nodes share exactly when they are the same formula."""
        return None if node is None else node.identity

    def values(self, node: Scalar, letter: str, low: int, high: int) -> Scalars:
        """The formula for letter = low..high - 1; shape (batch, high - low), or broadcastable to it where it does not move."""
        name = node.identity
        at, read = (name, letter, low, high), (name, letter)
        found = self._memo.get(at)
        if found is None:
            reader = self.readers.get(type(node))  # as in `Interpreter.scalar`: a call less for each node
            if reader is None:
                self.no_meaning(node, (letter, low, high))
            found = self._memo[at] = reader(self, node, (letter, low, high))
        if self._left is None:
            if self.counting:
                self._asked[read] = self._asked.get(read, 0) + 1
            return found
        left = self._left.get(read, 0) - 1
        if left > 0:
            self._left[read] = left
        else:
            del self._memo[at]  # nobody else will read it: its memory is warm, and the next result takes it
        return found

    def scalar(self, node: Scalar, at: Window) -> Scalars:
        return self.values(node, *at)

    def read_leaf(self, node: Scalar, at: Window) -> Scalars:
        """What a run records is read from its column."""
        (letter, low, high), local = at, self.local
        column, index = _column(node, local)
        if node.free and index.letter != letter:
            raise IndexError_(f"{node} is read at {index.letter}; only {letter} is known here")
        first, end = (0, 1) if index.letter is None else (low, high)
        entries = self.source.window(column, first + index.offset, end + index.offset)
        return self._with_known_weights(node, entries, letter, low, high) if isinstance(self.source, Widened) else entries

    read_value = read_gap = read_inner = read_norm = read_normsq = read_chord = read_term = read_leaf
    read_named_value = read_average = read_expectation = read_leaf

    def read_index(self, node: IndexNumber, at: Window) -> Scalars:
        letter, low, high = at
        if node.index.letter not in (None, letter):
            raise IndexError_(f"the index {node.index} is free here; only {letter} is known")
        first = (low if node.index.letter is not None else 0) + node.index.offset
        return self.xp.scalars(np.arange(first, first + (high - low if node.index.letter is not None else 1), dtype=np.int64))

    def read_letter(self, node: Parameter | Constant, at: Window) -> Scalars:
        if self.letters.get(node.name) is None:
            raise Unknown(f"{node.name} has no value here")
        return self.letters[node.name]

    read_parameter = read_constant = read_letter

    def _with_known_weights(self, leaf: Scalar, entries: Scalars, letter: str, low: int, high: int) -> Scalars:
        """A leaf of widened columns; unknown where it reads a mean whose weights may add up to 0, and so no mean at all."""
        for mean in leaf.walk():
            if isinstance(mean, Mean) and not isinstance(mean.weight, Number):
                total = self.values(Reduce("sum", mean.weight, mean.letter, mean.low, mean.high), letter, low, high)
                is_known = np.isin(self.xp.compare(total, self.xp.scalar(0)), (Order.LESS, Order.GREATER))
                entries = self.xp.scalars(entries, np.where(is_known, 0.0, np.inf))
        return entries

    # -- sums, products, minima and maxima ---------------------------------------------------------------------------

    def read_reduce(self, node: Reduce, at: Window) -> Scalars:
        (letter, low, high), outer = at, node.free
        if outer - {letter}:
            raise IndexError_(f"{node} has the free indices {sorted(outer)}; only {letter} is known here")
        inside = node.body.free | (node.where.free if node.where is not None else frozenset())
        if node.low.letter is not None:
            return self._short(node, letter, low, high)
        if letter in inside:
            return self._coupled(node, letter, low, high)
        fold = Fold(node.kind, node.body, node.letter, node.low.offset, node.where)
        return self._read(self._prefix(fold), node.high, low, high)

    def _read(self, scan: Scan, at: Index, low: int, high: int) -> Scalars:
        if at.letter is None:
            return scan.window(at.offset, at.offset + 1)
        return scan.window(low + at.offset, high + at.offset)

    def _prefix(self, fold: Fold) -> Scan:
        name = (fold.kind, _form(fold.body, fold.letter), fold.start, self._where_name(fold))
        if name not in self._scans:
            self._scans[name] = Prefix(self, fold)
        return self._scans[name]

    def _where_name(self, fold: Fold) -> Any:
        return None if fold.where is None else _form(fold.where, fold.letter)

    def _short(self, node: Reduce, letter: str, low: int, high: int) -> Scalars:
        """A range that moves with the index at both ends has a fixed number of terms."""
        if node.high.letter != node.low.letter:
            raise IndexError_(
                f"{node} starts at {node.low} and ends at {node.high}: alone, it cannot be carried from one {letter} to the next"
            )
        result = self.xp.scalar(0 if node.kind == "sum" else 1)
        pieces = [put_index(node.body, node.letter, node.low.shift(n)) for n in range(node.high.offset - node.low.offset + 1)]
        if node.where is not None or (not pieces and node.kind in ("min", "max")):
            raise IndexError_(f"{node} needs a range from a fixed start")
        for n, piece in enumerate(pieces):
            value = self.values(piece, letter, low, high)
            if n == 0 and node.kind in ("min", "max"):
                result = value
            elif node.kind in ("min", "max"):
                result = (self.xp.minimum if node.kind == "min" else self.xp.maximum)(result, value)
            else:
                result = result + value if node.kind == "sum" else result * value
        return result

    def _coupled(self, node: Reduce, letter: str, low: int, high: int) -> Scalars:
        if node.kind == "prod" and node.where is None and node.letter not in node.body.free and node.high.letter == letter:
            return self._equal_factors(node, letter, low, high)
        if node.kind != "sum" or node.high.letter != letter:
            raise IndexError_(f"{node} depends on {letter} inside and out; only sums up to {letter} can be carried")
        total = self.xp.scalar(0)
        for term in separate(node.body, node.letter, letter):
            coefficient = self.values(term.coefficient, letter, low, high)
            total = total + coefficient * self._linked(node, term, letter, low, high)
        return total

    def _equal_factors(self, node: Reduce, letter: str, low: int, high: int) -> Scalars:
        """A product of equal factors that depend on k alone is a power of what stands there."""
        every = self.xp.scalars(np.zeros((1, high - low), dtype=np.int64))  # what does not move has an entry for each k too
        base = self.values(node.body, letter, low, high) + every
        count = node.high.offset - node.low.offset + 1
        each = [base[..., n - low : n - low + 1] for n in range(low, high)]
        return self.xp.concatenate([self.xp.power(b, Fraction(max(n + count, 0))) for n, b in enumerate(each, low)])

    def _linked(self, node: Reduce, term: Separated, letter: str, low: int, high: int) -> Scalars:
        """sum_{i<=k+c} b_i prod_{j=i+p..k+q} a_j, from u_n = a_n (u_{n-1} + b_{n-p})."""
        start, c = node.low.offset, node.high.offset
        if term.link is None:
            return self._read(self._prefix(Fold("sum", term.inner, node.letter, start, node.where)), node.high, low, high)
        p, q = term.link.low.offset, term.link.high.offset
        a = Fold("prod", term.link.body, term.link.letter, 0, term.link.where)
        b = Fold("sum", term.inner, node.letter, start, node.where)
        name = (
            "u",
            *(_form(f.body, f.letter) for f in (a, b)),
            self._where_name(a),
            self._where_name(b),
            start,
            p,
        )
        scan = self._scans.setdefault(name, Recurrence(self, a, b, p))
        last = min(q, c + p)
        result = scan.window(low + last, high + last)
        for n in range(last + 1, q + 1):  # factors beyond the last term's own
            result = result * a.masked(self, low + n, high + n)
        for n in range(q - p + 1, c + 1):  # last terms, whose product is empty
            result = result + b.masked(self, low + n, high + n)
        return result
