"""The shape of claims about named functions, sets and operators, and what they read."""

from __future__ import annotations

from typing import Any, NamedTuple

from .claim_shape import CLAIM, SAME_STEPS, STEP, check_head, check_range, links_of, moves_x
from .fields import keys, text
from .formula_shape import NUMBER, POINT
from .gram_formula_shape import GRAM_NODES, HORIZON, OBJECTIVE, GramReading
from .refusals import need, shown

# The facts that a claim may assume of f, or of a named oracle, and the constants of each.
CONSTANTS_OF: dict[str, tuple[str, ...]] = {
    **{name: () for name in ("Convex", "Differentiable", "TwiceDifferentiable", "IsQuadratic")},
    **{name: () for name in ("Indicator", "Support", "Monotone", "Nonexpansive")},
    **{name: ("L",) for name in ("Smooth", "QuadraticGrowth", "ErrorBound", "LipschitzOperator", "Linear", "SkewSymmetric")},
    **{name: ("mu",) for name in ("StronglyConvex", "PolyakLojasiewicz", "RestrictedSecant", "StronglyMonotone")},
    **{"Lipschitz": ("M",), "Diameter": ("D",), "Cocoercive": ("beta",), "NegativelyComonotone": ("rho",)},
    **{"Symmetric": ("mu", "L"), "BlockSmooth": ("L",)},
}


class Oracle(NamedTuple):
    """What a claim assumes of one name: its facts, and the letters of their constants."""

    facts: set[str]
    letters: dict[str, str]


class GramMethodShape(NamedTuple):
    """What a method sets, what nothing sets (`free`), each a number or a point, and what it reads."""

    sets: dict[str, str]
    free: dict[str, str]
    reads: GramReading
    updates: list[Any]  # forward


class GramClaimShape(NamedTuple):
    """What a claim reads, its methods included; its methods by role; the oracles that it names."""

    reads: GramReading
    methods: dict[str, GramMethodShape]
    oracles: dict[str, Oracle]
    is_apart: bool  # each run has a start of its own

    @property
    def letters(self) -> set[str]:
        """The constants of the classes."""
        return {letter for oracle in self.oracles.values() for letter in oracle.letters.values()}


def check_gram_claim(claim: Any) -> GramClaimShape:
    """Raise ValueError unless it is a claim; return what it reads, its methods and its oracles."""
    keys(claim, CLAIM, "the claim")
    reads = GramReading()
    check_head(claim, reads)
    need(claim["smoothness"] == [], "a claim about M has no certificate of the kind gram")
    letter = check_range(claim["for_all"])
    for link in links_of(claim["states"]):
        reads.relation(link, frozenset([letter, HORIZON]))
    ends = set(reads.ends)
    found = _Given(reads)
    need(isinstance(claim["given"], list), "given must be a list of hypotheses")
    for hypothesis in claim["given"]:
        found.check(hypothesis)
    need(not reads.ends or reads.ends <= ends, "a hypothesis reads a point that the statement does not")
    need(ends or found.methods, "the claim does not say which method it is about")
    for method in found.methods.values():
        reads.join(method.reads)
    need(not reads.reads_M and not reads.quantities, "a claim about M has no certificate of the kind gram")
    for name in reads.names:
        found.oracles.setdefault(name, Oracle(set(), {}))
    return GramClaimShape(reads, found.methods, found.oracles, found.is_apart)


