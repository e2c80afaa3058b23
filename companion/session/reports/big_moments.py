"""The recent moments of a table that deserve room of their own.

These are what decides, what falls, what lasts, and what everybody turns up together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, Literal, NamedTuple
from weakref import WeakKeyDictionary

from msgspec.structs import replace

from companion.session.core.changes import Fall, line_falls, outcome_title
from companion.session.core.moments import Moment, describe_moment, with_full_stop
from companion.tabletop.action import Tell
from companion.tabletop.game import Game
from companion.tabletop.notation.line_texts import describe_choice
from companion.tabletop.table.common_actions import BESIDE_PLAY, Add, FaceDown, Set, TurnUp
from companion.tabletop.table.table import TableView
from templates.languages.messages import Message, Text

MomentKind = Literal["end", "decision", "fall", "change", "reveal"]

_REACH: Final = 40
"""The number of the newest lines among which big moments are looked for."""
_MOST: Final = 3
_ANSWERS: Final = 2
"""The number of answers after which a moment goes once the next opponent is there: the last one of its own fight, and
the first one about the next."""

_Events = tuple[str, tuple[Fall, ...]]
_EVENTS: WeakKeyDictionary[Moment, _Events] = WeakKeyDictionary()
"""The outcome that a moment brings, and what falls in it: each audience asks for the same moments again."""


class OpenChoice(NamedTuple):
    """A choice that was turned up together with others, in people's words."""

    seat: str
    text: Message


class BigMoment(NamedTuple):
    """A moment that deserves room of its own.

    `kind` says whether it ends the game, decides something, fells a player, changes a card for good, or turns up what
    lay face down: `choices` are then all of those, in the order of the seats. `seat` is the one that the headline is
    about, whoever acted: the winner, the fallen, or who decided; "" for none or several. `rewards` say what that seat
    gained or paid, and `details` are the others. `is_newest` holds until somebody
    answers the next question.
    """

    number: int
    kind: MomentKind
    seat: str
    headline: Text
    rewards: tuple[Text, ...]
    details: tuple[Text, ...]
    is_newest: bool
    choices: tuple[OpenChoice, ...] = ()


def list_big_moments(game: Game, moments: Sequence[Moment], viewer: str = "") -> Iterator[BigMoment]:
    """Yield the newest big moment, as a seat or everybody reads it, with others of the same answer, newest first.

    A moment goes as soon as people turn to another opponent than it was about. One that turned up choices goes as soon
    as somebody chooses anew, or as many answers have followed as there were choices.
    """
    return islice(_find_big_moments(game, moments[-_REACH:], viewer), _MOST)


def _find_big_moments(game: Game, moments: Sequence[Moment], viewer: str) -> Iterator[BigMoment]:
    later: set[int] = set()
    group: int | None = None
    for at, moment in reversed(list(enumerate(moments))):
        answers = len(later - {moment.group})
        choices = tuple(_turned_up(game, moments, at)) if isinstance(moment.action, TurnUp) else ()
        if group not in (None, moment.group) or (choices and answers >= max(_ANSWERS, len(choices))):
            return
        tells = describe_moment(moment, game, viewer)
        outcome, falls = _events_of(game, moment)
        main = next((tell for tell in tells if tell.decides), None) or next((t for t in tells if t.lasting), None)
        kind: MomentKind | None = None
        headline: Text = ""
        seat = ""
        if outcome:
            view = game.view(moment.state)
            kind, headline, seat = "end", outcome_title(view), _only_winner(view)
        elif falls and not (main and main.decides):
            kind, headline, seat = "fall", with_full_stop(falls[0].text), falls[0].seat
        elif main:
            kind, headline, seat = ("decision" if main.decides else "change"), main.text, main.seat
        if choices and not any(isinstance(each.action, FaceDown) for each in moments[at:]):
            turned = [tell for each in _group_from(moments, at) for tell in describe_moment(each, game, viewer)]
            group, headline, details = moment.group, tells[0].text, tuple(tell.text for tell in turned[len(tells) :])
            yield BigMoment(moment.number, "reveal", "", headline, (), details, answers == 0, choices)
        elif kind:
            if answers >= _ANSWERS and _has_new_opponent(game, moment, moments[-1]):
                return
            group = moment.group
            rewards, others = _divide_details(tells, main, headline)
            further = (with_full_stop(fall.text) for fall in falls[kind == "fall" :])
            yield BigMoment(moment.number, kind, seat, headline, rewards, (*further, *others), answers == 0)
        if not (moment.action.is_quiet or isinstance(moment.action, (Add, Set, *BESIDE_PLAY))):
            later.add(moment.group)


