"""The templates of the page, with the filters that make markup of sentences with mathematics in them."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment
from markupsafe import Markup

from boundcheck.report.page.bounds import digits, figure
from boundcheck.report.page.cells import CODES
from boundcheck.report.page.inline_math import told
from boundcheck.report.page.markup import capital, prose
from boundcheck.report.page.overview import authors
from boundcheck.report.page.paper_index import SYMBOLS, name, where
from boundcheck.support.table import templates


@cache
def environment() -> Environment:
    """Return the environment of the page's templates."""
    made = templates(__package__)
    made.filters.update(told=told, prose=prose, capital=capital, name=name, where=where, authors=authors)
    made.filters.update(figure=figure, digits=digits)
    made.globals.update(codes=CODES, symbols=SYMBOLS)
    return made


def render(template: str, it: object) -> Markup:
    """Return what a template makes of its record, which it calls `it`."""
    return Markup(environment().get_template(f"{template}.html.j2").render(it=it))
