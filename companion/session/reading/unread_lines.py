"""The reason why a typed line has no reading, and the way out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from companion.session.core.session import Session
from companion.session.reading.known_names import KnownNames, names_alone
from companion.session.reading.table_questions import due_prompts
from companion.session.reading.typed_line import TypedLine
from companion.session.reading.whole_lines import line_error
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.notation.arguments import HANDLE, TEXT, read_name
from companion.tabletop.notation.notation import Argument, grammar
from companion.tabletop.table.choices import Open, accepts
from companion.tabletop.table.table import Draft
from companion.tabletop.words import join_with_or
from templates.languages.messages import Text, joined, phrase

_MOST_NAMED: Final = 3
"""Maximum number of names that a word stands for, in a message."""
_MOST_WORDS: Final = 8
"""Maximum number of words in a line that is searched for a superfluous word."""


def verb_of(line: TypedLine) -> type[Action] | None:
    """Return the line of the game whose verb is the first word."""
    verb = line.words[0].lower()
    return next((action for action in line.session.game.actions if action.verb() == verb), None)


def shorter_lines(line: TypedLine) -> Iterator[tuple[TypedLine, str]]:
    """Yield a line without its last words, the longest part first, each with the first word that it lacks."""
    words = line.words
    if '"' not in line.text and len(words) <= _MOST_WORDS:
        for end in range(len(words) - 1, 0, -1):
            yield TypedLine(" ".join(words[:end]), line.session), words[end]


def explain_unknown_name(line: TypedLine, action: Action, word: str) -> Text:
    """Return the reason why a word behind a line names nothing that the line could be done with; "" if there is none.

    `action` is what the line stands for without the word: it has a thing that nobody named.
    """
    session, words = line.session, {token.word for token in line.tokens}
    if names_alone(TypedLine(word, session)) or not _is_name(word):
        return ""
    for argument in grammar(type(action)).arguments:
        if argument.kind is HANDLE and getattr(action, argument.field) not in (None, *words):
            try:
                session.preview(msgspec.structs.replace(action, **{argument.field: word.lower()}))
            except RuleError as error:
                return error.message
    return ""


def explain_step(line: TypedLine) -> Text:
    """Return the reason why the verb of a line belongs to another step; "" if it does not."""
    action = verb_of(line)
    return line.session.game.out_of_step(line.session.state, action) if action else ""


def explain_impossible(line: TypedLine) -> Text:
    """Return the reason why nothing can be done now with the verb of a line; "" if something can, or if it is unclear.

    It is that the line needs a thing and there is none or, if the verb stands alone, what the rules say of it.
    """
    action, session = verb_of(line), line.session
    if action is None:
        return ""
    acting = KnownNames.at(line).active_seat
    whole: Draft | None = Draft(action)
    while whole is not None and whole.missing:
        argument = whole.missing[0]
        values = _some_values(session, whole, argument, acting)
        if argument.kind is HANDLE and not argument.keyword and values == ():
            return phrase("There is nothing yet that `{verb}` could be done with.", verb=action.verb())
        whole = whole.having(argument.field, values[0]) if values else None
    if whole is None or len(line.words) > 1 or accepts(session.game, session.state, Draft(action)):
        return ""
    try:
        session.preview(whole.build())
    except RuleError as error:
        return error.message
    return ""


def _some_values(session: Session, draft: Draft, argument: Argument, acting: str) -> tuple[Any, ...] | None:
    """Return values that a word in a field can name, the best guess first; None if an earlier field must be known.

    It is the acting seat in the first field, and another one in others.
    """
    try:
        candidates = session.game.vocabulary(session.state, draft, argument.field)
        if isinstance(candidates, Open):
            return (candidates.example,)
        values = [choice.value for choice in candidates]
    except LookupError:
        return None
    is_actor = argument == grammar(draft.action).arguments[0]
    return tuple(sorted(values, key=lambda value: (value == acting) != is_actor))


def advise_quotes(line: TypedLine) -> Text:
    """Return the hint to quote an unlisted name; "" if the last word is not such a name."""
    action = verb_of(line)
    if action is None:
        return ""
    last = next((word for word in reversed(line.words) if not word.isdecimal()), line.words[-1])
    at_table = {word for seat in line.session.view().seats for word in (seat.seat, seat.name.lower())}
    takes_text = any(argument.kind is TEXT for argument in grammar(action).arguments)
    is_known = last.lower() in (action.verb(), *grammar(action).keywords, *at_table)
    if not takes_text or '"' in line.text or is_known:
        return ""
    return phrase(
        '“{word}” names nothing here; to use a name that is not listed, put it in quotes: "{word}".', word=last
    )


def explain_words(line: TypedLine) -> NotationError:
    """Return the error in the words of a line that has no reading."""
    unreadable = line_error(line)
    if unreadable is not None:
        return _still_unsaid(line) or unreadable
    if names := names_alone(line):
        named = join_with_or(names[:_MOST_NAMED])
        return NotationError(phrase("“{word}” is {names}; begin with what is done.", word=line.words[0], names=named))
    try:
        line.session.notation.parse(line.text)
    except NotationError as error:
        return _names_no_card(line.text, error, line.session) or error
    return NotationError(phrase("“{text}” is nothing that can be done now.", text=line.text))


def _names_no_card(text: str, unreadable: NotationError, session: Session) -> NotationError | None:
    """Return the error that a word names nothing that the table can draw, or None if no prompt asks for a draw."""
    is_drawn_by_table = any(prompt.lists_values for prompt in due_prompts(session.view())[:1])
    if not is_drawn_by_table or len(text.split()) > 1:
        return None
    why = phrase("Nothing that can come now is called “{word}”.", word=text)
    return NotationError(joined(" ", (why, unreadable.message)))


def _still_unsaid(line: TypedLine) -> NotationError | None:
    """Return the error for a line completed with the values of a due prompt; None if no prompt asks for the line."""
    action, words = verb_of(line), line.words[1:]
    answers = (answer for prompt in due_prompts(line.session.view()) for answer in prompt.answers)
    asked_lines = [answer.line for answer in answers if answer.action is action and answer.missing]
    if not asked_lines:
        return None
    # Of several lines, choose the one that already has most of these words.
    left, asked_line = min(
        (([word for word in words if word not in asked_line.split()], asked_line) for asked_line in asked_lines),
        key=lambda pair: len(pair[0]),
    )
    try:
        line.session.notation.parse(" ".join((asked_line, *left)))
    except NotationError as error:
        return error
    return None


def _is_name(word: str) -> bool:
    """Return True if a thing could have a word as its name."""
    try:
        read_name(word)
    except NotationError:
        return False
    return True
