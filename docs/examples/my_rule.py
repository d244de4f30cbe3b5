"""A step-size rule of your own: a function of the run, which says what it asks of a problem."""

from boundcheck import step_rule


@step_rule(needs=("infimum",))
def half_polyak(run):  # type: ignore[no-untyped-def]
    """eta_k = (f(x_k) - f*) / (2 |grad f(x_k)|^2)."""
    return run.gap / (2 * run.grad_normsq)
