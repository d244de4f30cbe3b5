"""What is sent to another process: fields alone."""

from __future__ import annotations

from dataclasses import fields
from typing import Any


class PickledByFields:
    """Pickled by its fields. What was computed from them stays behind: it may name objects by where they are in this process."""

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
