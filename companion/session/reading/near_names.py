"""Names in a line that are known to the table: spelled as in their list, or nearly matched by a new name."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from companion.session.core.session import Session
from companion.session.reading.typed_line import TypedLine
from companion.tabletop.action import Action
from companion.tabletop.notation.arguments import COUNTER, HANDLE, HANDLE_OR_SEAT, SEAT, TARGET, TEXT, write_text
from companion.tabletop.notation.naming import Name, best_named
from companion.tabletop.notation.notation import grammar
from companion.tabletop.table.choices import Open, allows, is_word, known_name, nearly_known
from companion.tabletop.table.common_actions import Note, Seat
from companion.tabletop.table.table import Draft
from templates.languages.messages import current_language


class NearName(msgspec.Struct, frozen=True):
    """A new name that is close to known ones.

    `word` was typed, and `names` are the known names. `quoted_line` is the line with the new name in quotes, `texts`
    what would have been typed for each known name that fits.
    """

    word: str
    names: tuple[str, ...]
    quoted_line: str
    texts: tuple[str, ...]


def with_known_names(action: Action, session: Session) -> Action:
    """Return an action with names as in their lists, however they are spelled: `iron-grip` is Iron Grip.

    In other languages than English, a title stands for its word of notation: `scharf` is `sharp`.
    """
    if type(action) not in session.game.actions or isinstance(action, (Seat, Note)):
        return action
    has_titles = current_language().catalogue is not None
    before: dict[str, Any] = {}
    for argument in grammar(type(action)).arguments:
        name = value = getattr(action, argument.field)
        if isinstance(value, str) and value:
            if argument.kind is TEXT:
                name = known_name(session.game, session.state, Draft.of(action), argument.field, value)
            elif has_titles and argument.kind not in _ON_TABLE:
                name = _word_of_title(session, Draft(type(action), before), argument.field, value)
        if name != value:
            action = msgspec.structs.replace(action, **{argument.field: name})
        before = {**before, argument.field: name}
    return action


_ON_TABLE: Final = (SEAT, HANDLE, HANDLE_OR_SEAT, TARGET, COUNTER)
"""Kinds of arguments that name what is on the table; their words were matched with its titles already."""
_LEAST: Final = 3
"""The fewest letters of an abbreviated title."""


def _word_of_title(session: Session, draft: Draft, field: str, text: str) -> str:
    """Return the word of notation whose title a text is, or alone begins with it; else the text unchanged.

    `draft` has the fields before this one.
    """
    try:
        candidates = session.game.vocabulary(session.state, draft, field)
    except LookupError:
        return text
    if isinstance(candidates, Open):
        return text
    names = [Name(choice.value, str(choice.title)) for choice in candidates if isinstance(choice.value, str)]
    if any(name.value.lower() == text.lower() for name in names):
        return text
    words = best_named(names, text, whole=len(text) < _LEAST)
    return words[0] if len(words) == 1 else text


def find_near_name(line: TypedLine, action: Action) -> NearName | None:
    """Return the first unquoted word that became a new name but is close to a known one; None if there is none.

    A thing with figures of its own is not a card of a list, so it is not looked at.
    """
    session = line.session
    if type(action) not in session.game.actions or isinstance(action, (Seat, Note)):
        return None
    draft, arguments = Draft.of(action), grammar(type(action)).arguments
    for number, argument in enumerate(arguments):
        value = draft.given[argument.field]
        if argument.kind not in (TEXT, HANDLE) or not isinstance(value, str):
            continue
        words = enumerate(line.tokens)
        at = next((n for n, token in words if not token.is_quoted and token.word == value.lower()), 0)
        listed = session.game.known_fields(session.state, type(action), draft.given)
        unsaid = {**{each.field: each.default for each in arguments}, **listed}
        behind = (each for each in arguments[number + 1 :] if draft.given[each.field] != unsaid[each.field])
        own = (each for each in behind if each.on_card or not each.keyword)
        if not at or any(any(each.kind.figures(draft.given[each.field])) for each in own):
            continue
        candidates = session.game.vocabulary(session.state, draft, argument.field)
        near = nearly_known(session.game, session.state, value) if isinstance(candidates, Open) else ()
        if near and isinstance(candidates, Open) and allows(session.game, session.state, draft):
            fitting = [choice.value for choice in (*candidates.fitting, *candidates.unfit)]
            texts = tuple(_with_name(line, at, name) for name in near if name in fitting)
            return NearName(line.tokens[at].text, near, _with_quotes(line, at, action), texts)
    return None


def _with_quotes(line: TypedLine, at: int, action: Action) -> str:
    """Return the line of an action with the word at one position in quotes."""
    new = line.tokens[at].word
    words = line.session.notation.format(action).split()
    return " ".join(write_text(word) if word.lower() == new else word for word in words)


def _with_name(line: TypedLine, at: int, name: str) -> str:
    """Return the text of a line with another name at one position."""
    words = [write_text(token.text) if token.is_quoted else token.text for token in line.tokens]
    words[at] = name if is_word(name) else write_text(name)
    return " ".join(words)
