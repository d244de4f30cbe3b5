"""A real browser: Debian's Chromium, or the one that CHROMIUM names. Without it these tests are skipped, and say why."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from boundcheck.report.page import page as html_of

from ..reports import FEW, library, made
from .watching import Watched

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
DESKTOP, PHONE = {"width": 1400, "height": 1000}, {"width": 390, "height": 844}
Open = Callable[..., Watched]


def chromium() -> str | None:
    named = os.environ.get("CHROMIUM")
    return named if named else next((path for name in NAMES if (path := shutil.which(name)) is not None), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One process runs them all: a browser and a report are made once."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'boundcheck[test]'")
    if (path := chromium()) is None:
        pytest.skip(f"no Chromium here: looked for {', '.join(NAMES)}; install Debian's chromium, or set CHROMIUM to its path")
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=path)
        yield started
        started.close()


@pytest.fixture(scope="session")
def report_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few claims on 12 problems."""
    path = tmp_path_factory.mktemp("report") / "index.html"
    path.write_text(html_of(made(library(FEW))), encoding="utf-8")
    return path


@pytest.fixture
def opened(browser: object, report_file: Path) -> Iterator[Open]:
    """opened("#claim=...", phone=True, dark=True) is the report in a fresh window, watched; another file with path=."""
    contexts = []

    def open_(at: str = "", *, path: Path = report_file, phone: bool = False, dark: bool = False, **more: object) -> Watched:
        scheme = "dark" if dark else "light"
        context = browser.new_context(viewport=PHONE if phone else DESKTOP, color_scheme=scheme, **more)  # type: ignore[attr-defined]
        context.set_default_timeout(5000)
        contexts.append(context)
        return Watched(context.new_page(), path.as_uri() + at)

    yield open_
    for context in contexts:
        context.close()
