"""What a formula for the steps leaves free: the steps before the first that it can be asked of."""

from __future__ import annotations

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import AtEachStep
from boundcheck.language.ranges import first_index
from boundcheck.language.relations import Relation
from boundcheck.language.scalars import Term


def free_steps(relation: Relation) -> int:
    """Return how many steps a formula eta_i == ... says nothing about: one that reads eta_{i-2} begins at step 2."""
    step = relation.left
    if relation.op != "==" or not isinstance(step, Term) or step.name != "eta" or step.index.letter is None:
        return 0
    return max(0, first_index(relation, step.index.letter) + step.index.offset)


def said_of_free_steps(bound: Bound) -> list[str]:
    """Return what a reader must know of hypotheses that begin later than the run, a sentence each."""
    found = []
    for hypothesis in bound.hypotheses:
        if isinstance(hypothesis, AtEachStep) and (count := free_steps(hypothesis.relation)):
            which = "step 0 is" if count == 1 else "steps 0 and 1 are" if count == 2 else f"steps 0 to {count - 1} are"
            found.append(f"{which} free: {hypothesis.relation} reads entries before, and is asked from step {count} on")
    return found
