"""Findings: what is wrong with a paper, by cause. One slip that shows in eight lines is one finding with eight places.

They are kept beside the claims, in findings.toml, and rated by how much falls with them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.resources import files
from types import ModuleType
from typing import Any

from boundcheck.registry import NotFound

FILE = "findings.toml"


class Severity(Enum):
    """How much falls: the members are in the order in which a reader needs them."""

    THEOREM = "breaks a theorem as stated"
    STEP = "breaks a step; the theorem survives"
    SLIP = "a slip of an index or a constant"
    TYPESETTING = "typesetting"
    UNRATED = "not rated yet"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One cause: the labels of the printed claims that it makes false, the first of which shows it best."""

    title: str
    severity: Severity
    claims: tuple[str, ...]
    what: str  # what is wrong, in a sentence or two, with $mathematics$
    survives: str  # what is not touched by it, or what stands once it is corrected


@cache
def findings(paper: ModuleType) -> tuple[Finding, ...]:
    """The findings of a paper, the severest first; none where it keeps no file of them."""
    file = files(paper.__name__).joinpath(FILE)
    if not file.is_file():
        return ()
    try:
        found = [_finding(data) for data in tomllib.loads(file.read_text(encoding="utf-8")).get("finding", ())]
    except ValueError as wrong:
        raise NotFound(f"{file}: {wrong}") from None
    return tuple(in_order(found))


def in_order(found: Iterable[Finding]) -> list[Finding]:
    ranks = list(Severity)
    return sorted(found, key=lambda finding: ranks.index(finding.severity))


def _finding(data: Mapping[str, Any]) -> Finding:
    kinds = {"title": str, "severity": str, "claims": list, "what": str, "survives": str}
    about = data.get("title", dict(data))
    if set(data) != set(kinds) or not all(isinstance(data[name], kind) for name, kind in kinds.items()):
        raise ValueError(f"{about}: a finding has {', '.join(kinds)}; found {', '.join(data)}")
    severities = {severity.name.lower(): severity for severity in Severity}
    if data["severity"] not in severities:
        raise ValueError(f"{about}: found severity = '{data['severity']}'; it is one of {', '.join(severities)}")
    if not data["claims"]:
        raise ValueError(f"{about}: a finding names the claims that it makes false")
    given = {**data, "severity": severities[data["severity"]], "claims": tuple(data["claims"])}
    return Finding(**given)
