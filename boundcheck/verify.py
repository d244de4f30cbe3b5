"""The independent checker of certificates: does this file refute the claim that it carries? (docs/certificates.md)

    python boundcheck/verify.py CERTIFICATE.json...

    exit 0: every file refutes its claim    1: some file does not    2: some file is malformed, or too large to check

It imports nothing of boundcheck, and needs python-flint only. It trusts nothing that a file says except the data that define the
counterexample: the function, the start, the steps, the parameters. From them it computes the run by the method's updates, checks
every hypothesis, and evaluates both sides of the claim by the definition, in exact fractions (fmpq). A root, a logarithm or an
exponential that is not rational is a ball (arb), a number with an error bound; a comparison of balls is decided or refused.

It does not know any library of claims: it says that the claim IN THE FILE is false, whatever its name. Titles, reasons and words
are for people and are not checked.

The parts, in order: budgets; numbers; functions; what a file must look like; the certificate itself; the command.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable
from itertools import pairwise, permutations
from typing import Any, NamedTuple

from flint import arb, ctx, fmpq, fmpz

REFUTES, DOES_NOT_REFUTE, MALFORMED = 0, 1, 2

PRECISIONS = [64 * 2**n for n in range(8)]  # bits of balls: each is tried until every comparison is decided
MOST = 10_000  # steps, indices, exponents: those of certificates for people are far smaller
LONG = 2**13  # bits of a power, beyond which it is enclosed in a ball: along a run of |x|^4 they treble at every step

# The budgets. Whatever is beyond one of them is refused with exit 2: nothing is said about the claim.
BYTES = 1_000_000  # of a file
DIGITS = 4_000  # of a number in a file
BITS = 2**16  # of an exact number on the way
EXPONENT = 2**20  # a ball is less than 2^EXPONENT, and not closer to 0 than 2^-EXPONENT unless it is 0
DIMENSION = 1_000  # coordinates of a point
WORK = 400_000  # operations with numbers, counted; one with numbers of n bits counts 1 + n/256
SECONDS = 60.0  # on the clock, unless the caller says otherwise

Number = Any  # fmpq or arb
Vector = list[Any]  # of numbers


class NotRefuted(Exception):
    """It is a certificate, and does not refute the claim."""


class TooLarge(ValueError):
    """It would take more bits, operations or time than the budgets allow."""


def need(good: Any, message: str) -> None:
    """Raise ValueError (malformed) unless `good`."""
    if not good:
        raise ValueError(message)


def must(good: Any, message: str) -> None:
    """Raise NotRefuted unless `good`."""
    if not good:
        raise NotRefuted(message)


def shown(value: Any, most: int = 60) -> str:
    """Text of a file as it may be printed: quoted, cut, and every character that is not plain ASCII written as its code."""
    text = ascii(value)
    return text if len(text) <= most else text[: most - 3] + "..."


# -- budgets ----------------------------------------------------------------------------------------------------------------


class Budget(threading.local):
    """What is left of the work and the time, for this thread. There is no limit outside of `examine`."""

    work = math.inf
    until = math.inf
    balls = False  # has one been met? Where all was exact, more bits change nothing


BUDGET = Budget()


def spend(units: float) -> None:
    """Take so many operations from the budget; raise TooLarge where nothing is left of it, or of the time."""
    BUDGET.work -= units
    if BUDGET.work < 0:
        raise TooLarge(f"it takes more than {WORK} operations; a certificate needs fewer steps, terms or digits")
    if BUDGET.until < math.inf and time.monotonic() > BUDGET.until:
        raise TooLarge(
            "it takes more time than is allowed; a certificate needs fewer steps, terms or digits (or give it more seconds)"
        )


HUGE, TINY = arb(2) ** EXPONENT, arb(2) ** -EXPONENT


def sized(value: Number) -> Number:
    """The number itself, where it is defined and of a size that can be computed with.

    A ball that is not finite is undefined (the root of -1), or not enclosed at this precision: either way nothing follows.
    """
    if isinstance(value, fmpq):
        bits = value.height_bits()
        spend(1 + bits // 256)
        if bits > BITS:
            raise TooLarge(f"an exact number grows beyond {BITS} bits; a certificate needs fewer steps, or shorter numbers")
        return value
    spend(1 + ctx.prec // 256)
    BUDGET.balls = True
    must(value.is_finite(), "a number is undefined, or cannot be enclosed")
    size = value.abs_upper()
    if not (size == 0 or (size < HUGE and size > TINY)):
        raise TooLarge(f"a number is larger than 2^{EXPONENT}, or closer to 0 than 2^-{EXPONENT}")
    return value


# -- numbers ----------------------------------------------------------------------------------------------------------------

ZERO, ONE, HALF = fmpq(0), fmpq(1), fmpq(1, 2)
NUMBER = re.compile(r"-?[0-9]+(/[0-9]+)?")


def whole(data: Any, low: int, what: str, high: int = MOST) -> int:
    """An integer of the file within a range. True is no integer."""
    need(type(data) is int and low <= data <= high, f"{what} must be a whole number from {low} to {high}; found {shown(data)}")
    return int(data)


def rational(data: Any) -> fmpq:
    """A number of the file: text, in lowest terms, in ASCII digits."""
    message = f"a number is text such as '-3/4' or '2', in lowest terms; found {shown(data)}"
    need(isinstance(data, str) and len(data) <= DIGITS and NUMBER.fullmatch(data), message)
    top, _, bottom = data.partition("/")
    need(bottom == "" or int(bottom) != 0, message)
    value = fmpq(int(top), int(bottom or 1))
    need(str(value) == data, message)
    return value


def rationals(data: Any, length: int | None = None, holes: bool = False) -> Vector:
    """A list of numbers of the file; with `holes`, null is left as None."""
    need(isinstance(data, list), f"needs a list of numbers; found {shown(data)}")
    need(length is None or len(data) == length, f"needs {length} numbers; found {shown(data)}")
    return [None if holes and value is None else rational(value) for value in data]


def holds(op: str, a: Number, b: Number) -> bool:
    """Is a < b, a <= b, a == b (a > b, a >= b)? For balls it is decided or NotRefuted, never guessed.

    flint's comparison of balls is true only where it is true of all numbers in them; two balls are never known to be equal.
    """
    if op == ">":
        return holds("<", b, a)
    if op == ">=":
        return holds("<=", b, a)
    exact = isinstance(a, fmpq) and isinstance(b, fmpq)
    if op == "<":
        yes, no = a < b, a >= b
    elif op == "<=":
        yes, no = a <= b, a > b
    else:
        need(op == "==", f"a relation is one of {' '.join(OPERATORS)}; found {shown(op)}")
        yes, no = exact and a == b, a != b
    must(yes or no, "two numbers cannot be told apart")
    return bool(yes)


def power(base: Number, exponent: fmpq) -> Number:
    """base^(p/q), exact where it is rational. What is undefined stays so: an undefined number to the power 0 too."""
    p, q = int(exponent.p), int(exponent.q)
    need(max(abs(p), q) <= MOST, f"the exponent {shown(str(exponent))} is too large; at most {MOST}")
    if q > 1:
        exact = None
        if isinstance(base, fmpq) and base >= 0:
            exact = fmpq(fmpz(base.p).root(q), fmpz(base.q).root(q))
        base = exact if exact is not None and exact**q == base else arb(base).root(q)
    if p == 0:
        return base * 0 + 1
    if isinstance(base, fmpq) and base.height_bits() * abs(p) > LONG:
        base = arb(base)
    return base**p


def logarithm(a: Number) -> Number:
    """log a, exact at 1; undefined (nan) unless a is known to be positive."""
    return ZERO if isinstance(a, fmpq) and a == 1 else arb(a).log()


def largest(values: Vector) -> Number:
    """The largest number. Of balls that overlap it is an enclosure of the larger one, whichever that is."""
    must(values, "the extreme of no numbers is undefined")
    found = values[0]
    for value in values[1:]:
        if value - found > 0:
            found = value
        elif not found - value >= 0:
            found = (found + value + abs(found - value)) / 2
        sized(found)
    return found


def smallest(values: Vector) -> Number:
    """The smallest number."""
    return -largest([-value for value in values])


def total(values: Iterable[Number]) -> Number:
    found: Number = ZERO
    for value in values:
        found = sized(found + value)
    return found


def product(values: Iterable[Number]) -> Number:
    found: Number = ONE
    for value in values:
        found = sized(found * value)
    return found


def dot(u: Vector, v: Vector) -> Number:
    """The inner product."""
    return total(a * b for a, b in zip(u, v, strict=True))


def along(x: Vector, t: Number, d: Vector) -> Vector:
    """x + t d."""
    return [sized(a + t * b) for a, b in zip(x, d, strict=True)]


def minus(x: Vector, y: Vector) -> Vector:
    return along(x, -ONE, y)


def definite(matrix: list[Vector], strictly: bool = False) -> bool:
    """Is a symmetric matrix of fractions semidefinite (definite)? Elimination meets no pivot < 0, and 0 only in a row of 0."""
    while matrix:
        (pivot, *row), *rest = matrix
        if not (pivot > 0 or (pivot == 0 and not strictly and not any(row))):
            return False
        matrix = [along(r[1:], -r[0] / pivot if pivot else ZERO, row) for r in rest]
    return True


# -- functions --------------------------------------------------------------------------------------------------------------


def keys(data: Any, names: Iterable[str], what: str) -> None:
    """Raise ValueError unless `data` has exactly these keys: an unknown one may hide what another reader would see."""
    wanted = set(names)
    need(isinstance(data, dict), f"{what} must be an object; found {shown(data)}")
    lacks, more = sorted(wanted - set(data)), sorted(set(data) - wanted)
    need(not lacks, f"{what} lacks {', '.join(lacks)}")
    need(not more, f"{what} has keys that are not known: {shown(', '.join(more), 100)}")


class Piecewise:
    """phi is C^1: its gradient has given values at the knots, is linear between them, and has given slopes outside."""

    def __init__(self, data: Any) -> None:
        keys(data, ("kind", "knots", "gradients", "left_slope", "right_slope", "value_at"), "a piecewise quadratic")
        self.knots = rationals(data["knots"])
        self.gradients = rationals(data["gradients"], len(self.knots))
        increase = all(a < b for a, b in pairwise(self.knots))
        need(self.knots and increase, "a piecewise quadratic needs knots that increase")
        self.slopes, self.heights = (
            [rational(data["left_slope"])],
            [ZERO],
        )  # slopes of the gradient; phi at the knots, but for a constant
        for j in range(len(self.knots) - 1):
            width, before, after = self.knots[j + 1] - self.knots[j], self.gradients[j], self.gradients[j + 1]
            self.slopes.append(sized((after - before) / width))
            self.heights.append(sized(self.heights[j] + width * (before + after) / 2))
        self.slopes.append(rational(data["right_slope"]))
        self.low, self.high = min(self.slopes), max(self.slopes)  # of the second derivative
        self.twice = self.low == self.high  # is phi twice differentiable?
        place, value = rationals(data["value_at"], 2)
        self.shift = ZERO
        self.shift = value - self.at(place)[0]

    def at(self, u: Number) -> tuple[Number, Number]:
        """Value and gradient, from the nearest knot on the left, or from the first."""
        spend(len(self.knots))
        after = sum(1 for knot in self.knots if holds(">=", u, knot))
        j = max(after - 1, 0)
        step, gradient, slope = u - self.knots[j], self.gradients[j], self.slopes[after]
        value = self.shift + self.heights[j] + gradient * step + slope * step * step / 2
        return sized(value), sized(gradient + slope * step)


CLOSED: dict[str, list[str]] = {"smooth abs": ["eps"], "power": ["p"], "logistic pair": []}  # the number that each has


class Closed:
    """phi is sqrt(u^2 + eps^2), log(1 + e^u) + log(1 + e^-u), or |u|^p: convex and C^1. Its A and mu are not known here."""

    knots = None
    low = ZERO

    def __init__(self, data: Any) -> None:
        self.kind = data["kind"]
        need(isinstance(self.kind, str) and self.kind in CLOSED, f"a function {shown(self.kind)} is not known here")
        keys(data, ("kind", *CLOSED[self.kind]), f"a function {self.kind}")
        self.high: fmpq | None
        if self.kind == "power":
            self.n = rational(data["p"])
            need(1 < self.n <= 100, "a power needs 1 < p <= 100")
            self.twice, self.high = self.n >= 2, fmpq(2) if self.n == 2 else None
        elif self.kind == "smooth abs":
            self.n = rational(data["eps"])
            need(self.n > 0, "a smooth abs needs eps > 0")
            self.twice, self.high = True, 1 / self.n
        else:
            self.twice, self.high = True, HALF

    def at(self, u: Number) -> tuple[Number, Number]:
        """Value and gradient."""
        if self.kind == "power":
            size = sized(power(abs(u), self.n - 1))
            return sized(size * abs(u)), sized(self.n * (size if holds(">=", u, ZERO) else -size))
        if self.kind == "logistic pair":
            value = (arb(u).exp() + 2 + arb(-u).exp()).log()
            return sized(value), ZERO if isinstance(u, fmpq) and u == 0 else sized((arb(u) / 2).tanh())
        root = sized(power(sized(u * u + self.n * self.n), HALF))
        return root, sized(u / root)


class Interpolation:
    """Some L-smooth, mu-strongly convex f has these values and gradients at these points; no more is known of it."""

    is_smooth, is_twice, is_quadratic = True, False, False

    def __init__(self, data: Any) -> None:
        keys(data, ("kind", "points", "gradients", "values", "L", "mu"), "an interpolation")
        points, gradients = data["points"], data["gradients"]
        need(isinstance(points, list) and points and isinstance(points[0], list), "an interpolation needs points")
        need(isinstance(gradients, list), "an interpolation needs gradients")
        self.dimension, self.constants = len(points[0]), dict[str, str]()
        self.mu, self.L = rational(data["mu"]), rational(data["L"])
        need(0 < self.dimension <= DIMENSION and 0 <= self.mu < self.L, "an interpolation needs 0 <= mu < L, and a dimension")
        self.points = [rationals(point, self.dimension) for point in points]
        gradients = [rationals(gradient, self.dimension) for gradient in gradients]
        values = rationals(data["values"], len(points))
        need(len(gradients) == len(points), "an interpolation needs a gradient for each point")
        self.rows = list(zip(self.points, gradients, values, strict=True))
        q = self.mu / self.L
        for (x, g, f), (y, h, e) in permutations(self.rows, 2):  # Taylor, Hendrickx, Glineur 2017, Theorem 4: this suffices
            d, c = minus(x, y), minus(g, h)
            above = (dot(c, c) / self.L + self.mu * dot(d, d) - 2 * q * dot(c, d)) / (2 - 2 * q)
            good = x != y and f >= e + dot(h, d) + above
            must(good, "no L-smooth, mu-strongly convex function has these values and gradients")

    def _row(self, x: Vector) -> Any:
        must(x in self.points, "f is read at a point where the interpolation does not say what it is")
        return self.rows[self.points.index(x)]

    def grad(self, x: Vector) -> Vector:
        found: Vector = self._row(x)[1]
        return found

    def value(self, x: Vector) -> Number:
        return self._row(x)[2]

    def curved(self, by: Number, sign: int = 1, strictly: bool = False) -> bool:
        """See Function."""
        if sign > 0:
            return bool(by < self.mu or (by == self.mu and not strictly))
        return bool(by >= self.L)

    def secants(self, x: Vector, y: Vector) -> Vector:
        raise NotRefuted("A and mu along a chord are not known from values and gradients")


class Function:
    """f is the sum of phi(<a, x>) over ridges (a, phi), and of (x - c)' B (x - c) / 2."""

    def __init__(self, data: Any) -> None:
        need(isinstance(data, dict), f"a function must be an object; found {shown(data)}")
        kind = data.get("kind")
        self.terms: list[tuple[Vector, Any]] = []
        self.centre: Vector = []
        self.B: list[Vector] | None = None
        self.constants: dict[str, str] = {}  # numbers of the function itself that a claim may read
        if kind == "quadratic":
            self._read_quadratic(data)
        elif kind == "ridge sum":
            keys(data, ("kind", "terms"), "a ridge sum")
            need(isinstance(data["terms"], list) and data["terms"], "a ridge sum needs terms")
            for term in data["terms"]:
                keys(term, ("direction", "function"), "a term of a ridge sum")
                self.terms.append((rationals(term["direction"]), _of_one_variable(term["function"])))
            self.dimension = len(self.terms[0][0])
            need(all(len(a) == self.dimension for a, _ in self.terms), "the directions of a ridge sum have one dimension")
        else:
            self.terms, self.dimension = [([ONE], _of_one_variable(data))], 1
            if kind == "smooth abs":
                self.constants = {"slope": "1", "eps": data["eps"]}
            elif kind == "logistic pair":
                self.constants = {"slope": "1", "gram": "2"}
        need(0 < self.dimension <= DIMENSION, f"a function has from 1 to {DIMENSION} variables")
        if kind != "quadratic":
            self.centre = [ZERO] * self.dimension
        self.is_smooth = all(phi.high is not None for _, phi in self.terms)
        self.is_twice = all(phi.twice for _, phi in self.terms)
        self.is_quadratic = all(phi.low == phi.high for _, phi in self.terms)

    def _read_quadratic(self, data: Any) -> None:
        keys(data, ("kind", "matrix", "minimiser"), "a quadratic")
        self.centre = rationals(data["minimiser"])
        self.dimension = len(self.centre)
        need(isinstance(data["matrix"], list), "a quadratic needs a matrix")
        rows, d = [rationals(row, self.dimension) for row in data["matrix"]], range(self.dimension)
        need(len(rows) == self.dimension, "a quadratic needs a square matrix")
        need(all(rows[i][j] == rows[j][i] for i in d for j in d), "a quadratic needs a symmetric matrix")
        self.B = rows

    def _bowl(self, x: Vector) -> tuple[Vector, Vector]:
        """x - c and B (x - c)."""
        r = minus(x, self.centre)
        return r, [ZERO] * self.dimension if self.B is None else [dot(row, r) for row in self.B]

    def value(self, x: Vector) -> Number:
        r, Br = self._bowl(x)
        return sized(dot(r, Br) / 2 + total(phi.at(dot(a, x))[0] for a, phi in self.terms))

    def grad(self, x: Vector) -> Vector:
        _, found = self._bowl(x)
        for a, phi in self.terms:
            found = along(found, phi.at(dot(a, x))[1], a)
        return found

    def curved(self, by: Number, sign: int = 1, strictly: bool = False) -> bool:
        """Is the Hessian, wherever it is taken, at least `by` times the identity (sign 1), or at most (sign -1)?"""
        d = range(self.dimension)
        H = [[(ZERO if self.B is None else self.B[i][j]) - (by if i == j else ZERO) for j in d] for i in d]
        for a, phi in self.terms:
            slope = phi.low if sign > 0 else phi.high
            for i in d:
                H[i] = along(H[i], slope * a[i], a)
        return definite([[sign * entry for entry in row] for row in H], strictly)

    def lowest(self, x: Vector) -> bool:
        """Is f, a piecewise quadratic of one variable, nowhere less than at x?

        It does not fall for ever, and is no lower at knots and where f' is 0.
        """
        one = len(self.terms) == 1 and self.terms[0][0] == [ONE]
        must(one and self.terms[0][1].knots, "x* needs a convex f, or a piecewise quadratic of one variable")
        phi = self.terms[0][1]
        if min((phi.slopes[0], -phi.gradients[0]), (phi.slopes[-1], phi.gradients[-1])) < (ZERO, ZERO):
            return False
        places = list(phi.knots)
        for u, g in zip(phi.knots, phi.gradients, strict=True):
            places += [sized(u - g / s) for s in phi.slopes if s]  # all places where f' is 0, and others, which do no harm
        return all(phi.at(u)[0] >= phi.at(x[0])[0] for u in places)

    def secants(self, x: Vector, y: Vector) -> Vector:
        """The mean slope of the gradient along the chord from x up to y and up to each bend: it is monotone between them."""
        d, here, times = minus(y, x), self.grad(x), [ONE]
        for a, phi in self.terms:
            need(phi.knots is not None, "A and mu along a chord are not known here for this function")
            speed = dot(a, d)
            if not holds("==", speed, ZERO):
                times += [sized((knot - dot(a, x)) / speed) for knot in phi.knots]
        times = [t for t in times if holds("<", ZERO, t) and holds("<=", t, ONE)]
        return [sized(dot(minus(self.grad(along(x, t, d)), here), d) / (t * dot(d, d))) for t in times]


