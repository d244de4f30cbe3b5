"""Rules as people write them: what is taken for a rule, what it may read, that state does not leak, and what is refused."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boundcheck import step_rule
from boundcheck.evaluate.columns import as_column
from boundcheck.language.letters import eta, grad, i, k, normsq, x
from boundcheck.library.catalogue import NotFound, load_file
from boundcheck.library.names import problem_named
from boundcheck.library.references import method
from boundcheck.library.user_rules import as_rule
from boundcheck.model.problem import Problem
from boundcheck.model.rule import Lacking, Rule, RuleError, RunEnds
from boundcheck.problems.quadratic import isotropic, quadratic
from boundcheck.runners import adgd, armijo, polyak, run
from boundcheck.testing import check_rule

ROOT = Path(__file__).resolve().parents[2]
ETA = as_column(eta[k])[0]
TWO = quadratic([[1, 0], [0, 10]], start=[10, 1], name="two")
STARTS = [[10, 1], [3, 4], [1, -2]]


def steps_of(rule: Rule, problem: Problem = TWO, *, steps: int = 6, xp: str = "float64", **more: Any) -> Any:
    trace = run(problem, rule, steps=steps, columns=[ETA], xp=xp, **more)
    return trace.xp.middle(trace.columns[ETA])


def line_of(function: Callable[..., Any]) -> int:
    """Where the first statement of a function is."""
    return function.__code__.co_firstlineno + 1


def half_polyak(run):
    """eta_k = (f(x_k) - f*) / (2 |grad f(x_k)|^2)."""
    return run.gap / (2 * run.grad_normsq)


class Growing:
    """0.01, 0.02, 0.03, ...: it counts for itself."""

    def __init__(self, first: float = 0.01) -> None:
        self.first, self.asked = first, 0

    def step(self, run: Any) -> float:
        assert self.asked == run.k
        self.asked += 1
        return self.first * self.asked


class Called:
    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, run: Any) -> float:
        self.asked += 1
        return 0.01 * self.asked


# -- what is a rule ------------------------------------------------------------------------------------------------------------


def test_a_function_a_rule_and_a_name_may_mean_the_same():
    wanted = steps_of(polyak(Fraction(1, 2)))
    for written in (half_polyak, polyak(Fraction(1, 2)), "polyak(1/2)", lambda run: half_polyak(run)):
        assert np.allclose(steps_of(as_rule(written)), wanted, rtol=1e-13, atol=0)  # known formulas read other roundings
    assert as_rule(half_polyak).name == "half_polyak"
    assert as_rule(half_polyak, "mine").name == "mine"
    assert "2 |grad" in as_rule(half_polyak).about


@pytest.mark.parametrize("written", [Growing, Growing(0.01), Growing().step, Called()], ids=["class", "object", "bound", "call"])
def test_state_lasts_for_one_run_and_belongs_to_one_run_of_a_batch(written):
    rule = as_rule(written)
    once = steps_of(rule)
    assert once[0] == pytest.approx(0.01 * np.arange(1, 7))
    assert np.array_equal(steps_of(rule), once)
    assert np.array_equal(steps_of(rule, starts=STARTS), np.repeat(once, 3, axis=0))
    trace = run(TWO, [rule, rule], steps=6, columns=[ETA], starts=STARTS)  # twice in one batch
    assert np.array_equal(trace.xp.middle(trace.columns[ETA]), np.repeat(once, 6, axis=0))


def test_an_object_is_copied_so_that_its_owner_sees_no_change():
    mine = Growing()
    steps_of(as_rule(mine))
    assert mine.asked == 0


def test_a_batch_is_asked_run_by_run_unless_the_rule_is_batched():
    shapes = []

    def alone(run):
        shapes.append(run.x.shape)
        return 0.01 * float(run.x @ run.x) ** 0

    @step_rule(batched=True)
    def stacked(run):
        shapes.append(run.x.shape)
        return 0.01 * (run.grad_normsq > 0)

    assert np.array_equal(steps_of(as_rule(alone), starts=STARTS), steps_of(as_rule(stacked), starts=STARTS))
    assert set(shapes) == {(2,), (3, 2)}


def test_a_rule_declares_what_it_means_to_be_by_name_or_by_formula():
    @step_rule(follows="polyak(3/2)")
    def named(run):
        return 1.5 * run.gap / run.grad_normsq

    class Written:
        follows = eta[i] == 1 / normsq(grad(x[i]))
        needs = "L"
        remembers = False

        def step(self, run):
            return 1 / run.grad_normsq

    rule = as_rule(named)
    assert rule.follows is polyak(Fraction(3, 2)).follows or str(rule.follows) == str(polyak(1).follows)
    assert (rule.means, rule.parameters, rule.needs) == ("polyak(3/2)", {"gamma": Fraction(3, 2)}, ("infimum",))
    rule = as_rule(Written)
    assert (rule.follows, rule.needs, rule.remembers, rule.means) == (Written.follows, ("L",), False, "")
    assert as_rule(named).remembers


@pytest.mark.parametrize(
    ("follows", "said"),
    [
        ("polyac(1)", "no method 'polyac\\(1\\)'"),
        (3, "rule 'r' follows 3; needs a formula, eta\\[i\\] == ..., or the name of a rule"),
        ("constant(1)", "'constant\\(1\\)', which has no formula of its own"),
        ("chords", "chords are no method"),
    ],
)
def test_a_formula_that_is_none_is_refused(follows, said):
    def r(run):
        return 1

    r.follows = follows
    with pytest.raises((RuleError, NotFound), match=said):
        as_rule(r)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (3, "int is an int, not a method"),
        (lambda: 1, "<lambda> takes 0 arguments; needs one, the run"),
        (lambda run, other: 1, "<lambda> takes 2 arguments; needs one, the run"),
        (lambda run, *, much: 1, "<lambda> needs the keyword 'much'"),
        (
            type("Blind", (), {"step": lambda self: 1}),
            "Blind.step takes 0 arguments; needs one, the run, beside self: def step(self",
        ),
        (type("Bare", (), {"step": lambda: 1}), "Bare.step does not take the run"),
        (type("Static", (), {"step": staticmethod(lambda: 1)}), "Static.step takes 0 arguments"),
        (type("Blind", (), {"step": lambda self: 1})(), "Blind.step takes 0 arguments; needs one, the run"),
        (type("NoStep", (), {}), "NoStep is a class without step"),
        (type("Needs", (), {"__init__": lambda self, c: None, "step": lambda self, run: 1}), "Needs is a class that needs arg"),
        (
            step_rule(needs=("Lipschitz",))(lambda run: 1),
            "needs 'Lipschitz'; a rule may need 'L', 'infimum', 'minimiser' or 'quadratic'",
        ),
    ],
)
def test_what_is_no_rule_is_refused_in_one_line(value, said):
    with pytest.raises(RuleError) as wrong:
        as_rule(value)
    assert said in str(wrong.value) and "\n" not in str(wrong.value)


@pytest.mark.parametrize(
    "step", [lambda self, run: 0.01, staticmethod(lambda run: 0.01), classmethod(lambda cls, run: 0.01), lambda self, *past: 0.01]
)
def test_every_kind_of_method_that_takes_the_run_is_a_step(step):
    for written in (type("Kind", (), {"step": step}), type("Kind", (), {"step": step})()):
        assert (steps_of(as_rule(written)) == 0.01).all()


def test_a_word_that_no_rule_declares_is_refused():
    with pytest.raises(TypeError, match="found 'folows'"):
        step_rule(folows="polyak(1)")


# -- what a rule reads ---------------------------------------------------------------------------------------------------------


def test_a_rule_reads_the_whole_past():
    seen = []

    def average(run):
        seen.append([past.eta for past in run.history])
        assert [past.k for past in run.history] == list(range(run.k))
        assert all(past.f >= run.f_star for past in run.history)
        return 0.1 if run.k == 0 else 0.5 * sum(past.eta for past in run.history) / run.k

    etas = steps_of(as_rule(average), steps=4)[0]
    assert seen[3] == etas[:3].tolist()
    with pytest.raises(RuleError, match="declares remembers=True"):
        steps_of(as_rule(step_rule(remembers=False)(average)), steps=4)


def test_adgd_as_a_person_writes_it():
    def mine(run):
        if run.k == 0:
            return 0.01
        before = run.before
        limit = np.linalg.norm(run.x - before.x) / (2 * np.linalg.norm(run.grad - before.grad))
        if run.k == 1:
            return limit
        return min(math.sqrt(1 + before.eta / before.before.eta) * before.eta, limit)

    assert steps_of(as_rule(mine), steps=20)[0] == pytest.approx(steps_of(adgd(Fraction(1, 100)), steps=20)[0])


def test_a_line_search_as_a_person_writes_it():
    def mine(run):
        eta = 1.0
        while run.f_at(run.x - eta * run.grad) > run.f - 0.5 * eta * run.grad_normsq:
            eta /= 2
        return eta

    assert np.array_equal(steps_of(as_rule(mine)), steps_of(armijo()))


def test_a_trial_gradient_is_that_of_the_problem():
    def mine(run):
        there = run.grad_at(run.x - 0.1 * run.grad)
        return 0.1 if np.allclose(there, run.grad - 0.1 * run.hessian_times(run.grad)) else math.nan

    assert (steps_of(as_rule(mine)) == 0.1).all()


@pytest.mark.parametrize("xp", ["ball:128", "rational", "mp:50"])
@pytest.mark.parametrize("written", [lambda run: 0.01 * math.sqrt(1 + float(run.k)), Growing])
def test_a_formula_of_floats_serves_every_arithmetic(written, xp):
    assert steps_of(as_rule(written), steps=3, xp=xp) == pytest.approx(steps_of(as_rule(written), steps=3), rel=1e-15)


def test_a_formula_that_fails_in_balls_is_asked_again_with_its_state_as_it_was():
    class Rooted(Growing):
        def step(self, run):
            super().step(run)
            return 0.01 * math.sqrt(run.x @ run.x)  # no ball is a float

    assert steps_of(as_rule(Rooted), steps=4, xp="ball:128") == pytest.approx(steps_of(as_rule(Rooted), steps=4))


def test_a_rule_may_keep_balls():
    class Smallest:
        def __init__(self):
            self.seen = []

        def step(self, run):
            self.seen.append(run.grad_normsq)
            return 0.01 * math.sqrt(len(self.seen) * float(run.x[0]) ** 2)  # no ball is a float: asked again, with what was kept

    assert steps_of(as_rule(Smallest), steps=4, xp="ball:128") == pytest.approx(steps_of(as_rule(Smallest), steps=4))


# -- what is refused -----------------------------------------------------------------------------------------------------------


def raises(run):
    raise KeyError("colour")


def two_lines(run):
    raise ValueError("boom\nsecond line")


def asserts(run):
    raise AssertionError  # as `assert` without a message


def ends(run):
    raise SystemExit


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        (math.nan, "rule 'r' returned nan at step 0 on two; a step is a positive number"),
        (math.inf, "rule 'r' returned inf at step 0 on two; a step is a finite positive number: check its formula"),
        (-math.inf, "rule 'r' returned -inf at step 0 on two; a step is a finite positive number"),
        (-1, "rule 'r' returned -1.0 at step 0 on two; a step is a positive number"),
        (0.0, "rule 'r' returned 0.0 at step 0 on two"),
        (True, "rule 'r' returned True at step 0 on two; a step is a positive number: booleans are refused"),
        (np.array(True), "rule 'r' returned True at step 0 on two; a step is a positive number: booleans are refused"),
        (1 + 2j, "rule 'r' returned (1+2j) at step 0 on two; a step is a positive number: return its real part"),
        (None, "rule 'r' returned None at step 0 on two; a step is a positive number: did you forget `return`?"),
        ("fast", "rule 'r' returned 'fast' at step 0 on two; a step is a positive number"),
        ("0.1", "rule 'r' returned '0.1' at step 0 on two; a step is a positive number: convert it, float(...)"),
        (
            Decimal("0.1"),
            "rule 'r' returned Decimal('0.1') at step 0 on two; a step is a positive number: convert it, float(...)",
        ),
        ([1, 2, 3], "rule 'r' returned an array of shape (3,) at step 0 on two; a step is one number a run"),
        (np.ones(2), "rule 'r' returned an array of shape (2,) at step 0 on two"),
        (np.ones(1), "rule 'r' returned an array of shape (1,) at step 0 on two; a step is one number a run: step[0], if that"),
        (raises, f"rule 'r' failed at step 0 on two: KeyError: 'colour' (test_user_rules.py:{line_of(raises)})"),
        (two_lines, f"rule 'r' failed at step 0 on two: ValueError: boom second line (test_user_rules.py:{line_of(two_lines)})"),
        (asserts, f"rule 'r' failed at step 0 on two: AssertionError (test_user_rules.py:{line_of(asserts)})"),
        (ends, "rule 'r' ended the program at step 0 on two; a rule returns a step"),
    ],
)
def test_what_is_no_step_is_refused_in_one_line(returned, said):
    with pytest.raises(RuleError) as wrong:
        steps_of(as_rule(returned if callable(returned) else lambda run: returned, "r"))
    assert str(wrong.value).startswith(said) and "\n" not in str(wrong.value)


@pytest.mark.parametrize("starts", [None, [[1], [2]]], ids=["alone", "batch"])
@pytest.mark.parametrize("xp", ["float64", "rational", "ball:128"])
def test_a_vector_is_no_step_in_one_dimension_either(starts, xp):
    one = isotropic(1, curvature=1, start=[1], name="one")
    with pytest.raises(
        RuleError, match=r"rule 'vector' returned an array of shape \(1,\) at step 0 on one; a step is one number"
    ):
        steps_of(as_rule(lambda run: run.grad / 2, "vector"), one, starts=starts, xp=xp)
    steps_of(as_rule(lambda run: run.grad[0] / 2, "number"), one, steps=1, starts=starts, xp=xp)


def test_a_batched_rule_returns_one_number_a_run_or_one_for_all():
    for step in (lambda run: 0.01 * np.ones(len(run.x)), lambda run: np.array([0.01]), lambda run: 0.01):
        assert (steps_of(as_rule(step_rule(batched=True)(step)), starts=STARTS) == 0.01).all()
    alone = as_rule(step_rule(batched=True)(lambda run: 0.01 * np.ones(run.x.shape[:-1])))
    assert (steps_of(alone) == 0.01).all() and (steps_of(alone, starts=STARTS[:1]) == 0.01).all()
    with pytest.raises(RuleError, match=r"returned an array of shape \(3, 2\) at step 0"):
        steps_of(as_rule(step_rule(batched=True)(lambda run: run.grad)), starts=STARTS)
    with pytest.raises(RuleError, match=r"returned \[ True  True  True\] at step 0 on two; .* booleans are refused"):
        steps_of(as_rule(step_rule(batched=True)(lambda run: run.grad_normsq > 0)), starts=STARTS)


def test_the_line_that_is_named_is_the_innermost_of_the_users_file():
    def helper(values):
        return values["no such key"]

    def mine(run):
        return helper({})

    with pytest.raises(RuleError, match=rf"KeyError: 'no such key' \(test_user_rules.py:{line_of(helper)}\)$"):
        steps_of(as_rule(mine))
    there: dict[str, Any] = {}
    exec("def typed(run):\n    return 1 / 0", there)  # as in a notebook: there is no file
    with pytest.raises(RuleError, match=r"ZeroDivisionError: division by zero \(line 2\)$"):
        steps_of(as_rule(there["typed"]))


def writes_x(run):
    if run.k == 3:
        run.x[0] = 0.0
    return 0.01


def scales_x(run):
    run.x -= 0.01 * run.grad
    return 0.01


def writes_grad(run):
    g = run.grad
    g /= np.linalg.norm(g)
    return 0.01


def writes_before(run):
    if run.k:
        run.before.grad[:] = 0
    return 0.01


def insists(run):
    run.x.flags.writeable = True
    run.x[:] = 0
    return 0.01


def puts_another(run):
    run.grad = run.grad / 2
    return 0.01


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (writes_x, "rule 'writes_x' changed run.x at step 3 on two; a rule reads the run: work on a copy, run.x.copy()"),
        (scales_x, "rule 'scales_x' changed run.x at step 0 on two"),
        (writes_grad, "rule 'writes_grad' changed run.grad at step 0 on two"),
        (writes_before, "rule 'writes_before' changed run.before.grad at step 1 on two"),
        (insists, "rule 'insists' changed run.x at step 0 on two"),
        (puts_another, "rule 'puts_another' changed run.grad at step 0 on two"),
    ],
)
@pytest.mark.parametrize("starts", [None, STARTS], ids=["alone", "batch"])
def test_a_rule_that_changes_the_run_is_refused_in_one_line(rule, said, starts):
    with pytest.raises(RuleError) as wrong:
        steps_of(as_rule(rule), starts=starts)
    assert str(wrong.value).startswith(said) and "\n" not in str(wrong.value)


def test_what_the_problem_lacks_is_not_the_fault_of_the_rule():
    quartic, ramp = problem_named("quartic"), problem_named("slope")
    with pytest.raises(Lacking, match=r"asks for L, it seems .*; quartic declares no smoothness constant"):
        steps_of(as_rule(lambda run: 1 / run.L), quartic)
    for reads in (half_polyak, lambda run: run.f - run.f_star):
        with pytest.raises(Lacking, match="slope attains no minimum, and its infimum is not known"):
            steps_of(as_rule(reads), ramp)


def test_a_rule_is_not_blamed_for_a_run_that_is_over():
    one = isotropic(1, curvature=1, start=[1], name="one")
    to_the_end = run(one, as_rule(lambda run: 1 / (1 / float(run.x[0]))), steps=5)  # 1/0 at the minimiser
    assert to_the_end.ended == ("the gradient is exactly zero at x_1",) and to_the_end.steps[0] == 1
    away = run(one, as_rule(lambda run: 1e200 * float(run.grad_normsq) / float(run.grad_normsq)), steps=5)
    assert away.ended == ("the square of the gradient is too large for a float at x_1",) and away.steps[0] == 1
    lost = run(problem_named("rank-deficient-6d"), as_rule(lambda run: run.gap / run.grad_normsq), steps=100)
    assert lost.ended == (f"f(x_{lost.steps[0]}) - f* is too small to be told from 0",) and 30 < lost.steps[0] < 100


def test_a_rule_may_end_its_own_run_in_a_batch_where_others_go_on():
    def mine(run):
        if run.k == 2 and run.x[0] > 5:
            raise RunEnds("far enough")
        return 0.01

    trace = run(TWO, as_rule(mine), steps=4, starts=STARTS)
    assert trace.steps.tolist() == [2, 4, 4] and "far enough" in trace.ended[0]


# -- in a file ---------------------------------------------------------------------------------------------------------------


FILE = """
from boundcheck import step_rule

