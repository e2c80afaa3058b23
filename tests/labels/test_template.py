"""Texts with fields: a field is a name, and nothing that a row says is ever read as more than text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labels import template
from labels.template import TemplateError


@pytest.mark.parametrize(
    ("written", "row", "text"),
    [
        ("{name}", {"name": "Ana"}, "Ana"),
        ("Dear { First  Name }!", {"first name": "Ana"}, "Dear Ana!"),
        ("{{name}}", {"name": "Ana"}, "{name}"),
        ("{a}{b}", {"b": "2"}, "2"),
        ("{a.__class__}{a[0]}{a!r:>9}", {"a": "Ana"}, ""),
        ("{a}", {"a": "{b}", "b": "2"}, "{b}"),
        ("{a} {b}", {}, ""),
    ],
)
def test_fields_are_filled_by_their_names(written: str, row: dict[str, str], text: str) -> None:
    assert template.parse_template(written).filled(row) == text


@pytest.mark.parametrize("written", ["{", "a } b", "{}", "{ }", "{a{b}}", "{{a}"])
def test_a_brace_without_a_field_is_told(written: str) -> None:
    with pytest.raises(TemplateError, match=r"has a brace without a field; write \{name\}, or \{\{ for a brace"):
        template.parse_template(written)


@given(st.text(), st.lists(st.sampled_from(["name", "first name", "é"])))
def test_a_template_reads_as_it_was_written(words: str, fields: list[str]) -> None:
    written = words.replace("{", "{{").replace("}", "}}") + "".join(f"{{{field}}}" for field in fields)
    read = template.parse_template(written)
    assert read.fields == tuple(fields)
    assert template.parse_template(read.source) == read


def test_the_nearest_column_is_named() -> None:
    assert template.nearest("nmae", ("name", "text")) == "write {name}"
    assert template.nearest("zebra", ("name", "text")) == "the columns are name, text"
