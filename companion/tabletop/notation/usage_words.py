"""The words of a usage in the reader's language: `pay CARD…` is `pay KARTE…` in German.

They only stand for what is typed, so they are read; the words around them are notation, and are the same everywhere.
`make catalogues` finds them where the kinds of arguments are declared.
"""

from __future__ import annotations

import re
from typing import Final

from templates.languages.messages import Language, Message

_WORD: Final = re.compile(r"(?<![\w\"])[A-Z]{3,}(?!\w)")


class UsageText(Message):
    """A usage, or a part of one, as people read it. What is typed, such as verbs and keywords, is unchanged."""

    __slots__ = ("usage",)

    def __init__(self, usage: str) -> None:
        self.usage = usage

    def render(self, language: Language) -> str:
        return _WORD.sub(lambda word: language.translate(word[0], "usage"), self.usage)

    def __bool__(self) -> bool:
        return bool(self.usage)

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.usage,)
