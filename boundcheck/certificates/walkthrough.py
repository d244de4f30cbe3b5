"""A counterexample line by line, as one does it with pencil and paper: each formula, its numbers put in, and what comes out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from flint import fmpq

from boundcheck.arithmetic.balls.plain import Precision
from boundcheck.certificates.paragraph import at, entry, number_text, point_text, said
from boundcheck.certificates.script_functions import polynomials
from boundcheck.claims.bound import Bound
from boundcheck.language.canonical import from_json
from boundcheck.language.rewrite import put_index
from boundcheck.language.symbols import COUNTED
from boundcheck.language.tree import Index
from boundcheck.model.schedule import updates_of_step
from boundcheck.verify import PRECISIONS, NotComputed, Replay, TooShort

SUM, PRODUCT, POWER, ATOM = range(4)  # how tightly a text is held together
INFIX = {
    **{"Add": (" + ", SUM, SUM), "Sub": (" - ", SUM, PRODUCT), "Plus": (" + ", SUM, SUM), "Minus": (" - ", SUM, PRODUCT)},
    **{"Mul": ("*", PRODUCT, PRODUCT), "Scaled": ("*", PRODUCT, PRODUCT), "Div": ("/", PRODUCT, POWER)},
}
AROUND = {"Abs": "|{}|", "Norm": "|{}|", "Normsq": "|{}|^2", "Log": "log({})", "Exp": "exp({})"}
CALLS = {"Larger": "max", "Smaller": "min", "Inner": "inner"}
TERMS, LONGEST = 6, 110  # of a sum that is written out; characters of a formula with its numbers
FACTS = {"Convex": "convex", "Differentiable": "differentiable", "TwiceDifferentiable": "twice differentiable"}
FACTS |= {"Smooth": "smooth", "StronglyConvex": "strongly convex", "IsQuadratic": "a quadratic"}


def steps(bound: Bound, certificate: Mapping[str, Any]) -> list[str]:
    """Return a certificate as numbered lines: the function, each step, the hypotheses, both sides, the conclusion."""
    with Precision(PRECISIONS[-1]):
        told = list(_Pencil(bound, certificate).lines())
    return [f"{n}. {line}" for n, line in enumerate(told, 1)]


def _turns(data: Mapping[str, Any]) -> list[Any]:
    """Where f' of a piecewise quadratic bends and where it is 0, in order: between these places f rises or falls all the way."""
    knots, pieces = polynomials(data)
    ends = [None, *knots, None]
    found = {*knots}
    for n, (_, c1, c2) in enumerate(pieces):  # on this piece f' is c1 + 2 c2 x
        low, high = ends[n], ends[n + 1]
        if c2:
            zero = -c1 / (2 * c2)
            if (low is None or low <= zero) and (high is None or zero <= high):
                found.add(zero)
    return [fmpq(place.numerator, place.denominator) for place in sorted(found)]


