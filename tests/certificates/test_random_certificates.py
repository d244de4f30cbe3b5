"""Random certificates against every claim that is believed true: the checker refutes none. Claims known to be false it does.

Another seed than 0 is set by BOUNDCHECK_SEED; every failure prints it.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from boundcheck.claims.bound import Bound
from boundcheck.library.catalogue import bounds, papers

from .making import REFUTED, certificate
from .plain import Unreadable, objection
from .random_certificates import Shape, refutation, refutations

SEED = os.environ.get("BOUNDCHECK_SEED", "0")
FEW, MANY = 8, 400  # draws for a claim: in every run of the suite, and in the slow one
PARTS = 10
FALSE = json.loads((Path(__file__).parent / "false_claims.json").read_text(encoding="utf-8"))
NEEDED = 200  # draws, within which each claim known to be false is refuted


@cache
def believed() -> tuple[Bound, ...]:
    """The claims whose row in verdicts.json says that they hold, of what the library says now, limits excepted."""
    status: dict[str, Any] = {}
    for paper in papers():
        kept = Path(next(iter(paper.__path__))) / "verdicts.json"
        status |= json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else {}
    found = [
        b
        for b in bounds()
        if not b.is_refuted and not (b.untested and b.quantifier) and status.get(b.id, {}).get("status", "holds") == "holds"
    ]
    return tuple(b for b in found if "'->'" not in str(b.to_json()["states"]) and _is_certifiable(b))


def _is_certifiable(bound: Bound) -> bool:
    """Does the claim say which method it is about, where it is about a run?"""
    try:
        Shape(bound.to_json())
    except ValueError as wrong:
        assert "which method" in str(wrong), f"{bound.id}: {wrong}"
        return False
    return True


def none_is_refuted(claims: tuple[Bound, ...], draws: int) -> None:
    for bound in claims:
        for n, made in refutations(bound.to_json(), SEED, draws):
            wrong = {
                name: part for name, part in made.items() if name not in ("claim", "words", "format", "version", "hash", "seal")
            }
            pytest.fail(f"BOUNDCHECK_SEED={SEED}: draw {n} refutes {bound.id}: {wrong}")


@pytest.mark.parametrize("part", range(PARTS))
def test_no_random_certificate_refutes_a_claim_that_is_believed_true(part: int) -> None:
    none_is_refuted(believed()[part::PARTS], FEW)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_no_random_certificate_of_many_refutes_a_claim_that_is_believed_true(part: int) -> None:
    none_is_refuted(believed()[part::PARTS], MANY)


def test_nearly_every_claim_is_one_that_a_certificate_could_refute() -> None:
    assert len(believed()) > 250


@pytest.mark.parametrize("claim", FALSE, ids=lambda claim: claim["id"].split("/")[1])
def test_the_draws_refute_each_claim_that_once_was_believed_and_is_false(claim: dict[str, Any]) -> None:
    """As the library had them: no range for a parameter was among their hypotheses."""
    found = next(refutations(claim, SEED, NEEDED), None)
    assert found is not None, f"BOUNDCHECK_SEED={SEED}: {NEEDED} draws do not refute {claim['id']}"


def test_accepted_refutations_are_right_in_plain_fractions() -> None:
    """Of claims known to be false: those drawn at random, and those that the library keeps."""
    drawn = [made for claim in FALSE for _, made in refutations(claim, SEED, 15)]
    kept = [certificate(f"{bound.label}@{bound.reading}") for bound in REFUTED[::6]]
    followed = 0
    for made in (*drawn, *kept):
        try:
            wrong = objection(made)
        except Unreadable:
            continue
        assert not wrong, f"BOUNDCHECK_SEED={SEED}: {made['claim']['id']}: {wrong}"
        followed += 1
    assert followed > 15, (followed, len(drawn), len(kept))


def test_the_plain_fractions_object_to_what_is_wrong() -> None:
    made = certificate("thm:polyak-alternate@printed")
    assert objection(made) == ""
    assert "sides are" in objection({**made, "left": "6"})
    steps = {"roles": {"": {**made["run"]["roles"][""], "eta": ["1/8", "27/8"]}}}
    assert "hypothesis is false" in objection({**made, "run": steps})


def test_a_draft_that_does_not_refute_gives_no_certificate() -> None:
    made = certificate("thm:polyak-alternate@printed")
    assert refutation(made) is not None
    assert refutation({**made, "parameters": {"gamma": "-1"}}) is None
