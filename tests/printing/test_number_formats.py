"""Number formats: the text that Excel shows for a value and the format of its cell."""

from datetime import date
from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.printing.spreadsheets.number_formats import (
    BUILT_IN,
    GENERAL,
    apply_number_format,
    apply_text_format,
    format_general,
)

MARCH_1: float = (date(2026, 3, 1) - date(1899, 12, 30)).days


@pytest.mark.parametrize(
    ("number", "code", "text"),
    [
        (1067, "00000", "01067"),
        (12.5, '0.00 "€"', "12.50 €"),
        (12.5, '#,##0.00 "€"', "12.50 €"),
        (1234.5, '_-* #,##0.00 "€"_-;-* #,##0.00 "€"_-;_-* "-"?? "€"_-;_-@_-', "1,234.50 €"),
        (-1234.5, "#,##0.00;[Red](#,##0.00)", "(1,234.50)"),
        (-3, '0" below";0" short"', "3 short"),
        (0, '0;-0;"none"', "none"),
        (0.153, "0.0%", "15.3%"),
        (0.15, "0%", "15%"),
        (1.5, "# ?/?", "1 1/2"),
        (0.125, "# ??/??", "1/8"),
        (12345, "0.00E+00", "1.23E+04"),
        (1234567, "#,##0", "1,234,567"),
        (1234567, '0.0,,"M"', "1.2M"),
        (5551234567, "(000) 000-0000", "(555) 123-4567"),
        (2.675, "0.00", "2.68"),
        (MARCH_1, "dd.mm.yyyy", "01.03.2026"),
        (MARCH_1, "d mmm yy", "1 Mar 26"),
        (MARCH_1, "dddd, mmmm d, yyyy", "Sunday, March 1, 2026"),
        (MARCH_1 + 0.6041666667, "yyyy-mm-dd h:mm", "2026-03-01 14:30"),
        (MARCH_1 + 0.5123, "dd.mm.yyyy hh:mm:ss.00", "01.03.2026 12:17:42.72"),
        (0.3784722222, "h:mm", "9:05"),
        (0.3784722222, "h:mm AM/PM", "9:05 AM"),
        (1.0833333333, "[hh]:mm:ss", "26:00:00"),
        (60, "d mmm yyyy", "29 Feb 1900"),
        (3, 'General" pcs"', "3 pcs"),
        (4006381333931, "General", "4006381333931"),
        (0.1 + 0.2, "General", "0.3"),
        (5, ";;;", ""),
        (1e300, "yyyy", "1E+300"),
        (0.0000001, "General", "1E-07"),
        (-5, "yyyy-mm-dd", "-5"),
    ],
)
def test_a_number_is_written_by_its_format(number: float, code: str, text: str) -> None:
    assert apply_number_format(number, code) == text


@pytest.mark.parametrize(
    ("number", "code", "text"),
    [
        (1234.5, "#,##0.00 [$€-407]", "1.234,50 €"),
        (1234.5, "[$$-409]#,##0.00", "$1,234.50"),
        (1234567.5, "[$-40C]#,##0.0", "1\u202f234\u202f567,5"),
        (1234.5, "[$CHF-807] #,##0.00", "CHF 1'234.50"),
        (1234.5, '[$-407]0.00" (approx. 1,5)"', "1234,50 (approx. 1,5)"),
        (1.4, '[$-407][<1.5]0.0;"much"', "1,4"),
        (0.5, "[$-de-DE]0.0", "0,5"),
        (MARCH_1, "[$-407]dddd, d. mmmm yyyy", "Sonntag, 1. März 2026"),
        (MARCH_1, "[$-40C]ddd d mmmm", "dim 1 mars"),
        (MARCH_1, "[$-419]d mmmm yyyy", "1 марта 2026"),
        (MARCH_1, "[$-409]mmm-yy", "Mar-26"),
        (MARCH_1, "[$-F800]dddd, mmmm dd, yyyy", "2026-03-01"),
        (0.5, "[$-F400]h:mm:ss AM/PM", "12:00:00"),
    ],
)
def test_a_format_that_names_a_locale_is_read_in_it(number: float, code: str, text: str) -> None:
    assert apply_number_format(number, code) == text


