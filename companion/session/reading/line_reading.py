"""The meaning of a typed text at a table, in four stages: tokenize, match, complete, confirm.

`tokenize` makes a `TypedLine` of the text. `match_kinds` returns its `Readings` of the kind that `PRECEDENCE` puts
first. `complete_readings` makes them one `Meaning`, with names as in their lists and details filled in.
`confirm_meaning` returns its actions, or asks if something else may be meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import chain, groupby
from typing import Final

import msgspec

from companion.session.core.session import Session
from companion.session.reading import (
    afterthoughts,
    begun_lines,
    entries,
    figure_reading,
    short_lines,
    unread_lines,
    whole_lines,
)
from companion.session.reading.local_words import write_verbs
from companion.session.reading.near_names import find_near_name, with_known_names
from companion.session.reading.readings import MOST_NAMED, Intention, Readings, ask_which, join_readings, unlike_actions
from companion.session.reading.table_questions import is_line
from companion.session.reading.typed_line import TypedLine, separate_cards, tokenize, write_suits_last
from companion.tabletop.action import Action, AmbiguousLine, NotationError, RuleError
from companion.tabletop.notation.notation import conceal
from companion.tabletop.table.choices import allows
from companion.tabletop.table.common_actions import REVISIONS, Undo
from companion.tabletop.table.table import Draft
from companion.tabletop.text import in_quotes
from companion.tabletop.words import join_with_or
from templates.languages.messages import Text, phrase


def read_line(text: str, session: Session) -> Intention:
    """Return the one intention that typed text stands for: a corrected figure (`ana -7`), or any other reading.

    An intention that the rules refuse is returned only if there is no reading that they accept, so that they can give
    the reason. Raises NotationError if there is no reading, or more than one.
    """
    line = tokenize(text, session)
    try:
        return with_lead_in(_read_meaning(line, PRECEDENCE), session)
    except AmbiguousLine:
        raise
    except NotationError:
        # An abbreviation of a local verb counts only where the words mean nothing else.
        spelled_out = write_verbs(line.text, session, is_abbreviated=True)
        if spelled_out == line.text:
            raise
    return with_lead_in(_read_meaning(TypedLine(spelled_out, session), PRECEDENCE), session)


def _read_meaning(line: TypedLine, kinds: Kinds) -> Intention:
    """Return the intention that a line stands for, by some of the kinds of readings."""
    return confirm_meaning(line, complete_readings(line, match_kinds(line, kinds)))


def with_lead_in(actions: Intention, session: Session) -> Intention:
    """Return an intention of one action after the actions that it implies, such as its payment."""
    if len(actions) != 1 or type(actions[0]) not in session.game.actions:
        return actions
    return (*session.game.lead_in(session.state, actions[0]), *actions)


def expand(text: str, session: Session) -> str:
    """Return the whole lines that an abbreviated text would enter; "" if it is already whole, or has no effect."""
    try:
        actions = read_line(text, session)
        if TypedLine(text, session).is_written_as(", ".join(map(session.notation.format, actions))):
            return ""
        figure_reading.refuse_no_change(session, actions)
        session.preview(*actions)
    except (NotationError, RuleError):
        return ""
    return ", ".join(session.notation.format(conceal(action)) for action in actions)


def possible_lines(text: str, session: Session) -> tuple[str, ...]:
    """Return the whole lines that an ambiguous text could stand for; empty if it is not ambiguous."""
    try:
        read_line(text, session)
    except AmbiguousLine as error:
        return error.lines
    except (NotationError, RuleError):
        pass
    return ()


def says_whole(text: str, action: Action) -> bool:
    """Return True if a text contains the whole verb of an action."""
    return action.verb() in (word.strip('":').lower() for word in text.split())


# Match


Finder = Callable[[TypedLine], Readings]


class ReadingKind(msgspec.Struct, frozen=True):
    """One kind of reading.

    `find` returns the readings of this kind, or none; `example` is a line that has one. A reading wins over those of
    kinds with a higher `rank`, unless one of the kinds that it `yields_to` has a reading, or `weigh` compares it with
    what the kinds of a higher rank read instead.

    The user is asked if kinds of the same rank accept different actions, if a kind that this one `asks_against` accepts
    another one, or if one of the `doubts` shows what else the only accepted action may mean.
    """

    rank: int
    name: str
    example: str
    find: Finder
    yields_to: tuple[Finder, ...] = ()
    asks_against: tuple[Finder, ...] = ()
    doubts: tuple[Callable[[TypedLine, Action], Readings], ...] = ()
    weigh: Callable[[TypedLine, Intention | NotationError], Readings] | None = None

    def applies_to(self, line: TypedLine) -> bool:
        """Return True if a line has a reading of this kind, and of none that it yields to."""
        return bool(line.find_once(self.find)) and not any(line.find_once(find) for find in self.yields_to)


Kinds = tuple[ReadingKind, ...]


def match_kinds(line: TypedLine, kinds: Kinds) -> Readings:
    """Return the readings of the kinds of the first rank that has any."""
    for rank, of_rank in groupby(kinds, lambda kind: kind.rank):
        matching = [kind for kind in of_rank if kind.applies_to(line)]
        for kind in matching:
            if kind.weigh is not None:
                below = tuple(each for each in kinds if each.rank > rank)
                return kind.weigh(line, _read_actions(line, below))
        if matching:
            return _doubt(line, matching, _join(line, matching))
    return Readings()


def _join(line: TypedLine, kinds: Iterable[ReadingKind]) -> Readings:
    """Return the readings of kinds of one rank, after the accepted actions of the kinds that they ask against."""
    against = (line.find_once(find).accepted for kind in kinds for find in kind.asks_against)
    readings = (line.find_once(kind.find) for kind in kinds)
    return join_readings((*map(Readings, against), *readings), line.session)


def _doubt(line: TypedLine, kinds: Iterable[ReadingKind], readings: Readings) -> Readings:
    """Return readings with the doubts about the only accepted action, if all kinds that found it have doubts."""
    doubts = [kind.doubts for kind in kinds if line.find_once(kind.find).accepted]
    if len(readings.accepted) != 1 or not doubts or not all(doubts):
        return readings
    (action,) = readings.accepted
    doubtful = [find(line, action) for find in dict.fromkeys(chain.from_iterable(doubts))]
    accepted = unlike_actions((action, *(other for each in doubtful for other in each.accepted)), line.session)
    question = next((each.question for each in doubtful if each.question), None)
    return msgspec.structs.replace(readings, accepted=accepted, question=question)


def _read_actions(line: TypedLine, kinds: Kinds) -> Intention | NotationError:
    """Return the actions that a line stands for by some kinds of readings, or the reason why there are none."""
    try:
        return choose(line, match_kinds(line, kinds))
    except NotationError as error:
        return error


def choose(line: TypedLine, readings: Readings) -> Intention:
    """Return the actions of the only reading; of refused ones, the first that can be entered in time.

    Raises NotationError if the user must be asked.
    """
    if readings.certain:
        return readings.certain
    if len(readings.accepted) > 1:
        for action in readings.accepted:
            _check_new_names(line, action)
        raise ask_which(line.text, [*map(line.session.notation.format, readings.accepted)], line.session)
    if readings.question:
        raise readings.question
    if readings.accepted or len(readings.refused) == 1:
        return readings.accepted or readings.refused
    in_time = (action for action in readings.refused if afterthoughts.late_entry(action, line.session))
    return (next(in_time, readings.refused[0]),)


# Kinds that read another text by the same table


_BEGUN_UNDO: Final = ("u", "un", "und")
"""Abbreviations of `undo`. They mean nothing else at any table, even if other verbs begin with them."""


def _read_begun_undo(line: TypedLine) -> Readings:
    word = line.text.lower()
    is_undo = word in _BEGUN_UNDO and word not in line.session.notation.verbs
    return Readings(certain=(Undo(),)) if is_undo else Readings()


_REVISION_VERBS: Final = {kind.verb(): kind for kind in REVISIONS}
_REVISION: Final = re.compile(rf"({'|'.join(_REVISION_VERBS)})\s+(\d{{1,9}})\s+(\S.*)", re.IGNORECASE)


def _read_revision(line: TypedLine) -> Readings:
    """Read a revision that is no whole line, such as `amend 12 ks`, on the table before line 12.

    Raises NotationError if there is no reading, or more than one.
    """
    revision, session = _REVISION.fullmatch(line.text), line.session
    if revision is None:
        return Readings()
    verb, number, rest = revision.groups()
    before = session.before(int(number))
    if is_line(session.notation, line.text):
        if before is not None:
            _check_new_names(TypedLine(rest, before), session.notation.parse(rest))
        return Readings()
    if before is None:
        raise NotationError(
            phrase("Line {number} has no action that counts now; look up its number in the log.", number=number)
        )
    actions = _read_meaning(TypedLine(rest, before), _kinds("revision"))
    if len(actions) != 1:
        lines = ", ".join(map(session.notation.format, actions))
        raise NotationError(
            phrase(
                "“{text}” is several lines ({lines}); `{verb}` takes one.", text=rest, lines=lines, verb=verb.lower()
            )
        )
    return Readings(certain=(_REVISION_VERBS[verb.lower()](int(number), actions[0]),))


def _weigh_change_named_like_verb(line: TypedLine, rest: Intention | NotationError) -> Readings:
    """Ask about a figure with the name of a verb if the line is none of that verb: only `set` and `add` correct it."""
    if isinstance(rest, AmbiguousLine) or not isinstance(rest, NotationError):
        return Readings.of(rest)
    session, changes = line.session, line.find_once(figure_reading.find_changes)
    verb = next(word for word in (*(change.called for change in changes), changes[0].counter) if word)
    figures = [session.notation.format(change.actions[0]) for change in changes]
    for text in (f"{verb} {changes[0].target} {changes[0].number}", f"{verb} {changes[0].target}"):
        readings = match_kinds(TypedLine(text, session), _ABBREVIATIONS)
        figures += map(session.notation.format, readings.accepted)
    lines = tuple(dict.fromkeys(figures))
    if len(lines) > 1:
        named = join_with_or(f"`{each}`" for each in lines[:MOST_NAMED])
        why = phrase("“{text}” could be {lines}; say which.", text=line.text, lines=named)
    else:
        why = phrase(
            "“{text}” is not a line of `{verb}`; `{line}` corrects the figure.",
            text=line.text,
            verb=verb,
            line=lines[0],
        )
    return Readings(question=AmbiguousLine(why, lines))


def _read_cards_apart(line: TypedLine) -> Readings:
    """Read cards typed without spaces or with the suit first, and suit names: `9sqh6c`, `h10`, `as spade`."""
    apart = write_suits_last(separate_cards(line.text))
    if apart == line.text:
        return Readings()
    outcome = _read_actions(TypedLine(apart, line.session), _kinds("several lines"))
    is_unread = isinstance(outcome, NotationError) and not isinstance(outcome, AmbiguousLine)
    if is_unread and apart == write_suits_last(line.text):
        return Readings()  # for cards without spaces, report the error in each; otherwise that in the typed text
    return Readings.of(outcome)


def _explain_unread(line: TypedLine) -> Readings:
    """Return the reason why words have no reading: their verb cannot be done now, or they have an error."""
    advice = unread_lines.explain_step(line) or unread_lines.explain_impossible(line)
    if not advice and (missing := begun_lines.ask_for_missing(line)) is not None:
        return Readings(question=missing)
    advice = advice or unread_lines.advise_quotes(line)
    if not advice and unread_lines.verb_of(line):
        advice = _advise_fewer_words(line)
    return Readings(question=NotationError(advice) if advice else unread_lines.explain_words(line))


def _advise_fewer_words(line: TypedLine) -> Text:
    """Return the hint that a word is superfluous because the words before it are a line; "" if they are not."""
    for shorter, next_word in unread_lines.shorter_lines(line):
        readings = match_kinds(shorter, _ABBREVIATIONS)
        for action in (*readings.accepted, *readings.refused)[:1]:
            if unknown := unread_lines.explain_unknown_name(shorter, action, next_word):
                return unknown
            whole = line.session.notation.format(action)
            return phrase(
                "{word} is one word too many: `{line}` takes nothing of that kind.",
                word=in_quotes(next_word),
                line=whole,
            )
    return ""


# Which kind of reading wins over which


_VERB_BEHIND: Final = (short_lines.read_verb_behind,)
_ENTRY_OR_VERB: Final = (entries.read_entry_with_keywords, *_VERB_BEHIND)
_DOUBTS: Final = (short_lines.doubt_by_verb, short_lines.doubt_by_effect, short_lines.doubt_by_seat)

PRECEDENCE: Final[Kinds] = (
    ReadingKind(1, "begun undo", "un", _read_begun_undo),
    ReadingKind(2, "revision", "amend 8 ks", _read_revision),
    # Figures
    ReadingKind(3, "sure figure", "ana -7", figure_reading.read_sure_change, yields_to=_ENTRY_OR_VERB),
    ReadingKind(
        4,
        "figure or answer",
        "ana 10",
        figure_reading.read_unsure_change,
        yields_to=(*_VERB_BEHIND, entries.read_entries),
        weigh=figure_reading.weigh_unsure_change,
    ),
    ReadingKind(
        5,
        "figure named like a verb",
        "ana level 2",
        figure_reading.read_change_named_like_verb,
        yields_to=_VERB_BEHIND,
        weigh=_weigh_change_named_like_verb,
    ),
    ReadingKind(6, "word of the table", "time night", figure_reading.read_word_of_the_table),
    ReadingKind(
        7,
        "figure without its number",
        "ana hp",
        figure_reading.ask_for_number,
        weigh=figure_reading.weigh_number_question,
    ),
    # Words as they stand
    ReadingKind(8, "several lines", "reveal ana 9c, reveal ben 7c", whole_lines.read_several_lines),
    ReadingKind(9, "row behind a line", "reveal ana 9c 7c", whole_lines.read_row_behind_line),
    ReadingKind(10, "figures of a seat", "enter ana 2 2", entries.read_entries),
    ReadingKind(10, "figure of a round", "ana tricks 2 round 1", entries.read_entry_with_keywords),
    ReadingKind(11, "whole line", "reveal ana 9c", whole_lines.read_whole_line),
    ReadingKind(12, "row of answers", "9c 7c", whole_lines.read_row),
    # Abbreviations
    ReadingKind(13, "whole verb", "heal 3", short_lines.read_whole_verb),
    ReadingKind(
        14,
        "whole verb behind other words",
        "ben heal 3",
        short_lines.read_verb_behind,
        asks_against=(short_lines.read_begun_verb,),
    ),
    ReadingKind(
        14,
        "figure that nobody counts",
        "ana energy 3",
        figure_reading.ask_to_track,
        weigh=figure_reading.weigh_tracking,
    ),
    ReadingKind(15, "begun verb", "rev 9c", short_lines.read_begun_verb),
    ReadingKind(15, "answer", "fox", short_lines.read_answer, doubts=_DOUBTS),
    ReadingKind(15, "seat before a begun verb", "ben rev 9c", short_lines.read_seat_first, doubts=_DOUBTS),
    ReadingKind(16, "keyword alone", "is heads", short_lines.read_keyword, doubts=_DOUBTS),
    ReadingKind(17, "card out of turn", "ash wolf", short_lines.read_out_of_turn, doubts=_DOUBTS),
    ReadingKind(18, "begun verb without its things", "hea 3", short_lines.read_begun_verb_without_things),
    ReadingKind(19, "line of a later step", "se", short_lines.read_later_step),
    # What remains
    ReadingKind(20, "unknown names in a whole line", "attack ash on cy", whole_lines.read_unsettled_line),
    ReadingKind(21, "cards typed together", "9sqh6c", _read_cards_apart),
    ReadingKind(22, "no reading", "xyzzy", _explain_unread),
)
"""All kinds of readings in the order of their rank, the lowest first."""


def _kinds(first: str, last: str = "no reading") -> Kinds:
    names = [kind.name for kind in PRECEDENCE]
    return PRECEDENCE[names.index(first) : names.index(last) + 1]


_ABBREVIATIONS: Final = _kinds("whole verb", "line of a later step")


# Complete and confirm


class Meaning(msgspec.Struct, frozen=True):
    """The meaning of a line: the `actions` as they were typed, and `completed` with the details that they left open.

    `ways` are the accepted ways to fill in these details, if there are several.
    """

    actions: Intention
    completed: Intention
    ways: Intention = ()


def complete_readings(line: TypedLine, readings: Readings) -> Meaning:
    """Return the only reading of a line, with names as in their lists, and details that a short text leaves open.

    Raises NotationError if there is no reading, or more than one.
    """
    session = line.session
    actions = tuple(with_known_names(action, session) for action in choose(line, readings))
    if len(actions) != 1 or line.is_written_as(session.notation.format(actions[0])):
        return Meaning(actions, actions)
    ways = session.game.meanings(session.state, actions[0])
    if len(ways) == 1:
        return Meaning(actions, ways)
    accepted = tuple(action for action in ways if allows(session.game, session.state, Draft.of(action)))
    return Meaning(actions, accepted or actions, accepted[1:] and accepted)


def confirm_meaning(line: TypedLine, meaning: Meaning) -> Intention:
    """Return the actions that a line means. Raises AmbiguousLine if a name or a detail may be meant otherwise."""
    for action in meaning.actions:
        _check_new_names(line, action)
    if meaning.ways:
        raise ask_which(line.text, [*map(line.session.notation.format, meaning.ways)], line.session)
    return meaning.completed


def _check_new_names(line: TypedLine, action: Action) -> None:
    """Raise AmbiguousLine if an unquoted word became a new name but is close to a known one.

    The user then chooses the known one or quotes the new name.
    """
    near = find_near_name(line, action)
    if near is None:
        return
    if lines := dict.fromkeys(whole for text in near.texts for whole in _lines_instead(text, line.session)):
        raise ask_which(line.text, (*lines, near.quoted_line), line.session)
    why = phrase(
        "“{word}” could be {names}, which does not fit here; to use so similar a new name, put it in quotes: `{line}`.",
        word=near.word,
        names=join_with_or(near.names[:MOST_NAMED]),
        line=near.quoted_line,
    )
    raise AmbiguousLine(why, (near.quoted_line,))


def _lines_instead(text: str, session: Session) -> tuple[str, ...]:
    """Return the accepted lines that a text stands for, without their lead-in; () if there are none."""
    try:
        actions = read_line(text, session)
        session.preview(*actions)
    except AmbiguousLine as error:
        return error.lines
    except (NotationError, RuleError):
        return ()
    return (session.notation.format(actions[-1]),)
