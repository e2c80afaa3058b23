"""Plays: a creature Forged, a spell cast, a card discarded to level it (R4.5–R4.7); and creatures that come without."""

from __future__ import annotations

from random import Random

import msgspec

from companion.games.action import RuleError
from companion.games.handles import check_free
from companion.games.solforge import actions as do
from companion.games.solforge.batch import leave, remind
from companion.games.solforge.cycle import level_up
from companion.games.solforge.keywords import read_keywords, written
from companion.games.solforge.state import LANES, Creature, Player, Resolution, Table


def forge(resolution: Resolution, action: do.Forge) -> None:
    """Play a creature into an own lane; what stands there is Replaced, and is not destroyed (R4.6, R4.10)."""
    _check_lane(action.lane)
    keywords = read_keywords(action.has)
    _check_new(resolution.state, action.handle, action.figures)
    card = _play(resolution, action.seat, action.level, action.free, "overload" in keywords)
    replaced = resolution.state.at(action.seat, action.lane)
    if replaced:
        leave(resolution, (replaced,))
    creature = Creature(
        *(action.handle, action.seat, action.lane, *action.figures),
        level=action.level,
        card=card,
        keywords=keywords,
    )
    _add(resolution, creature)
    over = f" over {replaced.title}" if replaced else ""
    what = f"Forges {_told(creature)} in lane {action.lane}{over}"
    _tell_play(resolution, action.seat, what, action.level, card, action.free)
    opposite = resolution.state.at(resolution.state.rival(action.seat).seat, action.lane)
    remind(resolution, creature, "forged", "" if opposite else "unopposed", "replaced" if replaced else "")


def cast(resolution: Resolution, action: do.Cast) -> None:
    """Play a spell (R4.6, R4.7)."""
    card = _play(resolution, action.seat, action.level, action.free, action.overload)
    _tell_play(resolution, action.seat, f"casts {action.name}", action.level, card, action.free)


def bank(resolution: Resolution, action: do.Bank) -> None:
    """Discard a card directly to level it: a play, and hidden from the opponent, so it is not named (R4.6)."""
    if action.free:
        raise RuleError("A Free card is never discarded directly to level it (R4.6, A4.9); play it, or keep it.")
    card = _play(resolution, action.seat, action.level, free=False, overload=False)
    _tell_play(resolution, action.seat, "levels a card face down", action.level, card, free=False)


def _play(resolution: Resolution, seat: str, level: int, free: bool, overload: bool) -> int:
    """A card leaves the hand for a play, or Free (R4.5); gives the level at which it lies in the discard pile.

    Raises RuleError where it is somebody else's turn, or no play or no such card is left.
    """
    state = resolution.state
    player = state.player(seat)
    if seat != state.active:
        raise RuleError(f"It is {state.player(state.active).name}'s turn (R4.4); {player.name} plays in the next one.")
    if not (player.plays or free):
        raise RuleError(
            f"{player.name} has no play left (R4.5): a Free card is played with `free`, "
            f"an extra play is `add {seat} plays +1`."
        )
    return level_up(resolution, player, level, overload, player.plays - (not free))


def _tell_play(resolution: Resolution, seat: str, what: str, level: int, card: int, free: bool) -> None:
    player = resolution.state.player(seat)
    goes = f"its level {card} goes to the discard pile" if card else f"level {level} leaves the game"
    cost = "Free" if free else "1 play"
    resolution.tell(f"{player.name} {what}; {cost}, {player.plays} left; {goes}.", seat, by_hand=True)


def place(resolution: Resolution, action: do.Place) -> None:
    """Put a creature down without a play."""
    player = resolution.state.player(action.seat)
    _check_lane(action.lane)
    if taken := resolution.state.at(player.seat, action.lane):
        raise RuleError(f"{taken.title} is in lane {action.lane} of {player.name} (R4.1); name an empty lane.")
    _bring(resolution, player, action.lane, action, awake=action.awake)


def spawn(resolution: Resolution, action: do.Spawn) -> None:
    """A creature comes into the empty lane that chance chose; none is empty: nothing happens (R4.20)."""
    player = resolution.state.player(action.seat)
    resolution.change(drawn=resolution.state.drawn + 1)
    empty = resolution.state.empty_lanes(player.seat)
    if not empty:
        resolution.tell(f"{player.name} has no empty lane: nothing is Spawned (R4.20).", player.seat)
    elif action.lane not in empty:
        raise RuleError(
            f"Lane {action.lane} of {player.name} is not empty (R4.20); empty: {', '.join(map(str, empty))}."
        )
    else:
        _bring(resolution, player, action.lane, action, awake=False)


def drawn_lane(state: Table, action: do.Spawn, rng: Random) -> do.Spawn:
    """A Spawn with the lane that chance chooses, where nobody named it (R4.20)."""
    empty = state.empty_lanes(action.seat)
    return msgspec.structs.replace(action, lane=rng.choice(empty)) if empty and not action.lane else action


def _bring(resolution: Resolution, player: Player, lane: int, action: do.Place | do.Spawn, awake: bool) -> None:
    """A creature that no play brought: it was not Forged, and it has no card in the cycle (R4.20)."""
    keywords = read_keywords(action.has)
    _check_new(resolution.state, action.handle, action.figures)
    creature = Creature(action.handle, player.seat, lane, *action.figures, asleep=not awake, keywords=keywords)
    _add(resolution, creature)
    resolution.tell(f"{_told(creature)} comes into lane {lane} of {player.name}.", player.seat, by_hand=True)


def _add(resolution: Resolution, creature: Creature) -> None:
    state = resolution.state
    resolution.change(creatures=(*state.creatures, creature), handles=state.handles | {creature.handle})


def _check_lane(lane: int) -> None:
    if lane not in LANES:
        raise RuleError(f"There is no lane {lane}; the lanes are 1 to 5 (R4.1).")


def _check_new(state: Table, handle: str, figures: tuple[int, int]) -> None:
    """Raises RuleError where a handle cannot name a new creature, or the creature would not live."""
    check_free(handle, state.handles, [player.seat for player in state.players], do.reserved())
    if not figures[1]:
        raise RuleError("A creature comes with at least 1 health (R4.22); write ATTACK/HEALTH, as 3/4.")


def _told(creature: Creature) -> str:
    """`Wolf 3/4 (Armor 1)`"""
    words = ", ".join(written(name, number) for name, number in creature.keywords.items())
    return f"{creature.title} {creature.attack}/{creature.max}{f' ({words})' if words else ''}"
