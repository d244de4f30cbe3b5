"""Whatever is wrong with the input: one line on stderr, exit 2, nothing on stdout."""

from __future__ import annotations

import pytest

HUBER = ("--problem", "huber")

WORDS = [
    (("check", "thm:polyac"), "no claim 'thm:polyac'; did you mean 'thm:polyak'?"),
    (("explain", "thm:polyac"), "no claim 'thm:polyac'; did you mean 'thm:polyak'?"),
    (("chek",), "did you mean 'check'"),
    (("check", "--jsn"), "did you mean one of: '--jobs', '--json'"),
    (("check", "--smoothness", "Q"), "'Q' is not one of"),
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
    (("check", "theorems.py:descent", "--problem", "problems.py"), "has 2 problem"),
    (
        ("check", "theorems.py:descent", "--problem", "logistic-40x5", "--arithmetic", "rational"),
        "cannot be evaluated in exact rationals",
    ),
    (("paper", "--out", "theorems.py"), "theorems.py is a file; --out needs a folder"),
]

RULES = [
    ("nan", "rule 'nan' returned nan at step 0 on huber; a step is a positive number"),
    ("infinite", "rule 'infinite' returned inf at step 0"),
    ("negative", "rule 'negative' returned -1"),
    ("raises", "rule 'raises' failed at step 0 on huber: ZeroDivisionError: division by zero"),
    ("nothing", "rule 'nothing' returned None at step 0 on huber; a step is a positive number"),
    ("text", "rule 'text' returned 'fast' at step 0 on huber; a step is a positive number"),
    ("shape", "rule 'shape' returned an array of shape (3,) at step 0 on huber; a step is one number a run"),
    ("two", "runners.py:two is a function, not a method"),
    ("math", "runners.py:math is a module, not a method"),
]

FILES = [
    (b"", "bad.py has no claim"),
    (b"answer = 42\n", "bad.py has no claim"),
    (b"a = (\n", "bad.py:1: syntax error"),
    (b'a = "\xff\xfe"\n', "utf-8"),
    (b"a\0b", "null bytes"),
    (b"import sys; sys.exit(0)", "ends the program"),
    (b"x = 1\ny = 1 / 0\n", "bad.py:2: ZeroDivisionError"),
    (b"from boundcheck.bound import Bound\nb = Bound(states=3)\n", "a bound states a relation"),
]


def refused(done, said):
    assert done.exit_code == 2
    assert done.stdout == ""
    assert said.lower() in done.stderr.lower()
    assert done.stderr.startswith("boundcheck: ") and done.stderr.count("\n") == 1


@pytest.mark.parametrize(("words", "said"), WORDS, ids=lambda value: " ".join(value) if isinstance(value, tuple) else "")
def test_a_wrong_word_is_refused_in_one_line(run, words, said):
    refused(run(*words), said)


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


def test_the_unexpected_says_how_to_see_more(run, folder, monkeypatch):
    text = (
        (folder / "problems.py").read_text(encoding="utf-8").replace("grad=lambda xp, x: x", "grad=lambda xp, x: undefined_name")
    )
    (folder / "problems.py").write_text(text, encoding="utf-8")
    words = ("check", "theorems.py:descent", "--problem", "problems.py:half")
    refused(run(*words), "NameError: name 'undefined_name' is not defined (set BOUNDCHECK_DEBUG=1 to see where)")
    monkeypatch.setenv("BOUNDCHECK_DEBUG", "1")
    assert "Traceback" in run(*words).stderr
