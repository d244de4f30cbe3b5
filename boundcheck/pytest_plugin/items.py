"""The items that a claim becomes, with their names and the words of their failures: cells, its refutation, its sharpened twin."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from typing import Any

import pytest

from boundcheck.check.assertions import both_sides, table
from boundcheck.check.precision_ladder import certifies
from boundcheck.check.verdict import Outcome, Verdict
from boundcheck.claims.bound import Bound
from boundcheck.library.catalogue import NotFound
from boundcheck.pytest_plugin.records import COULD_NOT_RUN, RECORD, UNTESTED, Record
from boundcheck.pytest_plugin.session import CouldNotRun, SessionPlan, held, sharpen, sharpest
from boundcheck.suite.grid import GridCell
from boundcheck.suite.instances import try_instance
from boundcheck.support.errors import UserError


def short(bound: Bound) -> str:
    """A claim's name in an item: its label and reading. The file says which paper."""
    return re.sub(r"[\s\[\]]+", "_", f"{bound.label}@{bound.reading}")


def cell_name(where: GridCell) -> str:
    """`huber-rational-polyak(3/2)-M=H`; letters that the method fixes are in its name already."""
    parts = [where.setting.problem.name, where.setting.arithmetic, where.method]
    parts += [f"M={where.question.smoothness}"] if where.question.smoothness else []
    parts += [f"{name}={value}" for name, value in where.question.values]
    return re.sub(r"[\s\[\]]+", "_", "-".join(parts))


def keywords(where: GridCell) -> Iterable[str]:
    """Words for -k, which knows no brackets, `=` or `@`: M_H, gamma_3/2, polyak_3/2."""
    yield from (where.setting.problem.name, where.setting.arithmetic, where.method)
    yield where.method.replace("(", "_").replace(")", "")
    if where.question.smoothness:
        yield f"M_{where.question.smoothness}"
    yield from (f"{name}_{value}" for name, value in where.parameters)


def marks(where: GridCell) -> dict[str, str]:
    """For -m "boundcheck(problem='huber')", which compares whole words."""
    found = {"problem": where.setting.problem.name, "method": where.method, "arithmetic": where.setting.arithmetic}
    return {**found, "M": where.question.smoothness, **dict(where.parameters)}


def place(where: GridCell) -> str:
    letters = [f"M={where.question.smoothness}"] if where.question.smoothness else []
    letters += [f"{name}={value}" for name, value in where.question.values]
    return ", ".join([f"{where.setting.problem.name} [{where.setting.arithmetic}] by {where.method}", *letters])


def command(name: str, where: GridCell) -> str:
    """The command line that tries the same cell."""
    words = ["boundcheck", "check", name, "--problem", where.setting.problem.name]
    words += ["--method", where.method] if where.rule is not None else []
    words += ["--smoothness", where.question.smoothness] if where.question.smoothness else []
    return shlex.join([*words, "--arithmetic", where.setting.arithmetic])


def violation_text(name: str, where: GridCell, verdict: Verdict) -> str:
    """The text of a failure: the claim, where it fails, both sides there, how to see it again and what to do."""
    bound = where.bound
    rows = [
        ("statement", str(bound.states)),
        ("it says", bound.title),
        ("problem", where.setting.problem.name),
        ("method", where.method),
    ]
    rows += [("M", where.question.smoothness), *where.parameters]
    rows += [
        *both_sides(verdict),
        ("arithmetic", f"{verdict.cell.arithmetic}: {verdict.grade}"),
    ]
    rows += [("notes", "; ".join((*filter(None, [verdict.reason]), *verdict.notes)))]
    rows += [("reproduce", command(name, where)), ("what to do", _advice(where, verdict))]
    return f"{verdict.label}: {bound.id}\n{table(rows)}"


def _advice(where: GridCell, verdict: Verdict) -> str:
    if verdict.certified:
        return "a counterexample: correct the statement; if a paper prints it so, keep it and add refuted_by=Instance(...)"
    return "certify it: run it again with --arithmetic auto"


def why_skipped(verdict: Verdict) -> str:
    nothing = "no k >= 1 was decided" if verdict.outcome is Outcome.UNDECIDED else "the run has no k >= 1 for it"
    return f"{verdict.outcome.name}: {verdict.reason or nothing}"


