"""The oracles of a Gram certificate: what each gives at the points that the file lists, and nothing elsewhere."""

from __future__ import annotations

from typing import Any

from flint import fmpq

from .arithmetic import along, minus, scaled
from .budgets import Number, Vector
from .class_inequalities import Data, Row, check_data, class_of
from .fields import rational, rationals
from .gram_claim_shape import GramClaimShape
from .gram_formula_shape import OBJECTIVE
from .gram_space import GramSpace
from .refusals import must, shown

Name = tuple[str, int | None]  # of an oracle, and which component


class Oracles:
    """The rows of each oracle. A vector is looked up by equality in the Gram space."""

    def __init__(self, data: Any, claim: GramClaimShape, space: GramSpace, constants: dict[str, Number]) -> None:
        self.space, self.claim, self.constants = space, claim, constants
        self.rows: dict[Name, list[Row]] = {}
        for oracle in data:
            self.rows[oracle["name"], oracle["part"]] = [
                Row(
                    rationals(row["point"]),
                    rationals(row["image"]),
                    None if row["value"] is None else rational(row["value"]),
                )
                for row in oracle["rows"]
            ]

    def image(self, name: Name, x: Vector) -> Vector:
        """Return the gradient, normal vector or image at a point. Where rows differ it is not known which the run records."""
        rows = self._at(name, x)
        must(
            all(self.space.same(row.g, rows[0].g) for row in rows), f"{shown(name[0])} has several images at a point that is read"
        )
        return rows[0].g

    def value(self, name: Name, x: Vector) -> fmpq:
        """Return the value of a function at a point."""
        rows = self._at(name, x)
        found = rows[0].f
        must(found is not None, f"{shown(name[0])} has no value at a point that is read")
        assert found is not None
        must(
            all(row.f == found for row in rows),
            f"{shown(name[0])} has no one value at a point that is read",
        )
        return found

    def _at(self, name: Name, x: Vector) -> list[Row]:
        found = [row for row in self.rows.get(name, []) if self.space.same(row.x, x)]
        must(found, f"{shown(name[0])} is read at a point where the file does not say what it gives")
        return found

    def prox(self, name: Name, t: Number, p: Vector) -> Vector:
        """Return the z with z + t g = p, where (z, g) is a row: the inclusion that defines a prox, resolvent or projection."""
        must(isinstance(t, fmpq) and t > 0, "a prox has a rational step above 0")
        found = [row.x for row in self.rows.get(name, []) if self.space.same(along(row.x, t, row.g), p)]
        must(found, f"no row of {shown(name[0])} satisfies the inclusion of a prox")
        must(
            all(self.space.same(z, found[0]) for z in found), f"several rows of {shown(name[0])} satisfy the inclusion of a prox"
        )
        return found[0]

    def linear_minimum(self, name: Name, v: Vector) -> Vector:
        """Return the z of a set at which -v is a normal vector: it minimises <v, z> there. Which one, the file chooses."""
        found = [row.x for row in self.rows.get(name, []) if self.space.same(row.g, scaled(fmpq(-1), v))]
        must(found, f"no row of {shown(name[0])} minimises a linear function")
        return found[0]

    # -- what the rows prove ---------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Raise NotRefuted unless some member of the class of each oracle has its rows."""
        for name, oracle in self.claim.oracles.items():
            mine = {part: rows for (own, part), rows in self.rows.items() if own == name}
            if not oracle.facts - {"Differentiable"}:
                for rows in mine.values():
                    self._check_single(name, rows)
                continue
            about = class_of(oracle.facts, name)
            constants = {own: self.constants[letter] for own, letter in oracle.letters.items()}
            must(about.where is None or about.where(constants), f"there is no class of {shown(name)} with these constants")
            hows = self.claim.reads.names.get(name, set())
            for rows in mine.values():
                least = next((row for row in rows if self.space.square(row.g) == 0), None)
                check_data(about, Data(self.space, rows, constants, least), name, self._is_differentiable(name, hows))

    def _is_differentiable(self, name: str, hows: set[str]) -> bool:
        return "gradient" in hows or "Differentiable" in self.claim.oracles[name].facts

    def _check_single(self, name: str, rows: list[Row]) -> None:
        """An oracle of which nothing is assumed may give anything, but one thing at each point."""
        distinct = (self.space.square(minus(a.x, b.x)) != 0 for n, a in enumerate(rows) for b in rows[:n])
        must(all(distinct), f"the oracle {shown(name)} has two rows at one point")

    def check_minimiser(self, least: Vector, gradient: Vector) -> None:
        """Raise NotRefuted unless x* minimises f, where no hypothesis says what else it is.

        The gradient there is 0, and f is convex, or satisfies a restricted secant inequality; or f is L-smooth, and no value is
        below f* + |g|^2 / (2L): DS20 (see class_inequalities), Theorem 7.
        """
        facts = self.claim.oracles[OBJECTIVE].facts if OBJECTIVE in self.claim.oracles else set()
        is_sum = OBJECTIVE in self.claim.reads.in_parts
        must(self.space.square(gradient) == 0, "x* is no minimiser")
        if facts & {"Convex", "StronglyConvex", "RestrictedSecant"}:
            return
        must(facts - {"Differentiable"} == {"Smooth"} and not is_sum, "x* is not known to minimise f")
        low, L = self.value((OBJECTIVE, None), least), self.constants[self.claim.oracles[OBJECTIVE].letters["L"]]
        for row in self.rows[OBJECTIVE, None]:
            must(row.f is not None and row.f >= low + self.space.square(row.g) / (2 * L), "x* is no minimiser")
