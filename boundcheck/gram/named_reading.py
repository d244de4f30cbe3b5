"""Claims about several functions, sets and operators as semidefinite programs: methods with proximal steps, projections, chance.

Every vector of a run is a combination of basis vectors. An oracle is known by its data: points, each with the vector that stands there
for a gradient or an image, and with a value where it is a function. A step that an inclusion defines adds to the data instead of
being computed: z = prox(h, t, p) is p - t g for a new vector g, and (z, g) belongs to h. Where an equation says what a point satisfies,
one of the new vectors in it is put in terms of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep, Declared, Follows, Once, SamePoint, Solution
from boundcheck.gram.affine import ZERO, Affine, Combination, NotModelled, Quantity, affine, combine, minus, value
from boundcheck.gram.algebra import NEGATIVE, ONE, Excluded, Undefined
from boundcheck.gram.builder import SIGN, alternatives, step_letter
from boundcheck.gram.classes import PairForm, forms, semidefinite_forms
from boundcheck.gram.formulas import COMPARE, At, GramFormulas, Missing
from boundcheck.gram.program import Objective
from boundcheck.gram.solver import Matrix
from boundcheck.language.canonical import HORIZON
from boundcheck.language.interpreter import index_at
from boundcheck.language.named import OBJECTIVE
from boundcheck.language.relations import Relation, links
from boundcheck.language.scalars import Average, Div, Expectation, Gap, Mul, NamedValue, Term, Value
from boundcheck.language.tree import Draw, Index, Part
from boundcheck.language.vectors import (
    Block,
    Grad,
    Image,
    LinearMinimum,
    Minimum,
    PartsMean,
    Pick,
    Point,
    Prox,
    Vector,
)
from boundcheck.library.function_classes import class_of
from boundcheck.model.function_classes import ANY_FUNCTION, FunctionClass
from boundcheck.model.method import STEP_LETTER, Method, Update
from boundcheck.model.problem import Fact, FactAbout

MOST_PATHS = 4096  # of draws, that an expectation walks through
USUAL: Mapping[str, Fraction] = {"L": ONE, "mu": Fraction(1, 10), "M": ONE, "D": ONE, "beta": ONE, "rho": Fraction(1, 10)}
Name = tuple[str, int | None]  # of an oracle, and which component


@dataclass(frozen=True)
class Row:
    """What is known of an oracle at one point."""

    point: Combination
    image: Combination
    value: int  # the symbol ("F", n) of its value


@dataclass(frozen=True)
class NamedSetting:
    """The numbers that make such a claim a program. Steps that no formula of the claim gives are `steps` in turn."""

    k: int = 1
    link: int = 0
    steps: tuple[Fraction, ...] = (ONE,)
    parameters: Mapping[str, Fraction] = field(default_factory=dict)
    constants: Mapping[str, Fraction] = field(default_factory=dict)
    components: int = 2  # of finite sums and blocks


@dataclass(frozen=True)
class NamedProgram:
    """Maximise one of `objectives` over G and F, where `below` <= 0, `equal` == 0 and `matrices` are semidefinite."""

    basis: int
    objectives: tuple[Objective, ...]
    below: tuple[Affine, ...]
    equal: tuple[Affine, ...]
    matrices: tuple[Matrix, ...]
    data: Mapping[Name, tuple[Row, ...]]
    classes: Mapping[str, FunctionClass]
    is_sufficient: bool  # whether data of the program belong to some member of each class


@dataclass(kw_only=True)
class NamedReading(GramFormulas):
    """A claim about named oracles, its runs and what its hypotheses demand."""

    bound: Bound
    setting: NamedSetting
    classes: Mapping[str, FunctionClass]
    known: Mapping[str, Mapping[str, Fraction]]  # the constants of each class

    def __post_init__(self) -> None:
        super().__post_init__()
        self.data: dict[Name, list[Row]] = {}
        self.values = 0
        self.below: list[Affine] = []
        self.equal: list[Affine] = []
        self.path: dict[tuple[str, int], int] = {}  # which component each draw is, on the path that is read
        self.drawn: set[tuple[str, int]] = set()  # the draws that something read
        self.runs: dict[tuple[int, ...], dict[tuple[str, str], dict[Any, Any]]] = {}
        self.made: dict[Any, Combination] = {}  # points that inclusions define, by what defines them
        self.starts: dict[str, Combination] = {}
        self.free: dict[Any, Any] = {}
        self.blocks: dict[tuple[tuple[int, Any], ...], list[Combination]] = {}
        self.components = self.setting.components

    # -- oracles -------------------------------------------------------------------------------------------------------

    def row(self, name: Name, point: Combination, image: Combination | None = None) -> Row:
        """Return the data of an oracle at a point: what is there already, or a new row."""
        point = dict(point)
        if image is None:
            for row in self.data.get(name, ()):
                if row.point == point:
                    return row
        made = Row(point, self.fresh(is_gradient=True) if image is None else dict(image), self.values)
        self.values += 1
        self.data.setdefault(name, []).append(made)
        return made

    def eliminate(self, zero: Combination) -> None:
        """Put the newest vector of an equation `zero` == 0 in terms of the others, wherever it stands."""
        if not (left := {n: c for n, c in zero.items() if c}):
            return
        gone = max(left)
        by = {n: -c / left[gone] for n, c in left.items() if n != gone}

        def put(vector: Any) -> Any:
            if not isinstance(vector, dict) or gone not in vector:
                return vector
            return combine([(ONE, {n: c for n, c in vector.items() if n != gone}), (vector[gone], by)])

        self.data = {name: [Row(put(r.point), put(r.image), r.value) for r in rows] for name, rows in self.data.items()}
        for entries in (self.entries, *self.runs.values()):
            for key, sequence in entries.items():
                entries[key] = {n: put(entry) for n, entry in sequence.items()}
        self.made = {key: put(vector) for key, vector in self.made.items()}
        self.starts = {key: put(vector) for key, vector in self.starts.items()}
        self.names = {key: put(vector) for key, vector in self.names.items()}
        self.free = {key: put(vector) for key, vector in self.free.items()}

    def part(self, part: Part | None, at: At) -> int | None:
        """Return which component is meant."""
        if part is None:
            return None
        if isinstance(part, Index):
            return index_at(part, at)
        key = (part.name, index_at(part.index, at))
        self.drawn.add(key)
        return self.path.setdefault(key, 1)

    # -- vectors -------------------------------------------------------------------------------------------------------

    def anywhere(self) -> Combination:
        return self.fresh()

    def read_minimum(self, node: Minimum, at: At) -> Combination:
        return {}

    def read_point(self, node: Point, at: At) -> Combination:
        if node.index is None:
            if node.name not in self.names:
                self.names[node.name] = self.fresh()
            return self.names[node.name]
        return self.entry_of(node, at)  # type: ignore[no-any-return]

    def read_term(self, node: Term, at: At) -> Quantity:
        return self.entry_of(node, at)  # type: ignore[no-any-return]

    def entry_of(self, node: Point | Term, at: At) -> Any:
        """Return an entry of a run; one that is free is made when it is first read."""
        assert node.index is not None
        role, n = node.run or self.role, index_at(node.index, at)
        part = self.part(node.part, at) if isinstance(node, Point) else None
        entries = self.entries.get((role, node.name), {})
        key = n if part is None else (n, part)
        if key in entries:
            return entries[key]
        free = {(f.name, f.index.letter is None) for _, m in self.bound.runs.roles for f in m.free if f.index is not None}
        if (node.name, n == 0) in free or (node.name, False) in free:
            return self.free.setdefault((role, node.name, key), self.fresh())
        raise Missing(f"{node.name}_{n}")

    def read_gradient(self, node: Grad, at: At) -> Combination:
        return self.gradient((OBJECTIVE, None), self.vector(node.at, at))

    def gradient(self, name: Name, point: Combination) -> Combination:
        """Return the gradient, or the image; of a finite sum the mean of its components'."""
        if name == (OBJECTIVE, None) and self.has_components(OBJECTIVE):
            parts = [self.gradient((OBJECTIVE, i), point) for i in self.all_components]
            return combine([(Fraction(1, self.components), one) for one in parts])
        return self.row(name, point).image

    def has_components(self, name: str) -> bool:
        """Whether a function is the mean of components that the claim reads."""
        return name in self.summed

    @property
    def all_components(self) -> range:
        return range(1, self.components + 1)

    def read_image(self, node: Image, at: At) -> Combination:
        return self.gradient((node.of, self.part(node.part, at)), self.vector(node.at, at))

    def read_prox(self, node: Prox, at: At) -> Combination:
        name, start = (node.of, self.part(node.part, at)), self.vector(node.at, at)
        step = self.number(node.step, at)
        key = (name, _frozen(start), step)
        if key not in self.made:
            image = self.fresh(is_gradient=True)
            point = combine([(ONE, start), (-step, image)])
            self.row(name, point, image)
            self.made[key] = point
        return self.made[key]

    def read_linear_minimum(self, node: LinearMinimum, at: At) -> Combination:
        towards = self.vector(node.towards, at)
        key = (node.of, "towards", _frozen(towards))
        if key not in self.made:
            self.made[key] = self.fresh()
            self.row((node.of, None), self.made[key], combine([(NEGATIVE, towards)]))
        return self.made[key]

    def read_block(self, node: Block, at: At) -> Combination:
        """Return a block of a vector. Blocks of vectors are new vectors, different blocks orthogonal to each other."""
        whole, part = self.vector(node.whole, at), self.part(node.part, at)
        assert part is not None
        return self.blocks_of(whole)[part - 1]

    def blocks_of(self, whole: Combination) -> list[Combination]:
        """Return the blocks of a vector: the last is what is left of it."""
        key = _frozen(whole)
        if key not in self.blocks:
            parts: list[Combination] = [self.fresh() for _ in range(self.components - 1)]
            parts.append(combine([(ONE, whole), *((NEGATIVE, one) for one in parts)]))
            for others in [parts, *self.blocks.values()]:
                pairs = [(i, j) for i in range(len(parts)) for j in range(len(others)) if i != j]
                self.equal += [affine(self.algebra.inner(parts[i], others[j])) for i, j in pairs if parts[i] and others[j]]
            self.blocks[key] = parts
        return self.blocks[key]

    def read_pick(self, node: Pick, at: At) -> Combination:
        same = self.part(node.part, at) == self.part(node.drawn, at)
        return self.vector(node.then if same else node.otherwise, at)

    def read_parts_mean(self, node: PartsMean, at: At) -> Combination:
        weight = Fraction(1, self.components)
        return combine([(weight, self.vector(node.of, {**at, node.letter: i})) for i in self.all_components])

    # -- numbers -------------------------------------------------------------------------------------------------------

    def value_of(self, name: Name, point: Combination) -> Affine:
        """Return the value of a function at a point; of a finite sum the mean of its components'."""
        if name == (OBJECTIVE, None) and self.has_components(OBJECTIVE):
            total = Affine(ZERO)
            for i in self.all_components:
                total = total.plus(self.value_of((OBJECTIVE, i), point), Fraction(1, self.components))
            return total
        return value(self.row(name, point).value)

    def read_value(self, node: Value, at: At) -> Quantity:
        return self.value_of((OBJECTIVE, None), self.vector(node.at, at))

    def read_named_value(self, node: NamedValue, at: At) -> Quantity:
        return self.value_of((node.of, self.part(node.part, at)), self.vector(node.at, at))

    def read_gap(self, node: Gap, at: At) -> Quantity:
        here = self.value_of((OBJECTIVE, None), self.vector(node.at, at))
        return here.plus(self.value_of((OBJECTIVE, None), {}), NEGATIVE)

    def read_average(self, node: Average, at: At) -> Quantity:
        total, weight = Affine(ZERO), Fraction(1, self.components)
        for i in self.all_components:
            total = total.plus(affine(self.scalar(node.body, {**at, node.letter: i})), weight)
        return total

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

    def read_claim(self) -> NamedProgram:
        """Return the program of the claim."""
        relation = links(self.bound.states)[self.setting.link]
        if relation.op == "->":
            raise NotModelled("the claim is a limit")
        self.drawn_by_run: dict[tuple[int, ...], set[tuple[str, int]]] = {}
        self._solutions()
        letters = {} if self.bound.is_about_chords else {self.bound.for_all.letter: self.setting.k, HORIZON: self.setting.k}
        self.letters = letters
        if not self.bound.is_about_chords:
            self._walk_run()
        self._demands(letters)
        left_less_right = self.difference(relation, letters)
        signs = (ONE, NEGATIVE) if relation.op == "==" else (SIGN[relation.op],)
        objectives = tuple(o for sign in signs for o in alternatives(self.algebra, left_less_right.scaled(sign)))
        return self._program(objectives)

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

    def _run(self) -> None:
        runs = self.bound.runs
        for self.role, method in runs.roles:
            start = self.role if runs.apart else ""
            if start not in self.starts:
                self.starts[start] = self.fresh()
            self.entries[self.role, "x"] = {0: self.starts[start]}
            self.entries.setdefault((self.role, "eta"), {})
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
                letters = here if part is None else {**here, _letter(update.sets.part): part}  # type: ignore[union-attr]
                self._set(update, letters, part)

    def _set(self, update: Update, at: At, part: int | None) -> None:
        n = index_at(update.index, at)
        key, sequence = (n if part is None else (n, part)), self.entries.setdefault((self.role, update.name), {})
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
                    try:
                        self._demand(hypothesis.relation, {**letters, **({step: n} if step else {})})
                    except Missing:
                        continue

    def _demand(self, relation: Relation, at: At) -> None:
        whole = relation.right
        if relation.op == "==" and isinstance(whole, Div) and not affine(self.scalar(whole.right, at)).is_number:
            relation = Relation("==", Mul(relation.left, whole.right), whole.left)
        found, op = self.difference(relation, at), relation.op
        if found.is_number:
            rounded = isinstance(found.constant, float) and abs(found.constant) < 1e-9
            if not (rounded and op in ("==", "<=", ">=")) and not COMPARE[op](found.constant, 0):
                raise Excluded(f"the hypothesis {relation} is false with these steps or parameters")
        elif any(symbol[0] == "T" for symbol in found.terms):
            raise NotModelled(f"the hypothesis {relation} has a minimum or a maximum of quantities of the run")
        elif op == "==":
            self.equal.append(found)
        else:
            self.below.append(found.scaled(SIGN[op]))

    # -- the program ---------------------------------------------------------------------------------------------------

    def _program(self, objectives: tuple[Objective, ...]) -> NamedProgram:
        below, equal, matrices = list(self.below), list(self.equal), []
        for name, rows in self.data.items():
            about, known = self.classes.get(name[0], ANY_FUNCTION), self.known.get(name[0], {})
            least = self._least(name, about)
            rows = self.data[name]
            constants = tuple(sorted((c, known[c]) for c in about.reads))
            for form in forms(about, constants, False):
                found = [form.at(*arguments) for arguments in _arguments(form, rows, least)]
                (equal if form.is_equation else below).extend(found)
            for form in semidefinite_forms(about, constants):
                matrices.append([[form.at(*_pair(a, b, least)) for b in rows] for a in rows])
        return NamedProgram(
            basis=self.basis,
            objectives=objectives,
            below=tuple(below),
            equal=tuple(equal),
            matrices=tuple(matrices),
            data={name: tuple(rows) for name, rows in self.data.items()},
            classes=self.classes,
            is_sufficient=all(about.is_sufficient for about in self.classes.values()),
        )

    def _least(self, name: Name, about: FunctionClass) -> Row | None:
        """Return the row of the minimiser that a class speaks of: x* where it is that of this function, else a point of its own."""
        if not about.reads_minimum:
            return None
        return next((row for row in self.data[name] if not row.image), None) or self.row(name, self.fresh(), {})

    @property
    def further(self) -> int:
        """How many steps past k the claim reads."""
        return self._further

    _further = 0
    summed: frozenset[str] = frozenset()


