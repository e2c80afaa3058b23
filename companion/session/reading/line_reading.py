"""The meaning of typed words at a table: a whole line, or an abbreviated one. If several lines are possible, ask."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from companion.session.core.session import Session
from companion.session.reading import afterthoughts, figure_reading, short_lines
from companion.session.reading.short_lines import Readings
from companion.session.reading.table_questions import due_prompts, is_line, seat_prompts
from companion.tabletop.action import Action, AmbiguousLine, NotationError, RuleError
from companion.tabletop.notation.arguments import HANDLE, HANDLE_OR_SEAT, REF, SEAT, TEXT, write_text
from companion.tabletop.notation.cards import read_card
from companion.tabletop.notation.notation import Notation, conceal, grammar
from companion.tabletop.table.choices import Open, allows, check_free_text, is_word, known_name, nearly_known
from companion.tabletop.table.common_actions import REVISIONS, Add, Note, Seat, Set, Undo
from companion.tabletop.table.table import Draft, Prompt
from companion.tabletop.text import quote_text

Intention = tuple[Action, ...]
Reader = Callable[[str, Session], Intention | None]
"""One way to read a text. Returns the intention, or None if the text is not of that kind.

Raises NotationError if it is of that kind but makes no sense.
"""

_MOST_NAMED: Final = 6
"""Maximum number of lines named in a question; more are not worth reading."""


def read_line(text: str, session: Session) -> Intention:
    """Return the one intention that typed text stands for: a corrected figure (`ana -7`), or any other reading.

    An intention that the rules refuse is returned only if there is no reading that they accept, so that they can give
    the reason. Raises NotationError if there is no reading, or more than one.
    """
    text = _without_commas(text.strip().removeprefix(":").strip())
    if text.lower() in _UNDO and text.lower() not in session.notation.verbs:
        return (Undo(),)
    if actions := _read_revision(text, session):
        return actions
    return with_lead_in(_read_meaning(text, session), session)


_UNDO: Final = ("u", "un", "und")
"""Abbreviations of `undo`. They mean nothing else at any table, even if other verbs begin with them."""


def _read_meaning(text: str, session: Session) -> Intention:
    """Return the reading of a text that is not a revision, without a lead-in."""
    actions = figure_reading.read_change(text, session, _read_words) or _read_words(text, session)
    actions = tuple(_with_known_names(action, session) for action in actions)
    for action in actions:
        _check_new_names(text, action, session)
    return _one_meaning(text, actions, session)


def with_lead_in(actions: Intention, session: Session) -> Intention:
    """Return an intention of one action after the actions that it implies, such as its payment."""
    if len(actions) != 1 or type(actions[0]) not in session.game.actions:
        return actions
    return (*session.game.lead_in(session.state, actions[0]), *actions)


_REVISION_VERBS: Final = {kind.verb(): kind for kind in REVISIONS}
_REVISION: Final = re.compile(rf"({'|'.join(_REVISION_VERBS)})\s+(\d{{1,9}})\s+(\S.*)", re.IGNORECASE)


def _read_revision(text: str, session: Session) -> Intention:
    """Return the whole line of a revision such as `amend 12 ks`, read on the table before line 12.

    Returns () if the text is not a revision or is already a whole line. Raises NotationError if there is no reading, or
    more than one.
    """
    revision = _REVISION.fullmatch(text)
    if revision is None:
        return ()
    verb, number, rest = revision.groups()
    before = session.before(int(number))
    if is_line(session.notation, text):
        if before is not None:
            _check_new_names(rest, session.notation.parse(rest), before)
        return ()
    if before is None:
        raise NotationError(f"Line {number} holds no action that counts now; look for its number in the log.")
    actions = _read_revision(rest, before) or _read_meaning(rest, before)
    if len(actions) != 1:
        lines = ", ".join(map(session.notation.format, actions))
        raise NotationError(f"“{rest}” is several lines ({lines}); `{verb.lower()}` takes one.")
    return (_REVISION_VERBS[verb.lower()](int(number), actions[0]),)


def _one_meaning(text: str, actions: Intention, session: Session) -> Intention:
    """Return an intention; if a short text leaves a detail open, return the only way to fill it in.

    Raises NotationError if there are several ways.
    """
    if len(actions) != 1 or session.notation.format(actions[0]).lower() == " ".join(text.lower().split()):
        return actions
    meanings = session.game.meanings(session.state, actions[0])
    if len(meanings) == 1:
        return meanings
    accepted = tuple(action for action in meanings if allows(session.game, session.state, Draft.of(action)))
    if len(accepted) > 1:
        raise _which(text, [*map(session.notation.format, accepted)], session)
    return accepted or actions


def _read_words(text: str, session: Session) -> Intention:
    """Read a whole line, one word for each of the first prompts, or an abbreviated line.

    Abbreviated lines are read by `companion.session.reading.short_lines`. Words after a change of a counter become its
    note.
    """
    if not text:
        raise NotationError("There is nothing to enter yet.")
    refused: Intention = ()
    unreadable: NotationError | None = None
    try:
        actions = _parse(text, session)
    except NotationError as error:
        unreadable = error
    else:
        if actions and (len(actions) > 1 or _is_settled(actions[0], session)):
            return actions
        refused = actions
    readings = short_lines.read_short_line(text, session)
    if len(readings.accepted) == 1:
        _check_whose(text, readings, session)
        return readings.accepted
    for action in readings.accepted:
        _check_new_names(text, action, session)
    if readings.accepted:
        raise _which(text, [*map(session.notation.format, readings.accepted)], session)
    if readings.refused:
        in_time = (action for action in readings.refused if afterthoughts.late_entry(action, session))
        return (next(in_time, readings.refused[0]) if len(readings.refused) > 1 else readings.refused[0],)
    if refused:
        _check_beginnings(refused[0], session)
        return refused
    return _read_cards_apart(text, session, unreadable)


def _read_cards_apart(text: str, session: Session, unreadable: NotationError | None) -> Intention:
    """Return the reading of cards typed without spaces or with the suit first, or of suit names.

    Raises NotationError if there is none either.
    """
    apart = _suits_in_letters(_cards_apart(text))
    if apart == text:
        raise _unread(text, session, unreadable)
    try:
        return _read_words(apart, session)
    except AmbiguousLine:
        raise
    except NotationError as error:
        # For cards without spaces, report the error in each; otherwise report the error in the typed text.
        raise (error if apart != _suits_in_letters(text) else _unread(text, session, unreadable)) from None


def _check_whose(text: str, readings: Readings, session: Session) -> None:
    """Raise AmbiguousLine if the words could be a line of the seat that they begin with, which the rules refuse."""
    line = session.notation.format(readings.accepted[0])
    for action in readings.theirs[:1]:
        name = next(seat.name for seat in session.view().seats if seat.seat == getattr(action, "seat", ""))
        try:
            session.preview(action)
        except RuleError as error:
            why = f"where {name} is to do it: {error}"
            raise AmbiguousLine(f"“{text}” could be `{line}`, said whole; {why}", (line,)) from None


def says_whole(text: str, action: Action) -> bool:
    """Return True if a text contains the whole verb of an action."""
    return action.verb() in (word.strip('":').lower() for word in text.split())


def expand(text: str, session: Session) -> str:
    """Return the whole lines that an abbreviated text would enter; "" if it is already whole, or has no effect."""
    try:
        actions = read_line(text, session)
        lines = ", ".join(map(session.notation.format, actions))
        if lines.lower() == " ".join(text.lower().split()):
            return ""
        figure_reading.refuse_no_change(session, actions)
        session.preview(*actions)
    except (NotationError, RuleError):
        return ""
    return ", ".join(session.notation.format(conceal(action)) for action in actions)


def _which(text: str, lines: Sequence[str], session: Session) -> AmbiguousLine:
    """Return the error that several lines could be meant, with the marks that distinguish them."""
    view = session.view()
    marks = ((line, short_lines.distinguish(line, view)) for line in lines[:_MOST_NAMED])
    names = [f"`{line}` ({mark})" if mark else f"`{line}`" for line, mark in marks]
    more = f", or one of {len(lines) - _MOST_NAMED} more" if len(lines) > _MOST_NAMED else ""
    return AmbiguousLine(f"“{text}” could be {' or '.join(names)}{more}; say which.", lines)


def possible_lines(text: str, session: Session) -> tuple[str, ...]:
    """Return the whole lines that an ambiguous text could stand for; empty if it is not ambiguous."""
    try:
        read_line(text, session)
    except AmbiguousLine as error:
        return error.lines
    except (NotationError, RuleError):
        pass
    return ()


def _unread(text: str, session: Session, unreadable: NotationError | None) -> NotationError:
    """Return the reason why words have no reading: their verb belongs to another step, or they have an error."""
    verb = text.split()[0].lower()
    action = next((action for action in session.game.actions if action.verb() == verb), None)
    why = session.game.out_of_step(session.state, action) if action else ""
    if why:
        return NotationError(why)
    if action and (advice := _in_quotes(text, action, session) or _too_many(text, session)):
        return NotationError(advice)
    if unreadable is not None:
        return _still_unsaid(text, action, session) or unreadable
    if names := short_lines.names_alone(text, session):
        word = text.split()[0]
        return NotationError(f"“{word}” names {' or '.join(names[:3])}; say first what is done.")
    try:
        session.notation.parse(text)
    except NotationError as error:
        return _names_no_card(text, error, session) or error
    return NotationError(f"“{text}” says nothing that can be done now.")


def _names_no_card(text: str, unreadable: NotationError, session: Session) -> NotationError | None:
    """Return the error that a word names nothing that the table can draw, or None if no prompt asks for a draw."""
    is_drawn_by_table = any(prompt.lists_values for prompt in due_prompts(session.view())[:1])
    if not is_drawn_by_table or len(text.split()) > 1:
        return None
    return NotationError(f"Nothing that can come now is called “{text}”. {unreadable}")


def _in_quotes(text: str, action: type[Action], session: Session) -> str:
    """Return the hint to quote an unlisted name; "" if the last word is not such a name."""
    last = next((word for word in reversed(text.split()) if not word.isdecimal()), text.split()[-1])
    at_table = {word for seat in session.view().seats for word in (seat.seat, seat.name.lower())}
    takes_text = any(argument.kind is TEXT for argument in grammar(action).arguments)
    if not takes_text or '"' in last or last.lower() in at_table or last.lower() == action.verb():
        return ""
    return f'“{last}” names nothing here; a name that nobody has listed is written in quotes, as "{last}".'


_MOST_WORDS: Final = 8
"""Maximum number of words in a line that is searched for a superfluous word."""


def _too_many(text: str, session: Session) -> str:
    """Return the hint that a word is superfluous because the words before it are a line; "" if they are not."""
    words = text.split()
    if '"' in text or len(words) > _MOST_WORDS:
        return ""
    for end in range(len(words) - 1, 0, -1):
        readings = short_lines.read_short_line(" ".join(words[:end]), session)
        for action in (*readings.accepted, *readings.refused)[:1]:
            line = session.notation.format(action)
            return f"{quote_text(words[end])} is one word too many: nothing of that kind stands behind `{line}`."
    return ""


def _still_unsaid(text: str, action: type[Action] | None, session: Session) -> NotationError | None:
    """Return the error for a line completed with the values of a due prompt; None if no prompt asks for the line."""
    words, answers = text.split()[1:], (answer for prompt in due_prompts(session.view()) for answer in prompt.answers)
    lines = [answer.line for answer in answers if answer.action is action and answer.missing]
    if not lines:
        return None
    # Of several lines, choose the one that already has most of these words.
    left, line = min(
        (([word for word in words if word not in line.split()], line) for line in lines), key=lambda pair: len(pair[0])
    )
    try:
        session.notation.parse(" ".join((line, *left)))
    except NotationError as error:
        return error
    return None


def _is_settled(action: Action, session: Session) -> bool:
    """Return True if a whole line has no other reading: the rules accept it, or it names only things on the table."""
    if type(action) not in session.game.actions or isinstance(action, Note):
        return True
    if isinstance(action, Set | Add):
        counters = session.view().counters_of(action.target) or ()
        return any(counter.name == action.counter for counter in counters)
    draft = Draft.of(action)
    if _names_creature(draft):
        return False
    return allows(session.game, session.state, draft) or _names_are_known(draft, session)


def _names_creature(draft: Draft) -> bool:
    """Return True if a REF is the name of a creature, which several creatures may share."""
    for argument in grammar(draft.action).arguments:
        value = draft.given.get(argument.field)
        if getattr(argument.kind, "item", argument.kind) is REF and value:
            return any(":" not in each for each in (value if argument.kind.many else (value,)))
    return False


def _check_beginnings(action: Action, session: Session) -> None:
    """Raise NotationError if a word names no seat or thing, but begins the names of several."""
    view = session.view()
    for argument in grammar(type(action)).arguments:
        word = getattr(action, argument.field)
        if (
            argument.kind in (SEAT, HANDLE, HANDLE_OR_SEAT)
            and isinstance(word, str)
            and word not in ("", *view.targets())
        ):
            names = short_lines.names_alone(word, session)
            if len(names) > 1:
                raise NotationError(f"“{word}” could be {' or '.join(names[:_MOST_NAMED])}; say which.")


def _names_are_known(draft: Draft, session: Session) -> bool:
    """Return True if every seat and thing that an action names is on the table."""
    targets = set(session.view().targets())
    for argument in grammar(draft.action).arguments:
        value = draft.given.get(argument.field)
        if argument.kind in (SEAT, HANDLE, HANDLE_OR_SEAT) and value not in (None, "", *targets):
            vocabulary = session.game.vocabulary(session.state, draft, argument.field)
            if not isinstance(vocabulary, Open) and value not in {choice.value for choice in vocabulary}:
                return False
        elif argument.kind is HANDLE and value in targets and _is_made_up(draft, argument.field, session):
            return False  # another copy of a card gets another name
    return True


def _is_made_up(draft: Draft, field: str, session: Session) -> bool:
    return isinstance(session.game.vocabulary(session.state, draft, field), Open)


_CARDS: Final = re.compile(r"\S+?(?:\s*,\s*\S+?)+(?=\s|$)")


def _without_commas(text: str) -> str:
    """Return a text without commas between cards, as the log writes several: `9s, qh,6c`."""
    return _CARDS.sub(_cards, text) if "," in text and '"' not in text else text


def _cards(row: re.Match[str]) -> str:
    """Return comma-separated words without their commas if all of them are cards."""
    cards = [word for word in re.split(r"[\s,]+", row[0]) if word]
    try:
        for card in cards:
            read_card(card)
    except NotationError:
        return row[0]
    return " ".join(cards)


_SUIT_FIRST: Final = re.compile(r"(?<!\S)([shcd♠♥♣♦])(10|[2-9tjqka])(?!\S)", re.IGNORECASE)
_SUIT_NAMED: Final = re.compile(r"(?<=\bas )(spade|heart|club|diamond)s?(?!\S)", re.IGNORECASE)


def _suits_in_letters(text: str) -> str:
    """Return a text with each suit after its rank, and suit names as letters: `h10` is `10h`, `as spade` is `as s`."""
    if '"' in text:
        return text
    return _SUIT_NAMED.sub(lambda name: name[1][0], _SUIT_FIRST.sub(r"\2\1", text))


_CARDS_TOGETHER: Final = re.compile(r"(?<!\S)(?:(?:10|[2-9tjqka])[shcd]|[br]j){2,}(?!\S)", re.IGNORECASE)
_ONE_CARD: Final = re.compile(r"(?:10|[2-9tjqka])[shcd]|[br]j", re.IGNORECASE)


def _cards_apart(text: str) -> str:
    """Separate cards that are typed without spaces, in a text without another reading: `9sqh6c` is `9s qh 6c`."""
    if '"' in text:
        return text
    return _CARDS_TOGETHER.sub(lambda cards: " ".join(_ONE_CARD.findall(cards[0])), text)


# Readings of words as they stand


def _parse(text: str, session: Session) -> Intention:
    """Return the result of the first reader that accepts a text, or () if none does."""
    readings = (read(text, session) for read in _READERS)
    return next((reading for reading in readings if reading is not None), ())


def _read_lines(text: str, session: Session) -> Intention | None:
    """Read several whole lines separated by commas, as in the log's messages for redo."""
    lines, notation = text.split(", "), session.notation
    if len(lines) > 1 and not is_line(notation, text) and all(is_line(notation, line) for line in lines):
        return tuple(notation.parse(line) for line in lines)
    return None


