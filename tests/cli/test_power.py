"""`boundcheck power`: the report, and that no kill, death, interrupt or number of processes changes it."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from boundcheck.library.catalogue import find_bounds
from boundcheck.power import fates as power
from boundcheck.power.corpus import kills
from boundcheck.power.fates import IMPLIED, KILLED, SURVIVED, TRUE, Fate

CHORDS, CURVED = "lemma:directional-smoothness.convexity", "eq:directional-sc-constant.not-negative"
CLAIMS = """
from boundcheck import Bound, Convex, GradientDescent, Smooth
from boundcheck.language.letters import Delta, L, delta, eta, i, k, tends

GD = (Convex, Smooth, GradientDescent())
closer = Bound(given=(*GD, eta[i] <= 2 / L), states=Delta[k + 1] <= Delta[k])
limit = Bound(given=GD, states=tends(delta[k], 0))
"""
KEYS = [
    *("score", "enough", "counts", "by_kind", "by_how", "survivors", "contradictions", "not_mutated", "unfinished"),
    *("seconds", "seed"),
]
FIELDS = ["claim", "mutant", "hash", "kind", "change", "fate", "how", "k", "seconds", "seed", "of", "contradicts"]
linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@pytest.fixture(scope="module")
def corpus() -> None:
    """Its problems are made once, here, and found there by the forked processes."""
    kills(find_bounds(CHORDS)[0], [])


@pytest.fixture
def claims(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (folder / "claims.py").write_text(CLAIMS, encoding="utf-8")
    monkeypatch.setattr(power, "TASKS", 2)
    monkeypatch.setattr(power, "DOUBTING", {power.IMPLIED: 1, power.TRUE: 1})
    monkeypatch.setattr(power, "_true_by_sdp", lambda bound: "")
    monkeypatch.setattr(power, "true_claims", tuple)
    return folder


def fake(word: str = KILLED, how: str = "lint"):
    """Fates without any work."""

    def fates(bound, done, seed):
        about = {"claim": bound.id, "claim_hash": bound.hash, "mutant": "m", "change": "c"}
        for mutant in power.mutants(bound):
            name = mutant.bound.hash
            made = Fate(fate=word, how=how, seed=seed, hash=name, kind=mutant.kind, **about)
            yield done.get((name, seed), made)

    return fates


def timeless(text: str) -> list[dict]:
    """The lines of a store, whatever their order and times."""
    lines = [json.loads(line) for line in text.splitlines()]
    return sorted(({**line, "seconds": 0, "checksum": ""} for line in lines), key=lambda line: line["mutant"])


# -- the report ----------------------------------------------------------------------------------------------------------------


def test_the_report_counts_every_mutant_and_lists_every_survivor(run, claims, corpus):
    done = run("power", CHORDS, CURVED, "claims.py:closer", "--jobs", 1, "--out", "new/report.md", "--json")
    found = json.loads(done.stdout)
    assert not done.stderr and list(found) == KEYS and found["seed"] == 0 and found["seconds"] > 0
    counts = found["counts"]
    assert counts["claims"] == 3 and counts["mutants"] == sum(counts[word] for word in (KILLED, IMPLIED, TRUE, SURVIVED))
    assert counts["mutants"] == len(Path("power.jsonl").read_text().splitlines()) == counts[KILLED] + len(found["survivors"])
    assert (
        found["score"] == counts[KILLED] / (counts[KILLED] + counts[SURVIVED]) and sum(found["by_how"].values()) == counts[KILLED]
    )
    assert {"lint", "corpus"} <= set(found["by_how"]) and list(found["survivors"][0]) == FIELDS
    assert done.exit_code == (0 if found["enough"] else 1) and found["enough"] == (found["score"] >= 0.9)
    report = Path("new/report.md").read_text(encoding="utf-8")
    assert report.startswith(f"# Mutation score: {found['score']:.4f}\n")
    for one in found["survivors"]:
        assert one["change"] in report and one["how"] in report and one["claim"] in report
    again = run("power", CHORDS, CURVED, "claims.py:closer", "--jobs", 1)
    assert again.stdout == report and again.exit_code == done.exit_code


@pytest.mark.parametrize(("word", "code", "score"), [(KILLED, 0, 1.0), (SURVIVED, 1, 0.0), (IMPLIED, 1, None)])
def test_the_exit_code_follows_the_score(run, claims, monkeypatch, word, code, score):
    monkeypatch.setattr(power, "find_fates", fake(word))
    done = run("power", CHORDS, "--json")
    assert done.exit_code == code and json.loads(done.stdout)["score"] == score


def test_claims_without_mutants_are_listed_with_why(run, claims, monkeypatch):
    monkeypatch.setattr(power, "find_fates", fake())
    names = (CHORDS, "claims.py:limit", "thm:polyak-alternate", "thm:ngd.rate")
    left_out = {one["claim"]: one["why"] for one in json.loads(run("power", *names, "--json").stdout)["not_mutated"]}
    assert left_out["user/limit@printed"] == "the claim is a limit, which no finite run breaks"
    assert "is false" in left_out["directional-smoothness/thm:polyak-alternate@printed"]
    assert "is not tested: eta_0" in left_out["directional-smoothness/thm:ngd.rate@printed"]
    assert "directional-smoothness/thm:polyak-alternate@proved" not in left_out
    assert "- `user/limit@printed`: the claim is a limit" in run("power", *names).stdout


def test_a_contradiction_is_shown_and_fails(run, claims, corpus, monkeypatch):
    monkeypatch.setattr("boundcheck.power.fates.explain_mutant", lambda original, mutant, library: "I say so")
    done = run("power", CHORDS, "--jobs", 1)
    assert done.exit_code == 1 and "# Mutation score: 1.0000" in done.stdout and "## Contradictions" in done.stdout
    assert "killed by corpus: parabola by chords at k = 0; but I say so" in done.stdout
    found = json.loads(run("power", CHORDS, "--jobs", 1, "--json").stdout)
    assert found["counts"]["contradictions"] == len(found["contradictions"]) == 3 and not found["enough"]


# -- bad input -----------------------------------------------------------------------------------------------------------------

BAD = [
    (("thm:polyac",), "no claim 'thm:polyac'; did you mean 'thm:polyak'?"),
    (("claims.py:limit",), "there is nothing to change: user/limit@printed: the claim is a limit"),
    (("thm:polyak-alternate@printed",), "the claim is false"),
    ((CHORDS, "--jobs", "0"), "'--jobs'"),
    ((CHORDS, "--seed", "-1"), "'--seed'"),
    ((CHORDS, "--out", "."), ". is a directory; --out needs a file"),
    ((CHORDS, "--out", "claims.py"), "claims.py exists and is no report of this command"),
    ((CHORDS, "--out", "a", "--store", "a"), "--out and --store are both a"),
    ((CHORDS, "--store", "claims.py"), "claims.py is no store of `boundcheck power`: see its line 2"),
    ((CHORDS, "--store", "."), "Is a directory"),
    ((CHORDS, "--store", "claims.py/x.jsonl"), "claims.py"),
]


@pytest.mark.parametrize(("words", "line"), BAD, ids=[" ".join(words) for words, _ in BAD])
def test_bad_input_is_one_line_and_nothing_is_touched(run, claims, monkeypatch, words, line):
    monkeypatch.setattr(power, "find_fates", None)
    before = {path: path.read_bytes() for path in claims.iterdir() if path.is_file()}
    done = run("power", *words)
    assert done.exit_code == 2 and not done.stdout and line in done.stderr and done.stderr.count("\n") == 1
    assert {path: path.read_bytes() for path in claims.iterdir() if path.is_file()} == before


# -- the store -----------------------------------------------------------------------------------------------------------------


def test_fates_do_not_depend_on_the_number_of_processes(run, claims, corpus):
    names = (CHORDS, CURVED, "claims.py:closer")
    for jobs in (1, 2):
        run("power", *names, "--jobs", jobs, "--store", f"{jobs}.jsonl", "--out", f"{jobs}.md")
    one, two = (Path(f"{jobs}.jsonl").read_text(encoding="utf-8") for jobs in (1, 2))
    assert len(one.splitlines()) > 20 and timeless(one) == timeless(two)
    pages = [[line for line in Path(f"{n}.md").read_text().splitlines() if "s of work" not in line] for n in (1, 2)]
    assert pages[0] == pages[1]


def test_a_store_that_was_cut_gives_the_same_report_and_only_what_is_missing_is_done(run, claims, monkeypatch):
    monkeypatch.setattr(power, "find_fates", fake())
    whole = run("power", CHORDS, CURVED, "--json").stdout
    lines = Path("power.jsonl").read_bytes().splitlines(keepends=True)
    Path("power.jsonl").write_bytes(b"".join(lines[:4]) + lines[4][:77])
    assert run("power", CHORDS, CURVED, "--json").stdout == whole
    after = Path("power.jsonl").read_bytes().splitlines(keepends=True)
    assert after[:4] == lines[:4] and len(after) == len(lines) + 1 and sorted(after[5:]) == sorted(lines[4:])
    assert run("power", CHORDS, CURVED, "--json").stdout == whole
    assert Path("power.jsonl").read_bytes().splitlines(keepends=True) == after


def test_what_another_seed_or_another_claim_found_is_not_used(run, claims, monkeypatch):
    def score(*more: object) -> float:
        return json.loads(run("power", "claims.py:closer", "--json", *more).stdout)["score"]

    monkeypatch.setattr(power, "find_fates", fake(KILLED))
    assert score() == 1
    monkeypatch.setattr(power, "find_fates", fake(SURVIVED))
    assert score() == 1 and score("--seed", 1) == 0
    Path("claims.py").write_text(CLAIMS.replace("2 / L", "1 / L"), encoding="utf-8")
    assert score() == 0
    Path("claims.py").write_text(CLAIMS, encoding="utf-8")
    assert score() == 1


# -- deaths --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_process_that_dies_is_replaced_and_what_it_found_is_kept(run, claims, monkeypatch, jobs):
    usual = fake()

    def fates(bound, done, seed):
        for number, fate in enumerate(usual(bound, done, seed)):
            if number == 3 and CHORDS in bound.id and not Path("died").exists():
                Path("died").touch()
                os.kill(os.getpid(), signal.SIGKILL)
            yield fate

    monkeypatch.setattr(power, "find_fates", fates)
    done = run("power", CHORDS, CURVED, "--jobs", jobs)
    lines = Path("power.jsonl").read_text().splitlines()
    assert done.exit_code == 0 and Path("died").exists() and "11 mutants of 2 claims: 11 killed" in done.stdout
    assert len(lines) == len(set(lines)) == 11


def test_a_claim_that_always_kills_its_process_is_given_up_and_the_rest_is_done(run, claims, monkeypatch):
    usual = fake()

    def fates(bound, done, seed):
        if CHORDS in bound.id:
            os.kill(os.getpid(), signal.SIGKILL)
        yield from usual(bound, done, seed)

    monkeypatch.setattr(power, "find_fates", fates)
    found = json.loads((done := run("power", CHORDS, CURVED, "--json")).stdout)
    assert done.exit_code == 1 and found["score"] == 1 and not found["enough"] and found["counts"]["claims"] == 1
    assert [one["why"] for one in found["unfinished"]] == ["its process died 3 times, the last with exit code -9"]


def test_an_error_in_one_claim_is_told_and_the_rest_is_done(run, claims, monkeypatch):
    usual = fake()

    def fates(bound, done, seed):
        for number, fate in enumerate(usual(bound, done, seed)):
            if CHORDS in bound.id and number == 2:
                raise ZeroDivisionError("by nothing")
            yield fate

    monkeypatch.setattr(power, "find_fates", fates)
    done = run("power", CHORDS, CURVED)
    assert done.exit_code == 1 and "## Not finished" in done.stdout and "ZeroDivisionError: by nothing" in done.stdout
    assert "7 mutants of 2 claims" in done.stdout


def test_a_store_that_cannot_be_written_ends_it_in_one_line(run, claims, monkeypatch):
    def refuse(self, entry):
        raise OSError(28, "No space left on device", str(self.path))

    monkeypatch.setattr(power, "find_fates", fake())
    monkeypatch.setattr("boundcheck.power.mutation_run.FateJournal.add", refuse)
    done = run("power", CHORDS, CURVED)
    assert done.exit_code == 2 and not done.stdout and done.stderr == "boundcheck: power.jsonl: No space left on device\n"


# -- as the shell sees it --------------------------------------------------------------------------------------------------------

SLOW = """
import time
from boundcheck.cli import main
from boundcheck.power import fates as power

