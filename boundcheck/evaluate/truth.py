"""Whether a relation holds, from how its two sides compare."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boundcheck.arithmetic.base import Order, Truth

YES = {
    "<=": (Order.LESS, Order.EQUAL),
    "<": (Order.LESS,),
    "==": (Order.EQUAL,),
    ">=": (Order.GREATER, Order.EQUAL),
    ">": (Order.GREATER,),
}

# for each relation, its truth by order: LESS, EQUAL, GREATER, UNKNOWN
TRUTHS = {
    op: np.array(
        [*(Truth.YES if o in held else Truth.NO for o in (Order.LESS, Order.EQUAL, Order.GREATER)), Truth.UNKNOWN], dtype=np.int8
    )
    for op, held in YES.items()
}
TRUTHS["->"] = np.full(4, Truth.UNKNOWN, dtype=np.int8)  # a limit: no finite run decides it


def truth(orders: NDArray[np.int8], op: str) -> NDArray[np.int8]:
    """Whether a relation holds, from how its sides compare."""
    return TRUTHS[op][orders + 1]
