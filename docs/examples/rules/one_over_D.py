"""Means to be eta = 1/D(x, x - eta g), but solves eq:zero-finding with the constant that the paper prints."""

from boundcheck import RunEnds, step_rule


@step_rule(follows="1/D")
def one_over_D(run):  # type: ignore[no-untyped-def]
    """Double eta until h(eta) >= 0, then bisect."""
    gg = run.grad @ run.grad

    def h(eta):  # type: ignore[no-untyped-def]
        new = run.problem.grad(run.xp, run.x - eta * run.grad)
        return new @ new / 2 - new @ run.grad - gg / 2  # as printed; eta = 1/D is the root with + 3/8 |g|^2 at the end

    low, high = 0.0, 1.0
    while h(high) < 0:
        low, high = high, 2 * high
        if high > 1e30:
            raise RunEnds(f"h has no root at step {run.k}")
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if h(middle) < 0 else (low, middle)
    return (low + high) / 2