power.TASKS, power.true_claims, usual = 2, tuple, power.find_fates
power._true_by_sdp = lambda bound: ""

def quick(bound, done, seed):
    for mutant in power.mutants(bound):
        about = dict(claim=bound.id, mutant=mutant.bound.id, hash=mutant.bound.hash, kind=mutant.kind, change=mutant.change)
        yield power.Fate(**about, claim_hash=bound.hash, fate="killed", how="lint", seed=seed)

def fates(bound, done, seed):
    for fate in (usual if {real} else quick)(bound, done, seed):
        time.sleep({pause} * (fate.key not in done))
        yield fate

power.find_fates = fates
main()
"""
NAMES = (CHORDS, CURVED, "path-smoothness.at-most-D")


def started(folder: Path, pause: float, *words: str, real: bool = False, **options) -> subprocess.Popen:  # type: ignore[type-arg]
    (folder / "slow.py").write_text(SLOW.format(pause=pause, real=real), encoding="utf-8")
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    command = [sys.executable, "slow.py", "power", *NAMES, *words]
    return subprocess.Popen(command, cwd=folder, text=True, start_new_session=True, **streams)


def wait_for_lines(store: Path, count: int) -> None:
    for _ in range(600):
        if store.is_file() and store.read_bytes().count(b"\n") >= count:
            return
        time.sleep(0.05)
    raise AssertionError(f"{store.name} did not come to {count} lines")


def children(process: subprocess.Popen) -> list[int]:  # type: ignore[type-arg]
    return [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


def gone(pids: list[int]) -> bool:
    def is_running(pid: int) -> bool:
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
        except OSError:
            return False

    for _ in range(100):
        if not any(map(is_running, pids)):
            return True
        time.sleep(0.05)
    return False


@linux
def test_after_a_kill_the_same_command_does_the_rest_and_ends_with_the_same_report(run, claims, corpus):
    straight = run("power", *NAMES, "--jobs", 2, "--store", "straight.jsonl")
    process = started(claims, 0.3, "--jobs", "2", real=True)
    wait_for_lines(claims / "power.jsonl", 7)
    workers = children(process)
    process.kill()
    process.communicate(timeout=20)
    assert len(workers) == 2 and gone(workers)  # nobody goes on alone
    kept = Path("power.jsonl").read_bytes()
    assert 7 <= kept.count(b"\n") < 19
    done = run("power", *NAMES, "--jobs", 2)
    assert Path("power.jsonl").read_bytes().startswith(kept)
    assert timeless(Path("power.jsonl").read_text()) == timeless(Path("straight.jsonl").read_text())
    pages = [[line for line in one.stdout.splitlines() if "s of work" not in line] for one in (straight, done)]
    assert pages[0] == pages[1] and done.exit_code == straight.exit_code


@linux
@pytest.mark.parametrize("end", ["Ctrl-C", "SIGTERM"])
def test_an_interrupt_ends_at_once_and_says_how_far_it_came(claims, end):
    process = started(claims, 1.5, "--jobs", "2")
    wait_for_lines(claims / "power.jsonl", 2)
    workers = children(process)
    began = time.monotonic()
    os.killpg(process.pid, signal.SIGINT) if end == "Ctrl-C" else process.terminate()
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130 and not out and time.monotonic() - began < 3 and gone(workers)
    assert err.startswith("boundcheck: interrupted after ") and err.count("\n") == 1
    assert " of about " in err and " killed, " in err and "power.jsonl: the same command goes on" in err


def test_a_terminal_shows_how_far_it_is_and_a_pipe_nothing(claims, all_of):
    ours, theirs = pty.openpty()
    wide = {**os.environ, "COLUMNS": "200", "TERM": "xterm"}
    process = started(claims, 0.1, "--jobs", "1", stderr=theirs, env=wide)
    os.close(theirs)
    shown = all_of(ours)
    out, _ = process.communicate(timeout=60)
    assert "# Mutation score" in out and b"killed, " in shown and b" explained, " in shown
    assert b" of about " in shown and b" left" in shown and b"0:00:0" in shown
