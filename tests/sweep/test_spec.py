"""A sweep's file: what it may say, and one line for whatever it may not. Nothing is written then."""

from __future__ import annotations

import pytest

from boundcheck.sweep import BadSpec, Sweep
from boundcheck.sweep.plan import reference

from .looking import edited, rows

WRONG = [
    ({"problem": '["huber"]'}, "small.toml: unknown key 'problem'; did you mean 'problems'?"),
    ({"claims": "[]"}, "small.toml: claims is empty; needs the name of a claim"),
    ({"problems": "[]"}, "small.toml: problems is empty; needs the name of a problem"),
    ({"methods": "[]"}, "small.toml: methods is empty; leave it out to try all, or name some"),
    ({"claims": '"thm:polyak"'}, "small.toml: claims is 'thm:polyak'; needs a list of names, such as claims = [\"thm:polyak\"]"),
    ({"claims": '["thm:polyac"]'}, "no claim 'thm:polyac'; did you mean 'thm:polyak'?"),
    ({"problems": '["hubert"]'}, "no problem 'hubert'; did you mean 'huber'? docs/problems.md lists them all"),
    ({"problems": '["huber", "huber"]'}, "small.toml: problems names 'huber' twice; once is enough"),
    (
        {"problems": '["power-law(dimensions=3)"]'},
        "'power-law(dimensions=3)': found 'dimensions=3'; did you mean 'dimension'?",
    ),
    ({"problems": '["power-law(dimension=x)"]'}, "found 'dimension=x'; needs a number, such as 3 or 1/2"),
    ({"problems": '["random-quadratic()"]'}, "problem 'random-quadratic()': missing a required argument: 'dimension'"),
    ({"problems": '["gone.py:f"]'}, "no file gone.py; give the path of a Python file, as in FILE.py:NAME"),
    ({"methods": '["rules.py:fast"]'}, "rules.py has no 'fast'; it has slow, nan"),
    ({"methods": '["1/L", "1/M"]'}, "no method '1/M'; did you mean '1/L'? docs/rules.md lists them all"),
    ({"smoothness": '["D", "B"]'}, "smoothness has 'B'; M is bound to D, A, H, L"),
    ({"seeds": "[]"}, "small.toml: seeds is []; needs whole numbers: a list, or { from = 0, count = 100 }"),
    ({"seeds": "[1, -2]"}, "small.toml: seeds has -2; needs numbers from 0 to 4294967295"),
    ({"seeds": "[1, 1]"}, "small.toml: seeds names 1 twice; once is enough"),
    ({"seeds": "[true]"}, "small.toml: seeds is [True]; needs whole numbers"),
    ({"seeds": "{ from = 1 }"}, "small.toml: seeds is {'from': 1}; needs a list, or { from = 0, count = 100 }"),
    ({"seeds": "{ from = 0, count = 1000000000 }"}, "small.toml: seeds has 1000000000 numbers; a sweep takes 10000000 at most"),
    ({"time_limit": "0"}, "small.toml: time_limit is 0; needs a number of seconds, or inf for none"),
    ({"time_limit": "nan"}, "small.toml: time_limit is nan; needs a number of seconds, or inf for none"),
    ({"steps": "0"}, "small.toml: steps is 0; needs a whole number, 1 or more"),
    ({"steps": "2.5"}, "small.toml: steps is 2.5; needs a whole number, 1 or more"),
    ({"bits": "64"}, "small.toml: bits is 64; needs 128 or more"),
    ({"arithmetic": '["flaot64"]'}, "flaot64"),
    ({"steps": "= 3"}, "small.toml is no TOML"),
]