def _turned_up(game: Game, moments: Sequence[Moment], at: int) -> Iterator[OpenChoice]:
    """Yield the choices that a `turn-up` shows, and those of the same kind that were named openly just before it."""
    turned = [moment.action for moment in _group_from(moments, at)[1:]]
    kinds = {type(action) for action in turned}
    for moment in reversed(moments[:at]):
        if type(moment.action) in kinds:
            turned.append(moment.action)
        elif not isinstance(moment.action, (FaceDown, Add, Set, *BESIDE_PLAY)):
            break
    state = moments[at].state
    names: dict[str, Text] = {seat.seat: seat.name for seat in game.view(state).seats}
    actions = {getattr(action, "seat", ""): action for action in reversed(turned)}
    for seat in [seat for seat in names if seat in actions] if kinds else ():
        titles = {entry.name: entry.title for entry in game.entries(state, seat)}
        yield OpenChoice(seat, describe_choice(actions[seat], {**titles, **names}))


def _group_from(moments: Sequence[Moment], at: int) -> list[Moment]:
    """Return a moment and those of the same intention after it."""
    return [moment for moment in moments[at:] if moment.group == moments[at].group]


def _only_winner(view: TableView) -> str:
    """Return the seat of the winner, "" if nobody or more than one player has won."""
    won = view.winning_seats
    return won[0] if len(won) == 1 else ""


def _has_new_opponent(game: Game, moment: Moment, newest: Moment) -> bool:
    """Return True if an opponent is there now that was not yet there at a moment."""
    return not _opponents(game.view(newest.state)) <= _opponents(game.view(moment.state))


def _opponents(view: TableView) -> set[tuple[str, str]]:
    things = (thing for zone in view.zones for thing in zone.things)
    return {(thing.target, str(thing.title)) for thing in things if any(counter.big for counter in thing.counters)}


def _divide_details(
    tells: tuple[Tell, ...], main: Tell | None, headline: Text
) -> tuple[tuple[Text, ...], tuple[Text, ...]]:
    """Return what follows from the main sentence for its seat, and the other sentences beside a headline.

    What follows comes before what led to it.
    """
    at = tells.index(main) if main else 0
    after = [tell for tell in tells[at:] if tell.text != headline]
    rewards = tuple(tell.text for tell in after if main and main.seat and tell.seat == main.seat)
    others = [tell.text for tell in (*after, *tells[:at]) if tell.text != headline]
    return rewards, tuple(text for text in others if text not in rewards)


def _events_of(game: Game, moment: Moment) -> _Events:
    """Return the outcome that a moment brings, "" for none, and the players and opponents who fall in it."""
    events = _EVENTS.get(moment)
    if events is None:
        events = _EVENTS[moment] = ("", ()) if moment.before is None else _read_events(game, moment, moment.before)
    return events


def _read_events(game: Game, moment: Moment, before: Moment) -> _Events:
    if moment.state is before.state:
        return "", ()
    earlier, later = _without_cards(game.view(before.state)), _without_cards(game.view(moment.state))
    is_end = later.outcome is not None and earlier.outcome is None
    return (later.outcome or "" if is_end else ""), line_falls(game, moment, earlier, later)


def _without_cards(view: TableView) -> TableView:
    """Return a view without the things that lie before players, which come and go all the time."""
    return replace(view, seats=tuple(replace(seat, zones=()) for seat in view.seats))
