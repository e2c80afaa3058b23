"""Plays: a creature Forged, a spell cast, a card discarded to level it (R4.5–R4.7); and creatures that come without."""

from __future__ import annotations

from random import Random

import msgspec

from companion.games.action import RuleError
from companion.games.solforge import actions as do
from companion.games.solforge.batch import leave, remind
from companion.games.solforge.cycle import level_up
from companion.games.solforge.keywords import read_keywords, written
from companion.games.solforge.state import LANES, Creature, Player, Resolution, Table


def forge(resolution: Resolution, action: do.Forge) -> None:
    """Play a creature into an own lane; what stands there is Replaced, and is not destroyed (R4.6, R4.10)."""
    player = _playing(resolution.state, action.seat)
    _check_lane(action.lane)
    keywords = read_keywords(action.has)
    _check_new(resolution.state, action.handle, action.figures)
    _pay(resolution, player, action.free)
    overload = "overload" in keywords
    card = level_up(resolution, player.seat, action.level, overload)
    replaced = resolution.state.at(player.seat, action.lane)
    leave(resolution, (replaced,) if replaced else ())
    creature = Creature(
        *(action.handle, player.seat, action.lane, *action.figures),
        level=action.level,
        card=card,
        keywords=keywords,
    )
    _add(resolution, creature)
    over = f" over {replaced.title}" if replaced else ""
    text = f"{player.name} Forges {_told(creature)} in lane {action.lane}{over}"
    resolution.tell(
        f"{text}; {_cost(resolution, player.seat, action.free)}{_levelled(action.level, card)}.",
        player.seat,
        by_hand=True,
    )
    unopposed = resolution.state.at(resolution.state.rival(player.seat).seat, action.lane) is None
    moments = ("forged", *(("unopposed",) if unopposed else ()), *(("replaced",) if replaced else ()))
    remind(resolution, creature, *moments)


def cast(resolution: Resolution, action: do.Cast) -> None:
    """Play a spell (R4.6, R4.7)."""
    player = _playing(resolution.state, action.seat)
    _pay(resolution, player, action.free)
    card = level_up(resolution, player.seat, action.level, action.overload)
    text = f"{player.name} casts {action.name}; {_cost(resolution, player.seat, action.free)}"
    resolution.tell(f"{text}{_levelled(action.level, card)}.", player.seat, by_hand=True)


def bank(resolution: Resolution, action: do.Bank) -> None:
    """Discard a card directly to level it: a play, and hidden from the opponent, so it is not named (R4.6)."""
    player = _playing(resolution.state, action.seat)
    if action.free:
        raise RuleError("A Free card is never discarded directly to level it (R4.6, A4.9); play it, or keep it.")
    _pay(resolution, player, free=False)
    card = level_up(resolution, player.seat, action.level)
    text = f"{player.name} levels a card face down; {_cost(resolution, player.seat, free=False)}"
    resolution.tell(f"{text}{_levelled(action.level, card)}.", player.seat, by_hand=True)


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


def _playing(state: Table, seat: str) -> Player:
    """Who plays a card now. Raises RuleError where it is not their turn."""
    player = state.player(seat)
    if seat != state.active:
        raise RuleError(f"It is {state.player(state.active).name}'s turn (R4.4); {player.name} plays in the next one.")
    return player


def _pay(resolution: Resolution, player: Player, free: bool) -> None:
    """A play, but for what is Free (R4.5). Raises RuleError where none is left."""
    if free:
        return
    if not player.plays:
        raise RuleError(
            f"{player.name} has no play left (R4.5): a Free card is played with `free`, "
            f"an extra play is `add {player.seat} plays +1`."
        )
    resolution.update_player(player.seat, plays=player.plays - 1)


def _check_lane(lane: int) -> None:
    if lane not in LANES:
        raise RuleError(f"There is no lane {lane}; the lanes are 1 to 5 (R4.1).")


def _check_new(state: Table, handle: str, figures: tuple[int, int]) -> None:
    """Raises RuleError where a handle cannot name a new creature, or the creature would not live."""
    if handle in state.handles:
        raise RuleError(f"“{handle}” named a creature before in this game; choose another handle.")
    if handle in do.WORDS_OF_LINES or state.is_seat(handle):
        raise RuleError(f"“{handle}” means something else in these lines; choose another handle.")
    if not figures[1]:
        raise RuleError("A creature comes with at least 1 health (R4.22); write ATTACK/HEALTH, as 3/4.")


def _told(creature: Creature) -> str:
    """`Wolf 3/4 (Armor 1)`"""
    words = ", ".join(written(name, number) for name, number in creature.keywords.items())
    return f"{creature.title} {creature.attack}/{creature.max}{f' ({words})' if words else ''}"


def _cost(resolution: Resolution, seat: str, free: bool) -> str:
    left = resolution.state.player(seat).plays
    return f"{'Free' if free else '1 play'}, {left} left"


def _levelled(level: int, card: int) -> str:
    return f"; its level {card} goes to the discard pile" if card else f"; level {level} leaves the game"
