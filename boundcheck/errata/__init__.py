"""What is wrong with a paper: each printed statement that is false, by cause and severity, with what stands instead."""

from boundcheck.errata.entries import Certificates, Erratum, errata
from boundcheck.errata.findings import Finding, Severity, findings_about
from boundcheck.errata.grouped import FindingShown, false_readings, grouped
from boundcheck.errata.letter_files import letter_latex, letter_markdown
from boundcheck.errata.page import errata_page
from boundcheck.errata.sheet import Sheet

__all__ = [
    "Certificates",
    "Erratum",
    "Finding",
    "FindingShown",
    "Severity",
    "Sheet",
    "errata",
    "errata_page",
    "false_readings",
    "findings_about",
    "grouped",
    "letter_latex",
    "letter_markdown",
]
