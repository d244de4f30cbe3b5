"""A claim comes back from its JSON as the same claim."""

from __future__ import annotations

import copy
import json

import pytest

from boundcheck.claims.bound import Bound
from boundcheck.language.canonical import NotAClaim
from boundcheck.library.catalogue import bounds, find_bounds


@pytest.mark.parametrize("bound", bounds(), ids=lambda b: b.id)
def test_a_claim_comes_back_from_its_json_with_the_same_hash(bound: Bound) -> None:
    again = Bound.from_json(json.loads(json.dumps(bound.to_json())))
    assert again.hash == bound.hash
    assert again.id == bound.id
    assert [type(h) for h in again.hypotheses] == [type(h) for h in bound.hypotheses]


@pytest.mark.parametrize("field", ["id", "states", "given", "for_all", "try_with"])
def test_a_claim_without_a_field_is_refused_in_one_line(field: str) -> None:
    data = copy.deepcopy(find_bounds("thm:polyak@printed")[0].to_json())
    del data[field]
    with pytest.raises(NotAClaim) as refused:
        Bound.from_json(data)
    assert "\n" not in str(refused.value)


def test_a_hypothesis_of_an_unknown_kind_is_refused() -> None:
    data = copy.deepcopy(find_bounds("thm:polyak@printed")[0].to_json())
    data["given"].append({"fact": "Nice"})
    with pytest.raises(NotAClaim):
        Bound.from_json(data)
