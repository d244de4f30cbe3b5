"""Verdicts: what was found, at each k and for a whole cell. Never a bool."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

NO_TRUTH_VALUE = "{} has no truth value: write {} is Outcome.HOLDS, or assert_holds({})"


class Outcome(IntEnum):
    """HOLDS and VIOLATED are decided; UNDECIDED says why not; VACUOUS says which hypothesis failed. Only HOLDS is a pass.

    NOT_EVALUATED says which piece of the claim no run here can evaluate: nothing is known of the claim.

    The numbers are for arrays; none of them is a truth value, so `bool()` of an outcome raises.

    >>> from boundcheck import Outcome, check, run
    >>> check("classical/gd.descent", run("huber", "1/L", steps=5)).outcome is Outcome.HOLDS
    True
    """

    HOLDS = 0
    VIOLATED = 1
    UNDECIDED = 2
    VACUOUS = 3
    NOT_EVALUATED = 4

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format(self.name, spec)

    def __bool__(self) -> NoReturn:
        raise TypeError(NO_TRUTH_VALUE.format(f"an outcome (here {self.name})", "outcome", "verdict"))


EACH = tuple(Outcome)
_HOLDS, _VIOLATED, _UNDECIDED, _VACUOUS, _NOT_EVALUATED = EACH
ASKED = EACH[:4]  # what can come of a claim that was asked
EXERCISED = (_HOLDS, _VIOLATED)  # something was decided


@dataclass(frozen=True, kw_only=True)
class Moment:
    """Both sides at one k, as people read them."""

    k: int
    left: str
    right: str
    ratio: float
    link: str = ""  # which relation of a chain
    chord: str = ""  # the two points, for a claim about any two

    @property
    def place(self) -> str:
        """Where it is: k, or the ends of a chord."""
        return self.chord or f"k = {self.k}"

    def __str__(self) -> str:
        return f"{self.place}: left {self.left}, right {self.right}"


@dataclass(frozen=True, kw_only=True)
class Cell:
    """Where a claim was tried."""

    claim: str
    problem: str
    method: str
    arithmetic: str
    smoothness: str = ""
    parameters: tuple[tuple[str, str], ...] = ()
    run: int = 0

    def __str__(self) -> str:
        letters = [f"M={self.smoothness}"] if self.smoothness else []
        letters += [f"{name}={value}" for name, value in self.parameters]
        return f"{self.claim} on {self.problem} by {self.method}" + (f" ({', '.join(letters)})" if letters else "")


FAILS_NEARBY = "for these steps, which are only near to the formula"
TO_CERTIFY = "to certify it"  # begins the advice of a note, where that of the command line cannot be followed
CERTIFIED, NEAR, NUMERICAL = "certified", "certified for steps near the rule's", "numerical"
STATISTICAL = "statistical"  # expectations are means of a sample: no proof, whatever the arithmetic


@dataclass(frozen=True)
class Cost:
    """What a verdict took: the arithmetics tried, the last of which decided, and its share of their seconds."""

    tried: tuple[str, ...]
    seconds: float

    def to_json(self) -> dict[str, Any]:
        return {"tried": list(self.tried), "seconds": round(self.seconds, 6)}


@dataclass(frozen=True, kw_only=True, repr=False)
class Verdict:
    """A claim on one cell: an outcome for each k, and what a person needs to know of it.

    >>> from boundcheck import check, run
    >>> verdict = check("classical/gd.descent", run("huber", "1/L", steps=5))[0]
    >>> verdict.outcome.name, verdict.certified
    ('HOLDS', False)
    """

    cell: Cell
    first_k: int
    outcomes: NDArray[np.int8]
    certified: bool
    reason: str = ""
    violation: Moment | None = None
    tightest: Moment | None = None
    notes: tuple[str, ...] = ()
    left: NDArray[np.float64] | None = None  # the smaller side at each k, where sides were asked for; of a chain its first link's
    right: NDArray[np.float64] | None = None
    links: NDArray[np.float64] | None = None  # of a chain, where sides were asked for: (link, 0 left or 1 right, k)
    residual: NDArray[np.float64] | None = None  # with them: the least relative slack of the hypotheses tested; NaN: none was
    every_k_counts: bool = False  # samples and fixed horizons: k = 0 is as good as any
    tied: bool = False  # wherever it is undecided, two numbers agree to nearly all bits
    width: float = 0.0  # relative, of the widest enclosure that left a k undecided
    near: bool = False  # decided by a proof, but for steps that are only near to the formula which the claim assumes
    strays: bool = False  # some step is not even near to a formula that the claim assumes
    cost: Cost | None = None
    confidence: str = ""  # of a statistical verdict

    @property
    def _seen(self) -> bytes:
        """The outcomes as bytes: to look for one there takes a tenth of the time."""
        return np.asarray(self.outcomes, dtype=np.int8).tobytes()

    @property
    def counts(self) -> dict[Outcome, int]:
        seen = self._seen
        return {outcome: n for outcome in EACH if (n := seen.count(outcome)) or outcome in ASKED}

    @property
    def outcome(self) -> Outcome:
        """VIOLATED if any k is; HOLDS if some k >= 1 was decided; else UNDECIDED or VACUOUS, as the k >= 1 are if any is."""
        seen = self._seen
        if _VIOLATED in seen:
            return _VIOLATED
        if _NOT_EVALUATED in seen:
            return _NOT_EVALUATED
        counted = seen[0 if self.every_k_counts else max(0, 1 - self.first_k) :]
        if _HOLDS in counted:
            return _HOLDS
        return _UNDECIDED if _UNDECIDED in (counted or seen) else _VACUOUS

    @property
    def exercised(self) -> bool:
        return self.outcome in EXERCISED

    @property
    def label(self) -> str:
        """HOLDS, certified / VIOLATED, numerical / HOLDS, certified for steps near the rule's."""
        if not self.exercised:
            return self.outcome.name
        return f"{self.outcome.name}, {self.grade}"

    @property
    def grade(self) -> str:
        """certified: interval or exact arithmetic decided it. NEAR: it did, for steps within 2^-p of the formula assumed.

        statistical, with a confidence: expectations were means of a sample.
        """
        if self.confidence:
            return f"{STATISTICAL} ({self.confidence})"
        return CERTIFIED if self.certified else NEAR if self.near else NUMERICAL

    @property
    def fails_nearby(self) -> bool:
        """Proved to fail for the run's steps, which are only near to a formula that the claim assumes: so no violation of it."""
        return self.near and FAILS_NEARBY in self.reason

    @property
    def is_final(self) -> bool:
        """Nothing is left for a higher precision: no k is undecided, and what was decided is certified."""
        decided = not self.exercised or self.certified
        return decided and not bool(np.any(self.outcomes == Outcome.UNDECIDED)) and bool(len(self.outcomes) or self.reason)

    def explain(self) -> str:
        """One line: the outcome, where, and what to do."""
        shown = ", ".join(f"{n} {o.name.lower()}" for o, n in self.counts.items() if n)
        parts = [f"{self.label} ({shown or 'no k'})"]
        if self.outcome is Outcome.VIOLATED and self.violation is not None:
            parts.append(str(self.violation))
            if self.violation.link:
                parts.append(f"in {self.violation.link}")
            if not self.certified and not self.confidence and not any(TO_CERTIFY in note for note in self.notes):
                parts.append("numerical: certify it with --arithmetic auto")
        elif self.outcome is Outcome.HOLDS and self.tightest is not None:
            parts.append(f"tightest at {self.tightest.place}: left/right = {self.tightest.ratio:.6g}")
        if self.reason:
            parts.append(self.reason)
        parts += self.notes
        return "; ".join(parts)

    def __repr__(self) -> str:
        return f"<Verdict of {self.cell}: {self.explain()}>"

    def __bool__(self) -> NoReturn:
        raise TypeError(NO_TRUTH_VALUE.format(f"a verdict (here {self.outcome.name})", "verdict.outcome", "verdict"))

    def to_json(self) -> dict[str, Any]:
        return {
            "claim": self.cell.claim,
            "problem": self.cell.problem,
            "method": self.cell.method,
            "smoothness": self.cell.smoothness or None,
            "parameters": dict(self.cell.parameters),
            "run": self.cell.run,
            "arithmetic": self.cell.arithmetic,
            "outcome": self.outcome.name,
            "certified": self.certified and self.exercised,
            "grade": self.grade if self.exercised else None,
            "cost": self.cost.to_json() if self.cost is not None else None,
            "counts": {o.name: n for o, n in self.counts.items()},
            "violation": _moment_json(self.violation),
            "tightest": _moment_json(self.tightest),
            "reason": self.reason or None,
            "notes": list(self.notes),
        }


def _moment_json(m: Moment | None) -> dict[str, Any] | None:
    if m is None:
        return None
    return {"k": m.k, "place": m.place, "left": m.left, "right": m.right, "ratio": _finite(m.ratio), "link": m.link}


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def vacuous(cell: Cell, reason: str) -> Verdict:
    """A claim that could not be tried on this cell at all."""
    return Verdict(cell=cell, first_k=0, outcomes=np.full(0, Outcome.VACUOUS, dtype=np.int8), certified=False, reason=reason)


def not_evaluated(cell: Cell, piece: str) -> Verdict:
    """A claim of which a piece cannot be evaluated in any run: which one, and why."""
    return Verdict(cell=cell, first_k=0, outcomes=np.full(1, Outcome.NOT_EVALUATED, dtype=np.int8), certified=False, reason=piece)
