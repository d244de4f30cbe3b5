"""A formula is nonnegative if it is a sum of others that are, each times something nonnegative: a search finds such sums."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from boundcheck.power.prover.normal_form import Normaliser
from boundcheck.power.prover.polynomial import Poly, PowerProduct, multiply_products, raise_product

DEEP, WIDE, LOOKS = 4, 4, 40  # how many are added, how many are tried at a place, how many sums are looked at
LONG, ATOMS = 20, 5  # how long a sum and a factor may be


@dataclass(frozen=True)
class KnownSlack:
    """A formula that is >= 0, > 0 or == 0."""

    slack: Poly
    op: str
    why: str


def find_combination(goal: Poly, strictly: bool, known: Sequence[KnownSlack], normal: Normaliser) -> list[str]:
    """Return why goal >= 0 (or > 0): the reasons of what was added up; [] where no sum is found.

    A term that may be negative is taken away by a multiple of something known that has the same term; this is repeated.
    """
    usable = [k for k in known if not k.slack.is_zero and len(k.slack.terms) <= LONG]
    return _Search(normal, usable).run(goal, strictly, DEEP, [])


@dataclass(frozen=True)
class _Step:
    """The rest of a goal once a multiple of something known is taken away."""

    rest: Poly
    strictly: bool
    why: str
    cost: tuple[int, Fraction, int]


class _Search:
    def __init__(self, normal: Normaliser, known: Sequence[KnownSlack]) -> None:
        self.normal, self.known, self.left, self.seen = normal, known, LOOKS, set[str]()

    def run(self, goal: Poly, strictly: bool, deep: int, used: list[str]) -> list[str]:
        bad = [term for term in goal.terms.items() if self.normal.monomial_sign(*term) < 0]
        if not bad:
            return used if used and (not strictly or self.normal.is_nonnegative(goal, True)) else []
        self.left -= 1
        if deep == 0 or self.left < 0 or len(goal.terms) > LONG or (name := f"{deep}{strictly}{goal.name}") in self.seen:
            return []
        self.seen.add(name)
        for step in sorted(self._steps(goal, strictly, bad[0]), key=lambda step: step.cost)[:WIDE]:
            if found := self.run(step.rest, step.strictly, deep - 1, [*used, step.why]):
                return found
        return []

    def _cost(self, rest: Poly, factor: PowerProduct) -> tuple[int, Fraction, int]:
        """Return a cost: the fewer terms may be negative the better, then the simpler the factor."""
        bad = sum(self.normal.monomial_sign(*term) < 0 for term in rest.terms.items())
        return bad, sum((e if e > 0 else -4 * e for _, e in factor), Fraction(0)), len(rest.terms)

    def _steps(self, goal: Poly, strictly: bool, bad: tuple[PowerProduct, Fraction]) -> Iterable[_Step]:
        monomial, value = bad
        for k in self.known:
            for own, number in k.slack.terms.items():
                factor, ratio = multiply_products(monomial, raise_product(own, Fraction(-1))), value / number
                if len(factor) > ATOMS or not self.normal.has_value(factor):
                    continue
                sign = self.normal.monomial_sign(factor, ratio)
                if k.op == "==" or sign >= 0:
                    rest = goal - k.slack * Poly({factor: ratio})
                    yield _Step(rest, strictly and not (k.op == "<" and sign > 0), k.why, self._cost(rest, factor))