def _one_variable(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the function of one variable that a ridge sum of one term along the axis is."""
    found: Mapping[str, Any] = data["terms"][0]["function"] if data["kind"] == "ridge sum" else data
    return found


def _spoken(data: Any) -> dict[str, str]:
    """Return the names of parameters and constants that are no letters, and their letters: alpha0 is alpha_0."""
    if isinstance(data, list):
        return {name: letter for item in data for name, letter in _spoken(item).items()}
    if not isinstance(data, dict):
        return {}
    found = {name: letter for value in data.values() for name, letter in _spoken(value).items()}
    if data.get("is") in ("Parameter", "Constant"):
        written = data.get("latex") or COUNTED.get(data["name"], "")
        plain = re.sub(r"[\\{}]", "", written.replace(r"^\top", "'")).replace(" ", "")
        found |= {data["name"]: plain} if plain and plain != data["name"] else {}
    return found


class _Pencil:
    def __init__(self, bound: Bound, certificate: Mapping[str, Any]) -> None:
        self.bound, self.data = bound, certificate
        self.replay = Replay(certificate)
        self.sides = self.replay.sides()  # refuses hypotheses that are false
        self.role = ""  # of the run that is being told
        entries = re.compile(r"\w+_\d+")  # alpha_0 is an entry of a sequence: a parameter of that name keeps its own
        self.spoken = {name: letter for name, letter in _spoken(certificate["claim"]).items() if not entries.fullmatch(letter)}
        if not self.replay.fails():
            raise NotComputed("the claim holds there: no line may say that it is false")

    def lines(self) -> Iterator[str]:
        yield f"Let {said(self.data['function'])}."
        if self.data["minimiser"] is not None:
            yield self._least()
        chosen = [f"{name} = {value}" for name, value in {**self.data["parameters"], **self.data["constants"]}.items()]
        chosen += [f"M = {self.data['smoothness']}"] if self.data["smoothness"] else []
        for chord in self.bound.chords_with(self.data["smoothness"] or ""):
            yield self._letters(f"For points p and q, {chord.name}(p, q) is {chord.formula}.")
        if chosen:
            yield self._letters(f"Take {', '.join(chosen)}.")
        yield from self._points() if "chord" in self.data else self._runs()
        yield from self._hypotheses()
        yield from self._conclusion()

    def _least(self) -> str:
        """Return what shows that f has its minimum at x*: convexity where the data of f show it, else that f is nowhere lower."""
        f, least = self.replay.f, self.replay.ends["x*"]
        value = number_text(f.value(least))
        where = self._letters(f"x* = {point_text(least)}: grad f(x*) = {point_text(f.gradient(least))}")
        if f.is_convex:
            return f"{where} and f is convex, so this is a minimum: f(x*) = {value}."
        if not f.is_lowest(least):
            raise NotComputed("nothing shows that x* is a minimiser")
        turns = _turns(_one_variable(self.data["function"]))
        places = ", ".join(f"{number_text(f.value([u]))} at {number_text(u)}" for u in turns)
        nowhere = f"falls for ever on neither side, and where f' bends or is 0 it is at least f(x*) ({places})"
        return f"{where}. f is not convex; it {nowhere}, so this is a minimum: f(x*) = {value}."

    # -- the run --------------------------------------------------------------------------------------------------------

    def _points(self) -> Iterator[str]:
        for name in self.data["chord"]:
            yield self._letters(at(name, self.replay.ends[name], self.replay) + ".")

    def _runs(self) -> Iterator[str]:
        (runs,) = (h["runs"] for h in self.data["claim"]["given"] if "runs" in h)
        for one in runs["roles"]:
            self.role = one["role"]
            yield from (self._in_run(line) for line in self._run(one["method"]))
        self.role = ""

    def _in_run(self, line: str) -> str:
        return self._letters(f"In the run of x': {line}" if self.role else line)

    def _run(self, method: Any) -> Iterator[str]:
        """Yield where it starts; then at each step what the rule chose, and what each update of the method makes of it."""
        own = {name: values for (role, name), values in self.replay.entries.items() if role == self.role}
        given = self.data["run"]["roles"][self.role]
        yield f"Start: {at('x_0', own['x'][0], self.replay)}."
        for k in range(len(own["eta"])):
            for name in given:
                if name != "start":
                    yield f"Step {k}: {name}_{k} = {entry(own[name][k])}{self._how(given[name][k], k)}."
            for update in updates_of_step(method, k):
                name, index = (
                    update["sets"]["name"],
                    update["sets"]["index"]["plus"] + (k if update["sets"]["index"]["index"] else 0),
                )
                line = f"{name}_{index} = {self._shown(update['to'], {'k': k})}"
                yield line + (self._there(f"{name}_{index}", own[name][index]) if name == "x" else ".")

    def _how(self, given: str | None, k: int) -> str:
        if given is not None:
            return ""
        return f", by the claim's equation {self._formula(self.replay.rule(k), {'#step': k})}"

    def _there(self, name: str, point: Any) -> str:
        found = at(name, point, self.replay).partition(f", f({name})")[2]
        return f", where f({name}){found}." if found else "."

    # -- hypotheses, sides ----------------------------------------------------------------------------------------------

    def _hypotheses(self) -> Iterator[str]:
        given = [next(iter(h.items())) for h in self.data["claim"]["given"]]
        if facts := [FACTS[what] for kind, what in given if kind == "fact"]:
            yield f"The claim is about functions that are {', '.join(facts)}: f is{self._because()}."
        for kind, what in given:
            if kind not in ("fact", "runs"):
                yield from self._hypothesis(kind, what)

    def _because(self) -> str:
        """Return the numbers that show it, where they are few."""
        data = self.data["function"]
        if data["kind"] == "piecewise quadratic":
            curvatures = [2 * c2 for _, _, c2 in polynomials(data)[1]]
            return f", with f'' between {min(curvatures)} and {max(curvatures)}"
        if data["kind"] == "interpolation":
            return f", by the {len(data['points']) * (len(data['points']) - 1)} inequalities between its points"
        return ""

    def _hypothesis(self, kind: str, relation: Any) -> Iterator[str]:
        once, free = kind == "once", 0
        for i in [*self.replay.at.values(), 0][:1] if once else range(self.replay.steps + 2):
            if relation is self.replay.rule(i):  # a step that is null obeys its equation by construction
                continue
            place = {**self.replay.at, "#step": i}
            try:
                left, right = (self._numbers(relation[side], place) for side in ("left", "right"))
                is_true = self.replay.is_true(relation, place)
            except TooShort:  # a step that the run does not have
                free += i == free
                continue
            if free and free == i and relation["op"] == "==" and _is_step(relation["left"]):
                which = "Step 0 is" if i == 1 else f"The steps before step {i} are"
                yield f"{which} free: the formula for the steps reads entries before."
            if not is_true:
                raise NotComputed(f"a hypothesis of the claim is false (step {i})")
            where, numbers = "" if once else f" at step {i}", f"{left} {relation['op']} {right}"
            here = f"Here {numbers}: true." if len(numbers) <= LONGEST else "It is true."
            yield self._letters(f"Hypothesis{where}: {self._formula(relation, {'#step': i})}. {here}")

    def _conclusion(self) -> Iterator[str]:
        place, relation = self.replay.at, self.replay.relation
        for letter, k in place.items():
            yield f"Now take {letter} = {k}."
        for side in ("left", "right"):
            yield self._letters(f"{side.capitalize()} side: {self._shown(relation[side], place, in_letters={})}.")
        left, right = (number_text(value) for value in self.sides)
        yield f"The claim says {left} {relation['op']} {right}, which is false{self._by_digits()}."

    def _by_digits(self) -> str:
        a, b = (float(value) if not hasattr(value, "p") else int(value.p) / int(value.q) for value in self.sides)
        digits = next((n for n in (6, 9, 12, 15) if f"{a:.{n}g}" != f"{b:.{n}g}"), 17)
        return f" ({a:.{digits}g} against {b:.{digits}g})"

    # -- formulas -------------------------------------------------------------------------------------------------------

    def _shown(self, node: Any, place: Mapping[str, int], in_letters: Mapping[str, int] | None = None) -> str:
        """Return a formula, its numbers put in, its value; what repeats the one before, or is too long to read, is left out."""
        written = self._formula(node, place if in_letters is None else in_letters)
        parts = [written, self._numbers(node, place), entry(self.replay.value(node, place, self.role))]
        kept = [parts[0], *([parts[1]] if len(parts[1]) <= LONGEST else []), parts[2]]
        return " = ".join(dict.fromkeys(kept))

    def _formula(self, node: Any, place: Mapping[str, int]) -> str:
        tree = from_json(node)
        for letter, value in place.items():
            tree = put_index(tree, letter, Index(None, value))
        told = str(self.bound.with_M(tree, self.data["smoothness"] or ""))
        for n, letter in enumerate("ijmn"):  # the letters of sums, which canonical formulas number
            told = told.replace(f"#{n}", letter)
        return told

    def _letters(self, line: str) -> str:
        """In one dimension the gradient is f'. Names of the library are read as the letters that they stand for."""
        for role in self.data.get("run", {}).get("roles", ()):
            line = line.replace(f"({role})", "'") if role else line
        for name, letter in self.spoken.items():
            line = re.sub(rf"\b{re.escape(name)}\b(?!\()", letter, line)
        return line.replace("grad f(", "f'(") if self.replay.f.dimension == 1 else line

    def _numbers(self, node: Any, place: Mapping[str, int]) -> str:
        return self._piece(node, dict(place))[0]

    def _piece(self, node: Any, place: dict[str, int]) -> tuple[str, int]:
        """Return the text of a formula with its numbers put in, and how tightly it is held together."""
        kind = node["is"]
        if kind in INFIX:
            op, level, after = INFIX[kind]
            first, second = (node[part] for part in (("factor", "of") if kind == "Scaled" else ("left", "right")))
            return f"{self._inside(first, place, level)}{op}{self._inside(second, place, after)}", level
        if kind in AROUND:
            return AROUND[kind].format(self._numbers(node["of"], place)), ATOM
        if kind in CALLS:
            return f"{CALLS[kind]}({', '.join(self._numbers(node[part], place) for part in ('left', 'right'))})", ATOM
        if kind == "Neg":
            return f"-{self._inside(node['of'], place, POWER)}", SUM
        if kind == "Power":
            if node["exponent"] == "1/2":
                return f"sqrt({self._numbers(node['base'], place)})", ATOM
            exponent = node["exponent"] if node["exponent"].isdigit() else f"({node['exponent']})"
            return f"{self._inside(node['base'], place, ATOM)}^{exponent}", POWER
        if kind == "Reduce" and (found := self._written_out(node, place)):
            return found
        value = entry(self.replay.value(node, place, self.role))
        return value, SUM if value[0] == "-" or " " in value.rpartition(")")[2] else PRODUCT if "/" in value and value[
            0
        ] != "(" else ATOM

    def _inside(self, node: Any, place: dict[str, int], level: int) -> str:
        text, own = self._piece(node, place)
        return text if own >= level else f"({text})"

    def _written_out(self, node: Any, place: dict[str, int]) -> tuple[str, int] | None:
        """Return a short sum or product as its terms; a minimum or maximum as the numbers that it is of."""
        low, high = (self.replay.index(node[end], place) for end in ("low", "high"))
        here = [{**place, node["letter"]: n} for n in range(low, high + 1)]
        here = [p for p in here if node["where"] is None or self.replay.is_true(node["where"], p)]
        if not here or len(here) > TERMS:
            return None
        if node["kind"] in ("min", "max"):
            return f"{node['kind']}({', '.join(self._numbers(node['body'], p) for p in here)})", ATOM
        op, level = (" + ", SUM) if node["kind"] == "sum" else ("*", PRODUCT)
        if len(here) == 1:
            return self._piece(node["body"], here[0])
        return op.join(self._inside(node["body"], p, level) for p in here), level


def _is_step(node: Any) -> bool:
    """Return whether a side of a hypothesis is eta_i alone."""
    return bool(node["is"] == "Term" and node["name"] == "eta" and node["index"] == {"index": "#step", "plus": 0})
