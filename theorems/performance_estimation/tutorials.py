"""Two runs of gradient descent on one strongly convex function contract towards each other."""

from boundcheck import Bound, Follows, GradientDescent, Runs, Smooth, StronglyConvex
from boundcheck.letters import L, eta, i, k, larger, mu_f, normsq, x
from boundcheck.theorems.performance_estimation.notation import paper

PEPIT = paper(
    "PEPit: computer-assisted worst-case analyses of first-order optimization methods in Python",
    "Baptiste Goujaud, Céline Moucer, François Glineur, Julien Hendrickx, Adrien Taylor, Aymeric Dieuleveut",
    2024,
)

contraction = Bound(
    source=PEPIT.at("gradient_descent_contraction"),
    title="two runs of gradient descent with constant steps: their distance contracts by max(|1 - eta L|, |1 - eta mu|)",
    given=(
        StronglyConvex,
        Smooth,
        Runs.from_starts({"": GradientDescent().main, "other": GradientDescent().main}),
        Follows(eta[i] == eta[0]),
    ),
    for_all=k >= 1,
    states=normsq(x[k] - x.of("other")[k])
    <= larger((1 - L * eta[0]) ** 2, (1 - mu_f * eta[0]) ** 2) ** k * normsq(x[0] - x.of("other")[0]),
)
