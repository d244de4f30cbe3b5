"""Patterns in wrong steps: a factor, a cap, a part of the formula that is ignored or changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.audit.number_names import apart, number_name, over, with_name
from boundcheck.audit.path_reading import Floats
from boundcheck.audit.step_comparison import Comparison, PathComparison, StepDifference
from boundcheck.language.rewrite import transform
from boundcheck.language.scalars import IndexNumber, Larger, Number, Scalar, Smaller
from boundcheck.language.tree import Node

PART, INDEX, LATER, NUMBER = "part ignored", "index ignored", "index shifted", "number changed"


@dataclass(frozen=True)
class Variant:
    """A changed formula, and what was changed, in words."""

    kind: str
    formula: Scalar
    words: str
    is_whole: bool = False  # a bound on the step itself is ignored, not one inside its formula


def variants(formula: Scalar) -> Iterator[Variant]:
    """Yield all of them, the likeliest first."""
    yield from _without_parts(formula)
    yield from _without_indices(formula)
    yield from _with_other_numbers(formula)


def _without_parts(formula: Scalar) -> Iterator[Variant]:
    """min(a, b) as b, and as a; max likewise."""
    for node in dict.fromkeys(n for n in formula.walk() if isinstance(n, Smaller | Larger)):
        for kept, ignored in ((node.right, node.left), (node.left, node.right)):
            bound = "bound" if isinstance(node, Smaller) else "lower bound"
            yield Variant(PART, _put(formula, node, kept), f"the {bound} {ignored} is not applied", node is formula)


def _without_indices(formula: Scalar) -> Iterator[Variant]:
    """Yield the index as it stands at step 0, and one step later or earlier: in all places at once."""
    written = [n for n in formula.walk() if isinstance(n, IndexNumber) and n.index.letter is not None]
    if not written:
        return
    letters = " and ".join(dict.fromkeys(str(n.index.letter) for n in written))
    first = _each_index(formula, lambda n: Number(Fraction(1 if n.index.letter == "K" else n.index.offset)))
    yield Variant(INDEX, first, f"the dependence on {letters} is not used")
    for by, words in ((1, "too far by one"), (-1, "too low by one")):
        moved = _each_index(formula, lambda n, by=by: IndexNumber(n.index.shift(by)))  # type: ignore[misc]
        yield Variant(LATER, moved, f"the index {letters} is {words}")


def _with_other_numbers(formula: Scalar) -> Iterator[Variant]:
    for node in dict.fromkeys(n for n in formula.walk() if isinstance(n, Number) and n.value):
        for value in dict.fromkeys(c for c in (node.value * 2, node.value / 2, Fraction(1), -node.value) if c != node.value):
            yield Variant(NUMBER, _put(formula, node, Number(value)), f"{value} stands where the formula has {node.value}")


def _put(formula: Scalar, old: Node, new: Scalar) -> Scalar:
    return transform(formula, lambda n: new if n is old else None)


def _each_index(formula: Scalar, change: Callable[[IndexNumber], Scalar]) -> Scalar:
    return transform(formula, lambda n: change(n) if isinstance(n, IndexNumber) and n.index.letter is not None else None)


Mask = NDArray[np.bool_]
FACTOR, CAP, FLOOR, CLIPPED = "factor", "cap", "floor", "cap and floor"
SINGLE = "single precision"
DOUBLE = 2.0**-40  # of a number: what is nearer than this to one of single precision may be one
ALIKE = 2.0**-16  # between numbers that are one constant


@dataclass(frozen=True)
class Pattern:
    """A sentence, its kind, where it is first seen, and the constant in it."""

    kind: str
    sentence: str
    first: StepDifference | None
    constant: float | None = None


def factor(found: Comparison, asked: str) -> Pattern | None:
    """Every step is the same number times what was asked for."""
    value = _one_number(found.ratios)
    if value is None or not value > 0 or found.count < 2:
        return None
    return Pattern(FACTOR, f"every step is {with_name(value)} times what {asked} asks for", found.first, value)


def single_precision(found: Comparison, asked: str) -> Pattern | None:
    """Every step is a number of single precision, and what was asked for is not: so near that nothing else tells."""
    first, most = None, 0.0
    for one in found.used:
        wanted, steps = one.wanted[one.usable], one.found[one.usable]
        with np.errstate(all="ignore"):
            rounded = np.abs(wanted.astype(np.float32).astype(np.float64) - wanted) > DOUBLE * np.abs(wanted)
            if (steps.astype(np.float32).astype(np.float64) != steps)[rounded].any():
                return None
            off = np.abs(steps - wanted)[rounded] / np.abs(wanted[rounded])
        if rounded.any() and first is None:
            first = one.place(int(np.flatnonzero(one.usable)[int(rounded.argmax())]))
        most = max(most, float(off.max(initial=0.0)))
    if first is None:
        return None
    what, wanted_there = apart(first.found, first.wanted)
    there = f"at {first} {what} where {wanted_there} is asked"
    return Pattern(SINGLE, f"its steps are {asked} in single precision, off by up to {most:.1g}: {there}", first, most)


def clipped(found: Comparison, asked: str) -> Pattern | None:
    """The steps are what was asked for, but that a constant replaces it wherever it is larger, or smaller."""
    if not 0 < found.equal < found.count:
        return None
    said, counted, constants, kinds = [], [], [], []
    for kind, word, side in ((CAP, "capped", np.less), (FLOOR, "not below", np.greater)):
        where = [one.differs & side(one.found, one.wanted) for one in found.used]
        steps = sum(int(mask.sum()) for mask in where)
        if not steps:
            continue
        level = _level(found, where, side)
        if level is None:
            return None
        constant, name = level
        problems = sum(bool(mask.any()) for mask in where)
        said.append(f"{word} {'at ' if kind == CAP else ''}{name}")
        moved = "capped" if kind == CAP else "raised"
        counted.append(f"{moved} at {steps} of {found.count} steps, on {problems} of {len(found.used)} problems")
        constants.append(constant)
        kinds.append(kind)
    first = found.first
    assert first is not None and said
    what, wanted = apart(first.found, first.wanted)
    there = f"first at {first}, where {asked} asks for {wanted} and the step is {what}"
    sentence = f"{' and '.join(said)}: {there}; {'; '.join(counted)}"
    return Pattern(kinds[0] if len(kinds) == 1 else CLIPPED, sentence, first, constants[0])


def _level(found: Comparison, where: Sequence[Mask], side: Callable[..., Any]) -> tuple[float, str] | None:
    """Return the constant at which the steps stop, with its name: one number, or one number over each problem's L."""
    hit = [(one, mask) for one, mask in zip(found.used, where, strict=True) if mask.any()]
    constant = _one_number(np.concatenate([one.found[mask] for one, mask in hit]))
    if constant is not None and _never_beyond(found, side, lambda one: constant):
        return constant, number_name(constant)
    if len(hit) < 2 or any(one.reading.path.problem.L is None for one, _ in hit):
        return None
    share = _one_number(np.concatenate([one.found[mask] * _L(one) for one, mask in hit]))
    if share is None or not _never_beyond(found, side, lambda one: share / _L(one)):
        return None
    return share, over(share, "L")


