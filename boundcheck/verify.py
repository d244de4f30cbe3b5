"""The independent checker of certificates: does this file refute the claim that it carries? (docs/certificates.md)

It imports nothing of boundcheck and trusts nothing that a file says: it computes the run by the method's updates, checks every
hypothesis, and evaluates both sides by the definition, in exact fractions (fmpq) or, for roots and logarithms, in balls (arb).
    python boundcheck/verify.py CERTIFICATE.json...      exit 0: refutes    1: does not refute    2: malformed"""

from __future__ import annotations

import hashlib
import json
import sys
from functools import partial, reduce
from itertools import pairwise, permutations
from operator import add, mul, neg, sub, truediv
from typing import Any

from flint import arb, ctx, fmpq, fmpz


class NotRefuted(Exception): ...  # it is a certificate, and does not refute; whatever is no certificate raises ValueError


def need(good: Any, message: str, otherwise: type[Exception] = ValueError) -> None:
    if not good:
        raise otherwise(message)


must, REFUTES, DOES_NOT_REFUTE, MALFORMED = partial(need, otherwise=NotRefuted), 0, 1, 2
PRECISIONS, MOST = [64 * 2**n for n in range(8)], 10_000  # bits; steps, indices, exponents: those for people are far smaller
LONG = 2**13  # bits of a power, beyond which it is enclosed: along a run of |x|^4 they treble at every step
KEYS = "format version claim hash smoothness parameters function constants minimiser at link left right words seal"
CLAIMED = ("states", "given", "for_all", "smoothness")  # what the hash of a claim is of
CLOSED = {"smooth abs": ["eps"], "power": ["p"], "logistic pair": []}  # functions of a closed form, each with its number
ZERO, ONE, HALF = fmpq(0), fmpq(1), fmpq(1, 2)
Vector = list[Any]  # of numbers: fmpq | arb


def whole(data: Any, low: int, what: str) -> int:
    need(type(data) is int and low <= data <= MOST, f"{what} must be a whole number from {low} to {MOST}; found {data!r:.60}")
    return int(data)


def rational(data: Any) -> fmpq:
    good = isinstance(data, str) and len(data) <= 4000 and set(data) <= set("-/0123456789") and "/0" not in data
    good = good and str(value := fmpq(*map(int, data.split("/")))) == data
    need(good, f"a number is text such as '-3/4' or '2', in lowest terms; found {data!r:.60}")
    return value


def rationals(data: Any, length: int | None = None, holes: bool = False) -> Vector:
    need(isinstance(data, list) and length in (None, len(data)), f"needs {length or 'a list of'} numbers; found {data!r:.60}")
    return [None if holes and value is None else rational(value) for value in data]


def holds(op: str, a: Any, b: Any) -> bool:  # is a < b, a <= b, a == b? For balls it is decided or refused, never guessed
    if op in (">", ">="):
        return holds(op.replace(">", "<"), b, a)
    known = {"<": (a < b, a >= b), "<=": (a <= b, a > b), "==": (type(a) is type(b) is fmpq and a == b, a != b)}
    must(any(known[op]), f"{a} and {b} cannot be told apart")
    return bool(known[op][0])


def power(base: Any, exponent: fmpq) -> Any:  # exact where it is rational; where undefined, nan, which compares with nothing
    p, q = int(exponent.p), int(exponent.q)
    need(max(abs(p), q) <= MOST, f"the exponent {exponent!s:.60} is too large")
    if q > 1:
        exact = fmpq(fmpz(base.p).root(q), fmpz(base.q).root(q)) if isinstance(base, fmpq) and base >= 0 else None
        base = exact if exact is not None and exact**q == base else arb(base).root(q)
    return (arb(base) if isinstance(base, fmpq) and base.height_bits() * abs(p) > LONG else base) ** p if p else base * 0 + 1


def extreme(values: Vector, sign: int = 1) -> Any:  # the largest (1) or smallest (-1); of balls an enclosure, whichever it is
    must(values, "the extreme of no numbers is undefined")
    return reduce(lambda a, b: b if sign * (b - a) > 0 else a if sign * (a - b) >= 0 else (a + b + sign * abs(a - b)) / 2, values)


