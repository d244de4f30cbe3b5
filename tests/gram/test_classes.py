"""Classes of functions are data: their inequalities, which of them a claim means, and a user's own in a file."""

import json
import re
from fractions import Fraction as F
from pathlib import Path

import pytest
from click.testing import CliRunner

from boundcheck import Bound, Convex, Fact, Follows, FunctionClass, GradientDescent, Smooth, StronglyConvex
from boundcheck.cli import cli
from boundcheck.gram.affine import NotModelled
from boundcheck.gram.algebra import Excluded
from boundcheck.gram.builder import program
from boundcheck.gram.classes import inequalities
from boundcheck.gram.program import Setting
from boundcheck.letters import Delta, L, delta, eta, f, grad, i, inner, j, k, mu_f, norm, normsq, x, xstar, y
from boundcheck.library.catalogue import load_file
from boundcheck.model.facts import ErrorBound, RestrictedSecant
from boundcheck.model.function_classes import (
    ANY_FUNCTION,
    CONVEX,
    FUNCTION_CLASSES,
    SMOOTH,
    SMOOTH_CONVEX,
    SMOOTH_STRONGLY_CONVEX,
    STRONGLY_CONVEX,
    function_class,
)
from boundcheck.support.errors import UserError
from boundcheck.tightness.numbers import Numbers
from boundcheck.tightness.program import worst_ratio

PAGE = Path(__file__).resolve().parents[2] / "docs" / "classes.md"
POINTS = ({}, {0: F(1)}, {0: F(1), 1: F(-1)})
GRADIENTS = ({}, {1: F(1)}, {2: F(1)})
GRAM = {("G", 0, 0): F(4), ("G", 0, 1): F(3), ("G", 1, 1): F(5), ("G", 0, 2): F(-1), ("G", 1, 2): F(2), ("G", 2, 2): F(7)}
VALUES = {("F", 0): F(0), ("F", 1): F(2), ("F", 2): F(1, 3)}


def dot(u, v):
    return sum(a * b * GRAM["G", min(m, n), max(m, n)] for m, a in u.items() for n, b in v.items())


def minus(u, v):
    return {n: u.get(n, 0) - v.get(n, 0) for n in {*u, *v}}


def by_hand(L, mu):
    """What must be at most 0 of an L-smooth, mu-strongly convex function (Taylor, Hendrickx and Glineur); L None: any."""
    found = []
    for a in range(3):
        for b in range(3):
            if a != b:
                d, change = minus(POINTS[a], POINTS[b]), minus(GRADIENTS[a], GRADIENTS[b])
                need = VALUES["F", b] + dot(GRADIENTS[b], d) - VALUES["F", a]
                if L is None:
                    found.append(need + mu / 2 * dot(d, d))
                else:
                    bent = dot(change, change) / L + mu * dot(d, d) - 2 * mu / L * dot(change, d)
                    found.append(need + bent / (2 * (1 - mu / L)))
    return found


@pytest.mark.parametrize(
    ("about", "constants", "expected"),
    [
        (CONVEX, {}, by_hand(None, F(0))),
        (STRONGLY_CONVEX, {"mu": F(1, 3)}, by_hand(None, F(1, 3))),
        (SMOOTH_CONVEX, {"L": F(5)}, by_hand(F(5), F(0))),
        (SMOOTH_STRONGLY_CONVEX, {"L": F(5), "mu": F(1, 3)}, by_hand(F(5), F(1, 3))),
        (SMOOTH, {"L": F(5)}, by_hand(F(5), F(-5))),
        (ANY_FUNCTION, {}, []),
    ],
    ids=str,
)
def test_the_inequalities_of_the_frameworks_classes_are_the_known_ones(about, constants, expected):
    below, equal = inequalities(about, constants, POINTS, GRADIENTS, None)
    assert [a.at({**GRAM, **VALUES}) for a in below] == expected and equal == ()


def test_of_a_function_that_is_not_convex_x_star_is_the_least_point():
    without, _ = inequalities(SMOOTH, {"L": F(5)}, POINTS, GRADIENTS, None)
    below, _ = inequalities(SMOOTH, {"L": F(5)}, POINTS, GRADIENTS, 0)
    found = [a.at({**GRAM, **VALUES}) for a in below[len(without) :]]
    assert found == [VALUES["F", 0] - VALUES["F", n] + dot(GRADIENTS[n], GRADIENTS[n]) / 10 for n in (1, 2)]


def test_constants_of_no_class_are_refused():
    with pytest.raises(Excluded, match="L-smooth and mu-strongly convex"):
        inequalities(SMOOTH_STRONGLY_CONVEX, {"L": F(1), "mu": F(2)}, POINTS, GRADIENTS, None)
    with pytest.raises(NotModelled, match="mu, which has no value"):
        inequalities(STRONGLY_CONVEX, {}, POINTS, GRADIENTS, None)


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ((), ANY_FUNCTION),
        ((Convex,), CONVEX),
        ((Smooth,), SMOOTH),
        ((Convex, Smooth), SMOOTH_CONVEX),
        ((StronglyConvex, Smooth), SMOOTH_STRONGLY_CONVEX),
        ((StronglyConvex, Smooth, Convex), SMOOTH_STRONGLY_CONVEX),
    ],
)
def test_facts_mean_the_largest_class_that_they_cover(facts, expected):
    assert function_class(frozenset(facts)) == (expected, ())


