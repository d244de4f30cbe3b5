"""The page shows every formula that findings, misprints and proofs are written with: none is left as raw LaTeX."""

from __future__ import annotations

import pytest

from boundcheck.errata.findings import findings
from boundcheck.errata.misprints import misprints
from boundcheck.registry import bounds_of, papers
from boundcheck.report.page.inline_math import MATH, NotKnown, mathml_of


def formulas(paper):
    """Each with where it stands."""
    texts = [(one.title, text) for one in findings(paper) for text in (one.title, one.what, one.survives)]
    texts += [(f"line {one.line}", one.words) for one in misprints(paper)]
    texts += [(bound.id, text) for bound in bounds_of(paper) for text in (*bound.proof_sketch, *bound.added, bound.quantifier)]
    return [(where, formula) for where, text in texts for formula in MATH.findall(text)]


def unknown(found):
    left = []
    for where, formula in found:
        try:
            mathml_of(formula)
        except NotKnown as wrong:
            left.append(f"{where}: ${formula}$: {wrong}")
    return left


@pytest.mark.parametrize("paper", papers(), ids=lambda paper: paper.__name__)
def test_every_formula_is_shown_as_mathematics(paper):
    assert unknown(formulas(paper)) == []


def test_a_formula_that_the_page_does_not_know_is_told():
    assert unknown([("here", r"\strange{x}")]) == [r"here: $\strange{x}$: \strange is not known"]
