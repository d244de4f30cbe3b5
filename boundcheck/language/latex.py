"""Formulas as LaTeX, with the macros of plain amsmath only."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from boundcheck.language.printing import ATOM, BIG, POWER, Dialect, Piece, Printer
from boundcheck.language.symbols import COUNTED, LETTERS, is_symbol, named
from boundcheck.language.tree import Index, Node, Part
from boundcheck.support.escaping import latex_name

GREEK = {name for name in LETTERS if name not in ("eps", "top", "infty", "prime", "star", "ell")}
SIGNS = {"<=": r"\leq", "<": "<", "==": "=", ">=": r"\geq", ">": ">", "->": r"\to"}
SIGNS_OVER_RANGES = {"sum": r"\sum", "prod": r"\prod", "min": r"\min", "max": r"\max"}


class Latex(Dialect):
    def letter(self, name: str, index: Index | None, run: str) -> str:
        base, above = named(name)
        raised = (above if above in ("", "*") else latex_name(above)) + ("\\prime" if run else "")
        shown = self.named(base, "") + (f"^{{{raised}}}" if raised else "")
        return shown if index is None else f"{shown}_{{{_index(index)}}}"

    def named(self, name: str, latex: str) -> str:
        latex = latex or COUNTED.get(name, "")
        if is_symbol(latex):
            return latex
        if name in GREEK:
            return f"\\{name}"
        base, _, below = name.partition("_")
        if below and len(base) == 1 and name.isascii() and name.replace("_", "").isalnum():
            return f"{base}_{{\\text{{{below.replace('_', ' ')}}}}}"
        return name if len(name) == 1 and name.isascii() and name.isalpha() else latex_name(name)

    def star(self) -> str:
        return "x^{*}"

    def grad(self, at: str) -> str:
        return rf"\nabla f({at})"

    def norm(self, of: str) -> str:
        return rf"\left\| {of} \right\|_2"

    def normsq(self, of: str) -> str:
        return rf"\left\| {of} \right\|_2^2"

    def inner(self, left: str, right: str) -> str:
        return rf"\left\langle {left}, {right} \right\rangle"

    def chord(self, kind: str, start: str, end: str, latex: str = "") -> str:
        return f"{self.named(kind, latex)}({start}, {end})"

    def product(self, left: str, right: str) -> str:
        return rf"{left} \cdot {right}" if right[:1].isdigit() else f"{left} {right}"

    def fraction(self, above: Piece, below: Piece) -> Piece:
        return rf"\frac{{{above[0]}}}{{{below[0]}}}", ATOM

    def power(self, base: Piece, exponent: Fraction) -> Piece:
        if exponent == Fraction(1, 2):
            return rf"\sqrt{{{base[0]}}}", ATOM
        inside = base[0] if base[1] >= ATOM and not base[0].startswith(r"\frac") else self.bracket(base[0])
        return f"{inside}^{{{exponent}}}", POWER

    def absolute(self, of: str) -> str:
        return rf"\left| {of} \right|"

    def log(self, of: Piece) -> str:
        return (
            rf"\log {of[0]}" if of[1] >= ATOM or (of[1] == BIG and of[0].startswith(r"\log ")) else rf"\log {self.bracket(of[0])}"
        )

    def exp(self, of: Piece) -> str:
        return rf"\exp {self.bracket(of[0])}"

    def choice(self, larger: bool, left: str, right: str) -> str:
        return rf"\{'max' if larger else 'min'}\left\{{ {left}, {right} \right\}}"

    def big(self, kind: str, letter: str, low: Index, high: Index, where: str | None, body: str) -> str:
        return self._big(kind, _plain(letter), _index(low), _index(high), where, body)

    def _big(self, kind: str, letter: str, low: str, high: str, where: str | None, body: str) -> str:
        condition = rf",\; {where}" if where else ""
        if kind in ("min", "max"):
            return rf"{SIGNS_OVER_RANGES[kind]}_{{{low} \leq {letter} \leq {high}{condition}}} {body}"
        if where:
            return rf"{SIGNS_OVER_RANGES[kind]}_{{{low} \leq {letter} \leq {high}{condition}}} {body}"
        return rf"{SIGNS_OVER_RANGES[kind]}_{{{letter}={low}}}^{{{high}}} {body}"

    def mean(self, of: str, weight: str, letter: str, low: Index, high: Index) -> str:
        return self._mean(of, weight, _plain(letter), _index(low), _index(high))

    def _mean(self, of: str, weight: str, letter: str, low: str, high: str) -> str:
        if weight == "1":
            return rf"\frac{{1}}{{\#\{{{low},\ldots,{high}\}}}} \sum_{{{letter}={low}}}^{{{high}}} {of}"
        above = rf"\sum_{{{letter}={low}}}^{{{high}}} {weight}\, {of}"
        return rf"\frac{{{above}}}{{\sum_{{{letter}={low}}}^{{{high}}} {weight}}}"

    def part(self, part: Part) -> str:
        return _index(part) if isinstance(part, Index) else f"{_plain(part.name)}_{{{_index(part.index)}}}"

    def named_function(self, name: str, part: str) -> str:
        shown = self.named(name, "")
        return f"{shown}_{{{part}}}" if part else shown

    def component(self, of: str, part: str) -> str:
        return f"{{{of}}}^{{({part})}}"

    def image(self, kind: str, of: str, at: str) -> str:
        if kind == "adjoint":
            return rf"{of}^\top({at})"
        return {"gradient": r"\nabla ", "subgradient": r"\tilde{\nabla} ", "operator": ""}[kind] + f"{of}({at})"

    def prox(self, kind: str, of: str, step: str, at: str) -> str:
        if kind == "project":
            return rf"P_{{{of}}}({at})"
        return rf"J_{{{step} {of}}}({at})" if kind == "resolvent" else rf"\mathrm{{prox}}_{{{step} {of}}}({at})"

    def linear_minimum(self, towards: str, of: str) -> str:
        return rf"\operatorname{{argmin}}_{{z \in {of}}} \left\langle {towards}, z \right\rangle"

    def pick(self, part: str, drawn: str, then: str, otherwise: str) -> str:
        return rf"\left( {then} \text{{ if }} {part} = {drawn}, \text{{ else }} {otherwise} \right)"

    def average(self, letter: str, of: str) -> str:
        return rf"\frac{{1}}{{n}} \sum_{{{_plain(letter)}=1}}^{{n}} {of}"

    def expectation(self, of: str) -> str:
        return rf"\mathbb{{E}}\left[ {of} \right]"

    def relation(self, op: str) -> str:
        return SIGNS[op]

    def bracket(self, inside: str) -> str:
        return rf"\left( {inside} \right)"


def _plain(letter: str) -> str:
    """The letter of an index, which is a name too."""
    return letter if letter.isascii() and letter.isalnum() else latex_name(letter)


def _index(index: Index) -> str:
    return str(index if index.letter is None else replace(index, letter=_plain(index.letter)))


def latex(node: Node) -> str:
    """The formula in LaTeX, made from the tree that is checked."""
    return Printer(Latex())(node)
