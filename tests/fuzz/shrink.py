"""A failure made small: simpler claims, fewer hypotheses, shorter runs, simpler functions, as long as the same fault is there.

The order is fixed, cheapest to read first: hypotheses and facts go, then formulas shrink, then the run, then the function.
What is left is printed as a few lines of Python that show it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

from boundcheck.language.relations import Chain
from boundcheck.language.scalars import Number, Power, Reduce, Scalar
from boundcheck.language.tree import Index, Node, field_names
from boundcheck.language.vectors import Mean, Vector

from .compare import Case, Failure, Tally, compare_all
from .functions import Piecewise, Quadratic
from .settings import Setting
from .truth import Claim

TRIES = 400
ONE = Fraction(1)


def failures_of(case: Case) -> list[Failure]:
    tally = Tally()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compare_all([case.claim], case.setting, [case.evaluator], case.window, tally)
    return tally.failures


def shrink(failure: Failure, tries: int = TRIES) -> Failure:
    """The simplest failure of the same sort that `tries` changes find; the failure itself where it cannot be done again alone."""
    same = _same(failure.case, failure.sort)
    if same is None:
        return failure
    best, left, found = same, tries, True
    while found and left > 0:
        found = False
        for case in simpler(best.case):
            left -= 1
            smaller = _same(case, failure.sort)
            if smaller is not None:
                best, found = smaller, True
                break
            if left <= 0:
                break
    return best


def _same(case: Case, sort: str) -> Failure | None:
    try:
        return next((f for f in failures_of(case) if f.sort == sort), None)
    except Exception:  # a change that makes no sense, such as a negative step
        return None


def simpler(case: Case) -> Iterator[Case]:
    if case.window:
        yield replace(case, window=0)
    for claim in _claims(case.claim):
        yield replace(case, claim=claim)
    for setting in _settings(case.setting):
        yield replace(case, setting=setting)


def _claims(claim: Claim) -> Iterator[Claim]:
    for n in range(len(claim.given)):
        yield replace(claim, given=claim.given[:n] + claim.given[n + 1 :])
    if claim.facts:
        yield replace(claim, facts=())
    if isinstance(claim.states, Chain):
        for link in claim.states.links:
            yield replace(claim, states=link)
    if claim.letter == "K":
        yield replace(claim, letter="k", states=_renamed(claim.states))
    if claim.start:
        yield replace(claim, start=claim.start - 1)
    if len(claim.smoothness) > 1:
        yield from (replace(claim, smoothness=(kind,)) for kind in claim.smoothness)
    for states in smaller(claim.states):
        yield replace(claim, states=states)
    for n, (kind, relation) in enumerate(claim.given):
        for less in smaller(relation):
            yield replace(claim, given=(*claim.given[:n], (kind, less), *claim.given[n + 1 :]))


def _renamed(states: Any) -> Any:
    from boundcheck.language.rewrite import put_index

    return put_index(states, "K", Index("k"))


def smaller(node: Any) -> Iterator[Any]:
    """The node with one of its parts simpler: a part is put in the place of the whole, a number in the place of a formula."""
    if isinstance(node, Scalar) and not isinstance(node, Number):
        yield from (child for child in node.children if isinstance(child, Scalar) and not _escapes(child, node))
        yield Number(ONE)
    if isinstance(node, Vector):
        yield from (child for child in node.children if isinstance(child, Vector) and not _escapes(child, node))
    if isinstance(node, Number) and node.value not in (0, 1):
        yield Number(ONE)
    if isinstance(node, Power) and node.exponent != 2:
        yield replace(node, exponent=Fraction(2))
    if isinstance(node, Reduce) and node.where is not None:
        yield replace(node, where=None)
    for name in field_names(type(node)):
        value = getattr(node, name)
        if isinstance(value, Index) and value.offset:
            yield _with(node, name, Index(value.letter, 0))
            if abs(value.offset) > 1:
                yield _with(node, name, Index(value.letter, value.offset - (1 if value.offset > 0 else -1)))
        elif isinstance(value, Node):
            for less in smaller(value):
                yield _with(node, name, less)
        elif isinstance(value, tuple):
            for n, item in enumerate(value):
                if isinstance(item, Node):
                    for less in smaller(item):
                        yield _with(node, name, (*value[:n], less, *value[n + 1 :]))


def _with(node: Any, name: str, value: Any) -> Any:
    return type(node)(**{**{f.name: getattr(node, f.name) for f in fields(node)}, name: value})


def _escapes(child: Node, node: Any) -> bool:
    """Does the child read a letter that the node binds?"""
    return isinstance(node, Reduce | Mean) and node.letter in child.free


def _settings(s: Setting) -> Iterator[Setting]:
    if s.is_batch:
        for n in range(len(s.etas)):
            yield replace(s, starts=s.starts[:1] * (len(s.etas) - 1), etas=s.etas[:n] + s.etas[n + 1 :])
    if s.steps > 0:
        yield from (
            replace(s, etas=tuple(e[:n] for e in s.etas)) for n in sorted({0, 1, s.steps // 2, s.steps - 1}) if n < s.steps
        )
    if len(s.methods) == 1 and s.methods[0][1] != "gradient descent":
        yield replace(s, methods=(("", "gradient descent"),))
    if s.over_L is not None:
        yield replace(s, over_L=None)
    elif any(e != 1 for own in s.etas for e in own):
        yield replace(s, etas=tuple((ONE,) * len(own) for own in s.etas))
        yield replace(s, etas=tuple((ONE / 2,) * len(own) for own in s.etas))
        for n, own in enumerate(s.etas):
            yield replace(s, etas=(*s.etas[:n], tuple(Fraction(max(1, round(e))) for e in own), *s.etas[n + 1 :]))
    plain = Quadratic(((ONE,),), (Fraction(0),), Fraction(0))
    for function in (
        plain,
        replace(plain, least=Fraction(-5)),
        Piecewise((Fraction(0),), (Fraction(0),), ONE, ONE, Fraction(0), ONE),
    ):
        if _size(function) < _size(s.function):
            yield replace(s, function=function, starts=((ONE,),) * len(s.starts))
    if s.function.value(s.function.minimiser):
        yield replace(s, function=replace(s.function, least=Fraction(0)))  # type: ignore[type-var]
    if any(c != 1 for c in s.starts[0]):
        yield replace(s, starts=((ONE,) * s.function.dimension,) * len(s.starts))


def _size(function: Any) -> int:
    return len(repr(function))


def snippet(failure: Failure) -> str:
    """Python that shows the failure: the claim, the run, and what is said of it against what is true."""
    case = failure.case
    c, s = case.claim, case.setting
    given = [f"{kind}: {relation}" for kind, relation in c.given] + list(c.facts)
    lines = [
        f"# {failure.why}" + (f" (k = {failure.k}, {failure.outcome})" if failure.k is not None else ""),
        f"# {c.states}   for all {c.letter} >= {c.start}" + (f", given {'; '.join(given)}" if given else ""),
        f"# sides by the definition: {failure.sides}" if failure.sides else f"# {failure.detail.strip().splitlines()[-1:]}",
        "from fractions import Fraction",
        "from boundcheck.language.relations import *",
        "from boundcheck.language.scalars import *",
        "from boundcheck.language.tree import Index",
        "from boundcheck.language.vectors import *",
        "from tests.fuzz.compare import Case",
        "from tests.fuzz.functions import Piecewise, Quadratic",
        "from tests.fuzz.settings import Setting",
        "from tests.fuzz.shrink import failures_of",
        "from tests.fuzz.truth import Claim",
        f"claim = {written(c)}",
        f"setting = {written(s)}",
        f"print(*failures_of(Case(claim, setting, {case.evaluator!r}, {case.window})), sep='\\n')",
    ]
    return "\n".join(lines)


def written(value: Any) -> str:
    """A node, a claim or a setting as the Python that makes it."""
    if isinstance(value, Node | Claim | Setting | Piecewise | Quadratic | Index):
        plain = [f"{f.name}={written(getattr(value, f.name))}" for f in fields(value)]
        return f"{type(value).__name__}({', '.join(plain)})"
    if type(value).__name__ == "Dimension":
        return f"Dimension({written(value.f)}, {written(value.x)})"
    if isinstance(value, Fraction):
        return f"Fraction({value.numerator}, {value.denominator})" if value.denominator > 1 else f"Fraction({value.numerator})"
    if isinstance(value, tuple):
        return "(" + "".join(f"{written(item)}, " for item in value) + ")"
    return repr(value)
