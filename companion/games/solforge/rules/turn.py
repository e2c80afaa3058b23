"""Turns: plays, ranks, draws, and the change of the active player."""

from __future__ import annotations

from typing import Final

import msgspec

from companion.games.solforge.rules import cycle
from companion.games.solforge.rules.battle import end_batch, poison_and_regenerate, remind
from companion.games.solforge.rules.keywords import KEYWORDS
from companion.games.solforge.rules.state import RANK_TURNS, LaneCreature, Resolution, format_changes
from companion.tabletop.action import RuleError
from companion.tabletop.table.common_actions import Next
from templates.languages.messages import listed, phrase, phrases

PLAYS: Final = 2
FIRST_PLAYS: Final = 1
"""R4.5, A4.8: the number of plays in the very first turn of the game."""


def next_turn(resolution: Resolution, action: Next) -> None:  # noqa: ARG001 – no fields
    """End the turn, and begin the other player's (R4.4, R4.8)."""
    state = resolution.state
    if not state.fought and state.counts(state.active, "plays"):
        raise RuleError(phrase("The turn may not end before the Battle (R4.4): `battle`."))
    _end(resolution)
    start(resolution, resolution.state.rival(resolution.state.active).seat)


def _end(resolution: Resolution) -> None:
    """End the turn: discard the hand, Rank Up, Gain Rank, effects that wear off, the new hand (R4.8, A4.2)."""
    seat = resolution.state.active
    player = resolution.state.player(seat)
    if player.hand and resolution.state.knows_cards(seat):
        text = phrases(
            "{player} discards {n} card without levelling.",
            "{player} discards {n} cards without levelling.",
            n=player.hand,
            player=player.name,
        )
        resolution.tell(text, seat, by_hand=True)
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
    if not resolution.state.tracks_all:
        return
    name = resolution.name(seat)
    text = phrases("{player} draws {n} card.", "{player} draws {n} cards.", n=count, player=name)
    resolution.tell(text, seat, by_hand=True)


def _rank_up(resolution: Resolution, seat: str) -> None:
    """Shuffle the discard pile into the deck, and let Gain Rank act (R4.8)."""
    player = resolution.state.player(seat)
    if resolution.state.knows_cards(seat):
        text = phrase(
            "{player} reaches rank {rank}; the {cards} cards: {levels}.",
            player=player.name,
            rank=player.rank,
            cards=player.cycle,
            levels=listed(
                phrase("{cards} of level {level}", cards=number, level=level)
                for level, number in enumerate(player.levels, 1)
                if number
            ),
        )
    else:
        text = phrase("{player} reaches rank {rank}.", player=player.name, rank=player.rank)
    resolution.tell(text, seat)
    cycle.shuffle_in(resolution, seat)
    text = phrase("{player}: Consistent cards go into the first 20 of the deck.", player=player.name)
    resolution.tell(text, seat, by_hand=True)
    for creature in resolution.state.newest_first():
        if creature.owner == seat:
            remind(resolution, creature, "rank")


def _wear_off(resolution: Resolution) -> None:
    """End the effects that last until the end of the turn (R4.8)."""
    for creature in resolution.state.creatures:
        attack, health = creature.until_end
        if attack or health:
            resolution.update_creature(
                creature.handle, attack=creature.attack - attack, max=creature.max - health, until_end=(0, 0)
            )
            text = phrase(
                "{change} of {creature} wears off.", change=format_changes(attack, health), creature=creature.title
            )
            resolution.tell(text, creature.owner)
        if creature.lent:
            now = {name: number for name, number in creature.keywords.items() if name not in creature.lent}
            again = {name: number for name, number in creature.lent.items() if number is not None}
            resolution.update_creature(creature.handle, keywords=now | again, lent={})
            words = listed(KEYWORDS[name].title for name in creature.lent)
            text = phrases(
                "{keywords} of {creature} wears off.",
                "{keywords} of {creature} wear off.",
                n=len(creature.lent),
                keywords=words,
                creature=creature.title,
            )
            resolution.tell(text, creature.owner)


def start(resolution: Resolution, seat: str) -> None:
    """Begin a turn: its creatures wake, Armor is restored, Poison and Regenerate act (R4.3, A4.1)."""
    if resolution.state.tracks_all:
        resolution.state = resolution.state.knowing(seat, "plays")
    state = resolution.state
    player = resolution.update_player(seat, plays=PLAYS if state.turn else FIRST_PLAYS)
    reset_last = state.house.poison_vs_armor == "reset-last"
    resolution.change(
        active=seat,
        turn=state.turn + 1,
        fought=False,
        creatures=tuple(_wake_creature(creature, seat) for creature in state.creatures),
    )
    values = {
        "number": str(resolution.state.turn),
        "player": player.name,
        "rank": player.rank,
        "turn": player.turn,
    }
    # Translators: the announcement of a turn: its number, the player, and the rank with the player's turn in it
    if state.tracks_all:
        text = phrases(
            "Turn {number}: {player}, rank {rank} turn {turn}, {n} play.",
            "Turn {number}: {player}, rank {rank} turn {turn}, {n} plays.",
            n=player.plays,
            **values,
        )
    else:
        text = phrase("Turn {number}: {player}, rank {rank} turn {turn}.", **values)
    resolution.tell(text, now=True)
    if not reset_last:
        _reset_armor(resolution)
    poison_and_regenerate(resolution)
    if reset_last:
        _reset_armor(resolution)
    end_batch(resolution)


def _wake_creature(creature: LaneCreature, seat: str) -> LaneCreature:
    """Return a creature awake if its owner's turn begins (R4.10), able to move and act again (A4.4)."""
    asleep = creature.asleep and creature.owner != seat
    if (asleep, creature.moved, creature.activated) == (creature.asleep, False, False):
        return creature
    return msgspec.structs.replace(creature, asleep=asleep, moved=False, activated=False)


def _reset_armor(resolution: Resolution) -> None:
    """Restore all Armor to its full number (R4.14)."""
    for creature in resolution.state.creatures:
        if creature.absorbed:
            resolution.update_creature(creature.handle, absorbed=0)
    for player in resolution.state.players:
        if player.absorbed:
            resolution.update_player(player.seat, absorbed=0)
