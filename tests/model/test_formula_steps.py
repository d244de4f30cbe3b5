"""A rule that is its formula needs nothing else: its step, its needs, and whether it is constant follow from it."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from boundcheck import Rule, run, step_rule
from boundcheck.evaluate.columns import Column
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Parameter
from boundcheck.language.tree import Index
from boundcheck.letters import D, K, L, Numbers, Sum, Term, delta, eta, f, gap, grad, i, k, mu_f, normsq, sqrt, x, xstar
from boundcheck.library.catalogue import problems, runner
from boundcheck.library.user_rules import as_rule
from boundcheck.model.rule import GapStep, RuleError

gamma, n = Parameter("gamma"), Index("n")
SECANT = eta[i] == 1 / D(x[i], x[i + 1])
HALF_POLYAK = eta[i] == gap(x[i]) / (2 * normsq(grad(x[i])))


def steps_of(rule: Rule, problem: str, arithmetic: str = "float64") -> list[float]:
    made = runner().run(problems()[problem](), as_rule(rule), steps=4, columns=[Column(eta[n])], xp=arithmetic)
    return [float(step) for step in made.xp.middle(made.columns[Column(eta[n])])[0]]


@pytest.mark.parametrize("arithmetic", ["float64", "rational", "ball:128", "mp:50"])
@pytest.mark.parametrize(
    ("formula", "by_hand"),
    [
        (eta[i] == 1 / (2 * L), lambda run: 1 / (2 * run.L)),
        (HALF_POLYAK, lambda run: run.gap / (2 * run.grad_normsq)),
        (eta[i] == (f(x[i]) - f(xstar)) / (3 * normsq(grad(x[i]))), lambda run: run.gap / (3 * run.grad_normsq)),
        (eta[i] == 1 / (L * (i + 2)), lambda run: 1 / (run.L * (run.k + 2))),
        (eta[i] == 1 / (L * K), lambda run: 1 / (run.L * run.steps)),
    ],
    ids=lambda value: str(value) if isinstance(value, Relation) else "",
)
def test_the_step_is_the_formula_in_every_arithmetic(formula: Relation, by_hand, arithmetic: str):
    made = steps_of(Rule(name="by formula", follows=formula), "huber", arithmetic)
    assert made == steps_of(Rule(name="by hand", step=by_hand), "huber", arithmetic)
    assert len(made) == 4


def test_a_batch_and_a_run_alone_take_the_same_steps():
    rules = [Rule(name="a", follows=HALF_POLYAK), Rule(name="b", follows=eta[i] == 1 / (2 * L))]
    made = runner().run(problems()["quadratic-2d"](), rules, steps=4, columns=[Column(eta[n])])
    together = np.asarray(made.xp.middle(made.columns[Column(eta[n])]))
    assert together.tolist() == [steps_of(rule, "quadratic-2d") for rule in rules]


@pytest.mark.parametrize(
    ("formula", "needs", "constant"),
    [
        (eta[i] == 1 / (2 * L), ("L",), True),
        (eta[i] == 2 / (L + mu_f), ("L",), True),
        (eta[i] == 1 / (L * sqrt(i + 1)), ("L",), False),
        (HALF_POLYAK, ("infimum",), False),
        (eta[i] == f(xstar) / (L * normsq(grad(x[i]))), ("L", "infimum"), False),
        (eta[i] == normsq(x[i] - xstar) / delta[i], ("infimum", "minimiser"), False),
        (eta[i] == Fraction(1, 10), (), True),
    ],
    ids=str,
)
def test_what_a_rule_needs_and_whether_it_is_constant_follow_from_its_formula(formula, needs, constant):
    rule = Rule(follows=formula)
    assert (rule.needs, rule.constant) == (needs, constant)


def test_polyaks_formula_is_known_to_the_engine_as_such():
    assert Rule(follows=eta[i] == gamma * delta[i] / normsq(grad(x[i])), parameters={"gamma": Fraction(3, 2)}).numbers == GapStep(
        1.5
    )
    assert Rule(follows=HALF_POLYAK).numbers is None  # two times the square is another order of rounding


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        (SECANT, r"which reads x_\{i\+1\}; give step="),
        (eta[i] == eta[i - 1], r"which reads eta_\{i-1\}; give step="),
        (eta[i] == normsq(x[0] - x[i]), r"which reads x_0; give step="),
        (eta[i] == normsq(x[i].__class__("y", Index("i"))), r"which reads y_i; give step="),
        (eta[i] == 1 / (L * (k + 1)), "which reads the index k.1; give step="),
        (eta[i] == Sum(1 / L, k, 0, i), "which has a sum or a mean"),
        (eta[i] >= 1 / L, "which is not eta.i. == a formula; give step="),
        (eta[i + 1] == 1 / L, "which is not eta.i. == a formula; give step="),
        (eta[i] == gamma / L, "which reads gamma: say its value, parameters="),
        (eta[i] == Numbers("alpha", Term("a", Index("i")).dimension)[i], "which reads alpha_i; give step="),
    ],
    ids=str,
)
def test_a_formula_that_is_not_explicit_is_one_clear_error(formula, said):
    with pytest.raises(RuleError, match=f"rule 'mine' follows .*{said}") as found:
        Rule(name="mine", follows=formula)
    assert "\n" not in str(found.value)


def test_an_implicit_formula_goes_with_a_step():
    assert Rule(name="mine", follows=SECANT, step=lambda run: run.xp.scalar(1)).follows is SECANT


def test_a_rule_without_anything_says_what_to_write():
    with pytest.raises(RuleError, match=r"neither a formula nor a step; write follows=\(eta\[i\] == \.\.\.\)"):
        Rule(name="mine")


def test_a_problem_that_lacks_what_a_formula_reads_is_told():
    with pytest.raises(ValueError, match="rule 'mine' needs L; quartic declares no smoothness constant"):
        run("quartic", Rule(name="mine", follows=eta[i] == 1 / L))
    with pytest.raises(ValueError, match=r"rule 'mine' needs x\*; ramp has no minimiser"):
        run("ramp", Rule(name="mine", follows=eta[i] == normsq(x[i] - xstar)))


def test_a_rule_without_a_name_is_called_by_its_formula():
    assert Rule(follows=eta[i] == 1 / (2 * L)).name == "1/(2 L)"


FILE = """\
from boundcheck import Rule, step_rule
from boundcheck.letters import D, L, eta, gap, grad, i, normsq, x

