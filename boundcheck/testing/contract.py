"""The contract of problems and rules: findings, one line for each thing that is not as it should be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class ContractFinding:
    """One thing that is wrong: what was found, what was needed, what to do."""

    check: str
    found: str
    needed: str
    do: str

    def __str__(self) -> str:
        return " ".join(f"{self.check}: found {self.found}; needs {self.needed}; {self.do}".split())


class Wrong(AssertionError):
    """Raised by a single check. `check` is filled in from the name of the check."""

    def __init__(self, *, found: str, needed: str, do: str) -> None:
        super().__init__(f"found {found}; needs {needed}; {do}")
        self.found, self.needed, self.do = found, needed, do

    def as_finding(self, check: str) -> ContractFinding:
        return ContractFinding(check=check, found=self.found, needed=self.needed, do=self.do)


class ContractError(AssertionError):
    """Everything that was found to be wrong, one line each."""

    def __init__(self, name: str, findings: Sequence[ContractFinding]) -> None:
        count = f"{len(findings)} finding" + ("" if len(findings) == 1 else "s")
        super().__init__("\n".join([f"{name} breaks its contract ({count}):", *(f"- {finding}" for finding in findings)]))
        self.findings = tuple(findings)


Check = Callable[[Any], None]


def words(check: Check) -> str:
    """Return the name of a check as it is read: the_minimiser_minimises is "the minimiser minimises"."""
    return check.__name__.strip("_").replace("_", " ")


def collected(checks: Iterable[Check], subject: Any) -> list[ContractFinding]:
    """Return what each check says of the subject. One that fails in another way than by `Wrong` says so too."""
    found: list[ContractFinding] = []
    for check in checks:
        try:
            check(subject)
        except Wrong as wrong:
            found.append(wrong.as_finding(words(check)))
        except Exception as failure:
            found.append(as_failure(words(check), failure))
    return found


def as_failure(check: str, failure: Exception) -> ContractFinding:
    """Return an oracle or a rule that raised where it should have answered."""
    said = str(failure).splitlines()[0] if str(failure) else "no message"
    return ContractFinding(
        check=check,
        found=f"{type(failure).__name__}: {said}",
        needed="an answer",
        do="write the formula with + - * / and the functions of `xp`, for a stack of points at a time",
    )


def concluded(name: str, findings: list[ContractFinding], raise_error: bool) -> list[ContractFinding]:
    if findings and raise_error:
        raise ContractError(name, findings)
    return findings
