"""Bounds on one quantity are ranked by their right sides, and only those that hold on the run take part."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from click.testing import CliRunner

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import GradientDescent
from boundcheck.claims.source import Instance, Paper
from boundcheck.cli import cli
from boundcheck.language.letters import delta, eta, f, i, k, x, xstar
from boundcheck.library.catalogue import find_bounds
from boundcheck.library.names import problem_named, rule_named
from boundcheck.model.problem import Convex
from boundcheck.report.classical import quantity
from boundcheck.report.ranking import rank

PAPER = Paper(name="planted")
CONVEX_GD = (Convex, GradientDescent())


def planted(label: str, states: object, **more: object) -> Bound:
    return Bound(source=PAPER.at(label), given=more.pop("given", CONVEX_GD), states=states, **more)  # type: ignore[arg-type]


def ranked(*bounds: Bound, steps: int = 8):
    rule = rule_named("1/L")
    assert rule is not None
    return rank(problem_named("smooth-abs"), rule, bounds, steps=steps, arithmetic="float64")


def test_claims_about_the_same_quantity_have_the_same_key_whatever_they_call_its_index():
    now = quantity(planted("now", delta[k] <= delta[0]))
    later = quantity(planted("later", delta[k + 1] <= delta[0]))
    spelled = quantity(planted("spelled", f(x[k]) - f(xstar) <= delta[0]))
    assert now is not None and later is not None and spelled is not None
    assert now.key == later.key == spelled.key and (now.later, later.later) == (0, 1)
    assert quantity(planted("other", eta[k] <= 2 * eta[0])).key != now.key  # type: ignore[union-attr]


def test_equations_chains_and_claims_about_chords_bound_no_quantity():
    for name in ("prop:sc-iterates-analysis.expansion", "eq:quad-1", "def:directional-smoothness-function"):
        (bound,) = find_bounds(name)
        assert quantity(bound) is None


def test_the_smallest_right_side_comes_first_and_the_crossover_is_found():
    flat, falling = planted("flat", delta[k] <= delta[0]), planted("falling", delta[k] <= 4 * delta[0] / k, for_all=k >= 1)
    (ranking,) = ranked(flat, falling)
    assert [e.claim for e in ranking.at(8)] == [falling.id, flat.id]
    assert [e.claim for e in ranking.at(2)] == [flat.id, falling.id]
    spans = [(first, last, e.claim) for first, last, e in ranking.winners()]
    assert spans[0] == (1, 3, flat.id) and spans[-1] == (4, 8, falling.id)  # at 4 they are equal: ties go by name


def test_a_claim_that_fails_on_the_run_or_is_known_to_be_false_takes_no_part():
    true, loose = planted("true", delta[k] <= delta[0]), planted("loose", delta[k] <= 2 * delta[0])
    wrong = planted("wrong", delta[k] <= delta[0] / 10**6)
    refuted = replace(true, source=PAPER.at("refuted"), refuted_by=Instance(problem="parabola", method="1/L", steps=1))
    (ranking,) = ranked(true, loose, wrong, refuted)
    assert [e.claim for e in ranking.at(8)] == [true.id, loose.id]


def test_a_claim_whose_hypotheses_fail_on_the_run_takes_no_part():
    true, loose = planted("true", delta[k] <= delta[0]), planted("loose", delta[k] <= 2 * delta[0])
    elsewhere = planted("elsewhere", delta[k] <= delta[0] / 2, given=(*CONVEX_GD, eta[i] <= Fraction(1, 10**6)))
    (ranking,) = ranked(true, loose, elsewhere)
    assert elsewhere.id not in [e.claim for e in ranking.entries]


def test_directional_claims_are_told_from_classical_ones_and_one_step_claims_are_marked():
    found = ranked(*find_bounds("eq:local-descent-lemma@printed"), *find_bounds("classical/gd.rate@printed"))
    kinds = {(e.claim.partition("/")[2], e.cell.smoothness): (e.kind, e.one_step) for r in found for e in r.entries}
    assert kinds["gd.rate@printed", ""] == ("classical", False)
    assert kinds["eq:local-descent-lemma@printed", "A"] == ("directional", True)
    assert kinds["eq:local-descent-lemma@printed", "L"] == ("classical", True)


def test_the_command_prints_every_ranking_as_json():
    run = CliRunner().invoke(
        cli, ["rank", "--problem", "huber", "--method", "1/L", "--k", "2", "--arithmetic", "float64", "--json"]
    )
    said = json.loads(run.stdout)
    assert run.exit_code == said["exit_code"] == 0
    gaps = next(r for r in said["rankings"] if r["quantity"] == "(f(x_n) - f(x*))" and r["run"] == "gradient descent")
    rights = [row["right"] for row in gaps["bounds"]]
    assert rights == sorted(rights) and len(rights) > 3
    assert {"claim", "kind", "certified", "smoothness"} <= set(gaps["bounds"][0])


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--problem", "hubr", "--method", "1/L"], "no problem 'hubr'; did you mean 'huber'?"),
        (["--problem", "huber", "--method", "2/L!"], "no method '2/L!'"),
        (["--problem", "quartic", "--method", "1/L"], "rule '1/L' needs L"),
        (["--problem", "smooth-abs", "--method", "1/L", "--arithmetic", "rational"], "cannot be evaluated in exact rationals"),
        (["--problem", "huber"], "--method"),
    ],
)
def test_bad_input_gets_one_line_and_exit_2(arguments, line):
    run = CliRunner().invoke(cli, ["rank", *arguments])
    assert run.exit_code == 2 and line in run.stderr and run.stderr.count("\n") == 1
