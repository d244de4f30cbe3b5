"""What classes of functions, sets and operators demand of the data of a claim: inequalities, equations, matrices."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, permutations, product
from typing import TYPE_CHECKING, Any

from boundcheck.gram.affine import ZERO, Affine, Combination, affine
from boundcheck.gram.algebra import ONE
from boundcheck.gram.classes import FREE, G_I, G_J, PairForm, block_forms, forms, matrix_forms, semidefinite_forms
from boundcheck.gram.named_oracles import Name, Row, adjoint
from boundcheck.gram.solver import Matrix
from boundcheck.language.named import OBJECTIVE
from boundcheck.model.function_classes import ANY_FUNCTION, FunctionClass

if TYPE_CHECKING:
    from boundcheck.gram.named_reading import NamedReading


def class_conditions(reading: NamedReading) -> tuple[tuple[Affine, ...], tuple[Affine, ...], tuple[Matrix, ...]]:
    """Return what is at most 0, what is 0, and the matrices that are semidefinite, for the data of all oracles of a reading."""
    below: list[Affine] = []
    equal: list[Affine] = []
    matrices: list[Matrix] = []
    numbers = count()
    for name, rows in reading.data.items():
        about, known = reading.classes.get(name[0], ANY_FUNCTION), reading.known.get(name[0], {})
        least = _least(reading, name, about)
        rows = reading.data[name]
        constants = tuple(sorted((c, known[c]) for c in about.reads))
        for form in forms(about, constants, least is not None):
            found = [form.at(*arguments) for arguments in _arguments(form, rows, least)]
            (equal if form.is_equation else below).extend(one for one in found if not (one.is_number and not one.constant))
        for form in semidefinite_forms(about, constants):
            away = [row for row in rows if row is not least] if form.reads_least else rows
            matrices.append([[form.at(*_pair(a, b, least)) for b in away] for a in away])
        for points in (2, 3):
            made = matrix_forms(about, constants, points)
            for chosen in _places(rows, points) if made else ():
                free = {number.name: Affine(ZERO, {(FREE, next(numbers)): ONE}) for number in about.free}
                here = _pair(chosen[0], chosen[1], least, chosen[-1])
                matrices += [[[form.at(*here, free) for form in row] for row in matrix] for matrix in made]
        for part in reading.all_components if about.by_block else ():
            letters = {c: c if name[0] == OBJECTIVE else f"{c}_{name[0]}" for c in about.reads}
            own = {c: reading.constants.get(f"{letter}_{part}") or known[c] for c, letter in letters.items()}
            for form in block_forms(about, tuple(sorted(own.items()))):
                for vectors, values in _arguments(form, rows, least):
                    in_blocks = (reading.blocks_of(vectors[n])[part - 1] for n in (G_I, G_J))
                    below.append(form.at((*vectors, *in_blocks), values))
    for name, turned in ((name, (adjoint(name[0]), name[1])) for name in reading.data):
        for a in reading.data[name]:
            for b in reading.data.get(turned, ()):  # <A x, u> = <x, A^T u>
                equal.append(affine(reading.algebra.inner(a.image, b.point)) - affine(reading.algebra.inner(a.point, b.image)))
    return tuple(below), different(equal), tuple(matrices)


def _least(reading: NamedReading, name: Name, about: FunctionClass) -> Row | None:
    """Return the row of the minimiser that a class speaks of: x* where it is this function's, else a point of its own.

    Where no hypothesis says what x* is, it minimises f, and no value is less than f there.
    """
    if about.reads_image_of_minimum:
        return reading.row(name, {})
    if not about.reads_minimum and not (name == (OBJECTIVE, None) and about.with_minimum and reading.minimises_f):
        return None
    return next((row for row in reading.data[name] if not row.image), None) or reading.row(name, reading.fresh(), {})


def different(equations: list[Affine]) -> tuple[Affine, ...]:
    """Return the equations without those that are multiples of others, which a solver does not like."""
    found: dict[tuple[Any, ...], Affine] = {}
    for one in equations:
        terms = sorted(one.terms.items())
        by = terms[0][1] if terms else ONE
        found.setdefault((one.constant / by, *((symbol, c / by) for symbol, c in terms)), one)
    return tuple(found.values())


def _arguments(form: PairForm, rows: list[Row], least: Row | None) -> Iterator[tuple[tuple[Combination, ...], tuple[int, ...]]]:
    for a in rows:
        for b in rows if form.is_about_pairs else [a]:
            if form.is_about_pairs and a is b:
                continue
            yield _pair(a, b, least)


def _places(rows: list[Row], points: int) -> Iterator[tuple[Row, ...]]:
    """Yield two different points of the data, or three that are not all one."""
    if points == 2:
        yield from permutations(rows, 2)
        return
    yield from (chosen for chosen in product(rows, repeat=points) if any(one is not chosen[0] for one in chosen))


def _pair(a: Row, b: Row, least: Row | None, third: Row | None = None) -> tuple[tuple[Combination, ...], tuple[int, ...]]:
    """Return what a form of two points reads, or of three."""
    star, there = ({}, {}) if least is None else (least.point, least.image)
    c = b if third is None else third
    values = (a.value, b.value, -1 if least is None else least.value, c.value)
    return (a.point, a.image, b.point, b.image, star, there, c.point, c.image), values
