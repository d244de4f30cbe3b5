"""Every formula that findings, misprints and proofs are written with is shown as mathematics, on the page and in the errata."""

from __future__ import annotations

import pytest

from boundcheck.certificates.errata.findings import findings, misprints
from boundcheck.certificates.errata.math_words import parts
from boundcheck.library.catalogue import bounds_of, papers
from boundcheck.report.page.inline_math import MATH, NotKnown, mathml_of


def texts(paper):
    """Each with where it stands."""
    found = [(one.title, text) for one in findings(paper) for text in (one.title, one.what, one.survives)]
    found += [(f"line {one.line}", one.words) for one in misprints(paper)]
    return found + [(b.id, text) for b in bounds_of(paper) for text in (*b.proof_sketch, *b.added, b.quantifier)]


def formulas(paper):
    return [(where, formula) for where, text in texts(paper) for formula in MATH.findall(text)]


def unknown(found):
    left = []
    for where, formula in found:
        try:
            mathml_of(formula)
        except NotKnown as wrong:
            left.append(f"{where}: ${formula}$: {wrong}")
    return left


@pytest.mark.parametrize("paper", papers(), ids=lambda paper: paper.__name__)
def test_the_page_knows_every_formula(paper):
    assert unknown(formulas(paper)) == []


@pytest.mark.parametrize("paper", papers(), ids=lambda paper: paper.__name__)
def test_the_errata_and_the_letter_take_every_formula_for_mathematics(paper):
    words = [(where, part) for where, text in texts(paper) for is_math, part in parts(text) if not is_math]
    assert [(where, part) for where, part in words if set(part) & set("$\\^")] == []


def test_a_formula_that_the_page_does_not_know_is_told():
    assert unknown([("here", r"\strange{x}")]) == [r"here: $\strange{x}$: \strange is not known"]
