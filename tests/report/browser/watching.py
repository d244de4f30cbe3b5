"""A page with everything that went wrong on it: errors, words in the console, and requests for anything but the file itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# The page answers a new address (#claim=...) in an event of its own, after what caused it has returned. Two frames later it has.
SETTLED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"


class Watched:
    def __init__(self, page: Any, address: str) -> None:
        self.page = page
        self.file = address.partition("#")[0]
        self.wrong: list[str] = []
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("console", self._said)
        page.on("request", self._asked)
        page.click = self._and_settle(page.click)
        page.goto = self._and_settle(page.goto)
        page.keyboard.press = self._and_settle(page.keyboard.press)
        page.goto(address)

    def _and_settle(self, act: Callable[..., Any]) -> Callable[..., None]:
        def acted(*given: Any, **options: Any) -> None:
            act(*given, **options)
            self.page.evaluate(SETTLED)

        return acted

    def _said(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.wrong.append(f"{message.type}: {message.text}")

    def _asked(self, request: Any) -> None:
        if request.url.partition("#")[0] != self.file and not request.url.startswith(("data:", "blob:")):
            self.wrong.append(f"request: {request.url}")

    def text(self, selector: str) -> str:
        return str(self.page.inner_text(selector))

    def texts(self, selector: str) -> list[str]:
        return [text.strip() for text in self.page.locator(selector).all_inner_texts()]

    def count(self, selector: str) -> int:
        return int(self.page.locator(selector).count())

    def size(self, selector: str) -> tuple[float, float]:
        box = self.page.locator(selector).first.bounding_box()
        return (0.0, 0.0) if box is None else (box["width"], box["height"])

    def rows(self) -> list[str]:
        """The claims that the matrix shows: label, reading if it is not the printed one."""
        script = """() => [...document.querySelectorAll('#grid tbody tr[data-n]')].filter(row => !row.hidden)
            .map(row => row.querySelector('a').getAttribute('href').slice('#claim='.length))"""
        return list(self.page.evaluate(script))

    def focused(self, what: str) -> Any:
        return self.page.evaluate(f"() => document.activeElement.{what}")
