"""Set-up and turns: plays, ranks, draws, who is next."""

from __future__ import annotations

from typing import Final

import msgspec

from companion.games.solforge import actions as do
from companion.games.solforge import cycle
from companion.games.solforge.battle import end_batch, poison_and_regenerate, remind
from companion.games.solforge.keywords import KEYWORDS
from companion.games.solforge.state import HAND, MOST_PLAYERS, RANK_TURNS, Creature, Player, Resolution, counted
from companion.tabletop.action import RuleError
from companion.tabletop.common_actions import Begin, Next, Rule
from companion.tabletop.constructed.table import Seat, bring

PLAYS: Final = 2
FIRST_PLAYS: Final = 1
"""R4.5, A4.8: the plays of the very first turn of the game."""


def next_turn(resolution: Resolution, action: Next) -> None:  # noqa: ARG001 – a bare word
    """End the turn, and begin the other player's (R4.4, R4.8)."""
    if not resolution.state.fought:
        raise RuleError("The turn may not end before the Battle (R4.4): `battle`.")
    _end(resolution)
    start(resolution, resolution.state.rival(resolution.state.active).seat)


def _end(resolution: Resolution) -> None:
    """Hand to the discard pile, Rank Up, Gain Rank, what lasted until now, the new hand (R4.8, A4.2)."""
    seat = resolution.state.active
    player = resolution.state.player(seat)
    if player.hand:
        resolution.tell(f"{player.name} discards {counted(player.hand, 'card')} without levelling.", seat, by_hand=True)
        cycle.discard(resolution, seat, player.hand)
    ranks_up = player.turn == RANK_TURNS
    draws_first = ranks_up and resolution.state.house.rank_up_draw == "before-shuffle"
    if draws_first:
        _draw(resolution, seat)
    resolution.update_player(seat, completed=player.completed + 1, plays=0)
    if ranks_up:
        _rank_up(resolution, seat)
    _wear_off(resolution)
    end_batch(resolution)
    if not draws_first:
        _draw(resolution, seat)


def _draw(resolution: Resolution, seat: str) -> None:
    count = cycle.draw(resolution, seat)
    resolution.tell(f"{resolution.name(seat)} draws {counted(count, 'card')}.", seat, by_hand=True)


def _rank_up(resolution: Resolution, seat: str) -> None:
    """The discard pile goes into the deck, and Gain Rank acts (R4.8)."""
    player = resolution.state.player(seat)
    levels = ", ".join(f"{number} of level {level}" for level, number in enumerate(player.levels, 1) if number)
    resolution.tell(f"{player.name} reaches rank {player.rank}; the {player.cycle} cards: {levels}.", seat)
    cycle.shuffle_in(resolution, seat)
    resolution.tell(f"{player.name}: Consistent cards go into the first 20 of the deck.", seat, by_hand=True)
    for creature in resolution.state.newest_first():
        if creature.owner == seat:
            remind(resolution, creature, "rank")


def _wear_off(resolution: Resolution) -> None:
    """What lasts until the end of the turn is over (R4.8)."""
    for creature in resolution.state.creatures:
        attack, health = creature.until_end
        if attack or health:
            resolution.update_creature(
                creature.handle, attack=creature.attack - attack, max=creature.max - health, until_end=(0, 0)
            )
            resolution.tell(f"{attack:+d}/{health:+d} of {creature.title} wears off.", creature.owner)
        if creature.lent:
            now = {name: number for name, number in creature.keywords.items() if name not in creature.lent}
            again = {name: number for name, number in creature.lent.items() if number is not None}
            resolution.update_creature(creature.handle, keywords=now | again, lent={})
            words = ", ".join(KEYWORDS[name].title for name in creature.lent)
            resolution.tell(f"{words} of {creature.title} wears off.", creature.owner)


