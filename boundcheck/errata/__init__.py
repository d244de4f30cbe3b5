"""What is wrong with a paper: each printed statement that is false, by cause and severity, with what stands instead."""

from boundcheck.errata.entries import Certificates, Erratum, errata
from boundcheck.errata.findings import Finding, Severity, findings_about
from boundcheck.errata.grouped import FindingShown, false_readings, grouped
from boundcheck.errata.letter_files import letter_latex, letter_markdown
from boundcheck.errata.misprints import Misprint, misprints_about
from boundcheck.errata.overview import summary
from boundcheck.errata.page import errata_page
from boundcheck.errata.sheet import Sheet
from boundcheck.errata.standing import Result, Standing, results

__all__ = [
    "Certificates",
    "Erratum",
    "Finding",
    "FindingShown",
    "Misprint",
    "Result",
    "Severity",
    "Standing",
    "Sheet",
    "errata",
    "errata_page",
    "false_readings",
    "findings_about",
    "grouped",
    "misprints_about",
    "results",
    "summary",
    "letter_latex",
    "letter_markdown",
]
