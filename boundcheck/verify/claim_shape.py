"""The shape of a claim: what it states, under which hypotheses, of which methods, for which k; and what it reads.

A method is its updates: those of `first` are made at step 0, those of `each` at every step k. An update sets one entry, such as
x[k + 1], to a formula. The steps eta are never set by a method: they are chosen, and a certificate gives them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .fields import keys, rationals, text, whole
from .formula_shape import FACTS, KINDS_OF_M, NODES, POINT, Reading
from .refusals import need, shown

CLAIM = ("id", "label", "reading", "title", "states", "given", "for_all", "smoothness", "try_with", "because")
SAME_STEPS, SEARCH = "the same steps", "exponential search"  # where the steps of two runs may come from
HORIZON = "K"  # the letter of the last step of a claim, which a schedule of steps may read
STEP = "#step"  # the letter of a hypothesis that is about every step


class MethodShape(NamedTuple):
    """What a method sets, each a number or a point, and what it reads."""

    sets: dict[str, str]
    reads: Reading


class ClaimShape(NamedTuple):
    """What a claim reads, its methods included; its methods by role; and where their steps come from ("": from the file)."""

    reads: Reading
    methods: dict[str, MethodShape]
    steps: str


def check_claim(claim: Any) -> ClaimShape:
    """Raise ValueError unless it is a claim; return what it reads, its methods, and where their steps come from."""
    keys(claim, CLAIM, "the claim")
    reads = Reading()
    check_head(claim, reads)
    letter = check_range(claim["for_all"])
    for link in links_of(claim["states"]):
        reads.relation(link, frozenset([letter]))
    ends = set(reads.ends)
    methods, steps = _check_given(claim["given"], reads, letter)
    need(not reads.ends or reads.ends <= ends, "a hypothesis reads a point that the statement does not")
    need(ends or methods, "the claim does not say which method it is about")
    for _, method_reads in methods.values():
        reads.parameters |= method_reads.parameters
        reads.constants |= method_reads.constants
        reads.reads_minimum = reads.reads_minimum or method_reads.reads_minimum
        reads.reads_M = reads.reads_M or method_reads.reads_M
        for quantity in method_reads.quantities.values():
            reads.quantity(quantity)
    return ClaimShape(reads, methods, steps)


def check_head(claim: Any, reads: Reading) -> None:
    """Check what is for people, and what M may be."""
    for name in ("id", "label", "reading", "title"):
        text(claim[name], f"the {name} of a claim")
    need(claim["id"].endswith(f"/{claim['label']}@{claim['reading']}"), "the id of a claim is paper/label@reading")
    need(claim["because"] is None or isinstance(claim["because"], str), "the reason of a reading must be text or null")
    need(isinstance(claim["try_with"], dict), "try_with must be an object")
    for values in claim["try_with"].values():
        rationals(values)
    kinds = claim["smoothness"]
    need(isinstance(kinds, list), f"what M may be is a list; found {shown(kinds)}")
    for kind in kinds:
        if isinstance(kind, dict):
            reads.quantity(kind)
        else:
            need(kind in KINDS_OF_M, f"what M may be is one of D A H L, or a chord quantity; found {shown(kind)}")
    names = names_of_M(kinds)
    need(len(set(names)) == len(names), f"what M may be is said twice: {shown(names)}")


def names_of_M(kinds: list[Any]) -> list[str]:
    """Return the names of what M may be: of what is defined there, the name."""
    return [kind["quantity"] if isinstance(kind, dict) else kind for kind in kinds]


def check_range(for_all: Any) -> str:
    """Check "for all k from 0 on"; return the letter. Letters with # are those of the canonical form, not of a claim."""
    keys(for_all, ("letter", "from"), "for_all")
    letter = text(for_all["letter"], "the letter of for_all", empty=False)
    need(not letter.startswith("#"), f"the letter of for_all cannot be {shown(letter)}")
    whole(for_all["from"], 0, "the first index of a claim")
    return letter


def links_of(states: Any) -> list[Any]:
    """Return the relations of a statement: one, or the links of a chain a <= b <= c."""
    need(isinstance(states, dict), "a claim states a relation, or a chain of them")
    if states.get("is") != "Chain":
        return [states]
    keys(states, ("is", "links"), "a chain")
    need(isinstance(states["links"], list) and states["links"], "a chain has links")
    return list(states["links"])


