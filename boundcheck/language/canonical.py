"""A claim as JSON, both ways, and a hash that does not depend on the letters of its sums."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import fields
from fractions import Fraction
from typing import Any

from boundcheck.language import chords, relations, scalars, vectors
from boundcheck.language.chords import ChordQuantity
from boundcheck.language.rewrite import N, put_index
from boundcheck.language.scalars import Average, Dimension, Reduce, Scalar
from boundcheck.language.tree import Draw, Index, Node, field_names
from boundcheck.language.vectors import Mean, PartsMean
from boundcheck.support.errors import UserError

KINDS: dict[str, type[Node]] = {
    name: kind
    for module in (scalars, vectors, relations, chords)
    for name, kind in vars(module).items()
    if isinstance(kind, type) and issubclass(kind, Node) and kind.__module__ == module.__name__
}


class NotAClaim(UserError):
    """The JSON is not a formula of this language."""


def to_json(node: Node) -> dict[str, Any]:
    """The tree as plain JSON: {"is": "Add", "left": ..., "right": ...}, without what is as it is nearly always (`UNSAID`)."""
    written, unsaid = {name: getattr(node, name) for name in field_names(type(node))}, UNSAID.get(type(node), {})
    return {
        "is": type(node).__name__,
        **{name: _out(value) for name, value in written.items() if not (name in unsaid and unsaid[name] == value)},
    }


# Fields that JSON has only where they differ from this: claims that do without are written as they always were.
UNSAID: dict[type[Node], dict[str, Any]] = {
    vectors.Point: {"part": None, "dimension": scalars.LENGTH},
    vectors.Image: {"part": None, "dimension": scalars.SLOPE},
    vectors.Prox: {"part": None},
    scalars.NamedValue: {"part": None},
}


def _out(value: Any) -> Any:
    if isinstance(value, Node):
        return to_json(value)
    if isinstance(value, Index):
        return {"index": value.letter, "plus": value.offset}
    if isinstance(value, Draw):
        return {"draw": value.name, "at": _out(value.index)}
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, ChordQuantity):
        return quantity_json(value)
    if isinstance(value, Dimension):
        return {"f": str(value.f), "x": str(value.x)}
    if isinstance(value, tuple):
        return [_out(item) for item in value]
    return value


def quantity_json(quantity: ChordQuantity) -> dict[str, Any]:
    """The declaration of a chord quantity as data: its formula is about the points p and q."""
    return {
        "quantity": quantity.name,
        "latex": quantity.latex,
        "needs": list(quantity.needs),
        "of": to_json(quantity.formula),
    }


def quantity_from_json(data: Any) -> ChordQuantity:
    """The declaration that `quantity_json` wrote."""
    if not isinstance(data, dict) or set(data) != {"quantity", "latex", "needs", "of"}:
        raise NotAClaim(f"a chord quantity has a name, latex, needs and a formula; found {data!r:.100}")
    formula = from_json(data["of"])
    texts = (data["quantity"], data["latex"], *(data["needs"] if isinstance(data["needs"], list) else (None,)))
    if not isinstance(formula, Scalar) or not all(isinstance(text, str) for text in texts):
        raise NotAClaim(f"the chord quantity {data['quantity']!r:.100} is not a formula with a name")
    try:
        return ChordQuantity(data["quantity"], of=formula, latex=data["latex"], needs=data["needs"])
    except UserError as wrong:
        raise NotAClaim(str(wrong)) from None


def declared_in(smoothness: Iterable[Any]) -> list[ChordQuantity]:
    """The declared quantities in a claim's JSON of what M may be, where the others are names."""
    return [quantity_from_json(one) for one in smoothness if not isinstance(one, str)]


def from_json(data: Any) -> Node:
    """The tree that `to_json` wrote. Anything else is refused in one line."""
    if not isinstance(data, dict) or data.get("is") not in KINDS:
        found = data.get("is") if isinstance(data, dict) else data
        raise NotAClaim(f"{found!r} is not a node of a formula; needs an object whose 'is' is one of {', '.join(sorted(KINDS))}")
    kind = KINDS[data["is"]]
    names = [f.name for f in fields(kind)]
    unsaid = UNSAID.get(kind, {})
    if not set(names) - set(unsaid) <= set(data) <= {"is", *names}:
        raise NotAClaim(f"a {data['is']} has the fields {names}; found {sorted(set(data) - {'is'})}")
    try:
        made = {f.name: _in(data[f.name], str(f.type)) if f.name in data else unsaid[f.name] for f in fields(kind)}
    except NotAClaim:
        raise
    except RecursionError:
        raise NotAClaim(f"a {data['is']} is nested too deeply to be a formula") from None
    except (TypeError, ValueError, KeyError, ZeroDivisionError) as wrong:
        raise NotAClaim(f"a {data['is']} cannot be read: {wrong}") from None
    if twice := [name for name in unsaid if name in data and made[name] == unsaid[name]]:
        raise NotAClaim(f"a {data['is']} with the usual {twice[0]} does not say so: leave it out")
    for f in fields(kind):
        _refuse(data["is"], f.name, str(f.type), made[f.name])
    return kind(**made)


