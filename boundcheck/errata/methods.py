"""Methods in words: gradient descent in a line; a longer one is told once a page, as "Method 2", and named after that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from boundcheck.bound import Bound
from boundcheck.hypotheses import EXPONENTIAL_SEARCH, Runs
from boundcheck.language.latex import latex
from boundcheck.language.rewrite import transform
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Point
from boundcheck.method import Method, Update

LONG = 1  # updates: a method with more is told once a page


@dataclass
class Methods:
    """The long methods of a page, numbered in the order in which they are met. Without it each is told where it is used."""

    numbered: dict[str, tuple[int, Method]] = field(default_factory=dict)

    @classmethod
    def of(cls, bounds: Iterable[Bound]) -> Methods:
        made = cls()
        for bound in bounds:
            for _, method in bound.runs.roles:
                if is_long(method):
                    made.name(method)
        return made

    def name(self, method: Method) -> str:
        """Method 2 (estimating sequences)."""
        number, known = self.numbered.setdefault(method.key, (len(self.numbered) + 1, method))
        return f"Method {number} ({known.name})"

    def told(self) -> list[tuple[str, str]]:
        """(its name, what it does in words with $mathematics$), in order."""
        return [(self.name(method), told(method)) for _, method in self.numbered.values()]


def is_long(method: Method) -> bool:
    return len(method.first) + len(method.each) > LONG


def told(method: Method) -> str:
    """Its updates, in words with $mathematics$."""
    constant = constants(method)
    first = [u for u in method.first if u.name not in constant]
    each = [u for u in method.each if u.name not in constant]
    begin = f"begin with {_listed(first)}; then for " if first else "for "
    return f"{begin}$k = 0, 1, \\ldots$: {_listed(each)}"


def _listed(updates: Iterable[Update]) -> str:
    return ", ".join(f"${latex(u.sets)} = {latex(u.to)}$" for u in updates)


def constants(method: Method) -> dict[str, Point]:
    """The sequences of points that a method only carries along, unchanged from the first: what each of them is."""
    carried = {u.name: u.to for u in method.first if isinstance(u.to, Point)}
    same = {u.name for u in method.each if isinstance(u.to, Point) and u.to.name == u.name and u.to.index == Index("k")}
    return {name: to for name, to in carried.items() if name in same}


def without_constants(node: Node, runs: Runs) -> Node:
    """A formula in which what a run only carries along is written as what it is: x_0, not start_k."""
    known = {(role, name): to for role, method in runs.roles for name, to in constants(method).items()}

    def change(n: Node) -> Node | None:
        return known.get((n.run, n.name)) if isinstance(n, Point) and n.index is not None else None

    return transform(node, change) if known else node


def runs_told(runs: Runs, parameters: Iterable[str], methods: Methods | None) -> str:
    """Whose run a claim is about, in words with $mathematics$."""

    def by(method: Method) -> str:
        if methods is not None and is_long(method):
            return methods.name(method)
        return method.name if len(runs.roles) > 1 and not is_long(method) else f"{method.name}: {told(method)}"

    if len(runs.roles) == 1:
        method = runs.main
        if is_long(method):
            return f"the run is that of {by(method)}"
        return f"${latex(method.each[0].sets)} = {latex(method.each[0].to)}$ for every $k$"
    if runs.steps == EXPONENTIAL_SEARCH:
        return _search(runs, set(parameters))
    whose = [f"${'x' if not role else chr(120) + chr(39)}_k$ by {by(method)}" for role, method in runs.roles]
    return f"two runs from one start with the same steps, {' and '.join(whose)}"


def _search(runs: Runs, parameters: set[str]) -> str:
    counted = {"N": "$N$ is the number of all its steps of gradient descent", "searches": "$N_\\phi$ is how often it evaluates $\\phi$"}
    told = "$x_k$ and $x_k'$ are the runs of gradient descent from one start with the two last steps, $\\eta$ and $\\eta'$, of exponential search"
    return "; ".join([told, *(words for name, words in counted.items() if name in parameters)])