def _L(one: PathComparison) -> float:
    L = one.reading.path.problem.L
    return float("nan") if L is None else float(L)


def _never_beyond(found: Comparison, side: Callable[..., Any], level: Callable[[PathComparison], float]) -> bool:
    """No step is on the far side of the level."""
    beyond = [one.usable & side(level(one), one.found) & ~np.isclose(one.found, level(one), rtol=ALIKE) for one in found.used]
    return not any(mask.any() for mask in beyond)


def _one_number(values: Floats) -> float | None:
    values = values[np.isfinite(values)]
    if not len(values):
        return None
    middle = float(np.median(values))
    return middle if bool((np.abs(values - middle) <= ALIKE * abs(middle)).all()) else None


def ignored(formula: Scalar, found: Comparison, asked: str, compare: Callable[[Scalar], Comparison]) -> Pattern | None:
    """The steps are those of the formula with one part of it left out or changed."""
    for variant in variants(formula):
        other = compare(variant.formula)
        if other.agrees and other.count >= found.count // 2 and found.first is not None:
            return Pattern(variant.kind, _words(variant, found, asked), found.first)
    return None


def _words(variant: Variant, found: Comparison, asked: str) -> str:
    first = found.first
    assert first is not None
    found_there, wanted = apart(first.found, first.wanted)
    there = f"first at {first}, where the step is {found_there} and {asked} asks for {wanted}"
    if variant.kind == INDEX:
        stays = _one_number(np.concatenate([one.found[one.usable] for one in found.used]))
        steps = f"the steps stay at {number_name(stays)}" if stays is not None else f"the steps are {variant.formula} throughout"
        trend = "decay" if first.found > first.wanted else "growth"
        return f"the {trend} is not used: {steps}; {there}"
    what = "it" if variant.is_whole else "what is asked"
    times = f"{first.found / first.wanted:.4g} times {what}"
    return f"{variant.words}: first at {first}, where the step is {times} ({found_there} against {wanted})"
