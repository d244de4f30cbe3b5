"""PyTorch loops, watched: the loop is not disturbed, and what was not gradient descent is not called so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from boundcheck import Bound, Convex, Differentiable, GradientDescent, Outcome, Verdict, check, watch
from boundcheck.language.letters import f, k, x
from boundcheck.runs.recorded.recording import NotARun

torch.manual_seed(3)
A = torch.randn(40, 5, dtype=torch.float64)
LABELS = (A[:, 0] + torch.randn(40, dtype=torch.float64) > 0).double()
FACTS = (Convex(), Differentiable())
ANY_STEPS = "prop:convex-any-stepsize"


class Loop:
    """A training loop. `watched(loop)` is the line that a user adds; `between(loop)` is whatever stands before the step."""

    def __init__(self, optimizer: Callable[..., Any] = torch.optim.SGD, digits: Any = torch.float64, **chosen: Any) -> None:
        self.A, self.labels = A.to(digits), LABELS.to(digits)
        self.model = torch.nn.Linear(5, 1, dtype=digits)
        for p in self.model.parameters():
            torch.nn.init.zeros_(p)
        self.loss_fn = torch.nn.BCEWithLogitsLoss()
        self.optimizer = optimizer(self.model.parameters(), **{"lr": 1.0, **chosen})
        self.schedule = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=10, gamma=0.5)

    def full(self) -> Any:
        return torch.nn.functional.binary_cross_entropy_with_logits(self.model(self.A).squeeze(-1), self.labels)

    def run(self, steps: int = 30, between: Callable[[Any], None] = lambda loss: None, rows: int = 40) -> Loop:
        for n in range(steps):
            self.optimizer.zero_grad()
            part = slice(0, rows) if rows == 40 else slice(n % 4 * rows, (n % 4 + 1) * rows)
            loss = self.loss_fn(self.model(self.A[part]).squeeze(-1), self.labels[part])
            loss.backward()
            between(loss)
            self.optimizer.step()
            self.schedule.step()
        return self


def minimum() -> dict[str, Any]:
    """x* and f* of the loss over the whole data, by Newton's method."""
    whole, x = torch.cat([A, torch.ones(40, 1, dtype=torch.float64)], 1), torch.zeros(6, dtype=torch.float64)
    for _ in range(30):
        p = torch.sigmoid(whole @ x)
        x = x - torch.linalg.solve((whole * (p * (1 - p))[:, None]).T @ whole, whole.T @ (p - LABELS))
    return {"x_star": x, "f_star": torch.nn.functional.binary_cross_entropy_with_logits(whole @ x, LABELS).item()}


MINIMUM = minimum()


def verdict(recorder: Any, **known: Any) -> Verdict:
    (found,) = check(ANY_STEPS, recorder.trace(**{"facts": FACTS, **MINIMUM, **known}), smoothness="D")
    return found


def test_one_line_more_gives_a_verdict_at_every_iterate_and_the_loop_ends_where_it_did() -> None:
    bare, loop = Loop().run(), Loop()
    recorder = watch(loop.optimizer, loop.loss_fn)
    loop.run()
    assert all(torch.equal(a, b) for a, b in zip(bare.model.parameters(), loop.model.parameters(), strict=True))
    found = verdict(recorder)
    assert found.label == "HOLDS, numerical" and found.counts[Outcome.HOLDS] == 29  # what the last step led to has no value
    assert "30 steps" in repr(recorder)


@pytest.mark.parametrize(
    "watched",
    [lambda loop: watch(loop.optimizer, loop.full), lambda loop: watch(loop.optimizer, full=loop.full)],
    ids=["closure", "full"],
)
def test_a_closure_tells_the_value_after_the_last_step_too(watched: Callable[[Loop], Any]) -> None:
    loop = Loop()
    recorder = watched(loop)
    loop.run()
    found = verdict(recorder)
    assert found.outcome is Outcome.HOLDS and found.counts[Outcome.HOLDS] == 30


