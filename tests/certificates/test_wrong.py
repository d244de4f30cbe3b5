"""Certificates that refute nothing though all looks right: each was accepted once, or nearly so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boundcheck.verify import REFUTES, digest, verify

WRONG = sorted((Path(__file__).parent / "wrong").glob("*.json"))


@pytest.mark.parametrize("path", WRONG, ids=[path.stem for path in WRONG])
def test_it_is_not_accepted(path: Path) -> None:
    code, line = verify(str(path))
    assert code != REFUTES and "seal" not in line and "hash" not in line and "certificate says" not in line, line


@pytest.mark.parametrize("path", WRONG, ids=[path.stem for path in WRONG])
def test_nothing_else_is_wrong_with_it(path: Path) -> None:
    """Its seal and its hash are right: the checker has to see the mathematics."""
    data = json.loads(path.read_bytes())
    assert data["seal"] == digest({**data, "seal": ""})
    assert data["hash"] == digest({key: data["claim"][key] for key in ("states", "given", "for_all", "smoothness")})
