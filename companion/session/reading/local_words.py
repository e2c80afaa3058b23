"""Verbs in the reader's language: what people type for `draw` where they read another language than English.

Notation is the same in all languages, and is what is logged. A word that means something in notation, or names a seat
or a thing, is never taken for a local verb.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from companion.session.core.session import Session
from companion.tabletop.table.table import TableView
from templates.languages.messages import Language, current_language

_LEAST: Final = 2
"""The fewest letters of an abbreviation: a single one begins too many words."""


def list_local_verbs(session: Session, language: Language) -> dict[str, str]:
    """Return the words of a language for the verbs of a table's lines, by verb; empty for English."""
    return {verb: word for verb, word in _local_verbs(session, language).items() if word != verb}


def _local_verbs(session: Session, language: Language) -> dict[str, str]:
    """Return the words of a language for the verbs of a table's lines, whether or not they are the same."""
    if language.catalogue is None:
        return {}
    local = {verb: session.game.local_verb(verb, language) for verb in session.notation.table_verbs}
    return {verb: word for verb, word in local.items() if " " not in word}


def list_verb_titles(session: Session, language: Language) -> dict[str, str]:
    """Return what a language calls the actions of a table's lines, by verb, for readers who don't know the notation.

    None has one in English. In another language a verb may be the same word: `Bonus` stands before `bonus surge`.
    """
    local = _local_verbs(session, language) if language.is_finished else list_local_verbs(session, language)
    titles = {verb: word.replace("-", " ") for verb, word in local.items()}
    return {verb: f"{title[:1].upper()}{title[1:]}" for verb, title in titles.items()}


def title_of_line(line: str, titles: Mapping[str, str]) -> str:
    """Return the title of a line's verb among those of a language, or "" if it has none."""
    return titles.get(line.partition(" ")[0], "")


def write_verbs(text: str, session: Session, *, is_abbreviated: bool = False) -> str:
    """Return a typed text with its local verb as the verb of notation: `ziehen ana 2S` is `draw ana 2S`.

    The verb is the first word, or follows the name of a seat or a thing. With `is_abbreviated` it may be the beginning
    of one local verb, for a text that means nothing else.
    """
    language = current_language()
    if language.catalogue is None or '"' in text:
        return text
    local = {word.casefold(): verb for verb, word in list_local_verbs(session, language).items()}
    names = set(_names(session.view()))
    words = text.split(" ")
    for at, word in enumerate(words[:2]):
        begun = word.casefold()
        if any(verb.startswith(begun) for verb in session.notation.verbs):
            return text
        if begun in names:
            continue
        begins_name = any(name.startswith(begun) for name in names)
        may_begin = is_abbreviated and len(begun) >= _LEAST and not begins_name
        verbs = [begun] if begun in local else [each for each in local if may_begin and each.startswith(begun)]
        if len(verbs) == 1:
            return " ".join((*words[:at], local[verbs[0]], *words[at + 1 :]))
        if not begins_name:
            return text
    return text


def _names(view: TableView) -> Iterator[str]:
    """Yield the names and titles of seats and things, and the titles of the table's figures."""
    for seat in view.seats:
        yield from (seat.seat, seat.name.casefold())
    for thing in view.things():
        yield from (thing.target.casefold(), str(thing.title).casefold())
    for counter in view.counters:
        yield str(counter.caption).casefold()
