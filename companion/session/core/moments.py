"""The lines of a log and the moments of its table: the table after each action, with the messages for its readers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from companion.tabletop.action import Action, Tell
from companion.tabletop.game import Game
from companion.tabletop.notation.line_texts import LineText, describe_line
from companion.tabletop.notation.notation import conceal, write
from companion.tabletop.records import DeckReading
from companion.tabletop.table.common_actions import Add, Next, Note, Seat, Set
from templates.languages.messages import Finished, Language, Message, Text, joined, phrase, phrases, render_value


class Line(msgspec.Struct, frozen=True, gc=False):
    """One line of the log, with its intention, time and writer.

    Lines of one intention share a `group`. `at` is the UTC time in ISO 8601, `by` the writer, and `read` how far the
    records of the decks that the line read had come.
    """

    number: int
    text: str
    group: int
    at: str = ""
    by: str = ""
    read: tuple[DeckReading, ...] = ()


class Stopped(msgspec.Struct, frozen=True):
    """A stored log that stops under today's rules: the refused line, the reason, and later lines that would count."""

    line: Line
    why: Text
    behind: tuple[Line, ...] = ()


class Moment:
    """The table after one action. `before` is the previous moment.

    `back` is the moment that undo leads to, and `entered` the line that it takes back: after an amendment, the `amend`
    and not the last action. `line` is the whole line as stored; `text` and `entered` are its public forms, without the
    names of cards that lie face down. `gap` is the first moment up to here that the rules refuse, and `refused` the
    reason: from there on nothing is played, and the state stays as before it.
    """

    __slots__ = (
        "__weakref__",
        "action",
        "back",
        "before",
        "entered",
        "gap",
        "group",
        "line",
        "number",
        "refused",
        "state",
        "tells",
        "text",
    )

    def __init__(
        self,
        before: Moment | None,
        action: Action,
        line: str,
        state: Any,
        tells: tuple[Tell, ...],
        number: int,
        group: int,
        back: Moment | None = None,
        entered: str = "",
        refused: Text = "",
        text: str = "",
    ) -> None:
        self.before = before
        self.refused = refused
        self.gap: Moment | None = (before.gap if before else None) or (self if refused else None)
        self.back = back or before
        self.line = line
        self.text = text or _as_shown(action, line)
        self.entered = entered or self.text
        self.action = action
        self.state = state
        self.tells = tells
        self.number = number
        self.group = group

    def past(self) -> Iterator[Moment]:
        """Yield this moment and the earlier ones, newest first, without the opening of the table."""
        moment: Moment | None = self
        while moment is not None and moment.before is not None:
            yield moment
            moment = moment.before


class Undone(NamedTuple):
    """A moment that was taken back, linked to those taken back before it, so that another undo has constant cost."""

    moment: Moment
    before: Undone | None


class Position(msgspec.Struct, frozen=True):
    """The position of a log: its newest moment, and the moments that `redo` would restore, next one first."""

    head: Moment
    undone: Undone | None = None


class LinePreview(NamedTuple):
    """The result of previewing one line: the line as the log will store it, the position after it, and the messages."""

    line: Line
    position: Position
    tells: tuple[Tell, ...]


def _as_shown(action: Action, line: str) -> str:
    """Return the public form of a line."""
    concealed_action = conceal(action)
    return line if concealed_action is action else write(concealed_action)


def summarize(moments: Sequence[Moment]) -> Text:
    """Return a short summary of an intention as it was entered; "" if it is empty."""
    if not moments:
        return ""
    return moments[0].entered if len(moments) == 1 else phrases("{n} line", "{n} lines", n=len(moments))


def join_lines(moments: Iterable[Moment], game: Game) -> Message:
    """Return the lines of an intention as they were entered, and corrected figures in words."""
    return joined(", ", (entered_text(moment, game) for moment in moments))


def entered_text(moment: Moment, game: Game) -> LineText:
    """Return the line of a moment as it was entered; a corrected figure is in words, as in the log: `Ana: HP 4 → 7`."""
    is_figure = isinstance(moment.action, (Set, Add)) and bool(moment.tells) and not amends(moment)
    text = line_text(moment, game, moment.entered)
    return text.in_words() if is_figure else text


def line_text(moment: Moment, game: Game, line: str = "") -> LineText:
    """Return the line of a moment, or another one for it, as a text that says in words what happened."""
    return LineText(line or moment.text, lambda: _first_sentence(moment, game))


def _first_sentence(moment: Moment, game: Game) -> Text:
    if moment.tells:
        return moment.tells[0].text
    return _describe_step(moment, game) if isinstance(moment.action, Next) else _describe_entry(moment, game)


def _describe_entry(moment: Moment, game: Game) -> Text:
    """Return a sentence for a line of which the rules report nothing."""
    action, view = moment.action, game.view(moment.state)
    names = {seat.seat: seat.name for seat in view.seats}
    if isinstance(action, Note):
        return action.text
    if isinstance(action, Seat):
        # Translators: {player} takes a place at the table.
        return phrase("{player} sits down.", player=names.get(action.seat, action.title))
    return describe_line(action, names)


def amends(moment: Moment) -> bool:
    """Return True if undo and redo apply to an amendment here, and not to the last action."""
    return moment.entered != moment.text


def join_sentences(tells: Iterable[Tell]) -> Message:
    """Return the messages as one text."""
    return join_texts(tell.text for tell in tells)


def join_texts(texts: Iterable[Text]) -> Message:
    """Return sentences as one text, in which they stand a little apart."""
    return joined("  ", texts)


class _Closed(Finished):
    """A sentence that may end in brackets, which need no full stop."""

    __slots__ = ()

    def render(self, language: Language) -> str:
        text = render_value(self.message, language)
        return text if text.endswith(")") else super().render(language)


def with_full_stop(text: Text) -> Message:
    """Return a text with a full stop, unless it ends like a sentence."""
    return _Closed(text)


def describe_moment(moment: Moment, game: Game, viewer: str = "") -> tuple[Tell, ...]:
    """Return the messages of a moment, as seen by a seat or by everybody.

    If the rules report nothing, return the step that began, or the line itself, or nothing if the action is quiet.
    """
    if moment.tells or not isinstance(moment.action, Next):
        unsaid = () if moment.action.is_quiet else (Tell(line_text(moment, game)),)
        return tuple(tell.seen_by(viewer) for tell in moment.tells) or unsaid
    return (Tell(_describe_step(moment, game)),)


def _describe_step(moment: Moment, game: Game) -> Message:
    after = game.view(moment.state)
    title = next((step.title for step in after.steps if step.name == after.step), after.step)
    # Translators: {step} is the title of the step that begins.
    return phrase("On to: {step}.", step=title) if title else phrase("On to the next step.")
