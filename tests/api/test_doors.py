"""The functions of `boundcheck` from Python: they keep their names, and say what the commands say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from boundcheck import Bound, Convex, Counterexample, GradientDescent, NoCounterexample, falsify, verify
from boundcheck.letters import delta, k

FUNCTIONS = ("check", "falsify", "verify", "sweep", "tightness", "audit", "run")
WRONG = Bound(given=(Convex, GradientDescent()), states=delta[k + 1] <= delta[k])


@pytest.mark.parametrize(
    "before",
    [
        "import boundcheck.falsify, boundcheck.verify, boundcheck.sweep, boundcheck.check",
        "import boundcheck.sweep.spec; from boundcheck.falsify.counterexample import Hunt; from boundcheck.verify import examine",
        "import boundcheck; boundcheck.falsify; boundcheck.verify; import boundcheck.verify, boundcheck.falsify.search",
        "import boundcheck.cli.falsify, boundcheck.cli.certify; from boundcheck.sweep import Sweep",
    ],
)
def test_a_function_keeps_its_name_whatever_module_is_imported(before: str) -> None:
    code = f"{before}\nimport boundcheck, types\n"
    code += f"print([n for n in {FUNCTIONS} if not isinstance(getattr(boundcheck, n), types.FunctionType)])\n"
    code += "from boundcheck.falsify.search import search; from boundcheck.sweep.spec import Sweep; import boundcheck.sweep.spec"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "[]"


def test_a_counterexample_is_written_and_verified(tmp_path: Path) -> None:
    found = falsify(WRONG, budget=60, jobs=1)
    assert isinstance(found, Counterexample) and found.left > found.right and found.explain()
    said = verify(found.write(tmp_path / "wrong.json"))
    assert said.refutes and not said.is_library_claim and said.claim == found.claim
    assert verify(found.certificate).refutes


def test_a_changed_certificate_does_not_refute(tmp_path: Path) -> None:
    found = falsify(WRONG, budget=60, jobs=1)
    assert isinstance(found, Counterexample)
    assert not verify({**found.certificate, "left": "3"}).refutes
    assert verify({}).outcome == "malformed" and verify(tmp_path / "none.json").why == "there is no such file"


def test_a_true_claim_says_what_was_tried() -> None:
    tried = falsify("classical/gd.descent", budget=0.3, seed=5, jobs=1)
    assert isinstance(tried, NoCounterexample) and not tried
    assert tried.candidates > 0 and tried.seed == 5 and "not a proof" in tried.explain()[-1]


@pytest.mark.parametrize("bad", [{"budget": 0}, {"budget": float("nan")}, {"seed": -1}, {"jobs": 0}, {"seed": 1.5}])
def test_bad_input_is_refused_in_one_line(bad: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="found"):
        falsify(WRONG, **bad)  # type: ignore[arg-type]
