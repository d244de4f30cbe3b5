"""Whatever is wrong with the input: one line on stderr, exit 2, nothing on stdout."""

from __future__ import annotations

import pytest

HUBER = ("--problem", "huber")

WORDS = [
    (("check", "thm:polyac"), "no claim 'thm:polyac'; did you mean 'thm:polyak'?"),
    (("explain", "thm:polyac"), "no claim 'thm:polyac'; did you mean 'thm:polyak'?"),
    (("chek",), "did you mean 'check'"),
    (("check", "--jsn"), "did you mean one of: '--jobs', '--json'"),
    (("check", "--smoothness", "Q"), "M is bound to D, A, H or L; found 'Q'"),
    (("check", "--steps", "0"), "'--steps'"),
    (("explain",), "missing argument"),
    (("check", "theorems.py", "--problem", "hubr"), "no problem 'hubr'; did you mean 'huber'?"),
    (("check", "theorems.py", *HUBER, "--method", "2/L"), "no method '2/L'; did you mean"),
    (("check", "theorems.py", *HUBER, "--arithmetic", "float46"), "no arithmetic 'float46'; did you mean 'float64'?"),
    (("check", "theorems.py", "--problem", "smooth-abs", "--arithmetic", "mp:0"), "digits"),
    (("check", "theorems.py:descen"), "theorems.py has no 'descen'; did you mean 'descent'?"),
    (("check", "theorems.py:Bound"), "not a claim"),
    (("check", "theorems.py:descent", "--problem", "problems.py:empty"), "dimension 0"),
    (("check", "theorems.py:descent", "--problem", "problems.py:number"), "returned a int, not a Problem"),
    (("check", "theorems.py:descent", "--problem", "problems.py:hal"), "did you mean 'half'?"),
    (
        ("check", "theorems.py:descent", "--problem", "problems.py"),
        "problems.py has half, still, made, empty, number; name one, as",
    ),
    (
        ("check", "theorems.py:descent", *HUBER, "--method", "runners.py"),
        "runners.py has tenth, nan, infinite, negative, raises, noth",
    ),
    (
        ("audit", "runners.py"),
        "runners.py has tenth, nan, infinite, negative, raises, nothing, ...; name one, as in runners.py:tenth",
    ),
    (("audit", ""), "found ''; needs FILE.py:NAME, or the name of a rule, such as polyak(1)"),
    (("audit", ":"), "found ':'; needs FILE.py:NAME"),
    (("audit", "."), "found '.'; needs FILE.py:NAME"),
    (("audit", "/folder:x"), "found '/folder:x'; needs FILE.py:NAME"),
    (("audit", "runners:tenth"), "found 'runners:tenth'; needs FILE.py:NAME"),
    (("audit", "runners"), "found 'runners'; needs FILE.py:NAME"),
    (("audit", "runners.py:two"), "runners.py:two takes 2 arguments; needs one, the run"),
    (("check", "theorems.py", "--problem", ":"), "found ':'; needs FILE.py:NAME, or the name of a problem, such as huber"),
    (
        ("check", "theorems.py:descent", "--problem", "logistic-40x5", "--arithmetic", "rational"),
        "cannot be evaluated in exact rationals",
    ),
    (("paper", "--out", "theorems.py"), "theorems.py is a file; --out needs a folder"),
]

RULES = [
    ("nan", "rule 'nan' returned nan at step 0 on huber; a step is a positive number"),
    ("infinite", "rule 'infinite' returned inf at step 0 on huber; a step is a finite positive number"),
    ("negative", "rule 'negative' returned -1"),
    ("raises", "rule 'raises' failed at step 0 on huber: ZeroDivisionError: division by zero (runners.py:9)"),
    ("nothing", "rule 'nothing' returned None at step 0 on huber; a step is a positive number: did you forget `return`?"),
    ("text", "rule 'text' returned 'fast' at step 0 on huber; a step is a positive number"),
    ("shape", "rule 'shape' returned an array of shape (3,) at step 0 on huber; a step is one number a run"),
    ("two", "runners.py:two takes 2 arguments; needs one, the run"),
    ("math", "runners.py:math is a module, not a method"),
]

FILES = [
    (b"", "bad.py is empty; write a claim (a Bound) at module level"),
    (b"answer = 42\n", "bad.py has no claim"),
    (b"a = (\n", "bad.py:1: syntax error"),
    (b'a = "\xff\xfe"\n', "utf-8"),
    (b"a\0b", "null bytes"),
    (b"import sys; sys.exit(0)", "ends the program"),
    (b"x = 1\ny = 1 / 0\n", "bad.py:2: ZeroDivisionError"),
    (b"x = 1\nassert x == 2\n", "bad.py:2: AssertionError\n"),
    (b"raise ValueError('boom\\nsecond line')\n", "bad.py:1: ValueError: boom second line"),
    (b"from boundcheck.claims.bound import Bound\nb = Bound(states=3)\n", "a bound states a relation"),
]


def refused(done, said):
    assert done.exit_code == 2
    assert done.stdout == ""
    assert said.lower() in done.stderr.lower()
    assert done.stderr.startswith("boundcheck: ") and done.stderr.count("\n") == 1