def _check_given(given: Any, reads: Reading, letter: str) -> tuple[dict[str, MethodShape], str]:
    """Check the hypotheses and add what they read; return the methods, and where their steps come from."""
    methods: dict[str, MethodShape] | None = None
    steps = ""
    need(isinstance(given, list), "given must be a list of hypotheses")
    for hypothesis in given:
        need(isinstance(hypothesis, dict) and len(hypothesis) == 1, f"a hypothesis has one key; found {shown(hypothesis)}")
        ((kind, what),) = hypothesis.items()
        if kind == "fact":
            need(what in FACTS, f"a fact is one of {' '.join(FACTS)}; found {shown(what)}")
        elif kind == "runs":
            need(methods is None, "a claim names its methods once")
            methods, steps = check_runs(what)
        else:
            need(kind in ("once", "follows", "at each step"), f"a hypothesis of the kind {shown(kind)} is not known")
            reads.relation(what, frozenset([STEP, *([HORIZON] if letter == HORIZON else [])]))
            need(kind != "follows" or what["op"] == "==", "steps follow an equation")
    return methods or {}, steps


def check_runs(data: Any) -> tuple[dict[str, MethodShape], str]:
    """Raise ValueError unless it names runs, the main one first; return their methods, and where the steps come from."""
    keys(data, ("steps", "roles"), "the runs of a claim")
    need(isinstance(data["roles"], list) and data["roles"], "a claim names at least one run")
    methods = {}
    for entry in data["roles"]:
        keys(entry, ("role", "method"), "a run of a claim")
        role = text(entry["role"], "the role of a run")
        need(role not in methods, f"two runs have the role {shown(role)}")
        methods[role] = check_method(entry["method"])
    need(next(iter(methods)) == "", 'the main run has the role ""')
    allowed = ("",) if len(methods) == 1 else (SAME_STEPS, SEARCH)
    need(data["steps"] in allowed, f"where the steps of {len(methods)} runs come from cannot be {shown(data['steps'])}")
    need(data["steps"] != SEARCH or list(methods) == ["", "prime"], 'exponential search ends with two runs, "" and "prime"')
    return methods, data["steps"]


def check_method(data: Any) -> MethodShape:
    """Raise ValueError unless it is a method; return what it sets and what it reads."""
    keys(data, ("name", "kind", "first", "each"), "a method")
    text(data["name"], "the name of a method")
    text(data["kind"], "the kind of a method")
    method = MethodShape({"x": POINT}, Reading())
    for part in ("first", "each"):
        need(isinstance(data[part], list), f"{part} of a method must be a list")
        names: set[str] = set()
        for update in data[part]:
            _check_update(update, part, names, method)
    reads = method.reads
    need(any(moves_x(update) for update in data["each"]), "a method sets x at k + 1")
    need(not reads.ends, "a method reads a point without an index")
    need(all(run == "" for _, run, _ in reads.entries), "a method reads its own run only")
    return method


def _check_update(update: Any, part: str, names: set[str], method: MethodShape) -> None:
    """Check one update of `first` or `each`: it sets an entry that nothing else sets, and is a number or a point as that is."""
    keys(update, ("sets", "to"), "an update")
    target = update["sets"]
    need(isinstance(target, dict) and target.get("is") in ("Point", "Term"), "an update sets an entry of a sequence")
    sort, name = NODES[target["is"]][0], target.get("name")
    letters = frozenset[str]() if part == "first" else frozenset("k")
    Reading().formula(target, sort, letters)
    allowed = [{"index": None, "plus": 0}] if part == "first" else [{"index": "k", "plus": n} for n in (0, 1)]
    good = target["index"] in allowed and target["run"] == ""
    need(good, f"an update of `{part}` sets another entry than it may: {shown(name)}")
    need(name not in names and not (part == "first" and name == "x"), f"a method sets {shown(name)} twice")
    need(name != "eta", "a method does not set its own steps, eta")
    need(method.sets.get(name, sort) == sort, f"{shown(name)} is set as a number and as a point")
    names.add(name)
    method.sets[name] = sort
    method.reads.formula(update["to"], sort, letters)


def moves_x(update: Any) -> bool:
    """Tell whether an update sets x at k + 1."""
    return bool(update["sets"]["name"] == "x" and update["sets"]["index"]["plus"] == 1)
