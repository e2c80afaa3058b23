"""Partial tracking: players may track only the figures of a game, and leave hands and piles to the real cards.

Counters of cards are unknown then: they are not shown, no rule needs them, and nothing is refused because of them. If
everything is tracked again, each figure of each seat stays unknown until players enter it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, Final, Self

import msgspec

from companion.tabletop import game
from companion.tabletop.table.common_actions import Rule, Set
from companion.tabletop.table.counters import Gauge
from companion.tabletop.table.display import Display, NamedPlayer, P, S
from companion.tabletop.table.house_rules import HouseRules, RuleQuestion
from companion.tabletop.table.state import Resolution, State
from companion.tabletop.table.table import Prompt, draft
from templates.languages.messages import declared, phrase

ALL: Final = "all"
"""The value of the house rule `track` if everything is tracked."""


class TrackingRules(HouseRules, frozen=True):
    """House rules that include the extent of tracking; a game defines the values, with `tracking` as their Meta."""

    track: str = ALL


def tracking(text: str, everything: str, less: str, answer: str, change: str) -> msgspec.Meta:
    """Describe the rule `track` of a game.

    Args:
        text: The effect of the rule.
        everything: What is tracked with the value `all`.
        less: The other value.
        answer: What is tracked with the other value, as an answer.
        change: The same as an offer during the game.
    """
    # Translators: {things} says what is tracked: “hands, decks and each phase too”.
    question = RuleQuestion(
        phrase("Keep track of"),
        phrase("What shall I keep track of?"),
        {
            ALL: phrase("Everything: {things}", things=declared(everything)),
            less: phrase("Only {things}", things=declared(answer)),
        },
        {
            ALL: phrase("Track everything again: {things}", things=declared(everything)),
            less: phrase("Track less: only {things}", things=declared(change)),
        },
    )
    return msgspec.Meta(description=text, extra={"question": question})


class TrackedTable(State, frozen=True):
    """A table whose players choose how much of it is tracked."""

    card_figures: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The fields of a player that count cards, each with the counters that display it."""

    house: TrackingRules = TrackingRules()
    unknown: frozenset[tuple[str, str]] = frozenset()
    """Counters of seats with an unknown figure, because cards are not tracked, or were not for a while."""

    @property
    def people(self) -> Sequence[NamedPlayer]:
        """The players at the table; here the field `players`."""
        table: Any = self
        players: Sequence[NamedPlayer] = table.players
        return players

    def is_seat(self, word: str) -> bool:
        """Return True if a word is a player's seat."""
        return word in [person.seat for person in self.people]

    @property
    def has_begun(self) -> bool:
        """Return True if the set-up is over."""
        return False

    @property
    def tracks_all(self) -> bool:
        """Return True if hands and piles are tracked too (house rule track)."""
        return self.house.track == ALL

    def counts(self, seat: str, figure: str) -> bool:
        """Return True if a figure of a seat is known."""
        return (seat, figure) not in self.unknown

    def holds(self, player: Any, cards: int = 1) -> bool:
        """Return True if a player's hand has at least `cards` cards, or its size is unknown."""
        return bool(player.hand >= cards) or not self.counts(player.seat, "hand")

    def knowing(self, seat: str, figure: str) -> Self:
        """Return the table with a figure of a seat marked as known."""
        return msgspec.structs.replace(self, unknown=self.unknown - {(seat, figure)}) if self.unknown else self

    def without_phases(self) -> Self:
        """Return the table changed for play without phases in the middle of a game; here it has none."""
        return self


def agree_on_rule(resolution: Resolution[Any], action: Rule) -> None:
    """Apply a house rule; the extent of tracking may change during a game."""
    before = resolution.state.house
    game.agree(resolution, action)
    state = resolution.state
    if state.has_begun and state.house.track != before.track:
        forget_cards(resolution)
        if not state.tracks_all:
            resolution.state = resolution.state.without_phases()
        elif state.card_figures:
            resolution.tell(phrase("Everything is tracked again; say what is in hands and piles now."))


def forget_cards(resolution: Resolution[Any]) -> None:
    """Mark the contents of hands and piles as unknown from here on."""
    state = resolution.state
    figures = _card_figures(state)
    resolution.change(unknown=frozenset((person.seat, figure) for person in state.people for figure in figures))


def _card_figures(state: Any) -> tuple[str, ...]:
    """Return the counters of a seat that count cards, each once."""
    figures: Iterable[tuple[str, ...]] = state.card_figures.values()
    return tuple(dict.fromkeys(chain.from_iterable(figures)))


def of_known_figures(state: Any, seat: str, fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return changes to a player without those of unknown figures."""
    if not state.unknown:
        return fields
    figures: Mapping[str, tuple[str, ...]] = state.card_figures

    def is_known(field: str) -> bool:
        return field not in figures or any((seat, figure) not in state.unknown for figure in figures[field])

    return {field: value for field, value in fields.items() if is_known(field)}


class TrackedDisplay(Display[S, P]):
    """The display of such a game, without figures that are not tracked."""

    cards: Collection[str] = ()
    """The counters of a seat that follow from its cards and cannot be entered; hidden if cards are not tracked."""

    def gauges_of_seats(self, state: Any) -> Sequence[Gauge[Any, Any]]:
        """Return the gauges of a seat that are visible now.

        If cards are not tracked, gauges of cards are left out. Once they are tracked again, unknown ones read None.
        """
        if not state.tracks_all:
            hidden = {*_card_figures(state), *self.cards}
            return tuple(gauge for gauge in self.seat_gauges if gauge.name not in hidden)
        return tuple(map(_sayable, self.seat_gauges)) if state.unknown else self.seat_gauges


def _sayable(gauge: Gauge[Any, Any]) -> Gauge[Any, Any]:
    """Return a gauge that reads None as long as its figure is unknown; setting it makes the figure known."""
    write = gauge.write
    if write is None:
        return gauge

    def say(state: Any, seat: str, value: Any) -> Any:
        return write(state.knowing(seat, gauge.name), seat, value)

    def read(state: Any, player: Any) -> Any:
        return None if (player.seat, gauge.name) in state.unknown else gauge.read(state, player)

    return msgspec.structs.replace(gauge, read=read, write=say, top=None)


def questions(state: Any) -> Iterator[Prompt]:
    """Yield questions for the contents of hands and piles once they are tracked again, one per player at a time."""
    for player in state.people if state.tracks_all and state.unknown else ():
        figures = (each for each in _card_figures(state) if not state.counts(player.seat, each))
        for figure in [*figures][:1]:
            line = draft(Set, target=player.seat, counter=figure)
            # Translators: {figure} is the word of a figure in notation: “hand”, “deck”.
            text = phrase("{player}: {figure}, what is it now?", player=player.name, figure=figure)
            yield Prompt(text, line, player.seat)
