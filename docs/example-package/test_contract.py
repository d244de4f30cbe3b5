"""What a problem and a rule owe."""

from boundcheck_example import bowl, third_polyak

from boundcheck.testing import check_problem, check_rule


def test_the_problem_keeps_its_word():
    check_problem(bowl)


def test_the_rule_keeps_its_word():
    check_rule(third_polyak)
