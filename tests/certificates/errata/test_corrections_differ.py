"""A correction that is shown says something else than the statement that it corrects."""

from __future__ import annotations

from dataclasses import replace

import pytest

from boundcheck.certificates.errata.correction import corrections
from boundcheck.certificates.errata.wording import wording
from boundcheck.library.catalogue import bounds_of, papers

from .made_up import FALSE, PROVED


def alike(bounds):
    """The corrections that are read exactly like what they correct."""
    printed = {b.source: b for b in bounds if b.reading == "printed"}
    return [b.id for b in corrections(bounds) if str(wording(b)) == str(wording(printed[b.source]))]


@pytest.mark.parametrize("paper", papers(), ids=lambda paper: paper.__name__)
def test_no_correction_of_the_library_is_shown_like_what_it_corrects(paper):
    assert alike(bounds_of(paper)) == []


def test_a_correction_with_the_same_formula_and_conditions_is_found():
    assert alike([FALSE, PROVED]) == [PROVED.id]


def test_a_correction_for_other_functions_only_is_told_apart():
    assert alike([FALSE, replace(PROVED, function="f(x) = x^2")]) == []
