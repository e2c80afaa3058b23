"""Texts with fields: a field is a name, and nothing that a row says is ever read as more than text."""

from datetime import date

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
        ("Table {a}, seat {b}", {"a": "3"}, "Table 3"),
        ("Table {a}, seat {b}", {"b": "4"}, "seat 4"),
        ("{a} g, {b} €", {"b": "5"}, "5 €"),
        ("{a} ({b})", {"a": "Ana"}, "Ana"),
        ("{a} ({b})", {"a": "Ana", "b": "Ben"}, "Ana (Ben)"),
        ("{a}\n{b}\n{c} {d}", {"a": "Ana", "b": " ", "d": "Bern"}, "Ana\nBern"),
        ("Best before {a}", {"a": ""}, ""),
        ("{a.__class__}{a[0]}{a!r:>9}", {"a": "Ana"}, ""),
        ("{a}", {"a": "{b}", "b": "2"}, "{b}"),
        ("{a} {b}", {}, ""),
    ],
)
def test_fields_are_filled_by_their_names(written: str, row: dict[str, str], text: str) -> None:
    assert template.parse_template(written).filled(row) == text


@given(st.lists(st.text(), min_size=2, max_size=5), st.lists(st.text(min_size=1).filter(str.strip), min_size=4))
def test_what_is_full_stands_as_it_was_written(words: list[str], values: list[str]) -> None:
    row = {str(number): value for number, value in enumerate(values)}
    pieces = [piece for pair in zip(words, row, strict=False) for piece in pair]
    text = template.Template((*pieces[: 2 * len(words) - 2], words[-1]))
    assert text.filled(row) == text.joined(row)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("#", "2"),
        ("#:0003", "0004"),
        ("#:99", "100"),
        ("today", "2028-02-28"),
        ("today+2", "2028-03-01"),
        ("today:DD.MM.YYYY", "28.02.2028"),
        ("Today + 7: D MMM YY", "6 Mar 28"),
        ("today:MMMM D, YYYY", "February 28, 2028"),
    ],
)
def test_numbers_and_dates_need_no_column(field: str, text: str) -> None:
    (name,) = template.parse_template(f"{{{field}}}").fields
    assert template.is_generated(name)
    assert template.generate(name, 2, date(2028, 2, 28)) == text


@pytest.mark.parametrize("field", ["#:a", "today:now", "today+", "today+1.5"])
def test_what_is_neither_a_number_nor_a_date_is_told(field: str) -> None:
    with pytest.raises(TemplateError, match=r"is neither a number nor a date; write \{#\}"):
        template.parse_template(f"{{{field}}}")


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
