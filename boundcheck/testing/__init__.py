"""For authors of problems and step-size rules: `check_problem(p)` and `check_rule(r)` say everything that they got wrong.

from boundcheck.testing import check_problem

def test_my_problem():
    check_problem(my_problem)

`assert_holds(check(claims, trace))` asserts that claims hold on a run, and says what fails.
"""

from boundcheck.check.assertions import assert_holds
from boundcheck.testing.contract import ContractError, ContractFinding, Wrong
from boundcheck.testing.problem import check_problem
from boundcheck.testing.rule import check_rule

__all__ = ["ContractError", "ContractFinding", "Wrong", "assert_holds", "check_problem", "check_rule"]
