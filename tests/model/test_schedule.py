"""Numbers that run backwards from the horizon: their order, their JSON, and what is refused."""

from __future__ import annotations

import pytest

from boundcheck import By, Method, Update
from boundcheck.letters import NONE, K, Numbers, as_scalar, grad, k, x
from boundcheck.model.schedule import in_reverse
from boundcheck.support.errors import UserError

theta = Numbers("theta", NONE)
LAST, EARLIER, AT_0 = Update(theta[K], as_scalar(1)), Update(theta[k], theta[k + 1] + 1), Update(theta[0], 2 * theta[1])
STEP = (Update(x[k + 1], x[k] - theta[k] * grad(x[k])),)


def method(*backwards: Update) -> Method:
    return Method(name="backwards", each=STEP, backwards=backwards)


def test_they_are_made_from_the_horizon_down_to_0():
    assert list(in_reverse((LAST, EARLIER, AT_0), 3)) == [(3, LAST), (2, EARLIER), (1, EARLIER), (0, AT_0)]
    assert list(in_reverse((LAST, EARLIER), 1)) == [(1, LAST), (0, EARLIER)]


def test_a_method_with_them_comes_back_from_its_json():
    made = method(LAST, EARLIER, AT_0)
    assert Method.from_json(made.to_json()).key == made.key != method(LAST, EARLIER).key
    assert not made.is_explicit
    assert By(made).main.backwards == made.backwards


@pytest.mark.parametrize("update", [Update(theta[k + 1], theta[k + 1]), Update(theta[k], theta[k]), Update(x[k], x[k])], ids=str)
def test_an_update_that_runs_forwards_is_refused(update: Update):
    with pytest.raises(UserError, match="backwards"):
        method(LAST, update)
