"""The examination of a file: its bytes are read, its shape is checked, and its certificate is decided."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from flint import ctx

from .budgets import BUDGET, BYTES, SECONDS, limits
from .certificate import Certificate
from .fields import rational
from .file_shape import check_file, claim_hash
from .gram_certificate import GramCertificate
from .gram_file_shape import check_gram_file
from .refusals import NotRefuted, TooLarge, need, one_plain_line, shown

REFUTES, DOES_NOT_REFUTE, MALFORMED = 0, 1, 2  # exit codes; a file that is too large is MALFORMED
PRECISIONS = [64 * 2**n for n in range(8)]  # bits of balls: each is tried until every comparison is decided

# What Python raises of a file that has the right shape and not the right content; the checks raise ValueError.
UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError)


class Finding(NamedTuple):
    """What was found of a file: exit code, a word for it, one line that says why; name and hash of a claim that could be read."""

    code: int
    outcome: str
    line: str
    claim: str | None = None
    hash: str | None = None


def examine(raw: bytes, seconds: float = SECONDS) -> Finding:
    """Decide whether this text refutes the claim that it carries, within the budgets and so many seconds."""
    with limits(seconds):
        claim: tuple[str | None, str | None] = (None, None)
        try:
            data = _parsed(raw)
            (check_gram_file if _is_gram(data) else check_file)(data)
            known = data["claim"]["id"], claim_hash(data["claim"])
            claim = known
            return _decided(data, known)
        except TooLarge as why:
            return Finding(MALFORMED, "too large", one_plain_line(str(why)), *claim)
        except UNREADABLE as why:
            line = str(why) if isinstance(why, ValueError) else f"it cannot be read: {type(why).__name__}: {shown(str(why), 200)}"
            return Finding(MALFORMED, "malformed", one_plain_line(line), *claim)


def _parsed(raw: bytes) -> Any:
    """Return the JSON of a file, in which no key is given twice and no number has a decimal point."""
    if len(raw) > BYTES:
        raise TooLarge(f"it has more than {BYTES} bytes")
    return json.loads(raw, object_pairs_hook=_no_key_twice, parse_float=rational, parse_constant=rational)


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    need(len(made) == len(pairs), f"a key is given twice among {shown([key for key, _ in pairs])}")
    return made


def _is_gram(data: Any) -> bool:
    """Tell whether a file is of the kind that gives inner products in place of a function. Other files say no kind."""
    return isinstance(data, dict) and "kind" in data


def _decided(data: Any, claim: tuple[str, str]) -> Finding:
    """Decide a file that has the right shape, with finer and finer balls. Where all numbers were exact, one try is enough."""
    line = ""
    for ctx.prec in PRECISIONS:
        BUDGET.met_balls = False
        try:
            certificate = GramCertificate(data) if _is_gram(data) else Certificate(data)
            return Finding(REFUTES, "refutes", one_plain_line(certificate.refutation()), *claim)
        except (NotRefuted, ZeroDivisionError) as why:
            line = str(why)
        if not BUDGET.met_balls:
            break
    return Finding(DOES_NOT_REFUTE, "does not refute", one_plain_line(line), *claim)


def read(path: str) -> bytes:
    """Return the bytes of a file; no more than what shows that it is too large."""
    with open(path, "rb") as file:
        return file.read(BYTES + 1)


def verify(path: str, seconds: float = SECONDS) -> tuple[int, str]:
    """Return the exit code for a certificate, and one line that says why."""
    try:
        raw = read(path)
    except OSError as why:
        return MALFORMED, f"it cannot be read: {why.strerror}"
    found = examine(raw, seconds)
    return found.code, f"too large: {found.line}" if found.outcome == "too large" else found.line
