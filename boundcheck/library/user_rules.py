"""Rules as people write them: a Rule, a function of the run, a class or object with `step(run)`, or the name of one.

A rule with state has it for one run: nothing goes from one run to another, nor from one run of a batch to its neighbour.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from dataclasses import replace
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from boundcheck.language.relations import Relation
from boundcheck.library.catalogue import NotFound
from boundcheck.library.declarations import example_rule
from boundcheck.library.names import rule_named
from boundcheck.library.rule_guard import Step, guarded
from boundcheck.model.rule import DECLARED, Declaration, Rule, RuleError


def as_rule(value: Any, name: str = "") -> Rule:
    """The rule that a value means. A class is made anew for every run, an object copied: no state goes from one to another."""
    if isinstance(value, str):
        return as_rule(_of_the_library(value))
    if isinstance(value, Rule):
        called = name or value.name
        return value if hasattr(value.step, "guards") else replace(value, name=called, step=guarded(called, value.step))
    if isinstance(value, Declaration):
        called, said = name, value.said
    else:
        called = name or getattr(value, "__name__", type(value).__name__)
        said = {word: getattr(value, word) for word in DECLARED if hasattr(value, word)}
    remembers = bool(said.get("remembers", True))
    follows, like = _formula(said.get("follows"), called)
    more: dict[str, Any] = {word: _words(said[word], word, called) for word in ("methods", "records") if word in said}
    if is_formula_alone(value):
        about = said.get("about") or (inspect.getdoc(value) if isinstance(value, type) else "") or ""
    else:
        more["step"] = guarded(called, _written(value, called), alone=not said.get("batched", False))
        about = said.get("about") or inspect.getdoc(value) or ""
    made = Rule(
        name=called,
        follows=follows,
        formula=None if like is None else like.formula,
        implies=() if like is None else like.implies,
        parameters={**({} if like is None else like.parameters), **(said.get("parameters") or {})},
        needs=tuple(dict.fromkeys((*_words(said.get("needs", ()), "needs", called), *(() if like is None else like.needs)))),
        remembers=remembers,
        means="" if like is None else meant(said["follows"], like),
        about=about,
        **more,
    )
    return made if "step" in more else as_rule(made)


def is_formula_alone(value: Any) -> bool:
    """Is it a declaration with nothing below it, or a class that declares a formula and has no step?"""
    if isinstance(value, Declaration):
        return True
    return isinstance(value, type) and not hasattr(value, "step") and getattr(value, "follows", None) is not None


def _of_the_library(name: str) -> Rule:
    found = rule_named(name)
    if found is None:
        raise NotFound("chords are no method to choose: claims about any x and y are tried on them anyway")
    return found


def _formula(follows: Any, name: str) -> tuple[Relation | None, Rule | None]:
    """The formula that a rule declares, and the rule of the library that it was named by."""
    if follows is None or isinstance(follows, Relation):
        return follows, None
    if isinstance(follows, str):
        follows = _of_the_library(follows)
    if not isinstance(follows, Rule):
        raise RuleError(
            f"rule '{name}' follows {follows!r}; "
            f"needs a formula, eta[i] == ..., or the name of a rule, such as '{example_rule('audit')}'"
        )
    formula = follows.formula if follows.follows is None else follows.follows
    if formula is None:
        raise RuleError(f"rule '{name}' follows '{follows.name}', which has no formula of its own; write the formula")
    return formula, follows


def meant(follows: Any, like: Rule) -> str:
    """The rule's name; as it was written where the brackets are left out: `adgd` leaves its first step open."""
    bare = like.name.partition("(")[0]
    return bare if isinstance(follows, str) and follows.strip() == bare else like.name


def _words(given: Any, what: str, name: str) -> tuple[str, ...]:
    words = (given,) if isinstance(given, str) else tuple(given)
    if what == "needs" and (other := set(words) - {"L", "infimum", "minimiser", "quadratic"}):
        raise RuleError(f"rule '{name}' needs {sorted(other)[0]!r}; a rule may need 'L', 'infimum', 'minimiser' or 'quadratic'")
    return words


# -- state ---------------------------------------------------------------------------------------------------------------------


def _written(value: Any, name: str) -> Step:
    """The function that chooses a step: its own, or that of an object which lives as long as a run."""
    if isinstance(value, type):
        if not callable(getattr(value, "step", None)):
            raise RuleError(f"{name} is a class without step(self, run); a rule that is a class has one")
        if not may_be_called(value, 0):
            raise RuleError(f"{name} is a class that needs arguments; give an object, {name}(...), or defaults to its arguments")
        step = inspect.getattr_static(value, "step")
        if isinstance(step, FunctionType | staticmethod | classmethod):
            bound = MethodType(step, value) if isinstance(step, FunctionType) else step.__get__(None, value)
            _refuse_unless_of_the_run(bound, f"{name}.step")
        return _WithState(value, name)
    if not callable(getattr(value, "step", value)):
        raise RuleError(
            f"{name} is {_a(type(value).__name__)}, not a method: "
            "needs a Rule, a function of one argument, the run, or a class with step(self, run)"
        )
    _refuse_unless_of_the_run(getattr(value, "step", value), f"{name}.step" if hasattr(value, "step") else name)
    if isinstance(value, FunctionType | BuiltinFunctionType):
        return value
    pristine = _copied(value, name)
    return _WithState(lambda: _copied(pristine, name), name)


class _WithState:
    """Asks an object that is made at the first step of each run, and kept along it."""

    def __init__(self, make: Callable[[], Any], name: str) -> None:
        self.make, self.name = make, name

    def __call__(self, run: Any) -> Any:
        if self not in run.kept:
            run.kept[self] = self.make()
        kept = run.kept[self]
        return getattr(kept, "step", kept)(run)


def _copied(value: Any, name: str) -> Any:
    try:
        return copy.deepcopy(value)
    except Exception as wrong:
        raise RuleError(
            f"rule '{name}' cannot be copied for each run ({type(wrong).__name__}: {wrong}); give its class"
        ) from wrong


# -- what a function takes -----------------------------------------------------------------------------------------------------


def could_be_a_rule(value: Any) -> bool:
    """Does it look like one? A Rule, a function of one argument, or a class or object with step(run)."""
    if isinstance(value, Rule) or is_formula_alone(value):
        return True
    if isinstance(value, ModuleType):
        return False
    return callable(getattr(value, "step", None)) or (not isinstance(value, type) and callable(value) and may_be_called(value, 1))


def _refuse_unless_of_the_run(function: Callable[..., Any], name: str) -> None:
    """One argument, the run."""
    if may_be_called(function, 1):
        return
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise RuleError(f"{name} does not take the run; needs one argument, the run{_how(name, 0)}") from None
    words = [one.name for one in parameters if one.kind is one.KEYWORD_ONLY and one.default is one.empty]
    if words:
        raise RuleError(f"{name} needs the keyword '{words[0]}'; needs one argument, the run: give the others defaults")
    count = sum(one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) for one in parameters)
    raise RuleError(f"{name} takes {count} argument{'' if count == 1 else 's'}; needs one, the run{_how(name, count)}")


def _how(name: str, count: int) -> str:
    if name.endswith(".step"):
        return ", beside self: def step(self, run)"
    return f": def {name}(run)" if count == 0 and name.isidentifier() else ""


def _a(word: str) -> str:
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"


def may_be_called(function: Callable[..., Any], arguments: int) -> bool:
    try:
        inspect.signature(function).bind(*[None] * arguments)
    except (TypeError, ValueError):
        return False
    return True