def _read_row_behind_line(text: str, session: Session) -> Intention | None:
    """Read one word for each prompt after the line of the first one: `reveal ana 9c 7c 8d`."""
    prompts = seat_prompts(session.view())
    line = f"{prompts[0].line} " if prompts else ""
    if line and text.lower().startswith(line) and not is_line(session.notation, text):
        rest = text[len(line) :].split()
        return _one_each(rest, prompts, session.notation) if rest else None
    return None


def _read_verb(text: str, session: Session) -> Intention | None:
    """Read a whole line. A word that names a seat or a thing is never free text."""
    words, notation = text.split(), session.notation
    if words[0].lower() not in notation.verbs:
        return None
    actions = _line_with_reason(text, words, notation)
    if '"' not in text:
        for action in actions:
            _check_free_texts(action, session)
    return actions


def _check_free_texts(action: Action, session: Session) -> None:
    """Raise NotationError if an unquoted text is the word of a seat or a thing."""
    if type(action) not in session.game.actions or isinstance(action, Seat):
        return
    for argument in grammar(type(action)).arguments:
        value = getattr(action, argument.field)
        if argument.kind is TEXT and isinstance(value, str) and value:
            check_free_text(session.view(), value, argument.field.rstrip("_"))


def _check_new_names(text: str, action: Action, session: Session) -> None:
    """Raise AmbiguousLine if an unquoted word became a new name but is close to a known one.

    The user then chooses the known one or quotes the new name. A thing with figures of its own is not a card of a list,
    so it is not checked.
    """
    if type(action) not in session.game.actions or isinstance(action, (Seat, Note)):
        return
    draft, arguments, tokens = Draft.of(action), grammar(type(action)).arguments, short_lines.tokens_of(text)
    for number, argument in enumerate(arguments):
        value = draft.given[argument.field]
        if argument.kind not in (TEXT, HANDLE) or not isinstance(value, str):
            continue
        at = next((n for n, token in enumerate(tokens) if not token.is_quoted and token.word == value.lower()), 0)
        listed = session.game.known_fields(session.state, type(action), draft.given)
        unsaid = {**{each.field: each.default for each in arguments}, **listed}
        behind = (each for each in arguments[number + 1 :] if draft.given[each.field] != unsaid[each.field])
        own = (each for each in behind if each.on_card or not each.keyword)
        if not at or any(any(each.kind.figures(draft.given[each.field])) for each in own):
            continue
        near = nearly_known(session.game, session.state, value) if _is_made_up(draft, argument.field, session) else ()
        if near and allows(session.game, session.state, draft):
            raise _new_or_known(text, action, argument.field, at, near, session)


