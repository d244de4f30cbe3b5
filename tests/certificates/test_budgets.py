"""Files that ask for more bits, operations or time than a counterexample needs: exit 2, soon and in little memory."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flint import fmpq

from boundcheck import Bound, Convex, GradientDescent
from boundcheck.claims.hypotheses import By
from boundcheck.cli import cli
from boundcheck.language.letters import Sum, eta, f, grad, i, j, k, mean, x
from boundcheck.language.scalars import NONE, Log, Number, Term
from boundcheck.language.tree import Index
from boundcheck.model.method import Method, Update
from boundcheck.verify.budgets import BUDGET, BYTES

from .making import claim, made, one_run

verify = import_module("boundcheck.verify")  # the module: `boundcheck.verify` is the function

MEMORY, CPU = 700 * 2**20, 3.0  # bytes, of which the interpreter and flint need some 100 MB; seconds, its start included
PARABOLA = {"kind": "quadratic", "matrix": [["1"]], "minimiser": ["0"]}
p, q = Index("p"), Index("q")


def z(index: Index) -> Term:
    return Term("z", index, NONE)


def growing(first: Any, to: Any) -> Method:
    """Gradient descent that carries a number z along."""
    return Method(
        name="growing",
        first=(Update(z(Index(None, 0)), Number(Fraction(first))),),
        each=(Update(x[k + 1], x[k] - eta[k] * grad(x[k])), Update(z(k + 1), to)),
    )


def of_z(first: Any, to: Any, steps: int = 60) -> dict[str, Any]:
    bound = Bound(given=(By(growing(first, to)),), states=z(k) <= 0)
    return made(bound, "1", "0", at=steps, function=PARABOLA, run=one_run(["1"], ["1/2"] * steps))


def of_gradient_descent(states: Any, at: int, function: Any = PARABOLA, start: Any = ("1",), **parts: Any) -> dict[str, Any]:
    bound = Bound(given=(GradientDescent(),), states=states)
    return made(bound, "1", "0", at=at, function=function, run=one_run(list(start), ["1/2"] * at), **parts)


def four_sums() -> dict[str, Any]:
    inner = Sum(Sum(Sum(Sum(eta[q], q, 0, k - 1), p, 0, k - 1), j, 0, k - 1), i, 0, k - 1)
    return of_gradient_descent(inner <= 0, at=200)


def a_claim_of_the_library_at_k_9999() -> dict[str, Any]:
    bound = claim("thm:polyak-alternate@printed")
    numbers = {"parameters": {"gamma": "3/2"}, "minimiser": ["0"], "smoothness": None}
    return made(bound, "1", "0", at=9999, function=PARABOLA, run=one_run(["1"], ["1/3"] * 10_000), **numbers)


def powers_of_powers() -> dict[str, Any]:
    tower = eta[0]
    for _ in range(6):
        tower = tower**10_000
    return of_gradient_descent(tower >= 1, at=1)


def many_dimensions(d: int) -> dict[str, Any]:
    ridge = {"direction": ["0"] * d, "function": {"kind": "logistic pair"}}
    return of_gradient_descent(f(x[k]) <= 0, at=1, function={"kind": "ridge sum", "terms": [ridge]}, start=("0",) * d)


def a_full_matrix(d: int) -> dict[str, Any]:
    rows = [["2" if a == b else "1" for a in range(d)] for b in range(d)]
    function = {"kind": "quadratic", "matrix": rows, "minimiser": ["0"] * d}
    bound = Bound(given=(Convex, GradientDescent()), states=f(x[k]) <= 0)
    return made(bound, "1", "0", at=0, function=function, run=one_run(["1"] * d, ["1"]))


def a_large_table(n: int) -> dict[str, Any]:
    line = [str(m) for m in range(n)]
    function = {
        **{"kind": "interpolation", "L": "2", "mu": "1/2"},
        **{
            "points": [[m] for m in line],
            "gradients": [[m] for m in line],
            "values": [str(fmpq(m * m, 2)) for m in range(n)],
        },
    }
    return of_gradient_descent(f(x[k]) <= 0, at=0, function=function)


def many_knots(n: int) -> dict[str, Any]:
    line = [str(m) for m in range(n)]
    function = {
        **{"kind": "piecewise quadratic", "knots": line, "gradients": line},
        **{"left_slope": "1", "right_slope": "1", "value_at": ["0", "0"]},
    }
    return of_gradient_descent(f(x[k]) <= 0, at=100, function=function)


def means_of_means() -> dict[str, Any]:
    point = x[i]
    for over, inside in ((i, j), (j, p), (p, q)):
        point = mean(point, over=(over, 0, inside))
    return of_gradient_descent(f(mean(point, over=(q, 0, k))) <= 0, at=60)


def exponentials_of_exponentials() -> dict[str, Any]:
    return of_gradient_descent(f(x[k]) <= 0, at=40, function={"kind": "power", "p": "100"}, start=("1000000",))


ATTACKS: dict[str, Any] = {
    "z becomes z^2, 60 times": lambda: of_z(3, z(k) * z(k)),
    "z becomes z^2, from 1/3": lambda: of_z(Fraction(1, 3), z(k) * z(k)),
    "z becomes z^2, as a ball": lambda: of_z(3, z(k) ** 2 + Log(Number(Fraction(2))), 2000),
    "z becomes 1/z^2, as a ball": lambda: of_z(3, 1 / (z(k) * z(k) + Log(Number(Fraction(2)))) ** 2, 2000),
    "z becomes z^10000": lambda: of_z(3, z(k) ** 10_000),
    "four nested sums": four_sums,
    "a claim of the library, k = 9999": a_claim_of_the_library_at_k_9999,
    "powers of powers": powers_of_powers,
    "20000 dimensions": lambda: many_dimensions(20_000),
    "999 dimensions": lambda: many_dimensions(999),
    "a full matrix": lambda: a_full_matrix(300),
    "a table of 300 points": lambda: a_large_table(300),
    "20000 knots": lambda: many_knots(20_000),
    "means of means": means_of_means,
    "100th powers of 100th powers": exponentials_of_exponentials,
}


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


@pytest.mark.parametrize("name", ATTACKS)
def test_a_file_that_asks_too_much_is_refused_soon_and_in_little_memory(name: str, tmp_path: Path) -> None:
    path = tmp_path / "attack.json"
    path.write_text(json.dumps(ATTACKS[name]()))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-I", str(Path(verify.__file__).parent), str(path)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=_limited,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert done.returncode == verify.MALFORMED and not done.stderr, (done.returncode, done.stdout[:500], done.stderr[-500:])
    assert "too large: " in done.stdout or "from 1 to 1000 variables" in done.stdout, done.stdout
    assert done.stdout.count("\n") == 1 and len(done.stdout) < 1000
    assert spent < CPU, spent


def test_the_count_of_operations_does_not_depend_on_the_machine(tmp_path: Path) -> None:
    """Given all the time in the world, a file is refused by the count alone."""
    found = verify.examine(json.dumps(four_sums()).encode(), seconds=10_000)
    assert found.outcome == "too large" and "operations" in found.line


def test_a_number_that_doubles_its_length_at_each_step_is_refused_by_its_bits() -> None:
    found = verify.examine(json.dumps(of_z(3, z(k) * z(k))).encode())
    assert found.outcome == "too large" and "bits" in found.line


def test_the_command_has_a_limit_on_the_clock(tmp_path: Path) -> None:
    path = tmp_path / "attack.json"
    path.write_text(json.dumps(four_sums()))
    done = CliRunner().invoke(cli, ["verify", "--seconds", "0.01", str(path)])
    assert done.exit_code == 2 and "more time than is allowed" in done.stderr and done.stderr.count("\n") == 1
    assert verify.SECONDS == 60 and "60 where it is not given" in CliRunner().invoke(cli, ["verify", "--help"]).output
    for seconds in ("0", "-1", "nan"):
        done = CliRunner().invoke(cli, ["verify", "--seconds", seconds, str(path)])
        assert done.exit_code == 2 and "above 0" in done.stderr, done.stderr


def test_a_file_of_more_bytes_than_any_certificate_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    path.write_bytes(b" " * (BYTES + 1))
    code, line = verify.verify(str(path))
    assert code == verify.MALFORMED and "bytes" in line


def test_after_a_file_that_was_too_large_there_is_no_limit_left_over() -> None:
    verify.examine(json.dumps(four_sums()).encode())
    assert BUDGET.work == BUDGET.until == float("inf")


def test_a_counterexample_of_some_length_is_within_the_budgets() -> None:
    """300 steps, and a double sum over them."""
    bound = Bound(given=(GradientDescent(),), states=Sum(Sum(eta[j], j, 0, i), i, 0, k - 1) <= 0)
    data = made(bound, "22575", "0", at=300, function=PARABOLA, run=one_run(["1"], ["1/2"] * 301))
    found = verify.examine(json.dumps(data).encode())
    assert found.code == verify.REFUTES, found.line
