"""What problems, methods and papers declare for the framework: it names what exists, and every package may add to it."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace

import pytest

from boundcheck.library import declarations
from boundcheck.library.catalogue import NotFound, bounds, find_bounds, needing, problems
from boundcheck.library.names import problem_named, rule_named

COMMANDS = ("check", "falsify", "audit", "sweep", "steps")


def module(**constants):
    made = ModuleType("elsewhere")
    vars(made).update(constants)
    return SimpleNamespace(package="elsewhere", module=made)


@pytest.fixture
def beside(monkeypatch):
    """Another package that declares these constants, beside what is installed."""
    offers = declarations.offers

    def installed(group, **constants):
        monkeypatch.setattr(declarations, "offers", lambda g: (*offers(g), *([module(**constants)] if g == group else [])))

    return installed


def test_every_problem_that_is_declared_exists():
    known = set(problems()) | set(needing())
    assert set(declarations.raced_problems()) | set(declarations.rule_battery()) <= known
    assert {name for audited in declarations.audited_rules() for name in audited.problems} <= known
    assert {name for name, _ in declarations.ranked_runs()} <= known
    assert set(declarations.raced_problems()) <= {name for group in declarations.audit_battery().values() for name in group}


def test_every_rule_that_is_declared_exists():
    audited = declarations.audited_rules()
    names = {*declarations.rivals(), *declarations.measured_rules(), *(rule for _, rule in declarations.ranked_runs())}
    names |= {one.rule for one in audited} | {one.follows for one in audited if one.follows}
    assert names and all(rule_named(name) is not None for name in names)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_example_can_be_found(command):
    assert find_bounds(declarations.example_claim(command))
    assert problem_named(declarations.example_problem(command)) is not None
    assert rule_named(declarations.example_rule(command)) is not None


def test_another_package_adds_its_own(beside):
    before = declarations.audit_battery()
    beside(declarations.PROBLEMS, AUDIT_BATTERY={"quadratic": ("bowl",), "mine": ("cup",)}, RACES=("cup",))
    after = declarations.audit_battery()
    assert after["quadratic"] == (*before["quadratic"], "bowl") and after["mine"] == ("cup",)
    assert declarations.raced_problems()[-1] == "cup"


def test_a_package_that_declares_nothing_changes_nothing(beside):
    before = declarations.rivals(), declarations.measured_rules()
    beside(declarations.METHODS)
    assert (declarations.rivals(), declarations.measured_rules()) == before


def test_where_nobody_names_an_example_it_is_the_first_claim(monkeypatch):
    monkeypatch.setattr(declarations, "papers", lambda: ())
    assert declarations.example_claim("check") == bounds()[0].label
    assert declarations.audited_rules() == declarations.ranked_runs() == ()


def test_another_package_adds_a_search_and_an_unknown_one_is_refused(beside):
    beside(declarations.METHODS, SEARCHES={"golden section": min})
    assert declarations.step_search("golden section") is min
    with pytest.raises(NotFound, match="no search for steps 'bisection'"):
        declarations.step_search("bisection")