def _of_one_variable(data: Any) -> Piecewise | Closed:
    need(isinstance(data, dict) and "kind" in data, f"a function must be an object with a kind; found {shown(data)}")
    return Piecewise(data) if data["kind"] == "piecewise quadratic" else Closed(data)


def function_of(data: Any) -> Any:
    is_table = isinstance(data, dict) and data.get("kind") == "interpolation"
    return Interpolation(data) if is_table else Function(data)


# -- what a file must look like ---------------------------------------------------------------------------------------------
# Every object has exactly its keys, of the right types: what this checker does not know it refuses to read.

KEYS = (
    *("format", "version", "claim", "hash", "smoothness", "parameters", "function", "constants", "minimiser"),
    *("at", "link", "left", "right", "words", "seal"),
)
CLAIM = ("id", "label", "reading", "title", "states", "given", "for_all", "smoothness", "try_with", "because")
CLAIMED = ("states", "given", "for_all", "smoothness")  # what the hash of a claim is of
OPERATORS = ("<", "<=", "==", ">=", ">")
FACTS = ("Convex", "Differentiable", "Smooth", "StronglyConvex", "TwiceDifferentiable", "IsQuadratic")
KINDS_OF_M = ("D", "A", "H", "L")
SAME_STEPS, SEARCH = "the same steps", "exponential search"
COUNTED = ("eta0", "N", "searches")  # numbers of an exponential search
STEP = "#step"  # the letter of a hypothesis that is about every step

