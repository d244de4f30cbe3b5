"""Reports made without a run: claims of the library with verdicts that are written down, so that a page is quick to make."""

from __future__ import annotations

from functools import cache

import numpy as np

from boundcheck.certificates.errata import errata
from boundcheck.certificates.picture import picture
from boundcheck.certificates.write import kept
from boundcheck.check.verdict import Cell, Cost, Moment, Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.library.catalogue import bounds
from boundcheck.report.content import Report, Slack, Tightness, cell_key
from boundcheck.suite.tally import Tally
from boundcheck.tightness.result import WorstCase

FALSE = "directional-smoothness/thm:polyak-alternate@printed"
CORRECTED = "directional-smoothness/thm:polyak-alternate@proved"
PROBLEMS = ("a-problem-whose-name-is-longer-than-all-others", *(f"problem-{n}" for n in range(1, 12)))
STEPS = 100
FEW = 16  # claims: enough for most tests of the page
HOSTILE = "</script><script>planted()</script><img src=x onerror=planted()> & \"quoted\" 'too'"


@cache
def everything() -> tuple[Bound, ...]:
    """Every claim of the library about the one paper, in order."""
    return tuple(b for b in bounds() if b.source.paper.name == "directional-smoothness")


@cache
def library(count: int) -> tuple[Bound, ...]:
    """As many claims as asked for, in order, with both readings of the one that everyone looks for."""
    wanted = [b for b in everything() if b.id in (FALSE, CORRECTED)]
    others = [b for b in everything() if b not in wanted][: count - len(wanted)]
    return tuple(b for b in everything() if b in wanted or b in others)


def verdict(
    claim: str,
    problem: str,
    outcome: Outcome,
    *,
    certified: bool = True,
    method: str = "a-rule-with-a-long-name(5/4)",
    **more: object,
) -> Verdict:
    """Left is 1/k and right 1.25/k; where it is violated, left is above right at k = 1."""
    ks = np.arange(1, STEPS + 1)
    outcomes = np.full(STEPS, Outcome.HOLDS if outcome is Outcome.VIOLATED else outcome, dtype=np.int8)
    left, right = 1.0 / ks, 1.25 / ks
    first = None
    if outcome is Outcome.VIOLATED:
        outcomes[0], left[0] = Outcome.VIOLATED, 1.5
        first = Moment(k=1, left="1.5", right="1.25", ratio=1.2)
    return Verdict(
        cell=Cell(claim=claim, problem=problem, method=method, arithmetic="rational" if certified else "float64", smoothness="D"),
        first_k=1,
        outcomes=outcomes,
        certified=certified,
        violation=first,
        tightest=Moment(k=2, left="0.5", right="0.625", ratio=0.8),
        left=left,
        right=right,
        reason="" if outcome in (Outcome.HOLDS, Outcome.VIOLATED) else "hypothesis eta_i < 2/M_i fails at step 0",
        cost=Cost(("rational",), 0.01),
        **more,  # type: ignore[arg-type]
    )


def outcome_of(bound: Bound, n: int, p: int) -> tuple[Outcome, bool]:
    """Some of everything; what is known to be false fails on the first problem."""
    if bound.is_refuted and p == 0:
        return Outcome.VIOLATED, True
    if n % 7 == 6 and not bound.is_refuted:
        return Outcome.HOLDS, False
    return [(Outcome.HOLDS, True), (Outcome.HOLDS, False), (Outcome.VACUOUS, False), (Outcome.UNDECIDED, False)][(n + p) % 4]


def made(claims: tuple[Bound, ...], problems: tuple[str, ...] = PROBLEMS, **changes: object) -> Report:
    verdicts, tallies = {}, {}
    for n, bound in enumerate(claims):
        asked = [(problem, outcome_of(bound, n, p)) for p, problem in enumerate(problems) if (n * p) % 5 != 4]
        verdicts[bound.id] = [verdict(bound.id, name, outcome, certified=sure) for name, (outcome, sure) in asked]
        tallies[bound.id] = Tally(bound, certificate=bound.refuted_by is not None)
        for one in verdicts[bound.id]:
            tallies[bound.id].add(one)
    rows = {
        name: {**tally.to_json(), "statement": str(tally.bound.states), "expected": True, "surprise": None}
        for name, tally in tallies.items()
    }
    for name in list(rows)[:1]:
        rows[name]["surprise"] = "is violated where it should hold"
    false = next((b for b in claims if b.id == FALSE), None)
    given = {
        "title": "Every claim of the paper, checked",
        "bounds": claims,
        "rows": rows,
        "verdicts": verdicts,
        "errata": errata(claims, kept()),
        "places": [
            {"where": "Section 1", "label": "eq:1", "meaning": "what it says", "claims": [], "nothing_testable": "a definition"}
        ],
        "provenance": {"version": "0.1.0", "command": "boundcheck paper"},
        "pictures": {FALSE: picture(false) or ""} if false is not None else {},
        "tightness": {FALSE: tightness(FALSE)} if false is not None else {},
        "worst_cases": worst_cases(),
        "classical": {cell_key(v.cell): tuple(2.0 / k for k in range(1, STEPS + 1)) for b in claims[:1] for v in verdicts[b.id]},
    }
    return Report(**{**given, **changes})  # type: ignore[arg-type]


def tightness(claim: str) -> Tightness:
    links = (Slack(link="a <= b", least=1.0, median=1.2, lost=0.1, share=0.4), Slack(link="b <= c", least=1.1, median=1.5))
    return Tightness(claim=claim, supremum=0.97, where="k = 3 on huber by 1/L", median=0.5, left_exponent=-2.0, slack=links)


def worst_cases() -> list[WorstCase]:
    average = [
        WorstCase(claim=FALSE, name="average", k=k, bound=1 / k, worst=0.999 / k, can_be_improved=False) for k in (1, 2, 3)
    ]
    last = [WorstCase(claim=FALSE, name="last", k=k, bound=1 / k, worst=0.8 / k, can_be_improved=True) for k in (1, 2)]
    return [*average, *last, WorstCase(claim=FALSE, name="last", k=3, bound=1.0, worst=float("nan"), can_be_improved=None)]