class Bent(Fact):
    """A fact that some classes below are about."""


def test_facts_that_need_two_classes_mean_both_and_that_is_necessary_only():
    bent = FunctionClass(name="bent", facts=(Bent,), interpolation=(f(x[i]) >= f(xstar),))
    found, left = function_class(frozenset((Convex, Bent)), (*FUNCTION_CLASSES, bent))
    assert left == () and found.name == "convex and bent" and not found.is_sufficient
    assert function_class(frozenset((Convex, Bent)))[1] == (Bent,)


def test_a_fact_that_no_class_is_about_is_named():
    claim = Bound(given=(Bent, GradientDescent()), states=delta[k] <= delta[0])
    with pytest.raises(NotModelled, match="Bent is not a class"):
        program(claim, Setting())


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"interpolation": (f(x[k]) >= 0,)}, r"x\[i\] and x\[j\]"),
        ({"interpolation": (f(y[i]) >= f(xstar),)}, "knows x"),
        ({"interpolation": (f(x[i] + x[j]) >= f(x[i]),)}, "asked at"),
        ({"interpolation": (normsq(grad(x[i])) <= L**2,)}, "reads L"),
        ({"interpolation": (norm(x[i]) > 0,)}, "<=, >= or =="),
        ({"interpolation": f(x[i]) >= 0}, "tuple"),
        ({"interpolation": (), "facts": ("Convex",)}, "subclasses of Fact"),
    ],
)
def test_a_class_that_cannot_be_read_is_refused_when_it_is_made(wrong, why):
    with pytest.raises(UserError, match=why):
        FunctionClass(**{"name": "mine", "facts": (Bent,), **wrong})


def test_a_restricted_secant_inequality_is_that_of_pepit():
    PEPit = pytest.importorskip("PEPit")
    from PEPit.functions import RsiEbFunction

    given = (RestrictedSecant, ErrorBound, GradientDescent(), Follows(eta[i] == mu_f / L**2))
    claim = Bound(given=given, states=Delta[k] <= (1 - mu_f**2 / L**2) ** k * Delta[0])
    ours = worst_ratio(claim, 2, Numbers(L=1, mu=F(1, 2)))
    problem = PEPit.PEP()
    function = problem.declare_function(RsiEbFunction, mu=0.5, L=1)
    star, point = function.stationary_point(), problem.set_initial_point()
    problem.set_initial_condition((point - star) ** 2 <= 1)
    for _ in range(2):
        point = point - 0.5 * function.gradient(point)
    problem.set_performance_metric((point - star) ** 2)
    theirs = problem.solve(wrapper="cvxpy", solver="CLARABEL", verbose=0)
    assert ours.high == pytest.approx(theirs / (1 - 0.25) ** 2, rel=1e-4) and ours.high == pytest.approx(1, rel=1e-4)


@pytest.fixture
def file(tmp_path):
    """The file of docs/classes.md."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    made = tmp_path / "quasi.py"
    made.write_text(code, encoding="utf-8")
    return made


def test_the_class_of_the_page_has_the_worst_case_of_the_page(file):
    printed = [line.strip() for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("    ")]
    (command,) = (line for line in printed if line.startswith("$ boundcheck tightness"))
    words = command.replace("quasi.py", str(file)).split()[2:]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, done.stderr
    shown = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    assert shown[:-1] == printed[printed.index(command) + 1 :][: len(shown) - 1]


def test_what_is_too_good_fails(file):
    done = CliRunner().invoke(cli, ["tightness", f"{file}:too_good", "--k", "0..1", "--mu", "1/4"])
    assert done.exit_code == 1 and "the bound fails on this class" in done.stdout


def test_from_python_it_is_the_same(file):
    import boundcheck

    (case,) = boundcheck.tightness(load_file(file).contraction, k=[0], mu="1/4", jobs=1)
    assert case.ratio == pytest.approx(1, abs=1e-4) and case.can_be_improved is False
    strong = Bound(given=(StronglyConvex, Smooth, GradientDescent()), states=inner(grad(x[k]), x[k] - xstar) <= L * Delta[k])
    assert boundcheck.tightness(strong, k=[1], jobs=1)[0].ratio == pytest.approx(1, abs=1e-4)


def test_over_a_class_that_is_known_by_necessary_inequalities_only_nothing_fails_and_nothing_is_tight(tmp_path):
    code = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
    made = tmp_path / "necessary.py"
    made.write_text(code.replace("where=(mu_f <= L,),", "where=(mu_f <= L,), is_sufficient=False,"), encoding="utf-8")
    for name in ("too_good", "contraction"):
        done = CliRunner().invoke(cli, ["tightness", f"{made}:{name}", "--k", "0..0", "--mu", "1/4", "--json"])
        (found,) = json.loads(done.stdout)
        assert done.exit_code == 3 and found["verdict"] == "unknown" and found["is_upper_bound"] is True
        assert found["ratio"] > 0.99 and found["can_be_improved"] is None