SCALAR, POINT = "number", "point"
NODES: dict[str, tuple[str, dict[str, str]]] = {  # of each node of a formula: what it is, and what its fields are
    "Number": (SCALAR, {"value": "rational"}),
    "IndexNumber": (SCALAR, {"index": "index"}),
    "Parameter": (SCALAR, {"name": "name", "dimension": "dimension", "latex": "text"}),
    "Constant": (SCALAR, {"name": "name", "dimension": "dimension", "latex": "text"}),
    "Term": (SCALAR, {"name": "name", "index": "index", "dimension": "dimension", "run": "text"}),
    "Value": (SCALAR, {"at": POINT}),
    "Inner": (SCALAR, {"left": POINT, "right": POINT}),
    "Norm": (SCALAR, {"of": POINT}),
    "Normsq": (SCALAR, {"of": POINT}),
    "Chord": (SCALAR, {"kind": "kind of chord", "start": POINT, "end": POINT}),
    "Add": (SCALAR, {"left": SCALAR, "right": SCALAR}),
    "Sub": (SCALAR, {"left": SCALAR, "right": SCALAR}),
    "Neg": (SCALAR, {"of": SCALAR}),
    "Mul": (SCALAR, {"left": SCALAR, "right": SCALAR}),
    "Div": (SCALAR, {"left": SCALAR, "right": SCALAR}),
    "Power": (SCALAR, {"base": SCALAR, "exponent": "rational"}),
    "Abs": (SCALAR, {"of": SCALAR}),
    "Log": (SCALAR, {"of": SCALAR}),
    "Larger": (SCALAR, {"left": SCALAR, "right": SCALAR}),
    "Smaller": (SCALAR, {"left": SCALAR, "right": SCALAR}),
    "Reduce": (
        SCALAR,
        {"kind": "kind of range", "letter": "name", "low": "index", "high": "index", "body": SCALAR, "where": "condition"},
    ),
    "Point": (POINT, {"name": "name", "index": "index or null", "run": "text"}),
    "Minimum": (POINT, {}),
    "Grad": (POINT, {"at": POINT}),
    "Plus": (POINT, {"left": POINT, "right": POINT}),
    "Minus": (POINT, {"left": POINT, "right": POINT}),
    "Scaled": (POINT, {"factor": SCALAR, "of": POINT}),
    "Mean": (POINT, {"letter": "name", "low": "index", "high": "index", "of": POINT, "weight": SCALAR}),
}
INSIDE = ("body", "where", "of", "weight")  # the fields of a range that know its letter


