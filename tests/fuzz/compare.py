"""One claim, one evaluator, one setting: which outcomes it gives, and which of them are wrong."""

from __future__ import annotations

import contextlib
import linecache
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import boundcheck
from boundcheck.check.verdict import Verdict
from boundcheck.claims.bound import Bound

from .evaluators import EVALUATORS, Evaluator, as_bound, ask, make_trace, outcomes, small_windows
from .settings import Setting
from .truth import Claim, Truth

HOME = Path(boundcheck.__file__).parent.parent
CHORDS = 12  # of the chords of a claim, so many are compared


@dataclass(frozen=True)
class Case:
    """What can be done again: a claim in a setting, by an evaluator, in windows of a length (0: as they are)."""

    claim: Claim
    setting: Setting
    evaluator: str
    window: int = 0


@dataclass(frozen=True)
class Failure:
    """An outcome that is wrong, or a crash (k is None)."""

    case: Case
    why: str
    k: int | None = None
    run: int = 0
    outcome: str = ""
    sides: str = ""
    detail: str = ""

    @property
    def sort(self) -> str:
        """What shrinking keeps: the kind of fault."""
        return self.why[self.why.rindex("(") :] if self.k is None else self.why


@dataclass
class Tally:
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)  # evaluator, outcome
    refused: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)  # of refusals
    past_the_end: int = 0  # outcomes of inexact runs, beyond the end of the exact one: not compared
    failures: list[Failure] = field(default_factory=list)

    @property
    def compared(self) -> int:
        return sum(self.counts.values())


def is_refusal(error: BaseException) -> bool:
    """Is it the library's own word, raised by it in a line of its own? A shape error of NumPy is none, nor is a KeyError."""
    if not isinstance(error, ValueError | TypeError):
        return False
    last = traceback.extract_tb(error.__traceback__)[-1]
    own = Path(last.filename).is_relative_to(HOME) and "raise" in linecache.getline(last.filename, last.lineno or 0)
    return own and "\n" not in str(error)


def bound_of(claim: Claim, setting: Setting, label: str, tally: Tally, case: Case) -> Bound | None:
    try:
        return as_bound(claim, setting, label)
    except Exception as error:
        _tell(error, case, tally, "construction")
        return None


def _tell(error: Exception, case: Case, tally: Tally, where: str) -> None:
    if is_refusal(error):
        tally.refused[where] += 1
        tally.reasons[str(error)[:60]] += 1
        return
    last = traceback.extract_tb(error.__traceback__)[-1]
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(HOME)]
    last = ours[-1] if ours else last
    shown = f"{Path(last.filename).name}:{last.lineno} in {last.name}"
    text = "".join(traceback.format_exception(error)[-6:])
    tally.failures.append(Failure(case, f"crash: {type(error).__name__} {error!s:.120} ({shown})", detail=text))


def compare_all(claims: Sequence[Claim], setting: Setting, names: Sequence[str], window: int, tally: Tally) -> None:
    """Claims by several evaluators: the bounds are made once, as users make them."""
    cases = [Case(claim, setting, names[0], window) for claim in claims]
    bounds = [bound_of(c.claim, setting, f"claim {n}", tally, c) for n, c in enumerate(cases)]
    for name in names:
        if name == "checker":
            from .certificates import compare_certificates

            compare_certificates(list(claims), bounds, setting, Random(str(setting)), tally)
        elif name == "falsifier":
            from .lanes import compare_falsifier

            compare_falsifier(list(claims), bounds, setting, Random(str(setting)), tally)
        else:
            compare(claims, bounds, setting, name, window, tally)


