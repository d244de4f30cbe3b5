"""A theorem file as pytest sees it: the claims at its module level, and their items."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boundcheck.claims.bound import USER, Bound
from boundcheck.library.catalogue import NotFound, load_file
from boundcheck.pytest_plugin import items
from boundcheck.pytest_plugin.items import CellItem, Certified, ClaimItem, RefutationItem, ThroughLemma, Twin, Untried
from boundcheck.pytest_plugin.options import library_name, options
from boundcheck.pytest_plugin.session import SessionPlan
from boundcheck.support.processes.pool import cores

PLAN = pytest.StashKey[SessionPlan]()


def plan_of(config: pytest.Config) -> SessionPlan:
    if PLAN not in config.stash:
        config.stash[PLAN] = SessionPlan(options(config))
    return config.stash[PLAN]


def want_selected(session: pytest.Session) -> None:
    """Runs answer the claims of the selected items only."""
    if PLAN in session.config.stash:
        session.config.stash[PLAN].want_only(item.bound for item in session.items if isinstance(item, ClaimItem))


@contextmanager
def runs_ahead(session: pytest.Session) -> Iterator[None]:
    """Several processes make the runs of the selected items; a worker of xdist has its own share of the cores."""
    plan = session.config.stash.get(PLAN, None)
    if plan is None or hasattr(session.config, "workerinput") or session.config.option.collectonly:
        yield
        return
    cells = [item.where for item in session.items if isinstance(item, CellItem)]
    with plan.ahead(cells, plan.chosen.jobs or cores()):
        yield


def _named(bound: Bound, name: str) -> Bound:
    """A claim without a source is called after its name in the file."""
    return replace(bound, source=USER.at(name)) if bound.source == USER.at("claim") else bound


class TheoremFile(pytest.File):
    """A file of claims. One of an installed library is imported under its own name, so that each claim exists once."""

    def __init__(self, *, must_have_claims: bool = False, **rest: Any) -> None:
        super().__init__(**rest)
        self.must_have_claims = must_have_claims

    def collect(self) -> Iterator[ClaimItem]:
        try:
            claims = self._claims()
        except NotFound as wrong:
            raise self.CollectError(str(wrong)) from None
        plan = plan_of(self.config)
        plan.add(claims.values())
        for known_as, bound in claims.items():
            yield from self._items(bound, plan, known_as)

    def _claims(self) -> dict[str, Bound]:
        """Each claim by what the command line calls it: its id, or FILE.py:NAME."""
        name = library_name(self.path)
        if name is not None:
            found = {b.id: b for b in self._once(list(vars(importlib.import_module(name)).values()))}
        else:
            made = {n: _named(b, n) for n, b in vars(load_file(self.path)).items() if isinstance(b, Bound)}
            if not made and self.must_have_claims:
                raise NotFound(f"{self._relative()} has no claim (a Bound); write one at module level")
            there = self._once(list(made.values()))
            found = {f"{self._relative()}:{n}": b for n, b in made.items() if b in there}
        return found

    def _once(self, values: list[Any]) -> list[Bound]:
        """Each claim once: one with two names, or imported from a file collected before, is not tried again."""
        seen: dict[str, Bound] = {}
        for bound in (v for v in values if isinstance(v, Bound)):
            other = seen.setdefault(items.short(bound), bound)
            if other.hash != bound.hash:
                raise NotFound(f"{self._relative()}: two claims are called '{bound.id}'; give each its own label or reading")
        return [b for b in seen.values() if not plan_of(self.config).knows(b)]

    def _relative(self) -> Path:
        root = self.config.invocation_params.dir
        return self.path.relative_to(root) if self.path.is_relative_to(root) else self.path

    def _items(self, bound: Bound, plan: SessionPlan, known_as: str) -> Iterator[ClaimItem]:
        def item(kind: type[ClaimItem], inside: str, **more: Any) -> ClaimItem:
            name = f"{items.short(bound)}[{inside}]"
            made: ClaimItem = kind.from_parent(self, name=name, plan=plan, known_as=known_as, **more)
            return made

        cells = plan.of(bound)
        for where in cells:
            yield item(CellItem, items.cell_name(where), where=where)
        if not bound.is_refuted and (bound.untested or (not cells and not plan.chosen.narrowed)):
            yield item(Untried, "untested" if bound.untested else "never-tried", bound=bound)
        if bound.refuted_by is not None:
            yield item(RefutationItem, "refutation", bound=bound)
            if library_name(self.path) is not None:
                yield item(Certified, "certificate", bound=bound)
        elif bound.refuted_through is not None:
            yield item(ThroughLemma, "lemma", bound=bound)
        elif cells:
            yield item(Twin, "twin", bound=bound)