class ItemFailure(Exception):
    """A failure with its whole text: there is no traceback to show."""


class ClaimItem(pytest.Item):
    """What all items of claims share. `known_as` is what the command line calls the claim."""

    kind = ""

    def __init__(self, *, bound: Bound, plan: SessionPlan, known_as: str, **rest: Any) -> None:
        super().__init__(**rest)
        self.bound, self.plan, self.known_as = bound, plan, known_as
        self.extra_keyword_matches.update((bound.label, bound.reading, f"{bound.label}_{bound.reading}", self.kind))

    def mark(self, group: str, **more: str) -> None:
        """Markers: what it is about, for -m; and which items should share a process, for xdist."""
        about = {"claim": self.bound.id, "label": self.bound.label, "reading": self.bound.reading, "kind": self.kind, **more}
        self.add_marker(pytest.mark.boundcheck(**about))
        if hasattr(self.config, "workerinput"):
            self.add_marker(pytest.mark.xdist_group(f"boundcheck-{group}"))

    def record(self, outcome: str, **more: Any) -> None:
        """What the summary needs; it travels with the report, between processes too."""
        false = self.bound.is_refuted
        made: Record = {"claim": self.bound.id, "kind": self.kind, "outcome": outcome, "false": false, **more}
        self.user_properties.append((RECORD, made))

    def skip(self, reason: str) -> None:
        raise pytest.skip.Exception(reason, _use_item_location=True)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        return str(excinfo.value) if isinstance(excinfo.value, ItemFailure) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int, str]:
        return self.path, 0, self.name


class CellItem(ClaimItem):
    """A claim on one problem, in one arithmetic, by one method, with one M and its parameters chosen."""

    kind = "cell"

    def __init__(self, *, where: GridCell, **rest: Any) -> None:
        super().__init__(bound=where.bound, **rest)
        self.where = where
        self.extra_keyword_matches.update(keywords(where))
        self.mark(where.setting.problem.name, **marks(where))

    def runtest(self) -> None:
        try:
            verdict = self.plan.verdict(self.where)
        except CouldNotRun as why:
            self.record(COULD_NOT_RUN, reason=str(why), certified=False, near=False)
            return self.skip(f"could not run: {why}")
        best = verdict.tightest
        tight = {} if best is None else {"ratio": float(best.ratio), "where": f"{best.place} on {place(self.where)}"}
        grades = {"certified": bool(verdict.certified), "near": bool(verdict.near)}
        self.record(verdict.outcome.name, reason=verdict.reason, **grades, **tight)
        if verdict.outcome is Outcome.VIOLATED and not self.bound.is_refuted:
            raise ItemFailure(violation_text(self.known_as, self.where, verdict))
        if verdict.outcome is Outcome.NOT_EVALUATED and self.bound.is_beyond_f:  # of another, another arithmetic may have a value
            raise ItemFailure(f"{self.known_as} cannot be evaluated on {place(self.where)}\n  {verdict.reason}")
        if not verdict.exercised:
            self.skip(why_skipped(verdict))


class RefutationItem(ClaimItem):
    """The instance on which a false claim is seen to fail. It must still fail there."""

    kind = "refutation"

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        at = self.bound.refuted_by
        self.mark(at.problem if at is not None else self.kind)

    def runtest(self) -> None:
        at = self.bound.refuted_by
        assert at is not None
        try:
            tried = try_instance(self.bound, at)
        except UserError as wrong:
            raise ItemFailure(f"the refutation of {self.bound.id} cannot be run: {wrong}") from None
        where, verdict = GridCell(tried.setting, tried.experiment, tried.question), tried.verdict
        self.record(verdict.outcome.name, certified=bool(verdict.certified), reason=verdict.reason, where=place(where))
        if verdict.outcome is Outcome.VIOLATED and (verdict.certified or not certifies(at.arithmetic)):
            sides = [f"{name} {text}" for name, text in both_sides(verdict) if text]
            self.add_report_section("call", "refutation", f"{place(where)}: {', '.join(sides)}")
            return
        rows = [
            ("statement", str(self.bound.states)),
            ("on", place(where)),
            ("steps", str(at.steps)),
            ("found", verdict.explain()),
        ]
        rows += [("reproduce", command(self.known_as, where))]
        rows += [
            (
                "what to do",
                "give refuted_by an instance that refutes the claim, or take it away if the claim is true",
            )
        ]
        raise ItemFailure(f"not refuted by its own instance: {self.bound.id}\n{table(rows)}")