def _arguments(form: PairForm, rows: list[Row], least: Row | None) -> Iterator[tuple[tuple[Combination, ...], tuple[int, ...]]]:
    for a in rows:
        for b in rows if form.is_about_pairs else [a]:
            if (form.is_about_pairs and a is b) or (form.reads_least and least in (a, b)):
                continue
            yield _pair(a, b, least)


def _pair(a: Row, b: Row, least: Row | None) -> tuple[tuple[Combination, ...], tuple[int, ...]]:
    star = {} if least is None else least.point
    return (a.point, a.image, b.point, b.image, star), (a.value, b.value, -1 if least is None else least.value)


def _frozen(vector: Combination) -> tuple[tuple[int, Any], ...]:
    return tuple(sorted(vector.items()))


def _letter(part: Part) -> str:
    if isinstance(part, Draw) or part.letter is None:
        raise NotModelled(f"a sequence is set for every component; found {part}")
    return part.letter


def named_program(bound: Bound, setting: NamedSetting) -> NamedProgram:
    """Return the program of a claim at fixed numbers. NotModelled: it is none. Excluded: the numbers break a hypothesis."""
    kinds: dict[str, set[type[Fact]]] = {}
    known: dict[str, dict[str, Fraction]] = {}
    constants = {**USUAL, **setting.constants}
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
        found, left = class_of(frozenset(facts))
        if left or found is None:
            raise NotModelled(f"{', '.join(kind.__name__ for kind in left)} of {name} is not a class with inequalities")
        classes[name] = found
        for constant in found.reads:
            known.setdefault(name, {}).setdefault(constant, constants.get(f"{constant}_{name}", USUAL.get(constant, ONE)))
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
        )
        reading._further, reading.summed = further, parts
        try:
            return reading.read_claim()
        except Missing as missing:
            why = str(missing)
        except KeyError as lacking:
            raise NotModelled(f"{lacking.args[0]} is not known here") from None
        except ZeroDivisionError:
            raise Undefined("a division by 0") from None
    raise NotModelled(f"the claim reads {why}, which no step of the run sets")


def _components(bound: Bound) -> frozenset[str]:
    """Return the functions of which the claim reads components."""
    trees = [*bound.trees, *(u.formula for _, m in bound.runs.roles for u in (*m.first, *m.each))]
    trees += [h.zero for h in bound.hypotheses if isinstance(h, Solution)]
    nodes = (node for tree in trees for node in tree.walk())
    return frozenset(n.of for n in nodes if isinstance(n, NamedValue | Image | Prox) and n.part is not None)
