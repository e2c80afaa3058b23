"""Numbers as people and programs write them in cells: with a decimal point or comma, and with or without groups."""

import re
import unicodedata
from decimal import Decimal
from functools import lru_cache
from typing import Final

from labels.errors import LabelError, excerpt
from templates.languages.messages import phrase

MAX_DIGITS: Final = 15
"""The most digits of a number: spreadsheets keep no more."""

_SIGNED: Final = re.compile(r"(?P<sign>[+−-]?)(?P<digits>\d[\d., '’]*|\.\d+)", re.ASCII)
_GROUPED: Final = re.compile(r"\d{1,3}(?:(?P<mark>[., '])\d{3})(?:(?P=mark)\d{3})*", re.ASCII)
_SPACES: Final = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2009": " ", "’": "'"})


@lru_cache(maxsize=1_000)
def parse_cell_number(text: str, decimal_sign: str = ".") -> Decimal:
    """Parse a number as it stands in a cell, also with a currency's sign or with %, which divides it by 100.

    Either mark may separate decimals or thousands, as far as the number itself shows which does. If it does not, as in
    `1,234`, the mark is taken for the `decimal_sign` of the language. Raises LabelError for any other text, and if the
    number could be another one.
    """
    plain, percent = _strip_unit(text.translate(_SPACES))
    match = _SIGNED.fullmatch(plain)
    digits = None if match is None else _read_digits(match["digits"], decimal_sign, text)
    if match is None or digits is None:
        raise LabelError(phrase("“{text}” is no number that can be read; write it as 1234.5.", text=excerpt(text)))
    if len(digits.replace(".", "").strip("0")) > MAX_DIGITS:
        raise LabelError(
            phrase(
                "“{text}” has more than {n} digits; shorten it, or print the column without a format.",
                text=excerpt(text),
                n=str(MAX_DIGITS),
            )
        )
    number = Decimal(f"{'-' if match['sign'] in ('-', '−') else ''}{digits}")
    return number / 100 if percent else number


def _strip_unit(text: str) -> tuple[str, bool]:
    """Return a text without spaces and a currency's sign around it, and True if it ends with a percent sign."""
    plain = text.strip()
    percent = plain.endswith("%")
    plain = plain.removesuffix("%").strip()
    sign = plain[:1] if plain[:1] in ("-", "−") else ""
    plain = plain.removeprefix(sign).strip()
    for at in (0, -1):
        if plain and unicodedata.category(plain[at]) == "Sc":
            plain = (plain[1:] if at == 0 else plain[:-1]).strip()
            break
    return f"{sign}{plain}", percent


def _read_digits(digits: str, decimal_sign: str, text: str) -> str | None:
    """Return digits with a decimal point and without groups, or None if they are no number."""
    marks = [mark for mark in digits if not mark.isdigit()]
    if not marks:
        return digits
    last = marks[-1]
    head, _, tail = digits.rpartition(last)
    if len(set(marks)) > 1:
        # The last of several marks separates decimals.
        return f"{_join_groups(head)}.{tail}" if last in ".," and last not in head and _join_groups(head) else None
    if len(marks) > 1 or last in " '":
        return _join_groups(digits)
    if last != decimal_sign and _GROUPED.fullmatch(digits) and not digits.startswith("0"):
        raise LabelError(
            phrase(
                "“{text}” may be {first} or {second}; write it in that way.",
                text=excerpt(text),
                first=f"{head}{tail}",
                second=f"{head}{decimal_sign}{tail}",
            )
        )
    return f"{head or '0'}.{tail}" if tail else None


def _join_groups(digits: str) -> str | None:
    """Return digits without the marks between thousands, or None if these do not stand there."""
    if digits.isdigit():
        return digits
    match = _GROUPED.fullmatch(digits)
    return None if match is None else digits.replace(match["mark"], "")
