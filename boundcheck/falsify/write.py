"""From a candidate that refutes a claim to the certificate that says so."""

from __future__ import annotations

from typing import Any

from boundcheck.certificates.write import NotCertified, finished
from boundcheck.claims.bound import Bound
from boundcheck.falsify.agree import objection
from boundcheck.falsify.exact import UNCLEAR, draft
from boundcheck.falsify.model import Candidate


def certificate_of(bound: Bound, candidate: Candidate) -> dict[str, Any]:
    """The whole certificate: sides, words and seal, accepted by the independent checker, and not objected to by the framework.

    Where the framework cannot make the function or the run (see `agree.objection`), the checker alone decides.
    """
    try:
        made = draft(bound, candidate)
    except UNCLEAR as wrong:
        raise NotCertified(f"{bound.id}: no certificate can be drafted: {wrong}") from None
    certificate = finished(bound, made)
    if found := objection(bound, certificate):
        left, right = certificate["left"], certificate["right"]
        raise NotCertified(f"{bound.id}: the independent checker finds left {left}, right {right}; the framework says {found}")
    return certificate
