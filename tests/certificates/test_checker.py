"""The checker itself: independent of the framework, usable alone, with the exit codes of the design."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import flint
import pytest
from flint import arb, ctx, fmpq

from boundcheck import Bound, Convex, GradientDescent
from boundcheck.falsify.candidate import Candidate, Ridges, RidgeTerm
from boundcheck.falsify.certificate_io import certificate_of
from boundcheck.falsify.shapes import ClosedForm
from boundcheck.language.letters import f, k, x
from boundcheck.verify.arithmetic import HALF, definite, power
from boundcheck.verify.certificate import Certificate

from .making import certificate, code_of_text

verify = import_module("boundcheck.verify")  # the module: `boundcheck.verify` is the function

FOLDER = Path(verify.__file__).parent
STANDARD = {
    "__future__",
    "collections.abc",
    "contextlib",
    "hashlib",
    "itertools",
    "json",
    "math",
    "re",
    "sys",
    "threading",
    "time",
}
ALLOWED = STANDARD | {"typing", "flint"}
DOOR = {"importlib", "importlib.util", "pathlib"}  # what __main__ needs to run the folder by itself


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*")), ids=lambda path: path.name)
def test_it_imports_nothing_of_the_framework(path):
    if path.name == "__pycache__":
        return
    assert path.suffix == ".py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    own = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level]
    found |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level}
    assert found <= ALLOWED | (DOOR if path.name == "__main__.py" else set())
    assert all(node.level == 1 and (FOLDER / f"{node.module}.py").is_file() for node in own)
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    assert not {"__import__", "importlib", "eval", "exec"} & names


def test_no_file_of_it_is_called_as_a_module_of_the_standard_library():
    """Python puts the folder that it runs first on its path: a file numbers.py would be taken for the standard library's."""
    assert not {path.stem for path in FOLDER.glob("*.py")} & sys.stdlib_module_names


def _alone(*paths: Path) -> subprocess.CompletedProcess[str]:
    """The folder by itself: -I keeps this folder, and whatever the environment adds, off the path."""
    return subprocess.run([sys.executable, "-I", str(FOLDER), *map(str, paths)], capture_output=True, text=True, check=False)


def test_a_copy_of_the_folder_needs_python_flint_and_nothing_else(tmp_path):
    """-S leaves site-packages away: of it only flint is put back. Files of the same names beside the copy are not taken."""
    shutil.copytree(FOLDER, tmp_path / "copies" / "checker", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "flint_only").mkdir()
    installed = Path(flint.__file__).parent
    for path in (installed, *installed.parent.glob("python_flint.libs")):
        (tmp_path / "flint_only" / path.name).symlink_to(path)
    for name in ("json", "refusals", "boundcheck", "verify"):
        (tmp_path / "copies" / f"{name}.py").write_text("raise SystemExit(9)")
    good = tmp_path / "good.json"
    good.write_text(json.dumps(certificate("eq:10@printed")))
    run = f"import sys, runpy; sys.path.append({str(tmp_path / 'flint_only')!r}); sys.argv = ['checker', {str(good)!r}]; "
    run += f"runpy.run_path({str(tmp_path / 'copies' / 'checker')!r}, run_name='__main__')"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", run], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "") and "refutes" in done.stdout


def test_python_m_runs_it_too(tmp_path):
    good = tmp_path / "good.json"
    good.write_text(json.dumps(certificate("eq:10@printed")))
    command = [sys.executable, "-m", "boundcheck.verify", str(good)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "") and "refutes" in done.stdout


def test_it_runs_as_a_folder_of_its_own(tmp_path):
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
    q = lambda rows: [[fmpq(v) for v in row] for row in rows]  # noqa: E731
    assert definite(q([[2, 1], [1, 2]]), strictly=True)
    assert definite(q([[1, 1], [1, 1]])) and not definite(q([[1, 1], [1, 1]]), strictly=True)
    assert not definite(q([[1, 2], [2, 1]])) and not definite(q([[0, 1], [1, 5]]))
    assert definite(q([[0, 0], [0, 5]])) and not definite(q([[1, 0, 0], [0, 1, 2], [0, 2, 3]]))


def test_a_root_is_exact_where_it_is_rational_and_a_ball_where_it_is_not():
    assert power(fmpq(9, 4), HALF) == fmpq(3, 2)
    root = power(fmpq(2), HALF)
    assert isinstance(root, arb) and root < 2 and root > 1
    assert not power(fmpq(-1), HALF).is_finite()


def test_a_long_run_of_a_power_is_enclosed_and_takes_no_time():
    """Exactly, x_40 of |x|^4 has more digits than any memory; from 2^13 bits on it is a ball, which decides as well."""
    claim = Bound(given=(Convex, GradientDescent()), states=f(x[k + 1]) <= f(x[k]) / 2)
    quartic = Ridges((RidgeTerm((Fraction(1),), ClosedForm("power", Fraction(4))),))
    steps = (("", (("eta", (Fraction(1, 7),) * 41),)),)
    made = certificate_of(claim, Candidate(quartic, k=40, start=(Fraction(1, 3),), chosen=steps))
    low, high = (Fraction(end) for end in made["left"])
    point = 1 / 3
    for _ in range(41):
        point -= 4 / 7 * point**3
    assert low < point**4 < high < low * Fraction(51, 50)
    assert Certificate(made).refutation().startswith("'user/claim@printed' is false at k = 40")
