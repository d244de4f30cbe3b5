"""The checker itself: independent of the framework, usable alone, with the exit codes of the design."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from fractions import Fraction
from importlib import import_module
from pathlib import Path

from flint import ctx

from boundcheck import Bound, Convex, GradientDescent
from boundcheck.falsify.candidate import Candidate, Ridge, Ridges
from boundcheck.falsify.certificate_io import certificate_of
from boundcheck.falsify.shapes import Closed
from boundcheck.language.letters import f, k, x

from .making import certificate, code_of_text

verify = import_module("boundcheck.verify")  # the module: `boundcheck.verify` is the function

SOURCE = Path(verify.__file__)
STANDARD = {"__future__", "collections.abc", "hashlib", "itertools", "json", "math", "re", "sys", "threading", "time", "typing"}
ALLOWED = STANDARD | {"flint"}


def test_it_imports_nothing_of_the_framework():
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    found |= {node.module or "." * node.level for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert found <= ALLOWED
    assert not {"__import__", "importlib", "eval", "exec"} & {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}


def _alone(*paths: Path) -> subprocess.CompletedProcess[str]:
    """The file by itself: -I keeps this folder, and whatever the environment adds, off the path."""
    return subprocess.run([sys.executable, "-I", str(SOURCE), *map(str, paths)], capture_output=True, text=True, check=False)


def test_it_runs_as_a_file_of_its_own(tmp_path):
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    made = certificate("thm:polyak-alternate@printed")
    good.write_text(json.dumps(made))
    bad.write_text(json.dumps({**made, "left": "1"}))
    done = _alone(good)
    assert done.returncode == 0 and "left 25/4, right 324/55" in done.stdout and done.stdout.count("\n") == 1
    assert done.stdout.startswith(f"{good}: claim not compared with any library; refutes: ")
    assert done.stdout.endswith("titles and words are not checked\n")
    done = _alone(good, bad)
    assert done.returncode == 1 and "does not refute" in done.stdout
    done = _alone(good, bad, tmp_path / "nowhere.json")
    assert done.returncode == 2 and "malformed" in done.stdout and not done.stderr
    assert _alone().returncode == 2


def test_it_leaves_the_precision_of_balls_as_it_was(tmp_path):
    before = ctx.prec
    code_of_text("{}", tmp_path)
    code_of_text(json.dumps(certificate("eq:10@printed")), tmp_path)
    assert ctx.prec == before


def test_elimination_decides_definiteness():
    q = lambda rows: [[verify.fmpq(v) for v in row] for row in rows]  # noqa: E731
    assert verify.definite(q([[2, 1], [1, 2]]), strictly=True)
    assert verify.definite(q([[1, 1], [1, 1]])) and not verify.definite(q([[1, 1], [1, 1]]), strictly=True)
    assert not verify.definite(q([[1, 2], [2, 1]])) and not verify.definite(q([[0, 1], [1, 5]]))
    assert verify.definite(q([[0, 0], [0, 5]])) and not verify.definite(q([[1, 0, 0], [0, 1, 2], [0, 2, 3]]))


def test_a_root_is_exact_where_it_is_rational_and_a_ball_where_it_is_not():
    assert verify.power(verify.fmpq(9, 4), verify.HALF) == verify.fmpq(3, 2)
    root = verify.power(verify.fmpq(2), verify.HALF)
    assert isinstance(root, verify.arb) and root < 2 and root > 1
    assert not verify.power(verify.fmpq(-1), verify.HALF).is_finite()


def test_a_long_run_of_a_power_is_enclosed_and_takes_no_time():
    """Exactly, x_40 of |x|^4 has more digits than any memory; from 2^13 bits on it is a ball, which decides as well."""
    claim = Bound(given=(Convex, GradientDescent()), states=f(x[k + 1]) <= f(x[k]) / 2)
    quartic = Ridges((Ridge((Fraction(1),), Closed("power", Fraction(4))),))
    steps = (("", (("eta", (Fraction(1, 7),) * 41),)),)
    made = certificate_of(claim, Candidate(quartic, k=40, start=(Fraction(1, 3),), chosen=steps))
    low, high = (Fraction(end) for end in made["left"])
    point = 1 / 3
    for _ in range(41):
        point -= 4 / 7 * point**3
    assert low < point**4 < high < low * Fraction(51, 50)
    assert verify.Certificate(made).refutation().startswith("'user/claim@printed' is false at k = 40")
