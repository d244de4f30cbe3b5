"""Claims and questions in another process: what was found of them here, by where they are in memory, does not go along."""

from __future__ import annotations

import pickle

from boundcheck.check.question import Question
from boundcheck.language.relations import links
from boundcheck.library.catalogue import bounds, problems, rules
from boundcheck.suite.grid import GridSetting
from boundcheck.suite.profiles import PROFILES


def asked() -> Question:
    claim = next(b for b in bounds() if b.label == "gd.rate")
    setting = GridSetting(problems()["huber"](), "float64", PROFILES["quick"], (rules()["1/L"],))
    return setting.asked([claim], setting.rules[0])[0]


def test_a_claim_knows_its_relations_after_the_way() -> None:
    here = asked().bound
    assert here.is_shift_invariant and "_stays" in vars(here)  # what it knows of its relations, which are objects of this process
    there = pickle.loads(pickle.dumps(here))
    assert "_stays" not in vars(there)
    assert all(there.does_not_move(link) for link in links(there.states))
    assert there.hash == here.hash


def test_a_formula_is_numbered_anew_in_another_process() -> None:
    here = asked().relations[0]
    assert here.identity >= 0 and "identity" not in vars(pickle.loads(pickle.dumps(here)))
    assert pickle.loads(pickle.dumps(here)).identity == here.identity  # the same formula, and here the same process


def test_a_question_reads_the_same_columns_after_the_way() -> None:
    here = asked()
    read = [here.reads(r, "k") for r in here.relations]
    there = pickle.loads(pickle.dumps(here))
    assert not there.form.reads
    assert [there.reads(r, "k") for r in there.relations] == read and there.columns == here.columns
