"""Finds the class of functions that a claim's hypotheses mean: one of the framework's, of an installed package, or of a file.

A `FunctionClass` is found by its type, at the top level of a module: of the modules that entry points of problems and theorems
name, and of the one in which the class of a fact is written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache

from boundcheck.library.entry_points import offers
from boundcheck.model.function_classes import FUNCTION_CLASSES, FunctionClass, function_class
from boundcheck.model.named_classes import NAMED_CLASSES
from boundcheck.model.problem import Fact

GROUPS = ("boundcheck.theorems", "boundcheck.problems")


def class_of(facts: Iterable[type[Fact]]) -> tuple[FunctionClass | None, tuple[type[Fact], ...]]:
    """Return the class of the functions with these facts, and the facts that no known class is about."""
    kinds = frozenset(facts)
    return function_class(kinds, known_to(kinds))


def known_to(kinds: frozenset[type[Fact]]) -> tuple[FunctionClass, ...]:
    """Return the classes that are known where these facts are: each once."""
    beside = [one for kind in sorted(kinds, key=lambda kind: kind.__module__) for one in _in_module(kind.__module__)]
    return tuple(dict.fromkeys((*FUNCTION_CLASSES, *NAMED_CLASSES, *beside, *_offered())))


def _in_module(name: str) -> list[FunctionClass]:
    module = sys.modules.get(name)
    return [value for value in vars(module).values() if isinstance(value, FunctionClass)] if module is not None else []


@cache
def _offered() -> tuple[FunctionClass, ...]:
    modules = [offer.module for group in GROUPS for offer in offers(group)]
    return tuple(value for module in modules for value in vars(module).values() if isinstance(value, FunctionClass))