def dot(u: Vector, v: Vector) -> Any:
    return sum((a * b for a, b in zip(u, v, strict=True)), ZERO)


def along(x: Vector, t: Any, d: Vector) -> Vector:
    return [a + t * b for a, b in zip(x, d, strict=True)]


def definite(matrix: list[Vector], strictly: bool = False) -> bool:  # elimination meets no pivot < 0, and 0 only in a row of 0
    (pivot, *row), *rest = matrix
    good = bool(pivot > 0 or (pivot == 0 and not strictly and not any(row)))
    return good and (not rest or definite([along(r[1:], -r[0] / pivot if pivot else ZERO, row) for r in rest], strictly))


class Piecewise:  # phi is C^1: its gradient has given values at the knots, is linear between them, and has given slopes outside
    def __init__(self, data: Any) -> None:
        self.knots, self.gradients = rationals(data["knots"]), rationals(data["gradients"], len(data["knots"]))
        need(self.knots and sorted(set(self.knots)) == self.knots, "a piecewise quadratic needs knots that increase")
        pieces = [(b - a, g, h) for (a, g), (b, h) in pairwise(zip(self.knots, self.gradients, strict=True))]
        self.slopes = [rational(data["left_slope"]), *((h - g) / w for w, g, h in pieces), rational(data["right_slope"])]
        self.heights = [sum((w * (g + h) / 2 for w, g, h in pieces[:j]), ZERO) for j in range(len(self.knots))]
        self.low, self.high, self.twice = min(self.slopes), max(self.slopes), len({*self.slopes}) == 1
        (place, value), self.shift = rationals(data["value_at"], 2), ZERO
        self.shift = value - self.at(place)[0]

    def at(self, u: Any) -> tuple[Any, Any]:  # value and gradient, from the nearest knot on the left, or the first
        after = sum(1 for knot in self.knots if holds(">=", u, knot))
        step, gradient, slope = u - self.knots[j := max(after - 1, 0)], self.gradients[j], self.slopes[after]
        return self.shift + self.heights[j] + gradient * step + slope * step * step / 2, gradient + slope * step


class Closed:  # phi is sqrt(u^2 + eps^2), log(1 + e^u) + log(1 + e^-u), or |u|^p: convex and C^1; its A and mu are not known here
    def __init__(self, data: Any) -> None:
        self.kind, self.knots, self.low = data["kind"], None, ZERO
        need({*data} == {"kind", *CLOSED.get(self.kind, "?")}, f"a function {self.kind!r:.60} with these data is not known")
        self.n = n = rational(*([data[name] for name in CLOSED[self.kind]] or ["2"]))
        need(1 < n <= 100 if self.kind == "power" else n > 0, "a smooth abs needs eps > 0, a power 1 < p <= 100")
        self.twice, self.high = (n >= 2, 2 * ONE if n == 2 else None) if self.kind == "power" else (True, 1 / n)

    def at(self, u: Any) -> tuple[Any, Any]:
        if self.kind == "power":
            size = power(abs(u), self.n - 1)
            return size * abs(u), self.n * (size if holds(">=", u, ZERO) else -size)
        if self.kind == "logistic pair":
            return (arb(u).exp() + 2 + arb(-u).exp()).log(), ZERO if isinstance(u, fmpq) and u == 0 else (arb(u) / 2).tanh()
        return (root := power(u * u + self.n**2, HALF)), u / root


