"""Going on at a table: the suggested actions up to the next decision."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from companion.session import reading
from companion.session.core.session import Session
from companion.session.reading.table_questions import due_prompts
from companion.session.table.confirmations import describe_harm
from companion.tabletop.action import Action, AmbiguousLine, NotationError, RuleError
from companion.tabletop.game import Game
from companion.tabletop.table import face_down
from companion.tabletop.table.common_actions import TurnUp
from companion.tabletop.table.table import TableView, WayOn
from templates.languages.messages import Text, WithinSentence, listed, phrase, phrase_in

WORDS: Final = ("go", "go on")
"""The words that go on."""

LEAVING: Final = ("exit", "quit", "home")
"""Words that leave the table, which stays as it is."""

_MOST: Final = 24
"""Maximum number of actions done in one go."""


class Course(msgspec.Struct, frozen=True):
    """Actions that make one intention, short descriptions of those that were not typed, and the next decision."""

    actions: tuple[Action, ...] = ()
    does: tuple[Text, ...] = ()
    decision: Text = ""

    @property
    def steps(self) -> tuple[Text, ...]:
        """The different descriptions: `no Tactics`, `damage`, `all take`; empty if nothing goes on by itself."""
        # Translators: What going on does if nothing is to be told of it.
        return (tuple(dict.fromkeys(filter(None, self.does))) or (phrase_in("course", "on"),)) if self.does else ()

    @property
    def summary(self) -> Text:
        """The descriptions, such as `no Tactics, damage, all take, refill`; "" if nothing goes on by itself."""
        return listed(self.steps) if self.does else ""

    @property
    def sentence(self) -> Text:
        """The summary with the decision: `damage, all take, refill → Ana: reveal a card (round 2)`."""
        if not self.does:
            return ""
        # Translators: What going on does, and what must be decided then.
        return phrase("{steps} → {decision}", steps=self.summary, decision=self.decision)


def course(session: Session, intention: tuple[Action, ...] = ()) -> Course:
    """Return the course of going on now, or after an intention: the game's suggestions up to the next decision.

    Without an intention, the first suggestion may leave something out. After that, the course stops at each further
    omission, and before anything that costs a player the game. Raises RuleError if the intention is against the rules.
    """
    if session.stopping_point is not None or session.moved_decks:
        return Course(intention)
    walk = _Walk(session)
    for action in intention:
        walk.step(action)
    actions, does, meant = [*intention], list[Text](), ""
    view = session.game.view(walk.state)
    while len(does) < _MOST and (way := _way_on(session.game, walk.state)) is not None:
        if actions and _stops(way, meant):
            return Course(tuple(actions), tuple(does), _decision(way, session.view(), view))
        try:
            walk.step(way.action)
        except RuleError:
            break
        then = session.game.view(walk.state)
        harm = describe_harm(view, then)
        if not harm or not actions:
            meant = meant if actions else way.decision or str(way.leaves)
            actions.append(way.action)
            does.append(way.does)
            view = then
        if harm:
            return Course(tuple(actions), tuple(does), harm)
    return Course(tuple(actions), tuple(does), _decision(None, session.view(), view))


def _way_on(game: Game, state: Any) -> WayOn | None:
    """Return how the game continues if nobody enters anything; secret choices are turned up once all lie there."""
    if not state.face_down:
        return game.way_on(state)
    if face_down.is_complete(game.display.open_prompts(state)):
        return WayOn(TurnUp(), phrase("turn up what lies face down"))
    return None


class _Walk:
    """A walk through the rules from the position of a session, without changing it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._position, self._length = session.log.position, len(session.log.lines)

    @property
    def state(self) -> Any:
        """The state reached, as the viewer of the session knows it."""
        return self._session.conceal(self._position.head.state)

    def step(self, action: Action) -> None:
        """Take one more action. Raises RuleError."""
        log = self._session.log
        self._length += 1
        self._position = log.preview(action, log.lines[-1].group + 1, self._position, self._length).position


def _stops(way: WayOn, meant: str) -> bool:
    """Return True if a step leaves out something other than what is already being left out."""
    is_meant = meant != "" and f"{way.decision or way.leaves} ".startswith(f"{meant} ")
    return bool(way.leaves) and not is_meant


def _decision(way: WayOn | None, now: TableView, then: TableView) -> Text:
    """Return the next decision, with its round or turn if that is a later one."""
    question = next((prompt.text for prompt in due_prompts(then)), phrase("what follows"))
    text = way.leaves if way is not None and way.leaves else question
    count = then.count
    is_later = count is not None and now.count is not None and count.number != now.count.number
    if count is None or not is_later:
        return text
    # Translators: A decision in a later round: “Ana: reveal a card (round 2)”.
    return phrase(
        "{decision} ({count} {number})", decision=text, count=WithinSentence(count.caption), number=count.figure
    )


def is_word(text: str) -> bool:
    """Return True if a text is one of the words for going on."""
    return " ".join(text.lower().removeprefix(":").split()) in WORDS


def leads_out(text: str, session: Session) -> bool:
    """Return True for a word that leaves the table, unless something there has exactly that name."""
    word = text.lower().strip().removeprefix(":")
    return word in LEAVING and not _lines_with_name(word, session)


def _lines_with_name(word: str, session: Session) -> tuple[str, ...]:
    """Return the lines that a word may stand for in which it is a whole name; names that it begins don't count."""
    try:
        lines: Iterable[str] = map(session.notation.format, reading.line_reading.read_line(word, session))
    except AmbiguousLine as error:
        lines = error.lines
    except NotationError:
        return ()
    return tuple(line for line in lines if word in re.findall(r"[\w-]+", line.lower()))


def check_unmistakable(text: str, session: Session) -> None:
    """Raise NotationError if something that could be meant has the shorter word as its name."""
    word = text.lower().strip().removeprefix(":").strip()
    if word != WORDS[0] or not (several := _lines_with_name(word, session)):
        return
    lines = ", ".join(several)
    # Translators: {words} are the words to type, “go on”.
    raise NotationError(
        phrase(
            "“{text}” could be `{lines}` as well; type more of it, or `{words}` to go on.",
            text=text.strip(),
            lines=lines,
            words=WORDS[-1],
        )
    )
