"""The words of a usage in the reader's language: `pay CARD…` is `pay KARTE…` in German.

They only stand for what is typed, so they are read; the words around them are notation, and are the same everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from templates.languages.messages import Language, Message, phrase_in

# Translators: The messages from here on stand in the usage of a line for what is typed there; in capitals.
_WORDS: Final[Mapping[str, Message]] = {
    "CARD": phrase_in("usage", "CARD"),
    "SUIT": phrase_in("usage", "SUIT"),
    "SEAT": phrase_in("usage", "SEAT"),
    "THING": phrase_in("usage", "THING"),
    # Translators: A Monster, by its band and card.
    "REF": phrase_in("usage", "REF"),
    "TEXT": phrase_in("usage", "TEXT"),
    "GAME": phrase_in("usage", "GAME"),
    "KEY": phrase_in("usage", "KEY"),
    "VALUE": phrase_in("usage", "VALUE"),
    "COUNTER": phrase_in("usage", "COUNTER"),
    "TARGET": phrase_in("usage", "TARGET"),
    "WORD": phrase_in("usage", "WORD"),
    "INSCRIPTION": phrase_in("usage", "INSCRIPTION"),
    "LABEL": phrase_in("usage", "LABEL"),
    "KEYWORD": phrase_in("usage", "KEYWORD"),
    "FACTION": phrase_in("usage", "FACTION"),
    "LINE": phrase_in("usage", "LINE"),
}
_WORD: Final = re.compile(rf"(?<![\w\"])(?:{'|'.join(_WORDS)})(?!\w)")


class UsageText(Message):
    """A usage, or a part of one, as people read it. What is typed, such as verbs and keywords, is unchanged."""

    __slots__ = ("usage",)

    def __init__(self, usage: str) -> None:
        self.usage = usage

    def render(self, language: Language) -> str:
        return _WORD.sub(lambda word: _WORDS[word[0]].render(language), self.usage)

    def __bool__(self) -> bool:
        return bool(self.usage)

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.usage,)
