"""Section 4.2.1, Exponential Search: its number of iterations."""

from boundcheck.bound import Bound
from boundcheck.language.letters import K, L, eta, larger, log
from boundcheck.language.scalars import NONE, Parameter
from boundcheck.problem import Convex, Smooth
from boundcheck.theorems.directional_smoothness.notation import PAPER

iterations = Parameter("N", NONE)

exponential_search_count = Bound(
    source=PAPER.at("thm:exponential-search-gd.count", "4.2.1"),
    title="exponential search needs at most 2K (log log(2 eta_0 / L) v 1) iterations",
    given=(Convex, Smooth),
    states=iterations <= 2 * K * larger(log(log(2 * eta[0] / L)), 1),
    for_all=K >= 1,
    try_with={"N": (1,)},
    untested="needs exponential search, which the library does not run yet",
)
