"""The command line. Each command is a file; nothing heavy is imported before a command asks for it."""

from __future__ import annotations

import os
import signal
from importlib.metadata import version

import click

from boundcheck.cli.audit import audit
from boundcheck.cli.certify import certify, recertify, verify
from boundcheck.cli.check import check
from boundcheck.cli.explain import explain, lint, list_claims
from boundcheck.cli.falsify import falsify
from boundcheck.cli.figure import figure
from boundcheck.cli.group import INTERRUPTED, TERMINATED, OneLine
from boundcheck.cli.new import new
from boundcheck.cli.paper import paper
from boundcheck.cli.power import power
from boundcheck.cli.quote import quote
from boundcheck.cli.rank import rank
from boundcheck.cli.report import report
from boundcheck.cli.steps import steps
from boundcheck.cli.sweep import sweep
from boundcheck.cli.tightness import tightness


@click.group(cls=OneLine, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("boundcheck"), prog_name="boundcheck")
def cli() -> None:
    """Asks whether the theorems of an optimization paper are well formed, hold on real runs, and how tightly."""


for command in (
    list_claims,
    explain,
    lint,
    check,
    audit,
    paper,
    report,
    sweep,
    tightness,
    rank,
    figure,
    steps,
    falsify,
    power,
    certify,
    recertify,
    verify,
    quote,
    new,
):
    cli.add_command(command)


def _terminated(number: int, frame: object) -> None:
    """What is open is closed: workers end, and what lies in temporary folders goes."""
    raise SystemExit(TERMINATED)


def main() -> None:
    signal.signal(signal.SIGTERM, _terminated)
    try:
        cli(prog_name="boundcheck")
    except SystemExit as ended:
        if ended.code == INTERRUPTED:  # a second Ctrl-C does not wait for threads, and has nothing to add
            signal.signal(signal.SIGINT, lambda number, frame: os._exit(INTERRUPTED))
        raise