class Interpolation:  # some L-smooth, mu-strongly convex f has these values and gradients at these points; no more is known of it
    def __init__(self, data: Any) -> None:
        self.dimension, self.mu, self.L = len([*data["points"], []][0]), rational(data["mu"]), rational(data["L"])
        self.points, grads = ([rationals(v, self.dimension) for v in data[part]] for part in ("points", "gradients"))
        self.rows = [*zip(self.points, grads, rationals(data["values"]), strict=True)]
        self.is_smooth, self.is_twice, self.is_quadratic, self.constants = True, False, False, dict[str, Any]()
        self.grad, self.value = (partial(self._read, part) for part in (1, 2))
        need(self.dimension and 0 <= self.mu < self.L, "an interpolation needs 0 <= mu < L, and a dimension")
        for (x, g, f), (y, h, e) in permutations(self.rows, 2):  # Taylor, Hendrickx, Glineur 2017: this suffices
            d, c, q = along(x, -ONE, y), along(g, -ONE, h), self.mu / self.L
            above = (dot(c, c) / self.L + self.mu * dot(d, d) - 2 * q * dot(c, d)) / (2 - 2 * q)
            must(x != y and f >= e + dot(h, d) + above, "no L-smooth, mu-strongly convex function has these values and gradients")

    def _read(self, part: int, x: Vector) -> Any:
        must(x in self.points, "f is read at a point where the interpolation does not say what it is")
        return self.rows[self.points.index(x)][part]

    def curved(self, by: Any, sign: int = 1, strictly: bool = False) -> bool:
        return bool((by < self.mu or (by == self.mu and not strictly)) if sign > 0 else by >= self.L)

    def secants(self, x: Vector, y: Vector) -> Vector:
        raise NotRefuted("A and mu along a chord are not known from values and gradients")


class Function:  # f is the sum of phi(<a, x>) over ridges (a, phi), and of (x - c)' B (x - c) / 2
    def __init__(self, data: Any) -> None:
        kind, self.centre, self.B, self.terms = data["kind"], [], [], []
        if kind == "quadratic":
            self.centre = rationals(data["minimiser"])
            self.B = [rationals(row, len(self.centre)) for row in data["matrix"]]
            need(self.B and [*map(list, zip(*self.B, strict=True))] == self.B, "a quadratic needs a symmetric matrix")
        else:
            terms = data["terms"] if kind == "ridge sum" else [{"direction": ["1"], "function": data}]
            kinds: list[Any] = [Piecewise if t["function"]["kind"] == "piecewise quadratic" else Closed for t in terms]
            self.terms = [(rationals(t["direction"]), kind(t["function"])) for t, kind in zip(terms, kinds, strict=True)]
        self.dimension = d = len(self.centre or next(a for a, _ in self.terms))
        need(d and all(len(a) == d for a, _ in self.terms), "the directions of a ridge sum have one dimension")
        self.centre, self.B = self.centre or [ZERO] * d, self.B or [[ZERO] * d] * d
        known = {"smooth abs": {"slope": "1", "eps": data.get("eps")}, "logistic pair": {"slope": "1", "gram": "2"}}
        self.constants: dict[str, Any] = known.get(kind, {})
        facts = [(phi.high is not None, phi.twice, phi.low == phi.high) for _, phi in self.terms]
        self.is_smooth, self.is_twice, self.is_quadratic = (all(fact[n] for fact in facts) for n in range(3))

    def value(self, x: Vector) -> Any:
        r = along(x, -ONE, self.centre)
        return dot(r, [dot(row, r) for row in self.B]) / 2 + sum((phi.at(dot(a, x))[0] for a, phi in self.terms), ZERO)

    def grad(self, x: Vector) -> Vector:
        inside = [dot(row, along(x, -ONE, self.centre)) for row in self.B]
        return reduce(lambda g, term: along(g, term[1].at(dot(term[0], x))[1], term[0]), self.terms, inside)

    def curved(self, by: Any, sign: int = 1, strictly: bool = False) -> bool:  # is sign * (Hessian - by I) (semi)definite?
        bent, d = [(phi.low if sign > 0 else phi.high, a) for a, phi in self.terms], range(self.dimension)
        H = [[self.B[i][j] - by * (i == j) + sum((s * a[i] * a[j] for s, a in bent), ZERO) for j in d] for i in d]
        return definite([[sign * entry for entry in row] for row in H], strictly)

    def lowest(self, x: Vector) -> bool:  # f is no less at knots and where f' is 0, and does not fall for ever
        must([a for a, _ in self.terms] == [[ONE]] and (phi := self.terms[0][1]).knots, "x* needs one variable, or a convex f")
        ends = (phi.slopes[0], -phi.gradients[0]), (phi.slopes[-1], phi.gradients[-1])
        zeros = [u - g / s for u, g in zip(phi.knots, phi.gradients, strict=True) for s in phi.slopes if s]  # more do no harm
        return min(ends) >= (ZERO, ZERO) and all(phi.at(u)[0] >= phi.at(x[0])[0] for u in [*phi.knots, *zeros])

    def secants(self, x: Vector, y: Vector) -> Vector:  # the mean slope up to t = 1 and to each bend; monotone in t between them
        d, here, times = along(y, -ONE, x), self.grad(x), [ONE]
        for a, phi in self.terms:
            need(phi.knots is not None, "A and mu along a chord are not known here for this function")
            if not holds("==", speed := dot(a, d), ZERO):
                times += [(knot - dot(a, x)) / speed for knot in phi.knots]
        times = [t for t in times if holds("<", ZERO, t) and holds("<=", t, ONE)]
        return [dot(along(self.grad(along(x, t, d)), -ONE, here), d) / (t * dot(d, d)) for t in times]


