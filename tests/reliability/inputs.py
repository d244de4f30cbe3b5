"""Inputs of every kind that boundcheck reads, broken in seeded ways: a file in the folder, and the command that reads it."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from boundcheck.cli import cli
from boundcheck.support.atomic_files import CHECKSUM, seal, sealed

from .breaking import ODD_NUMBERS, as_json, bytes_of, structure_of, words_of

REPOSITORY = Path(__file__).resolve().parents[2]
ONLY = ("--steps", "3", "--jobs", "1", "--arithmetic", "float64")
CLAIM = """
from fractions import Fraction
from boundcheck import Bound, Convex, Differentiable, GradientDescent, Parameter, Smooth, StronglyConvex
from boundcheck.language.letters import *

descent = Bound(
    title="descent",
    given=(Convex, Smooth, GradientDescent(), eta[i] <= 2 / L),
    states=f(x[k + 1]) - f(x[k]) <= -eta[k] * (1 - eta[k] * L / 2) * normsq(grad(x[k])),
    for_all=k >= 0,
)
rate = Bound(
    title="rate",
    given=(Convex, Smooth, GradientDescent(), eta[i] == 1 / L),
    states=f(mean(x[i], over=(i, 1, k))) - f(xstar) <= L * normsq(x[0] - xstar) / (2 * k),
    for_all=k >= 1,
)
"""
SPEC = """
claims = ["claims.py:descent"]
problems = ["parabola"]
methods = ["1/L"]
seeds = { from = 0, count = 2 }
arithmetic = ["float64"]
steps = 3
"""
CSV = "a,b,label\n" + "\n".join(f"{n % 7},{(n * n) % 5},{'yes' if (n * 3) % 4 < 2 else 'no'}" for n in range(20)) + "\n"
LIBSVM = "\n".join(f"{'+1' if (n * 3) % 4 < 2 else '-1'} 1:{n % 7} 2:{(n * n) % 5}" for n in range(20)) + "\n"
COMMANDS = (
    ("check", "gd.descent", "--problem", "parabola", "--method", "1/L", *ONLY),
    ("lint", "claims.py:descent"),
    ("steps", "--problem", "parabola", "--method", "polyak(1)", "--steps", "3"),
    ("explain", "thm:polyak"),
    ("list", "--json"),
    ("verify", "certificate.json"),
    ("new", "rule", "mine"),
    ("falsify", "claims.py:descent", "--budget", "0.2", "--jobs", "1"),
    ("report", "paper", "--out", "elsewhere"),
    ("figure", "nothing"),
)
NAMES = (
    "parabola",
    "huber",
    "1/L",
    "polyak(1)",
    "polyak(1/0)",
    "thm:polyak",
    "gd.descent",
    "claims.py",
    "rules.py:rule",
    ".",
    "/",
    "x" * 300,
)


class Inputs:
    """A folder with one whole input of each kind, and a way to break each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        templates = REPOSITORY / "boundcheck" / "cli" / "templates"
        self.problem, self.rule = (
            (templates / f"{kind}.tmpl").read_text(encoding="utf-8").replace("$name", "mine").replace("$file", "mine.py")
            for kind in ("problem", "rule")
        )
        self._write("claims.py", CLAIM)
        self.certificates = [path.read_bytes() for path in sorted(REPOSITORY.glob("theorems/**/certificates/*.json"))[:40]]
        self.certificates = self.certificates or [
            p.read_bytes() for p in sorted(REPOSITORY.glob("tests/certificates/wrong/*.json"))
        ]
        self._write("certificate.json", self.certificates[0])
        self._made = dict[str, Any]()
        self.kinds: dict[str, tuple[int, Callable[[random.Random], tuple[str, ...] | Callable[[], Any]]]] = {
            "certificates, bytes": (6, self._certificate_bytes),
            "certificates, structure": (12, self._certificate),
            "sweep TOML": (8, self._toml),
            "claim .py": (22, self._claim),
            "problem .py": (10, self._problem),
            "rule .py": (10, self._rule),
            "CSV, LIBSVM": (10, self._data),
            "Parquet traces": (10, self._parquet),
            "sweep store": (4, self._sweep_store),
            "paper store": (1, self._paper_store),
            "power .jsonl": (2, self._power),
            "audit JSON": (2, self._audit),
            "command lines": (14, self._command),
        }

    def one(self, kind: str, r: random.Random) -> tuple[str, ...] | Callable[[], Any]:
        """The words of a command whose input is broken, or a function to call."""
        return self.kinds[kind][1](r)

    def _write(self, name: str, content: str | bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
        return path

    def _run(self, *words: str) -> Any:
        with contextlib.chdir(self.folder):
            return CliRunner().invoke(cli, list(words))

    def _once(self, name: str, make: Callable[[], Any]) -> Any:
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]

    # -- certificates --------------------------------------------------------------------------------------------------------

    def _certificate_bytes(self, r: random.Random) -> tuple[str, ...]:
        self._write("broken.json", bytes_of(r.choice(self.certificates), r))
        return ("verify", "broken.json")

    def _certificate(self, r: random.Random) -> tuple[str, ...]:
        self._write("broken.json", as_json(structure_of(json.loads(r.choice(self.certificates)), r)))
        return ("verify", "broken.json")

    # -- what people write ---------------------------------------------------------------------------------------------------

    def _text(self, text: str, r: random.Random) -> bytes:
        if r.random() < 0.1:
            return bytes_of(text.encode(), r)
        return words_of(text, r).encode("utf-8", "surrogatepass")

    def _toml(self, r: random.Random) -> tuple[str, ...]:
        self._write("broken.toml", self._text(SPEC, r))
        return ("sweep", "broken.toml", "--fresh", "--jobs", "1")

    def _claim(self, r: random.Random) -> tuple[str, ...]:
        self._write("broken.py", self._text(CLAIM, r))
        name = r.choice(("broken.py", "broken.py:descent", "broken.py:rate"))
        return r.choice((("lint", name), ("explain", name), ("check", name, "--problem", "parabola", "--method", "1/L", *ONLY)))

    def _problem(self, r: random.Random) -> tuple[str, ...]:
        self._write("broken.py", self._text(self.problem, r))
        return ("check", "prop:convex-any-stepsize", "--problem", "broken.py:mine", "--method", "polyak(1)", *ONLY)

    def _rule(self, r: random.Random) -> tuple[str, ...]:
        self._write("broken.py", self._text(self.rule, r))
        return ("check", "prop:convex-any-stepsize", "--problem", "parabola", "--method", "broken.py:mine", *ONLY)

    def _data(self, r: random.Random) -> tuple[str, ...]:
        name, text = r.choice((("broken.csv", CSV), ("broken.libsvm", LIBSVM)))
        self._write(name, self._text(text, r))
        only = ("--method", "1/L", "--smoothness", "L", *ONLY)
        return ("check", "eq:local-descent-lemma", "--problem", name, *only)

    def _command(self, r: random.Random) -> tuple[str, ...]:
        words = list(r.choice(COMMANDS))
        for _ in range(r.choice((1, 1, 2, 3))):
            at = r.randrange(len(words))
            match r.randrange(4):
                case 0:
                    words[at] = r.choice((*NAMES, *ODD_NUMBERS, "--json", "--steps", "-", "--"))
                case 1:
                    words.insert(at, r.choice((*NAMES, *ODD_NUMBERS, "--json", "--out", "--problem")))
                case 2 if len(words) > 1:
                    del words[at]
                case _:
                    words[at] = words_of(words[at], r)
        long = ("paper", "power", "audit", "recertify", "certify", "rank", "tightness")  # by nature
        if words[0] in long or "\x00" in "".join(words):
            return ("list",)
        return (*words, "--budget", "0.2") if words[0] == "falsify" else tuple(words)

    # -- what boundcheck wrote -----------------------------------------------------------------------------------------------

    def _parquet(self, r: random.Random) -> Callable[[], Any]:
        import pyarrow.parquet

        from boundcheck.runs.trace import Trace

        def make() -> bytes:
            import numpy as np

            from boundcheck import Convex, Smooth

            x = np.array([[3.0, 1.0], [1.5, 0.5], [0.75, 0.25]])
            trace = Trace.from_arrays(
                x=x, f=(x**2).sum(-1) / 2, grad=x, eta=[0.5, 0.5], x_star=[0, 0], f_star=0, facts=[Convex(), Smooth(1)]
            )
            trace.to_parquet(self.folder / "whole.parquet")
            assert Trace.from_parquet(self.folder / "whole.parquet").steps.tolist() == [2]  # a whole one is read
            return (self.folder / "whole.parquet").read_bytes()

        whole = self._once("parquet", make)
        path = self.folder / "broken.parquet"
        if r.random() < 0.4:
            path.write_bytes(bytes_of(whole, r))
        else:
            table = pyarrow.parquet.read_table(self.folder / "whole.parquet")
            said = structure_of(json.loads(table.schema.metadata[b"boundcheck"]), r)
            if isinstance(said, dict) and r.random() < 0.8:
                said = sealed({key: value for key, value in said.items() if key != CHECKSUM})
            if r.random() < 0.2:
                table = table.drop_columns([r.choice(table.column_names)])
            pyarrow.parquet.write_table(table.replace_schema_metadata({b"boundcheck": as_json(said)}), path)
        return lambda: Trace.from_parquet(path)

    def _sweep_store(self, r: random.Random) -> tuple[str, ...]:
        def make() -> bytes:
            self._write("whole.toml", SPEC)
            assert self._run("sweep", "whole.toml", "--jobs", "1").exit_code != 2
            return (self.folder / "whole.sqlite").read_bytes()

        whole = self._once("sweep", make)
        for left in self.folder.glob("whole.sqlite*"):
            left.unlink()
        self._write("whole.sqlite", self._database(whole, r))
        return ("sweep", "whole.toml", "--jobs", "1")

    def _paper_store(self, r: random.Random) -> tuple[str, ...]:
        def make() -> bytes:
            from boundcheck import check, run
            from boundcheck.library.catalogue import find_bounds
            from boundcheck.store import PlannedWork, Store, pack
            from boundcheck.suite.grid import GridSetting  # noqa: F401

            bound = find_bounds("prop:convex-any-stepsize")[0]
            verdicts = [pack(v) for v in check(bound, run("parabola", "1/L", steps=3))]
            (self.folder / "paper").mkdir()
            with Store(self.folder / "paper" / "results.sqlite", write=True) as store:
                store.begin(
                    {"profile": "quick", "paper": None, "claims": {bound.id: bound.hash}},
                    {"started": "now"},
                    [PlannedWork("a", "everywhere", "a work")],
                )
                store.finish("a", verdicts)
                store.end("now")
            return (self.folder / "paper" / "results.sqlite").read_bytes()

        whole = self._once("paper", make)
        for left in (self.folder / "paper").glob("results.sqlite*"):
            left.unlink()
        self._write("paper/results.sqlite", self._database(whole, r))
        shutil.rmtree(self.folder / "elsewhere", ignore_errors=True)
        return ("report", "paper", "--out", "elsewhere", "--no-figures")

    def _database(self, whole: bytes, r: random.Random) -> bytes:
        """Bytes broken; or the words of a row, with the right checksum."""
        if r.random() < 0.5:
            return bytes_of(whole, r)
        path = self._write("resealed.sqlite", whole)
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.create_function("seal", -1, seal, deterministic=True)
            if r.random() < 0.6:
                name, value = r.choice(database.execute("SELECT name, value FROM about").fetchall())
                new = (
                    as_json(structure_of({"": json.loads(value)}, r)).decode()
                    if r.random() < 0.5
                    else as_json(structure_of(json.loads(value), r)).decode()
                )
                database.execute("UPDATE about SET value = ?, seal = ? WHERE name = ?", (new, seal(name, new), name))
            else:
                row = list(
                    r.choice(database.execute("SELECT work, number, claim, outcome, said, numbers FROM verdicts").fetchall())
                )
                row[4] = as_json(structure_of(json.loads(row[4]), r)).decode()
                database.execute(
                    "UPDATE verdicts SET said = ?, seal = ? WHERE work = ? AND number = ?", (row[4], seal(*row), *row[:2])
                )
            database.commit()
        return path.read_bytes()

    def _power(self, r: random.Random) -> Callable[[], Any]:
        from boundcheck.power.mutation_run import FateJournal

        words = dict.fromkeys(("claim", "mutant", "hash", "kind", "change", "how"), "a")
        fate = {"power": 2, **words, "fate": "killed", "seed": 0, "k": 1, "seconds": 0.1}
        said = structure_of({**fate, "of": "h", "contradicts": ""}, r)
        line = as_json(sealed({"power": 2, **said}) if isinstance(said, dict) and r.random() < 0.8 else said) + b"\n"
        self._write("broken.jsonl", bytes_of(line, r) if r.random() < 0.3 else line)
        return lambda: FateJournal(self.folder / "broken.jsonl").read()

    def _audit(self, r: random.Random) -> tuple[str, ...]:
        def make() -> dict[str, Any]:
            self._write("mine.py", self.rule)
            done = self._run(
                "audit", "mine.py:mine", "--problem", "parabola", "--steps", "5", "--seconds", "1", "--jobs", "1", "--json"
            )
            self._paper_store(random.Random(0))
            made: dict[str, Any] = json.loads(done.stdout)
            return made

        said = structure_of(self._once("audit", make), r)
        if isinstance(said, dict) and r.random() < 0.8:
            said = sealed({key: value for key, value in said.items() if key != CHECKSUM})
        self._write("broken.json", as_json(said))
        shutil.rmtree(self.folder / "elsewhere", ignore_errors=True)
        self._write("paper/results.sqlite", self._once("paper", lambda: b""))
        return ("report", "paper", "--out", "elsewhere", "--no-figures", "--audit", "broken.json")