@pytest.mark.parametrize(("words", "said"), WORDS, ids=lambda value: " ".join(value) if isinstance(value, tuple) else "")
def test_a_wrong_word_is_refused_in_one_line(run, words, said):
    refused(run(*words), said)


NAMES = [
    (("--problem", "hubr"), "no problem 'hubr'; did you mean 'huber'? docs/problems.md lists them all"),
    (("--problem", "nosuch"), "no problem 'nosuch'; there are parabola, "),
    ((*HUBER, "--method", "polyac(1)"), "no method 'polyac(1)'; did you mean 'polyak(1)'? docs/rules.md lists them all"),
    ((*HUBER, "--method", "nosuch"), "no method 'nosuch'; there are 1/L, "),
]


@pytest.mark.parametrize(("words", "said"), NAMES)
def test_a_wrong_name_gets_a_good_guess_or_a_few_names_and_no_catalogue(run, words, said):
    done = run("check", "theorems.py", *words)
    refused(done, said)
    assert len(done.stderr) < 200 and "ionosphere" not in done.stderr


def test_the_only_problem_or_rule_of_a_file_needs_no_name(run, folder):
    (folder / "one.py").write_text("def only(run):\n    return 0.1\n", encoding="utf-8")
    text = (folder / "problems.py").read_text(encoding="utf-8").replace('still = replace(half, name="still", start=[0])', "")
    (folder / "lone.py").write_text(text, encoding="utf-8")
    done = run("check", "theorems.py:descent", "--problem", "lone.py", "--method", "one.py", "--jobs", "1")
    assert done.exit_code == 0 and done.stdout.startswith("HOLDS")


@pytest.mark.parametrize(("name", "said"), RULES)
def test_a_rule_that_gives_no_step_is_refused_in_one_line(run, name, said):
    refused(run("check", "theorems.py:descent", *HUBER, "--method", f"runners.py:{name}", "--arithmetic", "float64"), said)


@pytest.mark.parametrize(("content", "said"), FILES)
@pytest.mark.parametrize("command", ["check", "lint", "explain"])
def test_a_file_without_claims_is_refused_in_one_line(run, folder, command, content, said):
    (folder / "bad.py").write_bytes(content)
    refused(run(command, "bad.py"), said)


def test_a_missing_file_and_a_folder_are_told_apart(run, folder):
    (folder / "folder.py").mkdir()
    refused(run("check", "missing.py"), "no file missing.py")
    refused(run("check", "folder.py"), "folder.py is a directory")


def test_two_claims_of_one_name_are_refused(run, folder):
    text = (folder / "theorems.py").read_text(encoding="utf-8").replace("Bound(", "Bound(source=USER.at('same'), ")
    (folder / "twice.py").write_text(text.replace("import Bound", "import Bound, USER"), encoding="utf-8")
    refused(run("check", "twice.py"), "two different claims are called 'user/same@printed'")


def test_an_error_in_a_users_file_is_told_by_file_and_line(run, folder, monkeypatch):
    text = (
        (folder / "problems.py").read_text(encoding="utf-8").replace("grad=lambda xp, x: x", "grad=lambda xp, x: undefined_name")
    )
    (folder / "problems.py").write_text(text, encoding="utf-8")
    words = ("check", "theorems.py:descent", "--problem", "problems.py:half")
    refused(run(*words), "problems.py:9: NameError: name 'undefined_name' is not defined")
    monkeypatch.setenv("BOUNDCHECK_DEBUG", "1")
    assert "Traceback" in run(*words).stderr


@pytest.mark.parametrize("formula", ["xp.coordinate(x, 0) ** 2", "xp.sin(xp.coordinate(x, 0))", "np.log(x).sum()"])
def test_a_formula_that_is_no_formula_is_told_what_it_may_be_made_of(run, folder, formula):
    lines = [
        "import numpy as np",
        "from boundcheck import *",
        f"p = Problem(name='p', f=lambda xp, x: {formula}, facts=set(), start=[2])",
    ]
    (folder / "mine.py").write_text("\n".join(lines), encoding="utf-8")
    refused(run("check", "theorems.py:descent", "--problem", "mine.py:p"), "write f with + - * / and xp.abs, sqrt, exp")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("given=Convex, states=f(x[k]) <= f(x[0])", "given= is a tuple of hypotheses, as in (Convex, Smooth); found "),
        ("states=f(x[k]) <= f(x[0]), for_all='k'", "for_all= is a range such as k >= 1; found 'k'"),
        ("states=0 <= delta[k] <= delta[0]", "has no truth value: boundcheck decides it with a verdict; a <= b <= c is chain("),
    ],
)
def test_a_claim_of_a_wrong_shape_is_told_the_right_one(run, folder, words, said):
    lines = ["from boundcheck import *", "from boundcheck.letters import *", f"c = Bound({words})"]
    (folder / "mine.py").write_text("\n".join(lines), encoding="utf-8")
    refused(run("check", "mine.py"), said)
