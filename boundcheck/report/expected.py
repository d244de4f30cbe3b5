"""Is a claim's verdict the expected one? A false claim is refuted where it says; another holds, tried enough, nearly tight."""

from __future__ import annotations

from boundcheck.certificates.write import kept_for, path_of, why_not_refuted
from boundcheck.check.precision_ladder import certifies
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.language.relations import links
from boundcheck.library.catalogue import is_given
from boundcheck.suite.instances import NEARLY_TIGHT
from boundcheck.suite.tally import Tally

ENOUGH_PROBLEMS = 3


def surprise(tally: Tally, known: Verdict | None) -> str:
    """What is unexpected of a claim's verdict, or "". `known`: the verdict where the claim says that it is refuted."""
    at = tally.bound.refuted_by
    if at is not None:
        if known is None or known.outcome is not Outcome.VIOLATED:
            found = known.explain() if known is not None else "not tried"
            return f"should be refuted on {at.problem} by {at.method}, but there it is {found}"
        return "is refuted there by numbers only, not certified" if certifies(at.arithmetic) and not known.certified else ""
    if tally.bound.refuted_through is not None:
        lemma = tally.bound.refuted_through.lemma
        return (
            "" if tally.refuted_through_lemma else f"should be refuted through {lemma}, which does not hold in exact arithmetic"
        )
    if tally.violation is not None:
        return f"is violated: {tally.violation.cell}: {tally.violation.explain()}"
    if tally.outcome is Outcome.HOLDS:
        return _too_little(tally)
    if tally.outcome is None:
        return ""
    return f"is {tally.word}, neither shown to hold nor marked as untested: {tally.reason}"


def _too_little(tally: Tally) -> str:
    """Why a claim that holds was not tried enough: on fewer than three problems, or nowhere near equality."""
    if len(tally.problems) < ENOUGH_PROBLEMS:
        return f"is exercised on {', '.join(sorted(tally.problems))} only; give it more instances with try_on"
    if tally.bound.loose_because or all(link.op == "==" for link in links(tally.bound.states)):
        return ""
    if tally.tightest is None or tally.tightest[0].ratio <= NEARLY_TIGHT:
        best = "nowhere positive" if tally.tightest is None else f"at most {tally.tightest[0].ratio:.4g}"
        return f"is nowhere nearly tight, left over right is {best}: give it an instance with try_on, or say loose_because"
    return ""


def unproved(bound: Bound) -> str:
    """Why the certificate of a false claim is not accepted by the independent checker, or ""."""
    path = path_of(bound) if bound.refuted_by is not None else None
    if path is None or (is_given(bound) and (kept_for(bound) is not None or not path.is_file())):
        return ""  # nobody promised a certificate beside the claims: the verdict where the claim is refuted says enough
    return why_not_refuted(bound, path)
