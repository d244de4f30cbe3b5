"""A node that is added to the language is read by every interpreter, or refused there on purpose."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import pytest

from boundcheck.evaluate.series import Series
from boundcheck.falsify.lane_formulas import LaneFormulas
from boundcheck.gram.formulas import GramFormulas
from boundcheck.language.canonical import KINDS
from boundcheck.language.definition import Definition
from boundcheck.language.interpreter import READERS, Interpreter, NoMeaning
from boundcheck.language.printing import _RULES
from boundcheck.language.relations import Chain, Condition, Relation, VectorEquation
from boundcheck.language.scalars import Average, Expectation, NamedValue, Scalar, as_scalar
from boundcheck.language.tree import Node
from boundcheck.language.vectors import (
    Block,
    Grad,
    Image,
    LinearMinimum,
    Mean,
    Minimum,
    Minus,
    PartsMean,
    Pick,
    Plus,
    Point,
    Prox,
    Scaled,
    Vector,
)
from boundcheck.runners.engine.leaf_values import Here, Leaves
from boundcheck.runners.named.evaluation import Evaluation
from boundcheck.runs.recorded.columns import Stretch
from boundcheck.testing.parts import ClassFormula

NODES = set(KINDS.values()) - {Node, Scalar, Vector, Condition, Relation, VectorEquation, Chain}
ALL_VECTORS = {Point, Minimum, Grad, Mean, Plus, Minus, Scaled}
# functions, sets and operators that have names, components and chance: what claims about f alone do not read
BEYOND_F = {READERS[kind] for kind in (NamedValue, Average, Expectation, Image, Prox, LinearMinimum, Block, Pick, PartsMean)}
SINGLE = {"read_index", "read_parameter", "read_constant", "read_term", "read_reduce"}
# what an interpreter has no meaning for: vectors stand inside the leaves that a trace or a table gives
REFUSES: dict[type[Interpreter], set[str]] = {  # type: ignore[type-arg]
    Definition: {READERS[kind] for kind in ALL_VECTORS},
    Series: {READERS[kind] for kind in ALL_VECTORS},
    Leaves: SINGLE,  # numbers of points only: sums and steps are read by the series around them
    LaneFormulas: {"read_gap"},  # a claim's JSON writes f(x) - f*
    GramFormulas: set(),
    Stretch: SINGLE - {"read_term"},  # a recorded run has numbers of points and steps
    Here: {READERS[kind] for kind in ALL_VECTORS},  # its leaves read them
    Evaluation: {"read_chord"},  # numbers of a chord are of f alone
    ClassFormula: SINGLE - {"read_constant"} | {"read_chord", "read_mean"},  # of data at two points
}
# those that read some of what has names
READS_NAMES: dict[type[Interpreter], set[str]] = {  # type: ignore[type-arg]
    Series: {"read_named_value", "read_average", "read_expectation"},  # a run records them as columns
    Evaluation: BEYOND_F,
    ClassFormula: {"read_image"},
}
ABSTRACT = {
    name for name, method in vars(Interpreter).items() if name in READERS.values() and "no_meaning" in method.__code__.co_names
}


def unread(interpreter: type[Interpreter]) -> set[str]:  # type: ignore[type-arg]
    """The readers that a class leaves without a meaning."""
    return {name for name in ABSTRACT if getattr(interpreter, name) is vars(Interpreter)[name]}


def test_every_kind_of_node_has_a_reader() -> None:
    assert set(READERS) == NODES
    assert len(set(READERS.values())) == len(READERS)


def test_every_kind_of_node_can_be_printed() -> None:
    assert set(_RULES) == NODES | {Relation, VectorEquation, Chain}


def test_the_list_of_interpreters_is_whole() -> None:
    ours = {kind for kind in Interpreter.__subclasses__() if kind.__module__.startswith("boundcheck.")}
    assert ours <= set(REFUSES)


@pytest.mark.parametrize("interpreter", REFUSES, ids=lambda kind: kind.__name__)
def test_an_interpreter_gives_every_node_a_meaning_or_says_that_it_has_none(interpreter: type[Interpreter]) -> None:  # type: ignore[type-arg]
    assert unread(interpreter) == (REFUSES[interpreter] | BEYOND_F - READS_NAMES.get(interpreter, set())) & ABSTRACT
    assert set(interpreter.readers) == NODES


@dataclass(frozen=True, eq=False, repr=False)
class Unheard(Scalar):
    of: Scalar


def test_a_node_that_nobody_reads_is_refused_by_name() -> None:
    with pytest.raises(NoMeaning, match="Unheard has no value for Definition"):
        Definition(lambda node: node, {}, Fraction).value(Unheard(as_scalar(1)), {})


def test_an_interpreter_without_a_reader_is_seen() -> None:
    class Nothing(Interpreter[None, int, int]):
        pass

    assert unread(Nothing) == ABSTRACT
