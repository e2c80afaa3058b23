"""Symbols beside QR codes: what a reader reads is what was asked for, and what no symbol can hold is refused."""

from collections.abc import Callable

import pytest
import zxingcpp
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from labels.drawing import symbols
from labels.drawing.symbols import Bars, Symbol
from labels.errors import LabelError
from tests.examples import examples

_SCALE = 4


def _read(path: str, width: int, height: int, quiet: tuple[int, int]) -> list[tuple[str, str]]:
    """What a reader sees of rectangles in a field of so many modules, with white before and behind it."""
    image = Image.new("L", ((width + sum(quiet)) * _SCALE, (height + sum(quiet)) * _SCALE), 255)
    pen = ImageDraw.Draw(image)
    for rectangle in path.removesuffix(" re").split(" re "):
        left, bottom, wide, high = map(int, rectangle.split())
        x, y = (left + quiet[0]) * _SCALE, (height - bottom + quiet[0]) * _SCALE
        pen.rectangle((x, y - high * _SCALE, x + wide * _SCALE - 1, y - 1), 0)
    return [(str(code.format), code.text) for code in zxingcpp.read_barcodes(image)]


def _read_symbol(symbol: Symbol) -> list[tuple[str, str]]:
    return _read(symbol.path, symbol.side, symbol.side, (symbol.quiet_zone, symbol.quiet_zone))


def _read_bars(bars: Bars) -> list[tuple[str, str]]:
    # Thirty modules high, as its rectangles are one.
    return _read(bars.path.replace(" 1 re", " 30 re"), bars.width, 30, bars.quiet_zones)


@settings(max_examples=examples(60))
@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=30))
def test_code_128_holds_whatever_a_keyboard_has(text: str) -> None:
    assert _read_bars(symbols.code_128(text)) == [("Code 128", text)]


def _check_digit(digits: str) -> str:
    """The thirteenth figure, as GS1 reckons it."""
    return str(-sum(int(digit) * (1, 3)[at % 2] for at, digit in enumerate(digits)) % 10)


@settings(max_examples=examples(60))
@given(st.text("0123456789", min_size=12, max_size=12))
def test_an_ean_13_is_read_with_its_check_digit(digits: str) -> None:
    number = digits + _check_digit(digits)
    bars = symbols.ean_13(f"{number[:1]} {number[1:7]}-{number[7:]}")
    assert _read_bars(bars) == [("EAN-13", number)]
    assert "".join(figures.text for figures in bars.figures) == number
    if _check_digit(f"0{digits[:-1]}") != digits[-1]:
        assert symbols.ean_13(digits) == bars


@given(st.text("0123456789", min_size=13, max_size=13))
def test_a_wrong_check_digit_is_refused_with_the_right_one(number: str) -> None:
    right = _check_digit(number[:12])
    if number[12] != right:
        with pytest.raises(LabelError, match=f"the last, which checks them, would be {right}; correct the number"):
            symbols.ean_13(number)


@pytest.mark.slow
@settings(max_examples=examples(60))
@given(st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=40))
@example("¡")
def test_a_data_matrix_holds_any_letters(text: str) -> None:
    assert _read_symbol(symbols.data_matrix(text)) == [("Data Matrix", text)]


def test_six_figures_are_a_data_matrix_of_ten_modules() -> None:
    assert {symbols.data_matrix(f"{number:06}").side for number in range(0, 1_000_000, 4999)} == {10}
    assert symbols.data_matrix("004711").outer == 12


@pytest.mark.parametrize(
    ("encode", "text", "says"),
    [
        (symbols.code_128, "Käse", "“Käse” has “ä”, and Code 128 holds only figures"),
        (symbols.code_128, "a\nb", "has a line break, and Code 128"),
        (symbols.code_128, "x" * 300, "is too long for Code 128; shorten it"),
        (symbols.data_matrix, "1" * 4000, "is too long for a Data Matrix; shorten it"),
        (symbols.ean_13, "12345678", "“12345678” is no EAN-13, which has 13 figures, or 12 without the one"),
        (symbols.ean_13, "4.00638E+12", "is no EAN-13, which has 13 figures"),
        (symbols.ean_13, "٤٠٠٦٣٨١٣٣٣٩٣", "is no EAN-13, which has 13 figures"),
        (symbols.ean_13, "036000291452", "may be a UPC .* write all 13 figures: 0036000291452 or 0360002914522"),
    ],
)
def test_what_a_symbol_cannot_hold_is_refused(encode: Callable[[str], Symbol | Bars], text: str, says: str) -> None:
    with pytest.raises(LabelError, match=says):
        encode(text)
