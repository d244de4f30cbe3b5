"""What is wrong with a paper: each printed statement that is false, by cause and severity, with what stands instead."""

from boundcheck.certificates.errata.content import ErrataContent
from boundcheck.certificates.errata.entries import Certificates, Erratum, FindingShown, errata, false_readings, grouped
from boundcheck.certificates.errata.findings import Finding, Misprint, Severity, findings_about, misprints_about
from boundcheck.certificates.errata.letter import letter_latex, letter_markdown
from boundcheck.certificates.errata.page import errata_page
from boundcheck.certificates.errata.results import PaperResult, Standing, results, summary

__all__ = [
    "Certificates",
    "Erratum",
    "Finding",
    "FindingShown",
    "Misprint",
    "PaperResult",
    "Severity",
    "Standing",
    "ErrataContent",
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
