"""What is wrong with a paper: each printed statement that is false, by cause and severity, with what stands instead."""

from boundcheck.errata.entries import Certificates, Erratum, errata, errata_html, errata_page, groups

__all__ = ["Certificates", "Erratum", "errata", "errata_html", "errata_page", "groups"]
