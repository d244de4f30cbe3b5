"""The rows of any claim: its worst case over the class that its hypotheses name, with its own steps where they are numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from boundcheck.claims.bound import Bound
from boundcheck.gram.affine import NotModelled
from boundcheck.gram.program import Program
from boundcheck.support.errors import UserError
from boundcheck.tightness.named import is_read_by_names, named_ratio_program
from boundcheck.tightness.numbers import ANY, Exact, Numbers, exact
from boundcheck.tightness.program import ratio_program
from boundcheck.tightness.row import Row

QUARTER = Fraction(1, 4)
ONLY_NECESSARY = "an upper bound: the inequalities of the class are necessary, and not known to be sufficient"


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What a user chooses of the numbers; what is None is the claim's own, or 1."""

    L: Exact | None = None
    mu: Exact | None = None
    steps: Sequence[Exact] = ()
    chords: Sequence[Exact] = ()
    path: str = ANY
    numbers: Mapping[str, Exact] = field(default_factory=dict)  # of parameters, and of constants that a class has


def rows_of(bound: Bound, ks: Iterable[int], choice: Choice) -> list[Row]:
    """Return a row for each k that the claim is about. NotModelled or UserError: there is none at all, in one line."""
    wanted = list(ks)
    asked = [0] if bound.is_about_chords else [k for k in wanted if k >= bound.for_all.start]
    if not asked:
        raise UserError(f"{bound.label} is about {bound.for_all.letter} >= {bound.for_all.start}; found {wanted}")
    numbers = _numbers(bound, choice)
    if is_read_by_names(bound):
        return [_named_row(bound, k, numbers) for k in asked]
    made = ratio_program(bound, asked[0], numbers).program
    return [_row(bound, k, numbers, made) for k in asked]


def _named_row(bound: Bound, k: int, numbers: Numbers) -> Row:
    made = named_ratio_program(bound, k, numbers)
    is_sufficient = made.program.is_sufficient
    note = f"over {made.classes}" + ("" if is_sufficient else f"; {ONLY_NECESSARY}")
    given = ((", ".join(made.words(numbers)), numbers),)
    return Row(name=bound.label, claim=bound, k=k, given=given, note=note, is_upper_bound=not is_sufficient)


def _numbers(bound: Bound, choice: Choice) -> Numbers:
    parameters = {name: tried[0] for name, tried in bound.try_with.items() if tried and name in bound.parameters}
    chosen = {name: exact(number) for name, number in choice.numbers.items()}
    chords = tuple(choice.chords) or (Fraction(1),)
    L = Fraction(1) if choice.L is None else exact(choice.L)
    return Numbers(
        steps=tuple(choice.steps),
        free_steps=tuple(1 / exact(M) for M in chords) if bound.reads_M else (1 / L,),
        chords=chords,
        L=L,
        mu=QUARTER * L if choice.mu is None else choice.mu,
        parameters={**parameters, **{name: number for name, number in chosen.items() if name in bound.parameters}},
        constants={name: number for name, number in chosen.items() if name not in bound.parameters},
        path=choice.path,
    )


def _row(bound: Bound, k: int, numbers: Numbers, first: Program) -> Row:
    about = first.function_class
    note = f"over functions of the class: {about}" + ("" if about.is_sufficient else f"; {ONLY_NECESSARY}")
    try:
        made = ratio_program(bound, k, numbers).program
    except NotModelled:
        made = first
    words = ", ".join(_words(bound, made, numbers))
    return Row(name=bound.label, claim=bound, k=k, given=((words, numbers),), note=note, is_upper_bound=not about.is_sufficient)


def _words(bound: Bound, made: Program, numbers: Numbers) -> Iterator[str]:
    reads = made.function_class.reads
    if made.knows_L or "L" in reads:
        yield f"L = {made.L}"
    if made.knows_mu:
        yield f"mu = {made.mu}"
    yield from (f"{name} = {number}" for name, number in numbers.constants.items())
    yield from (f"{name} = {exact(number)}" for name, number in numbers.parameters.items())
    if made.pairs:
        chords = " and ".join(str(exact(M)) for M in numbers.chords)
        yield f"M = {made.pairs[0].kind}, M_i = {chords}{' in turn' * (len(numbers.chords) > 1)}"
    if made.steps:
        own = "by its own formula" if made.has_own_steps else "as given" if numbers.steps else "chosen: it leaves them free"
        steps = ", ".join(map(str, dict.fromkeys(made.steps)))
        yield f"eta_i = {steps if len(set(made.steps)) < 4 else f'{made.steps[0]}, ...'} {own}"
