"""A user's file is checked by mypy and by pyright: mistakes are found at their lines, a right file is clean."""

from __future__ import annotations

import ast
import doctest
import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

import boundcheck
import boundcheck.letters

ROOT = Path(__file__).resolve().parents[2]

RIGHT = """\
from typing import Any

from boundcheck import Bound, Convex, GradientDescent, Minimiser, Outcome, Problem, Rule, Smooth, Trace
from boundcheck import check, falsify, run, step_rule
from boundcheck.letters import Delta, L, delta, eta, grad, i, k, normsq, x

claim = Bound(given=(Convex, Smooth, GradientDescent(), eta[i] == 1 / L), states=delta[k] <= L * Delta[0] / (2 * k))
trace: Trace = run("huber", "1/L", steps=10)
verdicts = check(claim, trace, smoothness="L")
worst: Outcome = verdicts.outcome
words: str = verdicts[0].explain()
half = Rule(name="half", follows=eta[i] == 1 / (2 * L))
polyak = step_rule(follows=eta[i] == delta[i] / normsq(grad(x[i])))
by_hand = Rule(name="by hand", step=lambda moment: moment.gap / (2 * moment.grad_normsq), needs=("infimum",))


class Bowl(Problem):
    start = (3, 1)
    facts = {Convex(), Smooth(4)}
    minimiser = Minimiser(point=(0, 0))

    def f(self, xp: Any, x: Any) -> Any:
        return xp.normsq(x)

    def gap(self, xp: Any, x: Any, g: Any) -> Any:
        return self.f(xp, x)


found = falsify(claim, budget=1.0, seed=3)
moved: Problem = Bowl().replace(start=[4, 4])
ended: str = run(moved, half, steps=5).ended[0]
"""

WRONG = """\
from boundcheck import check, run
from boundcheck import chekc  # line 2: no such name

trace = run("huber", "1/L", steps="ten")  # line 4: steps is a whole number
again = run("huber", "1/L", stepps=10)  # line 5: no such keyword
verdicts = check("eq:10", 10)  # line 6: neither a trace nor a problem
number: int = verdicts.outcome.name  # line 7: a name is text
verdicts.holds  # line 8: no such attribute

from boundcheck import Bound, Problem, Rule, falsify
from boundcheck.letters import Delta, L, eta, i, k, normsq, x

Rule(name="half", follow=eta[i] == 1 / L)  # line 13: no such keyword
Rule(name="half", follows=1 / L)  # line 14: a number is no relation
Rule(name="half", step=3)  # line 15: a step is a function
Rule(name="half", step=lambda moment: moment.gradient)  # line 16: no such attribute
Problem(name="bowl", f=3, facts=set(), start=[1])  # line 17: f is a function
Problem(name="bowl", f=lambda xp, x: xp.square(x), facts=set(), start=[1])  # line 18: an arithmetic has no square
Problem(name="bowl", f=lambda xp, x: xp.normsq(x), facts=set(), start="far away")  # line 19: a start is numbers
Bound(given=(), states=Delta[k])  # line 20: a number is no statement
Bound(given=(), states=normsq(L) <= Delta[k])  # line 21: the length of a number
Bound(given=(), states=x[k] + 1 <= Delta[k])  # line 22: a point and a number
falsify("eq:10", budget="a minute")  # line 23: seconds are a number
falsify(eta[i] <= 1 / L)  # line 24: a relation is no claim
falsify("eq:10").explane()  # line 25: no such attribute
"""
MISTAKES = [2, 4, 5, 6, 7, 8, *range(13, 26)]


Mistakes = dict[str, list[int]]  # the lines of each file


def mypy(folder: Path) -> Mistakes:
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file",
        "",
        "--ignore-missing-imports",
        "--follow-imports=silent",
    ]
    files = [str(file) for file in sorted(folder.glob("*.py"))]
    command += ["--cache-dir", str(folder / "cache"), *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return by_file((name, int(n)) for name, n in re.findall(r"(\w+\.py):(\d+): error", done.stdout))


def pyright(folder: Path) -> Mistakes:
    if importlib.util.find_spec("basedpyright") is None:
        pytest.skip("basedpyright is not installed: pip install 'boundcheck[test]'")
    settings = {"typeCheckingMode": "standard", "extraPaths": [str(ROOT)], "include": ["*.py"]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(folder)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = [one for one in json.loads(done.stdout)["generalDiagnostics"] if one["severity"] == "error"]
    return by_file((Path(one["file"]).name, one["range"]["start"]["line"] + 1) for one in found)


def by_file(found: Iterable[tuple[str, int]]) -> Mistakes:
    lines: Mistakes = {}
    for name, line in sorted(set(found)):
        lines.setdefault(name, []).append(line)
    return lines


@pytest.mark.parametrize("tool", [mypy, pyright])
def test_a_right_file_is_clean_and_each_planted_mistake_is_found_at_its_line(tool, tmp_path):
    """Both files at once: most of the time goes into reading the library."""
    (tmp_path / "right_file.py").write_text(RIGHT)
    (tmp_path / "wrong_file.py").write_text(WRONG)
    assert tool(tmp_path) == {"wrong_file.py": MISTAKES}


def test_what_static_tools_read_is_what_is_loaded():
    tree = ast.parse((ROOT / "boundcheck" / "__init__.py").read_text(encoding="utf-8"))
    (block,) = (n for n in tree.body if isinstance(n, ast.If) and isinstance(n.test, ast.Name) and n.test.id == "TYPE_CHECKING")
    read = {alias.asname: line.module for line in block.body if isinstance(line, ast.ImportFrom) for alias in line.names}
    assert read == boundcheck._HOME


NEEDS = {"tightness": "PEPit", "watch": "torch"}  # an example of an extra


@pytest.mark.parametrize("name", boundcheck.__all__)
def test_every_public_name_has_an_example_that_is_true(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pytest.importorskip(NEEDS.get(name, "numpy"))
    found = doctest.DocTestFinder(recurse=False).find(getattr(boundcheck, name), name, globs={})
    assert any(test.examples for test in found), f"{name} has no example in its docstring; write one: >>> ..."
    told: list[str] = []
    for test in found:
        doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    assert not told, "".join(told)


def test_the_letters_have_an_example_that_is_true():
    told: list[str] = []
    for test in doctest.DocTestFinder(recurse=False).find(boundcheck.letters, "letters"):
        assert test.examples
        doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    assert not told, "".join(told)