def _in(value: Any, declared: str) -> Any:
    if isinstance(value, dict) and "is" in value:
        return from_json(value)
    if isinstance(value, dict) and set(value) == {"index", "plus"}:
        return Index(value["index"], value["plus"])
    if isinstance(value, dict) and set(value) == {"draw", "at"}:
        return Draw(str(value["draw"]), _in(value["at"], "Index"))
    if isinstance(value, dict) and "quantity" in value:
        return quantity_from_json(value)
    if isinstance(value, dict) and set(value) == {"f", "x"}:
        return Dimension(Fraction(value["f"]), Fraction(value["x"]))
    if isinstance(value, list):
        return tuple(_in(item, "") for item in value)
    return Fraction(value) if declared == "Fraction" and isinstance(value, str) else value


WORDS = {
    ("Relation", "op"): ("<=", "<", "==", ">=", ">", "->"),
    ("Reduce", "kind"): ("sum", "prod", "min", "max"),
    ("Prox", "kind"): ("prox", "resolvent", "project"),
    ("Image", "kind"): ("gradient", "subgradient", "operator", "adjoint"),
}


def _refuse(kind: str, name: str, declared: str, value: Any) -> None:
    """One line where a field is not what its declaration (Scalar, str, Index | None, ...) says."""
    if (kind, name) in WORDS and value not in WORDS[kind, name]:
        raise NotAClaim(f"the {name} of a {kind} is one of {' '.join(WORDS[kind, name])}; found {value!r}")
    allowed = [part.strip() for part in declared.split("|")]
    if not any(_is(value, part) for part in allowed):
        raise NotAClaim(f"the {name} of a {kind} must be a {' or '.join(allowed)}; found {value!r}")


def _is(value: Any, declared: str) -> bool:
    if declared == "None":
        return value is None
    if declared == "tuple[Relation, ...]":
        return isinstance(value, tuple) and bool(value) and all(isinstance(v, relations.Relation) for v in value)
    if declared == "Part":
        return _is(value, "Index") or (isinstance(value, Draw) and _is(value.index, "Index"))
    if declared == "Index":
        known = isinstance(value, Index) and isinstance(value.offset, int) and not isinstance(value.offset, bool)
        return known and (value.letter is None or isinstance(value.letter, str))
    plain: dict[str, type] = {"str": str, "Fraction": Fraction, "Dimension": Dimension, "ChordQuantity": ChordQuantity}
    return isinstance(value, plain[declared] if declared in plain else KINDS[declared])


def rename_bound(node: Node, depth: int = 0) -> Node:
    """The same formula with the letters of sums, products and means numbered by depth."""
    if isinstance(node, Reduce | Mean):
        letter = f"#{depth}"
        parts = {name: getattr(node, name) for name in field_names(type(node))}
        for name in ("body", "where", "of", "weight"):
            if isinstance(part := parts.get(name), Node):
                parts[name] = rename_bound(put_index(part, node.letter, Index(letter)), depth + 1)
        return type(node)(**{**parts, "letter": letter})
    if isinstance(node, Average | PartsMean):
        letter, name = f"#{depth}", "body" if isinstance(node, Average) else "of"
        body = rename_bound(put_index(getattr(node, name), node.letter, Index(letter)), depth + 1)
        return type(node)(body, letter)  # type: ignore[arg-type]  # a number, or a vector
    if not node.ranged:
        return node
    old = {name: getattr(node, name) for name in field_names(type(node))}
    new = {name: _rename(value, depth) for name, value in old.items()}
    return node if all(new[name] is old[name] for name in old) else type(node)(**new)


def _rename(value: Any, depth: int) -> Any:
    if isinstance(value, Node):
        return rename_bound(value, depth)
    if isinstance(value, tuple):
        return tuple(_rename(item, depth) for item in value)
    return value


def canonical_json(node: Node) -> dict[str, Any]:
    """The formula as data, whatever its bound letters are called."""
    return to_json(rename_bound(node))


def canonical(node: Node) -> str:
    """One text for each formula, whatever its bound letters are called."""
    return json.dumps(canonical_json(node), sort_keys=True, separators=(",", ":"))


ANY_STEP = "#step"  # the letter of a hypothesis in a claim's JSON


HORIZON = "K"  # the letter of the last step, which a schedule may read


def at_any_step(relation: N) -> N:
    """A relation that is meant at every step, with the letter of the step called #step: it does not matter."""
    free = sorted(relation.free)
    free = free if len(free) == 1 else [letter for letter in free if letter != HORIZON]
    return put_index(relation, free[0], Index(ANY_STEP)) if len(free) == 1 else relation


def canonical_step(relation: Node) -> str:
    """One text for each relation that is meant at every step."""
    return canonical(at_any_step(relation))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