def start(resolution: Resolution, seat: str) -> None:
    """A turn begins: its creatures wake, Armor is whole again, Poison and Regenerate act (R4.3, A4.1)."""
    state = resolution.state
    player = resolution.update_player(seat, plays=PLAYS if state.turn else FIRST_PLAYS)
    reset_last = state.house.poison_vs_armor == "reset-last"
    resolution.change(
        active=seat,
        turn=state.turn + 1,
        fought=False,
        creatures=tuple(_awake(creature, seat) for creature in state.creatures),
    )
    plays = "1 play" if player.plays == 1 else f"{player.plays} plays"
    resolution.tell(f"Turn {resolution.state.turn}: {player.name}, rank {player.rank} turn {player.turn}, {plays}.")
    if not reset_last:
        _reset_armor(resolution)
    poison_and_regenerate(resolution)
    if reset_last:
        _reset_armor(resolution)
    end_batch(resolution)


def _awake(creature: Creature, seat: str) -> Creature:
    """Its owner's turn wakes a creature (R4.10); once a turn it may move and act (A4.4)."""
    asleep = creature.asleep and creature.owner != seat
    if (asleep, creature.moved, creature.activated) == (creature.asleep, False, False):
        return creature
    return msgspec.structs.replace(creature, asleep=asleep, moved=False, activated=False)


def _reset_armor(resolution: Resolution) -> None:
    """Armor prevents its full number again (R4.14)."""
    for creature in resolution.state.creatures:
        if creature.absorbed:
            resolution.update_creature(creature.handle, absorbed=0)
    for player in resolution.state.players:
        if player.absorbed:
            resolution.update_player(player.seat, absorbed=0)


def seat(resolution: Resolution, action: Seat) -> None:
    """Seat one of the two players (R4.1)."""
    state = resolution.state
    if state.is_seat(action.seat):
        raise RuleError(f"{action.seat} has a seat already; every seat needs a word of its own.")
    if action.seat in state.handles or action.seat in do.reserved():
        raise RuleError(f"“{action.seat}” means something else at this table; choose another word for the seat.")
    if len(state.players) == MOST_PLAYERS:
        raise RuleError("The table is full: SolForge is played by two (R4.1).")
    player = Player(action.seat, action.title, state.house.start_health)
    resolution.change(
        players=(*state.players, _with_deck(player, state.house.deck)), active=state.active or action.seat
    )
    bring(resolution, action)


def _with_deck(player: Player, cards: int) -> Player:
    """All cards begin at level 1 (R4.7)."""
    return msgspec.structs.replace(player, deck=cards, levels=(cards, 0, 0))


def deck_size(resolution: Resolution, action: do.DeckSize) -> None:
    """Another number of cards in a deck (R4.1): with what Solbind adds, or as a format has it."""
    player = _with_deck(resolution.state.player(action.seat), action.cards)
    resolution.update_player(player.seat, deck=player.deck, levels=player.levels)


def first(resolution: Resolution, action: do.First) -> None:
    """Who has the very first turn (R4.5)."""
    player = resolution.state.player(action.seat)
    resolution.change(active=player.seat)
    resolution.tell(f"{player.name} has the first turn.", player.seat)


def rule(resolution: Resolution, action: Rule) -> None:
    """A house rule, for this session; decks and health that nobody changed follow it."""
    before = resolution.state.house
    house = before.agreed(action.key, action.value)
    resolution.change(house=house)
    for player in resolution.state.players:
        if player.deck == before.deck != house.deck:
            player = _with_deck(player, house.deck)
        health = house.start_health if player.health == before.start_health else player.health
        resolution.update_player(player.seat, deck=player.deck, levels=player.levels, health=health)
    resolution.tell(f"House rule: {action.key} {action.value}.")


def begin(resolution: Resolution, action: Begin) -> None:
    """Draw the first hands, and begin the first turn (R4.2, R4.3)."""
    state = resolution.state
    if len(state.players) < MOST_PLAYERS:
        raise RuleError("SolForge is played by two (R4.1); `seat NAME` seats a player.")
    resolution.change(seed=action.seed, draws=state.draws + 1)
    for player in state.players:
        count = cycle.draw(resolution, player.seat, HAND)
        resolution.tell(f"{player.name} draws {counted(count, 'card')}.", player.seat, by_hand=True)
    start(resolution, state.active)