def _with_known_names(action: Action, session: Session) -> Action:
    """Return an action with card names as in their list, however they are spelled: `iron-grip` is Iron Grip."""
    if type(action) not in session.game.actions or isinstance(action, (Seat, Note)):
        return action
    for argument in grammar(type(action)).arguments:
        value = getattr(action, argument.field)
        if argument.kind is TEXT and isinstance(value, str) and value:
            name = known_name(session.game, session.state, Draft.of(action), argument.field, value)
            action = msgspec.structs.replace(action, **{argument.field: name})
    return action


def _new_or_known(
    text: str, action: Action, field: str, at: int, near: Sequence[str], session: Session
) -> AmbiguousLine:
    """Return the error that a word is close to a known name; in quotes, it would be a new name."""
    tokens = short_lines.tokens_of(text)
    word, line = tokens[at].text, session.notation.format(action)
    quoted_line = " ".join(write_text(each) if each.lower() == word.lower() else each for each in line.split())
    candidates = session.game.vocabulary(session.state, Draft.of(action), field)
    assert isinstance(candidates, Open)
    fitting = [choice.value for choice in (*candidates.fitting, *candidates.unfit)]
    names = [name for name in near if name in fitting]
    lines = dict.fromkeys(line for name in names for line in _with_name(tokens, at, name, session))
    if lines:
        return _which(text, (*lines, quoted_line), session)
    is_near = f"“{word}” could be {' or '.join(near[:_MOST_NAMED])}, and that does not fit here"
    return AmbiguousLine(f"{is_near}; a new name that is so near stands in quotes: `{quoted_line}`.", (quoted_line,))


