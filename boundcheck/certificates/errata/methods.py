"""Methods in words: gradient descent in a line; a longer one is told once a page, as "Method 2", and named after that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from boundcheck.claims.bound import Bound
from boundcheck.claims.hypotheses import Runs
from boundcheck.language.latex import latex
from boundcheck.language.rewrite import transform
from boundcheck.language.scalars import Parameter, Term
from boundcheck.language.tree import Index, Node
from boundcheck.language.vectors import Point
from boundcheck.model.method import Method, Update

PRIME = r"\prime"
LONG = 1  # updates: a method with more is told once a page

COUNTS = {
    "N": "$N$ is the number of all its steps of gradient descent",
    "searches": r"$N_\phi$ is how often it evaluates $\phi$, by a run each",
}


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
        return f"Method {number} ({in_words(known.name)})"

    def told(self) -> list[tuple[str, str]]:
        """(its name, what it does in words with $mathematics$), in order."""
        return [(self.name(method), told(method)) for _, method in self.numbered.values()]


def in_words(name: str) -> str:
    """The words of a method's name, without a formula at its end: its updates say that."""
    words = name.split()
    end = next((n for n, word in enumerate(words) if set(word) & set("_=^\\")), len(words))
    kept = words[:end] or words
    return " ".join(kept[:-1] if end < len(words) and len(kept) > 1 else kept)


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
    pairs = [(latex(u.sets), latex(u.formula)) for u in updates]
    return ", ".join(f"${sets} = {to}$" for sets, to in pairs if _bare(sets) != _bare(to))


def _bare(formula: str) -> str:
    """Without brackets: alpha_{0} and the parameter \\alpha_0 are read alike, and need no equation between them."""
    return formula.replace("{", "").replace("}", "")


def constants(method: Method) -> dict[str, Point]:
    """The sequences of points that a method only carries along, unchanged from the first: what each of them is."""
    carried = {u.name: u.to for u in method.first if isinstance(u.to, Point)}
    same = {u.name for u in method.each if isinstance(u.to, Point) and u.to.name == u.name and u.to.index == Index("k")}
    return {name: to for name, to in carried.items() if name in same}


def without_constants(node: Node, runs: Runs) -> Node:
    """A formula in which what a run only carries along is written as what it is: x_0, not start_k."""
    known = {(role, name): to for role, method in runs.roles for name, to in constants(method).items()}
    searched = runs.searched  # whose runs have one step each: eta_0 is where the search begins

    def change(n: Node) -> Node | None:
        if searched and isinstance(n, Term) and n.name == "eta":
            return Parameter("eta", n.dimension, r"\eta'" if n.run else r"\eta")
        return known.get((n.run, n.name)) if isinstance(n, Point) and n.index is not None else None

    return transform(node, change) if known or searched else node


def runs_told(runs: Runs, parameters: Iterable[str], methods: Methods | None) -> str:
    """Whose run a claim is about, in words with $mathematics$."""

    def by(method: Method) -> str:
        if methods is not None and is_long(method):
            return methods.name(method)
        return method.name if len(runs.roles) > 1 and not is_long(method) else f"{in_words(method.name)}: {told(method)}"

    if len(runs.roles) == 1:
        method = runs.main
        if is_long(method):
            return f"the run is that of {by(method)}"
        return f"${latex(method.each[0].sets)} = {latex(method.each[0].to)}$ for every $k$"
    if runs.searched:
        return _search(runs, set(parameters))
    whose = [f"${'x' if not role else 'x^{' + PRIME + '}'}_k$ by {by(method)}" for role, method in runs.roles]
    return f"two runs from one start with the same steps, {' and '.join(whose)}"


def _search(runs: Runs, parameters: set[str]) -> str:
    both = rf"$x_k$ and $x^{{\prime}}_k$ are runs of {runs.main.name} from one start"
    told = rf"{both}, with the last steps $\eta$ and $\eta'$ of {runs.steps}"
    return "; ".join([told, *(words for name, words in COUNTS.items() if name in parameters)])
