"""Numbers of GS1: check digits, and element strings such as `(01)04012345678901(17)261231(10)L-7`."""

import re
from datetime import date
from typing import Final

from labels.errors import LabelError, excerpt
from templates.languages.messages import Text, phrase

_ELEMENT: Final = re.compile(r"\s*\((?P<identifier>\d{2,4})\)\s*(?P<value>[^()]*[^()\s])\s*", re.ASCII)
_NUMBERS: Final = {"00": 18, "01": 14, "02": 14, "03": 14} | dict.fromkeys(map(str, range(410, 418)), 13)
"""The number of digits of values that end with a check digit, by application identifier."""
_DATES: Final = ("11", "12", "13", "15", "16", "17")
"""Identifiers of dates in the form YYMMDD. The day 00 means the last day of the month."""
_CHARACTERS: Final = re.compile('[!"%-?A-Z_a-z]+')


def check_digit(digits: str) -> str:
    """Return the digit that follows these and checks them, by the weights 3 and 1 from the right."""
    return str(-sum(int(digit) * (3, 1)[place % 2] for place, digit in enumerate(reversed(digits))) % 10)


def complete_number(text: str, length: int, title: Text) -> str:
    """Return a number with its check digit, which is added if it is missing. Spaces and hyphens are ignored.

    Args:
        text: The number, with or without its last digit.
        length: The number of digits.
        title: The name of such a number, for errors.

    Raises:
        LabelError: For any other text, and for a wrong check digit.
    """
    digits = re.sub("[ -]", "", text)
    if not (digits.isascii() and digits.isdecimal() and len(digits) in (length - 1, length)):
        raise LabelError(
            phrase(
                "“{text}” is no {number}, which has {length} figures, or {shorter} without the one that checks them.",
                text=excerpt(text),
                number=title,
                length=length,
                shorter=length - 1,
            )
        )
    number = digits[: length - 1] + check_digit(digits[: length - 1])
    if len(digits) == length and digits != number:
        raise LabelError(
            phrase(
                "“{text}” is no {number}: after its first {figures} figures the last, which checks them, would be "
                "{last}; correct the number.",
                text=text,
                number=title,
                figures=length - 1,
                last=number[-1],
            )
        )
    return number


def parse_elements(text: str) -> str:
    """Return an element string with each identifier in parentheses, without spaces, and with check digits.

    Raises LabelError for an invalid text, a wrong check digit or an impossible date.
    """
    elements, end = [], 0
    while match := _ELEMENT.match(text, end):
        elements.append(f"({match['identifier']}){_complete_value(match['identifier'], match['value'])}")
        end = match.end()
    if not elements or end < len(text):
        raise LabelError(
            phrase(
                "“{text}” is no text of GS1; write each identifier in parentheses before its value, as "
                "(01)04012345678901(10)L-7.",
                text=excerpt(text),
            )
        )
    return "".join(elements)


def _complete_value(identifier: str, value: str) -> str:
    if identifier in _NUMBERS:
        return complete_number(value, _NUMBERS[identifier], phrase("number for ({identifier})", identifier=identifier))
    strange = _CHARACTERS.sub("", value)
    if strange:
        raise LabelError(
            phrase(
                "“{text}” for ({identifier}) has {sign}, and GS1 allows only figures, letters without accents and the "
                "signs !\"%&'*+,-./:;<=>?_; leave it out.",
                text=excerpt(value),
                identifier=identifier,
                sign=phrase("a space") if strange[0] == " " else f"“{strange[0]}”",
            )
        )
    if identifier in _DATES and not _is_date(value):
        raise LabelError(
            phrase(
                "“{text}” for ({identifier}) is no date; write it as YYMMDD, as in 261231.",
                text=excerpt(value),
                identifier=identifier,
            )
        )
    return value


def _is_date(value: str) -> bool:
    if not re.fullmatch("[0-9]{6}", value):
        return False
    year, month, day = (int(value[start : start + 2]) for start in (0, 2, 4))
    try:
        date(2000 + year, month, day or 1)
    except ValueError:
        return False
    return True
