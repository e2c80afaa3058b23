"""The error of this library, defined below all modules that raise it."""

import re
from typing import Final

_LONGEST_QUOTE: Final = 200
_LONGEST_LINE: Final = 2_000
_LONGEST_EXCERPT: Final = 60
_QUOTE: Final = re.compile("(?<=“)[^”]+(?=”)")


class LabelError(ValueError):
    """Something that cannot be printed as requested. The message names the label or stock and the problem."""

    def __init__(self, message: str) -> None:
        # The message quotes user input of any content and length, and is printed on a terminal.
        super().__init__("".join(map(_visible, _shorten_quotes(message))))


def excerpt(text: str) -> str:
    """Return the beginning of a text, for a quotation in a message."""
    return text if len(text) <= _LONGEST_EXCERPT else f"{text[:_LONGEST_EXCERPT]}…"


def _shorten_quotes(message: str) -> str:
    """Shorten quoted texts, remove their line breaks, and shorten lines that are still too long."""
    short = _QUOTE.sub(lambda match: _shorten(match[0].replace("\n", " "), _LONGEST_QUOTE), message)
    return "\n".join(_shorten(line, _LONGEST_LINE) for line in short.split("\n"))


def _shorten(text: str, most: int) -> str:
    """Shorten a text to `most` characters and keep its end: the file of a path, the advice of a message."""
    end = most // 4
    return text if len(text) <= most else f"{text[: most - end - 1]}…{text[-end:]}"


def _visible(symbol: str) -> str:
    return symbol if symbol.isprintable() or symbol == "\n" else " " if symbol.isspace() else "·"
