"""The supplements of a report: tightness, the classical bounds, pictures, worst cases, audits and figures."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from boundcheck.audit.audit import audit
from boundcheck.certificates.picture import picture
from boundcheck.claims.bound import Bound
from boundcheck.library import declarations
from boundcheck.library.catalogue import NotFound
from boundcheck.library.names import problem_named, rule_named
from boundcheck.report.classical import classical_curves
from boundcheck.report.content import Record, Report
from boundcheck.report.page.audits import try_page
from boundcheck.report.ranking import ranked, run_data
from boundcheck.report.tightness import tightness
from boundcheck.store import Store
from boundcheck.support.checksums import is_whole
from boundcheck.tightness.result import WorstCase

AUDIT_STEPS, AUDIT_SECONDS = 40, 8.0
RANKED_AT = 50
FAILED_BESIDE = "failed beside the runs"
AUDIT, RANKING, WORST_CASES = "audit of", "ranking of", "worst cases"  # how the names begin by which a store keeps them

Progress = Callable[[Sequence[Any], str], Iterable[Any]]


def enriched(
    report: Report, store: Store, library: Sequence[Bound], *, audits: Iterable[Record] = (), figures: Path | None = None
) -> Report:
    """Return the report with all that can be worked out from it, from what the store keeps, and from the figures in a folder."""
    curves = classical_curves(report.bounds, report.verdicts, library)
    beside = store.kept(FAILED_BESIDE) or []
    return replace(
        report,
        state=report.state or (f"incomplete: every run was made, but {len(beside)} of the rest failed" if beside else ""),
        failures=[*report.failures, *beside],
        classical=curves,
        tightness=tightness(report.bounds, report.verdicts, library=library, curves=curves),
        pictures={bound.id: drawn for bound in _false(report) if (drawn := picture(bound))},
        worst_cases=[WorstCase(**case) for case in store.kept(WORST_CASES) or ()],
        audits=[*_kept_audits(store), *audits],
        rankings=[one for run in declarations.ranked_runs() if (one := store.kept(_ranking(*run))) is not None],
        figures={} if figures is None else figures_in(figures),
    )


def _false(report: Report) -> list[Bound]:
    """Return the claims that are called false, and those that were seen to be."""
    seen = {entry.bound.id for entry in report.errata}
    return [bound for bound in report.bounds if bound.is_refuted or bound.id in seen]


def figures_in(folder: Path) -> dict[str, tuple[str, str]]:
    """Caption and SVG of the figures there, by name: NAME.svg has its caption in NAME.txt, after its title."""
    found = {}
    for path in sorted(folder.glob("*.svg")):
        words = path.with_suffix(".txt")
        caption = words.read_text(encoding="utf-8").partition("\n\n")[2].strip() if words.is_file() else ""
        found[path.stem] = caption, path.read_text(encoding="utf-8")
    return found


def _kept_audits(store: Store) -> list[Any]:
    return [one for asked in declarations.audited_rules() if (one := store.kept(f"{AUDIT} {asked.rule}")) is not None]


def keep_audits(store: Store, progress: Progress = lambda names, what: names) -> None:
    """Audit the rules that the papers name, unless that was done."""
    asked = {one.rule: one for one in declarations.audited_rules()}
    for rule in progress(list(asked), "auditing"):
        if store.kept(f"{AUDIT} {rule}") is None:
            on, follows = asked[rule].problems, asked[rule].follows
            found = audit(rule, on or None, follows=follows, steps=AUDIT_STEPS, seconds=AUDIT_SECONDS)
            store.keep(f"{AUDIT} {rule}", found.to_json())


def keep_rankings(store: Store, library: Sequence[Bound], progress: Progress = lambda names, what: names) -> None:
    """Rank the bounds on the runs that the papers name, unless that was done."""
    for name, method in progress(declarations.ranked_runs(), "ranking"):
        if store.kept(_ranking(name, method)) is None:
            problem, rule = problem_named(name), rule_named(method)
            assert rule is not None
            store.keep(_ranking(name, method), run_data(problem, rule, ranked(problem, rule, library, RANKED_AT), RANKED_AT))


def _ranking(problem: str, method: str) -> str:
    return f"{RANKING} {problem} by {method}"


def keep_worst_cases(store: Store, cases: Sequence[WorstCase]) -> None:
    store.keep(WORST_CASES, [asdict(case) for case in cases])


def audit_in(path: Path) -> Record:
    """Return what `boundcheck audit --out FILE.json` wrote."""
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, UnicodeDecodeError) as wrong:
        raise NotFound(f"{path} is no audit ({wrong}); make one with `boundcheck audit RULE --out {path.name}`") from None
    needed = ("rule", "verdict", "theorems", "behaviour")
    if not isinstance(said, dict) or (missing := next((name for name in needed if name not in said), "")):
        lacks = f"it has no '{missing}'" if isinstance(said, dict) else f"it is a {type(said).__name__}"
        raise NotFound(f"{path} is no audit: {lacks}; make one with `boundcheck audit RULE --out {path.name}`")
    if (whole := is_whole(said)) is not True:
        how = "it has no checksum, as of an older boundcheck or by hand" if whole is None else "it is damaged or edited"
        raise NotFound(f"{path} is refused: {how}; make it again with `boundcheck audit RULE --out {path.name}`")
    try:
        try_page(said)
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as wrong:
        kind = f"{type(wrong).__name__}: {wrong}"
        raise NotFound(f"{path} is no audit ({kind}); make it again with `boundcheck audit RULE --out {path.name}`") from None
    made: Record = said
    return made