def _with_name(tokens: Sequence[short_lines.TypedWord], at: int, name: str, session: Session) -> tuple[str, ...]:
    """Return the lines that the words stand for with another name at one position; () if there are none."""
    words = [write_text(token.text) if token.is_quoted else token.text for token in tokens]
    words[at] = name if is_word(name) else write_text(name)
    text = " ".join(words)
    try:
        actions = read_line(text, session)
        session.preview(*actions)
    except AmbiguousLine as error:
        return error.lines
    except (NotationError, RuleError):
        return ()
    # Without the lead-in.
    return (session.notation.format(actions[-1]),)


def _read_row(text: str, session: Session) -> Intention | None:
    """Read one word for each seat that is asked: `9c 7c 8d`. A single word that is no answer may abbreviate a line."""
    prompts = seat_prompts(session.view())
    if not prompts or prompts[0].wants.startswith(("SEAT", "THING", "TEXT")) or prompts[0].others:
        return None
    return _one_each(text.split(), prompts, session.notation)


_READERS: Final[tuple[Reader, ...]] = (_read_lines, _read_row_behind_line, _read_verb, _read_row)
"""The readers in order. After them, `short_lines` looks for abbreviated lines."""


_CHANGE_WORDS = 4
"""Minimum number of words of an `add` or a `set`."""


def _line_with_reason(text: str, words: list[str], notation: Notation) -> Intention:
    """Return a line and, if it changes a counter, a note with the words after it."""
    if words[0].lower() in (Add.verb(), Set.verb()):
        # Neither takes further words, so the shortest part that can be parsed is the change.
        for end in range(_CHANGE_WORDS, len(words)):
            line = " ".join(words[:end])
            if is_line(notation, line):
                return (notation.parse(line), *_reason(" ".join(words[end:])))
    return (notation.parse(text),)


def _reason(text: str | None) -> tuple[Note, ...]:
    return (Note(text.strip('"')),) if text else ()


def _one_each(words: list[str], prompts: tuple[Prompt, ...], notation: Notation) -> tuple[Action, ...]:
    if len(words) > len(prompts):
        names = ", ".join(prompt.seat for prompt in prompts)
        questions = "1 question" if len(prompts) == 1 else f"{len(prompts)} questions"
        raise NotationError(f"{len(words)} words answer {questions} ({names}); leave out what is too many.")
    return tuple(notation.parse(f"{prompt.line} {word}") for prompt, word in zip(prompts, words, strict=False))
