"""HTML built of elements: text is escaped unless it is markup already."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from boundcheck.support.escaping import html_text

VOID = {"br", "hr", "img", "input", "meta", "link", "wbr"}


class Markup(str):
    """Text that is HTML already."""


Child = str | Markup | None | Iterable["Child"]


def tag(name: str, /, *children: Child, **attributes: Any) -> Markup:
    """tag("a", "x < y", href="#z") -> <a href="#z">x &lt; y</a>; attributes that are None or False are left out."""
    written = "".join(_attribute(key, value) for key, value in attributes.items() if value is not None and value is not False)
    return Markup(f"<{name}{written}>" if name in VOID else f"<{name}{written}>{join(*children)}</{name}>")


def join(*children: Child) -> Markup:
    """Children one after the other."""
    return Markup("".join(_text(child) for child in children))


def _text(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, str):
        return child if isinstance(child, Markup) else html_text(child)
    return "".join(_text(one) for one in child)


def _attribute(key: str, value: Any) -> str:
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{html_text(str(value))}"'


def data(value: Any, **attributes: Any) -> Markup:
    """JSON for the page's script to read; nothing in it can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    text = text.replace("<", "\\u003c")  # which is in strings only
    opened = tag("script", type="application/json", **attributes).removesuffix("</script>")
    return Markup(f"{opened}{text}</script>")


def table(columns: Iterable[Child], rows: Iterable[Iterable[Child]], **attributes: Any) -> Markup:
    """A table that scrolls by itself where it is wider than its place. The first cell of a row heads it."""
    head = tag("tr", [tag("th", name, scope="col") for name in columns])
    body = [tag("tr", [_cell(n, cell) for n, cell in enumerate(row)]) for row in rows]
    return tag(
        "div", tag("table", tag("thead", head), tag("tbody", body), **attributes), class_="wide", tabindex="0", role="region"
    )


def _cell(n: int, cell: Child) -> Markup:
    return tag("th", cell, scope="row") if n == 0 else tag("td", cell)
