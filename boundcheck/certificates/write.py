"""Certificates: a refutation as a file that anyone can check without this framework. docs/certificates.md is the format.

The run and its steps come from the framework, which must have found the claim violated there. The sides come from the
independent checker, and must be the framework's: two computations agree before anything is written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic.balls.plain import Precision
from boundcheck.certificates.paragraph import words
from boundcheck.check.verdict import Moment, Outcome
from boundcheck.claims.bound import Bound, Instance
from boundcheck.claims.hypotheses import AtEachStep, Once
from boundcheck.evaluate.columns import Column
from boundcheck.language.scalars import Constant, Gap, Term
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Minimum
from boundcheck.library.catalogue import NotFound, beside, bounds_of, folder_of, papers, runner
from boundcheck.model.problem import Problem
from boundcheck.suite.instances import AnsweredCell, try_instance
from boundcheck.support.errors import NotCertified as NotCertified
from boundcheck.verify import PRECISIONS, REFUTES, NotComputed, Replay, digest, examine, verify

FOLDER = "certificates"
FORMAT, VERSION = "boundcheck certificate", 1
DIGITS = (6, 12, 30, 100, 500)  # of an enclosure: the fewest that decide
ENOUGH = PRECISIONS[-1]
LAST = ("at", "link", "left", "right", "words", "seal")  # of a file: what people look for
NOT_FOLLOWED = (NotComputed, IndexError, ZeroDivisionError, ValueError, TypeError, KeyError, StopIteration)


def certify(bound: Bound, at: Instance | None = None) -> dict[str, Any]:
    """The certificate of a false claim, on an instance (its own, where none is given) at the first k that is violated there."""
    at = bound.refuted_by if at is None else at
    if at is None:
        raise NotCertified(f"{bound.id} carries no instance that refutes it")
    tried = try_instance(bound, at)
    moment, problem = tried.verdict.violation, tried.setting.problem
    if tried.verdict.outcome is not Outcome.VIOLATED or moment is None:
        raise NotCertified(f"{bound.id} is not violated on {at.problem} by {at.method}: {tried.verdict.explain()}")
    if problem.data is None:
        raise NotCertified(f"{bound.id}: {problem.name} has no data that a certificate can carry")
    link = _link(tried, moment)
    draft = {
        "format": FORMAT,
        "version": VERSION,
        "claim": bound.to_json(),
        "hash": bound.hash,
        "smoothness": tried.question.smoothness or None,
        "parameters": {name: str(Fraction(value)) for name, value in tried.verdict.cell.parameters},
        "function": dict(problem.data),
        "constants": _constants(bound, tried),
        "minimiser": _minimiser(bound, problem),
        "link": link,
        "left": "0",
        "right": "0",
        "words": "",
        "seal": "",
    }
    made = finished(bound, _first_that_works(bound, _places(bound, tried, moment, at, draft), draft))
    _compare(bound, moment, made)
    return made


def finished(bound: Bound, draft: Mapping[str, Any]) -> dict[str, Any]:
    """Return a draft with its sides, words and seal, once the independent checker has accepted it whole."""
    try:
        with Precision(ENOUGH):
            replay = Replay(draft)
            left, right = enclosed_sides(replay.sides(), replay.relation["op"])
            made = {**draft, "left": left, "right": right}
            made["words"] = words(bound, made, replay)
            made = sealed({**{key: made[key] for key in made if key not in LAST}, **{key: made[key] for key in LAST}})
    except NotCertified as wrong:
        raise NotCertified(f"{bound.id}: {wrong}") from None
    except NOT_FOLLOWED as wrong:
        raise NotCertified(f"{bound.id}: the independent checker does not accept it: {wrong}") from None
    found = examine(as_text(made).encode())
    if found.code != REFUTES:
        raise NotCertified(f"{bound.id}: the independent checker does not accept it: {found.line}")
    return made


def sealed(certificate: Mapping[str, Any]) -> dict[str, Any]:
    """Return the certificate with a fresh seal, the hash of all the rest: it shows damage, and proves nothing."""
    return {**certificate, "seal": digest({**certificate, "seal": ""})}


def file_name(bound: Bound) -> str:
    """thm:polyak.best@from-1 is kept in thm-polyak-best@from-1.json."""
    return re.sub(r"[^A-Za-z0-9@-]+", "-", f"{bound.label}@{bound.reading}") + ".json"


def path_of(bound: Bound) -> Path | None:
    """Return where the certificate of a claim of a paper is kept; None for a claim of a user's file."""
    for paper in papers():
        if any(claim.id == bound.id for claim in bounds_of(paper)):
            return folder_of(paper) / FOLDER / file_name(bound)
    return None


