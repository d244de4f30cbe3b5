"""What is compared: claims with steps and values of M. A family is a question, and has a row for each sequence and k."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial

from boundcheck.claims.bound import Bound
from boundcheck.language.letters import gap, x
from boundcheck.language.letters import k as letter
from boundcheck.language.relations import Relation, links
from boundcheck.library.catalogue import find_bounds
from boundcheck.tightness.numbers import ANY, Numbers
from boundcheck.tightness.row import Row
from boundcheck.tightness.sequences import ALL, CONSTANT, GRID, GROWING, RATIOS, SHRINKING, Sequence

PAPER = "directional-smoothness"
FOR_ANY_M = "exact for 'any M' with these values on the path; for M = D, A or H alone an upper bound"
EXACT = {ANY: FOR_ANY_M, "H": "exact for M = H", "D": "exact for M = D"}
SMOOTH = "exact for L-smooth convex functions"
READS_GRADIENTS = "the right side reads gradients: it is held at what it is for Delta_0 = 1 without them"
FOUND = "the worst case is the largest that was found, for any M with these values on the path"
LAST = "the claim's right side, for the last iterate in place of the average"
RELATIVE_STEPS = {1.0: "1/M_i", 0.5: "1/(2 M_i)", 1.5: "3/(2 M_i)"}


@cache
def claim(label: str, paper: str = PAPER) -> Bound:
    return find_bounds(f"{paper}/{label}")[0]


def for_the_last_iterate(bound: Bound) -> Bound:
    """The right side of a claim about x_1, ..., x_{k+1}, for x_{k+1}."""
    return replace(bound, states=Relation("<=", gap(x[letter + 1]), links(bound.states)[0].right))


def adapted(sequence: Sequence, k: int, times: float = 1.0, path: str = ANY) -> tuple[str, Numbers]:
    M = sequence.values(k)
    return f"{sequence.words}, eta_i = {RELATIVE_STEPS[times]}", Numbers(steps=tuple(times / m for m in M), chords=M, path=path)


# -- gradient descent --------------------------------------------------------------------------------------------------------


def one_over_L(label: str, name: str, k: int) -> Iterator[Row]:
    given = ("L = 1, eta_i = 1/L", Numbers(steps=(1.0,) * k, L=1.0))
    yield Row(name=name, claim=claim(label, "classical"), k=k, given=(given,), note=SMOOTH)


def average(name: str, k: int, path: str = ANY, times: float = 1.0, sequences: tuple[Sequence, ...] = ALL) -> Iterator[Row]:
    note = EXACT[path] if times == 1.0 else f"{EXACT[path]}; {READS_GRADIENTS}"
    for sequence in sequences:
        given = adapted(sequence, k, times, path)
        yield Row(name=name, claim=claim("prop:convex-any-stepsize@printed"), k=k, less=1, given=(given,), note=note)


def last(name: str, k: int) -> Iterator[Row]:
    bound, note = for_the_last_iterate(claim("prop:convex-any-stepsize@printed")), f"{LAST}; {FOR_ANY_M}"
    for sequence in ALL:
        yield Row(name=name, claim=bound, k=k, less=1, given=(adapted(sequence, k),), note=note)


def last_on_a_grid(name: str, k: int) -> Iterator[Row]:
    bound, note = for_the_last_iterate(claim("prop:convex-any-stepsize@printed")), f"{LAST}; {FOR_ANY_M}"
    words = f"the worst of M_i = q^i, q = {', '.join(map(str, RATIOS))}"
    yield Row(name=name, claim=bound, k=k, less=1, given=tuple(adapted(sequence, k) for sequence in GRID), note=note, words=words)


# -- Polyak's step: eta_i is fixed and the rule is an equation; a run's steps are at least 2 (gamma - 1) / (gamma M_i) -----------


def polyak(name: str, k: int, gamma: Fraction, label: str = "thm:polyak@printed") -> Iterator[Row]:
    g = float(gamma)
    shortest, longer = 2 * (g - 1) / g, 2 / g
    patterns = ((shortest,) * k, (longer,) * k, (*(longer,) * (k - 1), shortest))
    for sequence in (CONSTANT, GROWING, SHRINKING):
        M = sequence.values(k)
        given = tuple((_words(u), Numbers(steps=_over(u, M), chords=M, parameters={"gamma": g})) for u in patterns)
        words = f"{sequence.words}, the worst of {len(given)} patterns of steps"
        yield Row(name=name, claim=claim(label), k=k, given=given, note=FOUND, words=words, path=M)


def _over(u: tuple[float, ...], M: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(a / m for a, m in zip(u, M, strict=True))


def _words(u: tuple[float, ...]) -> str:
    return f"eta_i = {u[0]:.4g}/M_i" + (f", the last {u[-1]:.4g}/M_i" if u[-1] != u[0] else "")


def alternate(name: str, k: int, gamma: Fraction, reading: str) -> Iterator[Row]:
    steps = (1.0,) * (k + (reading == "printed"))
    given = ("eta_i = 1", Numbers(steps=steps, parameters={"gamma": float(gamma)}))
    note = "exact for convex functions on which Polyak's steps are these"
    yield Row(name=name, claim=claim(f"thm:polyak-alternate@{reading}"), k=k, given=(given,), note=note)


# -- accelerated gradient descent: M_i is M(y_i, x_{i+1}) = 1/eta_i ------------------------------------------------------------


def accelerated(name: str, k: int) -> Iterator[Row]:
    bound = claim("eq:convex-accelerated-rate@proved")
    alpha = {"alpha0": float(bound.try_with["alpha0"][0])}
    note = f"alpha_0 = {bound.try_with['alpha0'][0]}, of size delta_0 + gamma_0 Delta_0 / 2 = 1; {FOR_ANY_M}"
    for sequence in (CONSTANT, GROWING, SHRINKING):
        words, numbers = adapted(sequence, k)
        yield Row(name=name, claim=bound, k=k, less=1, given=((words, replace(numbers, parameters=alpha)),), note=note)


def accelerated_linear(name: str, k: int, mu: Fraction, sequences: tuple[Sequence, ...]) -> Iterator[Row]:
    note = f"of size delta_0 + mu Delta_0 / 2 = 1; {FOR_ANY_M}"
    for sequence in sequences:
        words, numbers = adapted(sequence, k)
        least = min(numbers.chords)
        given = (f"{words}, mu = {mu} of the least M_i", replace(numbers, mu=float(mu) * least))
        yield Row(name=name, claim=claim("eq:sc-accelerated-rate@proved"), k=k, less=1, given=(given,), note=note)


Rows = Callable[[int], Iterator[Row]]
QUARTER, TINY, THREE_HALVES, FIVE_QUARTERS = Fraction(1, 4), Fraction(1, 10000), Fraction(3, 2), Fraction(5, 4)


def _named(make: Callable[..., Iterator[Row]], name: str, **more: object) -> tuple[str, Rows]:
    return name, partial(make, name=name, **more)


def _by_k(rows: Callable[..., Iterator[Row]]) -> Rows:
    return lambda k: rows(k=k)


def families() -> Mapping[str, Rows]:
    """For each family its rows at k steps."""
    made = (
        _named(one_over_L, "GD 1/L, exact rate", label="gd.rate@printed"),
        _named(one_over_L, "GD 1/L, classical rate", label="gd.rate-2k@printed"),
        _named(average, "adapted steps, average"),
        _named(last, "adapted steps, last"),
        _named(last_on_a_grid, "adapted steps, last, grid"),
        _named(average, "adapted steps, average, M = H", path="H", sequences=(CONSTANT,)),
        _named(average, "adapted steps, average, M = D", path="D", sequences=(CONSTANT, GROWING, SHRINKING)),
        _named(average, "steps 1/(2M), average", times=0.5, sequences=(CONSTANT, SHRINKING)),
        _named(average, "steps 3/(2M), average", times=1.5, sequences=(CONSTANT, GROWING)),
        _named(polyak, "Polyak, gamma = 3/2", gamma=THREE_HALVES),
        _named(polyak, "Polyak, gamma = 5/4", gamma=FIVE_QUARTERS),
        _named(alternate, "Polyak by its steps, gamma = 1", gamma=Fraction(1), reading="proved"),
        _named(alternate, "Polyak by its steps, gamma = 3/2", gamma=THREE_HALVES, reading="proved"),
        _named(alternate, "Polyak by its steps, as printed", gamma=THREE_HALVES, reading="printed"),
        _named(accelerated, "AGD, convex"),
        _named(accelerated_linear, "AGD, mu = M/4", mu=QUARTER, sequences=(CONSTANT, GROWING, SHRINKING)),
        _named(accelerated_linear, "AGD, mu = M/10000", mu=TINY, sequences=(CONSTANT,)),
    )
    return {name: _by_k(rows) for name, rows in made}
