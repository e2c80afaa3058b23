"""Readings of words as they stand: whole lines of notation, and one word for each prompt.

Each function is one kind of reading, as `line_reading.PRECEDENCE` lists them.
"""

from __future__ import annotations

from typing import Final

from companion.session.core.session import Session
from companion.session.reading.entries import prompts_in_turn, refused_answers
from companion.session.reading.known_names import names_alone
from companion.session.reading.readings import MOST_NAMED, Intention, Readings
from companion.session.reading.table_questions import is_line, seat_prompts
from companion.session.reading.typed_line import TypedLine
from companion.tabletop.action import Action, NotationError
from companion.tabletop.decks.decklist import handle
from companion.tabletop.notation.arguments import HANDLE, HANDLE_OR_SEAT, REF, SEAT, TEXT, write_text
from companion.tabletop.notation.notation import Notation, grammar
from companion.tabletop.table.choices import Open, allows, check_free_text
from companion.tabletop.table.common_actions import Add, Note, Seat, Set
from companion.tabletop.table.table import Draft, Prompt
from companion.tabletop.words import join_with_or
from templates.languages.messages import declared, listed, phrase, phrases

_CHANGE_WORDS: Final = 4
"""Minimum number of words of an `add` or a `set`."""


def read_several_lines(line: TypedLine) -> Readings:
    """Read several whole lines separated by commas, as in the log's messages for redo."""
    texts, notation = line.text.split(", "), line.session.notation
    if len(texts) > 1 and not is_line(notation, line.text) and all(is_line(notation, text) for text in texts):
        return Readings(certain=tuple(map(notation.parse, texts)))
    return Readings()


def read_row_behind_line(line: TypedLine) -> Readings:
    """Read one word for each prompt after the line of the first one: `reveal ana 9c 7c 8d`."""
    prompts = seat_prompts(line.session.view())
    first = f"{prompts[0].line} " if prompts else ""
    if first and line.text.lower().startswith(first) and not is_line(line.session.notation, line.text):
        words = line.text[len(first) :].split()
        return _one_each(words, prompts_in_turn(line.session, words), line.session)
    return Readings()


def read_whole_line(line: TypedLine) -> Readings:
    """Read a whole line that means nothing else."""
    readings = line.find_once(_parse_line)
    return readings if not readings.certain or is_settled(readings.certain, line) else Readings()


def read_row(line: TypedLine) -> Readings:
    """Read one word for each seat that is asked, if that means nothing else: `9c 7c 8d`."""
    readings = line.find_once(_parse_row)
    return readings if not readings.certain or is_settled(readings.certain, line) else Readings()


def read_unsettled_line(line: TypedLine) -> Readings:
    """Read a whole line, or a single answer, that the rules refuse, and that names what the table does not know."""
    actions = line.find_once(_parse_line).certain or line.find_once(_parse_row).certain
    if not actions:
        return Readings()
    question = _unclear_beginning(actions[0], line)
    return Readings(question=question) if question else Readings(refused=actions)


def line_error(line: TypedLine) -> NotationError | None:
    """Return the error in a text that looks like a whole line or a row; None if it is neither."""
    kinds = (read_row_behind_line, _parse_line, _parse_row)
    return next((error for kind in kinds if (error := line.find_once(kind).unreadable)), None)


def _parse_line(line: TypedLine) -> Readings:
    """Parse a whole line. A word that names a seat or a thing is never free text."""
    notation = line.session.notation
    if line.words[0].lower() not in notation.verbs:
        return Readings()
    try:
        actions = _line_with_reason(line, notation)
        for action in actions if '"' not in line.text else ():
            _check_free_texts(action, line)
    except NotationError as error:
        return Readings(unreadable=error)
    return Readings(certain=actions)


def _line_with_reason(line: TypedLine, notation: Notation) -> Intention:
    """Return a line and, if it changes a counter, a note with the words after it."""
    words = line.words
    if words[0].lower() in (Add.verb(), Set.verb()):
        # Neither takes further words, so the shortest part that can be parsed is the change.
        for end in range(_CHANGE_WORDS, len(words)):
            change = " ".join(words[:end])
            if is_line(notation, change):
                return (notation.parse(change), Note(" ".join(words[end:]).strip('"')))
    return (notation.parse(_with_word_for_name(line)),)


def _with_word_for_name(line: TypedLine) -> str:
    """Return the text of a line, in which the quoted name of a new thing stands behind the word that is made from it.

    `put "Gem Scout" ship with 1` becomes `put gem-scout ship name "Gem Scout" with 1`.
    """
    tokens = line.tokens
    action = next((each for each in line.session.game.actions if each.verb() == tokens[0].word), None)
    if action is None or not any(token.is_quoted for token in tokens[1:2]):
        return line.text
    rules = grammar(action)
    named = rules.keywords.get("name")
    is_told = any(token.word == "name" and not token.is_quoted for token in tokens)
    if named is None or named.kind is not TEXT or rules.positional[0].kind is not HANDLE or is_told:
        return line.text
    words = [write_text(token.text) if token.is_quoted else token.text for token in tokens]
    behind = (at for at, token in enumerate(tokens) if not token.is_quoted and token.word in rules.keywords)
    words.insert(next(behind, len(words)), f"name {words[1]}")
    words[1] = handle(tokens[1].text)
    return " ".join(words)