def why_not_refuted(bound: Bound, path: Path) -> str:
    """What is wrong with the certificate that is kept for a false claim, or "" where the independent checker accepts it."""
    if not path.is_file():
        return f"there is no certificate {path.name}; write it with `boundcheck certify {bound.label}@{bound.reading}`"
    code, line = verify(str(path))
    if code != REFUTES:
        return f"{path.name}: {line}"
    if json.loads(path.read_text(encoding="utf-8"))["hash"] != bound.hash:
        return f"{path.name} refutes another claim: the hashes differ; renew it with `boundcheck certify --all`"
    return ""


_MADE: dict[str, dict[str, Any]] = {}  # counterexamples that a run found, by claim id: see `also_kept`


@contextmanager
def also_kept(made: Mapping[str, dict[str, Any]]) -> Iterator[None]:
    """As long as this lasts, counterexamples that a run found count among the certificates that are kept."""
    before = dict(_MADE)
    _MADE.update(made)
    try:
        yield
    finally:
        _MADE.clear()
        _MADE.update(before)


def kept() -> dict[str, dict[str, Any]]:
    """Return the certificates that the papers carry beside their claims, and those that this run made, by claim id."""
    found: dict[str, dict[str, Any]] = {}
    for paper in papers():
        folder = beside(paper, FOLDER)
        for entry in sorted(folder.iterdir(), key=lambda e: e.name) if folder.is_dir() else ():
            if entry.name.endswith(".json"):
                data = _read(entry)
                found.setdefault(data["claim"]["id"], data)
    return {**found, **_MADE}


def _read(entry: Traversable) -> dict[str, Any]:
    try:
        data: dict[str, Any] = json.loads(entry.read_text(encoding="utf-8"))
        str(data["claim"]["id"]), str(data["hash"])
    except (ValueError, KeyError, TypeError) as wrong:
        raise NotFound(f"{entry} is no certificate ({type(wrong).__name__}: {wrong}); write it again, or take it away") from None
    return data


def kept_for(bound: Bound) -> dict[str, Any] | None:
    """Return the certificate that is kept of exactly this claim."""
    path = path_of(bound)
    found = _MADE.get(bound.id) or (_read(path) if path is not None and path.is_file() else None)
    return found if found is not None and found["hash"] == bound.hash else None


def as_text(certificate: Mapping[str, Any]) -> str:
    """Return the file: a line for each number that people look for, and the claim's formula on one."""
    lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in certificate.items()]
    return "{\n " + ",\n ".join(lines) + "\n}\n"


# -- what the claim reads ---------------------------------------------------------------------------------------------------


def _claimed(bound: Bound) -> list[Node]:
    """Return the statement, and the hypotheses that are relations."""
    return [bound.states, *(h.relation for h in bound.hypotheses if isinstance(h, AtEachStep | Once))]


def nodes_of(bound: Bound) -> Iterator[Node]:
    """Yield every node of these, and of the methods' updates."""
    updates = [update.to for _, method in bound.runs.roles for update in (*method.first, *method.each)]
    for tree in (*_claimed(bound), *updates):
        yield from tree.walk()


