"""The certificate of the kind "gram": vectors with given inner products, on which the claim fails.

What a claim about named functions, sets and operators says is a statement about inner products of finitely many vectors and
about finitely many values. A file gives the inner products of a basis, and what each oracle gives at combinations of it. There is
a counterexample in some R^d if the Gram matrix is semidefinite, if theorems say that each oracle's rows belong to some member of
its class, if the run follows the method, and if the hypotheses hold; and the claim is false if then its relation is.
"""

from __future__ import annotations

from typing import Any

from .arithmetic import holds
from .budgets import Number
from .certificate import compare_side
from .claim_shape import SAME_STEPS, STEP, links_of
from .fields import rational, whole
from .file_shape import claim_hash, digest
from .gram_file_shape import check_gram_file
from .gram_formula_shape import COUNT
from .gram_interpretation import GramInterpretation, Undrawn
from .gram_space import GramSpace
from .hypotheses import looks_back, number
from .interpretation import Place
from .oracle_rows import Oracles
from .refusals import NoEntry, NotRefuted, must, need, shown


class GramCertificate:
    """What a file of the kind gram gives. `refutation` decides."""

    def __init__(self, data: Any) -> None:
        self.data, self.claim = data, data["claim"]
        self.shape = check_gram_file(data)
        links = links_of(self.claim["states"])
        self.relation = links[whole(data["link"], 0, "link", len(links) - 1)]
        self.at = self._place()
        self.space = GramSpace(data["gram"])
        constants = {name: rational(value) for name, value in data["constants"].items()}
        self.oracles = Oracles(data["oracles"], self.shape, self.space, constants)
        self.meaning = GramInterpretation(data, self.space, self.oracles, self.at)

    def _place(self) -> Place:
        """Return the k at which the claim is false, not below the first k that it is about; nothing of a chord."""
        letter, first = self.claim["for_all"]["letter"], self.claim["for_all"]["from"]
        at, letters = self.data["at"], {letter} if "run" in self.data else set()
        need(isinstance(at, dict) and set(at) == letters, f"needs a run at {shown(letter)}, or a chord")
        return {name: whole(value, max(first, 0), shown(name)) for name, value in at.items()}

    # -- what must hold --------------------------------------------------------------------------------------------------

    def sides(self) -> tuple[Number, Number]:
        """Return both sides of the relation, where everything that the file says is so; NotRefuted where it is not."""
        try:
            self.space.check_that_it_exists()
            self._check_constants()
            self.oracles.check()
            self._check_runs()
            self._check_solution()
            self._check_hypotheses()
            left, right = (self.meaning.value(self.relation[side], self.at) for side in ("left", "right"))
        except Undrawn as undrawn:
            raise NotRefuted(
                f"{shown(undrawn.draw[0])} at {undrawn.draw[1]} is random, and read outside of an expectation"
            ) from None
        return left, right

    def _check_constants(self) -> None:
        """Each constant is positive, unless its class says what else it may be; L and mu are constants of a class.

        The constant n is the number of components of f, or of blocks of a vector.
        """
        free = set(self.oracles.constants) - self.shape.letters
        for name in free:
            must(name not in ("L", "mu"), f"the claim reads {name}, and no fact says whose constant that is")
            must(self.oracles.constants[name] > 0, f"the constant {shown(name)} is not positive")
        if (count := self.oracles.constants.get(COUNT)) is not None:
            must(count == self.data["components"], f"the constant {COUNT} is not the number of components")

    def _check_runs(self) -> None:
        """Runs have one start unless they are apart, the same steps, which are positive, and every entry that updates set."""
        if "run" not in self.data:
            return
        roles = list(self.meaning.roles.values())
        must(self.shape.is_apart or all(own["start"] == roles[0]["start"] for own in roles), "the runs must have one start")
        must(all(own["eta"] == roles[0]["eta"] for own in roles), f"the runs have {SAME_STEPS}")
        must(all(rational(eta) > 0 for own in roles for eta in own["eta"]), "a step must be positive")
        must(self.meaning.steps >= max(self.at.values(), default=0), "the run has fewer steps than the k that is asked")

    def _check_solution(self) -> None:
        """Check what x* is: the point at which a vector is 0; or, where no hypothesis says so, a minimiser of f."""
        if self.meaning.least is None:
            return
        zeros = [hypothesis["solution"] for hypothesis in self.claim["given"] if "solution" in hypothesis]
        for zero in zeros:
            must(self.space.square(self.meaning.value(zero, {})) == 0, "x* is not what the claim says that it solves")
        if not zeros:
            self.oracles.check_minimiser(self.meaning.least, self.meaning.gradient_of_f(self.meaning.least))

    def _check_hypotheses(self) -> None:
        """Every hypothesis about the run is true wherever it can be read, and can be read somewhere."""
        for hypothesis in self.claim["given"]:
            if "about" in hypothesis:
                continue
            ((kind, what),) = hypothesis.items()
            if kind in ("fact", "runs", "solution"):
                continue
            k = max(self.at.values(), default=0)
            places = [k] if kind == "once" else list(range(self.meaning.steps + 2 + looks_back(what)))
            asked = [self._is_read(kind, what, place) for place in places]
            must(any(asked), "the run is too short for a hypothesis: it can be read nowhere")

    def _is_read(self, kind: str, what: Any, step: int) -> bool:
        """Tell whether a hypothesis can be read at a step; raise NotRefuted where it can, and is false."""
        at = {**self.at, STEP: step}
        try:
            is_true = self.meaning.are_one(what, at) if kind == "same point" else self.meaning.is_true(what, at)
        except NoEntry:
            return False
        must(is_true, f"a hypothesis of the claim is false (step {step})")
        return True

    # -- the decision ----------------------------------------------------------------------------------------------------

    def refutation(self) -> str:
        """Return one line that says where the claim is false; NotRefuted unless that is proved."""
        must(claim_hash(self.claim) == self.data["hash"], "the hash is not that of the claim")
        op, (left, right) = self.relation["op"], self.sides()
        must(not holds(op, left, right), f"the claim holds there: left {number(left)}, right {number(right)}")
        compare_side("left", self.data["left"], left)
        compare_side("right", self.data["right"], right)
        must(digest({**self.data, "seal": ""}) == self.data["seal"], "the seal is broken: it was changed after it was written")
        where = ", ".join(f"{shown(name)[1:-1]} = {k}" for name, k in self.at.items()) or "the points of the file"
        return f"{shown(self.claim['id'], 200)} is false at {where}: left {number(left)}, right {number(right)}, not {op}"
