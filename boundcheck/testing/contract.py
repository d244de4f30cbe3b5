"""The contract of problems and rules: findings, one line for each thing that is wrong, and the points of the tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic import arithmetic
from boundcheck.model.problem import Problem


@dataclass(frozen=True, kw_only=True)
class ContractFinding:
    """One thing that is wrong: what was found, what was needed, what to do."""

    check: str
    found: str
    needed: str
    do: str

    def __str__(self) -> str:
        return " ".join(f"{self.check}: found {self.found}; needs {self.needed}; {self.do}".split())


class Wrong(AssertionError):
    """Raised by a single check. `check` is filled in from the name of the check."""

    def __init__(self, *, found: str, needed: str, do: str) -> None:
        super().__init__(f"found {found}; needs {needed}; {do}")
        self.found, self.needed, self.do = found, needed, do

    def as_finding(self, check: str) -> ContractFinding:
        return ContractFinding(check=check, found=self.found, needed=self.needed, do=self.do)


class ContractError(AssertionError):
    """Everything that was found to be wrong, one line each."""

    def __init__(self, name: str, findings: Sequence[ContractFinding]) -> None:
        count = f"{len(findings)} finding" + ("" if len(findings) == 1 else "s")
        super().__init__("\n".join([f"{name} breaks its contract ({count}):", *(f"- {finding}" for finding in findings)]))
        self.findings = tuple(findings)


Check = Callable[[Any], None]


def words(check: Check) -> str:
    """Return the name of a check as it is read: the_minimiser_minimises is "the minimiser minimises"."""
    return check.__name__.strip("_").replace("_", " ")


def collected(checks: Iterable[Check], subject: Any) -> list[ContractFinding]:
    """Return what each check says of the subject. One that fails in another way than by `Wrong` says so too."""
    found: list[ContractFinding] = []
    for check in checks:
        try:
            check(subject)
        except Wrong as wrong:
            found.append(wrong.as_finding(words(check)))
        except Exception as failure:
            found.append(as_failure(words(check), failure))
    return found


def as_failure(check: str, failure: Exception) -> ContractFinding:
    """Return an oracle or a rule that raised where it should have answered."""
    said = str(failure).splitlines()[0] if str(failure) else "no message"
    return ContractFinding(
        check=check,
        found=f"{type(failure).__name__}: {said}",
        needed="an answer",
        do="write the formula with + - * / and the functions of `xp`, for a stack of points at a time",
    )


def concluded(name: str, findings: list[ContractFinding], raise_error: bool) -> list[ContractFinding]:
    if findings and raise_error:
        raise ContractError(name, findings)
    return findings


MP = arithmetic("mp:50").plain
FLOAT64 = arithmetic("float64")
Floats = NDArray[np.float64]


def points(problem: Problem, count: int = 4, *, seed: int = 0, at: tuple[float, ...] = (1e-6, 0.3, 1.5, 6.0)) -> Floats:
    """Float64 points around the minimiser (or the start), at several distances, on all sides."""
    rng = np.random.default_rng([seed, problem.dimension])
    rows = [centre(problem) + at[i % len(at)] * rng.standard_normal(problem.dimension) for i in range(count)]
    return np.array(rows)


def centre(problem: Problem) -> Floats:
    middle = problem.minimiser.point if problem.minimiser else problem.start
    return np.array([float(value) for value in middle])


def pairs(problem: Problem, count: int = 8, *, seed: int = 0) -> Iterator[tuple[Floats, Floats]]:
    """Yield pairs (x, d): points, and displacements of all sizes."""
    rng = np.random.default_rng([seed, problem.dimension, 1])
    for i, x in enumerate(points(problem, count, seed=seed)):
        yield x, (1e-8, 0.1, 1.0, 5.0)[(i // 4 + i) % 4] * rng.standard_normal(problem.dimension)


def lines(problem: Problem, count: int = 4, *, seed: int = 0) -> Iterator[tuple[Floats, Floats]]:
    """Yield lines (x, v) with |v| = 1: along a few axes, from the middle to the start, and random ones near the middle."""
    rng = np.random.default_rng([seed, problem.dimension, 2])
    middle, start = centre(problem), np.array([float(value) for value in problem.start])
    for j in range(min(problem.dimension, count)):
        yield middle, np.eye(problem.dimension)[j]
    if (away := float(np.linalg.norm(start - middle))) > 0:
        yield middle, (start - middle) / away
    for _ in range(count if problem.dimension > 1 else 0):
        v = rng.standard_normal(problem.dimension)
        yield middle + 0.5 * rng.standard_normal(problem.dimension), v / np.linalg.norm(v)


def span(problem: Problem) -> float:
    """Return how far along a line to look: beyond the start, at least."""
    start = np.array([float(value) for value in problem.start])
    return 6.0 + 1.5 * float(np.linalg.norm(start - centre(problem)))


def lift(*rows: Any) -> tuple[Any, ...]:
    return tuple(MP.vectors(row) for row in rows)


def near(found: Any, expected: Any, what: str, do: str, scale: Any = 1, tolerance: float = 1e-35) -> None:
    """Refuse a number of 50 digits that is not the expected one: beyond rounding, it is a mistake in a formula."""
    size = abs(scale) + abs(expected)
    if not abs(found - expected) <= tolerance * size:
        raise Wrong(found=f"{what} = {MP.text(found)}", needed=MP.text(expected), do=do)


def fraction(number: Any) -> Fraction:
    """Return the rational that a finite number of 50 digits is."""
    bare: Any = np.asarray(number, dtype=object)[()]
    sign, mantissa, exponent, _ = bare._mpf_
    return Fraction((-1) ** sign * int(mantissa)) * Fraction(2) ** int(exponent)


def shown(x: Any) -> str:
    """Return a point as people read it: its first coordinates."""
    row = [f"{float(value):.6g}" for value in np.asarray(x).reshape(-1)[:4]]
    return f"({', '.join(row)}{', ...' if np.size(x) > 4 else ''})"