least, most, PARTS = partial(extreme, sign=-1), extreme, ("factor", "base", "left", "right", "of", "at", "start", "end")
MEANING: dict[str, Any] = {  # of each node of a formula, from the values of its parts
    **{"Add": add, "Sub": sub, "Mul": mul, "Div": truediv, "Neg": neg, "Abs": abs, "Normsq": lambda v: dot(v, v), "Inner": dot},
    **{"Norm": lambda v: power(dot(v, v), HALF), "Log": lambda a: ZERO if isinstance(a, fmpq) and a == 1 else arb(a).log()},
    **{"Larger": lambda a, b: most([a, b]), "Smaller": lambda a, b: least([a, b])},
    **{"Plus": lambda u, v: along(u, ONE, v), "Minus": lambda u, v: along(u, -ONE, v), "Scaled": lambda s, v: [s * a for a in v]},
}
MEANING_HERE: dict[str, Any] = {  # the same where the certificate must be asked
    **{"Number": lambda c, n: rational(n["value"]), "Power": lambda c, n, base: power(base, rational(n["exponent"]))},
    **{"Parameter": lambda c, n: c.parameters[n["name"]], "Constant": lambda c, n: c.constants[n["name"]]},
    **{"Minimum": lambda c, n: c.ends["x*"], "Value": lambda c, n, p: c.f.value(p), "Grad": lambda c, n, p: c.f.grad(p)},
    "Chord": lambda c, n, x, y: c.chord(n["kind"], x, y),
}
FOLDS: dict[str, Any] = {"sum": partial(sum, start=ZERO), "prod": lambda v: reduce(mul, v, ONE), "min": least, "max": most}


