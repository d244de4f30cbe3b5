"""The pytest plugin: `pytest theorems/` turns every claim of a theorem file into items, one for each cell on which it is tried.

It is loaded wherever boundcheck is installed, so it imports nothing of the library until a theorem file is collected.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from boundcheck.pytest_plugin.options import (
    add_options,
    has_tests,
    in_theorem_folder,
    is_theorem_file,
    library_name,
    options,
    refuse_bad_values,
)
from boundcheck.pytest_plugin.records import Summary, status

SUMMARY = pytest.StashKey[Summary]()


def pytest_addoption(parser: pytest.Parser) -> None:
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "boundcheck(claim, label, reading, kind, problem, method, arithmetic, M): what an item is about (boundcheck sets it)",
    )
    config.stash[SUMMARY] = Summary()
    refuse_bad_values(options(config))


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Generator[None, Any, Any]:
    """A theorem file gets our collector. It is not imported a second time as a test module, unless it has tests of its own."""
    found = yield
    if not is_theorem_file(file_path, parent):
        return found
    from boundcheck.pytest_plugin.collect import TheoremFile

    named = bool(parent.config.option.bc_theorems) and parent.session.isinitpath(file_path)
    ours = TheoremFile.from_parent(parent, path=file_path, must_have_claims=named)
    if library_name(file_path) is not None or not has_tests(file_path):
        found = [other for other in found if not isinstance(other, pytest.Module)]
    return [*found, ours]


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A folder of an installed library is a plain folder: pytest would import a package's __init__.py under a second name."""
    if not in_theorem_folder(path, parent.config) or not (path / "__init__.py").is_file():
        return None
    if library_name(path) is None and not any(library_name(child) for child in path.iterdir() if child.is_dir()):
        return None
    made: pytest.Dir = pytest.Dir.from_parent(parent, path=path)
    return made


def pytest_collection_finish(session: pytest.Session) -> None:
    import sys

    if "boundcheck.pytest_plugin.collect" in sys.modules:
        from boundcheck.pytest_plugin.collect import want_selected

        want_selected(session)


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, Any, Any]:
    import sys

    if "boundcheck.pytest_plugin.collect" not in sys.modules:
        return (yield)
    from boundcheck.pytest_plugin.collect import runs_ahead

    with runs_ahead(session):
        return (yield)


def pytest_report_teststatus(report: Any) -> tuple[str, str, str] | None:
    return status(report)


def _summary(config: pytest.Config) -> Summary:
    return config.stash[SUMMARY]


class _Listener:
    """Hears reports; they do not say which session they belong to, so it is made for one."""

    def __init__(self, summary: Summary) -> None:
        self.summary = summary

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.summary.add(report)


def pytest_sessionstart(session: pytest.Session) -> None:
    session.config.pluginmanager.register(_Listener(_summary(session.config)), "boundcheck-summary")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """VACUOUS is not a pass: a claim that nothing exercised fails the session. A worker of xdist sees only a part of it."""
    if hasattr(session.config, "workerinput") or exitstatus != pytest.ExitCode.OK:
        return
    if _summary(session.config).never_exercised:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    _summary(config).write(terminalreporter)