def test_the_steps_are_those_of_the_schedule() -> None:
    loop = Loop()
    recorder = watch(loop.optimizer, loop.loss_fn)
    loop.run()
    assert recorder.arrays()["eta"].tolist() == [1.0] * 10 + [0.5] * 10 + [0.25] * 9


def test_a_loop_that_gives_its_closure_to_the_step_needs_nothing_else() -> None:
    loop = Loop()
    recorder = watch(loop.optimizer)

    def closure() -> Any:
        loop.optimizer.zero_grad()
        loss = loop.full()
        loss.backward()
        return loss

    for n in range(12):
        loop.optimizer.step(closure) if n % 2 else loop.optimizer.step(closure=closure)
    assert verdict(recorder).counts[Outcome.HOLDS] == 11


def test_the_value_may_be_told_in_the_loop_and_must_be_told_somehow() -> None:
    told, silent = Loop(), Loop()
    recorder = watch(told.optimizer)
    told.run(between=recorder.loss)
    assert verdict(recorder).outcome is Outcome.HOLDS
    watch(silent.optimizer)
    with pytest.raises(NotARun, match=r"the value of step 0 is not known: give watch the loss module or a closure"):
        silent.run()


# -- what is not gradient descent ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("optimizer", "chosen", "name"),
    [
        (torch.optim.SGD, {"momentum": 0.9}, "SGD(momentum=0.9)"),
        (torch.optim.SGD, {"weight_decay": 0.1}, "SGD(weight_decay=0.1)"),
        (torch.optim.SGD, {"maximize": True, "lr": 0.1}, "SGD(maximize=True)"),
        (torch.optim.Adam, {"lr": 0.1}, "Adam"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_other_methods_are_recorded_but_claims_about_gradient_descent_are_vacuous(
    optimizer: Any, chosen: dict[str, Any], name: str
) -> None:
    loop = Loop(optimizer, **chosen)
    recorder = watch(loop.optimizer, loop.full)
    loop.run()
    found = verdict(recorder)
    assert found.outcome is Outcome.VACUOUS and found.cell.method == name
    assert "grad f(x_" in found.reason and "off by" in found.reason


def test_clipped_gradients_are_not_those_of_the_function() -> None:
    checked, unchecked = Loop(), Loop()
    with_closure, with_module = watch(checked.optimizer, checked.full), watch(unchecked.optimizer, unchecked.loss_fn)
    for loop in (checked, unchecked):
        loop.run(between=lambda loss, loop=loop: torch.nn.utils.clip_grad_norm_(loop.model.parameters(), 0.05))  # type: ignore[misc]
    found = verdict(with_closure)
    assert found.outcome is Outcome.VACUOUS
    assert "step 0: the optimizer's gradient is not that of the closure, off by" in found.reason
    with pytest.raises(NotARun, match=r"f is declared convex; the run contradicts it: .* clipped\?"):
        with_module.trace(facts=FACTS)


def test_minibatches_are_no_gradient_descent_on_the_whole() -> None:
    spot, full = Loop(), Loop()
    checked, whole = watch(spot.optimizer, spot.full), watch(full.optimizer, full=full.full)
    spot.run(rows=10)
    full.run(rows=10)
    assert "step 0: the optimizer's gradient is not that of the closure, off by" in verdict(checked).reason
    found = verdict(whole)
    assert found.outcome is Outcome.VACUOUS and "step 0: x_1 is not x_0 - eta_0 grad f(x_0)" in found.reason


def test_a_loss_module_that_is_called_twice_a_step_tells_no_value() -> None:
    loop = Loop()
    recorder = watch(loop.optimizer, loop.loss_fn)
    loop.run(3, between=lambda loss: loop.loss_fn(loop.model(loop.A).squeeze(-1), loop.labels))
    with pytest.raises(
        NotARun, match="the loss module was called twice before step 0: f is not known there; give watch a closure"
    ):
        recorder.trace(facts=FACTS)


def test_looking_at_the_loss_without_autograd_changes_nothing() -> None:
    loop = Loop()
    recorder = watch(loop.optimizer, loop.loss_fn)

    def look(loss: Any) -> None:
        with torch.no_grad():
            loop.loss_fn(loop.model(loop.A[:10]).squeeze(-1), loop.labels[:10])

    loop.run(between=look)
    assert verdict(recorder).outcome is Outcome.HOLDS


def test_one_step_size_for_all_groups() -> None:
    weight, bias = Loop().model.parameters()
    with pytest.raises(NotARun, match=r"the parameter groups have different step sizes, \[0.1, 0.5\]"):
        watch(torch.optim.SGD([{"params": [weight], "lr": 0.1}, {"params": [bias], "lr": 0.5}]))
    loop = Loop()
    loop.optimizer = torch.optim.SGD([{"params": [p]} for p in loop.model.parameters()], lr=0.5)
    loop.schedule = torch.optim.lr_scheduler.StepLR(loop.optimizer, step_size=10)
    recorder = watch(loop.optimizer, loop.full)
    loop.run(5)
    assert verdict(recorder).outcome is Outcome.HOLDS
    loop.optimizer.param_groups[1]["lr"] = 0.1
    loop.run(1)
    assert "step 5: the parameter groups have different step sizes, 0.1 and 0.5" in verdict(recorder).reason


def test_lbfgs_is_refused_in_one_line() -> None:
    with pytest.raises(NotARun, match=r"watch cannot follow LBFGS: .*; watch SGD, or use watch_scipy"):
        watch(torch.optim.LBFGS(Loop().model.parameters()))


@pytest.mark.parametrize(
    ("give", "said"),
    [
        (lambda loop: watch(loop.model), "watch needs a torch optimizer; found Linear"),
        (lambda loop: watch(loop.optimizer, 3.0), "loss is a float; needs a closure"),
        (lambda loop: watch(loop.optimizer, loop.model), "Linear has parameters: needs the loss module"),
        (lambda loop: watch(loop.optimizer, loop.full, full=loop.full), "give loss or full, not both"),
        (lambda loop: watch(loop.optimizer, loop.full).trace(), "no step was watched"),
        (lambda loop: watch(loop.optimizer, full=lambda: 1.0) and loop.run(1), "the closure returned no single number"),
        (lambda loop: watch(loop.optimizer, full=lambda: loop.full().detach()) and loop.run(1), "has no gradient"),
    ],
)
def test_bad_input_gets_one_clear_line(give: Callable[[Loop], Any], said: str) -> None:
    with pytest.raises(NotARun) as wrong:
        give(Loop())
    assert said in str(wrong.value) and "\n" not in str(wrong.value)


def test_float32_is_judged_as_float32() -> None:
    loop = Loop(digits=torch.float32)
    recorder = watch(loop.optimizer, loop.full)
    loop.run()
    found = verdict(recorder)
    assert found.outcome is Outcome.HOLDS and any("6e-05" in note for note in found.notes)


def test_a_run_that_leaves_the_numbers_is_cut_there() -> None:
    point = torch.nn.Parameter(torch.ones(1, dtype=torch.float64))
    optimizer = torch.optim.SGD([point], lr=1e100)
    recorder = watch(optimizer, lambda: (point**2).sum())
    for _ in range(6):
        optimizer.zero_grad()
        (point**2).sum().backward()
        optimizer.step()
    trace = recorder.trace(facts=FACTS)
    assert trace.steps[0] < 6 and any("it is cut there" in note for note in trace.notes)
    (going_down,) = check(Bound(given=(Convex, GradientDescent()), states=f(x[k + 1]) <= f(x[k])), trace)
    assert going_down.label == "VIOLATED, numerical"


def test_a_recorder_that_is_stopped_sees_no_more() -> None:
    loop = Loop()
    recorder = watch(loop.optimizer, loop.loss_fn)
    loop.run(3)
    recorder.stop()
    loop.run(3)
    assert len(recorder.points) == 3
