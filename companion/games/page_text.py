"""A text of a page as a message with the page's own translations; lists of games need no more than this."""

from __future__ import annotations

from collections.abc import Mapping

from templates.languages.messages import ENGLISH, Language, Message, Text, render_value


class PageText(Message):
    """A text of a page, with its translations by the codes of their languages.

    A language without a translation here has that of the program's catalogue, if the page is written in English, or
    else the text as the page has it.
    """

    __slots__ = ("language", "text", "translations")

    def __init__(self, text: str, translations: Mapping[str, str], language: str) -> None:
        self.text = text
        self.translations = translations
        self.language = language
        """The language that the page is written in."""

    def render(self, language: Language) -> str:
        if self.translations:
            code = language.code
            while code:
                if code in self.translations:
                    return self.translations[code]
                code = code.rpartition("-")[0]
        if self.language == ENGLISH.code and language.catalogue is not None and self.text:
            return language.translate(self.text)
        return self.text

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.text, self.language, *self.translations.items())

    def __bool__(self) -> bool:
        return bool(self.text)


def _cut(text: str, most: int) -> str:
    """Return the first words of a text, at most so many symbols, with an ellipsis."""
    begun = text[:most].rpartition(" ")[0]
    whole_words = begun if len(begun) > most // 2 else text[: most - 1]  # not all languages have spaces
    return f"{whole_words.rstrip(' ,;:.')} …"


class Unfinished(Message):
    """A text of a page without its full stop, shortened to a number of symbols, and with a capital if it `begins`."""

    __slots__ = ("begins", "most", "text")

    def __init__(self, text: Text, most: int = 1600, *, begins: bool = False) -> None:
        self.text = text
        self.most = most
        self.begins = begins

    def render(self, language: Language) -> str:
        whole = render_value(self.text, language)
        text = whole.rstrip(".。") if len(whole) <= self.most else _cut(whole, self.most)
        return f"{text[:1].upper()}{text[1:]}" if self.begins else text

    @property
    def _key(self) -> tuple[object, ...]:
        return (self.text, self.most, self.begins)

    def __bool__(self) -> bool:
        return bool(self.text)


def code_of(code: str) -> str:
    """Return the code of a language as the web writes it: `de_AT` and `de-at` are `de-AT`."""
    language, *others = code.replace("_", "-").split("-")
    return "-".join((language.lower(), *(part.upper() if len(part) == 2 else part for part in others)))


def plain_text(text: str) -> str:
    """Return a text as the page's reader has it, with single blanks."""
    return " ".join(text.split())
