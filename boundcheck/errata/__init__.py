"""What is wrong with a paper: each printed statement that is false, by cause and severity, with what stands instead."""

from boundcheck.errata.entries import Certificates, Erratum, errata
from boundcheck.errata.findings import Finding, Severity, findings_about
from boundcheck.errata.grouped import FindingShown, false_readings, grouped
from boundcheck.errata.page import errata_page

__all__ = [
    "Certificates",
    "Erratum",
    "Finding",
    "FindingShown",
    "Severity",
    "errata",
    "errata_page",
    "false_readings",
    "findings_about",
    "grouped",
]
