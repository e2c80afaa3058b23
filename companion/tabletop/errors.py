"""Errors whose message is a sentence for the user, and the length limits of such sentences."""

import re
from typing import Final

from templates.languages.messages import Language, Message, Text, render_value

_LONGEST_QUOTE: Final = 200
_LONGEST_LINE: Final = 2_000
_QUOTE: Final = re.compile(r"(?<=“)[^”]+(?=”)|(?<=`)[^`\n]+(?=`)")


class SentenceError(Exception):
    """An error whose message is shown to users.

    It quotes user input or the contents of files, which may be of any length, so the message is shortened.
    """

    def __init__(self, sentence: Text = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence

    def __str__(self) -> str:
        """Return the sentence in the current language, shortened."""
        return shorten_quotes(str(self.sentence))

    @property
    def message(self) -> Message:
        """The sentence as a message that is shortened when it is rendered, for use outside of errors."""
        return Shortened(self.sentence)


class Shortened(Message):
    """A sentence whose quotes are shortened, because they come from outside."""

    __slots__ = ("sentence",)

    def __init__(self, sentence: Text) -> None:
        self.sentence = sentence

    def render(self, language: Language) -> str:
        """Return the shortened sentence in a language."""
        return shorten_quotes(render_value(self.sentence, language))

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.sentence,)

    def __bool__(self) -> bool:
        return bool(self.sentence)


def shorten_quotes(sentence: str) -> str:
    """Shorten texts in quotation marks or backticks, and lines that are still too long, in their middle.

    Line breaks within quotes become spaces.
    """
    if len(sentence) <= _LONGEST_QUOTE and "\n" not in sentence:
        return sentence
    short = _QUOTE.sub(lambda match: _shorten(match[0].replace("\n", " "), _LONGEST_QUOTE), sentence)
    return "\n".join(_shorten(line, _LONGEST_LINE) for line in short.split("\n"))


def _shorten(text: str, most: int) -> str:
    """Shorten a text to `most` characters and keep its end: the file of a path, the way out in a sentence."""
    end = most // 4
    return text if len(text) <= most else f"{text[: most - end - 1]}…{text[-end:]}"
