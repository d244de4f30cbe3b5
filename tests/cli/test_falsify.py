"""`boundcheck falsify`: what is found is certified and kept, what is not is said to be no proof, and nothing is left behind."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest

from boundcheck.certificates.write import NotCertified

CLAIMS = """
from fractions import Fraction
from boundcheck import Bound, Constant, Convex, Follows, GradientDescent, Smooth
from boundcheck.language.letters import Delta, L, delta, eta, f, i, k, tends, x

GD = (Convex, Smooth, GradientDescent())
long = Bound(given=(*GD, Follows(eta[i] == Fraction(21, 10) / L)), states=Delta[k + 1] <= Delta[k])
true = Bound(given=(*GD, eta[i] <= 2 / L), states=Delta[k + 1] <= Delta[k])
limit = Bound(given=GD, states=tends(delta[k], 0))
named = Bound(given=GD, states=delta[k] <= Constant("B"))
aimless = Bound(given=(Convex,), states=f(x[k + 1]) <= f(x[k]))
vacuous = Bound(given=(*GD, eta[i] <= -1 / L), states=f(x[k + 1]) <= f(x[k]))
untried = Bound(states=f(x[k + 1]) <= f(x[k]), untested="nobody has two runs yet")
"""
ONE = CLAIMS.partition("true =")[0]
KEYS = [
    *("claim", "hash", "outcome", "certified", "seconds", "candidates", "uncertified", "seed", "strategy", "ratio"),
    *("k", "dimension", "smoothness", "margin", "file", "certificate", "walkthrough"),
]
LIBRARY = "thm:polyak-alternate@printed"
linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
BOUNDCHECK = (sys.executable, "-m", "boundcheck")


@pytest.fixture
def claims(folder: Path) -> Path:
    (folder / "claims.py").write_text(CLAIMS, encoding="utf-8")
    (folder / "one.py").write_text(ONE, encoding="utf-8")
    return folder


@pytest.fixture
def before(claims: Path) -> set[Path]:
    """What the folder holds before a command."""
    return set(claims.iterdir())


def written(folder: Path, before: set[Path]) -> list[str]:
    return sorted(path.name for path in set(folder.iterdir()) - before if path.name != "__pycache__")


def test_a_false_claim_of_the_library_is_found_and_its_file_verifies(run, claims):
    done = run("falsify", LIBRARY, "--jobs", 1)
    assert done.exit_code == 1 and not done.stderr
    for text in ("is false: f(mean", "found by small rationals in", "k = 1", "Left side:", "boundcheck verify thm-polyak"):
        assert text in done.stdout
    kept = run("verify", "thm-polyak-alternate@printed.json")
    assert kept.exit_code == 0 and "refutes" in kept.stdout


def test_a_users_only_claim_needs_no_name_and_goes_where_out_says(run, claims, before):
    done = run("falsify", "one.py", "--jobs", 1, "--out", "new/here.json")
    assert done.exit_code == 1 and "the independent checker accepts the certificate: new/here.json" in done.stdout
    assert written(claims, before) == ["new"] and os.listdir("new") == ["here.json"]
    assert run("verify", "new/here.json").exit_code == 0


def test_a_true_claim_is_not_refuted_and_that_is_not_called_a_proof(run, claims, before):
    done = run("falsify", "claims.py:true", "--budget", 2, "--jobs", 1)
    assert done.exit_code == 3 and not done.stderr and not written(claims, before)
    assert "no counterexample in" in done.stdout and "the nearest left/right = 1" in done.stdout
    assert "This is not a proof" in done.stdout and "boundcheck falsify claims.py:true --budget 20 --seed 1" in done.stdout


def test_hypotheses_that_nothing_satisfies_are_suspected(run, claims):
    done = run("falsify", "claims.py:vacuous", "--budget", 1, "--jobs", 1)
    assert done.exit_code == 3 and "perhaps no candidate satisfied every hypothesis" in done.stdout


BAD = [
    (("thm:polyac",), "no claim 'thm:polyac'; did you mean 'thm:polyak'?"),
    (("eq:ad-4",), "'eq:ad-4' has 4 readings: eq:ad-4@printed, eq:ad-4@proved,"),
    (
        ("claims.py",),
        "claims.py has 7 claims: long, true, limit, named, aimless, vacuous, untried; name one, as in",
    ),
    (("claims.py:lon",), "claims.py has no 'lon'; did you mean 'long'?"),
    (("problems.py",), "problems.py has no claim"),
    (("nowhere.py:long",), "no file nowhere.py"),
    (("claims.py:limit",), "is a limit: no finite run refutes it"),
    (("claims.py:named",), "reads constants that no function of the search has: B"),
    (("claims.py:aimless",), "does not say which method it is about; write GradientDescent() in given"),
    (("claims.py:untried",), "cannot be tried: nobody has two runs yet"),
    (("prop:dirSmoothTight@printed",), "says that something exists: no instance refutes it"),
    (("claims.py:long", "--budget", "0"), "--budget is a number of seconds above 0; found 0"),
    (("claims.py:long", "--budget", "-3"), "--budget is a number of seconds above 0; found -3"),
    (("claims.py:long", "--budget", "nan"), "--budget is a number of seconds above 0; found nan"),
    (("claims.py:long", "--budget", "inf"), "--budget is a number of seconds above 0; found inf"),
    (("claims.py:long", "--budget", "soon"), "'soon' is not a valid float"),
    (("claims.py:long", "--jobs", "0"), "'--jobs'"),
    (("claims.py:long", "--seed", "-1"), "'--seed'"),
    (("claims.py:long", "--out", "."), ". is a directory; --out needs a file"),
    (("claims.py:long", "--out", "claims.py/here.json"), "claims.py/here.json cannot be written"),
    (("claims.py:long", "--out", "/proc/here.json"), "/proc/here.json cannot be written"),
    (("claims.py:long", "--out", "problems.py"), "problems.py exists and is not a certificate of this claim"),
]


@pytest.mark.parametrize(("words", "line"), BAD, ids=[" ".join(words) for words, _ in BAD])
def test_bad_input_is_one_line_before_any_search(run, claims, before, monkeypatch, words, line):
    monkeypatch.setattr(import_module("boundcheck.falsify.search"), "search", None)
    done = run("falsify", *words)
    assert done.exit_code == 2 and not done.stdout
    assert line in done.stderr and done.stderr.count("\n") == 1
    assert not written(claims, before)


def test_the_documentation_shows_what_is_printed(run, claims):
    text = (Path(__file__).parents[2] / "docs" / "falsify.md").read_text(encoding="utf-8")
    source = re.search(r"```python\n(.*?)```", text, re.S)
    shown = re.search(r"```text\n(.*?)```", text, re.S)
    assert source and shown
    (claims / "mine.py").write_text(source[1], encoding="utf-8")
    done = run("falsify", "mine.py")
    first, _, *rest = shown[1].splitlines()
    assert done.exit_code == 1 and done.stdout.splitlines()[0] == first and done.stdout.splitlines()[2:] == rest


def test_only_a_certificate_of_the_same_claim_is_written_over(run, claims):
    assert run("falsify", "claims.py:long", "--jobs", 1, "--out", "a.json").exit_code == 1
    first = Path("a.json").read_bytes()
    assert run("falsify", "claims.py:long", "--jobs", 1, "--out", "a.json", "--seed", 1).exit_code == 1
    other = run("falsify", "claims.py:true", "--jobs", 1, "--out", "a.json")
    assert other.exit_code == 2 and "a.json exists and is not a certificate of this claim" in other.stderr
    assert json.loads(Path("a.json").read_bytes())["hash"] == json.loads(first)["hash"]


def test_json_has_all_keys_and_the_whole_certificate(run, claims):
    done = run("falsify", "claims.py:long", "--jobs", 1, "--json")
    found = json.loads(done.stdout)
    assert done.exit_code == 1 and not done.stderr and list(found) == KEYS
    assert (found["claim"], found["outcome"], found["certified"], found["seed"]) == (
        "user/long@printed",
        "counterexample",
        True,
        0,
    )
    assert found["ratio"] == pytest.approx(1.21) and found["margin"] == pytest.approx(21 / 221)
    assert (found["k"], found["dimension"], found["smoothness"]) == (0, 1, None)
    assert found["certificate"] == json.loads(Path(found["file"]).read_bytes())
    assert found["certificate"]["hash"] == found["hash"] and found["certificate"]["run"]["roles"][""]["eta"] == ["21/10"]
    assert found["walkthrough"][0].startswith("1. Let f") and "false" in found["walkthrough"][-1]


def test_json_of_a_search_without_success_has_the_same_keys(run, claims, before):
    done = run("falsify", "claims.py:true", "--jobs", 1, "--json", "--budget", 1, "--seed", 7)
    found = json.loads(done.stdout)
    assert done.exit_code == 3 and list(found) == KEYS and not written(claims, before)
    assert (found["outcome"], found["certified"], found["seed"], found["ratio"]) == ("none", False, 7, 1.0)
    assert found["candidates"] > 1000 and found["seconds"] >= 1 and found["walkthrough"] == []
    assert all(found[key] is None for key in ("strategy", "k", "dimension", "margin", "file", "certificate"))


def test_one_seed_finds_the_same_with_any_number_of_processes(run, claims):
    def found(name: str, jobs: int, seed: int, *more: str) -> dict:
        done = run("falsify", name, "--jobs", jobs, "--seed", seed, "--json", *more)
        one = json.loads(done.stdout)
        assert done.exit_code == 1 and one.pop("seconds") > 0
        return one

    first, another = (found(LIBRARY, 1, seed, "--no-shrink") for seed in (0, 5))
    assert found(LIBRARY, 2, 0, "--no-shrink") == first and found(LIBRARY, 2, 5, "--no-shrink") == another
    assert first["certificate"] != another["certificate"]
    assert found("claims.py:long", 1, 0) == found("claims.py:long", 2, 0)


def test_what_cannot_be_certified_is_not_called_a_counterexample(run, claims, before, monkeypatch):
    def refuse(*found):
        raise NotCertified("two computations differ")

    monkeypatch.setattr(import_module("boundcheck.falsify.certificate_io"), "certificate_of", refuse)
    monkeypatch.setattr(import_module("boundcheck.falsify.gram_certificates.search"), "gram_certificate", refuse)
    done = run("falsify", "claims.py:long", "--jobs", 1, "--budget", 2)
    assert done.exit_code == 3 and not written(claims, before)
    assert "no counterexample in" in done.stdout and "could not be certified" in done.stdout and "false" not in done.stdout
    assert done.stderr.count("\n") == 1 and "is no counterexample: two computations differ" in done.stderr


def test_where_only_the_shrunk_form_is_refused_the_one_found_is_kept(run, claims, monkeypatch):
    from boundcheck.falsify.certificate_io import certificate_of

    seen = []

    def refuse_first(bound, candidate):
        seen.append(candidate)
        if len(seen) == 1:
            raise NotCertified("not this one")
        return certificate_of(bound, candidate)

    monkeypatch.setattr(import_module("boundcheck.falsify.certificate_io"), "certificate_of", refuse_first)
    done = run("falsify", "claims.py:long", "--jobs", 1)
    assert done.exit_code == 1 and len(seen) == 2 and seen[0] != seen[1] and "as found: dimension 1" in done.stdout


def test_what_the_checker_rejects_is_not_written(run, claims, before, monkeypatch):
    monkeypatch.setattr(import_module("boundcheck.verify"), "verify", lambda path: (1, "the sides differ"))
    done = run("falsify", "claims.py:long", "--jobs", 1)
    assert done.exit_code == 2 and not done.stdout and not written(claims, before)
    assert "the independent checker does not accept it: the sides differ" in done.stderr


# -- as the shell sees it ---------------------------------------------------------------------------------------------------


def started(folder: Path, *words: str, **options) -> subprocess.Popen:  # type: ignore[type-arg]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.Popen([*BOUNDCHECK, "falsify", *words], cwd=folder, text=True, start_new_session=True, **streams)


def workers(process: subprocess.Popen) -> list[int]:  # type: ignore[type-arg]
    """Its child processes, once both are there."""
    for _ in range(300):
        found = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        if len(found) == 2:
            return [int(pid) for pid in found]
        time.sleep(0.05)
    raise AssertionError("no two processes were started")


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def as_a_terminal_does(process: subprocess.Popen) -> None:  # type: ignore[type-arg]
    """Ctrl-C goes to all of them."""
    os.killpg(process.pid, signal.SIGINT)


@linux
@pytest.mark.parametrize("end", [as_a_terminal_does, subprocess.Popen.terminate], ids=["Ctrl-C", "SIGTERM"])
def test_an_interrupt_says_what_was_reached_and_leaves_nothing(claims, before, end):
    process = started(claims, "claims.py:true", "--budget", "300", "--jobs", "2")
    children = workers(process)
    time.sleep(1.5)
    end(process)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130 and not out
    assert err.startswith("boundcheck: interrupted after") and "candidates" in err and err.count("\n") == 1
    time.sleep(0.5)
    assert not any(map(is_running, children)) and not written(claims, before)


@linux
def test_a_killed_process_does_not_stop_the_search(claims):
    process = started(claims, "claims.py:true", "--budget", "5", "--jobs", "2", "--json")
    os.kill(workers(process)[0], signal.SIGKILL)
    began = time.monotonic()
    out, err = process.communicate(timeout=60)
    found = json.loads(out)
    assert process.returncode == 3 and not err and found["candidates"] > 1000 and time.monotonic() - began < 30


def test_a_terminal_shows_a_progress_line(claims, all_of):
    ours, theirs = pty.openpty()
    narrow = {**os.environ, "COLUMNS": "80", "TERM": "xterm"}
    process = started(claims, "claims.py:true", "--budget", "2", "--jobs", "1", stderr=theirs, env=narrow)
    os.close(theirs)
    shown = all_of(ours)
    out, _ = process.communicate(timeout=20)
    assert process.returncode == 3 and "no counterexample" in out
    assert b"/ 2 s  starting" in shown
    assert re.search(rb"/ 2 s  [0-9,]+ candidates, the nearest left/right = [0-9.]+; ", shown)
