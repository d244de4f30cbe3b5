"""The value of a formula at one place of a run, by the oracles of the problem's parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from boundcheck.language.canonical import HORIZON
from boundcheck.language.interpreter import Interpreter, NoMeaning, index_at, places
from boundcheck.language.named import OBJECTIVE
from boundcheck.language.scalars import (
    Average,
    Constant,
    Expectation,
    Gap,
    IndexNumber,
    NamedValue,
    Parameter,
    Reduce,
    Scalar,
    Term,
    Value,
)
from boundcheck.language.tree import Draw, Node, Part
from boundcheck.language.vectors import (
    Block,
    Grad,
    Image,
    LinearMinimum,
    Mean,
    Minimum,
    PartsMean,
    Pick,
    Point,
    Prox,
)
from boundcheck.runners.named.oracles import NotEvaluated, Oracles
from boundcheck.runners.named.vectors import Located, LocatedAlgebra, Name

At = Mapping[str, int]
Key = tuple[str, str]  # of a sequence: its run and its name


class MissingValue(Exception):
    """An entry that the run has not: it is too short, or nothing sets it."""


class Branch:
    """The entries of a run for one path of draws."""

    def __init__(self, entries: dict[Key, dict[Any, Any]], path: dict[tuple[str, int], int]) -> None:
        self.entries, self.path = entries, path

    def grown(self, draws: Mapping[tuple[str, int], int]) -> Branch:
        """The same entries, in a branch where further components are drawn."""
        return Branch({key: dict(sequence) for key, sequence in self.entries.items()}, {**self.path, **draws})


class Evaluation(Interpreter[At, Any, Located]):
    """Formulas on one branch. `missing` makes an entry that is not there yet, or raises Missing."""

    def __init__(
        self,
        oracles: Oracles,
        letters: Mapping[str, Any],
        branch: Branch,
        *,
        star: Located | None = None,
        components: int = 1,
        missing: Callable[[str, str, Any, At], Any] | None = None,
        expectation: Callable[[Expectation, At], Any] | None = None,
    ) -> None:
        self.oracles, self.xp, self.letters, self.branch = oracles, oracles.xp, letters, branch
        self.algebra = LocatedAlgebra(self.xp)
        self.star, self.components, self.missing, self.expectation = star, components, missing, expectation
        self.role = ""
        self._values: dict[Any, Any] = {}

    def no_meaning(self, node: Node, at: At) -> Any:
        raise NotEvaluated(f"{node} has no value in a run of such a claim: {type(node).__name__} is not read there")

    # -- letters and entries -------------------------------------------------------------------------------------------

    def read_index(self, node: IndexNumber, at: At) -> Any:
        return self.xp.scalar(self._index(node.index, at))

    def _index(self, index: Any, at: At) -> int:
        try:
            return index_at(index, at)
        except KeyError:
            raise NotEvaluated(f"the index {index} has no value here") from None

    def read_letter(self, node: Parameter | Constant, at: At) -> Any:
        if self.letters.get(node.name) is None:
            raise NotEvaluated(f"{node.name} has no value on {self.oracles.problem.name}")
        return self.letters[node.name]

    read_parameter = read_constant = read_letter

    def read_term(self, node: Term, at: At) -> Any:
        return self.entry(node.run or self.role, node.name, self._index(node.index, at), at)

    def read_point(self, node: Point, at: At) -> Located:
        if node.index is None:
            raise NotEvaluated(f"{node} is any point; a run has none of that name")
        n = self._index(node.index, at)
        key = n if node.part is None else (n, self.part(node.part, at))
        made: Located = self.entry(node.run or self.role, node.name, key, at)
        return made

    def entry(self, role: str, name: str, key: Any, at: At) -> Any:
        """An entry of a sequence, which `missing` may make."""
        sequence = self.branch.entries.get((role, name), {})
        if key in sequence:
            return sequence[key]
        if self.missing is None:
            raise MissingValue(f"{name}_{key}")
        return self.missing(role, name, key, at)

    def part(self, part: Part, at: At) -> int:
        """Which component is meant: counted from 1."""
        if isinstance(part, Draw):
            key = (part.name, self._index(part.index, at))
            if key not in self.branch.path:
                raise MissingValue(f"the draw {part.name}_{key[1]}")
            return self.branch.path[key]
        return self._index(part, at)

    def name(self, of: str, part: Part | None, at: At) -> Name:
        return (of, None if part is None else self.part(part, at))

    # -- vectors -------------------------------------------------------------------------------------------------------

    def read_minimum(self, node: Minimum, at: At) -> Located:
        if self.star is None:
            raise NotEvaluated(f"{self.oracles.problem.name} gives no x* that solves what the claim says")
        return self.star

    def read_gradient(self, node: Grad, at: At) -> Located:
        return self.oracles.image((OBJECTIVE, None), self.vector(node.at, at))

    def read_image(self, node: Image, at: At) -> Located:
        return self.oracles.image(self.name(node.of, node.part, at), self.vector(node.at, at))

    def read_prox(self, node: Prox, at: At) -> Located:
        name, start, step = self.name(node.of, node.part, at), self.vector(node.at, at), self.scalar(node.step, at)
        return self.oracles.prox(name, step, start)

    def read_linear_minimum(self, node: LinearMinimum, at: At) -> Located:
        return self.oracles.linear_minimum((node.of, None), self.vector(node.towards, at))

    def read_block(self, node: Block, at: At) -> Located:
        whole, part = self.vector(node.whole, at), self.part(node.part, at)
        problem = self.oracles.problem
        blocks = problem.blocks or tuple((n,) for n in range(problem.dimension))
        kept = blocks[(part - 1) % len(blocks)]
        made = whole.at * 0
        for n in kept:
            made[n] = whole.at[n]
        return Located(made)

    def read_pick(self, node: Pick, at: At) -> Located:
        same = self.part(node.part, at) == self.part(node.drawn, at)
        return self.vector(node.then if same else node.otherwise, at)

    def read_parts_mean(self, node: PartsMean, at: At) -> Located:
        each = [self.vector(node.of, {**at, node.letter: i}).at for i in range(1, self.components + 1)]
        return Located(sum(each[1:], each[0]) / self.xp.scalar(len(each)))

    def read_mean(self, node: Mean, at: At) -> Located:
        total, weights = None, None
        for place in places(node, at):
            weight = self.scalar(node.weight, place)
            term = self.algebra.scale(weight, self.vector(node.of, place))
            total, weights = (term, weight) if total is None or weights is None else (total + term, weights + weight)
        if total is None:
            raise MissingValue(f"{node} is a mean of nothing")
        return self.algebra.scale(self.xp.scalar(1) / weights, total)

    # -- numbers -------------------------------------------------------------------------------------------------------

    def read_value(self, node: Value, at: At) -> Any:
        return self.oracles.value((OBJECTIVE, None), self.vector(node.at, at))

    def read_gap(self, node: Gap, at: At) -> Any:
        least = self.oracles.value((OBJECTIVE, None), self.read_minimum(Minimum(), at))
        return self.oracles.value((OBJECTIVE, None), self.vector(node.at, at)) - least

    def read_named_value(self, node: NamedValue, at: At) -> Any:
        return self.oracles.value(self.name(node.of, node.part, at), self.vector(node.at, at))

    def read_average(self, node: Average, at: At) -> Any:
        each = [self.scalar(node.body, {**at, node.letter: i}) for i in range(1, self.components + 1)]
        return sum(each[1:], each[0]) / self.xp.scalar(len(each))

    def read_expectation(self, node: Expectation, at: At) -> Any:
        if self.expectation is None:
            raise NotEvaluated(f"{node} stands where the run itself is made: an expectation is read of a finished run")
        return self.expectation(node, at)

    def read_reduce(self, node: Reduce, at: At) -> Any:
        if node.where is not None:
            raise NotEvaluated(f"{node} has a condition; a sum of such a claim is over a range")
        each = [self.scalar(node.body, place) for place in places(node, at)]
        if node.kind in ("min", "max") and not each:
            raise MissingValue(f"{node} is over nothing")
        total = self.xp.scalar(0 if node.kind == "sum" else 1) if node.kind in ("sum", "prod") else each[0]
        for one in each if node.kind in ("sum", "prod") else each[1:]:
            if node.kind == "sum":
                total = total + one
            elif node.kind == "prod":
                total = total * one
            else:
                total = (self.xp.minimum if node.kind == "min" else self.xp.maximum)(total, one)
        return total


def reads_horizon(node: Node) -> bool:
    """Tell whether a formula reads the horizon K."""
    return any(index.letter == HORIZON for n in node.walk() for index in n.indices)


__all__ = ["At", "Branch", "Evaluation", "MissingValue", "NoMeaning", "Scalar", "reads_horizon"]