class _Given:
    """The hypotheses of a claim, one after another."""

    def __init__(self, reads: GramReading) -> None:
        self.reads = reads
        self.methods: dict[str, GramMethodShape] = {}
        self.oracles: dict[str, Oracle] = {}
        self.is_apart = False

    def check(self, hypothesis: Any) -> None:
        """Raise ValueError unless it is a hypothesis; keep what it says."""
        need(isinstance(hypothesis, dict), f"a hypothesis is an object; found {shown(hypothesis)}")
        if set(hypothesis) == {"fact", "about", "letters"}:
            self._fact(hypothesis["fact"], text(hypothesis["about"], "a name", empty=False), hypothesis["letters"])
            return
        need(len(hypothesis) == 1, f"a hypothesis has one key; found {shown(hypothesis)}")
        ((kind, what),) = hypothesis.items()
        letters = frozenset([STEP, HORIZON])
        if kind == "fact":
            own = CONSTANTS_OF.get(what, ()) if isinstance(what, str) else ()
            self._fact(what, OBJECTIVE, {name: name for name in own})
        elif kind == "runs":
            need(not self.methods, "a claim names its methods once")
            self._runs(what)
        elif kind == "solution":
            self.reads.formula(what, POINT, frozenset())
        elif kind == "same point":
            self.reads.vector_equation(what, letters)
        else:
            need(kind in ("once", "follows", "at each step"), f"a hypothesis of the kind {shown(kind)} is not known")
            self.reads.relation(what, letters)
            need(kind != "follows" or what["op"] == "==", "steps follow an equation")

    def _fact(self, kind: Any, name: str, letters: Any) -> None:
        need(isinstance(kind, str) and kind in CONSTANTS_OF, f"{shown(kind)} is not a fact that is known")
        keys(letters, CONSTANTS_OF[kind], f"the letters of {kind}")
        oracle = self.oracles.setdefault(name, Oracle(set(), {}))
        oracle.facts.add(kind)
        for own, letter in letters.items():
            text(letter, "the letter of a constant", empty=False)
            need(oracle.letters.setdefault(own, letter) == letter, f"{shown(name)} has two constants {own}")

    def _runs(self, data: Any) -> None:
        self.is_apart = isinstance(data, dict) and data.get("apart") is True
        keys(data, ("steps", "roles", *(["apart"] if self.is_apart else [])), "the runs of a claim")
        need(isinstance(data["roles"], list) and data["roles"], "a claim names at least one run")
        for entry in data["roles"]:
            keys(entry, ("role", "method"), "a run of a claim")
            role = text(entry["role"], "the role of a run")
            need(role not in self.methods, f"two runs have the role {shown(role)}")
            self.methods[role] = _method(entry["method"])
        need(next(iter(self.methods)) == "", 'the main run has the role ""')
        good = data["steps"] == ("" if len(self.methods) == 1 else SAME_STEPS)
        need(good, f"where the steps of {len(self.methods)} runs come from cannot be {shown(data['steps'])}")


def _method(data: Any) -> GramMethodShape:
    """Raise ValueError unless it is a method; return what it sets and what it reads."""
    more = [name for name in ("free", "backwards") if isinstance(data, dict) and data.get(name)]
    keys(data, ("name", "kind", "first", "each", *more), "a method")
    text(data["name"], "the name of a method")
    text(data["kind"], "the kind of a method")
    method = GramMethodShape({"x": POINT}, {}, GramReading(), [])
    for part in ("first", "each"):
        need(isinstance(data[part], list), f"{part} of a method must be a list")
        names: set[str] = set()
        for update in data[part]:
            _update(update, part, names, method)
    for part in more:
        need(isinstance(data[part], list), f"{part} of a method must be a list")
        for entry in data[part]:
            (_free if part == "free" else _backwards)(entry, method)
    reads = method.reads
    need(any(moves_x(update) for update in data["each"]), "a method sets x at k + 1")
    need(not reads.ends, "a method reads a point without an index")
    need(all(run == "" for _, run, _ in reads.entries), "a method reads its own run only")
    return method


