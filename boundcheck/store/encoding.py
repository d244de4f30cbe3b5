"""A verdict as a line of JSON and a block of numbers, and back, exactly."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from boundcheck.check.verdict import Cell, Cost, Moment, Outcome, Verdict
from boundcheck.support.errors import UserError

PLAIN = ("first_k", "certified", "reason", "every_k_counts", "tied", "width", "near", "strays")
NUMBERS = ("left", "right", "residual", "links")  # float64, in this order after the outcomes
FASTEST = 1  # of zlib: half the size for little time
SMALL = 512  # bytes: less is not worth a compressor, which takes a quarter of a megabyte of memory to begin
OUTCOMES = {int(outcome) for outcome in Outcome}
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True)
class Packed:
    """What a store keeps of a verdict."""

    claim: str
    outcome: int
    said: str  # JSON
    numbers: bytes


def pack(verdict: Verdict) -> Packed:
    """Everything, to the last bit. NaN and infinities are written as Python's json does."""
    arrays = {name: getattr(verdict, name) for name in NUMBERS}
    said = {
        "cell": vars(verdict.cell),
        **{name: getattr(verdict, name) for name in PLAIN},
        "notes": verdict.notes,
        **({"confidence": verdict.confidence} if verdict.confidence else {}),
        "violation": _moment(verdict.violation),
        "tightest": _moment(verdict.tightest),
        "cost": None if verdict.cost is None else [verdict.cost.tried, verdict.cost.seconds],
        "shapes": {name: array.shape for name, array in arrays.items() if array is not None},
    }
    blocks = [np.asarray(verdict.outcomes, dtype=np.int8).tobytes(), *(_floats(a) for a in arrays.values() if a is not None)]
    return Packed(verdict.cell.claim, int(verdict.outcome), _ENCODER.encode(said), _compressed(b"".join(blocks)))


def unpack(said: str, numbers: bytes) -> Verdict:
    """The verdict that was packed."""
    try:
        made = _unpacked(json.loads(said), numbers)
        if not _is_plain(made):
            raise TypeError("a number or a word stands where the other belongs")
        if not _has_a_number_for_each_k(made):
            raise ValueError("a side has another length than the outcomes")
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, zlib.error) as wrong:
        kind = f"{type(wrong).__name__}: {wrong}"
        raise NoVerdict(f"a row of the store is no verdict ({kind}); delete the store, and run the same command again") from None
    return made


class NoVerdict(UserError):
    """A row of a store that cannot be read as a verdict."""


def _is_plain(made: Verdict) -> bool:
    """Is every part of the kind that it was packed from? Then nothing that reads it can stumble."""
    cell, moments = made.cell, [m for m in (made.violation, made.tightest) if m is not None]
    words = [cell.claim, cell.problem, cell.method, cell.arithmetic, cell.smoothness, made.reason, *made.notes]
    words += [part for pair in cell.parameters for part in pair]
    words += [word for m in moments for word in (m.left, m.right, m.link, m.chord)]
    whole = [cell.run, made.first_k, *(m.k for m in moments)]
    reals = [made.width, *(m.ratio for m in moments)]
    if made.cost is not None:
        words += made.cost.tried
        reals.append(made.cost.seconds)
    truths = [made.certified, made.every_k_counts, made.tied, made.near, made.strays]
    return (
        all(type(word) is str for word in words)
        and all(type(number) is int and abs(number) < 2**62 for number in whole)
        and all(type(number) in (int, float) for number in reals)
        and all(type(truth) is bool for truth in truths)
        and set(made.outcomes.tolist()) <= OUTCOMES
    )


def _has_a_number_for_each_k(made: Verdict) -> bool:
    """Whether every array has an entry for each outcome: along its only axis, or its last, where it has a row for each link."""
    arrays = [array for name in NUMBERS if (array := getattr(made, name)) is not None]
    return all(array.ndim >= 1 and array.shape[-1] == len(made.outcomes) for array in arrays)


def _unpacked(told: dict[str, Any], numbers: bytes) -> Verdict:
    shapes = told["shapes"]
    block = zlib.decompress(numbers)
    at = len(block) - 8 * sum(prod(shape) for shape in shapes.values())
    outcomes = np.frombuffer(block, dtype=np.int8, count=at).copy()
    arrays: dict[str, Any] = {}
    for name in NUMBERS:
        if name in shapes:
            count = prod(shapes[name])
            arrays[name] = np.frombuffer(block, dtype="<f8", count=count, offset=at).astype(np.float64).reshape(shapes[name])
            at += 8 * count
    cell = told["cell"]
    return Verdict(
        cell=Cell(**{**cell, "parameters": tuple((name, value) for name, value in cell["parameters"])}),
        outcomes=outcomes,
        notes=tuple(told["notes"]),
        confidence=str(told.get("confidence", "")),
        violation=_moment_from(told["violation"]),
        tightest=_moment_from(told["tightest"]),
        cost=None if told["cost"] is None else Cost(tuple(told["cost"][0]), told["cost"][1]),
        **{name: told[name] for name in PLAIN},
        **arrays,
    )


def _compressed(block: bytes) -> bytes:
    """In the format of zlib; what is small stands there as it is, as that format allows."""
    if len(block) >= SMALL:
        return zlib.compress(block, FASTEST)
    length = len(block).to_bytes(2, "little")
    inverse = (len(block) ^ 0xFFFF).to_bytes(2, "little")
    return b"\x78\x01\x01" + length + inverse + block + zlib.adler32(block).to_bytes(4, "big")


def _floats(array: Any) -> bytes:
    return np.ascontiguousarray(array, dtype="<f8").tobytes()


def _moment(moment: Moment | None) -> dict[str, Any] | None:
    return None if moment is None else vars(moment)


def _moment_from(said: dict[str, Any] | None) -> Moment | None:
    return None if said is None else Moment(**said)
