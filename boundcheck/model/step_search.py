"""A search for the steps of several runs: what a claim says of it, and what a method declares of it.

A paper names the search in its claims, and a package of methods makes it: both know it by its name, which stands in the claim's
JSON. The framework knows what all of them have in common: a search begins with the step `eta0`, tries steps eta0 / 2^m by runs of
their own, and counts them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

FIRST_STEP = "eta0"  # the parameter with which a search begins
COUNTED = ("N", "searches")  # parameters that a search sets: the steps of all its runs, and how many runs it made

# The algorithm: from `is_small(m)`, which tells whether eta0 / 2^m passes the test, and the largest m to try, it returns the m of
# the first run and of the second, and how many tests it made; the first m is -1 where no step passes.
Halving = Callable[[Callable[[int], Any], int], tuple[int, int, int]]


@dataclass(frozen=True)
class StepSearch:
    """A search by its name, and the roles of the runs that it ends with: "" is the main one.

    >>> from boundcheck import StepSearch
    >>> StepSearch("bisection", ("", "other")).roles
    ('', 'other')
    """

    name: str
    roles: tuple[str, ...]
