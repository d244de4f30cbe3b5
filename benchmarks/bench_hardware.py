"""What the hardware gives, and which of our loops are at what fraction of it.

    python benchmarks/bench_hardware.py [--quick]

Bandwidth by a copy and by a dot product: of two arrays that together are as large as a matrix of d = 300, which the L2 cache
holds, and of two that no cache holds. A matrix-vector product reads the matrix once: its limit is the bandwidth of where the
matrix is. A matrix-matrix product is limited by multiplications. Fractions are ratios of times within a repetition; all
contenders take turns; seconds are of the processor.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import flint
import numpy as np
from alike import as_function
from baselines import bare_run
from harness import Measured, arguments, in_turn, spread_of, told

from boundcheck.arithmetic import arithmetic
from boundcheck.arithmetic.bounded.scans import blocked, recurrence
from boundcheck.problems.quadratic import power_law_quadratic
from boundcheck.runners import over_L, run

D = 300
SMALL, LARGE = D * D // 2, 2**23  # float64 numbers: half a matrix, 64 MB
CACHED, UNCACHED = "as large as a matrix of d = 300", "that no cache holds"
GB = 1e9
Work = Callable[[], object]


def repeated(work: Work, times: int) -> Work:
    def many() -> None:
        for _ in range(times):
            work()

    return many


def rates(what: str, seconds: list[float], amount: float, unit: str) -> Measured:
    """So much of something, in each repetition, a second."""
    return told(spread_of(what, [amount / s for s in seconds], unit))


def fraction(what: str, ours: list[float], limit: list[float]) -> None:
    """How near to the limit: the time that the limit would take, of the time that it took."""
    told(spread_of(what, [100 * b / a for a, b in zip(ours, limit, strict=True)], "%"))


def dense(repeat: int, small: bool) -> None:
    """Bandwidth, products, exp, and the loops of a quadratic, d = 300."""
    d, many = D, 20 if small else 200
    rng = np.random.default_rng(0)
    at = {CACHED: rng.standard_normal(SMALL), UNCACHED: rng.standard_normal(LARGE // (8 if small else 1))}
    to = {name: rng.standard_normal(array.size) for name, array in at.items()}
    B, x, X = rng.standard_normal((d, d)), rng.standard_normal(d), rng.standard_normal((d, d))
    four = rng.standard_normal((d, 4))
    problem = power_law_quadratic(dimension=d, seed=0)
    function = as_function(problem)
    times = {CACHED: many, UNCACHED: 1}
    work: dict[str, Work] = {}
    for name, array in at.items():
        work[f"copy, {name}"] = repeated(lambda a=array, b=to[name]: np.copyto(b, a), times[name])  # type: ignore[misc]
        work[f"dot, {name}"] = repeated(lambda a=array, b=to[name]: a @ b, times[name])  # type: ignore[misc]
    work["gemv"] = repeated(lambda: B @ x, many)
    work["gemm of 4"] = repeated(lambda: B @ four, many)
    work["gemm"] = repeated(lambda: B @ X, max(1, many // 20))
    work["exp"] = repeated(lambda: np.exp(at[CACHED], out=to[CACHED]), many)
    work["bare loop"] = lambda: bare_run(function, many)
    work["run"] = lambda: run(problem, over_L(1), steps=many)
    found = in_turn(list(work.items()), repeat, time.process_time)

    bytes_of = {name: 16 * array.size * times[name] / GB for name, array in at.items()}
    for name in at:
        rates(f"copy between arrays {name}, read and written", found[f"copy, {name}"], bytes_of[name], "GB/s")
        rates(f"dot product of arrays {name}, read", found[f"dot, {name}"], bytes_of[name], "GB/s")
    flops = 2 * d**3 * max(1, many // 20) / 1e9
    rates("matrix times matrix, d = 300 (gemm)", found["gemm"], flops, "Gflop/s")
    rates("exp of an array (numpy)", found["exp"], SMALL * many / 1e6, "million/s")
    matrix = 8 * d * d * many / GB
    rates("matrix times vector, d = 300 (gemv): the matrix is read at", found["gemv"], matrix, "GB/s")
    rates("matrix times 4 vectors, d = 300", found["gemm of 4"], 2 * d * d * 4 * many / 1e9, "Gflop/s")

    by_reading = [matrix / bytes_of[CACHED] * s for s in found[f"dot, {CACHED}"]]  # as fast as the dot product reads
    by_flops = [2 * d * d * 4 * many / 1e9 / flops * s for s in found["gemm"]]
    fraction("gemv, d = 300, of the bandwidth of a dot product of as many bytes", found["gemv"], by_reading)
    fraction("matrix times 4 vectors, d = 300, of the rate of gemm", found["gemm of 4"], by_flops)
    fraction(
        "the bare NumPy loop of a quadratic, d = 300, of gemv alone (it makes two)",
        found["bare loop"],
        [2 * s for s in found["gemv"]],
    )
    fraction("boundcheck's unchecked run of it, of gemv alone (it makes one)", found["run"], found["gemv"])


def scans(repeat: int, small: bool) -> None:
    """A recurrence along a run, in one pass, beside what NumPy has: a copy and a running sum."""
    K, many = 20_000, 5 if small else 50
    xp, rng = arithmetic("float64"), np.random.default_rng(1)
    a, b, zero = rng.uniform(0.5, 1.0, (1, K)), rng.standard_normal((1, K)), np.zeros((1, 1))
    enclosed = xp.scalars(a), xp.scalars(b), xp.scalars(zero)
    work: list[tuple[str, Work]] = [
        ("a copy (numpy)", repeated(lambda: a.copy(), many)),
        ("a running sum (numpy.cumsum)", repeated(lambda: np.cumsum(b, axis=1), many)),
        ("s <- a s + b (boundcheck)", repeated(lambda: blocked(a, b, zero), many)),
        ("s <- a s + b with error bounds (boundcheck)", repeated(lambda: recurrence(*enclosed), many)),
    ]
    for name, seconds in in_turn(work, repeat, time.process_time).items():
        rates(f"along 20,000 steps: {name}", seconds, K * many / 1e6, "million/s")


def balls(repeat: int, small: bool) -> None:
    """Arb through python-flint: a dot product, exp and one addition, by bit length."""
    n, many = 300, 2 if small else 20
    rng = np.random.default_rng(2)
    values = [float(v) for v in rng.standard_normal(n)]
    for bits in (64, 128, 256, 512):
        before, flint.ctx.prec = flint.ctx.prec, bits
        try:
            numbers = [flint.arb(v).exp() for v in values]
            row, column = flint.arb_mat(1, n, numbers), flint.arb_mat(n, 1, numbers)
            work: list[tuple[str, Work]] = [
                ("dot", repeated(lambda row=row, column=column: row * column, 20 * many)),  # type: ignore[misc]
                ("exp", repeated(lambda numbers=numbers: [v.exp() for v in numbers], many)),  # type: ignore[misc]
                ("add", repeated(lambda numbers=numbers: [v + v for v in numbers], 10 * many)),  # type: ignore[misc]
            ]
            found = in_turn(work, repeat, time.process_time)
        finally:
            flint.ctx.prec = before
        rates(f"arb, {bits} bits: products and sums inside one dot product", found["dot"], n * 20 * many / 1e6, "million/s")
        rates(f"arb, {bits} bits: one addition a call from Python", found["add"], n * 10 * many / 1e6, "million/s")
        rates(f"arb, {bits} bits: exp, one a call from Python", found["exp"], n * many / 1e6, "million/s")


def main() -> None:
    given: Any = arguments(__doc__).parse_args()
    repeat = 3 if given.quick else 9
    dense(repeat, given.quick)
    scans(repeat, given.quick)
    balls(repeat, given.quick)


if __name__ == "__main__":
    main()
