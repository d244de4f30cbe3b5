"""Projections on two sets, to find a point of both: in turn, their mean, and Dykstra's method. PEPit states no rate of them.

The two projections of the last point are compared. A point that was projected on the second set is its own projection there.
"""

from boundcheck import Bound, By, Indicator, Method, Minimises, Paper, Update
from boundcheck.letters import ConvexSet, Delta, Points, k, normsq, project, x, y
from boundcheck.theorems.performance_estimation.notation import UNTESTED, paper, tau

VON_NEUMANN = paper("On rings of operators. Reduction theory", "John von Neumann", 1949)
COMPOSITE = paper(
    "Exact worst-case performance of first-order methods for composite convex optimization",
    "Adrien B. Taylor, Julien M. Hendrickx, François Glineur",
    2017,
)
BOYLE_DYKSTRA = paper(
    "A method for finding projections onto the intersection of convex sets in Hilbert spaces",
    "James P. Boyle, Richard L. Dykstra",
    1986,
)

Q1, Q2 = ConvexSet("Q_1"), ConvexSet("Q_2")
p, q = Points("p"), Points("q")
nothing = x[0] - x[0]

IN_TURN = Method(
    name="alternate projections",
    each=(Update(y[k], project(Q1, x[k])), Update(x[k + 1], project(Q2, y[k]))),
)
MEANS = Method(name="averaged projections", each=(Update(x[k + 1], (project(Q1, x[k]) + project(Q2, x[k])) / 2),))
DYKSTRA = Method(
    name="Dykstra's projections",
    first=(Update(p[0], nothing), Update(q[0], nothing)),
    each=(
        Update(y[k], project(Q1, x[k] + p[k])),
        Update(p[k + 1], x[k] + p[k] - y[k]),
        Update(x[k + 1], project(Q2, y[k] + q[k])),
        Update(q[k + 1], y[k] + q[k] - x[k + 1]),
    ),
)


def feasibility(source: Paper, label: str, title: str, method: Method) -> Bound:
    """Return the claim about the last point of a method that ends with a projection on the second set."""
    return Bound(
        source=source.at(label),
        title=title,
        given=(Indicator.of(Q1), Indicator.of(Q2), Minimises(Q1 + Q2), By(method), tau >= 0),
        for_all=k >= 1,
        states=normsq(project(Q1, x[k]) - x[k]) <= tau * Delta[0],
        try_with={"tau": (1,)},
        untested=UNTESTED,
    )


alternate = feasibility(
    VON_NEUMANN, "alternate_projections", "alternate projections: how near the last point of one set is to the other", IN_TURN
)
dykstra = feasibility(
    BOYLE_DYKSTRA, "dykstra", "Dykstra's projections: how near the last point of one set is to the other", DYKSTRA
)
averaged = Bound(
    source=COMPOSITE.at("averaged_projections"),
    title="averaged projections: how near the last point's two projections are",
    given=(Indicator.of(Q1), Indicator.of(Q2), Minimises(Q1 + Q2), By(MEANS), tau >= 0),
    for_all=k >= 1,
    states=normsq(project(Q1, x[k]) - project(Q2, x[k])) <= tau * Delta[0],
    try_with={"tau": (1,)},
    untested=UNTESTED,
)
