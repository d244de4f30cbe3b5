"""Comparison of the strength of counterexamples: none may make a claim seem false for a lesser reason than it is."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

from boundcheck.certificates.write import nodes_of
from boundcheck.claims.bound import Bound
from boundcheck.falsify.candidate import Candidate, Ridges
from boundcheck.falsify.exact_check import draft, look
from boundcheck.falsify.shrinking.shrink import least_margin
from boundcheck.language.scalars import NONE, Parameter, Term
from boundcheck.model.step_search import COUNTED
from boundcheck.verify import Replay


class WeakerCounterexample(ValueError):
    """What a counterexample owes its simplicity to, in a few words."""


class StrengthDemand:
    """What the kept counterexample does without, another must do without."""

    def __init__(self, bound: Bound, kept: Candidate) -> None:
        failure = look(bound, kept)
        self.bound, self.kept = bound, kept
        self.margin = least_margin(failure.margin) if failure is not None else 0.0
        self.pure = {node.name for node in nodes_of(bound) if isinstance(node, Parameter | Term) and node.dimension == NONE}
        self.is_shifted, self.ranges = is_shifted(bound, kept), self._ranges(kept)

    def demand(self, candidate: Candidate) -> None:
        """A margin, no lesser function, letters and sequences where the paper plainly means them."""
        failure, old = look(self.bound, candidate), dict(self.kept.parameters)
        if failure is None or failure.margin < self.margin:
            raise WeakerCounterexample("both sides are nearly equal" if failure is not None else "it is not proved to fail there")
        if is_shifted(self.bound, candidate) and not self.is_shifted:
            raise WeakerCounterexample("f* is not 0, and the claim moves with f + C")
        if candidate.chosen and self.kept.function.minimiser is not None and candidate.function.minimiser is None:
            raise WeakerCounterexample("no minimum of f is known")
        if self.kept.function.mu > 0 >= candidate.function.mu:
            raise WeakerCounterexample("f is not strongly convex")
        for name, value in candidate.parameters:
            if name in old and not self._means(name, old[name], value):
                raise WeakerCounterexample(f"{name} = {value}")
        ranges = self._ranges(candidate)
        for name, (is_positive, is_below_1) in self.ranges.items():
            now_positive, now_below_1 = ranges.get(name, (True, True))
            if is_positive > now_positive or is_below_1 > now_below_1:
                raise WeakerCounterexample(f"{name}_k is not {'above 0' if is_positive > now_positive else 'below 1'} for some k")

    def _means(self, name: str, old: Fraction, new: Fraction) -> bool:
        """Within the values of `try_with`, of the same sign, below 1: where the kept one is."""
        usual = [Fraction(value) for value in self.bound.try_with.get(name, ())]
        if name in COUNTED or old == new:
            return True
        if usual and min(usual) <= old <= max(usual) and not min(usual) <= new <= max(usual):
            return False
        return old * new > 0 and (old >= 1 or new < 1 or name not in self.pure)

    def _ranges(self, candidate: Candidate) -> dict[str, tuple[bool, bool]]:
        """Return for each sequence of numbers that the method makes whether it is above 0, and whether it is pure and below 1."""
        found: dict[str, tuple[bool, bool]] = {}
        for (_, name), entries in Replay(draft(self.bound, candidate)).entries.items() if candidate.chosen else ():
            numbers = [value for value in entries.values() if isinstance(value, fmpq | arb)]
            if numbers and name != "eta":
                below_1 = name in self.pure and all(value < 1 for value in numbers)
                found[name] = all(value > 0 for value in numbers), below_1
        return found


def is_shifted(bound: Bound, candidate: Candidate) -> bool:
    """Return whether the claim moves with f + C, and f* is not 0 or not known."""
    f = candidate.function
    at_0 = isinstance(f, Ridges) and f.minimiser is not None and f.shift == 0
    return not (bound.is_shift_invariant or at_0)