class Growing:
    def __init__(self, first=0.01):
        self.eta = first
    def step(self, run):
        self.eta *= 2
        return self.eta

faster = Growing(0.02)

@step_rule(follows="polyak(1)")
def mine(run):
    return run.gap / run.grad_normsq

class Empty:
    pass
"""


def test_a_file_may_hold_any_of_them(tmp_path):
    (tmp_path / "rules.py").write_text(FILE, encoding="utf-8")
    named = {name: method(f"{tmp_path}/rules.py:{name}") for name in ("Growing", "faster", "mine")}
    assert {name: rule.name for name, rule in named.items()} == {name: name for name in named}
    assert steps_of(named["Growing"], steps=3)[0] == pytest.approx([0.02, 0.04, 0.08])
    assert steps_of(named["faster"], steps=3)[0] == pytest.approx([0.04, 0.08, 0.16])
    assert named["mine"].means == "polyak(1)"
    with pytest.raises(NotFound, match=r"rules.py:Empty is a class without step\(self, run\)"):
        method(f"{tmp_path}/rules.py:Empty")


MANY = """
from math import sqrt
from boundcheck import RunEnds, step_rule
from boundcheck.model.problem import Problem

def first(run): return 0.1
class Second:
    def step(self, run): return 0.1
third = Second()
class Fourth:
    def __call__(self, run): return 0.1
