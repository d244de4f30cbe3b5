"""The report as a page: `page(report)` is one HTML text that opens offline and from the disk."""

from boundcheck.report.page.document import page

__all__ = ["page"]
