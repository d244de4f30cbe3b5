"""The findings about a paper, by cause, and its harmless misprints, as findings.toml and misprints.toml have them."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from types import ModuleType
from typing import Any

from boundcheck.claims.bound import PRINTED, Bound
from boundcheck.library.catalogue import NotFound, beside, bounds_of, did_you_mean, papers_of
from boundcheck.support.errors import UserError

FINDINGS_FILE = "findings.toml"
TEXTS = ("title", "what", "survives")
FINDING_FIELDS = {"title": str, "severity": str, "claims": list, "what": str, "survives": str}


class Severity(Enum):
    """How much falls: the members are in the order in which a reader needs them."""

    THEOREM = "breaks a theorem as stated"
    STEP = "breaks a step; the theorem survives"
    SLIP = "a slip of an index, a constant or an order"
    TYPESETTING = "typesetting"
    UNRATED = "not rated yet"


RATED = {severity.name.lower(): severity for severity in Severity if severity is not Severity.UNRATED}


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One cause: the labels of the printed claims that it makes false, the first of which shows it best."""

    title: str
    severity: Severity
    claims: tuple[str, ...]
    what: str  # what is wrong, in a sentence or two, with $mathematics$
    survives: str  # what is not touched by it, or what stands once it is corrected
    papers: tuple[str, ...] = ()  # the names with which the ids of these claims begin; (): any paper

    def is_about(self, bound: Bound) -> bool:
        """Return whether this claim is one of those that the finding makes false."""
        mine = not self.papers or bound.source.paper.name in self.papers
        return mine and bound.reading == PRINTED and bound.label in self.claims


@cache
def findings(paper: ModuleType) -> tuple[Finding, ...]:
    """Return the findings of a paper, the severest first; none where it keeps no file of them."""
    file = beside(paper, FINDINGS_FILE)
    if not file.is_file():
        return ()
    names = tuple(sorted({bound.source.paper.name for bound in bounds_of(paper)}))
    try:
        found = read_findings(file.read_text(encoding="utf-8"), names)
    except ValueError as wrong:
        raise NotFound(f"{file}: {wrong}") from None
    return tuple(in_order(found))


def findings_about(bounds: Iterable[Bound], also: Iterable[ModuleType] = ()) -> tuple[Finding, ...]:
    """Return the findings of the papers whose claims these are, and of those given in `also`."""
    modules = dict.fromkeys((*papers_of(bounds), *also))
    return tuple(in_order(finding for module in modules for finding in findings(module)))


def read_findings(text: str, names: Sequence[str] = ()) -> list[Finding]:
    """Return the findings that a findings.toml holds, in its order. `names` are those of the papers that they are about."""
    data = tomllib.loads(text)
    if set(data) - {"finding"} or not isinstance(data.get("finding", []), list):
        raise UserError(f"found {', '.join(map(repr, data))}; it holds tables [[finding]] and nothing else")
    found = [_finding(table, tuple(names)) for table in data.get("finding", [])]
    twice = [label for label, times in Counter(label for f in found for label in f.claims).items() if times > 1]
    if twice:
        raise UserError(f"the claim '{twice[0]}' is named twice; it has one cause: name it in one finding")
    return found


def in_order(found: Iterable[Finding]) -> list[Finding]:
    """Return the severest first; those of one severity stay in their order."""
    ranks = list(Severity)
    return sorted(found, key=lambda finding: ranks.index(finding.severity))


def unfounded(paper: ModuleType) -> list[str]:
    """What keeps the findings from being complete: labels that are no false printed claim, and false claims in no finding."""
    printed = {bound.label: bound for bound in bounds_of(paper) if bound.reading == PRINTED}
    false = [label for label, bound in printed.items() if bound.is_refuted]
    named = {label: finding.title for finding in findings(paper) for label in finding.claims}
    wrong = [f"'{title}' names {label}, {_why_not(label, printed)}" for label, title in named.items() if label not in false]
    return wrong + [f"{label} is false as printed, and in no finding" for label in false if label not in named]


