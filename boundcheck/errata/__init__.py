"""What is wrong with a paper: each printed statement that is false, by cause and severity, with what stands instead."""

from boundcheck.errata.entries import Certificates, Erratum, errata, errata_html, errata_page, groups
from boundcheck.errata.findings import Finding, Severity, findings_about
from boundcheck.errata.grouped import FindingShown, false_readings, grouped

__all__ = [
    "Certificates",
    "Erratum",
    "Finding",
    "FindingShown",
    "Severity",
    "errata",
    "errata_html",
    "errata_page",
    "false_readings",
    "findings_about",
    "grouped",
    "groups",
]
