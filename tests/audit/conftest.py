"""Where the rules of the tests are, and an audit that is quick."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from boundcheck.audit.path import Path as Run
from boundcheck.audit.path import path
from boundcheck.library.catalogue import problems
from boundcheck.library.references import method
from boundcheck.model.rule import Rule

ROOT = Path(__file__).parents[2]
WRONG, OWN = ROOT / "docs" / "examples" / "rules", Path(__file__).parent / "rules"
FEW = ("quadratic-2d", "quadratic-3d", "smooth-abs", "huber", "logistic-40x5", "quartic")


@pytest.fixture(scope="session")
def runs() -> Callable[..., tuple[Rule, list[Run]]]:
    """A rule of a file, and its paths on a few problems; each is made once."""

    @cache
    def made(file: str, name: str, among: tuple[str, ...] = FEW, steps: int = 40) -> tuple[Rule, list[Run]]:
        folder = WRONG if (WRONG / file).is_file() else OWN
        rule = method(f"{folder / file}:{name}")
        return rule, [path(problems()[one](), rule, steps=steps) for one in among]

    return made


def told(rule: Rule, paths: list[Run], **more: Any) -> Any:
    from boundcheck.audit.diagnosis import diagnose

    return diagnose(rule, paths, horizon=40, **more)