bare = Rule(follows=eta[i] == 1 / (2 * L))
declared = step_rule(follows=gap(x[i]) / (2 * normsq(grad(x[i]))) == eta[i])
formula = step_rule(follows=eta[i] == gap(x[i]) / (2 * normsq(grad(x[i]))))
named = step_rule(follows="polyak(1/2)")
implicit = step_rule(follows="1/D")


@step_rule(follows=eta[i] == 1 / L)
class classical:
    pass
"""


@pytest.mark.parametrize("name", ["bare", "formula", "named", "classical"])
def test_the_command_line_takes_a_formula_alone(name, tmp_path):
    (tmp_path / "mine.py").write_text(FILE)
    command = [sys.executable, "-m", "boundcheck", "check", "classical/gd.descent", "--problem", "huber"]
    done = subprocess.run([*command, "--method", f"mine.py:{name}"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"by {name}" in done.stdout


@pytest.mark.parametrize("name", ["implicit", "declared"])
def test_the_command_line_says_what_an_implicit_formula_lacks(name, tmp_path):
    (tmp_path / "mine.py").write_text(FILE)
    command = [sys.executable, "-m", "boundcheck", "audit", f"mine.py:{name}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "give step=, a function of the run that returns the step" in done.stderr and done.stderr.count("\n") == 1


def test_a_declaration_is_still_a_decorator():
    @step_rule(follows="polyak(1/2)", needs=("infimum",))
    def mine(run):
        return run.gap / (2 * run.grad_normsq)

    assert mine.follows == "polyak(1/2)" and as_rule(mine).step.guards is mine
