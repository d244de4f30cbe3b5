"""`boundcheck tightness CLAIM`: worst cases of any claim, of the library or of a file, with its own steps if they are numbers."""

import json

import pytest
from click.testing import CliRunner

import boundcheck
from boundcheck import Bound, Convex, Follows, GradientDescent, Smooth
from boundcheck.cli import cli
from boundcheck.gram.affine import NotModelled
from boundcheck.letters import Delta, L, delta, eta, i, k, norm, x, xstar

FILE = """
from boundcheck import Bound, Convex, Differentiable, Follows, GradientDescent, Parameter, Smooth, StronglyConvex
from boundcheck.letters import *

GD = (Convex, Smooth, GradientDescent(), Follows(eta[i] == 1 / L))
rate = Bound(given=GD, states=delta[k] <= L * Delta[0] / (4 * k + 2), for_all=k >= 1)
free = Bound(given=(Convex, Smooth, GradientDescent(), eta[i] <= 1 / L), states=delta[k] <= delta[0])
adapted = Bound(
    given=(Convex, Differentiable, GradientDescent(), Follows(eta[i] == 1 / M(x[i], x[i + 1]))),
    states=delta[k] <= Delta[0] / (2 * Sum(eta[i], i, 0, k - 1)),
    for_all=k >= 1,
)
contraction = Bound(
    given=(StronglyConvex, Smooth, GradientDescent(), Follows(eta[i] == 2 / (L + mu_f))),
    states=norm(x[k] - xstar) <= ((L - mu_f) / (L + mu_f)) ** k * norm(x[0] - xstar),
)
nonconvex = Bound(
    given=(Smooth, GradientDescent(), Follows(eta[i] == 1 / L)),
    states=Min(normsq(grad(x[i])), i, 0, k) <= 2 * L * delta[0] / (k + 1),
    for_all=k >= 1,
)
product = Bound(given=GD, states=delta[k] * Delta[k] <= L * Delta[0])
by_the_run = Bound(given=(Convex, GradientDescent(), Follows(eta[i] == delta[i])), states=Delta[k] <= Delta[0])
"""


@pytest.fixture
def tightness(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(FILE, encoding="utf-8")

    def run(name, *words):
        done = CliRunner().invoke(cli, ["tightness", f"{file}:{name}", "--jobs", "1", *words])
        return done.exit_code, done.stdout, done.stderr

    return run


def rows(answer):
    code, out, err = answer
    assert code in (0, 1, 3), err
    return json.loads(out)


def test_a_rate_of_a_file_at_each_k_with_its_own_steps(tightness):
    found = rows(tightness("rate", "--k", "3", "--json"))
    assert [row["k"] for row in found] == [1, 2, 3]
    assert [row["worst"] for row in found] == pytest.approx([1 / 6, 1 / 10, 1 / 14], rel=1e-5)
    assert all(row["given"] == "L = 1, eta_i = 1 by its own formula" for row in found)
    (other,) = rows(tightness("rate", "--k", "2..2", "--L", "3", "--json"))
    assert other["worst"] == pytest.approx(3 / 10, rel=1e-5) and other["given"] == "L = 3, eta_i = 1/3 by its own formula"


def test_steps_that_are_free_are_given_or_said_to_be_chosen(tightness):
    (chosen,) = rows(tightness("free", "--k", "1..1", "--json"))
    assert chosen["given"].endswith("eta_i = 1 chosen: it leaves them free")
    (given,) = rows(tightness("free", "--k", "1..1", "--steps", "1/2", "--json"))
    assert given["given"].endswith("eta_i = 1/2 as given") and given["ratio"] == pytest.approx(1, abs=1e-4)
    code, out, err = tightness("free", "--k", "1..1", "--steps", "3/2")
    assert (code, out) == (2, "") and "hypothesis" in err and err.count("\n") == 1


def test_values_of_M_give_the_steps_of_their_formula(tightness):
    (any_M,) = rows(tightness("adapted", "--k", "2..2", "--chords", "1,2", "--json"))
    assert any_M["given"] == "M = any, M_i = 1 and 2 in turn, eta_i = 1, 1/2 by its own formula"
    assert any_M["ratio"] == pytest.approx(0.75, abs=1e-4)  # as in the table of families, for M_i = 2^i
    (only_D,) = rows(tightness("adapted", "--k", "2..2", "--chords", "1,2", "--path", "D", "--json"))
    assert only_D["ratio"] < any_M["ratio"] and only_D["given"].startswith("M = D")


def test_norms_are_compared_by_their_squares(tightness):
    found = rows(tightness("contraction", "--k", "1..2", "--mu", "1/4", "--json"))
    assert [row["bound"] for row in found] == pytest.approx([0.6, 0.36])
    assert [row["ratio"] for row in found] == pytest.approx([1, 1], rel=1e-5)


def test_without_convexity_and_with_a_minimum_over_the_run(tightness):
    found = rows(tightness("nonconvex", "--k", "3", "--json"))
    assert [row["worst"] for row in found] == pytest.approx([4 / (3 * n + 2) for n in (1, 2, 3)], rel=1e-4)


@pytest.mark.parametrize(
    ("name", "words", "why"),
    [
        ("product", (), "a product of two quantities of the run"),
        ("by_the_run", (), "the steps follow"),
        ("rate", ("--k", "0..0"), "is about k >= 1"),
        ("rate", ("--steps", "2"), "its formula gives 1"),
        ("rate", ("--L", "many"), "found 'many'"),
        ("rate", ("--set", "gamma"), "NAME=NUMBER"),
        ("rate", ("--k", "3..1"), "--k"),
        ("rate", ("--family", "GD"), "--family"),
        ("contraction", ("--mu", "2"), "mu is not less than L"),
    ],
)
def test_what_is_to_blame_is_one_line(tightness, name, words, why):
    code, out, err = tightness(name, *words)
    assert (code, out) == (2, "") and why in err and err.count("\n") == 1


def test_numbers_of_a_claim_need_a_claim():
    done = CliRunner().invoke(cli, ["tightness", "--L", "2"])
    assert done.exit_code == 2 and "--L is about one claim" in done.stderr


def test_a_claim_of_the_library_with_a_parameter():
    words = ["thm:polyak@printed", "--k", "1..1", "--set", "gamma=3/2", "--steps", "2/3", "--json", "--jobs", "1"]
    (found,) = json.loads(CliRunner().invoke(cli, ["tightness", *words]).stdout)
    assert found["ratio"] == pytest.approx(0.75, rel=1e-4) and found["given"].startswith("gamma = 3/2, M = any, M_i = 1")


def test_from_python():
    rate = Bound(
        given=(Convex, Smooth, GradientDescent(), Follows(eta[i] == 1 / L)), states=delta[k] <= L * Delta[0] / (4 * k + 2)
    )
    (found,) = boundcheck.tightness(rate, k=[1], L="2", jobs=1)
    assert found.bound == pytest.approx(1 / 3) and found.can_be_improved is False
    with pytest.raises(NotModelled, match="norm that is not squared"):
        boundcheck.tightness(Bound(given=rate.given, states=norm(x[k] - xstar) + delta[k] <= L * Delta[0]), k=[1], jobs=1)
