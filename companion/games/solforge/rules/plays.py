"""Plays: forging creatures into lanes, casting and banking spells."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import TypeVar

import msgspec

from companion.games.solforge.rules import actions as do
from companion.games.solforge.rules import cycle
from companion.games.solforge.rules.battle import bury, leave, remind
from companion.games.solforge.rules.cycle import level_up
from companion.games.solforge.rules.keywords import (
    KEYWORDS,
    find_keyword,
    format_keyword,
    read_keyword,
    read_keywords,
)
from companion.games.solforge.rules.state import (
    LANES,
    LaneCreature,
    Resolution,
    SolForgePlayer,
    SolForgeTable,
    format_changes,
    format_pair,
)
from companion.tabletop.action import RuleError
from companion.tabletop.constructed import batch
from companion.tabletop.constructed.table import count_copy
from companion.tabletop.table.common_actions import check_free
from companion.tabletop.text import quantity

T = TypeVar("T")


def move(resolution: Resolution, action: do.MoveCreature) -> None:
    """Move a creature with Mobility to an empty own lane in reach, past others too, once a turn (R4.17, A4.4)."""
    creature = _ready_creature(resolution.state, action.handle, "mobility")
    reach = creature.keywords["mobility"]
    if creature.moved:
        raise RuleError(f"{creature.title} has moved in this turn (R4.17, A4.4).")
    if action.lane not in resolution.state.empty_lanes(creature.owner):
        raise RuleError(f"Lane {action.lane} is not an empty lane of {resolution.name(creature.owner)} (R4.17).")
    if abs(action.lane - creature.lane) > reach:
        raise RuleError(f"{creature.title} moves up to {reach} lanes from lane {creature.lane} (R4.17).")
    resolution.update_creature(creature.handle, lane=action.lane, moved=True)
    resolution.tell(f"{creature.title} moves from lane {creature.lane} to {action.lane}.", creature.owner, by_hand=True)
    remind(resolution, creature, "moved")


def activate(resolution: Resolution, action: do.Activate) -> None:
    """Use an ability, once a turn; separate lines enter its effects (R4.20, A4.4)."""
    creature = _ready_creature(resolution.state, action.handle, "activate")
    if creature.activated:
        raise RuleError(f"{creature.title} has used its Activate in this turn (A4.4).")
    resolution.update_creature(creature.handle, activated=True)
    resolution.tell(f"{creature.title} Activates: do what its card says.", creature.owner, by_hand=True)


def _ready_creature(state: SolForgeTable, handle: str, keyword: str) -> LaneCreature:
    """Return a creature of the active player with a keyword, awake or Aggressive (R4.10). Raises RuleError."""
    creature = state.creature(handle)
    if creature.owner != state.active:
        raise RuleError(f"{creature.title} acts in its owner's turn only (R4.4).")
    if keyword not in creature.keywords:
        title = KEYWORDS[keyword].title
        raise RuleError(f"{creature.title} has no {title} (R4.20); `give {handle} {keyword}` where its card says so.")
    if not creature.ready:
        raise RuleError(
            f"{creature.title} sleeps until its owner's next turn (R4.10); `set {handle} asleep no` wakes it."
        )
    return creature


def buff(resolution: Resolution, action: do.Buff) -> None:
    """Change attack and maximum health; a loss of health is no damage, so Armor prevents none of it (R4.14, R4.19)."""
    creature = resolution.state.creature(action.handle)
    attack, health = action.change
    lasting = creature.until_end
    after = resolution.update_creature(
        creature.handle,
        attack=creature.attack + attack,
        max=creature.max + health,
        until_end=(lasting[0] + attack, lasting[1] + health) if action.until_end else lasting,
    )
    until = " until the end of the turn" if action.until_end else ""
    change = format_changes(attack, health)
    resolution.tell(f"{creature.title} {change}{until}: {after.figures}.", creature.owner, by_hand=True)


def give(resolution: Resolution, action: do.Give) -> None:
    """Give a keyword to a creature or a player; a new number replaces the old one (R4.20, A4.11)."""
    bearer = resolution.state.bearer(action.target)
    name, number = read_keyword(action.keyword)
    if isinstance(bearer, SolForgePlayer):
        if not KEYWORDS[name].on_player:
            able = ", ".join(keyword.title for keyword in KEYWORDS.values() if keyword.on_player)
            raise RuleError(f"{bearer.name} cannot have {KEYWORDS[name].title}; a player can have {able} (A4.11).")
        if action.until_end:
            raise RuleError("Until the end of the turn only creatures are given a keyword; leave `until-end` out.")
    else:
        _lend_keyword(resolution, bearer, name, action.until_end)
    resolution.update(bearer, keywords={**bearer.keywords, name: number})
    until = " until the end of the turn" if action.until_end else ""
    resolution.tell(f"{bearer.title} has {format_keyword(name, number)}{until}.", bearer.owner, by_hand=True)


def _lend_keyword(resolution: Resolution, creature: LaneCreature, name: str, until_end: bool) -> None:
    """Remember the keyword to restore at the end of the turn; a keyword given for good no longer wears off."""
    if name in creature.negated:
        raise RuleError(f"{KEYWORDS[name].title} of {creature.title} was negated and does not come back (R4.20).")
    if not until_end:
        resolution.update_creature(creature.handle, lent=_without_keyword(creature.lent, name))
    elif name not in creature.lent:
        resolution.update_creature(creature.handle, lent={**creature.lent, name: creature.keywords.get(name)})


def _without_keyword(numbers: Mapping[str, T], name: str) -> Mapping[str, T]:
    """Return the mapping without one keyword."""
    return {word: number for word, number in numbers.items() if word != name}


def take_away(resolution: Resolution, action: do.TakeAway) -> None:
    """Take away a keyword with its number; a negated one does not come back (R4.20)."""
    bearer = resolution.state.bearer(action.target)
    name, _, number = action.keyword.partition("=")
    keyword = find_keyword(name)
    held = bearer.keywords.get(name)
    if held is None and not action.negate:
        raise RuleError(f"{bearer.title} has no {keyword.title} that could be taken away (R4.20).")
    if number and number != str(held):
        raise RuleError(f"{bearer.title} has {format_keyword(name, held or 0)}; `give` leaves another number (R4.20).")
    if action.negate:
        if isinstance(bearer, SolForgePlayer):
            raise RuleError("Only a keyword of a creature is negated (R4.20); leave `negate` out.")
        resolution.update(bearer, negated=(*bearer.negated, name))
    if isinstance(bearer, LaneCreature):
        resolution.update(bearer, lent=_without_keyword(bearer.lent, name))
    resolution.update(bearer, keywords=_without_keyword(bearer.keywords, name))
    for_good = ", and it does not come back" if action.negate else " any more"
    resolution.tell(f"{bearer.title} has no {keyword.title}{for_good}.", bearer.owner, by_hand=True)


def destroy(resolution: Resolution, action: do.Destroy) -> None:
    """Destroy a creature, which then dies (R4.20); within a batch at its end (R4.22)."""
    creature = resolution.state.creature(action.handle)
    if not batch.dooms(resolution, creature.handle, creature.title):
        bury(resolution, (creature,))


def banish(resolution: Resolution, action: do.Banish) -> None:
    """Remove a creature and its card, or cards of a player, from the game; no creature dies of it (R4.20, A4.15)."""
    if not resolution.state.is_seat(action.target):
        _banish_creature(resolution, action)
        return
    player = resolution.state.player(action.target)
    if action.cards is None:
        raise RuleError(f"How many cards of {player.name} are banished? `banish {player.seat} N` (R4.20).")
    cycle.remove(resolution, player.seat, action.cards, action.level, action.from_)
    cards = quantity(action.cards, "card")
    text = f"{player.name} removes {cards} of level {action.level} from the game ({action.from_})."
    resolution.tell(text, player.seat, by_hand=True)


def _banish_creature(resolution: Resolution, action: do.Banish) -> None:
    creature = resolution.state.creature(action.target)
    if action.cards is not None:
        raise RuleError(f"A creature is banished without a number: `banish {creature.handle}` (R4.20).")
    leave(resolution, (creature,))
    resolution.tell(f"{creature.title} of {resolution.name(creature.owner)} is banished.", creature.owner, by_hand=True)
    if creature.card:
        cycle.remove_card_of(resolution, creature.owner, creature.card)


def forge(resolution: Resolution, action: do.ForgeCreature) -> None:
    """Play a creature into an own lane; a creature there is Replaced, not destroyed (R4.6, R4.10)."""
    _check_lane(action.lane)
    keywords = read_keywords(action.has)
    _check_new(resolution.state, action.handle, action.figures)
    level, free = _level_of(action), bool(action.free)
    card = _play(resolution, action.seat, level, free, "overload" in keywords)
    replaced = resolution.state.at(action.seat, action.lane)
    if replaced:
        leave(resolution, (replaced,))
    creature = LaneCreature(
        *(action.handle, action.seat, action.lane, *action.figures),
        level=level,
        card=card,
        keywords=keywords,
    )
    _add_creature(resolution, creature)
    over = f" over {replaced.title}" if replaced else ""
    what = f"Forges {_describe_creature(creature)} in lane {action.lane}{over}"
    _tell_play(resolution, action.seat, what, level, card, free)
    count_copy(resolution, action.seat, action.handle)
    opposite = resolution.state.at(resolution.state.rival(action.seat).seat, action.lane)
    remind(resolution, creature, "forged", "" if opposite else "unopposed", "replaced" if replaced else "")


def cast(resolution: Resolution, action: do.Cast) -> None:
    """Play a spell (R4.6, R4.7)."""
    level, free = _level_of(action), bool(action.free)
    card = _play(resolution, action.seat, level, free, bool(action.overload))
    _tell_play(resolution, action.seat, f"casts {action.name}", level, card, free)
    count_copy(resolution, action.seat, action.name)


def bank(resolution: Resolution, action: do.Bank) -> None:
    """Discard a card directly to level it: a play whose card is hidden from the opponent, so it is not named (R4.6)."""
    if action.free:
        raise RuleError("A Free card is never discarded directly to level it (R4.6, A4.9); play it, or keep it.")
    level = _level_of(action)
    card = _play(resolution, action.seat, level, free=False, overload=False)
    own = f"levels {action.name} face down" if action.name else ""
    _tell_play(resolution, action.seat, "levels a card face down", level, card, free=False, own=own)


def _level_of(action: do.ForgeCreature | do.Cast | do.Bank) -> int:
    return 1 if action.level is None else action.level


def _play(resolution: Resolution, seat: str, level: int, free: bool, overload: bool) -> int:
    """Take a card from the hand for a play, or as Free (R4.5); return its level in the discard pile.

    Raises RuleError in another player's turn, or if no play or no such card is left.
    """
    state = resolution.state
    player = state.player(seat)
    if seat != state.active:
        raise RuleError(f"It is {state.player(state.active).name}'s turn (R4.4); {player.name} plays in the next one.")
    if state.counts(seat, "plays") and not (player.plays or free):
        raise RuleError(
            f"{player.name} has no play left (R4.5): a Free card is played with `free`, "
            f"an extra play is `add {seat} plays +1`."
        )
    return level_up(resolution, player, level, overload, player.plays - (not free))


def _tell_play(resolution: Resolution, seat: str, what: str, level: int, card: int, free: bool, own: str = "") -> None:
    """Report a play with its cost and the new place of its card; `own` is the text for its player alone."""
    player = resolution.state.player(seat)
    goes = f"its level {card} goes to the discard pile" if card else f"level {level} leaves the game"
    cost = "Free" if free else "1 play"
    left = f", {player.plays} left" if resolution.state.counts(seat, "plays") else ""
    rest = f"{cost}{left}; {goes}."
    own = f"{player.name} {own}; {rest}" if own else ""
    resolution.tell(f"{player.name} {what}; {rest}", seat, by_hand=True, own=own)


def place(resolution: Resolution, action: do.Place) -> None:
    """Put a creature on the table without a play."""
    player = resolution.state.player(action.seat)
    _check_lane(action.lane)
    if taken := resolution.state.at(player.seat, action.lane):
        raise RuleError(f"{taken.title} is in lane {action.lane} of {player.name} (R4.1); name an empty lane.")
    _bring_creature(resolution, player, action.lane, action, awake=action.awake)


def spawn(resolution: Resolution, action: do.Spawn) -> None:
    """Bring a creature into the empty lane that was drawn; if no lane is empty, nothing happens (R4.20)."""
    player = resolution.state.player(action.seat)
    resolution.change(draws=resolution.state.draws + 1)
    empty = resolution.state.empty_lanes(player.seat)
    if not empty:
        resolution.tell(f"{player.name} has no empty lane: nothing is Spawned (R4.20).", player.seat)
    elif not action.lane:
        raise RuleError(
            f"Chance chooses among the lanes {', '.join(map(str, empty))} (R4.20): draw one, and say it behind `lane`; "
            "`drawn` at the end draws one for you."
        )
    elif action.lane not in empty:
        raise RuleError(
            f"Lane {action.lane} of {player.name} is not empty (R4.20); empty: {', '.join(map(str, empty))}."
        )
    else:
        _bring_creature(resolution, player, action.lane, action, awake=False)


def drawn_lane(state: SolForgeTable, action: do.Spawn, rng: Random) -> do.Spawn:
    """Return a Spawn with a random lane, unless a lane was named (R4.20)."""
    empty = state.empty_lanes(action.seat)
    if state.house.table_draws and not action.is_drawn and len(empty) > 1:
        return action
    return msgspec.structs.replace(action, lane=rng.choice(empty)) if empty and not action.lane else action


def _bring_creature(
    resolution: Resolution, player: SolForgePlayer, lane: int, action: do.Place | do.Spawn, awake: bool
) -> None:
    """Add a creature without a play: it was not Forged, and has no card in the cycle (R4.20)."""
    keywords = read_keywords(action.has)
    _check_new(resolution.state, action.handle, action.figures)
    creature = LaneCreature(action.handle, player.seat, lane, *action.figures, asleep=not awake, keywords=keywords)
    _add_creature(resolution, creature)
    resolution.tell(
        f"{_describe_creature(creature)} comes into lane {lane} of {player.name}.", player.seat, by_hand=True
    )


def _add_creature(resolution: Resolution, creature: LaneCreature) -> None:
    state = resolution.state
    resolution.change(creatures=(*state.creatures, creature), handles=state.handles | {creature.handle})


def _check_lane(lane: int) -> None:
    if lane not in LANES:
        raise RuleError(f"There is no lane {lane}; the lanes are 1 to 5 (R4.1).")


def _check_new(state: SolForgeTable, handle: str, figures: tuple[int, int]) -> None:
    """Raise RuleError if a handle cannot name a new creature, or the creature has no health."""
    check_free(handle, state.handles, [player.seat for player in state.players], do.reserved_words())
    if not figures[1]:
        raise RuleError("A creature comes with at least 1 health (R4.22); write ATTACK/HEALTH, as 3/4.")


def _describe_creature(creature: LaneCreature) -> str:
    """Describe a creature: `Wolf 3/4 (Armor 1)`, above the first level `Wolf 7/8 (level 2, Armor 1)`"""
    level = (f"level {creature.level}",) if creature.level > 1 else ()
    words = ", ".join((*level, *(format_keyword(name, number) for name, number in creature.keywords.items())))
    return f"{creature.title} {format_pair(creature.attack, creature.max)}{f' ({words})' if words else ''}"
