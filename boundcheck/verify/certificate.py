"""The certificate: the run or the chord, the hypotheses, both sides of the claim, and whether they refute it."""

from __future__ import annotations

from typing import Any

from flint import fmpq

from .arithmetic import holds
from .budgets import Number, Vector
from .claim_shape import HORIZON, STEP, names_of_M
from .fields import rational, rationals, whole
from .file_shape import claim_hash, digest
from .functions import function_of
from .hypotheses import check_function, check_run, number
from .interpretation import Interpretation, Place
from .refusals import must, need, shown
from .runs import Runs


class Certificate:
    """What a file that `check_file` passes gives: a claim, a function, and a run or a chord. `refutation` decides."""

    def __init__(self, data: Any) -> None:
        self.data, self.claim = data, data["claim"]
        self.relation = self._relation()
        self.at: Place = self._place()
        f = function_of(data["function"])
        parameters = {name: rational(value) for name, value in data["parameters"].items()}
        constants = {name: rational(value) for name, value in data["constants"].items()}
        self.meaning = Interpretation(f, self._M(), parameters, constants, self._ends(f.dimension))
        self.runs: Runs | None = None  # until they are made; of a chord there are none

    def _M(self) -> Any:
        """Return what M is: a name, or the definition that the claim gives of it; None where the claim does not read M."""
        name, kinds = self.data["smoothness"], self.claim["smoothness"]
        if name is None:
            return None
        names = names_of_M(kinds)
        need(name in names, f"M cannot be {shown(name)} in this claim")
        return kinds[names.index(name)]

    def _relation(self) -> Any:
        """Return the relation that the file says is false: what the claim states, or one link of a chain."""
        links = self.claim["states"].get("links", [self.claim["states"]])
        need(all(link["op"] != "->" for link in links), "the claim is a limit: no finite run refutes it")
        return links[whole(self.data["link"], 0, "link", len(links) - 1)]

    def _place(self) -> Place:
        """Return the k at which the claim is false, not below the first k that it is about; nothing of a chord."""
        letter, first = self.claim["for_all"]["letter"], self.claim["for_all"]["from"]
        at, letters = self.data["at"], {letter} if "run" in self.data else set()
        need(isinstance(at, dict) and set(at) == letters, f"needs a run at {shown(letter)}, or a chord")
        return {name: whole(value, max(first, 0), shown(name)) for name, value in at.items()}

    def _ends(self, dimension: int) -> dict[str, Vector]:
        """Return the points without an index: the ends of the chord, and x*."""
        points = dict(self.data.get("chord", {}))
        if self.data["minimiser"] is not None:
            need("x*" not in points, "an end of a chord is called x*")
            points["x*"] = self.data["minimiser"]
        return {name: rationals(point, dimension) for name, point in points.items()}

    def make_runs(self) -> None:
        """Make the runs, once, where the claim is about runs."""
        if self.runs is None and "run" in self.data:
            self.meaning.always = {letter: k for letter, k in self.at.items() if letter == HORIZON}
            self.runs = Runs(self.claim, self.data["run"], self.meaning)

    def sides(self) -> tuple[Number, Number]:
        """Return the left and the right side of the relation, where all hypotheses hold; NotRefuted where one does not."""
        self.make_runs()
        check_function(self.meaning, self.claim["given"])
        check_run(self.meaning, self.claim["given"], self.runs, self.at)
        k = max(self.at.values(), default=0)
        must(self.runs is None or self.runs.steps >= k, "the run has fewer steps than the k that is asked")
        self.meaning.steps_read = 0
        for hypothesis in self.claim["given"]:
            if "once" in hypothesis:  # what it reads counts as read by the claim
                self.meaning.is_true(hypothesis["once"], {**self.at, STEP: k})
        left, right = (self.meaning.value(self.relation[side], self.at) for side in ("left", "right"))
        # A search fits its steps to the length of the run: a longer run than the claim reads is another search.
        good = self.runs is None or not self.runs.is_searched or self.meaning.steps_read == self.runs.steps
        must(good, "exponential search makes as many steps as the claim reads")
        return left, right

    def refutation(self) -> str:
        """Return one line that says where the claim is false; NotRefuted unless that is proved."""
        must(claim_hash(self.claim) == self.data["hash"], "the hash is not that of the claim")
        op, (left, right) = self.relation["op"], self.sides()
        must(not holds(op, left, right), f"the claim holds there: left {number(left)}, right {number(right)}")
        compare_side("left", self.data["left"], left)
        compare_side("right", self.data["right"], right)
        must(digest({**self.data, "seal": ""}) == self.data["seal"], "the seal is broken: it was changed after it was written")
        where = ", ".join(f"{shown(name)[1:-1]} = {k}" for name, k in self.at.items()) or shown(self.data.get("chord"), 200)
        return f"{shown(self.claim['id'], 200)} is false at {where}: left {number(left)}, right {number(right)}, not {op}"


def compare_side(side: str, given: Any, found: Number) -> None:
    """Raise NotRefuted unless the file says of a side what was found: the same fraction, or ends around the ball."""
    low, high = rationals([given, given] if isinstance(given, str) else given, 2)
    good = low == high == found if isinstance(found, fmpq) else low < found and found < high
    must(good, f"the {side} side is {number(found)}; the certificate says {shown(given)}")
