"""The values that a search tries for a parameter: from its whole range, the ends of it where they are allowed."""

from __future__ import annotations

from fractions import Fraction

from boundcheck.claims.bound import Bound
from boundcheck.claims.parameters import range_of
from boundcheck.language.intervals import Interval
from boundcheck.model.step_search import FIRST_STEP

PLAIN = tuple(map(Fraction, ("1/10", "1/4", "1/2", "3/4", "1", "5/4", "3/2", "7/4", "2", "3", "4")))
FAR = tuple(map(Fraction, ("-100", "-4", "-2", "-1", "-1/2", "-1/10", "0", "1/1000", "10", "100")))
SEARCH_FROM = tuple(map(Fraction, ("1/2", "1", "3/2", "7/4", "2", "3", "4", "27/4", "8", "16")))  # eta_0 of a search
NEAR = (Fraction(1, 1000), Fraction(1, 20))  # of the width of a range, or of 1: how far inside an end


def values(bound: Bound, name: str) -> tuple[Fraction, ...]:
    """Plain numbers, negative, tiny and large ones, those of `try_with`, the ends and what is just inside: all that are allowed.

    Hypotheses about several letters, or about the run, may still exclude some; a candidate that breaks one does not count.
    """
    allowed = range_of(name, bound.hypotheses)
    plain = SEARCH_FROM if name == FIRST_STEP else PLAIN
    tried = tuple(Fraction(v) for v in bound.try_with.get(name, ()))
    kept = {v for v in (*plain, *FAR, *tried, *_ends(allowed)) if v in allowed}
    return tuple(sorted(kept or tried or plain))


def _ends(allowed: Interval) -> list[Fraction]:
    """The ends of a range and what is just inside them."""
    low, high = allowed.low, allowed.high
    width = high - low if low is not None and high is not None else Fraction(1)
    inside = [width * near for near in (Fraction(0), *NEAR)]
    return [*(low + step for step in inside if low is not None), *(high - step for step in inside if high is not None)]
