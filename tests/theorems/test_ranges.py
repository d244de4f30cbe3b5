"""The range of every parameter is a hypothesis, and it is needed: without it the search breaks the claim, with it it does not."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import pytest

from boundcheck.certificates.write import nodes_of
from boundcheck.claims.bound import UNREFUTED, Bound
from boundcheck.claims.hypotheses import AtEachStep, Once
from boundcheck.claims.parameters import COUNTED, range_of, with_ranges
from boundcheck.falsify.certificate_io import certificate_of
from boundcheck.falsify.search import search
from boundcheck.falsify.search_space import values
from boundcheck.language.relations import Interval
from boundcheck.language.scalars import Parameter, Term
from boundcheck.library.catalogue import bounds
from tests.certificates.making import code, made, one_run

verify = import_module("boundcheck.verify")  # the module: `boundcheck.verify` is the function

LIBRARY = {bound.id.split("/")[1]: bound for bound in bounds()}
WITH_PARAMETERS = [bound for bound in LIBRARY.values() if bound.parameters]
# what each claim did not say, so that it was false; the checker accepts what the search finds without it
ONCE_UNSAID = {
    "eq:eta-init@printed": ("alpha0 > 0",),
    "lemma:agd-equivalence@proved": ("alpha0 > 0",),
    "lemma:agd-equivalence.y@proved": ("alpha0 > 0",),
    "lemma:agd-equivalence.alpha@printed": ("alpha0 > 0",),
    "lemma:valid-sequences.at-most-1@printed": ("c0 > 0",),
    "lemma:valid-sequences.not-negative@printed": ("c0 > 0",),
    "thm:adapted-acceleration.c@proved": ("c > 0", "eta_min > 0"),
    "thm:adapted-acceleration.c-second-line@printed": ("eta_min > 0",),
    "thm:adapted-acceleration.increasing@proved": ("g1 > 0",),
    "thm:adapted-acceleration.prior-knowledge@proved": ("alpha0 > 0",),
    "thm:adapted-acceleration.prior-knowledge@beyond-c": ("alpha0 > 0",),
}
RATES = ("eq:convex-accelerated-rate@proved", "thm:adapted-acceleration.convex-at-k@proved")  # their proofs need alpha_0 < 1
MENDED = (*ONCE_UNSAID, *RATES)


def without(bound: Bound, *said: str) -> Bound:
    """The claim without these hypotheses; a parameter that has no range then may be any number."""
    kept = tuple(h for h in bound.hypotheses if str(h) not in said)
    assert len(bound.hypotheses) - len(kept) == len(said), [str(h) for h in bound.hypotheses]
    parameters = [node for node in nodes_of(bound) if isinstance(node, Parameter)]
    return replace(bound, given=with_ranges(parameters, kept), reading="without-its-range", **UNREFUTED)


@pytest.mark.parametrize("bound", WITH_PARAMETERS, ids=lambda b: b.id)
def test_a_claim_is_tried_inside_the_ranges_of_its_parameters_and_at_their_ends(bound: Bound) -> None:
    for name in bound.parameters:
        allowed = range_of(name, bound.hypotheses)
        assert all(Fraction(value) in allowed for value in bound.try_with[name]), name
        drawn = values(bound, name)
        assert all(value in allowed for value in drawn) and set(map(Fraction, bound.try_with[name])) <= set(drawn)
        for end, belongs in ((allowed.low, allowed.has_low), (allowed.high, allowed.has_high)):
            assert end is None or (end in drawn) == belongs
            assert not belongs or end in map(Fraction, bound.try_with[name]), f"{name} = {end} is allowed, and no check tries it"
            near = [] if end is None else [v for v in drawn if 0 < abs(v - end) <= Fraction(1, 500)]
            assert end is None or near or allowed.low == allowed.high, f"{name} is not tried near {end}"
        if name not in COUNTED and allowed == Interval():
            assert min(drawn) < -1 < 0 in drawn, f"{name} may be negative"


@pytest.mark.parametrize("name", ONCE_UNSAID)
def test_without_its_range_the_search_refutes_the_claim_and_the_checker_agrees(name: str, tmp_path: Path) -> None:
    old = without(LIBRARY[name], *ONCE_UNSAID[name])
    result = search(old, budget=300, most_tasks=60)
    assert result.found is not None
    assert code(certificate_of(old, result.found.candidate), tmp_path) == verify.REFUTES


@pytest.mark.slow
@pytest.mark.parametrize("name", MENDED)
def test_with_its_range_the_claim_survives(name: str) -> None:
    assert search(LIBRARY[name], budget=5).found is None


@pytest.mark.parametrize("name", RATES)
def test_a_rate_from_alpha_0_says_that_alpha_0_is_between_0_and_1(name: str) -> None:
    assert range_of("alpha0", LIBRARY[name].hypotheses) == Interval(Fraction(0), Fraction(1))


# -- sequences that a rule records -----------------------------------------------------------------------------------------

ROUND = {"kind": "quadratic", "matrix": [["1", "0"], ["0", "1"]], "minimiser": ["0", "0"]}  # D is 2 and A is 1


def test_a_recorded_sequence_is_bound_by_a_hypothesis_wherever_no_method_sets_it() -> None:
    for bound in LIBRARY.values():
        set_by_methods = {update.name for _, method in bound.runs.roles for update in (*method.first, *method.each)}
        read = bound.sequences - set_by_methods - {"eta"}
        asked = [h.relation for h in bound.hypotheses if isinstance(h, AtEachStep | Once)]
        assert read <= {n.name for relation in asked for n in relation.walk() if isinstance(n, Term)}, bound.id


@pytest.mark.parametrize(
    ("name", "step"), [("prop:existence-D@printed", Fraction(1, 2)), ("prop:existence-A@printed", Fraction(1))]
)
@pytest.mark.parametrize("link", [0, 1])
def test_the_ends_of_a_bracket_are_those_of_a_bracket(name: str, step: Fraction, link: int, tmp_path: Path) -> None:
    new = LIBRARY[name]
    old = replace(new, given=tuple(h for h in new.hypotheses if "eta_lo" not in str(h) and "eta_hi" not in str(h)))
    wrong, good = (2 * step, step) if link == 0 else (step / 2, step)
    ends = {"eta_lo": [str(wrong if link == 0 else good)], "eta_hi": [str(wrong if link == 1 else good)]}
    sides = {"left": "2", "right": "1"} if link == 0 else {"left": "1", "right": "1/2"}
    run = one_run(["1", "0"], [str(step)], **ends)
    found = [made(bound, **sides, function=ROUND, run=run, at=0, link=link) for bound in (old, new)]
    assert [code(one, tmp_path) for one in found] == [verify.REFUTES, verify.DOES_NOT_REFUTE]
