"""The classical, L-smooth, bound beside a directional one on the same run, and the quantity that both bound."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.evaluate.columns import in_gaps, is_one_step
from boundcheck.language.canonical import canonical
from boundcheck.language.relations import Relation
from boundcheck.language.rewrite import mentions, put_index
from boundcheck.language.scalars import Add, Constant, Mul, Number, Scalar, Sub
from boundcheck.language.tree import Index, Node, field_names
from boundcheck.report.content import Key, cell_key
from boundcheck.report.rerun_float64 import Request, ask_again, constants_of, without_conditions
from boundcheck.report.slack import all_proof_steps, counted


@dataclass(frozen=True)
class Quantity:
    """delta_{k+1} <= ... and delta_k <= ... both bound delta_n: `key` is that of delta_n, and n = k + `later`."""

    key: str
    text: str
    later: int


def quantity(bound: Bound) -> Quantity | None:
    """Return what a claim bounds from above; None of a chain, an equation, a limit, or a claim about chords."""
    relation = bound.states
    if not isinstance(relation, Relation) or relation.op in ("==", "->") or bound.is_about_chords:
        return None
    upward = (in_gaps(relation) if bound.is_shift_invariant else relation).upward()
    left, letter = _plain(upward.left), bound.for_all.letter
    offsets = [index.offset for index in _indices(left) if index.letter == letter]
    if not offsets:
        return None
    later = max(offsets)
    shifted = put_index(left, letter, Index("n", -later)) if letter != "n" else left
    return Quantity(f"{bound.runs.main.kind}: {canonical(shifted)}", str(shifted), later)


def _plain(left: Scalar) -> Scalar:
    """Without what does nothing: - 0, + 0, 1 *."""
    while isinstance(left, Sub | Add | Mul):
        nothing, parts = (1 if isinstance(left, Mul) else 0), (left.left, left.right)
        if isinstance(parts[1], Number) and parts[1].value == nothing:
            left = parts[0]
        elif not isinstance(left, Sub) and isinstance(parts[0], Number) and parts[0].value == nothing:
            left = parts[1]
        else:
            break
    return left


def _indices(node: Node) -> list[Index]:
    found = [value for n in node.walk() for name in field_names(type(n)) if isinstance(value := getattr(n, name), Index)]
    return found


Place = tuple[str, str, tuple[tuple[str, str], ...], str]  # problem, method, parameters, arithmetic
L = "L"
UPPER = ("<=", "<")  # only an upper bound is compared with a classical one


def classical_curves(
    bounds: Iterable[Bound], verdicts: Mapping[str, Sequence[Verdict]], library: Sequence[Bound] = ()
) -> dict[Key, tuple[float, ...]]:
    """For each cell with both sides, the classical right side at each of its k (nan where there is none), by `cell_key`.

    `library` has the claims that are looked through for classical ones. The steps of proofs are left out.
    """
    rivals, steps = _rivals(library), all_proof_steps()
    asked: list[tuple[Verdict, int, Request]] = []
    curves: dict[Key, NDArray[np.float64]] = {}
    for bound in bounds:
        others = _others(bound, rivals) if bound.id not in steps else []
        mine = {cell_key(v.cell): v for v in reversed(verdicts.get(bound.id, ())) if others and _is_worth_asking(v)}
        with_L = {_place(v): v for v in verdicts.get(bound.id, ()) if v.cell.smoothness == L and v.right is not None}
        for key, verdict in mine.items():
            if (known := _known(verdict, with_L)) is not None:
                curves[key] = known
                continue
            last = verdict.first_k + len(verdict.outcomes) + 1
            asked += [(verdict, later, Request(other, kind, verdict.cell, last)) for other, kind, later in others]
    for (verdict, later, request), found in zip(asked, ask_again([request for *_, request in asked]), strict=True):
        if found is not None:
            curve = _aligned(verdict, found, later, everywhere=request.smoothness == L)
            key = cell_key(verdict.cell)
            curves[key] = np.fmin(curves[key], curve) if key in curves else curve
    return {key: tuple(curve.tolist()) for key, curve in curves.items() if np.isfinite(curve).any()}


def _place(verdict: Verdict) -> Place:
    cell = verdict.cell
    return cell.problem, cell.method, cell.parameters, cell.arithmetic


def _known(verdict: Verdict, with_L: Mapping[Place, Verdict]) -> NDArray[np.float64] | None:
    """The right side with M = L from the claim's own verdict on the same run, where that has one for each k that counts."""
    other = with_L.get(_place(verdict))
    curve = None if other is None else _aligned(verdict, other, 0, everywhere=True)
    return curve if curve is not None and np.isfinite(curve[counted(verdict)]).all() else None


