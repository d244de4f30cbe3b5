"""For authors of problems and step-size rules: `check_problem(p)` and `check_rule(r)` say everything that they got wrong.

from boundcheck.testing import check_problem

def test_my_problem():
    check_problem(my_problem)
"""

from boundcheck.testing.finding import ContractError, Finding, Wrong
from boundcheck.testing.problem import check_problem
from boundcheck.testing.rule import check_rule

__all__ = ["ContractError", "Finding", "Wrong", "check_problem", "check_rule"]
