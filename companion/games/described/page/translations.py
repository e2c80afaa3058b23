"""The checks of a page's translations: what is wrong with them, and what is missing.

A translation is shown in place of the page's own text, so it is checked as strictly as a catalogue: it belongs to a
text of the page, has the same words to be filled in, and is no longer than fits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import Final, NamedTuple

from companion.games.described.page.texts import FORMS, FoundText, PageTexts, told_words
from companion.games.described.page.toml_lines import Path
from companion.games.page_text import code_of, plain_text
from companion.tabletop.text import in_quotes
from templates.languages.messages import Language, Message, Text, listed, phrase

LANGUAGE: Final = "language"
"""The key of a page below which its translations stand."""
_GROWTH: Final = 2
_ROOM: Final = 40
"""A translation has at most `_GROWTH` times the symbols of the page's text, and this many more."""
_MOST_FORMS: Final = 6
_BRACES: Final = re.compile(r"\{[^{}]*\}|[{}]")

Tables = Mapping[str, Mapping[str, str]]
"""The translations as a page has them: by languages, and by the texts of the page."""


def wrong_translations(texts: PageTexts, language: str, tables: Tables) -> Iterator[tuple[Path, Text]]:
    """Yield the faults of a page's translations with their keys.

    Args:
        texts: The texts of the page.
        language: The language that the page is written in.
        tables: The translations.
    """
    by_text: dict[str, FoundText] = {}
    for each in texts.all_texts:
        present = by_text.setdefault(each.text, each)
        if each.is_told and not present.is_told:
            by_text[each.text] = each
    codes: dict[str, str] = {}
    for code, table in tables.items():
        path: Path = (LANGUAGE, code)
        plain = code_of(code)
        if plain == code_of(language):
            yield path, phrase("The page is written in this language, by its key `written-in`.")
        elif plain in codes:
            yield path, phrase("{language} is the same language.", language=in_quotes(codes[plain]))
        codes[plain] = code
        seen: set[str] = set()
        for text, translation in table.items():
            if fault := _describe_fault(plain_text(text), translation, by_text, seen):
                yield (*path, text), fault
            seen.add(plain_text(text))


def _describe_fault(text: str, translation: str, by_text: Mapping[str, FoundText], seen: set[str]) -> Text:
    """Return what is wrong with the translation of a text, or an empty string."""
    place = by_text.get(text)
    if place is None:
        return _describe_unknown(text, by_text)
    if text in seen:
        return phrase("This text appears twice.")
    most = _GROWTH * len(text) + _ROOM
    if len(translation) > most:
        return phrase(
            "The translation has {symbols} symbols; at most {most} are allowed.", symbols=len(translation), most=most
        )
    if place.is_told and translation and (wrong := told_words(text) ^ told_words(translation)):
        missing = sorted(wrong & told_words(text))
        words = listed(missing or sorted(wrong))
        if missing:
            return phrase("The translation lacks {words}, which is filled in.", words=words)
        return phrase("The page's text has no {words} to be filled in.", words=words)
    if translation and sorted(_BRACES.findall(translation)) != sorted(_BRACES.findall(text)):
        return phrase("The braces of the translation are not those of the page's text.")
    if translation.count(FORMS) >= _MOST_FORMS:
        return phrase("A word has at most {most} forms.", most=_MOST_FORMS)
    return ""


def _describe_unknown(text: str, by_text: Mapping[str, FoundText]) -> Message:
    if near := get_close_matches(text[:_COMPARED], by_text, n=1, cutoff=0.6):
        return phrase("The page has no such text; did you mean {text}?", text=in_quotes(near[0]))
    return phrase("The page has no such text.")


_COMPARED: Final = 400
"""The most symbols of a text for which a similar one is looked for."""


class MissingText(NamedTuple):
    """A text of a page without a translation, and where it stands."""

    path: Path
    text: str


class LanguageState(NamedTuple):
    """The state of a translation: how many texts of a page are translated, and which are missing."""

    code: str
    translated: int
    all_texts: int
    missing: tuple[MissingText, ...]


def language_states(
    texts: PageTexts, tables: Tables, find_language: Callable[[str], Language | None]
) -> Iterator[LanguageState]:
    """Yield the state of each language of a page. A text counts once, wherever it stands.

    Args:
        texts: The texts of the page.
        tables: The translations.
        find_language: Returns the program's language for a code: what its catalogue has is not missing.
    """
    needed = {each.text: each.path for each in reversed(texts.all_texts) if each.is_needed}
    order = sorted(needed, key=lambda text: [each.text for each in texts.all_texts].index(text))
    for code, table in tables.items():
        done = {plain_text(text) for text, translation in table.items() if translation}
        language = find_language(code)
        if language is not None:
            done |= {text for text in order if texts.text(text).render(language) != text}
        missing = tuple(MissingText(needed[text], text) for text in order if text not in done)
        yield LanguageState(code_of(code), len(order) - len(missing), len(order), missing)


def kept_translations(texts: PageTexts, tables: Tables) -> dict[str, dict[str, str]]:
    """Return the translations of texts that the page still has, without empty tables."""
    there = {each.text for each in texts.all_texts}
    kept = {
        code: {text: translation for text, translation in table.items() if plain_text(text) in there}
        for code, table in tables.items()
    }
    return {code: table for code, table in kept.items() if table}