def _update(update: Any, part: str, names: set[str], method: GramMethodShape) -> None:
    """Check one update: it sets an entry that nothing else sets, by a formula or by an equation that the point satisfies."""
    by_equation = isinstance(update, dict) and "such_that" in update
    keys(update, ("sets", "such_that" if by_equation else "to"), "an update")
    target = update["sets"]
    need(isinstance(target, dict) and target.get("is") in ("Point", "Term"), "an update sets an entry of a sequence")
    sort, name = GRAM_NODES[target["is"]][0], target.get("name")
    component = _component(target)
    letters = frozenset([] if part == "first" else ["k"]) | component
    GramReading().formula(target, sort, letters)
    allowed = [{"index": None, "plus": 0}] if part == "first" else [{"index": "k", "plus": n} for n in (0, 1)]
    good = target["index"] in allowed and target["run"] == ""
    need(good, f"an update of `{part}` sets another entry than it may: {shown(name)}")
    need(name not in names and not (part == "first" and name == "x"), f"a method sets {shown(name)} twice")
    need(name != "eta" and not (name == "x" and component), "a method does not set its own steps, eta, nor components of x")
    need(method.sets.get(name, sort) == sort, f"{shown(name)} is set as a number and as a point")
    names.add(name)
    method.sets[name] = sort
    method.updates.append(update)
    if by_equation:
        need(sort == POINT, "an equation between points says what a point is")
        method.reads.vector_equation(update["such_that"], letters | {HORIZON})
    else:
        method.reads.formula(update["to"], sort, letters | {HORIZON})


def _component(target: Any) -> frozenset[str]:
    """Return the letter of the components that are set together: phi[k + 1, i] is set for every i."""
    part = target.get("part")
    if part is None:
        return frozenset()
    keys(part, ("index", "plus"), "the component that an update sets")
    good = isinstance(part["index"], str) and part["index"] not in ("k", HORIZON) and part["plus"] == 0
    need(good, "an update sets a sequence for every component, by a letter")
    return frozenset([part["index"]])


def _backwards(update: Any, method: GramMethodShape) -> None:
    """Check an update of numbers that run backwards: theta at K, at k from what comes later, and at 0 where that is another."""
    keys(update, ("sets", "to"), "an update")
    target = update["sets"]
    need(isinstance(target, dict) and target.get("is") == "Term", "what runs backwards is a number")
    GramReading().formula(target, NUMBER, frozenset(["k", HORIZON]))
    name, good = target["name"], [{"index": HORIZON, "plus": 0}, {"index": "k", "plus": 0}, {"index": None, "plus": 0}]
    need(target["index"] in good and target["run"] == "", f"{shown(name)} runs backwards from K to 0")
    forward = {update["sets"]["name"] for update in method.updates}
    need(name not in {"x", "eta", *method.free, *forward}, f"a method sets {shown(name)} twice")
    method.sets[name] = NUMBER
    method.reads.formula(update["to"], NUMBER, frozenset(["k", HORIZON]))


def _free(entry: Any, method: GramMethodShape) -> None:
    """Check an entry that nothing sets: e[k] at every step, or phi[0, i], where a sequence begins."""
    need(isinstance(entry, dict) and entry.get("is") in ("Point", "Term"), "a free entry is one of a sequence")
    sort, name = GRAM_NODES[entry["is"]][0], entry.get("name")
    GramReading().formula(entry, sort, frozenset(["k"]) | _component(entry))
    need(entry["run"] == "" and name not in ("x", "eta") and name not in method.free, f"{shown(name)} is no free entry")
    at_start = entry["index"] == {"index": None, "plus": 0}
    need(at_start or entry["index"] == {"index": "k", "plus": 0}, f"{shown(name)} is free at k, or at 0")
    begun = {update["sets"]["name"] for update in method.updates if update["sets"]["index"] != {"index": "k", "plus": 1}}
    is_set = name in (begun if at_start else method.sets)
    need(not is_set, f"{shown(name)} is set by the method; it is not free")
    need(method.sets.get(name, sort) == sort, f"{shown(name)} is set as a number and as a point")
    method.free[name] = sort


__all__ = ["CONSTANTS_OF", "NUMBER", "GramClaimShape", "GramMethodShape", "Oracle", "check_gram_claim"]