def compare(
    claims: Sequence[Claim], bounds: Sequence[Bound | None], setting: Setting, name: str, window: int, tally: Tally
) -> None:
    """All claims at once, as users ask them; one by one where that fails."""
    evaluator = EVALUATORS[name]
    cases = [Case(claim, setting, name, window) for claim in claims]
    live = [(c, b) for c, b in zip(cases, bounds, strict=True) if b is not None]
    tally.asked[name] += len(cases) - len(live)
    if not live:
        return
    with small_windows(window) if window else contextlib.nullcontext():
        try:
            verdicts, trace = _asked([b for _, b in live], setting, evaluator, claims[0].about_chords)
            found = [(case, own, trace) for (case, _), own in zip(live, verdicts, strict=True)]
        except Exception as error:
            if len(live) == 1:
                _tell(error, live[0][0], tally, "check")
                tally.asked[name] += 1
                return
            found = []
            for case, bound in live:
                try:
                    (own,), trace = _asked([bound], setting, evaluator, claims[0].about_chords)
                    found.append((case, own, trace))
                except Exception as alone:
                    _tell(alone, case, tally, "check")
            if len(found) == len(live):
                _tell(error, cases[0], tally, "check of several")
    tally.asked[name] += len(live) - len(found)
    for case, own, trace in found:
        tally.asked[name] += len(own)
        for verdict in own:
            _judge(case, verdict, trace, evaluator, tally)


def _asked(
    bounds: Sequence[Bound], setting: Setting, evaluator: Evaluator, about_chords: bool
) -> tuple[list[list[Verdict]], Any]:
    trace = make_trace(setting, bounds, evaluator, about_chords=about_chords, count=CHORDS)
    return ask(bounds, trace, evaluator), trace


def _judge(case: Case, verdict: Verdict, trace: Any, evaluator: Evaluator, tally: Tally) -> None:
    if not len(verdict.outcomes):
        tally.refused["no k" if "too short" in verdict.reason else "verdict"] += 1
        tally.reasons[verdict.reason[:60]] += 1
        if not verdict.reason:
            tally.failures.append(Failure(case, "no outcome and no reason", -1))
        return
    if verdict.certified and evaluator.arithmetic == "float64":
        tally.failures.append(Failure(case, "certified by float64", -1))
    ended = case.setting.run(verdict.cell.run)
    for k, outcome, truth in _places(case, verdict, trace):
        if truth.run is not ended and not truth.is_within(k, ended):
            tally.past_the_end += 1  # rounding took the run past the minimiser, where the exact one ends: it says nothing of that
            continue
        tally.counts[evaluator.name, outcome] += 1
        why = truth.judge(outcome, k, exact=evaluator.exact and not verdict.near)
        if why and verdict.near and outcome in ("HOLDS", "VIOLATED"):
            why = ""
        if why:
            sides = "; ".join(f"{str(a)[:60]} against {str(b)[:60]}" for a, b in truth.sides(k))
            told = verdict.explain()
            tally.failures.append(Failure(case, why, k, verdict.cell.run, outcome, sides, told))


def _places(case: Case, verdict: Verdict, trace: Any) -> Iterator[tuple[int, str, Truth]]:
    setting, number = case.setting, verdict.cell.run
    chosen = {name: Fraction(value) for name, value in verdict.cell.parameters}
    letters = {**setting.constants, **setting.parameters, **chosen}
    exact = EVALUATORS[case.evaluator].exact
    if case.claim.about_chords:
        from boundcheck.runners.engine.chord_pairs import pairs

        starts, ends = pairs(setting.problem, CHORDS, 0)
        places = list(outcomes(verdict))
        for k, outcome in places[:: max(1, len(places) // CHORDS)]:
            chord = {"x": tuple(map(Fraction, starts[k])), "y": tuple(map(Fraction, ends[k]))}
            yield k, outcome, Truth(case.claim, setting.run(0), setting.roles, letters, verdict.cell.smoothness, chord)
        return
    made = setting.run(number)
    if not exact and int(trace.steps[number]) > made.steps:  # rounding takes it past the minimiser
        made = setting.run(number, goes_on=True)
    key = (id(case.claim), id(made), tuple(sorted(letters.items())), verdict.cell.smoothness)
    if key not in setting.kept:  # with the claim and the run, so that their ids stay theirs
        setting.kept[key] = Truth(case.claim, made, setting.roles, letters, verdict.cell.smoothness)
    for k, outcome in outcomes(verdict):
        yield k, outcome, setting.kept[key]