def check_text(data: Any, what: str, empty: bool = True) -> str:
    need(isinstance(data, str) and (data or empty), f"{what} must be text; found {shown(data)}")
    return str(data)


def check_index(data: Any, letters: frozenset[str]) -> None:
    """{"index": "k", "plus": 1} is k + 1; {"index": null, "plus": 3} is 3. The letter is one that is known there."""
    keys(data, ("index", "plus"), "an index")
    whole(data["plus"], -MOST, "an index")
    letter = data["index"]
    need(letter is None or isinstance(letter, str), f"the letter of an index must be text; found {shown(letter)}")
    need(letter is None or letter in letters, f"the letter {shown(letter)} is bound by nothing")


class Reading:
    """What the formulas of a claim read, collected while they are checked."""

    def __init__(self) -> None:
        self.parameters: set[str] = set()
        self.constants: set[str] = set()
        self.ends: set[str] = set()  # points without an index: ends of a chord
        self.entries: set[tuple[str, str, str]] = set()  # (what it is, run, name) of points and numbers of runs
        self.M = self.minimum = False

    def formula(self, node: Any, sort: str, letters: frozenset[str]) -> None:
        """Raise ValueError unless the node, and all in it, are as `NODES` says."""
        need(isinstance(node, dict), f"a node of a formula must be an object; found {shown(node)}")
        kind = node.get("is")
        need(isinstance(kind, str) and kind in NODES, f"{shown(kind)} is not a node of a formula")
        is_a, fields = NODES[kind]
        need(is_a == sort, f"a {kind} is a {is_a}; a {sort} is needed in its place")
        keys(node, ("is", *fields), f"a {kind}")
        for name, declared in fields.items():
            known = letters
            if kind in ("Reduce", "Mean") and name in INSIDE:
                known = letters | {check_text(node["letter"], "a letter", empty=False)}
            self.field(node[name], declared, known, f"the {name} of a {kind}")
        self.note(kind, node)

    def field(self, data: Any, declared: str, letters: frozenset[str], what: str) -> None:
        if declared in (SCALAR, POINT):
            self.formula(data, declared, letters)
        elif declared == "rational":
            rational(data)
        elif declared == "index" or (declared == "index or null" and data is not None):
            check_index(data, letters)
        elif declared == "condition":
            if data is not None:
                self.relation(data, letters)
        elif declared == "name":
            check_text(data, what, empty=False)
        elif declared == "text":
            check_text(data, what)
        elif declared == "dimension":
            keys(data, ("f", "x"), what)
            rationals([data["f"], data["x"]])
        elif declared == "kind of range":
            need(data in ("sum", "prod", "min", "max"), f"{what} is one of sum prod min max; found {shown(data)}")
        elif declared == "kind of chord":
            need(data in ("M", "mu", *KINDS_OF_M), f"{what} is one of M D A H L mu; found {shown(data)}")

    def relation(self, data: Any, letters: frozenset[str]) -> None:
        """Raise ValueError unless it is a Relation: an operator between two numbers, and nothing more."""
        keys(data, ("is", "op", "left", "right"), "a relation")
        need(data["is"] == "Relation", f"needs a Relation; found {shown(data['is'])}")
        need(data["op"] != "->", "the claim is a limit: no finite run refutes it")
        need(data["op"] in OPERATORS, f"a relation is one of {' '.join(OPERATORS)}; found {shown(data['op'])}")
        self.formula(data["left"], SCALAR, letters)
        self.formula(data["right"], SCALAR, letters)

    def note(self, kind: str, node: Any) -> None:
        if kind == "Parameter":
            self.parameters.add(node["name"])
        elif kind == "Constant":
            self.constants.add(node["name"])
        elif kind == "Minimum":
            self.minimum = True
        elif kind == "Chord":
            self.M = self.M or node["kind"] == "M"
            if node["kind"] == "L":
                self.constants.add("L")
        elif kind == "Point" and node["index"] is None:
            need(node["run"] == "", "a point without an index is of no run")
            self.ends.add(node["name"])
        elif kind in ("Point", "Term"):
            self.entries.add((POINT if kind == "Point" else SCALAR, node["run"], node["name"]))


