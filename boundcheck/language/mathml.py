"""Formulas as MathML, which browsers typeset without any script or network; what differs from another formula can be marked."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from fractions import Fraction
from html import escape
from typing import Any, TypeVar

from boundcheck.language.difference import Marked, Place
from boundcheck.language.printing import ATOM, BIG, POWER, Dialect, Piece, Printer
from boundcheck.language.relations import Chain, Relation, links
from boundcheck.language.scalars import Add, Sub
from boundcheck.language.symbols import COUNTED, identifier, is_symbol, named, symbol
from boundcheck.language.tree import Index, Node, Part

SIGNS = {"<=": "≤", "<": "<", "==": "=", ">=": "≥", ">": ">", "->": "→"}
OVER_RANGES = {"sum": "∑", "prod": "∏"}
MARKED, OTHERWISE = "differs", "!"  # the class of what is marked; ends a sign that is another one in the other formula
PREFIX, INFIX = ' form="prefix"', ' form="infix"'
N = TypeVar("N", bound=Node)
APPLY, TIMES, THIN = "<mo>\u2061</mo>", "<mo>\u2062</mo>", '<mspace width="0.17em"/>'


@dataclass(frozen=True)
class _Otherwise(Index):
    """An index that is written otherwise in the other formula."""


def _mo(sign: str, more: str = "") -> str:
    return f"<mo{more}>{escape(sign)}</mo>"


def _mark(inside: str) -> str:
    return f'<mrow class="{MARKED}">{inside}</mrow>'


def _fenced(left: str, inside: str, right: str) -> str:
    return f"<mrow>{_mo(left)}{inside}{_mo(right)}</mrow>"


class MathML(Dialect):
    def letter(self, name: str, index: Index | None, run: str) -> str:
        base, above = named(name)
        shown, marks = identifier(base), [_mo("*") if above == "*" else identifier(above)] if above else []
        marks += [_mo("′")] if run else []
        raised = marks[0] if len(marks) == 1 else f"<mrow>{''.join(marks)}</mrow>"
        if index is None:
            return f"<msup>{shown}{raised}</msup>" if marks else shown
        return f"<msubsup>{shown}{self.index(index)}{raised}</msubsup>" if marks else f"<msub>{shown}{self.index(index)}</msub>"

    def named(self, name: str, latex: str) -> str:
        shown = latex or COUNTED.get(name, "")
        return symbol(shown) if is_symbol(shown) else identifier(name)

    def number(self, digits: str) -> str:
        return f"<mrow>{_mo('−')}<mn>{escape(digits[1:])}</mn></mrow>" if digits.startswith("-") else f"<mn>{escape(digits)}</mn>"

    def index(self, index: Index) -> str:
        if index.letter is None:
            made = self.number(str(index.offset))
        elif index.offset == 0:
            made = identifier(index.letter)
        else:
            sign, size = ("+", index.offset) if index.offset > 0 else ("−", -index.offset)
            made = f"<mrow>{identifier(index.letter)}{_mo(sign)}<mn>{size}</mn></mrow>"
        return _mark(made) if isinstance(index, _Otherwise) else made

    def star(self) -> str:
        return f"<msup><mi>x</mi>{_mo('*')}</msup>"

    def value(self, at: str) -> str:
        return f"<mrow><mi>f</mi>{APPLY}{_fenced('(', at, ')')}</mrow>"

    def gap(self, at: str) -> str:
        return _fenced("(", self.plus(self.value(at), "-", self.value(self.star())), ")")

    def plus(self, left: str, sign: str, right: str) -> str:
        return f"{left}{_mo('−' if sign == '-' else sign)}{right}"

    def negative(self, of: str) -> str:
        return f"<mrow>{_mo('−', PREFIX)}{of}</mrow>"

    def grad(self, at: str) -> str:
        return f"<mrow>{_mo('∇')}{self.value(at)}</mrow>"

    def norm(self, of: str) -> str:
        return f"<msub>{_fenced('‖', of, '‖')}<mn>2</mn></msub>"

    def normsq(self, of: str) -> str:
        return f"<msubsup>{_fenced('‖', of, '‖')}<mn>2</mn><mn>2</mn></msubsup>"

    def inner(self, left: str, right: str) -> str:
        return _fenced("⟨", f"<mrow>{left}</mrow>{_mo(',')}<mrow>{right}</mrow>", "⟩")

    def chord(self, kind: str, start: str, end: str, latex: str = "") -> str:
        name = self.named(kind, latex) if latex else identifier(kind)
        return f"<mrow>{name}{APPLY}{_fenced('(', start + _mo(',') + end, ')')}</mrow>"

    def product(self, left: str, right: str) -> str:
        between = _mo("·") if right.removeprefix(f'<mrow class="{MARKED}">').startswith("<mn>") else TIMES
        return f"<mrow>{left}{between}{right}</mrow>"

    def fraction(self, above: Piece, below: Piece) -> Piece:
        return f"<mfrac><mrow>{above[0]}</mrow><mrow>{below[0]}</mrow></mfrac>", POWER

    def power(self, base: Piece, exponent: Fraction) -> Piece:
        if exponent == Fraction(1, 2):
            return f"<msqrt>{base[0]}</msqrt>", ATOM
        inside = base[0] if base[1] >= ATOM else self.bracket(base[0])
        return f"<msup><mrow>{inside}</mrow>{self._exponent(exponent)}</msup>", POWER

    def _exponent(self, exponent: Fraction) -> str:
        if exponent.denominator == 1:
            return self.number(str(exponent))
        above = self.number(str(exponent.numerator))
        return f"<mrow>{above}{_mo('/')}{self.number(str(exponent.denominator))}</mrow>"

    def absolute(self, of: str) -> str:
        return _fenced("|", of, "|")

    def log(self, of: Piece) -> str:
        bare = of[1] >= ATOM or (of[1] == BIG and of[0].startswith("<mrow><mi>log</mi>"))
        return f"<mrow><mi>log</mi>{APPLY}{THIN}{of[0] if bare else self.bracket(of[0])}</mrow>"

    def exp(self, of: Piece) -> str:
        return f"<mrow><mi>exp</mi>{APPLY}{self.bracket(of[0])}</mrow>"

    def choice(self, larger: bool, left: str, right: str) -> str:
        both = _fenced("{", f"<mrow>{left}</mrow>{_mo(',')}<mrow>{right}</mrow>", "}")
        return f"<mrow><mi>{'max' if larger else 'min'}</mi>{APPLY}{both}</mrow>"

    def big(self, kind: str, letter: str, low: Index, high: Index, where: str | None, body: str) -> str:
        between = f"{self.index(low)}{_mo('≤')}{identifier(letter)}{_mo('≤')}{self.index(high)}"
        if kind in ("min", "max"):
            condition = f"{_mo(',')}{where}" if where else ""
            under = f'<munder><mo movablelimits="false">{kind}</mo><mrow>{between}{condition}</mrow></munder>'
            return f"<mrow>{under}{THIN}{body}</mrow>"
        sign = _mo(OVER_RANGES[kind], ' movablelimits="false"')
        if where:
            stacked = f'<mtable rowspacing="0"><mtr><mtd>{between}</mtd></mtr><mtr><mtd>{where}</mtd></mtr></mtable>'
            return f"<mrow><munder>{sign}{stacked}</munder>{body}</mrow>"
        return f"<mrow>{self._limits(sign, letter, low, high)}{body}</mrow>"

    def _limits(self, sign: str, letter: str, low: Index, high: Index) -> str:
        return f"<munderover>{sign}<mrow>{identifier(letter)}{_mo('=')}{self.index(low)}</mrow>{self.index(high)}</munderover>"

    def mean(self, of: str, weight: str, letter: str, low: Index, high: Index) -> str:
        sign = self._limits(_mo("∑", ' movablelimits="false"'), letter, low, high)
        if weight == self.number("1"):
            ends = f"{self.index(low)}{_mo(',')}{_mo('…')}{_mo(',')}{self.index(high)}"
            many = f"{_mo('#')}{_fenced('{', ends, '}')}"
            return f"<mrow><mfrac><mn>1</mn><mrow>{many}</mrow></mfrac>{sign}{of}</mrow>"
        return f"<mfrac><mrow>{sign}{weight}{THIN}{of}</mrow><mrow>{sign}{weight}</mrow></mfrac>"

    def part(self, part: Part) -> str:
        if isinstance(part, Index):
            return self.index(part)
        return f"<msub>{identifier(part.name)}{self.index(part.index)}</msub>"

    def named_function(self, name: str, part: str) -> str:
        return f"<msub>{identifier(name)}{part}</msub>" if part else identifier(name)

    def component(self, of: str, part: str) -> str:
        return f"<msup><mrow>{of}</mrow><mrow>{_fenced('(', part, ')')}</mrow></msup>"

    def image(self, kind: str, of: str, at: str) -> str:
        if kind == "adjoint":
            return f"<mrow><msup>{of}{_mo('⊤')}</msup>{APPLY}{_fenced('(', at, ')')}</mrow>"
        sign = {"gradient": _mo("∇"), "subgradient": f"<mover>{_mo('∇')}{_mo('~')}</mover>", "operator": ""}[kind]
        return f"<mrow>{sign}{of}{APPLY}{_fenced('(', at, ')')}</mrow>"

    def prox(self, kind: str, of: str, step: str, at: str) -> str:
        name = {"prox": "<mi>prox</mi>", "resolvent": "<mi>J</mi>", "project": "<mi>P</mi>"}[kind]
        below = f"<mrow>{of}</mrow>" if kind == "project" else f"<mrow>{step}{THIN}{of}</mrow>"
        return f"<mrow><msub>{name}{below}</msub>{APPLY}{_fenced('(', at, ')')}</mrow>"

    def linear_minimum(self, towards: str, of: str) -> str:
        under = f"<munder><mi>argmin</mi><mrow><mi>z</mi>{_mo('∈')}{of}</mrow></munder>"
        return f"<mrow>{under}{THIN}{self.inner(towards, '<mi>z</mi>')}</mrow>"

    def pick(self, part: str, drawn: str, then: str, otherwise: str) -> str:
        words = f"<mtext> if </mtext>{part}{_mo('=')}{drawn}<mtext>, else </mtext>"
        return self.bracket(f"<mrow>{then}{words}{otherwise}</mrow>")

    def average(self, letter: str, of: str) -> str:
        low, sign = f"<mrow>{identifier(letter)}{_mo('=')}<mn>1</mn></mrow>", _mo("∑", ' movablelimits="false"')
        over = f"<munderover>{sign}{low}<mi>n</mi></munderover>"
        return f"<mrow><mfrac><mn>1</mn><mi>n</mi></mfrac>{over}{of}</mrow>"

    def expectation(self, of: str) -> str:
        return f"<mrow><mi>E</mi>{APPLY}{_fenced('[', of, ']')}</mrow>"

    def relation(self, op: str) -> str:
        made = _mo(SIGNS[op.removesuffix(OTHERWISE)], INFIX)
        return _mark(made) if op.endswith(OTHERWISE) else made

    def bracket(self, inside: str) -> str:
        return _fenced("(", inside, ")")


class _Marking(Printer):
    """Writes a formula with the places that differ from another one marked."""

    def __init__(self, places: Set[Place]) -> None:
        super().__init__(MathML())
        self.places = places

    def piece(self, node: Node) -> Piece:
        made, tightness = super().piece(self._with_marked_fields(node))
        return (_mark(made), tightness) if (node, "") in self.places else (made, tightness)

    def _with_marked_fields(self, node: N) -> N:
        """A copy whose differing indices are marked ones; its formulas are the same objects, so that their marks are found."""
        changed: dict[str, Any] = {}
        for name in ("low", "high", "index"):
            index = getattr(node, name, None)
            if isinstance(index, Index) and (node, name) in self.places:
                changed[name] = _Otherwise(index.letter, index.offset)
        if isinstance(node, Relation) and (node, "op") in self.places:
            changed["op"] = f"{node.op}{OTHERWISE}"
        if isinstance(node, Chain):
            changed["links"] = tuple(self._with_marked_fields(link) for link in node.links)
        return replace(node, **changed) if changed else node

    def runs(self, node: Node) -> list[str]:
        """The formula cut where a line may break: before a relation, and before the sign of an outermost term."""
        if isinstance(node, Chain | Relation) and (node, "") not in self.places:
            parts = [self._with_marked_fields(link) for link in links(node)]
            made = self.runs(parts[0].left)
            for link in parts:
                first, *rest = self.runs(link.right)
                made += [self.d.relation(link.op) + first, *rest]
            return made
        if isinstance(node, Add | Sub) and (node, "") not in self.places:
            *before, last = self.runs(node.left)
            sign = _mo("−" if isinstance(node, Sub) else "+", INFIX)
            return [*before, last, sign + self.at_least(node.right, BIG)]
        return [self(node)]


def _math(inside: str, attribute: str) -> str:
    return f"<math{attribute}><mrow>{inside}</mrow></math>"


def mathml(formula: Node | Marked) -> str:
    """The formula as one <math> element, made from the tree that is checked."""
    shown = formula if isinstance(formula, Marked) else Marked(formula)
    return _math(_Marking(shown.places)(shown.tree), "")


def mathml_lines(formula: Node | Marked) -> list[str]:
    """The same in display style as several <math> elements, between which a line may break: browsers break no formula."""
    shown = formula if isinstance(formula, Marked) else Marked(formula)
    return [_math(run, ' displaystyle="true"') for run in _Marking(shown.places).runs(shown.tree)]
