"""Figures and names in block characters, as large as the room allows: readable across the table, thick at
every size.
"""

from __future__ import annotations

import unicodedata
from typing import Final

TURN: Final = "▶"
_FONT: Final = {
    "0": "███ █ █ █ █ █ █ ███",
    "1": " █  ██   █   █  ███",
    "2": "███   █ ███ █   ███",
    "3": "███   █ ███   █ ███",
    "4": "█ █ █ █ ███   █   █",
    "5": "███ █   ███   █ ███",
    "6": "███ █   ███ █ █ ███",
    "7": "███   █   █   █   █",
    "8": "███ █ █ ███ █ █ ███",
    "9": "███ █ █ ███   █ ███",
    "A": " █  █ █ ███ █ █ █ █",
    "B": "██  █ █ ██  █ █ ██ ",
    "C": " ██ █   █   █    ██",
    "D": "██  █ █ █ █ █ █ ██ ",
    "E": "███ █   ██  █   ███",
    "F": "███ █   ██  █   █  ",
    "G": " ██ █   █ █ █ █  ██",
    "H": "█ █ █ █ ███ █ █ █ █",
    "I": "███  █   █   █  ███",
    "J": "  █   █   █ █ █  █ ",
    "K": "█ █ █ █ ██  █ █ █ █",
    "L": "█   █   █   █   ███",
    "M": "█ █ ███ ███ █ █ █ █",
    "N": "██  █ █ █ █ █ █ █ █",
    "O": " █  █ █ █ █ █ █  █ ",
    "P": "██  █ █ ██  █   █  ",
    "Q": " █  █ █ █ █ ███  ██",
    "R": "██  █ █ ██  █ █ █ █",
    "S": " ██ █    █    █ ██ ",
    "T": "███  █   █   █   █ ",
    "U": "█ █ █ █ █ █ █ █ ███",
    "V": "█ █ █ █ █ █ █ █  █ ",
    "W": "█ █ █ █ ███ ███ █ █",
    "X": "█ █ █ █  █  █ █ █ █",
    "Y": "█ █ █ █  █   █   █ ",
    "Z": "███   █  █  █   ███",
    "-": "        ███        ",
    "/": "  █   █  █  █   █  ",
    ":": "     █       █     ",
    " ": "                   ",
    TURN: "█   ██  ███ ██  █  ",
}
DOTS, ROWS = 3, 5

SMALL_ROWS: Final = 3
"""Rows of a small figure, with two of its dots in each row of text."""
_HALVES: Final = {"  ": " ", "█ ": "▀", " █": "▄", "██": "█"}


def enlarge_text(text: str, scale: int) -> list[str]:
    """Return a text in blocks; a dot is `scale` rows high and twice as many columns wide.

    Raises LookupError for other symbols.
    """
    rows = []
    for row in range(ROWS):
        rows += ["".join(dot * 2 * scale for dot in _dots(text, row))] * scale
    return rows


def _dots(text: str, row: int) -> str:
    return " ".join(_FONT[symbol][row * (DOTS + 1) :][:DOTS] for symbol in text)


def width_of(text: str, scale: int) -> int:
    """Return the columns that a text takes in blocks."""
    return max(0, len(text) * (DOTS + 1) - 1) * 2 * scale


def spell_first_word(name: str) -> str:
    """Return the first word of a name in letters that blocks can draw; "" if a letter cannot be drawn."""
    first = name.split()[0] if name.split() else ""
    plain = "".join(each for each in unicodedata.normalize("NFKD", first.upper()) if not unicodedata.combining(each))
    return plain if set(plain) <= _FONT.keys() else ""


def has_figure(text: str) -> bool:
    """Return True if a text contains a number that blocks can draw."""
    return any(character.isdecimal() for character in text)


def figure_rows(number: int | str) -> tuple[str, str, str]:
    """Return a number, or the numbers of a text such as `P3 D2/5`, in three rows of blocks; letters are left out."""
    kept = "".join(each for each in str(number).replace("−", "-") if each.isdecimal() or each in "-/: ")
    numbers = " ".join(kept.split())
    dots = [*(_dots(numbers, row) for row in range(ROWS)), " " * max(0, len(numbers) * (DOTS + 1) - 1)]
    top, middle, bottom = (
        "".join(_HALVES["".join(pair)] for pair in zip(dots[row], dots[row + 1], strict=True)) for row in (0, 2, 4)
    )
    return top, middle, bottom


def figure_width(number: int | str) -> int:
    """Return the columns of such a figure."""
    return len(figure_rows(number)[0])