def check_method(data: Any) -> tuple[dict[str, str], Reading]:
    """Raise ValueError unless it is a method; return what it sets (x, y: points; alpha: numbers), and what it reads."""
    keys(data, ("name", "kind", "first", "each"), "a method")
    check_text(data["name"], "the name of a method")
    check_text(data["kind"], "the kind of a method")
    sets, reads = {"x": POINT}, Reading()
    moves = False
    for part, letters in (("first", frozenset[str]()), ("each", frozenset("k"))):
        need(isinstance(data[part], list), f"{part} of a method must be a list")
        seen = set()
        for update in data[part]:
            keys(update, ("sets", "to"), "an update")
            target = update["sets"]
            need(isinstance(target, dict) and target.get("is") in ("Point", "Term"), "an update sets an entry of a sequence")
            sort, name = NODES[target["is"]][0], target.get("name")
            Reading().formula(target, sort, letters)
            index = target["index"]
            allowed = [{"index": None, "plus": 0}] if part == "first" else [{"index": "k", "plus": n} for n in (0, 1)]
            need(index in allowed and target["run"] == "", f"an update of `{part}` sets another entry than it may: {shown(name)}")
            need(name not in seen and not (part == "first" and name == "x"), f"a method sets {shown(name)} twice")
            need(name != "eta", "a method does not set its own steps, eta")
            need(sets.get(name, sort) == sort, f"{shown(name)} is set as a number and as a point")
            seen.add(name)
            sets[name] = sort
            moves = moves or (name == "x" and index["plus"] == 1)
            reads.formula(update["to"], sort, letters)
    need(moves, "a method sets x at k + 1")
    need(not reads.ends, "a method reads a point without an index")
    need(all(run == "" for _, run, _ in reads.entries), "a method reads its own run only")
    return sets, reads


def check_claim(claim: Any) -> tuple[Reading, dict[str, tuple[dict[str, str], Reading]], str]:
    """Raise ValueError unless it is a claim; return what it reads, its runs by role, and where their steps come from."""
    keys(claim, CLAIM, "the claim")
    for name in ("id", "label", "reading", "title"):
        check_text(claim[name], f"the {name} of a claim")
    need(claim["id"].endswith(f"/{claim['label']}@{claim['reading']}"), "the id of a claim is paper/label@reading")
    need(claim["because"] is None or isinstance(claim["because"], str), "the reason of a reading must be text or null")
    need(isinstance(claim["try_with"], dict), "try_with must be an object")
    for values in claim["try_with"].values():
        rationals(values)
    kinds = claim["smoothness"]
    good = isinstance(kinds, list) and all(kind in KINDS_OF_M for kind in kinds) and len(set(kinds)) == len(kinds)
    need(good, f"what M may be is a list of D A H L; found {shown(kinds)}")
    keys(claim["for_all"], ("letter", "from"), "for_all")
    letter = check_text(claim["for_all"]["letter"], "the letter of for_all", empty=False)
    need(not letter.startswith("#"), f"the letter of for_all cannot be {shown(letter)}")
    whole(claim["for_all"]["from"], 0, "the first index of a claim")

    reads = Reading()
    states = claim["states"]
    need(isinstance(states, dict), "a claim states a relation, or a chain of them")
    if states.get("is") == "Chain":
        keys(states, ("is", "links"), "a chain")
        need(isinstance(states["links"], list) and states["links"], "a chain has links")
    for link in states["links"] if states.get("is") == "Chain" else [states]:
        reads.relation(link, frozenset([letter]))
    ends = set(reads.ends)
    runs: dict[str, tuple[dict[str, str], Reading]] | None = None
    steps = ""
    need(isinstance(claim["given"], list), "given must be a list of hypotheses")
    for hypothesis in claim["given"]:
        need(isinstance(hypothesis, dict) and len(hypothesis) == 1, f"a hypothesis has one key; found {shown(hypothesis)}")
        ((kind, what),) = hypothesis.items()
        if kind == "fact":
            need(what in FACTS, f"a fact is one of {' '.join(FACTS)}; found {shown(what)}")
        elif kind == "runs":
            need(runs is None, "a claim names its methods once")
            runs, steps = check_runs(what)
        else:
            need(kind in ("once", "follows", "at each step"), f"a hypothesis of the kind {shown(kind)} is not known")
            reads.relation(what, frozenset([STEP]))
            need(kind != "follows" or what["op"] == "==", "steps follow an equation")
    need(not reads.ends or reads.ends <= ends, "a hypothesis reads a point that the statement does not")
    need(ends or runs is not None, "the claim does not say which method it is about")
    for _, method in (runs or {}).values():
        reads.parameters |= method.parameters
        reads.constants |= method.constants
        reads.minimum, reads.M = reads.minimum or method.minimum, reads.M or method.M
    return reads, runs or {}, steps


def check_runs(data: Any) -> tuple[dict[str, tuple[dict[str, str], Reading]], str]:
    keys(data, ("steps", "roles"), "the runs of a claim")
    need(isinstance(data["roles"], list) and data["roles"], "a claim names at least one run")
    runs = {}
    for entry in data["roles"]:
        keys(entry, ("role", "method"), "a run of a claim")
        role = check_text(entry["role"], "the role of a run")
        need(role not in runs, f"two runs have the role {shown(role)}")
        runs[role] = check_method(entry["method"])
    need(next(iter(runs)) == "", 'the main run has the role ""')
    allowed = ("",) if len(runs) == 1 else (SAME_STEPS, SEARCH)
    need(data["steps"] in allowed, f"where the steps of {len(runs)} runs come from cannot be {shown(data['steps'])}")
    need(data["steps"] != SEARCH or list(runs) == ["", "prime"], 'exponential search ends with two runs, "" and "prime"')
    return runs, data["steps"]


def check_file(data: Any) -> None:
    """Raise ValueError unless the file has the form of docs/certificates.md, whole, with nothing more."""
    need(isinstance(data, dict), "a certificate is a JSON object")
    keys(data, (*KEYS, "chord" if "chord" in data else "run"), "it")
    need(data["format"] == "boundcheck certificate", f"needs the format 'boundcheck certificate'; found {shown(data['format'])}")
    whole(data["version"], 1, "version", 1)
    for name in ("hash", "words", "seal"):
        check_text(data[name], name)
    reads, runs, steps = check_claim(data["claim"])
    reads_M = reads.M or steps == SEARCH  # the search reads it too
    need(not reads_M or data["smoothness"] is not None, "the claim reads M, and the file does not say what it is")
    need(reads_M or data["smoothness"] is None, "the claim does not read M, and the file says what it is")
    wanted = reads.parameters | ({"eta0"} if steps == SEARCH else set())
    check_names(data["parameters"], wanted, set(COUNTED) if steps == SEARCH else set(), "parameters")
    check_names(data["constants"], reads.constants, {"L", "mu"}, "constants")
    need(not reads.minimum or data["minimiser"] is not None, "the claim reads x*, and the file has no minimiser")
    is_chord = bool(reads.ends)
    need(is_chord == ("chord" in data), f"the claim is about {'a chord' if is_chord else 'a run'}, and the file has none")
    if is_chord:
        keys(data["chord"], reads.ends, "the chord")
        need(not reads.entries, "a claim about a chord reads entries of a run")
    else:
        check_chosen(data["run"], reads, runs)