fourth = Fourth()
def _hidden(run): return 0.1
def noarg(): return 0.1
class Empty: pass
const = 0.1
"""


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("", MANY, "rules.py has first, Second, third, fourth; name one, as in {path}:first"),
        (":frst", MANY, "rules.py has no 'frst'; did you mean 'first'?"),
        (":xyz", MANY, "rules.py has no 'xyz'; it has first, Second, third, fourth"),
        (":noarg", MANY, "rules.py:noarg takes 0 arguments; needs one, the run: def noarg(run)"),
        (":const", MANY, "rules.py:const is a float, not a method"),
        (
            "",
            "",
            "rules.py is empty; write a Rule, or a function of the run that returns a step, or let `boundcheck new rule NAME`",
        ),
        (":x", " \n", "rules.py is empty; write a Rule"),
        ("", "from math import sqrt\n", "rules.py has no rule; write a Rule, or a function of the run that returns a step"),
        (":x", "y = 1\n", "rules.py has no 'x', and no rule; write a Rule"),
        (
            "",
            "\n".join(f"def rule{n}(run): return 1" for n in range(30)),
            "rules.py has rule0, rule1, rule2, rule3, rule4, rule5, ...",
        ),
    ],
)
def test_a_file_says_which_of_its_rules_could_be_meant(tmp_path, name, text, said):
    path = tmp_path / "rules.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(NotFound) as wrong:
        method(f"{path}{name}")
    assert said.format(path=path) in str(wrong.value) and len(str(wrong.value).replace(str(path), "rules.py")) < 200


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("def only(run): return 0.1", "only"),
        ("class Only:\n    def step(self, run): return 0.1", "Only"),
        ("from boundcheck.model.rule import Rule\ndef step(run): return 0.1\nmine = Rule(name='mine', step=step)", "mine"),
        ("from math import exp\nfrom boundcheck.testing import check_rule\ndef only(run): return 0.1", "only"),
    ],
)
def test_the_only_rule_of_a_file_needs_no_name(tmp_path, text, name):
    (tmp_path / "rules.py").write_text(text, encoding="utf-8")
    assert method(f"{tmp_path}/rules.py").name == name


# -- the documentation ---------------------------------------------------------------------------------------------------------


def blocks() -> dict[str, Any]:
    """What the Python of docs/rules.md defines."""
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    there: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", text, re.S):
        exec(block, there)
    return there


@pytest.mark.parametrize(
    ("name", "like"),
    [("half_polyak", "polyak(1/2)"), ("backtracking", "armijo"), ("mine", "polyak(1)"), ("shorter", "polyak(1/4)")],
)
def test_the_rules_of_the_documentation_are_what_they_say(name, like):
    assert steps_of(as_rule(blocks()[name]))[0] == pytest.approx(steps_of(as_rule(like))[0], rel=1e-14)


@pytest.mark.parametrize("name", ["half_polyak", "backtracking", "Careful", "mine", "shorter", "docs/examples/my_rule.py"])
def test_the_rules_of_the_documentation_keep_the_contract(name):
    written = load_file(ROOT / name).half_polyak if name.endswith(".py") else blocks()[name]
    assert check_rule(written, problems=[problem_named("quadratic-2d"), problem_named("quartic")]) == []


def test_the_class_of_the_documentation_doubles_and_halves():
    etas = steps_of(as_rule(blocks()["Careful"](0.03)), steps=80)[0]
    assert set(np.round(etas[1:] / etas[:-1], 12)) == {0.5, 1.0, 2.0}
    assert etas[9:11] == pytest.approx([0.03, 0.06])
