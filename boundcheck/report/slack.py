"""The ratio and the slack of a claim on a cell: how near it comes to equality, and in which link or proof step slack is lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from boundcheck.check.verdict import Cell, Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.language.relations import Chain, Relation, links
from boundcheck.library.catalogue import bounds_of, papers
from boundcheck.library.inventory import proofs
from boundcheck.report.content import Slack
from boundcheck.report.rerun_float64 import Request, ask_again

Numbers = NDArray[np.float64]


def ratio(left: Numbers, right: Numbers) -> Numbers:
    """1 is tight, above 1 fails: left/right of positive sides, right/left of negative ones.

    A left side above a right side that is 0 or negative fails by any factor: infinity. A left side of 0 or below, under a
    positive right side, is left/right, at most 0. 0 against 0, and what is not finite, has no ratio: nan.
    """
    made = np.full(np.shape(left), np.nan)
    known = np.isfinite(left) & np.isfinite(right)
    with np.errstate(all="ignore"):
        above = known & (right > 0)
        made[above] = left[above] / right[above]
        below = known & (right < 0) & (left < 0)
        made[below] = right[below] / left[below]
    made[known & (right <= 0) & (left >= 0) & (left > right)] = np.inf
    made[known & (right == 0) & (left < 0)] = 0.0
    return made


def counted(verdict: Verdict) -> NDArray[np.bool_]:
    """Return the k that count: decided, and from 1 on unless every k is as good as any."""
    ks = verdict.first_k + np.arange(len(verdict.outcomes))
    decided = (verdict.outcomes == Outcome.HOLDS) | (verdict.outcomes == Outcome.VIOLATED)
    return np.asarray(decided & ((ks >= 1) | verdict.every_k_counts))


def ratios(verdict: Verdict) -> Numbers:
    """Return the ratio at each k of a verdict; nan where k does not count, or the verdict does not carry its sides."""
    if verdict.left is None or verdict.right is None:
        return np.full(len(verdict.outcomes), np.nan)
    return np.where(counted(verdict), ratio(np.asarray(verdict.left), np.asarray(verdict.right)), np.nan)


def best(verdict: Verdict, of_chain: bool = False) -> tuple[float, str] | None:
    """Return the largest ratio of a cell, and where that is; None where it has none.

    The sides of a chain are those of its first relation: there the moments that the verdict keeps, of whichever link is
    nearest to equality, are read instead.
    """
    moments = [m for m in (verdict.violation, verdict.tightest) if m is not None and not np.isnan(m.ratio)]
    if of_chain:
        found = max(moments, key=lambda m: m.ratio, default=None)
        return None if found is None or not np.isfinite(found.ratio) else (found.ratio, found.place)
    all_of_them = ratios(verdict)
    if not len(all_of_them) or np.isnan(all_of_them).all():
        return None
    at = int(np.nanargmax(all_of_them))
    k = verdict.first_k + at
    return float(all_of_them[at]), next((m.place for m in moments if m.k == k), f"k = {k}")


EQUATIONS = ("==", "->")
TIE = 1e-6  # relatively: nearer than this, and undecided, is equality for the eye


@dataclass(frozen=True)
class Spot:
    """The cell on which a claim is taken apart, and how many steps its run has."""

    cell: Cell
    steps: int


def slacks(
    bounds: Iterable[Bound], spots: Mapping[str, Spot], verdicts: Mapping[str, Sequence[Verdict]]
) -> dict[str, tuple[Slack, ...]]:
    """For each claim that is a chain, or whose proof's steps are claims: what each link loses on the claim's spot.

    It is read off the verdicts that were given there; what they do not say is asked of the same run again.
    """
    wanted = [
        (bound.id, part, step, spots[bound.id])
        for bound in bounds
        if bound.id in spots
        for part, step in _parts(bound)
        if part.is_about_chords == bound.is_about_chords
    ]
    known = [_known(part, spot, verdicts.get(part.id, ())) for _, part, _, spot in wanted]
    alone: dict[str, list[Bound]] = {}
    for (_, part, _, _), sides in zip(wanted, known, strict=True):
        if sides is None and part.id not in alone:
            alone[part.id] = [replace(part, states=r, reading=f"{part.reading}, a link") for r in links(part.states)]
    asked = [
        (number, _request(one, spot))
        for number, ((_, part, _, spot), sides) in enumerate(zip(wanted, known, strict=True))
        for one in (alone[part.id] if sides is None else ())
    ]
    again: dict[int, list[Sides]] = {}
    for (number, _), verdict in zip(asked, ask_again([request for _, request in asked]), strict=True):
        again.setdefault(number, []).append(_sides(verdict))
    made: dict[str, tuple[Slack, ...]] = {}
    for number, (claim, part, step, _) in enumerate(wanted):
        sides = known[number] or again[number]
        made[claim] = (*made.get(claim, ()), *_of_one(list(zip(links(part.states), sides, strict=True)), step))
    return {claim: all_of_them for claim, all_of_them in made.items() if all_of_them}


def _parts(bound: Bound) -> list[tuple[Bound, str]]:
    """Return the claim itself where it is a chain, and the steps of its proof; each with the id of the step."""
    own = [(bound, "")] if isinstance(bound.states, Chain) else []
    return [*own, *((claim, claim.id) for claim in proof_steps(bound))]


def _known(part: Bound, spot: Spot, verdicts: Sequence[Verdict]) -> list[Sides] | None:
    """Return the sides of each link on the spot, from the verdict there; None where there is none."""
    kind, here = _kind(part, spot), dict(spot.cell.parameters)
    for verdict in verdicts:
        cell, mine = verdict.cell, dict(verdict.cell.parameters)
        same = (cell.problem, cell.method, cell.smoothness) == (spot.cell.problem, spot.cell.method, kind)
        if not same or verdict.left is None or any(here.get(name, value) != value for name, value in mine.items()):
            continue
        if not isinstance(part.states, Chain):
            return [_sides(verdict)]
        if verdict.links is not None:
            return [_sides(replace(verdict, left=left, right=right)) for left, right in verdict.links]
    return None


def proof_steps(bound: Bound) -> list[Bound]:
    """The claims inside the proof of this one, in its order, by the paper's inventory: of each the reading that is not false."""
    for paper in papers():
        library = bounds_of(paper)
        if all(claim.id != bound.id for claim in library):
            continue
        labels = [label for proof in proofs(paper) if bound.label in proof.of for label in proof.steps(paper)]
        found = (_true_reading([c for c in library if c.label == label]) for label in labels)
        return [claim for claim in found if claim is not None]
    return []