def check_names(data: Any, wanted: set[str], allowed: set[str], what: str) -> None:
    """Raise ValueError unless it is an object of numbers that has what is wanted, and nothing that the claim does not read."""
    need(isinstance(data, dict), f"{what} must be an object; found {shown(data)}")
    keys(data, wanted | (allowed & set(data)), what)
    rationals(list(data.values()))


def check_chosen(data: Any, reads: Reading, runs: dict[str, tuple[dict[str, str], Reading]]) -> None:
    """Raise ValueError unless the file gives each run of the claim a start, steps, and the other numbers that no update sets."""
    keys(data, ("roles",), "the run")
    keys(data["roles"], runs, "the runs")
    chosen: dict[str, set[str]] = {}
    for role, (sets, method) in runs.items():
        own = data["roles"][role]
        read = {(sort, name) for sort, run, name in reads.entries if run == role}
        read |= {(sort, name) for sort, _, name in method.entries}
        read.add((SCALAR, "eta"))
        chosen[role] = {name for sort, name in read if name not in sets}
        keys(own, {"start", *chosen[role]}, f"the run {shown(role)}")
        need("start" not in chosen[role], "a sequence cannot be called start unless a method sets it")
        for sort, name in read:
            need(sort == sets.get(name, SCALAR), f"{shown(name)} is read as a {sort}, and is none")
        lengths = {len(rationals(own[name], holes=name == "eta")) for name in chosen[role]}
        need(len(lengths) == 1 and max(lengths) <= MOST, f"a run has parts of other lengths, or more than {MOST} steps")
    need({run for _, run, _ in reads.entries} <= set(runs), "the claim reads a run that it does not name")


# -- the certificate --------------------------------------------------------------------------------------------------------

PARTS = ("factor", "base", "left", "right", "of", "at", "start", "end")  # the fields of a node that are formulas, in order
MEANING: dict[str, Callable[..., Any]] = {  # of a node of a formula, from the values of its parts
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "Mul": lambda a, b: a * b,
    "Div": lambda a, b: a / b,
    "Neg": lambda a: -a,
    "Abs": abs,
    "Log": logarithm,
    "Larger": lambda a, b: largest([a, b]),
    "Smaller": lambda a, b: smallest([a, b]),
    "Inner": dot,
    "Normsq": lambda v: dot(v, v),
    "Norm": lambda v: power(dot(v, v), HALF),
    "Plus": lambda u, v: along(u, ONE, v),
    "Minus": minus,
    "Scaled": lambda s, v: [sized(s * a) for a in v],
}
MEANING_HERE: dict[str, Callable[..., Any]] = {  # the same, where the certificate must be asked
    "Number": lambda c, n: rational(n["value"]),
    "Power": lambda c, n, base: power(base, rational(n["exponent"])),
    "Parameter": lambda c, n: c.parameters[n["name"]],
    "Constant": lambda c, n: c.constants[n["name"]],
    "Minimum": lambda c, n: c.ends["x*"],
    "Value": lambda c, n, p: c.f.value(p),
    "Grad": lambda c, n, p: c.f.grad(p),
    "Chord": lambda c, n, x, y: c.chord(n["kind"], x, y),
}
FOLDS: dict[str, Callable[[Vector], Number]] = {"sum": total, "prod": product, "min": smallest, "max": largest}


