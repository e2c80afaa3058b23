"""The turns: how one begins, how it ends with the Rank Up and the draw, and whose the next is (R4.3–R4.9)."""

from __future__ import annotations

from typing import Final

import msgspec

from companion.games.game import RuleError
from companion.games.lines import Next
from companion.games.solforge import cycle
from companion.games.solforge.batch import end_batch, remind
from companion.games.solforge.harm import poison_and_regenerate
from companion.games.solforge.state import Creature, Resolution

PLAYS: Final = 2
FIRST_PLAYS: Final = 1
"""R4.5, A4.8: the plays of the very first turn of the game."""


def next_turn(res: Resolution, action: Next) -> None:  # noqa: ARG001 – a bare word
    """End the turn, and begin the other player's (R4.4, R4.8)."""
    if not res.state.fought:
        raise RuleError("The turn may not end before the Battle (R4.4): `battle`.")
    _end(res)
    if res.state.outcome is None:
        start(res, res.state.rival(res.state.active).seat)


def _end(res: Resolution) -> None:
    """Hand to the discard pile, Rank Up, Gain Rank, what lasted until now, the new hand (R4.8, A4.2)."""
    seat = res.state.active
    player = res.state.player(seat)
    if player.hand:
        res.tell(f"{player.name} discards {player.hand} cards without levelling.", seat, by_hand=True)
        cycle.discard(res, seat, player.hand)
    player = res.update_player(seat, completed=player.completed + 1, plays=0)
    ranked = player.turn == 1
    draws_first = res.state.house.rank_up_draw == "before-shuffle"
    if ranked and draws_first:
        _draw(res, seat)
    if ranked:
        _rank_up(res, seat)
    _wear_off(res)
    end_batch(res)
    if not (ranked and draws_first):
        _draw(res, seat)


def _draw(res: Resolution, seat: str) -> None:
    drawn = cycle.draw(res, seat)
    res.tell(f"{res.name(seat)} draws {drawn} cards.", seat, by_hand=True)


def _rank_up(res: Resolution, seat: str) -> None:
    """The discard pile goes into the deck, and Gain Rank acts (R4.8)."""
    player = res.state.player(seat)
    levels = ", ".join(f"{number} of level {level}" for level, number in enumerate(player.levels, 1) if number)
    res.tell(f"{player.name} reaches rank {player.rank}; the {player.cycle} cards: {levels}.", seat)
    cycle.shuffle_in(res, seat)
    res.tell(f"{player.name}: Consistent cards go into the first 20 of the deck.", seat, by_hand=True)
    for creature in res.state.newest_first():
        if creature.owner == seat:
            remind(res, creature, "rank")


def _wear_off(res: Resolution) -> None:
    """What lasts until the end of the turn is over (R4.8)."""
    for creature in res.state.creatures:
        attack, health = creature.until_end
        if attack or health:
            res.update_creature(
                creature.handle, attack=creature.attack - attack, max=creature.max - health, until_end=(0, 0)
            )
            res.tell(f"{attack:+d}/{health:+d} of {creature.title} wears off.", creature.owner)


def start(res: Resolution, seat: str) -> None:
    """A turn begins: its creatures wake, Armor is whole again, Poison and Regenerate act (R4.3, A4.1)."""
    state = res.state
    player = res.update_player(seat, plays=PLAYS if state.turn else FIRST_PLAYS)
    reset_last = state.house.poison_vs_armor == "reset-last"
    res.change(
        active=seat,
        turn=state.turn + 1,
        fought=False,
        creatures=tuple(_awake(creature, seat) for creature in state.creatures),
    )
    plays = "1 play" if player.plays == 1 else f"{player.plays} plays"
    res.tell(f"Turn {res.state.turn}: {player.name}, rank {player.rank} turn {player.turn}, {plays}.", seat)
    if not reset_last:
        _reset_armor(res)
    poison_and_regenerate(res)
    if reset_last:
        _reset_armor(res)
    end_batch(res)


def _awake(creature: Creature, seat: str) -> Creature:
    """Its owner's turn wakes a creature (R4.10); once a turn it may move and act (A4.4)."""
    asleep = creature.asleep and creature.owner != seat
    if (asleep, creature.moved, creature.activated) == (creature.asleep, False, False):
        return creature
    return msgspec.structs.replace(creature, asleep=asleep, moved=False, activated=False)


def _reset_armor(res: Resolution) -> None:
    """Armor prevents its full number again (R4.14)."""
    for creature in res.state.creatures:
        if creature.absorbed:
            res.update_creature(creature.handle, absorbed=0)
    for player in res.state.players:
        if player.absorbed:
            res.update_player(player.seat, absorbed=0)
