"""Cyclic coordinate descent on convex functions that are smooth along each block of coordinates."""

from boundcheck import BlockSmooth, Bound, By, Constant, Convex, Method, Update
from boundcheck.letters import NONE, Delta, Numbers, as_scalar, block, delta, grad, k, n, x
from boundcheck.theorems.performance_estimation.notation import UNTESTED, paper, tau

SHI_LIU_2016 = paper(
    "Better worst-case complexity analysis of the block coordinate descent method for large scale machine learning",
    "Ziqiang Shi, Rujie Liu",
    2016,
)
L_1, L_2, L_3 = Constant("L_1"), Constant("L_2"), Constant("L_3")
a, b, c = Numbers("a", NONE), Numbers("b", NONE), Numbers("c", NONE)  # 1 at the steps where it is the block's turn, else 0
CYCLIC = Method(
    name="cyclic coordinate descent on three blocks",
    first=(Update(a[0], as_scalar(1)), Update(b[0], as_scalar(0)), Update(c[0], as_scalar(0))),
    each=(
        Update(
            x[k + 1],
            x[k] - a[k] / L_1 * block(grad(x[k]), 1) - b[k] / L_2 * block(grad(x[k]), 2) - c[k] / L_3 * block(grad(x[k]), 3),
        ),
        Update(a[k + 1], c[k]),
        Update(b[k + 1], a[k]),
        Update(c[k + 1], b[k]),
    ),
)
cyclic = Bound(
    source=SHI_LIU_2016.at("cyclic_coordinate_descent"),
    title="cyclic coordinate descent with steps 1 / L_i on three blocks",
    given=(Convex, BlockSmooth, n == 3, By(CYCLIC), tau >= 0),
    for_all=k >= 1,
    states=delta[k] <= tau * L_1 * Delta[0],
    try_with={"tau": (1,)},
    untested=UNTESTED,
)
