"""Verbs in the reader's language: what people type for `draw` where they read another language than English.

Notation is the same in all languages, and is what is logged. A word that means something in notation, or names a seat
or a thing, is never taken for a local verb.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.session.core.session import Session
from companion.tabletop.table.table import TableView
from templates.languages.messages import Language, current_language

_LEAST: Final = 2
"""The fewest letters of an abbreviation: a single one begins too many words."""


def list_local_verbs(session: Session, language: Language) -> dict[str, str]:
    """Return the words of a language for the verbs of a table's lines, by verb; empty for English."""
    if language.catalogue is None:
        return {}
    local = {verb: language.translate(verb, "verb") for verb in session.notation.table_verbs}
    return {verb: word for verb, word in local.items() if word != verb and " " not in word}


def write_verbs(text: str, session: Session) -> str:
    """Return a typed text with its local verb as the verb of notation: `ziehen ana 2S` is `draw ana 2S`.

    The verb is the first word, or follows the name of a seat or a thing. It may be abbreviated if only one verb begins
    so, in the reader's language and in notation.
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
        if begun in local or (len(begun) >= _LEAST and not any(name.startswith(begun) for name in names)):
            verbs = {local[each] for each in ([begun] if begun in local else local) if each.startswith(begun)}
            return " ".join((*words[:at], verbs.pop(), *words[at + 1 :])) if len(verbs) == 1 else text
        if not any(name.startswith(begun) for name in names):
            return text
    return text


def _names(view: TableView) -> Iterator[str]:
    """Yield the names of seats and things, and the first words of their titles."""
    for seat in view.seats:
        yield from (seat.seat, seat.name.casefold())
    for thing in view.things():
        yield from (thing.target.casefold(), str(thing.title).casefold())
    for counter in view.counters:
        yield str(counter.caption).casefold()