class Certificate:
    """What a file that `check_file` passes gives: a claim, a function, and a run or a chord. `refutation` decides."""

    def __init__(self, data: Any) -> None:
        self.data, self.claim, self.M = data, data["claim"], data["smoothness"]
        need(self.M is None or self.M in self.claim["smoothness"], f"M cannot be {shown(self.M)} in this claim")
        links = self.claim["states"].get("links", [self.claim["states"]])
        need(all(link["op"] != "->" for link in links), "the claim is a limit: no finite run refutes it")
        self.relation = links[whole(data["link"], 0, "link", len(links) - 1)]
        letter, first, run = self.claim["for_all"]["letter"], self.claim["for_all"]["from"], "run" in data
        need(
            isinstance(data["at"], dict) and set(data["at"]) == ({letter} if run else set()),
            f"needs a run at {shown(letter)}, or a chord",
        )
        self.at = {name: whole(value, max(first, 0), shown(name)) for name, value in data["at"].items()}
        self.f: Any = function_of(data["function"])
        self.parameters = {name: rational(value) for name, value in data["parameters"].items()}
        self.constants = {name: rational(value) for name, value in data["constants"].items()}
        points = dict(data.get("chord", {}))
        if data["minimiser"] is not None:
            need("x*" not in points, "an end of a chord is called x*")
            points["x*"] = data["minimiser"]
        self.ends = {name: rationals(point, self.f.dimension) for name, point in points.items()}
        self.entries: dict[tuple[str, str], dict[int, Any]] = {}  # of the runs, by role and name, then by index
        self.far = 0  # how many steps have been read
        self.role = ""  # whose run a formula reads that names none
        self.steps = 0  # how many the run has
        self.open: set[int] = set()  # the steps that are null: the equation that they follow, `rule`, gives them
        self.rule: dict[str, Any] = {}
        self.searched = False

    # -- what a formula means ----------------------------------------------------------------------------------------------

    def value(self, node: Any, at: dict[str, int]) -> Any:
        """The value of a formula by the definition; `at` has the values of its letters.

        IndexError: an entry that the run does not have. ZeroDivisionError, NotRefuted: undefined, or not decided.
        """
        kind = node["is"]
        if kind in ("Reduce", "Mean"):
            return self._range(node, at)
        if kind in ("Point", "Term") and node["index"] is not None:
            index = self._index(node["index"], at)
            entries = self.entries[node["run"] or self.role, node["name"]]
            if index not in entries:
                raise IndexError(f"{shown(node['name'])} at {index} is read, and the run has no such entry")
            self.far = max(self.far, index + (kind == "Term"))
            spend(1)
            return entries[index]
        if kind == "Point":
            return self.ends[node["name"]]
        if kind == "IndexNumber":
            return fmpq(self._index(node["index"], at))
        parts = [self.value(node[part], at) for part in PARTS if part in node]
        found = MEANING[kind](*parts) if kind in MEANING else MEANING_HERE[kind](self, node, *parts)
        return found if isinstance(found, list) else sized(found)

    def _index(self, index: Any, at: dict[str, int]) -> int:
        return whole(index["plus"], -MOST, "an index") + (0 if index["index"] is None else at[index["index"]])

    def _range(self, node: Any, at: dict[str, int]) -> Any:
        """A sum, product, minimum, maximum or weighted mean, as a plain loop. An undefined condition makes all undefined."""
        letter, low, high = node["letter"], self._index(node["low"], at), self._index(node["high"], at)
        spend(max(0, high + 1 - low))
        here = [{**at, letter: n} for n in range(low, high + 1)]
        if node["is"] == "Mean":
            weights = [self.value(node["weight"], place) for place in here]
            points = [self.value(node["of"], place) for place in here]
            over = total(weights)  # of nothing it is 0, and the division undefined
            return [sized(dot(weights, [point[i] for point in points]) / over) for i in range(self.f.dimension)]
        if node["where"] is not None:
            here = [place for place in here if self.true(node["where"], place)]
        return FOLDS[node["kind"]]([self.value(node["body"], place) for place in here])

    def true(self, relation: Any, at: dict[str, int]) -> bool:
        return holds(relation["op"], self.value(relation["left"], at), self.value(relation["right"], at))

    def chord(self, kind: str, x: Vector, y: Vector) -> Number:
        """D, H, A, L or mu of the chord from x to y; M is the one of them that the file names."""
        is_M, d = kind == "M", minus(y, x)
        kind = self.M if is_M else kind
        if kind == "D":
            change = minus(self.f.grad(y), self.f.grad(x))
            return 2 * power(dot(change, change) / dot(d, d), HALF)
        if kind == "H":
            return 2 * abs(self.f.value(y) - self.f.value(x) - dot(self.f.grad(x), d)) / dot(d, d)
        if kind == "L":
            return self.constants["L"]
        need(kind in ("A", "mu"), f"the chord has no {shown(kind)}")
        secants = self.f.secants(x, y)
        found = largest(secants) if kind == "A" else smallest(secants)
        must(not is_M or holds(">=", found, ZERO), "A is negative on a chord: it is no directional smoothness function of this f")
        return found

    # -- the runs ----------------------------------------------------------------------------------------------------------

    def make_runs(self) -> None:
        """Every entry, from the start and the steps: at step k the method's updates are made in order."""
        found = [h["runs"] for h in self.claim["given"] if "runs" in h]
        need(len(found) == 1, "the claim does not say which method it is about")
        runs, chosen = found[0], {}
        for role, own in self.data["run"]["roles"].items():
            chosen[role] = {name: rationals(values, holes=name == "eta") for name, values in own.items()}
        self.steps = len(chosen[""]["eta"])
        self._find_rule(chosen)
        alike = list(chosen.values()) if runs["steps"] == SAME_STEPS else [own["start"] for own in chosen.values()]
        must(all(one == alike[0] for one in alike), "the runs must have one start, and the same steps where the claim says so")
        if runs["steps"] == SEARCH:
            self._check_search([chosen[entry["role"]]["eta"] for entry in runs["roles"]], chosen[""]["start"])
        for entry in runs["roles"]:
            self._make_run(entry["role"], entry["method"], chosen[entry["role"]])
        self.role, self.searched = "", runs["steps"] == SEARCH

    def _make_run(self, role: str, method: Any, own: dict[str, Vector]) -> None:
        self.role, start = role, own.pop("start")
        good = len(start) == self.f.dimension and all(len(values) == self.steps for values in own.values())
        need(good, "a run has parts of other lengths")
        for name, values in own.items():
            self.entries[role, name] = dict(enumerate(values))
        self.entries[role, "x"] = {0: start}
        for k in range(self.steps):
            if k in self.open:
                self.entries[role, "eta"][k] = sized(arb(self.value(self.rule["right"], {STEP: k})))
            must(holds(">", self.entries[role, "eta"][k], ZERO), "a step must be positive")
            for update in updates(method, k):
                name, index = update["sets"]["name"], self._index(update["sets"]["index"], {"k": k})
                need(name not in own, f"{shown(name)} is set by the method: a run does not choose it")
                self.entries.setdefault((role, name), {})[index] = self.value(update["to"], {"k": k})

    def _find_rule(self, chosen: dict[str, dict[str, Vector]]) -> None:
        """Steps that are null need one run, and one equation eta_i == ... that gives them."""
        self.open = {k for k, eta in enumerate(chosen[""]["eta"]) if eta is None}
        if not self.open:
            need(all(eta is not None for own in chosen.values() for eta in own["eta"]), "only steps of the main run may be null")
            return
        rules = [h["follows"] for h in self.claim["given"] if "follows" in h]
        good = len(rules) == 1 and len(chosen) == 1 and rules[0]["op"] == "=="
        if good:
            left = rules[0]["left"]
            good = left["is"] == "Term" and left["name"] == "eta" and left["run"] == ""
            good = good and left["index"] == {"index": STEP, "plus": 0}
        need(good, "steps that are null need one run, and an equation eta_i == ... that they follow")
        self.rule = rules[0]

    def _check_search(self, runs: list[Vector], start: Vector) -> None:
        """Exponential search: the first run has the step that it returns, the second the step above it that fails."""
        eta, seen, n = [self.parameters["eta0"] * HALF**m for m in range(1025)], [0], len(runs[0])
        for low in (m for r in range(1, 11) for m in (0, 2**r)):
            if self._is_small(eta[low], start, n, seen):
                break
        else:
            raise ValueError("exponential search finds no step within 2^-1024 eta0")
        high = 0
        while low - high > 1:
            middle = (low + high) // 2
            if self._is_small(eta[middle], start, n, seen):
                low = middle
            else:
                high = middle
        counts = {"N": seen[0] * n, "searches": seen[0]}
        same = runs == [[eta[low]] * n, [eta[high]] * n] and all(self.parameters.get(name, c) == c for name, c in counts.items())
        must(same, f"exponential search returns {eta[low]} and {eta[high]}, and counts {counts}")

    def _is_small(self, eta: Number, x: Vector, n: int, seen: list[int]) -> bool:
        """Whether the search's function of eta is at most 0, by one run of n steps; `seen` counts these runs."""
        found, seen[0] = ZERO, seen[0] + 1
        for _ in range(n):
            g = self.f.grad(x)
            step = along(x, -eta, g)
            found, x = sized(found + (eta * self.chord("M", x, step) - 1) * dot(g, g)), step
        return holds("<=", found, ZERO)

    # -- the hypotheses ----------------------------------------------------------------------------------------------------

    def _check_function(self) -> dict[str, bool]:
        """The facts of the function, from its data; its constants and x* are what the file says, or NotRefuted."""
        f, mu = self.f, self.constants.get("mu")
        convex = f.curved(ZERO)
        facts = {
            "Convex": convex,
            "Differentiable": True,
            "Smooth": f.is_smooth,
            "TwiceDifferentiable": f.is_twice,
            "StronglyConvex": f.curved(ZERO, strictly=True) if mu is None else mu > 0,
            "IsQuadratic": f.is_quadratic and self._is_stationary(),
        }
        for name, c in self.constants.items():
            if name == "L":
                good = c > 0 and f.is_smooth and f.curved(c, -1) and f.curved(-c)
            elif name == "mu":
                good = c >= 0 and f.curved(c)
            else:
                good = f.constants.get(name) == str(c)
            must(good, f"{shown(name)} = {number(c)} is not a constant of this function")
        must(self.M != "D" or convex, "D is a directional smoothness function of convex functions only")
        if "x*" in self.ends:
            least = self.ends["x*"]
            flat = all(holds("==", g, ZERO) for g in f.grad(least))
            must(flat and (convex or f.lowest(least)), "x* is no minimiser")
        return facts

    def _is_stationary(self) -> bool:
        """Is the gradient of a quadratic known to be 0 somewhere? An affine function is no quadratic."""
        f = self.f
        return "x*" in self.ends or not f.terms or f.curved(ZERO, 1, True) or f.curved(ZERO, -1, True)

    def _check_given(self) -> None:
        """Every hypothesis: of the function from its data, of the run at each step at which it has what the hypothesis reads."""
        facts = self._check_function()
        for hypothesis in self.claim["given"]:
            ((kind, what),) = hypothesis.items()
            if kind == "fact":
                must(facts[what], f"the function is not {shown(what)}, as the claim demands")
            elif kind != "runs":
                need(kind in ("once", "follows", "at each step"), f"a hypothesis of the kind {shown(kind)} is not known")
                places = [max(self.at.values(), default=0)] if kind == "once" else list(range(self.steps + 2 + looks_back(what)))
                if what is self.rule:  # a step that is null obeys its equation by construction
                    places = [i for i in places if i not in self.open]
                asked = [self._held(what, i) for i in places]
                must(any(asked) or what is self.rule, "the run is too short for a hypothesis: it can be read nowhere")

    def _held(self, relation: Any, i: int) -> bool:
        """Can it be read at step i? Then it must be true there."""
        try:
            true = self.true(relation, {**self.at, STEP: i})
        except IndexError:
            return False
        must(true, f"a hypothesis of the claim is false (step {i})")
        return True

    # -- both sides --------------------------------------------------------------------------------------------------------

    def sides(self) -> Vector:
        """The left and the right side of the relation, where all hypotheses hold."""
        if "run" in self.data:
            self.make_runs()
        self._check_given()
        k = max(self.at.values(), default=0)
        must(self.steps >= k, "the run has fewer steps than the k that is asked")
        self.far, at = 0, {**self.at, STEP: k}
        for hypothesis in self.claim["given"]:
            if "once" in hypothesis:
                self.true(hypothesis["once"], at)  # what it reads counts as read by the claim
        sides = [self.value(self.relation[side], self.at) for side in ("left", "right")]
        must(not self.searched or self.far == self.steps, "exponential search makes as many steps as the claim reads")
        return sides

    def refutation(self) -> str:
        """One line that says where the claim is false; NotRefuted unless that is proved."""
        must(claim_hash(self.claim) == self.data["hash"], "the hash is not that of the claim")
        op, sides = self.relation["op"], self.sides()
        must(not holds(op, *sides), f"the claim holds there: left {number(sides[0])}, right {number(sides[1])}")
        for side, found in zip(("left", "right"), sides, strict=True):
            given = self.data[side]
            low, high = rationals([given, given] if isinstance(given, str) else given, 2)
            right = low == high == found if isinstance(found, fmpq) else low < found and found < high
            must(right, f"the {side} side is {number(found)}; the certificate says {shown(given)}")
        must(digest({**self.data, "seal": ""}) == self.data["seal"], "the seal is broken: it was changed after it was written")
        where = ", ".join(f"{shown(name)[1:-1]} = {k}" for name, k in self.at.items()) or shown(self.data.get("chord"), 200)
        return f"{shown(self.claim['id'], 200)} is false at {where}: left {number(sides[0])}, right {number(sides[1])}, not {op}"


