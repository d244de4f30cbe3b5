"""Online learning."""

from __future__ import annotations

from collections.abc import Iterator

from boundcheck.theorems.performance_estimation import online
from boundcheck.tightness.numbers import Numbers

from .comparing import Case


def _cases() -> Iterator[Case]:
    for claim in (
        online.online_gradient_descent,
        online.follow_the_leader,
        online.follow_the_regularized_leader,
        online.online_frank_wolfe,
    ):
        for n, M, D in ((1, 1.0, 0.5), (2, 1.0, 0.5), (2, 2.0, 1.5), (3, 1.0, 0.5), (4, 1.0, 0.5)):
            yield Case(
                claim=claim,
                folder="online_learning",
                k=n,
                numbers=Numbers(constants={"M": M, "D": D}, parameters={"tau": 1} if "tau" in claim.parameters else {}),
                arguments={"M": M, "D": D, "n": n},
                printed=M * D if "tau" in claim.parameters else None,
                slow=n > 2,
            )


CASES = tuple(_cases())
