"""The claims that `boundcheck tightness` compares with worst cases: with which steps and values of M."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial

from boundcheck.claims.bound import Bound
from boundcheck.library.catalogue import find_bounds
from boundcheck.tightness.families import EXACT, FOR_ANY_M, adapted, for_the_last_iterate, named
from boundcheck.tightness.numbers import ANY, Numbers
from boundcheck.tightness.row import Row
from boundcheck.tightness.sequences import CONSTANT, GROWING, SHRINKING, Sequence, Values, geometric, inverse_steps

from .polyak_relaxation import over_all_steps

READS_GRADIENTS = "the right side reads gradients: it is held at what it is for Delta_0 = 1 without them"
FOUND = "the worst case is the largest that was found, for any M with these values on the path"
OVER_ALL_STEPS = "no Polyak run with these M exceeds at_most, by a relaxation over all steps"
LAST = "the claim's right side, for the last iterate in place of the average"
ONE, HALF, THREE_HALVES, FIVE_QUARTERS = Fraction(1), Fraction(1, 2), Fraction(3, 2), Fraction(5, 4)
QUARTER, TINY = Fraction(1, 4), Fraction(1, 10000)
RELATIVE_STEPS = {ONE: "1/M_i", HALF: "1/(2 M_i)", THREE_HALVES: "3/(2 M_i)"}
PROBLEM, RULE, MOST = "logistic-40x5", "1/D", 64


@cache
def _path() -> Values:
    return inverse_steps(PROBLEM, RULE, MOST)


def of_a_path(k: int) -> Values:
    """Return D along gradient descent with steps 1/D, in units of the first."""
    return _path()[:k]


PATH = Sequence(f"M_i = D on {PROBLEM} with steps {RULE}", of_a_path)
ALL = (CONSTANT, GROWING, SHRINKING, PATH)
RATIOS = tuple(map(Fraction, ("1/4", "1/3", "1/2", "2/3", "1", "3/2", "2", "3", "4")))
GRID = tuple(Sequence(f"M_i = ({q})^i", partial(geometric, q)) for q in RATIOS)


@cache
def claim(label: str) -> Bound:
    return find_bounds(f"directional-smoothness/{label}")[0]


def _given(sequence: Sequence, k: int, times: Fraction = ONE, path: str = ANY) -> tuple[str, Numbers]:
    return f"{sequence.words}, eta_i = {RELATIVE_STEPS[times]}", adapted(sequence, k, times, path)


# -- gradient descent --------------------------------------------------------------------------------------------------------


def average(name: str, k: int, path: str = ANY, times: Fraction = ONE, sequences: tuple[Sequence, ...] = ALL) -> Iterator[Row]:
    note = EXACT[path] if times == 1 else f"{EXACT[path]}; {READS_GRADIENTS}"
    for sequence in sequences:
        given = _given(sequence, k, times, path)
        yield Row(name=name, claim=claim("prop:convex-any-stepsize@printed"), k=k, less=1, given=(given,), note=note)


def last(name: str, k: int) -> Iterator[Row]:
    bound, note = for_the_last_iterate(claim("prop:convex-any-stepsize@printed")), f"{LAST}; {FOR_ANY_M}"
    for sequence in ALL:
        yield Row(name=name, claim=bound, k=k, less=1, given=(_given(sequence, k),), note=note)


def last_on_a_grid(name: str, k: int) -> Iterator[Row]:
    bound, note = for_the_last_iterate(claim("prop:convex-any-stepsize@printed")), f"{LAST}; {FOR_ANY_M}"
    words = f"the worst of M_i = q^i, q = {', '.join(map(str, RATIOS))}"
    yield Row(name=name, claim=bound, k=k, less=1, given=tuple(_given(sequence, k) for sequence in GRID), note=note, words=words)


# -- Polyak's step: eta_i is fixed and the rule is an equation; a run's steps are at least 2 (gamma - 1) / (gamma M_i) -----------


def polyak(name: str, k: int, gamma: Fraction, label: str = "thm:polyak@printed") -> Iterator[Row]:
    shortest, longer = 2 * (gamma - 1) / gamma, 2 / gamma
    patterns = ((shortest,) * k, (longer,) * k, (*(longer,) * (k - 1), shortest))
    for sequence in (CONSTANT, GROWING, SHRINKING):
        M = sequence.values(k)
        given = tuple((_words(u), Numbers(steps=_over(u, M), chords=M, parameters={"gamma": gamma})) for u in patterns)
        yield Row(
            name=name,
            claim=claim(label),
            k=k,
            given=given,
            note=FOUND,
            words=f"{sequence.words}, the worst of {len(given)} patterns of steps",
            relaxation=partial(over_all_steps, claim(label), k, M, gamma),
            about_relaxation=OVER_ALL_STEPS,
        )


def _over(u: Values, M: Values) -> Values:
    return tuple(a / m for a, m in zip(u, M, strict=True))


def _words(u: Values) -> str:
    return f"eta_i = {float(u[0]):.4g}/M_i" + (f", the last {float(u[-1]):.4g}/M_i" if u[-1] != u[0] else "")


def alternate(name: str, k: int, gamma: Fraction, reading: str) -> Iterator[Row]:
    given = ("eta_i = 1", Numbers(parameters={"gamma": gamma}, least_steps=k + (reading == "printed")))
    note = "exact for convex functions on which Polyak's steps are these"
    yield Row(name=name, claim=claim(f"thm:polyak-alternate@{reading}"), k=k, given=(given,), note=note)


# -- accelerated gradient descent: M_i is M(y_i, x_{i+1}) = 1/eta_i ------------------------------------------------------------


def accelerated(name: str, k: int) -> Iterator[Row]:
    bound = claim("eq:convex-accelerated-rate@proved")
    alpha = bound.try_with["alpha0"][0]
    note = f"alpha_0 = {alpha}, of size delta_0 + gamma_0 Delta_0 / 2 = 1; {FOR_ANY_M}"
    for sequence in (CONSTANT, GROWING, SHRINKING):
        words, numbers = _given(sequence, k)
        given = words, replace(numbers, parameters={"alpha0": Fraction(alpha)})
        yield Row(name=name, claim=bound, k=k, less=1, given=(given,), note=note)


def accelerated_linear(name: str, k: int, mu: Fraction, sequences: tuple[Sequence, ...]) -> Iterator[Row]:
    note = f"of size delta_0 + mu Delta_0 / 2 = 1; {FOR_ANY_M}"
    for sequence in sequences:
        words, numbers = _given(sequence, k)
        given = (f"{words}, mu = {mu} of the least M_i", replace(numbers, mu=mu * min(sequence.values(k))))
        yield Row(name=name, claim=claim("eq:sc-accelerated-rate@proved"), k=k, less=1, given=(given,), note=note)


FAMILIES = dict(
    (
        named(average, "adapted steps, average"),
        named(last, "adapted steps, last"),
        named(last_on_a_grid, "adapted steps, last, grid"),
        named(average, "adapted steps, average, M = H", path="H", sequences=(CONSTANT,)),
        named(average, "adapted steps, average, M = D", path="D", sequences=(CONSTANT, GROWING, SHRINKING)),
        named(average, "steps 1/(2M), average", times=HALF, sequences=(CONSTANT, SHRINKING)),
        named(average, "steps 3/(2M), average", times=THREE_HALVES, sequences=(CONSTANT, GROWING)),
        named(polyak, "Polyak, gamma = 3/2", gamma=THREE_HALVES),
        named(polyak, "Polyak, gamma = 5/4", gamma=FIVE_QUARTERS),
        named(alternate, "Polyak by its steps, gamma = 1", gamma=ONE, reading="proved"),
        named(alternate, "Polyak by its steps, gamma = 3/2", gamma=THREE_HALVES, reading="proved"),
        named(alternate, "Polyak by its steps, as printed", gamma=THREE_HALVES, reading="printed"),
        named(accelerated, "AGD, convex"),
        named(accelerated_linear, "AGD, mu = M/4", mu=QUARTER, sequences=(CONSTANT, GROWING, SHRINKING)),
        named(accelerated_linear, "AGD, mu = M/10000", mu=TINY, sequences=(CONSTANT,)),
    )
)
