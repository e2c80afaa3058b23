"""The facts of an evening: those of a game that was played, with its duration and venue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from msgspec.structs import replace

from companion.session.core.clock_times import LONGEST_TURN, clock_times
from companion.session.core.moments import Line, Moment
from companion.tabletop.action import RuleError
from companion.tabletop.corrections import without_corrections
from companion.tabletop.evening import (
    CardFigure,
    CardPart,
    CardTable,
    CountedFigure,
    Evening,
    EveningCard,
    NameOf,
    own_name,
)
from companion.tabletop.evenings import PlayedAction
from companion.tabletop.game import Game
from companion.tabletop.table.common_actions import Venue
from companion.tabletop.table.display import TABLE
from companion.tabletop.table.extra_counters import title_of
from companion.tabletop.table.match_result import Tally
from companion.tabletop.table.state import State
from companion.tabletop.table.table_clock import TurnTimes
from companion.tabletop.text import figure
from templates.languages.dates import duration, long_date
from templates.languages.messages import Text, phrase, phrase_in, phrases

PAUSE: Final = LONGEST_TURN
"""The pause between two lines after which another evening begins."""


def played_actions(head: Moment) -> tuple[PlayedAction, ...]:
    """Return the actions that count up to a moment, oldest first, each with the table before and after it.

    If today's rules refuse a line, return those before it.
    """
    last = (head.gap.before or head) if head.gap else head
    moments = reversed([*last.past()])
    return tuple(
        PlayedAction(each.before.state, each.action, each.state) for each in moments if each.before is not None
    )


def corrected_actions(game: Game, head: Moment) -> tuple[PlayedAction, ...]:
    """Return the played actions with corrections merged into the actions that they correct."""
    return without_corrections(game, played_actions(head))


def evening_of(game: Game, head: Moment, lines: Iterable[Line]) -> Evening | None:
    """Return the evening of a game up to a moment; `lines` are those of the log, with their times.

    None if there is nothing to show yet. Raises RuleError if the game's code fails.
    """
    try:
        played = corrected_actions(game, head)
        evening = game.evenings.evening(played)
    except Exception as error:
        raise _untold(error) from error
    if evening is None:
        return None
    lines = tuple(lines)
    venue = next((deed.action.text for deed in reversed(played) if isinstance(deed.action, Venue)), "")
    return replace(
        evening,
        minutes=minutes_of(lines),
        venue=venue,
        counted=tuple(_added_figures(game, played[-1].after)),
        times=clock_times(game, head, lines),
    )


def _added_figures(game: Game, state: State) -> Iterator[CountedFigure]:
    """Yield the counters that players added to seats and to the table, with their last values."""
    seats = {person.seat for person in game.display.people(state)}
    for counter in state.extra_counters:
        if counter.target in seats or counter.target == TABLE:
            yield CountedFigure(counter.name, counter.target if counter.target in seats else "", counter.value)


def tallies_of(game: Game, evening: Evening) -> tuple[Tally, ...]:
    """Return the tallies of an evening for statistics. Raises RuleError if the game's code fails."""
    try:
        return game.evenings.tallies(evening)
    except Exception as error:
        raise _untold(error) from error


def _untold(error: Exception) -> RuleError:
    fault = f"{type(error).__name__}: {error}"
    return RuleError(
        phrase("This evening cannot be summarized because of a fault of this program ({fault}).", fault=fault)
    )


def minutes_of(lines: Iterable[Line]) -> int:
    """Return the minutes of the evening that ends with the last of these lines; 0 if unknown."""
    times = [at for line in lines if (at := entered_at(line)) is not None]
    lasted = times[-1] - evening_began(times) if times else timedelta()
    return int(lasted.total_seconds()) // 60


def evening_began(times: Sequence[datetime]) -> datetime:
    """Return the time of the first line after the last long pause."""
    began = times[-1]
    for before in reversed(times[:-1]):
        if began - before > PAUSE:
            break
        began = before
    return began


def entered_at(line: Line) -> datetime | None:
    """Return the time at which a line was entered; None if unknown."""
    return datetime.fromisoformat(line.at) if line.at else None


def card_of(game: Game, evening: Evening, when: datetime | None = None, name_of: NameOf = own_name) -> EveningCard:
    """Return an evening as one page. Raises RuleError if its game has no card."""
    card = game.evenings.card(evening.with_names(name_of))
    if card is None:
        raise RuleError(phrase("{game} has no card for an evening.", game=game.title))
    lasted = str(duration(timedelta(minutes=evening.minutes)))
    # Translators: It stands below a duration, such as “1 h 05 min”.
    time = (CardFigure(lasted, str(phrase("at the table"))),) if evening.minutes else ()
    day = str(long_date(when)) if when else ""
    parts = (*card.parts, *_parts(evening.with_names(name_of)))
    return replace(card, day=day, venue=evening.venue, figures=(*card.figures, *time), parts=parts)


def _parts(evening: Evening) -> Iterator[CardPart]:
    """Yield the parts that the evening cards of all games have in common."""
    if evening.counted:
        yield _counted_figures(evening)
    if evening.times is not None:
        yield CardTable(phrase("Time"), ("", phrase("Turns")), tuple(_time_rows(evening, evening.times)), (1,))


def _time_rows(evening: Evening, times: TurnTimes) -> Iterator[tuple[Text, Text]]:
    """Yield the time of each player's turns, of those of nobody, and of all together."""
    for each in evening.participants:
        if each.seat in times.seconds:
            yield each.name, _duration(times.seconds[each.seat])
    others = times.table - sum(times.seconds.values())
    if others and times.seconds:
        yield phrase("In nobody's turn"), _duration(others)
    yield phrase("Together"), _duration(times.table)
    if times.gaps:
        yield phrase_in("time", "Not known"), phrases("{n} stretch", "{n} stretches", n=times.gaps)


def _duration(seconds: int) -> Text:
    return duration(timedelta(seconds=seconds))


def _counted_figures(evening: Evening) -> CardTable:
    names = tuple(dict.fromkeys(each.name for each in evening.counted))
    figures = {(each.seat, each.name): figure(each.value) for each in evening.counted}
    bearers: list[tuple[str, Text]] = [(each.seat, each.name) for each in evening.participants]
    bearers.append(("", phrase("The table")))
    rows = tuple(
        (who, *(figures.get((seat, name), "") for name in names))
        for seat, who in bearers
        if any((seat, name) in figures for name in names)
    )
    headings = ("", *map(title_of, names))
    return CardTable(phrase("Counted besides"), headings, rows, tuple(range(1, len(names) + 1)))
