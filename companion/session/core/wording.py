"""Texts that stand inside of other sentences."""

from __future__ import annotations

from typing import Final

from templates.languages.messages import Language, Message, Text, render_value

_ENGLISH: Final = "en"


class WithinSentence(Message):
    """A title such as `Round 3` inside of a sentence: English writes it small there, other languages keep it."""

    __slots__ = ("title",)

    def __init__(self, title: Text) -> None:
        self.title = title

    def render(self, language: Language) -> str:
        """Return the title as a language writes it inside of a sentence."""
        text = render_value(self.title, language)
        return text[:1].lower() + text[1:] if language.code.partition("-")[0] == _ENGLISH else text

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.title,)
