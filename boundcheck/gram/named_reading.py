"""Claims about functions, sets and operators with names as semidefinite programs: runs, hypotheses, expectations, classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any, TypeVar

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, Declared, Follows, Once, SamePoint, Solution
from boundcheck.gram.affine import ZERO, Affine, Combination, NotModelled, Quantity, affine, minus
from boundcheck.gram.algebra import NEGATIVE, ONE, Excluded, Undefined
from boundcheck.gram.builder import SIGN, alternatives, step_letter
from boundcheck.gram.class_conditions import class_conditions, different
from boundcheck.gram.demands import demanded
from boundcheck.gram.formulas import COMPARE, At, Missing
from boundcheck.gram.named_oracles import Name, NamedOracles, Row, adjoint
from boundcheck.gram.program import Objective
from boundcheck.gram.solver import Matrix
from boundcheck.language.canonical import HORIZON
from boundcheck.language.interpreter import index_at
from boundcheck.language.named import COMPONENTS, OBJECTIVE
from boundcheck.language.relations import Relation, links
from boundcheck.language.scalars import Div, Expectation, Mul, NamedValue, Term
from boundcheck.language.tree import Draw, Part
from boundcheck.language.vectors import (
    Image,
    Point,
    Prox,
    Vector,
)
from boundcheck.library.function_classes import class_of
from boundcheck.model.facts import Linear, SkewSymmetric, Symmetric
from boundcheck.model.function_classes import FunctionClass, with_implied
from boundcheck.model.method import Method, Update
from boundcheck.model.problem import Fact, FactAbout
from boundcheck.model.schedule import STEP_LETTER, in_reverse

MOST_PATHS = 4096  # of draws, that an expectation walks through
LINEAR_FACTS: frozenset[type[Fact]] = frozenset((Linear, Symmetric, SkewSymmetric))
USUAL: Mapping[str, Fraction] = {"L": ONE, "mu": Fraction(1, 10), "M": ONE, "D": ONE, "beta": ONE, "rho": Fraction(1, 10)}


@dataclass(frozen=True)
class NamedSetting:
    """The numbers that make such a claim a program. Steps that no formula of the claim gives are `steps` in turn."""

    k: int = 1
    link: int = 0
    steps: tuple[Fraction, ...] = (ONE,)
    parameters: Mapping[str, Fraction] = field(default_factory=dict)
    constants: Mapping[str, Fraction] = field(default_factory=dict)
    components: int = 2  # of finite sums and blocks
    rounding: float = 0.0  # by which two numbers that a hypothesis equates may differ
    descriptions: Mapping[str, FunctionClass] = field(default_factory=dict)  # of the classes of names, in place of the usual ones


@dataclass(frozen=True)
class NamedProgram:
    """Maximise one of `objectives` over G and F, where `below` <= 0, `equal` == 0 and `matrices` are semidefinite."""

    are_gradients: tuple[bool, ...]  # the vectors of the basis; the others are differences of points
    start: Combination
    objectives: tuple[Objective, ...]
    below: tuple[Affine, ...]
    equal: tuple[Affine, ...]
    matrices: tuple[Matrix, ...]
    data: Mapping[Name, tuple[Row, ...]]
    classes: Mapping[str, FunctionClass]

    @property
    def basis(self) -> int:
        return len(self.are_gradients)

    @property
    def is_sufficient(self) -> bool:
        """Whether data of the program belong to some member of each class."""
        return all(about.is_sufficient for about in self.classes.values())


@dataclass(kw_only=True)
class NamedReading(NamedOracles):
    """A claim about named oracles, its runs and what its hypotheses demand."""

    setting: NamedSetting
    classes: Mapping[str, FunctionClass]
    known: Mapping[str, Mapping[str, Fraction]]  # the constants of each class
    further: int = 0  # how many steps past k the run makes

    def __post_init__(self) -> None:
        super().__post_init__()
        self.below: list[Affine] = []
        self.drawn_by_run: dict[tuple[int, ...], set[tuple[str, int]]] = {}

    # -- expectations --------------------------------------------------------------------------------------------------

    def read_expectation(self, node: Expectation, at: At) -> Quantity:
        """Return the mean over all paths of the draws on which the number depends."""
        before, entries, path = set(self.drawn), self.entries, dict(self.path)
        self.drawn = set()
        self._walk_run()
        self.scalar(node.of, at)
        draws = sorted(self.drawn)
        if len(draws) * self.components > 0 and self.components ** len(draws) > MOST_PATHS:
            raise NotModelled(f"{node} is a mean over {self.components}^{len(draws)} paths; at most {MOST_PATHS} are walked")
        total, count = Affine(ZERO), 0
        for chosen in product(self.all_components, repeat=len(draws)):
            self.path = dict(zip(draws, chosen, strict=True))
            self._walk_run()
            total = total.plus(affine(self.scalar(node.of, at)))
            count += 1
        self.drawn, self.entries, self.path = before | set(draws), entries, path
        return total.scaled(Fraction(1, count))

    # -- the run -------------------------------------------------------------------------------------------------------

    def _walk_run(self) -> None:
        """Make the run on the present path, or take it where it was made."""
        key = tuple(self.path[draw] for draw in sorted(self.path))
        if key not in self.runs or set(self.path) - self.drawn_by_run.get(key, set()):
            self.entries = {}
            self._run()
            self.runs[key] = self.entries
            self.drawn_by_run[key] = set(self.path)
        self.entries = self.runs[key]
        self.drawn |= self.drawn_by_run[key]

    def read_run(self) -> dict[str, int]:
        """Read the run and what is demanded of it, and return the letters of the claim with their values."""
        self._solutions()
        letters = {} if self.bound.is_about_chords else {self.bound.for_all.letter: self.setting.k, HORIZON: self.setting.k}
        if not self.bound.is_about_chords:
            self._walk_run()
        self._demands(letters)
        return letters

    def _solutions(self) -> None:
        """Read what x* solves: by default it minimises f, so that the gradient there is 0."""
        found = [h for h in self.bound.hypotheses if isinstance(h, Solution)]
        for hypothesis in found:
            self.eliminate(self.vector(hypothesis.zero, {}))
        if not found and OBJECTIVE in self.classes:
            if self.has_components(OBJECTIVE):
                self.eliminate(self.gradient((OBJECTIVE, None), {}))
            else:
                self.row((OBJECTIVE, None), {}, {})

    @property
    def minimises_f(self) -> bool:
        """Whether x* minimises f: so it does where no hypothesis says what else it solves."""
        return not any(isinstance(h, Solution) for h in self.bound.hypotheses)

    def _run(self) -> None:
        runs = self.bound.runs
        for self.role, method in runs.roles:
            start = self.role if runs.apart else ""
            if start not in self.starts:
                self.starts[start] = self.fresh()
            self.entries[self.role, "x"] = {0: self.starts[start]}
            self.entries.setdefault((self.role, "eta"), {})
            for n, update in in_reverse(method.backwards, self.setting.k):
                self._set(update, {STEP_LETTER: n, HORIZON: self.setting.k}, None)
            for update in method.first_numbers:
                self._set(update, {}, None)
            for n in range(self.steps):
                self._step(method, n)
        self.role = ""

    @property
    def steps(self) -> int:
        return self.setting.k + self.further

    def _step(self, method: Method, n: int) -> None:
        here = {STEP_LETTER: n, HORIZON: self.setting.k}
        rules = [h.relation for h in self.bound.hypotheses if isinstance(h, Follows)]
        named = next(filter(None, (self._by_rule(rule, n) for rule in rules)), None)
        self.entries[self.role, "eta"][n] = named or Affine(self.setting.steps[n % len(self.setting.steps)])
        for update in method.updates_at(n):
            parts = self.all_components if isinstance(update.sets, Point) and update.sets.part is not None else (None,)
            for part in parts:
                letters = here if part is None else {**here, _letter(update.sets.part): part}  # type: ignore[union-attr,arg-type]
                self._set(update, letters, part)

    def _set(self, update: Update, at: At, part: int | None) -> None:
        n = index_at(update.index, at)
        key = n if part is None else (n, part)
        sequence: dict[Any, Any] = self.entries.setdefault((self.role, update.name), {})
        if not update.is_implicit:
            to = update.to
            sequence[key] = self.vector(to, at) if isinstance(to, Vector) else self.scalar(to, at)
            return
        sequence[key] = self.fresh()
        equation = update.such_that
        sides = (update.sets, update.to) if equation is None else (equation.left, equation.right)
        assert all(isinstance(side, Vector) for side in sides)
        first, second = (self.vector(side, at) for side in sides)  # type: ignore[arg-type]
        self.eliminate(minus(first, second))

    def _by_rule(self, rule: Relation, n: int) -> Affine | None:
        """Return the step that a formula of the claim gives, where it is a number."""
        step, left = step_letter(rule), rule.left
        if not isinstance(left, Term) or left.name != "eta" or step is None or left.index.letter != step or left.index.offset:
            return None
        try:
            found = affine(self.scalar(rule.right, {step: n, HORIZON: self.setting.k}))
        except Missing:
            return None
        return found if found.is_number else None

    # -- hypotheses ----------------------------------------------------------------------------------------------------

    def _demands(self, letters: At) -> None:
        for hypothesis in self.bound.hypotheses:
            if isinstance(hypothesis, SamePoint):
                step = next(iter(hypothesis.equation.free), None)
                for at in [{**letters, step: n} for n in range(self.steps + 1)] if step else [letters]:
                    try:
                        left, right = (self.vector(side, at) for side in (hypothesis.equation.left, hypothesis.equation.right))
                    except Missing:
                        continue
                    self.eliminate(minus(left, right))
        for hypothesis in self.bound.hypotheses:
            if isinstance(hypothesis, Once):
                self._demand(hypothesis.relation, letters)
            elif isinstance(hypothesis, AtEachStep):
                step = step_letter(hypothesis.relation)
                for n in range(self.steps + 2):
                    before = self.noted()
                    try:
                        self._demand(hypothesis.relation, {**letters, **({step: n} if step else {})})
                    except Missing:
                        self.take_back(before)

    def _demand(self, relation: Relation, at: At) -> None:
        whole = relation.right
        if relation.op == "==" and isinstance(whole, Div) and not affine(self.scalar(whole.right, at)).is_number:
            relation = Relation("==", Mul(relation.left, whole.right), whole.left)
        found, op = self.difference(relation, at), relation.op
        if found.is_number:
            tolerance: float = 1e-9 if isinstance(found.constant, float) else self.setting.rounding
            rounded = abs(float(found.constant)) <= tolerance
            if not (rounded and op in ("==", "<=", ">=")) and not COMPARE[op](found.constant, 0):
                raise Excluded(f"the hypothesis {relation} is false with these steps or parameters")
        elif op != "==":
            below, equal = demanded(self.algebra, found.scaled(SIGN[op]), relation)
            self.below += below
            self.equal += equal
        elif any(symbol[0] == "T" for symbol in found.terms):
            raise NotModelled(f"the hypothesis {relation} has a minimum or a maximum of quantities of the run")
        else:
            self.equal.append(found)

    # -- the program ---------------------------------------------------------------------------------------------------

    def program(self, objectives: tuple[Objective, ...]) -> NamedProgram:
        """Return the program with these objectives, for what has been read."""
        below, equal, matrices = class_conditions(self)
        return NamedProgram(
            objectives=objectives,
            below=(*self.below, *below),
            equal=different([*self.equal, *equal]),
            matrices=matrices,
            data={name: tuple(rows) for name, rows in self.data.items()},
            classes=self.classes,
            are_gradients=tuple(self.are_gradients),
            start=self.starts.get("", {}),
        )


def _letter(part: Part) -> str:
    if isinstance(part, Draw) or part.letter is None:
        raise NotModelled(f"a sequence is set for every component; found {part}")
    return part.letter


def named_program(bound: Bound, setting: NamedSetting) -> NamedProgram:
    """Return the program of left - right. NotModelled: the claim does not fit. Excluded: the numbers break a hypothesis."""
    relation = links(bound.states)[setting.link]
    if relation.op == "->":
        raise NotModelled("the claim is a limit")
    reading, found = read_named(bound, setting, lambda made, letters: made.difference(relation, letters))
    signs = (ONE, NEGATIVE) if relation.op == "==" else (SIGN[relation.op],)
    return reading.program(tuple(o for sign in signs for o in alternatives(reading.algebra, found.scaled(sign))))


Sides = TypeVar("Sides")


def read_named(
    bound: Bound, setting: NamedSetting, sides: Callable[[NamedReading, dict[str, int]], Sides]
) -> tuple[NamedReading, Sides]:
    """Return what was read of a claim, and `sides` of it, for the shortest run that has all that is read."""
    kinds: dict[str, set[type[Fact]]] = {}
    known: dict[str, dict[str, Fraction]] = {}
    constants = {**USUAL, COMPONENTS: Fraction(setting.components), **setting.constants}
    for h in bound.hypotheses:
        if isinstance(h, Declared):
            kinds.setdefault(OBJECTIVE, set()).add(h.kind)
        elif isinstance(h, FactAbout):
            kinds.setdefault(h.name, set()).add(h.kind)
            for own, letter in h.letters:
                number = constants.setdefault(letter, USUAL.get(own, ONE))
                known.setdefault(h.name, {})[own] = number
    known[OBJECTIVE] = {**constants, **known.get(OBJECTIVE, {})}
    classes = {}
    for name, facts in kinds.items():
        found, left = _described(setting.descriptions.get(name), frozenset(facts))
        if left or found is None:
            raise NotModelled(f"{', '.join(kind.__name__ for kind in left)} of {name} is not a class with inequalities")
        classes[name] = found
        for constant in found.reads:
            known.setdefault(name, {}).setdefault(constant, constants.get(f"{constant}_{name}", USUAL.get(constant, ONE)))
    linear = {name for name, facts in kinds.items() if facts & LINEAR_FACTS}
    for name in linear:
        classes[adjoint(name)], known[adjoint(name)] = classes[name], known[name]
    parts = _components(bound)
    for further in range(3):
        reading = NamedReading(
            bound=bound,
            setting=setting,
            classes=classes,
            known=known,
            M="",
            constants=constants,
            parameters=dict(setting.parameters),
            chords=(ONE,),
            reads_least=True,
            is_convex=True,
            with_A=False,
            components=setting.components,
            summed=parts,
            linear=frozenset({*linear, *map(adjoint, linear)}),
            further=further,
        )
        try:
            return reading, sides(reading, reading.read_run())
        except Missing as missing:
            why = str(missing)
        except KeyError as lacking:
            raise NotModelled(f"{lacking.args[0]} is not known here") from None
        except ZeroDivisionError:
            raise Undefined("a division by 0") from None
    raise NotModelled(f"the claim reads {why}, which no step of the run sets")


def _described(about: FunctionClass | None, facts: frozenset[type[Fact]]) -> tuple[FunctionClass | None, tuple[type[Fact], ...]]:
    """Return the class of the functions with these facts: as it is described, or as the usual description says."""
    if about is None:
        return class_of(facts)
    if about.kinds != with_implied(tuple(facts)):
        raise NotModelled(f"'{about}' does not describe the functions that the claim is about")
    return about, ()


def _components(bound: Bound) -> frozenset[str]:
    """Return the functions of which the claim reads components."""
    trees = [*bound.trees, *(u.formula for _, m in bound.runs.roles for u in (*m.first, *m.each))]
    trees += [h.zero for h in bound.hypotheses if isinstance(h, Solution)]
    nodes = (node for tree in trees for node in tree.walk())
    return frozenset(n.of for n in nodes if isinstance(n, NamedValue | Image | Prox) and n.part is not None)
