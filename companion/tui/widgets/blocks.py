"""Digits and letters in blocks of five dots by three, to be read across the table. Pure: text in, rows out."""

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
    " ": "                   ",
    TURN: "█   ██  ███ ██  █  ",
}
DOTS, ROWS = 3, 5


def enlarged(text: str, scale: int) -> list[str]:
    """A text in blocks; a dot is `scale` rows high and twice as many wide. Raises LookupError for other symbols."""
    rows = []
    for row in range(ROWS):
        dots = " ".join(_FONT[symbol][row * (DOTS + 1) :][:DOTS] for symbol in text)
        rows += ["".join(dot * 2 * scale for dot in dots)] * scale
    return rows


def width_of(text: str, scale: int) -> int:
    """Columns that a text takes in blocks."""
    return max(0, len(text) * (DOTS + 1) - 1) * 2 * scale


def spelled(name: str) -> str:
    """The first word of a name in letters that can be drawn in blocks; "" where one cannot be."""
    first = name.split()[0] if name.split() else ""
    plain = "".join(each for each in unicodedata.normalize("NFKD", first.upper()) if not unicodedata.combining(each))
    return plain if set(plain) <= _FONT.keys() else ""
