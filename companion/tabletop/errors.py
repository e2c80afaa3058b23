"""Errors whose message is a sentence for people, and how long such a sentence may become."""

import re
from typing import Final

_LONGEST_QUOTE: Final = 200
_LONGEST_LINE: Final = 2_000
_QUOTE: Final = re.compile(r"(?<=“)[^”]+(?=”)|(?<=`)[^`\n]+(?=`)")


class SentenceError(Exception):
    """An error whose message is shown to people.

    It quotes what they typed, or what stands in their files, which may be of any length: the message is shortened.
    """

    def __init__(self, sentence: str = "") -> None:
        super().__init__(shorten_quotes(sentence))


def shorten_quotes(sentence: str) -> str:
    """Shorten what stands in quotation marks or backticks, and lines that are too long even so, in their middle.

    What is quoted has no line breaks then.
    """
    if len(sentence) <= _LONGEST_QUOTE and "\n" not in sentence:
        return sentence
    short = _QUOTE.sub(lambda match: _shorten(match[0].replace("\n", " "), _LONGEST_QUOTE), sentence)
    return "\n".join(_shorten(line, _LONGEST_LINE) for line in short.split("\n"))


def _shorten(text: str, most: int) -> str:
    """Shorten a text to `most` symbols, and keep its end: of a path that is the file, of a sentence the way out."""
    end = most // 4
    return text if len(text) <= most else f"{text[: most - end - 1]}…{text[-end:]}"
