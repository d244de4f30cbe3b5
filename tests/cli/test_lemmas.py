"""`boundcheck check` on a claim that is refuted through a lemma."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from boundcheck.cli import cli

FILE = """
from boundcheck.claims.bound import Bound, Through
from boundcheck.claims.hypotheses import GradientDescent
from boundcheck.language.letters import L, eta, i, k, tends
from boundcheck.model.problem import Smooth

GIVEN = (Smooth, GradientDescent(), eta[i] == 1 / L)
steady = Bound(given=GIVEN, states=eta[k] == 1 / L)
grows = Bound(given=GIVEN, states=tends(eta[k], 2 / L), refuted_through=Through(lemma="steady", argument="it is constant"))
"""


@pytest.mark.parametrize(("arithmetic", "code", "word"), [("rational", 1, "REFUTED"), ("float64", 3, "UNDECIDED")])
def test_the_lemma_must_hold_exactly(tmp_path: Path, arithmetic: str, code: int, word: str) -> None:
    path = tmp_path / "limits.py"
    path.write_text(FILE)
    only = ["--method", "1/L", "--problem", "huber", "--arithmetic", arithmetic]
    done = CliRunner().invoke(cli, ["check", str(path), *only])
    assert done.exit_code == code, done.output
    assert f"{word:<9} user/grows@printed" in done.output
