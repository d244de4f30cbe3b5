"""Formulas as one line of text."""

from __future__ import annotations

from fractions import Fraction

from boundcheck.language.printing import ATOM, BIG, POWER, PRODUCT, Dialect, Piece, Printer
from boundcheck.language.tree import Index, Node, Part


class Text(Dialect):
    def letter(self, name: str, index: Index | None, run: str) -> str:
        prime = f"({run})" if run else ""
        if index is None:
            return name + prime
        subscript = str(index) if index.letter is None or index.offset == 0 else "{" + str(index) + "}"
        return f"{name}{prime}_{subscript}"

    def named(self, name: str, latex: str) -> str:
        return name

    def star(self) -> str:
        return "x*"

    def grad(self, at: str) -> str:
        return f"grad f({at})"

    def norm(self, of: str) -> str:
        return f"|{of}|"

    def normsq(self, of: str) -> str:
        return f"|{of}|^2"

    def inner(self, left: str, right: str) -> str:
        return f"<{left}, {right}>"

    def chord(self, kind: str, start: str, end: str, latex: str = "") -> str:
        return f"{kind}({start}, {end})"

    def product(self, left: str, right: str) -> str:
        return f"{left} {right}"

    def fraction(self, above: Piece, below: Piece) -> Piece:
        return f"{self._tight(above, PRODUCT)}/{self._tight(below, POWER)}", PRODUCT

    def power(self, base: Piece, exponent: Fraction) -> Piece:
        if exponent == Fraction(1, 2):
            return f"sqrt({base[0]})", ATOM
        shown = str(exponent) if exponent.denominator == 1 and exponent >= 0 else f"({exponent})"
        return f"{self._tight(base, ATOM)}^{shown}", POWER

    def absolute(self, of: str) -> str:
        return f"|{of}|"

    def log(self, of: Piece) -> str:
        return f"log {of[0]}" if of[1] == BIG and of[0].startswith("log ") else f"log {self._tight(of, ATOM)}"

    def exp(self, of: Piece) -> str:
        return f"exp({of[0]})"

    def choice(self, larger: bool, left: str, right: str) -> str:
        return f"{'max' if larger else 'min'}({left}, {right})"

    def big(self, kind: str, letter: str, low: Index, high: Index, where: str | None, body: str) -> str:
        condition = f", {where}" if where else ""
        return f"{kind}_{{{letter}={low}..{high}{condition}}} {body}"

    def mean(self, of: str, weight: str, letter: str, low: Index, high: Index) -> str:
        weights = "" if weight == "1" else f" with weights {weight}"
        return f"mean_{{{letter}={low}..{high}}}[{of}{weights}]"

    def relation(self, op: str) -> str:
        return op

    def bracket(self, inside: str) -> str:
        return f"({inside})"

    def part(self, part: Part) -> str:
        return str(part)

    def named_function(self, name: str, part: str) -> str:
        return f"{name}[{part}]" if part else name

    def component(self, of: str, part: str) -> str:
        return f"{of}[{part}]"

    def image(self, kind: str, of: str, at: str) -> str:
        if kind == "adjoint":
            return f"{of}^T({at})"
        return {"gradient": "grad ", "subgradient": "subgrad ", "operator": ""}[kind] + f"{of}({at})"

    def prox(self, kind: str, of: str, step: str, at: str) -> str:
        if kind == "project":
            return f"project_{of}({at})"
        return f"{kind}_{{{step} {of}}}({at})"

    def linear_minimum(self, towards: str, of: str) -> str:
        return f"argmin_{{z in {of}}} <{towards}, z>"

    def pick(self, part: str, drawn: str, then: str, otherwise: str) -> str:
        return f"({then} if {part} = {drawn} else {otherwise})"

    def average(self, letter: str, of: str) -> str:
        return f"average_{letter} {of}"

    def expectation(self, of: str) -> str:
        return f"E[{of}]"

    def _tight(self, piece: Piece, tightness: int) -> str:
        return piece[0] if piece[1] >= tightness else self.bracket(piece[0])


def text(node: Node) -> str:
    """The formula on one line: f(x_{k+1}) <= f(x_k) - ..."""
    return Printer(Text())(node)