@pytest.mark.parametrize(
    ("code", "number", "text"),
    [
        # The examples of ECMA-376 part 1, 18.8.31.
        ("####.#", 1234.59, "1234.6"),
        ("#.000", 8.9, "8.900"),
        ("0.#", 0.631, "0.6"),
        ("#.0#", 12, "12.0"),
        ("#.0#", 1234.568, "1234.57"),
        ("???.???", 44.398, "44.398"),
        ("???.???", 102.65, "102.65"),
        ("???.???", 2.8, "2.8"),
        ("# ???/???", 5.25, "5   1/4"),
        ("# ???/???", 5.3, "5   3/10"),
        ("#,###", 12000, "12,000"),
        ("#,", 12000, "12"),
        ("0.0,,", 12200000, "12.2"),
        ("00000", 123, "00123"),
        ('"000"#', 123, "000123"),
        ("[Red][<=100];[Blue][>100]", 50, ""),
        ('$0.00" Surplus";$-0.00" Shortage"', 125.74, "$125.74 Surplus"),
        ('$0.00" Surplus";$-0.00" Shortage"', -125.74, "$-125.74 Shortage"),
        ("m/d/yyyy", MARCH_1, "3/1/2026"),
        ("h:mm AM/PM", 0.125, "3:00 AM"),
        ("[h]:mm", 1.0426, "25:01"),
        ("[mm]:ss", 0.04379, "63:03"),
        ("[ss]", 0.0007, "60"),
        ("h:mm:ss.00", 0.6, "14:24:00.00"),
        # Placeholders, one by one.
        ("#.##", 5, "5."),
        ("#.##", 0.5, ".5"),
        (".00", 1234.5, "1234.50"),
        ("0##", 1, "01"),
        ("#.#0#0#0", -10.29, "-10.2900"),
        ("0.??\\x", 1.5, "1.5 x"),
        ("#,###", 0, ""),
        ("0,000", 5, "0,005"),
        ("00,000.00,", 12345, "00,012.35"),
        ("000-00-0000", 123456789, "123-45-6789"),
        ("[<=9999999]###-####;(###) ###-####", 8675309, "867-5309"),
        ("[<=9999999]###-####;(###) ###-####", 2813308004, "(281) 330-8004"),
        ("0.0.0", 1.25, "1.2.5"),
        ("0", 1e21, "1000000000000000000000"),
        # Rounding of the 15 digits that are kept.
        ("0.00", 1.005, "1.01"),
        ("0.00", -2.675, "-2.68"),
        ("0", 0.5, "1"),
        ("0", 2.5, "3"),
        ("0.0%", 0.0295, "3.0%"),
        ("0.0,", 2950, "3.0"),
        ("0.0", -0.01, "0.0"),
        ("0%%", 0.5, "5000%%"),
        # Exponents.
        ("##0.0E+0", 12345, "12.3E+3"),
        ("##0.0E+0", 123456789, "123.5E+6"),
        ("##0.0E+0", 999960, "1.0E+6"),
        ("000E+00", 12345.67, "012E+03"),
        ("0.00E+00", 0, "0.00E+00"),
        ("0.00E+00", -0.00012, "-1.20E-04"),
        ("0.0E-0", 1500, "1.5E3"),
        ("0.000E+000", 2.33e-32, "2.330E-032"),
        # Fractions.
        ("# ?/?", 1, "1"),
        ("# ?/?", 0, "0"),
        ("# ?/?", -1.2, "-1 1/5"),
        ("# ?/?", 0.3, "2/7"),
        ("# ?/?", 0.99, "1"),
        ("# ?/?", 1.3, "1 1/3"),
        ("# ?/?", 2.3, "2 2/7"),
        ("# ?/?", 12345.6789, "12345 2/3"),
        ("# ??/??", 1234.567, "1234 55/97"),
        ("# ???/???", -1234.5678, "-1234  67/118"),
        ("# ??/?????????", 0.123251512342345, "480894/3901729"),
        ("??/??", -1234.5678, "-100000/81"),
        ("# ??/??", -123.456, "-123 26/57"),
        ("# ??/16", 12.3, "12  5/16"),
        ("# ?/8", 123.45, "123 4/8"),
        ("# ??/100", 12345.6789, "12345 68/100"),
        ("00 00/00", 1, "01 00/01"),
        ("??/??", 12.3, "123/10"),
        ("#/#", 12.345, "37/3"),
        ("?/?", 0, "0/1"),
        ("# ?? / ??", 1.3, "1  3 / 10"),
        # Sections and conditions.
        ('"foo";"bar";"baz"', 0, "baz"),
        ('"foo";"bar";@', 0, "foo"),
        ("0;0", -1.1, "1"),
        ("\\r", -1, "-r"),
        ('A"TODO"', -1, "-ATODO"),
        ('[>=100]"A"0;[<=-100]"B"0;"C"0', 6.3, "C6"),
        ('[>=100]"A"0;[<=-100]"B"0;"C"0', -6.3, "-C6"),
        ('[>=100]"A"0;[<=-100]"B"0;"C"0', -106.3, "B106"),
        ('[>=100]"A"0;[<=0]"B"0', -6.3, "-B6"),
        ('[>=100]"A"0;[<=0]"B"0', 6.3, "6.3"),
        ('"A-"0;[=-10]"B-"0;"C-"0', -10, "B-10"),
        ('"A-"0;[=-10]"B-"0;"C-"0', -1, "-C-1"),
        ('[=1]0" day";0" days"', 1, "1 day"),
        ('[<>1]0" days";0" day"', 3, "3 days"),
        ('_($* #,##0_);_($* (#,##0);_($* "-"_);_(@_)', 1, "$1"),
        ('_($* #,##0_);_($* (#,##0);_($* "-"_);_(@_)', -1, "$(1)"),
        ('_($* #,##0_);_($* (#,##0);_($* "-"_);_(@_)', 0, "$-"),
        ("[Blue]General", -1, "-1"),
        ("@", 1.5, "1.5"),
        ("@@", 1, "11"),
        # Dates and times.
        ("yyyy-mm-dd", 0, "1900-01-00"),
        ("ddd yyyy-mm-dd", 1, "Sun 1900-01-01"),
        ("ddd d mmm", 59, "Tue 28 Feb"),
        ("ddd d mmm", 60, "Wed 29 Feb"),
        ("ddd d mmm", 61, "Thu 1 Mar"),
        ("d mmmm yyyy", 2958465, "31 December 9999"),
        ("yyyy", 2958466, "2958466"),
        ("mmmmm yy", MARCH_1, "M 26"),
        ("dddd", MARCH_1, "Sunday"),
        ("d/m/yy h:mm", MARCH_1 + 0.25, "1/3/26 6:00"),
        ("hh:mm A/P", 0.7, "04:48 P"),
        ("h AM/PM", 0, "12 AM"),
        ("h AM/PM", 0.5, "12 PM"),
        ("hhh:mmm:sss", 1.7, "16:Jan:00"),
        ("mm:ss.0", 0.70707, "58:10.8"),
        ("h:mm:ss", 0.9999999, "0:00:00"),
        ("yyyy-mm-dd", MARCH_1 + 0.9999999, "2026-03-01"),
        ("[h]:mm", -0.5, "-0.5"),
        # Formats that cannot be read.
        ("Standard", 1.5, "1.5"),
        ("0;0;0;0;0", 1.5, "1.5"),
        ("[<x]0", 1.5, "1.5"),
        ("[=<1]0", 1.5, "1.5"),
        ("?/? ?/?", 1.5, "1.5"),
        ("0.0 ?/?", 1.5, "1.5"),
        ("0E+", 1.5, "1.5"),
        ("0E+0E+0", 1.5, "1.5"),
        ("0 kg", 1.5, "1.5"),
        ("", 1.5, "1.5"),
    ],
)
def test_each_part_of_a_format_shows_as_in_excel(code: str, number: float, text: str) -> None:
    assert apply_number_format(number, code) == text