def looks_back(node: Any) -> int:
    """How far before its step a hypothesis may read, at most: so long after the last step it still reads entries of the run."""
    if isinstance(node, list):
        return sum(looks_back(part) for part in node)
    if not isinstance(node, dict) or node.get("is") == "IndexNumber":
        return 0
    if set(node) == {"index", "plus"}:
        return max(0, -int(node["plus"]))
    return sum(looks_back(part) for part in node.values())


def updates(method: Any, k: int) -> list[Any]:
    """The updates of step k. At step 0, those of `first` come before the rest, or in the place of one of the same entry."""
    first = {} if k else {update["sets"]["name"]: update for update in method["first"]}
    same = {u["sets"]["name"] for u in method["each"] if u["sets"]["index"]["plus"] == 0} & set(first)
    each = [first[u["sets"]["name"]] if u["sets"]["name"] in same else u for u in method["each"]]
    return [update for name, update in first.items() if name not in same] + each


def number(value: Number) -> str:
    """A number as it is printed: whole, unless it is too long for a line."""
    text = str(value)
    return text if len(text) <= 200 else f"{text[:80]}... ({len(text)} characters)"


# -- the command ------------------------------------------------------------------------------------------------------------


def digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def claim_hash(claim: Any) -> str:
    """Which claim it is: the hash of what it states, under which hypotheses, for which k and M. Not of its name."""
    return digest({key: claim[key] for key in CLAIMED})


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    need(len(made) == len(pairs), f"a key is given twice among {shown([key for key, _ in pairs])}")
    return made


class Finding(NamedTuple):
    """What was found of a file: exit code, a word for it, one line that says why; name and hash of a claim that could be read."""

    code: int
    outcome: str
    line: str
    claim: str | None = None
    hash: str | None = None


def examine(raw: bytes, seconds: float = SECONDS) -> Finding:
    """Does this text refute the claim that it carries? It takes no more than the budgets, and so many seconds."""
    before, name, hashed = ctx.prec, None, None
    BUDGET.work, BUDGET.until = WORK, time.monotonic() + seconds
    try:
        if len(raw) > BYTES:
            raise TooLarge(f"it has more than {BYTES} bytes")
        data = json.loads(raw, object_pairs_hook=_no_key_twice, parse_float=rational, parse_constant=rational)
        check_file(data)
        name, hashed = data["claim"]["id"], claim_hash(data["claim"])
        told = ""
        for ctx.prec in PRECISIONS:
            BUDGET.balls = False
            try:
                return Finding(REFUTES, "refutes", _plain(Certificate(data).refutation()), name, hashed)
            except (NotRefuted, IndexError, ZeroDivisionError) as why:
                told = str(why)
            if not BUDGET.balls:
                break
        return Finding(DOES_NOT_REFUTE, "does not refute", _plain(told), name, hashed)
    except TooLarge as why:
        return Finding(MALFORMED, "too large", _plain(str(why)), name, hashed)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError) as why:
        line = str(why) if isinstance(why, ValueError) else f"it cannot be read: {type(why).__name__}: {shown(str(why), 200)}"
        return Finding(MALFORMED, "malformed", _plain(line), name, hashed)
    finally:
        ctx.prec = before
        BUDGET.work = BUDGET.until = math.inf


def _plain(line: str) -> str:
    """One line of plain ASCII, whatever a file put into it."""
    return line.encode("unicode_escape").decode("ascii").replace("\\\\", "\\")


def read(path: str) -> bytes:
    """The bytes of a file; no more than what shows that it is too large."""
    with open(path, "rb") as file:
        return file.read(BYTES + 1)


def verify(path: str, seconds: float = SECONDS) -> tuple[int, str]:
    """The exit code for a certificate, and one line that says why."""
    try:
        raw = read(path)
    except OSError as why:
        return MALFORMED, f"it cannot be read: {why.strerror}"
    found = examine(raw, seconds)
    return found.code, f"too large: {found.line}" if found.outcome == "too large" else found.line


def main(paths: list[str]) -> int:
    worst = MALFORMED if not paths else REFUTES
    for path in paths:
        try:
            found = examine(read(path))
        except OSError as why:
            found = Finding(MALFORMED, "malformed", f"it cannot be read: {why.strerror}")
        about = "" if found.claim is None else "claim not compared with any library; "
        after = "; titles and words are not checked" if found.code == REFUTES else ""
        print(f"{_plain(path)}: {about}{found.outcome}: {found.line}{after}")
        worst = max(worst, found.code)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
