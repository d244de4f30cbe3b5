"""What is wrong with a paper: each printed statement that is false, by cause and severity, with what stands instead."""

from boundcheck.certificates.errata.entries import Certificates, Erratum, errata
from boundcheck.certificates.errata.findings import Finding, Severity, findings_about
from boundcheck.certificates.errata.grouped import FindingShown, false_readings, grouped
from boundcheck.certificates.errata.letter_files import letter_latex, letter_markdown
from boundcheck.certificates.errata.misprints import Misprint, misprints_about
from boundcheck.certificates.errata.overview import summary
from boundcheck.certificates.errata.page import errata_page
from boundcheck.certificates.errata.sheet import Sheet
from boundcheck.certificates.errata.standing import Result, Standing, results

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
