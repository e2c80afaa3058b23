"""The error of this library, defined below all modules that raise it."""

import re
from typing import Final

from templates.languages.messages import Language, Message, Text, render_value

_LONGEST_QUOTE: Final = 200
_LONGEST_LINE: Final = 2_000
_LONGEST_EXCERPT: Final = 60
_QUOTE: Final = re.compile("(?<=“)[^”]+(?=”)")


class LabelError(ValueError):
    """Something that cannot be printed as requested. The message names the label or stock and the problem.

    It is rendered in the reader's language. It quotes user input of any content and length, and is printed on a
    terminal, so it is shortened, and its control characters are replaced.
    """

    def __init__(self, sentence: Text) -> None:
        super().__init__(sentence)
        self.sentence = sentence

    def __str__(self) -> str:
        """Return the sentence in the current language, fit for a terminal."""
        return _sanitize(str(self.sentence))

    @property
    def message(self) -> Message:
        """The sentence as a message that is fit for a terminal, for use in others and to keep it."""
        return _Sanitized(self.sentence)


class _Sanitized(Message):
    """A sentence that is shortened and freed from control characters when it is rendered."""

    __slots__ = ("sentence",)

    def __init__(self, sentence: Text) -> None:
        self.sentence = sentence

    def render(self, language: Language) -> str:
        return _sanitize(render_value(self.sentence, language))

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.sentence,)

    def __bool__(self) -> bool:
        return bool(self.sentence)


def _sanitize(sentence: str) -> str:
    return "".join(map(_visible, _shorten_quotes(sentence)))


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
