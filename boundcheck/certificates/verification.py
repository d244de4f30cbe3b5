"""What a certificate shows: the independent checker's word, and whether its claim is one of the library."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any

from boundcheck.library.catalogue import NotFound, bounds
from boundcheck.verify import DOES_NOT_REFUTE, MALFORMED, REFUTES, SECONDS, Finding, examine, read, shown

SAME, OTHER, NONE = "same hash", "other hash", "not in the library"


@dataclass(frozen=True, kw_only=True)
class Verification:
    """What the independent checker says of a certificate, and whose claim the certificate is about.

    `outcome` is "refutes", "does not refute", "malformed" or "too large", and `why` says it in a line. `claim` is the id that
    the file gives, and `library` is "same hash" (the library's claim), "other hash" (another version under its name) or
    "not in the library"; both are None where the file cannot be read. Titles, reasons and words of a file are not checked.

    >>> from boundcheck import verify
    >>> said = verify({"format": "something else"})
    >>> said.outcome, said.refutes, said.library
    ('malformed', False, None)
    """

    outcome: str
    why: str
    claim: str | None
    library: str | None
    exit_code: int  # of `boundcheck verify`

    @property
    def refutes(self) -> bool:
        """Whether the claim in the file is proved false: the library's, unless `library` says that it has no such claim."""
        return self.exit_code == REFUTES

    @property
    def is_library_claim(self) -> bool:
        """Whether the claim in the file is one of the library, by name and hash."""
        return self.library == SAME


def verification(certificate: str | PathLike[str] | Mapping[str, Any], seconds: float | None = None) -> Verification:
    """Return what the checker and the library say of one certificate: a file, or its content.

    Its text comes out as plain ASCII.
    """
    if seconds is not None and not seconds > 0:
        raise NotFound(f"seconds is the time for a certificate, above 0; found {seconds}")
    finding = _finding(certificate, SECONDS if seconds is None else seconds)
    code, outcome, why = finding.code, finding.outcome, finding.line
    library, same = (None, None) if finding.claim is None else _standing(finding.claim, finding.hash)
    if library == OTHER and code == REFUTES:
        code, outcome = DOES_NOT_REFUTE, "does not refute"
        why = f"it refutes another claim than the library's: their hashes differ; {why}"
    if library == NONE and same is not None:
        why = f"{why}; by its hash it is the library's {shown(same, 200)}"
    claim = None if finding.claim is None else shown(finding.claim, 500)[1:-1]
    return Verification(outcome=outcome, why=why, claim=claim, library=library, exit_code=code)


def _finding(certificate: str | PathLike[str] | Mapping[str, Any], seconds: float) -> Finding:
    try:
        if isinstance(certificate, Mapping):
            return examine(json.dumps(dict(certificate)).encode(), seconds)
        return examine(read(fspath(certificate)), seconds)
    except OSError as wrong:
        why = "there is no such file" if isinstance(wrong, FileNotFoundError) else f"it cannot be read: {wrong.strerror}"
    except (TypeError, ValueError, RecursionError) as wrong:  # what JSON cannot carry; a path with a null character
        why = f"it cannot be read: {wrong}"
    return Finding(MALFORMED, "malformed", why)


def _standing(name: str, found: str | None) -> tuple[str, str | None]:
    """Whether the library has this claim by name, and with this hash; and the id of one that has the hash."""
    known = next((bound for bound in bounds() if bound.id == name), None)
    if known is not None:
        return (SAME, known.id) if known.hash == found else (OTHER, None)
    return NONE, next((bound.id for bound in bounds() if bound.hash == found), None)
