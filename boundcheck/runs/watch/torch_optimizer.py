"""A PyTorch training loop, recorded through the optimizer's hooks: the loop itself does not change.

Before each step: the parameters of all groups as one point, the gradient that the optimizer is about to use, and the step size.
The value comes from what `loss` is: a loss module (its last output), a closure (evaluated at the parameters), or nothing (the
closure that the loop gives to `optimizer.step`, or `recorder.loss(value)` in the loop).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from boundcheck.runs.recorded.recording import NotARun
from boundcheck.runs.trace import Trace
from boundcheck.support.errors import extra

SETTINGS = ("momentum", "weight_decay", "nesterov", "maximize", "dampening", "amsgrad")
NO_VALUE = "the value of step {k} is not known: give watch the loss module or a closure, or call recorder.loss(value) in the loop"


def _torch() -> Any:
    return extra("torch", what="watch", extra="torch")


class TorchRecorder:
    """What the hooks saw. `trace(...)` takes what Trace.from_arrays takes of the function: facts, x_star, estimate, ..."""

    def __init__(self, optimizer: Any, loss: Any, full: Callable[[], Any] | None) -> None:
        self.torch = _torch()
        self.optimizer, self.full = optimizer, full
        self.module = loss if isinstance(loss, self.torch.nn.Module) else None
        self.closure = loss if self.module is None else None
        _refuse(self.torch, optimizer, self.module, self.closure, full)
        self.parameters = [p for group in optimizer.param_groups for p in group["params"]]
        self.points: list[Any] = []
        self.gradients: list[Any] = []
        self.values: list[Any] = []
        self.etas: list[float] = []
        self.doubt = ""  # why the steps are not gradient descent's
        self.wrong_gradient = self.wrong_value = ""  # why what was recorded is not f's
        self._latest: Any = None
        self._hooks = [optimizer.register_step_pre_hook(self._before), optimizer.register_step_post_hook(self._done)]
        if self.module is not None:
            self._hooks.append(self.module.register_forward_hook(self._said))

    # -- what the loop may call ----------------------------------------------------------------------------------------

    def loss(self, value: Any) -> None:
        """The value of f at the parameters as they are, before the step."""
        self._latest = value.detach() if hasattr(value, "detach") else value

    def stop(self) -> None:
        """Take the hooks off the optimizer."""
        for hook in self._hooks:
            hook.remove()
        self._hooks = []

    # -- hooks -----------------------------------------------------------------------------------------------------------

    def _said(self, module: Any, inputs: Any, output: Any) -> None:
        """The loss module was called. Where autograd is off, that is somebody looking, not training."""
        if getattr(output, "requires_grad", False):
            if self._latest is not None and not self.wrong_value:
                self.wrong_value = f"the loss module was called twice before step {len(self.points)}: f is not known there"
            self.loss(output)

    def _before(self, optimizer: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any] | None:
        k = len(self.points)
        groups = optimizer.param_groups
        if sum(len(group["params"]) for group in groups) != len(self.parameters):
            raise NotARun(f"parameters were added to the optimizer at step {k}; watch it when it has all of them")
        self.etas.append(self._step_size(groups, k))
        self.points.append(self._flat(self.parameters))
        closure = kwargs.get("closure", args[1] if len(args) > 1 else None)  # the first is the optimizer
        if closure is not None:  # the gradient comes with its first call, inside the step
            inside = self._inside(closure, k)
            return ((args[0], inside), kwargs) if len(args) > 1 else (args, {**kwargs, "closure": inside})
        self._keep(k)
        return None

    def _inside(self, closure: Callable[[], Any], k: int) -> Callable[[], Any]:
        """The loop's own closure; what its first call returns in a step is the value there."""

        def watched() -> Any:
            value = closure()
            if len(self.values) == k:
                self.loss(value)
                self._keep(k)
            return value

        return watched

    def _keep(self, k: int) -> None:
        if self.full is not None:
            value, gradient = self._value_and_gradient(self.full)
            self.values.append(value)
            self.gradients.append(gradient)
            return
        self.gradients.append(self._flat([_gradient(self.torch, p) for p in self.parameters]))
        if self.closure is not None:
            with self.torch.no_grad():
                self.loss(self.closure())
            if k & (k - 1) == 0:
                self._compare(k)
        if self._latest is None:
            raise NotARun(NO_VALUE.format(k=k))
        self.values.append(self._latest)
        self._latest = None

    def _done(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        if len(self.values) < len(self.points):
            raise NotARun(f"step {len(self.points) - 1} did not call its closure: there is no value and no gradient to record")

    def _step_size(self, groups: list[Any], k: int) -> float:
        sizes = [float(group["lr"]) for group in groups]
        if len(groups) > 1 and len(set(sizes)) > 1 and not self.doubt:
            self.doubt = f"step {k}: the parameter groups have different step sizes, {min(sizes):g} and {max(sizes):g}"
        return sizes[0]

    # -- the function ----------------------------------------------------------------------------------------------------

    def _flat(self, tensors: list[Any]) -> Any:
        with self.torch.no_grad():
            return (
                self.torch.cat([t.reshape(-1) for t in tensors]) if len(tensors) > 1 else tensors[0].detach().reshape(-1).clone()
            )

    def _value_and_gradient(self, closure: Callable[[], Any]) -> tuple[Any, Any]:
        """By autograd, leaving the gradients that the loop works with as they are."""
        moving = [p for p in self.parameters if p.requires_grad]
        with self.torch.enable_grad():
            value = closure()
            if getattr(value, "numel", lambda: 0)() != 1:
                raise NotARun(
                    "the closure returned no single number; needs the loss at the parameters, a tensor that autograd knows"
                )
            if not value.requires_grad:
                raise NotARun("the closure's loss has no gradient; let it compute the loss with autograd, without .item()")
            found = dict(zip(moving, self.torch.autograd.grad(value, moving, allow_unused=True), strict=True))
        parts = [found.get(p) if found.get(p) is not None else self.torch.zeros_like(p) for p in self.parameters]
        return value.detach(), self._flat(parts)

    def _compare(self, k: int) -> None:
        """At steps 0, 1, 2, 4, 8, ...: is the gradient that the optimizer uses that of the closure?"""
        assert self.closure is not None
        _, true = self._value_and_gradient(self.closure)
        off, size = float((true - self.gradients[-1]).norm()), float(true.norm())
        if off > 1e4 * self.torch.finfo(true.dtype).eps * (size + float(self.gradients[0].norm())) and not self.wrong_gradient:
            self.wrong_gradient = (
                f"step {k}: the optimizer's gradient is not that of the closure, off by {off:.3g} of {size:.3g} "
                "(minibatches, clipping or accumulation?)"
            )

    # -- the trace ---------------------------------------------------------------------------------------------------------

    def arrays(self) -> dict[str, Any]:
        """x, f, grad and eta. With a closure the point after the last step is there too; else the run ends before that step."""
        if not self.points:
            raise NotARun("no step was watched; make the recorder before the loop, and call optimizer.step() in it")
        points, values, gradients, etas = list(self.points), list(self.values), list(self.gradients), list(self.etas)
        closure = self.full or self.closure
        if closure is not None:
            value, gradient = self._value_and_gradient(closure)
            points.append(self._flat(self.parameters))
            values.append(value)
            gradients.append(gradient)
        else:
            etas = etas[:-1]
        stacked = {"x": self.torch.stack(points), "grad": self.torch.stack(gradients)}
        made = {name: tensor.detach().cpu().numpy() for name, tensor in stacked.items()}
        eta = np.array(etas, dtype=np.float64)
        return {**made, "f": np.array([float(value) for value in values], dtype=np.float64), "eta": eta}

    def trace(self, **known: Any) -> Trace:
        if self.wrong_value:
            raise NotARun(f"{self.wrong_value}; give watch a closure that returns the loss, in place of the module")
        arrays, cut = _finite(self.arrays())
        if self.wrong_gradient:  # no claim may read it
            arrays["grad"] = None
        doubt = self.wrong_gradient or self.doubt
        given = {"by": _called(self.optimizer), "doubt": doubt, "precision": str(arrays["x"].dtype), "notes": cut}
        return Trace.from_arrays(**{**given, **arrays, **known})

    def __repr__(self) -> str:
        return f"<TorchRecorder of {_called(self.optimizer)}: {len(self.points)} steps; .trace(facts=...) to check them>"


def watch(optimizer: Any, loss: Any = None, *, full: Callable[[], Any] | None = None) -> TorchRecorder:
    """Record a PyTorch optimizer from here on; the loop stays as it is.

    `loss`: the loss module of the loop; or a closure that returns the loss at the current parameters. `full`: a closure whose
    value and gradient are recorded in place of the optimizer's, where steps use minibatches.

    >>> import torch
    >>> from boundcheck import watch
    >>> x = torch.nn.Parameter(torch.tensor([1.0, 2.0], dtype=torch.float64))
    >>> optimizer = torch.optim.SGD([x], lr=0.1)
    >>> recorder = watch(optimizer, lambda: (x**2).sum())
    >>> for _ in range(3):
    ...     optimizer.zero_grad()
    ...     (x**2).sum().backward()
    ...     done = optimizer.step()
    >>> int(recorder.trace().steps[0])
    3
    """
    return TorchRecorder(optimizer, loss, full)


def _finite(arrays: dict[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The run up to its last point that is made of numbers, and a note where that is not its end."""
    good = np.isfinite(arrays["f"]) & np.isfinite(arrays["x"]).all(-1) & np.isfinite(arrays["grad"]).all(-1)
    if good.all():
        return arrays, ()
    last = int((~good).argmax()) - 1
    if last < 0:
        raise NotARun("the loss, the parameters or the gradient are not finite before the first step; there is nothing to check")
    kept = {name: array[: last if name == "eta" else last + 1] for name, array in arrays.items()}
    return kept, (f"the run left the numbers: its loss, point or gradient is not finite at k = {last + 1}, and it is cut there",)


def _gradient(torch: Any, parameter: Any) -> Any:
    return parameter.grad if parameter.grad is not None else torch.zeros_like(parameter)


def _called(optimizer: Any) -> str:
    group = optimizer.param_groups[0]
    said = [f"{name}={group[name]}" for name in SETTINGS if group.get(name)]
    return type(optimizer).__name__ + (f"({', '.join(said)})" if said else "")


def _refuse(torch: Any, optimizer: Any, module: Any, closure: Any, full: Any) -> None:
    if not isinstance(optimizer, torch.optim.Optimizer):
        raise NotARun(f"watch needs a torch optimizer; found {type(optimizer).__name__}")
    if isinstance(optimizer, torch.optim.LBFGS):
        raise NotARun(
            "watch cannot follow LBFGS: it moves several times in a step, by line search; watch SGD, or use watch_scipy"
        )
    for word, given in (("loss", closure), ("full", full)):
        if given is not None and not callable(given):
            raise NotARun(f"{word} is a {type(given).__name__}; needs a closure that returns the loss, or for loss a module")
    if closure is not None and full is not None:
        raise NotARun("give loss or full, not both: full records value and gradient itself")
    if module is not None and any(True for _ in module.parameters()):
        raise NotARun(f"{type(module).__name__} has parameters: needs the loss module, whose output is the loss, or a closure")
    sizes = {float(group["lr"]) for group in optimizer.param_groups}
    if len(sizes) > 1:
        raise NotARun(
            f"the parameter groups have different step sizes, {sorted(sizes)}; gradient descent has one: give all the same"
        )