@pytest.mark.parametrize(("keys", "said"), WRONG, ids=[next(iter(k)) + str(n) for n, (k, _) in enumerate(WRONG)])
def test_what_is_wrong_with_a_spec_is_one_line_and_nothing_is_written(run, folder, keys, said):
    edited(folder / "small.toml", **keys)
    before = sorted(path.name for path in folder.iterdir())
    done = run("small.toml")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("boundcheck: ") and done.stderr.count("\n") == 1 and said in done.stderr
    assert sorted(path.name for path in folder.iterdir() if path.name != "__pycache__") == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("none.toml",), "no file none.toml; docs/sweep.md has one to copy"),
        (("small.json",), "found 'small.json'; needs a sweep in SPEC.toml, or a Sweep in SPEC.py"),
        (("rules.py",), "rules.py has no sweep (a Sweep); write one at module level"),
        (
            ("small.toml", "--store", "nowhere/x.sqlite"),
            "nowhere/x.sqlite cannot be written, there is no folder nowhere; give another place with --store",
        ),
        (("small.toml", "--store", "."), ". is a directory; --store needs a file"),
        (("small.toml", "--out", "t.csv"), "--out t.csv: the table is Parquet; needs a name that ends with .parquet"),
        (("small.toml", "--jobs", "0"), "invalid value for '--jobs': 0 is not in the range x>=1"),
        (("small.toml", "--store", "small.parquet"), "--out small.parquet is another file of this sweep"),
        (("small.toml", "--store", "rules.py"), "rules.py cannot be used as a store of results (file is not a database)"),
        (("small.toml", "--cluster", "nonsense"), "--cluster nonsense is no address of a Dask scheduler"),
        (("small.toml", "--cluster", "tcp://127.0.0.1:9", "--jobs", "2"), "give one of them"),
    ],
)
def test_other_bad_input_is_one_line(run, folder, words, said):
    before = (folder / "rules.py").read_bytes()
    done = run(*words)
    assert done.exit_code == 2 and done.stderr.count("\n") == 1 and said in done.stderr
    assert not (folder / "small.parquet").exists() and (folder / "rules.py").read_bytes() == before


def test_a_sweep_in_python_is_the_same_as_in_toml(run, folder):
    (folder / "same.py").write_text(
        "from boundcheck.sweep import Sweep\n"
        "both = [f'{name}' for name in ('parabola', 'huber')]\n"
        "mine = Sweep(claims=['claims.py:descent'], problems=both, methods=['1/L'], smoothness=['D', 'H'], seeds=range(3),\n"
        "             arithmetic=['float64'], steps=4)\n",
        encoding="utf-8",
    )
    edited(folder / "small.toml", methods='["1/L"]', seeds="[0, 1, 2]")
    assert (run("same.py").exit_code, run("small.toml").exit_code) == (0, 0)
    assert (folder / "same.parquet").read_bytes() == (folder / "small.parquet").read_bytes()


def test_files_lie_beside_the_spec_wherever_it_is_run(run, folder, monkeypatch):
    edited(folder / "small.toml", seeds="[0]")
    monkeypatch.chdir("/")
    done = run(folder / "small.toml", "--store", folder / "s.sqlite", "--out", folder / "s.parquet", "--jobs", 1)
    assert done.exit_code == 0, done.output
    monkeypatch.chdir(folder)
    assert "2 of 4 works" not in done.stderr
    again = run("small.toml", "--store", "s.sqlite", "--out", "s.parquet")
    assert again.stderr.startswith("4 of 4 works are taken from s.sqlite")


def test_a_mistake_in_a_sweep_in_python_is_one_line_with_its_place(run, folder):
    text = "from boundcheck.sweep import Sweep\ns = Sweep(claims=[], problems=['huber'])\n"
    (folder / "bad.py").write_text(text, encoding="utf-8")
    done = run("bad.py")
    assert (done.exit_code, done.stderr) == (2, "boundcheck: bad.py:2: claims is empty; needs the name of a claim\n")


def test_a_sweep_is_a_value():
    one, other = (Sweep(claims=["a"], problems=("p",), seeds={"from": 3, "count": 2}) for _ in range(2))
    assert one == other and hash(one) == hash(other) and one.seeds == (3, 4)
    with pytest.raises(BadSpec, match="iterates is 1; needs true or false"):
        Sweep(claims=["a"], problems=["p"], iterates=1)


def test_the_file_in_a_name_is_found():
    for name, path in (
        ("mine.py:f", "mine.py"),
        ("a/mine.py", "a/mine.py"),
        ("x,y.csv", "x,y.csv"),
        ("data(x,y.csv, label=c, seed=3)", "x,y.csv"),
        ("data(x.txt)", "x.txt"),
    ):
        found = reference(name)
        assert found is not None and found.path == path and found.at(path) == name
    assert reference("huber") is None and reference("power-law(dimension=3)") is None


def test_every_combination_that_can_be_asked_is_a_row(run, folder):
    assert run("small.toml").exit_code == 0
    found = {(row["problem"], row["method"], row["M"], row["seed"]) for row in rows("small.parquet")}
    assert found == {(p, m, s, n) for p in ("parabola", "huber") for m in ("slow", "1/L") for s in "DH" for n in range(6)}