class Certified(ClaimItem):
    """The certificate that a paper keeps of a false claim: the independent checker must accept it, for exactly this claim."""

    kind = "certificate"

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        self.mark(self.kind)

    def runtest(self) -> None:
        from boundcheck.certificates.write import path_of, why_not_refuted

        path = path_of(self.bound)
        why = why_not_refuted(self.bound, path) if path is not None else "this claim belongs to no paper"
        self.record("" if why else Outcome.VIOLATED.name, certified=not why, reason=why)
        if why:
            raise ItemFailure(f"the certificate of {self.bound.id} does not refute it\n  {why}")


class ThroughLemma(ClaimItem):
    """The lemma that contradicts a false limit or existence claim. It must hold in exact arithmetic, and nowhere fail."""

    kind = "lemma"

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        self.mark(self.kind)

    def runtest(self) -> None:
        try:
            lemma = self.plan.lemma(self.bound)
        except NotFound as wrong:
            raise ItemFailure(f"the refutation of {self.bound.id} cannot be found: {wrong}") from None
        assert lemma is not None and self.bound.refuted_through is not None
        self.plan.add([lemma])
        verdicts = [verdict for _, verdict in self.plan.verdicts(lemma)]
        held = sum(v.outcome is Outcome.HOLDS and v.certified for v in verdicts)
        failed = sum(v.outcome is Outcome.VIOLATED for v in verdicts)
        if held and not failed:
            self.record(Outcome.VIOLATED.name, certified=True, reason="")
            return
        self.record(Outcome.UNDECIDED.name, reason=f"{lemma.id} holds on {held} certified cells and fails on {failed}")
        rows = [("statement", str(self.bound.states)), ("lemma", f"{lemma.id}: {lemma.states}")]
        rows += [("found", f"the lemma holds on {held} certified cells and is violated on {failed}")]
        rows += [("what to do", "mend the lemma, or say that the claim is undecided")]
        raise ItemFailure(f"not refuted through its lemma: {self.bound.id}\n{table(rows)}")


class Twin(ClaimItem):
    """The claim with its right side at 0.99 of the best ratio reached. It must be violated: else the checker cannot say no."""

    kind = "twin"

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        self.mark("twins")

    def runtest(self) -> None:
        cells = held(self.plan, self.bound)
        if not cells:
            self.record("")
            return self.skip("no cell holds, so there is nothing to sharpen")
        self.record(Outcome.HOLDS.name)
        best = sharpest(cells)
        if best is None:
            return self.skip("wherever the claim holds both sides are 0, or one is not a finite number: nothing to sharpen")
        twin, verdict = sharpen(best)
        if verdict.outcome is Outcome.VIOLATED or verdict.fails_nearby:
            return
        rows = [("statement", str(self.bound.states)), ("its twin", str(twin.bound.states)), ("on", place(best.where))]
        rows += [("best ratio", f"{best.ratio:.6g} at k = {best.k}"), ("twin", verdict.explain())]
        rows += [("reproduce", command(self.known_as, best.where))]
        rows += [("what to do", "find out why the checker cannot say no: does the statement depend on what it bounds?")]
        raise ItemFailure(f"the sharpened twin is not violated: {self.bound.id}\n{table(rows)}")


class Untried(ClaimItem):
    """A claim that nothing here can try. If it is not `untested` by its own words, the session fails."""

    kind = "untried"

    def __init__(self, **rest: Any) -> None:
        super().__init__(**rest)
        self.mark(self.kind)

    def runtest(self) -> None:
        reason = self.bound.untested or self.plan.why_not_tried(self.bound)
        self.record(UNTESTED if self.bound.untested else Outcome.VACUOUS.name, reason=reason)
        self.skip(f"untested: {reason}" if self.bound.untested else f"VACUOUS: {reason}")
