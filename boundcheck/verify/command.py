"""The command: one line a file, and the exit code."""

from __future__ import annotations

from .examination import MALFORMED, REFUTES, Finding, examine, read
from .refusals import one_plain_line


def main(paths: list[str]) -> int:
    """Print what is found of each file; return the worst exit code."""
    worst = MALFORMED if not paths else REFUTES
    for path in paths:
        try:
            found = examine(read(path))
        except OSError as why:
            found = Finding(MALFORMED, "malformed", f"it cannot be read: {why.strerror}")
        about = "" if found.claim is None else "claim not compared with any library; "
        after = "; titles and words are not checked" if found.code == REFUTES else ""
        print(f"{one_plain_line(path)}: {about}{found.outcome}: {found.line}{after}")
        worst = max(worst, found.code)
    return worst