class Certificate:  # what a file gives: a claim, a function, and a run or a chord. `refutation` decides
    def __init__(self, data: Any) -> None:
        need(not (lacks := {*KEYS.split()} - {*data}), f"it lacks {', '.join(sorted(lacks))}")
        need((data["format"], data["version"]) == ("boundcheck certificate", 1), "needs a boundcheck certificate of version 1")
        self.data, self.claim, self.M = data, data["claim"], data["smoothness"]
        self.f: Any = (Interpolation if data["function"]["kind"] == "interpolation" else Function)(data["function"])
        links = self.claim["states"].get("links", [self.claim["states"]])
        need(all(link["op"] != "->" for link in links), "the claim is a limit: no finite run refutes it")
        need(whole(data["link"], 0, "link") < len(links), f"link is {data['link']}; the claim has {len(links)}")
        need(self.M in (None, *self.claim["smoothness"]), f"M cannot be {self.M!r:.60} in this claim")
        letter, first, run = self.claim["for_all"]["letter"], self.claim["for_all"]["from"], "run" in data
        need(set(data["at"]) == ({letter} if run else set()) and run != ("chord" in data), f"needs a run at {letter}, or a chord")
        self.relation, self.at = links[data["link"]], {name: whole(value, first, name) for name, value in data["at"].items()}
        self.parameters, self.constants = ({n: rational(v) for n, v in data[p].items()} for p in ("parameters", "constants"))
        points = {**data.get("chord", {}), **({} if data["minimiser"] is None else {"x*": data["minimiser"]})}
        self.ends = {name: rationals(point, self.f.dimension) for name, point in points.items()}
        self.entries, self.far = dict[tuple[str, str], dict[int, Any]](), 0  # of the run, by role and name
        self.role, self.steps, self.searched, self.rule = "", 0, False, dict[str, Any]()  # the rule gives the open steps

    def value(self, node: Any, at: dict[str, int]) -> Any:  # what a formula means; `at` has the values of its letters
        kind = node["is"]
        if kind in ("Reduce", "Mean"):
            return self._range(node, at)
        if kind in ("Point", "Term") and node["index"] is not None:
            index, entries = self._index(node["index"], at), self.entries[node["run"] or self.role, node["name"]]
            need(index in entries, f"{node['name']}_{index} is read, and the run has no such entry", IndexError)
            self.far = max(self.far, index + (kind == "Term"))  # how many steps have been read
            return entries[index]
        if kind in ("Point", "IndexNumber"):
            return self.ends[node["name"]] if kind == "Point" else fmpq(self._index(node["index"], at))
        parts = [self.value(node[part], at) for part in PARTS if part in node]
        return MEANING[kind](*parts) if kind in MEANING else MEANING_HERE[kind](self, node, *parts)

    def _index(self, index: Any, at: dict[str, int]) -> int:
        return whole(index["plus"], -MOST, "an index") + (0 if index["index"] is None else at[index["index"]])

    def _range(self, node: Any, at: dict[str, int]) -> Any:  # a sum, product, minimum, maximum or weighted mean, as a plain loop
        here = [{**at, node["letter"]: n} for n in range(self._index(node["low"], at), self._index(node["high"], at) + 1)]
        if node["is"] == "Mean":
            weights, points = ([self.value(node[part], place) for place in here] for part in ("weight", "of"))
            return [dot(weights, [p[i] for p in points]) / sum(weights, ZERO) for i in range(self.f.dimension)]
        return FOLDS[node["kind"]]([self.value(node["body"], p) for p in here if not (w := node["where"]) or self.true(w, p)])

    def chord(self, kind: str, x: Vector, y: Vector) -> Any:
        f, d, is_M, kind = self.f, along(y, -ONE, x), kind == "M", self.M if kind == "M" else kind
        if kind == "D":
            return 2 * power(dot(change := along(f.grad(y), -ONE, f.grad(x)), change) / dot(d, d), HALF)
        if kind == "H":
            return 2 * abs(f.value(y) - f.value(x) - dot(f.grad(x), d)) / dot(d, d)
        found = self.constants["L"] if kind == "L" else FOLDS[{"A": "max", "mu": "min"}[kind]](f.secants(x, y))
        must(not is_M or holds(">=", found, ZERO), "A is negative on a chord: it is no directional smoothness function of this f")
        return found

    def true(self, relation: Any, at: dict[str, int]) -> bool:
        return holds(relation["op"], self.value(relation["left"], at), self.value(relation["right"], at))

    def make_runs(self) -> None:  # every entry, from the start and the steps: at step k the method's updates are made in order
        (runs,) = (h["runs"] for h in self.claim["given"] if "runs" in h)
        chosen = {r: {n: rationals(v, holes=n == "eta") for n, v in o.items()} for r, o in self.data["run"]["roles"].items()}
        self.open = {k for k, eta in enumerate(chosen[""]["eta"]) if eta is None}
        if self.open:
            (self.rule,) = (h["follows"] for h in self.claim["given"] if "follows" in h)
            left = self.rule["left"]["name"], self.rule["left"]["index"], len(chosen), self.rule["op"]
            need(left == ("eta", {"index": "#step", "plus": 0}, 1, "=="), "the steps of one run need an equation eta_i == ...")
        alike = [c if runs["steps"] == "the same steps" else c["start"] for c in chosen.values()]
        must(all(c == alike[0] for c in alike), "the runs must have one start, and the same steps where the claim says so")
        if runs["steps"] == "exponential search":
            self._check_search([chosen[r["role"]]["eta"] for r in runs["roles"]], chosen[""]["start"])
        for self.role, method in ((r["role"], r["method"]) for r in runs["roles"]):
            start, own, self.steps = chosen[self.role].pop("start"), chosen[self.role], len(chosen[""]["eta"])
            need(len(start) == self.f.dimension and {*map(len, own.values())} == {self.steps}, "a run has parts of other lengths")
            self.entries |= {(self.role, name): dict(enumerate(values)) for name, values in own.items()}
            self.entries[self.role, "x"] = {0: start}
            for k in range(self.steps):
                if k in self.open:
                    self.entries[self.role, "eta"][k] = arb(self.value(self.rule["right"], {"#step": k}))
                must(holds(">", self.entries[self.role, "eta"][k], ZERO), "a step must be positive")
                for update in updates(method, k):
                    name, index = update["sets"]["name"], self._index(update["sets"]["index"], {"k": k})
                    need(name not in own, f"{name} is set by the method: a run does not choose it")
                    self.entries.setdefault((self.role, name), {})[index] = self.value(update["to"], {"k": k})
        self.role, self.searched = "", runs["steps"] == "exponential search"

    def _check_search(self, runs: list[Vector], start: Vector) -> None:  # the first has the step that it returns, then eta_hi
        eta, seen, n = [self.parameters["eta0"] * HALF**m for m in range(1025)], [0], len(runs[0])
        low, high = next(m for r in range(1, 11) for m in (0, 2**r) if self._is_small(eta[m], start, n, seen)), 0
        while low - high > 1:
            low, high = (m, high) if self._is_small(eta[m := (low + high) // 2], start, n, seen) else (low, m)
        counts = {"N": seen[0] * n, "searches": seen[0]}
        same = runs == [[eta[low]] * n, [eta[high]] * n] and all(self.parameters.get(name, c) == c for name, c in counts.items())
        must(same, f"exponential search returns {eta[low]} and {eta[high]}, and counts {counts}")

    def _is_small(self, eta: Any, x: Vector, n: int, seen: list[int]) -> bool:  # phi(eta) <= 0, by one run of it
        total, seen[0] = ZERO, seen[0] + 1
        for _ in range(n):
            step = along(x, -eta, g := self.f.grad(x))
            total, x = total + (eta * self.chord("M", x, step) - 1) * dot(g, g), step
        return holds("<=", total, ZERO)

    def _check_given(self) -> None:  # every hypothesis: of the function from its data, of the run at each step that it has
        f, mu = self.f, self.constants.get("mu")
        facts = {"Convex": f.curved(ZERO), "Differentiable": True, "Smooth": f.is_smooth, "TwiceDifferentiable": f.is_twice}
        facts["StronglyConvex"] = f.curved(ZERO, strictly=True) if mu is None else mu > 0
        curved = f.is_quadratic and ("x*" in self.ends or not f.terms or any(f.curved(ZERO, sign, True) for sign in (1, -1)))
        facts["IsQuadratic"] = curved  # stationary somewhere: an affine f is none
        for name, c in self.constants.items():
            known = {"L": c > 0 and f.is_smooth and f.curved(c, -1) and f.curved(-c), "mu": c >= 0 and f.curved(c)}
            must(known.get(name, f.constants.get(name) == str(c)), f"{name} = {c} is not a constant of this function")
        must(self.M != "D" or facts["Convex"], "D is a directional smoothness function of convex functions only")
        if (least := self.ends.get("x*")) is not None:
            must(all(holds("==", g, ZERO) for g in f.grad(least)) and (facts["Convex"] or f.lowest(least)), "x* is no minimiser")
        for ((kind, what),) in (h.items() for h in self.claim["given"]):
            if kind == "fact":
                must(facts[what], f"the function is not {what}, as the claim demands")
            elif kind != "runs":
                need(kind in ("once", "follows", "at each step"), f"a hypothesis of the kind {kind!r:.60} is not known")
                steps = [*self.at.values(), 0][:1] if kind == "once" else range(self.steps + 2)
                asked = [i for i in steps if what is not self.rule or i not in self.open]
                must(any([self._held(what, i) for i in asked]) or what is self.rule, "the run is too short for a hypothesis")

    def _held(self, relation: Any, i: int) -> bool:  # can it be read at step i? Then it must be true there
        try:
            must(self.true(relation, {**self.at, "#step": i}), f"a hypothesis of the claim is false (step {i})")
        except IndexError:
            return False
        return True

    def sides(self) -> Vector:  # the left and the right side of the relation, where all hypotheses hold
        if "run" in self.data:
            self.make_runs()
        self._check_given()
        told, self.far = [*(h["once"] for h in self.claim["given"] if "once" in h), self.relation], 0
        at = {**self.at, "#step": max([0, *self.at.values()])}
        must(self.steps >= at["#step"], "the run has fewer steps than the k that is asked")
        sides = [self.value(relation[side], at) for relation in told for side in ("left", "right")][-2:]
        must(not self.searched or self.far == self.steps, "exponential search makes as many steps as the claim reads")
        return sides

    def refutation(self) -> str:  # one line that says where the claim is false; NotRefuted unless that is proved
        must(digest({key: self.claim[key] for key in CLAIMED}) == self.data["hash"], "the hash is not that of the claim")
        op, sides = self.relation["op"], self.sides()
        must(not holds(op, *sides), f"the claim holds there: left {sides[0]}, right {sides[1]}")
        for side, found in zip(("left", "right"), sides, strict=True):
            low, high = rationals([given, given] if isinstance(given := self.data[side], str) else given, 2)
            right = low == high == found if isinstance(found, fmpq) else low < found and found < high
            must(right, f"the {side} side is {found}; the certificate says {given}")
        must(digest({**self.data, "seal": ""}) == self.data["seal"], "the seal is broken: it was changed after it was written")
        return f"{self.claim['id']} is false at {self.at or self.data['chord']}: left {sides[0]}, right {sides[1]}, not {op}"


def updates(method: Any, k: int) -> list[Any]:  # at step 0, `first` comes before, or in the place of an update of the same entry
    first = {} if k else {u["sets"]["name"]: u for u in method["first"]}
    same = {u["sets"]["name"] for u in method["each"] if u["sets"]["index"]["plus"] == 0} & {*first}
    each = [first[name] if (name := u["sets"]["name"]) in same else u for u in method["each"]]
    return [u for name, u in first.items() if name not in same] + each


def digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    need(len(made := dict(pairs)) == len(pairs), f"a key is given twice among {[key for key, _ in pairs]!r:.60}")
    return made


def verify(path: str) -> tuple[int, str]:  # the exit code for a certificate, and one line that says why
    before, told = ctx.prec, ""
    try:
        with open(path, "rb") as file:
            data = json.loads(file.read(), object_pairs_hook=once, parse_float=rational, parse_constant=rational)
        for ctx.prec in PRECISIONS:
            try:
                return REFUTES, Certificate(data).refutation()
            except (NotRefuted, IndexError, ZeroDivisionError) as why:
                told = str(why)
        return DOES_NOT_REFUTE, told
    except (ValueError, OSError, LookupError, TypeError, AttributeError, RecursionError, StopIteration) as why:
        return MALFORMED, str(why) if isinstance(why, ValueError) else f"it cannot be read: {why!r:.200}"
    finally:
        ctx.prec = before


if __name__ == "__main__":
    found = [(path, *verify(path)) for path in sys.argv[1:]]
    print(*(f"{path}: {('refutes', 'does not refute', 'malformed')[code]}: {line}" for path, code, line in found), sep="\n")
    sys.exit(max((code for _, code, _ in found), default=MALFORMED))
