"""Means to be Polyak's step, but a cap of 1 is left in it from some experiment."""

from boundcheck import step_rule


@step_rule(follows="polyak(1)", needs=("infimum",))
def polyak(run):  # type: ignore[no-untyped-def]
    """eta_k = (f(x_k) - f*) / |grad f(x_k)|^2."""
    return min(run.gap / run.grad_normsq, 1.0)


def nothing_declared(run):  # type: ignore[no-untyped-def]
    """The same without a word of what it means to be: the audit finds the nearest known rule."""
    return min(run.gap / run.grad_normsq, 1.0)
