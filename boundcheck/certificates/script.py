"""A counterexample as a short script of plain fractions: paste it, run it, and see the printed statement fail."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from boundcheck.certificates.script_functions import function_lines, secants_line
from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, Follows, Once
from boundcheck.language.chords import ChordQuantity
from boundcheck.language.python import constant_name, exact, index_text, name_of, python
from boundcheck.language.ranges import last_step, reads
from boundcheck.language.relations import OPPOSITE, Relation, links
from boundcheck.language.rewrite import put_index, transform
from boundcheck.language.scalars import Term
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Point
from boundcheck.model.method import Method

CHORDS = {
    "D": "D = lambda x, y: 2*{norm}(df(y) - df(x))/{norm}(y - x)",
    "H": "H = lambda x, y: 2*abs(f(y) - f(x) - {dot})/{normsq}",
    "A": "A = lambda x, y: max(secants(x, y))",
    "mu": "mu = lambda x, y: min(secants(x, y))",
}
FLAT = {"norm": "abs", "dot": "df(x)*(y - x)", "normsq": "(y - x)**2"}
DEEP = {"norm": "norm", "dot": "dot(df(x), y - x)", "normsq": "normsq(y - x)"}
VECTORS = """\
class V(tuple):
    __add__ = lambda u, v: V(a + b for a, b in zip(u, v))
    __sub__ = lambda u, v: V(a - b for a, b in zip(u, v))
    __rmul__ = lambda v, s: V(s*a for a in v)
