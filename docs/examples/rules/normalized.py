"""Means to be normalized gradient descent with lengths 1/sqrt(k + 1), but the decay is computed and then not used."""

import numpy as np

from boundcheck import step_rule
from boundcheck.letters import eta, eta_length, grad, i, norm, sqrt, x


@step_rule(follows=eta[i] == 1 / (sqrt(i + 1) * norm(grad(x[i]))))
def normalized(run):  # type: ignore[no-untyped-def]
    """Written as a step of gradient descent: the length over |grad f(x_k)|."""
    length = 1.0
    decayed = length / np.sqrt(run.k + 1)  # noqa: F841 (this is the mistake)
    return length / np.linalg.norm(run.grad)


@step_rule(follows=eta_length[i] == 1 / sqrt(i + 1), methods=("normalized",))
def lengths(run):  # type: ignore[no-untyped-def]
    """The same for x_{k+1} = x_k - eta_k grad f(x_k) / |grad f(x_k)|, where the step is the length itself."""
    length = 1.0
    decayed = length / np.sqrt(run.k + 1)  # noqa: F841
    return length
