"""What the framework asks of a runner, and which methods may be spelled with numbers."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import boundcheck.runners
from boundcheck.library.catalogue import NotFound, rule_makers, runner
from boundcheck.library.names import rule_named
from boundcheck.runs.runner import Runner


def test_the_runner_that_is_found_is_that_of_the_library():
    assert runner() is boundcheck.runners


def test_a_module_that_lacks_a_function_of_the_protocol_is_no_runner():
    offered = {name: getattr(boundcheck.runners, name) for name in ("about", "run", "trace", "chords", "in_eigenbasis", "solves")}
    assert isinstance(SimpleNamespace(**offered), Runner)
    for name in offered:
        assert not isinstance(SimpleNamespace(**{n: f for n, f in offered.items() if n != name}), Runner)


def test_a_rule_is_made_from_its_numbers():
    assert rule_named("polyak(9/8)").name == "polyak(9/8)"
    assert rule_named("given(1/2, 1/3)").name == "given(1/2, 1/3)"


@pytest.mark.parametrize("name", ["run(3)", "chords(3)", "about(1)", "Role(1)"])
def test_a_function_that_makes_no_rule_is_no_method(name):
    assert name.partition("(")[0] not in rule_makers()
    with pytest.raises(NotFound, match="no method"):
        rule_named(name)