def share(verdicts: Sequence[Verdict], curves: Mapping[Key, Sequence[float]]) -> float | None:
    """Return the median, over cells and k, of the right side over the classical one; below 1 the claim is tighter."""
    found: list[NDArray[np.float64]] = []
    for verdict in verdicts:
        curve = curves.get(cell_key(verdict.cell))
        if curve is None or verdict.right is None or len(curve) != len(verdict.outcomes):
            continue
        right, other = np.asarray(verdict.right), np.asarray(curve)
        good = counted(verdict) & (right > 0) & (other > 0) & np.isfinite(right) & np.isfinite(other)
        found.append(right[good] / other[good])
    all_of_them = np.concatenate(found) if found else np.zeros(0)
    return float(np.median(all_of_them)) if len(all_of_them) else None


def is_classical(bound: Bound) -> bool:
    """Return whether the claim bounds something by the constant L and reads no M."""
    if not isinstance(bound.states, Relation) or bound.states.op not in UPPER or bound.reads_M:
        return False
    return any(isinstance(n, Constant) and n.name == L for n in bound.states.right.walk())


def _is_worth_asking(verdict: Verdict) -> bool:
    known = verdict.right is not None and verdict.cell.smoothness != L and bool(counted(verdict).any())
    return known and constants_of(verdict.cell.problem).get(L) is not None


def _others(bound: Bound, rivals: Mapping[str, list[tuple[Bound, Quantity]]]) -> list[tuple[Bound, str, int]]:
    """Return what to ask for the classical side of a claim: each claim, with which M, and how much earlier its k is."""
    if not isinstance(bound.states, Relation) or bound.states.op not in UPPER or is_classical(bound):
        return []
    if mentions(bound.states.right, "M"):
        return [(without_conditions(bound, smoothness=(L,), reading=f"{bound.reading}, M = L"), L, 0)]
    mine = None if is_one_step(bound.states, bound.for_all.letter) else quantity(bound)
    found = rivals.get(mine.key, []) if mine is not None else []
    return [
        (other, "", its.later - mine.later) for other, its in found if mine and set(other.parameters) <= set(bound.parameters)
    ]


def _rivals(library: Sequence[Bound]) -> dict[str, list[tuple[Bound, Quantity]]]:
    found: dict[str, list[tuple[Bound, Quantity]]] = {}
    for bound in library:
        letter = bound.for_all.letter
        usable = is_classical(bound) and not bound.is_refuted and not is_one_step(bound.states, letter)
        if usable and (what := quantity(bound)) is not None:
            found.setdefault(what.key, []).append((bound, what))
    return found


def _aligned(verdict: Verdict, found: Verdict, later: int, *, everywhere: bool) -> NDArray[np.float64]:
    """Return the right side of what was found, at the k of the verdict: both about the same n = k + later."""
    made = np.full(len(verdict.outcomes), np.nan)
    if found.right is None:
        return made
    usable = np.isfinite(found.right)
    if not everywhere:
        usable &= found.outcomes == Outcome.HOLDS
    at = found.first_k + np.arange(len(found.outcomes)) + later - verdict.first_k
    inside = usable & (at >= 0) & (at < len(made))
    made[at[inside]] = found.right[inside]
    return made
