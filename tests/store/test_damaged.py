"""A store whose rows are sealed and yet no run: one line says so, and no page is made of it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from boundcheck.check.verdict import Cell, Outcome, Verdict
from boundcheck.store.database import NotAStore, Store
from boundcheck.store.encoding import NoVerdict, pack, unpack


@pytest.mark.parametrize("name", ["claims", "problems", "beside", "versions"])
def test_a_run_that_lists_no_names_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with Store(path, write=True) as store:
        store.begin({name: 3}, {}, [])
    with Store(path) as store, pytest.raises(NotAStore, match=f"its {name} are 3; delete it"):
        _ = store.about


def test_a_side_without_a_number_for_each_k_is_refused() -> None:
    cell = Cell(claim="a", problem="p", method="m", arithmetic="rational")
    verdict = Verdict(cell=cell, outcomes=np.full(1, Outcome.HOLDS, dtype=np.int8), first_k=0, certified=True, left=np.ones(1))
    packed = pack(verdict)
    assert unpack(packed.said, packed.numbers).left is not None
    told = json.loads(packed.said)
    told["shapes"]["left"] = []
    with pytest.raises(NoVerdict, match="another length than the outcomes"):
        unpack(json.dumps(told), packed.numbers)