dot = lambda u, v: sum(a*b for a, b in zip(u, v))
normsq = lambda v: dot(v, v)"""
EXACT_ROOT = """\
def sqrt(v):  # exact where it is a fraction; what no side reads may be none
    root = F(isqrt(v.numerator), isqrt(v.denominator)) if isinstance(v, F) else v
    return root if root**2 == v else float(v)**0.5"""


def script(bound: Bound, certificate: Mapping[str, Any]) -> str:
    """Return the function, the run, the hypotheses, both sides: about fifteen lines without any package."""
    return "\n".join(_Script(bound, certificate).lines()) + "\n"


class _Script:
    def __init__(self, bound: Bound, certificate: Mapping[str, Any]) -> None:
        self.bound, self.data = bound, certificate
        self.chord: Mapping[str, list[str]] = certificate.get("chord", {})
        any_point = next(iter(self.chord.values())) if self.chord else next(iter(certificate["run"]["roles"].values()))["start"]
        self.dimension = len(any_point)
        self.relation = self._bind(links(bound.states)[certificate["link"]])
        self.solved = not self.chord and any(None in own["eta"] for own in certificate["run"]["roles"].values())
        self.exact = isinstance(certificate["left"], str) and isinstance(certificate["right"], str) and not self.solved

    def _bind(self, relation: Relation) -> Relation:
        return self.bound.with_M(relation, self.data["smoothness"] or "")

    def _write(self, node: Node) -> str:
        return python(node, self.dimension)

    def _point(self, values: list[str]) -> str:
        return exact(values[0]) if self.dimension == 1 else f"V(({', '.join(exact(v) for v in values)}))"

    def lines(self) -> Iterator[str]:
        place = [f"{letter} = {k}" for letter, k in self.data["at"].items()]
        run = self._points() if self.chord else self._runs()
        body = [*self._letters(), *run, *place, *self._hypotheses(), *self._sides()]
        text = "\n".join(body)
        declared = [self._definition(quantity) for quantity in self.bound.chords_with(self.data["smoothness"] or "")]
        read = "\n".join([text, *declared])
        chords = [line for kind, line in CHORDS.items() if re.search(rf"(?<!\w){kind}\(", read)]
        chords = [*(line.format(**(FLAT if self.dimension == 1 else DEEP)) for line in chords), *declared]
        secants = [secants_line(self.data["function"], self.dimension)] if any("secants" in line for line in chords) else []
        shape = [*function_lines(self.data["function"]), *secants, *chords]
        yield from self._imports("\n".join([*shape, text]))
        yield from shape
        yield from body

    def _definition(self, quantity: ChordQuantity) -> str:
        return f"{name_of(quantity.name)} = lambda p, q: {self._write(quantity.formula)}"

    def _imports(self, text: str) -> Iterator[str]:
        roots = "sqrt(" in text or "norm(" in text.replace("normsq(", "")
        needed = [name for name in ("exp", "log", "prod", "tanh") if f"{name}(" in text]
        needed += ["isqrt" if self.exact else "sqrt"] if roots and (self.dimension > 1 or "sqrt(" in text) else []
        yield "from fractions import Fraction as F"
        if needed:
            yield f"from math import {', '.join(sorted(needed))}"
        if "isqrt" in needed:
            yield EXACT_ROOT
        if self.dimension > 1:
            yield VECTORS
            if "norm(" in text.replace("normsq(", ""):
                yield "norm = lambda v: sqrt(normsq(v))"
            if "zero" in text:
                yield f"zero = V({(0,) * self.dimension})"

    def _letters(self) -> Iterator[str]:
        values = {name_of(n): v for n, v in self.data["parameters"].items()}
        values |= {constant_name(n): v for n, v in self.data["constants"].items()}
        own = [f"{name} = {exact(value)}" for name, value in values.items()]
        if self.data["minimiser"] is not None:
            own.append(f"xs = {self._point(self.data['minimiser'])}")
        if own:
            yield "; ".join(own)

    def _points(self) -> Iterator[str]:
        yield "; ".join(f"{name_of(name)} = {self._point(point)}" for name, point in self.chord.items())

    def _runs(self) -> Iterator[str]:
        for role, method in self.bound.runs.roles:
            yield from self._run(role, method)

    def _run(self, role: str, method: Method) -> Iterator[str]:
        own = self.data["run"]["roles"][role]
        for name, values in own.items():
            if name == "start":
                yield f"{name_of('x', role)} = {{0: {self._point(values)}}}"
            elif None in values:
                yield f"{name} = {{{', '.join(f'{k}: {exact(v)}' for k, v in enumerate(values) if v is not None)}}}"
            else:
                yield f"{name_of(name, role)} = [{', '.join(exact(v) for v in values)}]"
        carried = sorted({update.name for update in (*method.first, *method.each)} - {"x"})
        if carried:
            yield "; ".join(f"{name_of(name, role)} = {{}}" for name in carried)
        first = {update.name: update for update in method.first}
        instead = {u.name for u in method.each if u.index.offset == 0} & set(first)
        for name, update in first.items():
            if name not in instead:
                yield f"{name_of(name, role)}[0] = {self._write(_in_role(update.to, role))}"
        yield f"for k in range({len(own['eta'])}):"
        if self.solved:  # steps that are not rational, by the equation that they follow
            (rule,) = (self._bind(relation) for relation in self.bound.rules)
            step = self._write(put_index(rule.right, next(iter(rule.free)), Index("k")))
            yield f"    eta[k] = eta[k] if k in eta else float({step})"
        for update in method.each:
            to = self._write(_in_role(update.to, role))
            if update.name in instead:
                to = f"{self._write(_in_role(first[update.name].to, role))} if k == 0 else {to}"
            yield f"    {name_of(update.name, role)}[{index_text(update.index)}] = {to}"

    def _hypotheses(self) -> Iterator[str]:
        """Yield those that are relations, at every step that the run has."""
        for h in self.bound.hypotheses:
            if isinstance(h, Once):
                yield f"assert {self._write(self._bind(h.relation))}"
            elif isinstance(h, AtEachStep) and not (isinstance(h, Follows) and self.solved):
                relation = self._bind(h.relation)
                letter = next(iter(relation.free))
                start = max([0, *(-low for _, low in reads(relation, {letter: 0}))])
                steps = min(len(own["eta"]) for own in self.data["run"]["roles"].values())
                end = steps - (last_step(relation, letter) or 0)
                yield f"assert all({self._write(relation)} for {name_of(letter)} in range({start}, {end}))"

    def _sides(self) -> Iterator[str]:
        yield f"left = {self._write(self.relation.left)}"
        yield f"right = {self._write(self.relation.right)}"
        yield 'print("left", left, "right", right)'
        yield f"assert left {OPPOSITE.get(self.relation.op, '!=')} right"
        yield f'print("the claim fails here: it says that left {self.relation.op} right")'


def _in_role(node: Node, role: str) -> Node:
    """Return a method's formula, read in one of several runs."""

    def change(n: Node) -> Node | None:
        return replace(n, run=role) if isinstance(n, Term | Point) and n.index is not None else None

    return transform(node, change) if role else node
