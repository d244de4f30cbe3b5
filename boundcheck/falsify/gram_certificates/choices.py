"""What a search by Gram programs tries: k, parameters, constants, steps, components; what is simple comes first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import TypeVar

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Declared, Follows
from boundcheck.claims.parameters import range_of
from boundcheck.falsify.gram_certificates.certificate import nodes_of
from boundcheck.falsify.gram_search.strategy import STEPS
from boundcheck.gram.named_reading import USUAL, NamedSetting
from boundcheck.language.named import COMPONENTS as NUMBER_OF_COMPONENTS
from boundcheck.language.relations import Interval, links
from boundcheck.language.scalars import Average, Constant, Term
from boundcheck.language.vectors import PartsMean
from boundcheck.model.problem import FactAbout

KS = (0, 1, 2, 3, 5, 8)  # after the first k of the claim
SQUARES = (Fraction(1, 4), Fraction(1, 25), Fraction(1, 100), Fraction(1), Fraction(4))  # roots of them are rational
OTHERS = (Fraction(1), Fraction(2), Fraction(1, 4))
PLAIN = tuple(Fraction(n, 4) for n in (4, 2, 8, 6, 1, 3, 12, 0, -4))
COMPONENTS = (2, 3)
MOST_CHANGED = 12  # how far the choices are from the first of each, together
RANDOM = 4
T = TypeVar("T")


def settings(bound: Bound, seed: int = 0) -> Iterator[NamedSetting]:
    """Yield what to try: the first choice of each number at every k, then those with one other choice, and so on."""
    random = Random(seed)
    first = bound.for_all.start
    ks = [0] if bound.is_about_chords else [first + n for n in KS]
    nodes = list(nodes_of(bound))
    has_parts = any(node.parts or isinstance(node, Average | PartsMean) for node in nodes)
    follows = any(isinstance(h, Follows) and _is_a_number(h) for h in bound.hypotheses)
    reads_steps = not follows and any(isinstance(node, Term) and node.name == "eta" for node in nodes)
    irregular = [tuple(Fraction(random.randint(1, 40), 20) for _ in range(5)) for _ in range(RANDOM)]
    steps = [*STEPS, *irregular] if reads_steps else [(Fraction(1),)]
    letters, constants = sorted(bound.parameters), sorted(_constants(bound, nodes))
    axes: list[Sequence[object]] = [range(len(links(bound.states))), steps, COMPONENTS if has_parts else (2,)]
    axes += [_values(bound, name) for name in letters]
    axes += [_constant_values(name) for name in constants]
    for total in range(MOST_CHANGED + 1):
        for k in ks:
            for places in _summing_to(total, [len(axis) for axis in axes]):
                link, turn, components, *numbers = (axis[n] for axis, n in zip(axes, places, strict=True))
                yield NamedSetting(
                    k=k,
                    link=link,  # type: ignore[arg-type]
                    steps=turn,  # type: ignore[arg-type]
                    components=components,  # type: ignore[arg-type]
                    parameters=dict(zip(letters, numbers[: len(letters)], strict=True)),  # type: ignore[arg-type]
                    constants=dict(zip(constants, numbers[len(letters) :], strict=True)),  # type: ignore[arg-type]
                )


def _is_a_number(rule: Follows) -> bool:
    """Whether a formula gives the steps as numbers: eta_i == eta_0 only says that they are all one."""
    return not any(isinstance(node, Term) and node.name == "eta" for node in rule.relation.right.walk())


def _summing_to(total: int, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield places below these sizes, with this sum."""
    if not sizes:
        if total == 0:
            yield ()
        return
    for n in range(min(total, sizes[0] - 1) + 1):
        for rest in _summing_to(total - n, sizes[1:]):
            yield (n, *rest)


def _values(bound: Bound, name: str) -> list[Fraction]:
    """The numbers to try for a parameter: those of the claim, then plain ones of its range, and its ends."""
    interval = range_of(name, bound.hypotheses)
    tried = [Fraction(repr(v)) if isinstance(v, float) else Fraction(v) for v in bound.try_with.get(name, ())]
    return list(dict.fromkeys([*tried, *(v for v in (*PLAIN, *_ends(interval)) if v in interval)])) or [Fraction(1)]


def _ends(interval: Interval) -> Iterator[Fraction]:
    """The ends of a range, and numbers just inside."""
    low, high = interval.low, interval.high
    if low is not None and high is not None:
        yield from ((low + high) / 2, low + (high - low) / 16, high - (high - low) / 16)
    yield from (end for end in (low, high) if end is not None)


def _constants(bound: Bound, nodes: Sequence[object]) -> set[str]:
    found = {node.name for node in nodes if isinstance(node, Constant)}
    for h in bound.hypotheses:
        if isinstance(h, Declared):
            found |= {name for name in getattr(h.kind, "__dataclass_fields__", {})}
        elif isinstance(h, FactAbout):
            found |= {letter for _, letter in h.letters}
    return found - {NUMBER_OF_COMPONENTS}


def _constant_values(name: str) -> Sequence[Fraction]:
    """1 first, and for a mu the squares below 1. The unit of f may often be chosen: what is called L is 1 first."""
    if name == "L":
        return (Fraction(1), Fraction(1, 4), Fraction(4))
    if name.startswith("mu"):
        return SQUARES
    usual = USUAL.get(name.partition("_")[0], Fraction(1))
    return tuple(dict.fromkeys((usual, *OTHERS)))
