"""Texts with fields: a field is a name, and nothing that a row says is ever read as more than text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labels import template
from labels.template import GeneratedField, TemplateError


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
    assert template.parse_template(written).fill_fields(row) == text


@given(st.lists(st.text(), min_size=2, max_size=5), st.lists(st.text(min_size=1).filter(str.strip), min_size=4))
def test_what_is_full_stands_as_it_was_written(words: list[str], values: list[str]) -> None:
    row = {str(number): value for number, value in enumerate(values)}
    pieces = [piece for pair in zip(words, row, strict=False) for piece in pair]
    text = template.Template((*pieces[: 2 * len(words) - 2], words[-1]))
    assert text.fill_fields(row) == text.fill_code_text(row)


@pytest.mark.parametrize(
    ("field", "generated"),
    [
        ("#", GeneratedField("1")),
        ("#:0003", GeneratedField("0003")),
        ("today", GeneratedField("")),
        ("today+2", GeneratedField("", 2)),
        ("Today + 7: D MMM YY", GeneratedField("", 7, "D MMM YY")),
    ],
)
def test_numbers_and_dates_need_no_column(field: str, generated: GeneratedField) -> None:
    (name,) = template.parse_template(f"{{{field}}}").fields
    assert template.parse_generated(name) == generated
    assert template.column_of(name) == ""


@pytest.mark.parametrize("field", ["#:a", "today:now", "today:h:mm", "today+", "today+1.5"])
def test_what_is_neither_a_number_nor_a_date_is_told(field: str) -> None:
    with pytest.raises(TemplateError, match=r"is neither a number nor a date; write \{#\}"):
        template.parse_template(f"{{{field}}}")


@pytest.mark.parametrize(
    ("field", "name", "column"),
    [
        ("Since:DD.MM.YYYY", "since:DD.MM.YYYY", "since"),
        ("best  before : MMMM YYYY", "best before:MMMM YYYY", "best before"),
        ('born:D "de" MMMM', 'born:D "de" MMMM', "born"),
        ("start:h:mm AM/PM", "start:h:mm AM/PM", "start"),
        ("since:YYYY年M月D日", "since:YYYY年M月D日", "since"),
        ("since:ddmmyy", "since:ddmmyy", "since"),
    ],
)
def test_a_column_may_have_a_format_of_its_dates(field: str, name: str, column: str) -> None:
    assert template.parse_template(f"{{{field}}}").fields == (name,)
    assert template.column_of(name) == column


@pytest.mark.parametrize("field", ["since:foo", "note: extra", "since:ddddd", 'since:"D', "since:Daily", ":DD"])
def test_what_is_no_format_of_a_date_is_part_of_the_name(field: str) -> None:
    (name,) = template.parse_template(f"{{{field}}}").fields
    assert template.column_of(name) == template.normalize_field(field)


@pytest.mark.parametrize("spelling", ["TT.MM.JJJJ", "JJ-MM-TT", "GG/MM/AAAA", "jj mm aaaa"])
def test_the_letters_of_another_language_are_told(spelling: str) -> None:
    with pytest.raises(TemplateError, match=r"is no format of a date; write \{since:DD\.MM\.YYYY\}, with D for days"):
        template.parse_template(f"{{since:{spelling}}}")


@pytest.mark.parametrize(
    ("field", "name", "column"),
    [
        ('Price:0.00 "€"', 'price:0.00 "€"', "price"),
        ("price : #,##0.00", "price:#,##0.00", "price"),
        ("weight:0.0 kg", "weight:0.0 kg", "weight"),
        ("share:0 %", "share:0 %", "share"),
        ("number:00000", "number:00000", "number"),
    ],
)
def test_a_column_may_have_a_format_of_its_numbers(field: str, name: str, column: str) -> None:
    assert template.parse_template(f"{{{field}}}").fields == (name,)
    assert template.column_of(name) == column


@pytest.mark.parametrize(
    "field", ["price:0.00E+00", "price:0;-0", "price:0 5", "price:0?", "price:€", ":0.00", "a:#0#"]
)
def test_what_is_no_format_of_a_number_is_part_of_the_name(field: str) -> None:
    (name,) = template.parse_template(f"{{{field}}}").fields
    assert template.column_of(name) == template.normalize_field(field)


@pytest.mark.parametrize("spelling", ["0,00", "#.##0,00 €", "0,0", "# ##0,00", "0,##"])
def test_a_decimal_comma_in_a_format_is_told(spelling: str) -> None:
    with pytest.raises(TemplateError, match=r"is no format of a number; write \{price:#,##0\.00\}"):
        template.parse_template(f"{{price:{spelling}}}")


def test_a_code_has_plain_spaces_in_its_numbers() -> None:
    fields = template.parse_template("{price:0.00 €} {name}")
    row = {"price:0.00 €": "1\u00a0234,50\u00a0€", "name": "a\u00a0b"}
    assert fields.fill_code_text(row) == "1 234,50 € a\u00a0b"
    assert fields.fill_fields(row) == "1\u00a0234,50\u00a0€ a\u00a0b"


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


def test_a_format_that_is_none_is_told_with_the_right_one() -> None:
    nearest = template.nearest("since:foo", ("since", "name"))
    assert str(nearest).startswith("“foo” is no format of a date: write {since:DD.MM.YYYY}")
    assert template.nearest("sinec:DD.MM.YYYY", ("since", "name")) == "write {since:DD.MM.YYYY}"
