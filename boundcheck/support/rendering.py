"""The renderer of Jinja2 templates: words are escaped, and the layout of a template's lines is no text of the page."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.ext import Extension
from markupsafe import Markup

BREAK = re.compile(r"(?<=[>}])\s*\n\s*|\s*\n\s*(?=[<{])")


class _Layout(Extension):
    """A line break beside an element or a statement, with its indentation, writes nothing: a space that counts stands in a line.

    Comments take the place of the breaks, so that an error still names the right line of the template.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return BREAK.sub(lambda found: "{#" + "\n" * found[0].count("\n") + "#}", source)


@cache
def templates(package: str) -> Environment:
    """Return the templates in the folder `templates` of a package. A name that a template was not given is an error."""
    made = Environment(loader=PackageLoader(package), autoescape=True, undefined=StrictUndefined, extensions=[_Layout])
    made.filters["json"] = json_text
    return made


def json_text(value: Any) -> Markup:
    """Return JSON that may stand in a <script> element: nothing in it can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("<", "\\u003c"))  # which is in strings only


def render(package: str, template: str, **given: Any) -> Markup:
    """Return what a template of a package makes of what it is given."""
    return Markup(templates(package).get_template(f"{template}.html.j2").render(**given))
