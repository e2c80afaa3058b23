"""What cannot be printed: the one error of this library, below all modules that raise it."""

import re
from typing import Final

_LONGEST_QUOTE: Final = 200
_LONGEST_LINE: Final = 2_000
_LONGEST_EXCERPT: Final = 60
_QUOTE: Final = re.compile("(?<=“)[^”]+(?=”)")


class LabelError(ValueError):
    """Something that cannot be printed as asked; the sentence names the label or stock and what is wrong."""

    def __init__(self, message: str) -> None:
        # It quotes what people wrote, which may be anything of any length, and ends on a terminal.
        super().__init__("".join(map(_visible, _shorten_quotes(message))))


def excerpt(text: str) -> str:
    """The beginning of a text, as a sentence can quote it."""
    return text if len(text) <= _LONGEST_EXCERPT else f"{text[:_LONGEST_EXCERPT]}…"


def _shorten_quotes(message: str) -> str:
    """Shorten what stands in quotation marks, without its line breaks, and lines that are too long even so."""
    short = _QUOTE.sub(lambda match: _shorten(match[0].replace("\n", " "), _LONGEST_QUOTE), message)
    return "\n".join(_shorten(line, _LONGEST_LINE) for line in short.split("\n"))


def _shorten(text: str, most: int) -> str:
    """Shorten a text to `most` symbols, and keep its end: of a path that is the file, of a sentence the way out."""
    end = most // 4
    return text if len(text) <= most else f"{text[: most - end - 1]}…{text[-end:]}"


def _visible(symbol: str) -> str:
    return symbol if symbol.isprintable() or symbol == "\n" else " " if symbol.isspace() else "·"
