"""Lint finds what is wrong with a claim before anything runs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Remark:
    """One remark. Errors make a claim ill formed; warnings do not."""

    check: str  # dimension, shift or horizon
    severity: str  # error or warning
    piece: str  # the offending sub-expression
    message: str

    def __str__(self) -> str:
        return f"{self.severity} [{self.check}] {self.message}"