def all_proof_steps() -> frozenset[str]:
    """Return the ids of all claims that are steps of a proof, every reading."""
    found = ((paper, {label for proof in proofs(paper) for label in proof.steps(paper)}) for paper in papers())
    return frozenset(claim.id for paper, labels in found for claim in bounds_of(paper) if claim.label in labels)


def _true_reading(readings: Sequence[Bound]) -> Bound | None:
    """As printed where that is true; else as proved; none where it is an equation."""
    true = [c for c in readings if not c.is_refuted and not c.untested and any(r.op not in EQUATIONS for r in links(c.states))]
    return next(iter(true), None)


def _kind(bound: Bound, spot: Spot) -> str:
    """Return the M of the spot where the claim is stated for it, else the first that it is stated for.

    None where it reads none.
    """
    if not bound.reads_M:
        return ""
    return spot.cell.smoothness if spot.cell.smoothness in bound.smoothness else bound.smoothness[0]


def _request(bound: Bound, spot: Spot) -> Request:
    return Request(bound, _kind(bound, spot), spot.cell, spot.steps)


@dataclass(frozen=True)
class Sides:
    """Both sides of one relation at each k."""

    left: NDArray[np.float64]
    right: NDArray[np.float64]


def _sides(verdict: Verdict | None) -> Sides:
    """Return both sides of a link at each k; nan where k does not count. What rounding leaves open is a tie, or says nothing."""
    if verdict is None or verdict.left is None or verdict.right is None:
        return Sides(np.zeros(0), np.zeros(0))
    ks, left, right = verdict.first_k + np.arange(len(verdict.outcomes)), verdict.left, verdict.right
    tied = (verdict.outcomes == Outcome.UNDECIDED) & (abs(right - left) <= TIE * np.fmax(abs(left), abs(right)))
    good = counted(verdict) | (tied & ((ks >= 1) | verdict.every_k_counts))
    return Sides(np.where(good, np.where(tied, right, left), np.nan), np.where(good, right, np.nan))


def _of_one(told: Sequence[tuple[Relation, Sides]], step: str) -> list[Slack]:
    """Return the slack of each inequality of one statement."""
    length = min((len(sides.left) for _, sides in told), default=0)
    if not length:
        return []
    gaps = [sides.right[:length] - sides.left[:length] for _, sides in told]
    whole = np.sum(gaps, axis=0) if len(told) > 1 else None
    return [
        made
        for (link, sides), gap in zip(told, gaps, strict=True)
        if link.op not in EQUATIONS and (made := _slack(link, sides, gap, whole, step)) is not None
    ]


def _slack(link: Relation, sides: Sides, gap: NDArray[np.float64], whole: NDArray[np.float64] | None, step: str) -> Slack | None:
    left, right = sides.left[: len(gap)], sides.right[: len(gap)]
    size = np.fmax(abs(left), abs(right))
    known = np.isfinite(gap) & (size > 0)
    if not known.any():
        return None
    positive = known & (left > 0) & (right > 0)
    ratios = right[positive] / left[positive]
    part = None
    if whole is not None and (some := known & (whole > 0)).any():
        part = float(np.median(gap[some] / whole[some]))
    return Slack(
        link=str(link),
        least=float(ratios.min()) if len(ratios) else np.nan,
        median=float(np.median(ratios)) if len(ratios) else np.nan,
        lost=float(np.median(gap[known] / size[known])),
        share=part,
        step=step,
    )