def _check_free_texts(action: Action, line: TypedLine) -> None:
    """Raise NotationError if an unquoted text is the word of a seat or a thing."""
    if type(action) not in line.session.game.actions or isinstance(action, Seat):
        return
    for argument in grammar(type(action)).arguments:
        value = getattr(action, argument.field)
        if argument.kind is TEXT and isinstance(value, str) and value:
            check_free_text(line.session.view(), value, declared(argument.field.rstrip("_")))


def _parse_row(line: TypedLine) -> Readings:
    """Parse one word for each prompt. A single word that is no answer may abbreviate a line."""
    prompts = seat_prompts(line.session.view())
    if line.words[0].lower() in line.session.notation.verbs or not prompts:
        return Readings()
    if prompts[0].wants.startswith(("SEAT", "THING", "TEXT")) or prompts[0].others:
        return Readings()
    return _one_each(line.words, prompts_in_turn(line.session, line.words), line.session)


def _one_each(words: list[str], prompts: tuple[Prompt, ...], session: Session) -> Readings:
    if len(words) > len(prompts):
        if refused := refused_answers(session, prompts, words):
            return Readings(certain=refused)
        # Translators: {words} is such as “3 words”, {players} are those who are asked.
        why = phrases(
            "{words} are too many for {n} question ({players}); write one word each.",
            "{words} are too many for {n} questions ({players}); write one word each.",
            n=len(prompts),
            words=phrases("{n} word", "{n} words", n=len(words)),
            players=listed(prompt.seat for prompt in prompts),
        )
        return Readings(unreadable=NotationError(why))
    try:
        lines = (f"{prompt.line} {word}" for prompt, word in zip(prompts, words, strict=False))
        return Readings(certain=tuple(map(session.notation.parse, lines)))
    except NotationError as error:
        return Readings(unreadable=error)


# Whether a whole line has other readings


def is_settled(actions: Intention, line: TypedLine) -> bool:
    """Return True if whole lines have no other reading: the rules accept them, or they name only known things."""
    action, session = actions[0], line.session
    if len(actions) > 1 or type(action) not in session.game.actions or isinstance(action, Note):
        return True
    if isinstance(action, Set | Add):
        counters = session.view().counters_of(action.target) or ()
        return any(counter.name == action.counter for counter in counters)
    draft = Draft.of(action)
    if _names_creature(draft):
        return False
    return allows(session.game, session.state, draft) or _names_are_known(draft, line)


def _names_creature(draft: Draft) -> bool:
    """Return True if a REF is the name of a creature, which several creatures may share."""
    for argument in grammar(draft.action).arguments:
        value = draft.given.get(argument.field)
        if getattr(argument.kind, "item", argument.kind) is REF and value:
            return any(":" not in each for each in (value if argument.kind.many else (value,)))
    return False


def _names_are_known(draft: Draft, line: TypedLine) -> bool:
    """Return True if every seat and thing that an action names is on the table."""
    session = line.session
    targets = set(session.view().targets())
    for argument in grammar(draft.action).arguments:
        value = draft.given.get(argument.field)
        if argument.kind in (SEAT, HANDLE, HANDLE_OR_SEAT) and value not in (None, "", *targets):
            vocabulary = session.game.vocabulary(session.state, draft, argument.field)
            if not isinstance(vocabulary, Open) and value not in {choice.value for choice in vocabulary}:
                return False
        elif argument.kind is HANDLE and value in targets and _is_made_up(draft, argument.field, line):
            return False  # another copy of a card gets another name
    return True


def _is_made_up(draft: Draft, field: str, line: TypedLine) -> bool:
    return isinstance(line.session.game.vocabulary(line.session.state, draft, field), Open)


def _unclear_beginning(action: Action, line: TypedLine) -> NotationError | None:
    """Return the question about a word that names no seat or thing, but begins the names of several."""
    targets = line.session.view().targets()
    for argument in grammar(type(action)).arguments:
        word = getattr(action, argument.field)
        if argument.kind in (SEAT, HANDLE, HANDLE_OR_SEAT) and isinstance(word, str) and word not in ("", *targets):
            names = names_alone(TypedLine(word, line.session))
            if len(names) > 1:
                named = join_with_or(names[:MOST_NAMED])
                return NotationError(phrase("“{text}” could be {names}; say which.", text=word, names=named))
    return None
