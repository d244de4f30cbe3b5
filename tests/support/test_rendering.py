"""Templates: words are escaped, breaks between elements are no text, and what is missing or ends a script is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jinja2 import TemplateSyntaxError, UndefinedError
from markupsafe import Markup

from boundcheck.support.table import json_text, templates

HOSTILE = "</script><script>planted()</script><img src=x onerror=planted()> & \"quoted\" 'too'"
ROOT = Path(__file__).resolve().parents[2] / "boundcheck"
ENVIRONMENT = templates("boundcheck.report.page")


def made(source: str, **given: object) -> str:
    return ENVIRONMENT.from_string(source).render(**given)


def test_words_are_escaped_and_markup_is_not() -> None:
    text = made('<p title="{{ it }}">{{ it }}</p>', it=HOSTILE)
    assert text.count("<") == text.count(">") == 2 and text.count('"') == 2
    assert made("<p>{{ it }}</p>", it=Markup("<b>kept</b>")) == "<p><b>kept</b></p>"


def test_data_cannot_end_its_script() -> None:
    assert "<" not in json_text([HOSTILE]) and json.loads(json_text([HOSTILE])) == [HOSTILE]
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text(float("nan"))


def test_a_break_beside_an_element_is_no_text_and_one_between_words_is() -> None:
    assert made("<p>\n  {{ it }}\n  <b>x</b> <i>y</i>\n</p>\n", it="a") == "<p>a<b>x</b> <i>y</i></p>"
    assert made("<p>two\nwords</p>") == "<p>two\nwords</p>"


def test_a_name_that_was_not_given_is_an_error_and_a_mistake_names_its_line() -> None:
    with pytest.raises(UndefinedError):
        made("{{ forgotten }}")
    with pytest.raises(TemplateSyntaxError) as wrong:
        made("<p>\n</p>\n{% nothing %}")
    assert wrong.value.lineno == 3


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.html.j2")), ids=lambda path: path.stem)
def test_no_template_takes_its_words_for_markup(path: Path) -> None:
    """What is markup already is of the type Markup, from Python that checked it: a template never says so by itself."""
    assert says_safe(path.read_text(encoding="utf-8")) == []


def says_safe(text: str) -> list[str]:
    return [word for word in ("| safe", "|safe", "autoescape") if word in text]


def test_a_template_that_takes_words_for_markup_is_seen() -> None:
    assert says_safe("{{ it | safe }}") and says_safe("{% autoescape false %}")