def _why_not(label: str, printed: Mapping[str, Bound]) -> str:
    return "which is not refuted" if label in printed else f"which is no printed claim{did_you_mean(label, printed)}"


def _finding(data: Any, names: tuple[str, ...]) -> Finding:
    about = f"'{data['title']}'" if isinstance(data, dict) and data.get("title") else f"a finding {data!r}"
    if not isinstance(data, dict) or set(data) != set(FINDING_FIELDS):
        had = ", ".join(data) if isinstance(data, dict) else "no table"
        raise UserError(f"{about}: found {had or 'nothing'}; a finding has {', '.join(FINDING_FIELDS)}")
    for name, kind in FINDING_FIELDS.items():
        if not isinstance(data[name], kind) or not (data[name].strip() if kind is str else data[name]):
            needed = "a text that says something" if kind is str else "a list of labels, at least one"
            raise UserError(f"{about}: found {name} = {data[name]!r}; it needs {needed}")
    if data["severity"] not in RATED:
        raise UserError(f"{about}: found severity = '{data['severity']}'; it is one of {', '.join(RATED)}")
    if not all(isinstance(label, str) for label in data["claims"]):
        raise UserError(f"{about}: found claims = {data['claims']!r}; they are labels, as texts")
    for name in TEXTS:
        if data[name].replace(r"\$", "").count("$") % 2:
            raise UserError(f"{about}: {name} has a $ without its partner; mathematics stands between two")
    texts = {name: " ".join(data[name].split()) for name in TEXTS}  # they may go over several lines
    return Finding(**texts, severity=RATED[data["severity"]], claims=tuple(data["claims"]), papers=names)


MISPRINTS_FILE = "misprints.toml"
MISPRINT_FIELDS = {"line": int, "where": str, "printed": str, "meant": str}


@dataclass(frozen=True, kw_only=True)
class Misprint:
    """A place of a paper whose words or formula say something else than they mean, and which no claim finds false."""

    line: int  # of the paper's LaTeX source
    where: str  # "Theorem 4.5"
    printed: str  # words with $mathematics$, as the next
    meant: str

    @property
    def words(self) -> str:
        """It in one line."""
        return f"{self.where}, line {self.line}: printed is {self.printed}; meant is {self.meant}."


@cache
def misprints(paper: ModuleType) -> tuple[Misprint, ...]:
    """Return the misprints of a paper, in its order; none where it keeps no file of them."""
    file = beside(paper, MISPRINTS_FILE)
    if not file.is_file():
        return ()
    try:
        return tuple(read_misprints(file.read_text(encoding="utf-8")))
    except ValueError as wrong:
        raise NotFound(f"{file}: {wrong}") from None


def misprints_about(bounds: Iterable[Bound]) -> tuple[Misprint, ...]:
    """Return the misprints of the papers whose claims these are."""
    return tuple(found for paper in papers_of(bounds) for found in misprints(paper))


def read_misprints(text: str) -> list[Misprint]:
    data = tomllib.loads(text)
    if set(data) - {"misprint"} or not isinstance(data.get("misprint", []), list):
        raise UserError(f"found {', '.join(map(repr, data))}; it holds tables [[misprint]] and nothing else")
    return sorted((_misprint(table) for table in data.get("misprint", [])), key=lambda one: one.line)


def _misprint(data: Any) -> Misprint:
    if (
        not isinstance(data, dict)
        or set(data) != set(MISPRINT_FIELDS)
        or not all(isinstance(data[n], k) for n, k in MISPRINT_FIELDS.items())
    ):
        raise UserError(f"found {data!r}; a misprint has a line, a number, and where, printed and meant, texts")
    for name in ("printed", "meant"):
        if not data[name].strip() or data[name].replace(r"\$", "").count("$") % 2:
            raise UserError(f"line {data['line']}: found {name} = '{data[name]}'; it needs words, with mathematics between two $")
    return Misprint(**data)