@pytest.mark.parametrize(
    ("code", "number", "text"),
    [
        ("yyyy-mm-dd", 0, "1904-01-01"),
        ("ddd yyyy-mm-dd", 1, "Sat 1904-01-02"),
        ("yyyy-mm-dd", -1, "-1904-01-02"),
        ("[h]:mm", 1.5, "36:00"),
        ("[h]:mm", -0.5, "-12:00"),
    ],
)
def test_dates_of_1904_may_be_negative(code: str, number: float, text: str) -> None:
    assert apply_number_format(number, code, from_1904=True) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "1234.5"),
        (4, "1,234.50"),
        (10, "123450.00%"),
        (11, "1.23E+03"),
        (12, "1234 1/2"),
        (14, "1903-05-18"),
        (15, "18-May-03"),
        (18, "12:00 PM"),
        (38, "1,235"),
        (46, "29628:00:00"),
        (48, "1.2E+3"),
        (49, "1234.5"),
    ],
)
def test_built_in_formats_are_known_by_number(number: int, text: str) -> None:
    assert apply_number_format(1234.5, BUILT_IN.get(number, GENERAL)) == text


@pytest.mark.parametrize(
    ("text", "code", "display"),
    [
        ("Ana", '0;-0;0;"Dr. "@', "Dr. Ana"),
        ("Ana", '0;"Dr. "@', "Dr. Ana"),
        ("Ana", "0;;;", ""),
        ("Ana", "_-@_-", "Ana"),
        (" Ana ", "@", " Ana "),
        ("Ana", "@@", "AnaAna"),
        ("Ana", "0.00", "Ana"),
        ("Ana", "Standard", "Ana"),
    ],
)
def test_a_text_is_shown_by_the_section_for_texts(text: str, code: str, display: str) -> None:
    assert apply_text_format(text, code) == display


PARTS = [*'0#?.,;%/@ ymdhsE+-[]<>=*_\\"x$1', "General", "AM/PM", "[h]", "[<5]", "[$-407]", "E+00", "?/?"]
CODES = st.lists(st.sampled_from(PARTS), max_size=12).map("".join)


@given(st.floats(), CODES, st.booleans())
def test_no_format_raises(number: float, code: str, from_1904: bool) -> None:
    apply_number_format(number, code, from_1904=from_1904)
    apply_text_format("text", code)


@given(st.decimals(-(10**9), 10**9, places=4))
def test_a_plain_format_rounds_as_decimals_do(number: Decimal) -> None:
    expected = number.quantize(Decimal("0.01"), ROUND_HALF_UP) + 0
    assert apply_number_format(float(number), "0.00") == f"{expected:f}"
    assert apply_number_format(float(number), "#,##0.00") == f"{expected:,f}"


@given(st.floats(allow_nan=False, allow_infinity=False))
@example(-0.0)
def test_general_within_a_format_is_general(number: float) -> None:
    assert apply_number_format(number, "[Red]General") == format_general(number)