def _constants(bound: Bound, tried: AnsweredCell) -> dict[str, str]:
    names = {node.name for node in nodes_of(bound) if isinstance(node, Constant)}
    names |= {"L"} if tried.question.smoothness == "L" else set()
    return {name: str(Fraction(tried.question.about.constants[name])) for name in sorted(names)}


def _minimiser(bound: Bound, problem: Problem) -> list[str] | None:
    if not any(isinstance(node, Minimum | Gap) for node in nodes_of(bound)):
        return None
    assert problem.minimiser is not None
    if problem.minimiser.radius:
        raise NotCertified(f"{bound.id}: the minimiser of {problem.name} is enclosed, and a certificate needs it exactly")
    return [str(Fraction(value)) for value in problem.minimiser.point]


def _link(tried: AnsweredCell, moment: Moment) -> int:
    written = [str(relation) for relation in tried.question.relations]
    return written.index(moment.link) if moment.link else 0


# -- where it fails ---------------------------------------------------------------------------------------------------------


def _places(bound: Bound, tried: AnsweredCell, moment: Moment, at: Instance, draft: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The chord; or the run with as few steps as may do, then with more."""
    if bound.is_about_chords:
        yield {"chord": _chord(moment.chord), "at": {}}
        return
    if "runs" not in {key for given in draft["claim"]["given"] for key in given}:
        raise NotCertified(f"{bound.id} does not say which method it is about; write GradientDescent() in given")
    start, k = [str(Fraction(value)) for value in tried.setting.problem.start], moment.k
    chosen, found = _chosen(bound, tried, at)
    roles = {role: {"start": start, **own} for role, own in chosen.items()}
    longest = min(len(values) for own in chosen.values() for values in own.values())
    if tried.question.is_one_step and all(method.state == {"x"} and not method.first for _, method in bound.runs.roles):
        roles, longest, k = {role: _from_step(role, k, roles, draft) for role in roles}, longest - k, 0
    searched = bound.runs.searched  # its steps depend on how long the runs are
    for n in [longest] if searched else range(k if bound.has_fixed_horizon else 1, longest + 1):
        yield {"run": _cut(roles, n), "at": {bound.for_all.letter: k}, **({"parameters": found} if searched else {})}
    if bound.rules and list(roles) == [""]:  # steps that are not rational: by the equation that they follow
        (steps,), first = (own["eta"] for own in roles.values()), roles[""]["start"]
        for n in range(max(k, 1), longest + 1):
            for given in ([None] * n, [steps[0], *[None] * (n - 1)]):  # an equation may leave the first one free
                yield {"run": {"roles": {"": {"start": first, "eta": given}}}, "at": {bound.for_all.letter: k}}


def _cut(roles: dict[str, dict[str, list[str]]], n: int) -> dict[str, Any]:
    """Return the first n steps."""
    return {"roles": {r: {name: v if name == "start" else v[:n] for name, v in own.items()} for r, own in roles.items()}}


def _from_step(role: str, k: int, roles: dict[str, dict[str, list[str]]], draft: dict[str, Any]) -> dict[str, list[str]]:
    """Return the run from x_k on: a claim about one step from any point is refuted by that step alone."""
    whole = Replay({**draft, "run": _cut(roles, k), "at": {draft["claim"]["for_all"]["letter"]: 0}})
    later = {name: values[k:] for name, values in roles[role].items() if name != "start"}
    return {"start": [str(value) for value in whole.entries[role, "x"][k]], **later}


def _chord(written: str) -> dict[str, list[str]]:
    """x = 1/2, y = (3, 4) as data."""
    found = re.findall(r"(\w+) = (\([^)]*\)|[^,]+)", written)
    if not found or "..." in written:
        raise NotCertified(f"the ends of the chord are not written out: {written}")
    return {name: [str(Fraction(c.strip())) for c in point.strip("()").split(",")] for name, point in found}


def _chosen(bound: Bound, tried: AnsweredCell, at: Instance) -> tuple[dict[str, dict[str, list[str]]], dict[str, str]]:
    """What no update of a method sets: the steps of each run, and what else its rule noted that the claim reads.

    And the letters that the experiment itself found a value for.
    """
    columns = {}
    for role, method in bound.runs.roles:
        set_by_method = {update.name for update in (*method.first, *method.each)}
        inside = [node for update in (*method.first, *method.each) for node in update.to.walk()]
        mine = [node for tree in _claimed(bound) for node in tree.walk() if isinstance(node, Term) and node.run == role]
        read = {n.name: n.dimension for n in (*inside, *mine) if isinstance(n, Term)}
        for name, dimension in {**read, "eta": read.get("eta", method.step_dimension)}.items():
            if name not in set_by_method:
                columns[role, name] = Column(Term(name, Index("n"), dimension, role))
    decided_in = tried.verdict.cell.arithmetic
    trace = runner().trace(
        tried.setting.problem, tried.experiment, steps=at.steps, count=1, columns=columns.values(), xp=decided_in
    )
    assert trace is not None  # only an unfrozen run may not exist
    exact = arithmetic(decided_in).exact
    chosen: dict[str, dict[str, list[str]]] = {role: {} for role, _ in bound.runs.roles}
    for (role, name), column in columns.items():
        if column not in trace.columns:
            raise NotCertified(f"{bound.id}: the run recorded no {column}: {trace.refused.get(str(column), trace.ended[0])}")
        values = trace.columns[column]
        chosen[role][name] = [_text(value) for value in (values.data if exact else trace.xp.middle(values))[0]]
    return chosen, {name: str(Fraction(values[0])) for name, values in trace.parameters.items()}


def _text(value: Any) -> str:
    """Return an exact number; or the shortest decimal that a float is taken for: 1/20, not the dyadic number next to it."""
    return str(value) if hasattr(value, "p") else str(Fraction(repr(float(value))))


def _first_that_works(bound: Bound, places: Iterator[dict[str, Any]], draft: dict[str, Any]) -> dict[str, Any]:
    """Return the first place where every hypothesis holds and both sides are defined."""
    why = "the run has no step"
    for place in places:
        made = {**draft, **place}
        try:
            with Precision(ENOUGH):
                Replay(made).sides()
            return made
        except NotComputed as wrong:
            why = str(wrong)
    raise NotCertified(f"{bound.id}: the independent checker does not follow: {why}")


# -- both sides -------------------------------------------------------------------------------------------------------------


def enclosed_sides(sides: Sequence[Any], op: str) -> list[Any]:
    """Return both sides as fractions, or as enclosures with as few digits as decide the relation."""
    from flint import fmpq

    for digits in DIGITS:
        ends = [(Fraction(str(v)),) * 2 if isinstance(v, fmpq) else _ends(v, digits) for v in sides]
        (low, high), (lower, upper) = ends
        if high < lower or low > upper or (op in ("<", ">") and low == high == lower == upper):
            return [str(v) if isinstance(v, fmpq) else [str(e) for e in end] for v, end in zip(sides, ends, strict=True)]
    raise NotCertified("the two sides cannot be told apart")


def _ends(ball: Any, digits: int) -> tuple[Fraction, Fraction]:
    """Return short decimals below and above a ball."""
    low, high = (Fraction(int(m)) * Fraction(2) ** int(e) for m, e in (ball.lower().man_exp(), ball.upper().man_exp()))
    scale = 10**digits
    return Fraction(low * scale // 1 - 1, scale), Fraction(high * scale // 1 + 2, scale)


def _compare(bound: Bound, moment: Moment, made: dict[str, Any]) -> None:
    """The framework's sides, where it shows them whole, differ by what the checker's differ by (f + C may move both)."""
    try:
        expected = Fraction(moment.left) - Fraction(moment.right)
        found = Fraction(made["left"]) - Fraction(made["right"])
    except (ValueError, TypeError):
        return
    if expected != found:
        raise NotCertified(f"{bound.id}: the framework finds {moment}, the checker {made['left']} and {made['right']}")
