"""Plays: forging creatures into lanes, casting and banking spells."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final, TypeVar

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
from templates.languages.messages import Finished, Message, Text, joined, listed, phrase, phrase_in, phrases

T = TypeVar("T")


def move(resolution: Resolution, action: do.MoveCreature) -> None:
    """Move a creature with Mobility to an empty own lane in reach, past others too, once a turn (R4.17, A4.4)."""
    creature = _ready_creature(resolution.state, action.handle, "mobility")
    reach = creature.keywords["mobility"]
    if creature.moved:
        raise RuleError(phrase("{creature} has already moved this turn (R4.17, A4.4).", creature=creature.title))
    if action.lane not in resolution.state.empty_lanes(creature.owner):
        raise RuleError(
            phrase(
                "Lane {lane} is not an empty lane of {player} (R4.17).",
                lane=action.lane,
                player=resolution.name(creature.owner),
            )
        )
    if abs(action.lane - creature.lane) > reach:
        raise RuleError(
            phrases(
                "{creature} moves up to {n} lanes from lane {lane} (R4.17).",
                "{creature} moves up to {n} lanes from lane {lane} (R4.17).",
                n=reach,
                creature=creature.title,
                lane=creature.lane,
            )
        )
    resolution.update_creature(creature.handle, lane=action.lane, moved=True)
    text = phrase(
        "{creature} moves from lane {before} to {lane}.",
        creature=creature.title,
        before=creature.lane,
        lane=action.lane,
    )
    resolution.tell(text, creature.owner, by_hand=True)
    remind(resolution, creature, "moved")


def activate(resolution: Resolution, action: do.Activate) -> None:
    """Use an ability, once a turn; separate lines enter its effects (R4.20, A4.4)."""
    creature = _ready_creature(resolution.state, action.handle, "activate")
    if creature.activated:
        raise RuleError(phrase("{creature} has already Activated this turn (A4.4).", creature=creature.title))
    resolution.update_creature(creature.handle, activated=True)
    text = phrase("{creature} Activates: do what its card says.", creature=creature.title)
    resolution.tell(text, creature.owner, by_hand=True)


def _ready_creature(state: SolForgeTable, handle: str, keyword: str) -> LaneCreature:
    """Return a creature of the active player with a keyword, awake or Aggressive (R4.10). Raises RuleError."""
    creature = state.creature(handle)
    if creature.owner != state.active:
        raise RuleError(phrase("{creature} acts only in its owner's turn (R4.4).", creature=creature.title))
    if keyword not in creature.keywords:
        raise RuleError(
            phrase(
                "{creature} has no {keyword} (R4.20); if its card says otherwise: `{command}`.",
                creature=creature.title,
                keyword=KEYWORDS[keyword].title,
                command=f"give {handle} {keyword}",
            )
        )
    if not creature.ready:
        raise RuleError(
            phrase(
                "{creature} sleeps until its owner's next turn (R4.10); `{command}` wakes it.",
                creature=creature.title,
                command=f"set {handle} asleep no",
            )
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
    values = {"creature": creature.title, "change": format_changes(attack, health), "figures": after.figures}
    if action.until_end:
        # Translators: the change and the new figures are pairs: “Wolf +2/−1 until the end of the turn: 5/2.”
        text = phrase("{creature} {change} until the end of the turn: {figures}.", **values)
    else:
        text = phrase("{creature} {change}: {figures}.", **values)
    resolution.tell(text, creature.owner, by_hand=True)


def give(resolution: Resolution, action: do.Give) -> None:
    """Give a keyword to a creature or a player; a new number replaces the old one (R4.20, A4.11)."""
    bearer = resolution.state.bearer(action.target)
    name, number = read_keyword(action.keyword)
    if isinstance(bearer, SolForgePlayer):
        if not KEYWORDS[name].on_player:
            raise RuleError(
                phrase(
                    "{player} cannot have {keyword}; a player can have {keywords} (A4.11).",
                    player=bearer.name,
                    keyword=KEYWORDS[name].title,
                    keywords=listed(keyword.title for keyword in KEYWORDS.values() if keyword.on_player),
                )
            )
        if action.until_end:
            raise RuleError(
                phrase("Only creatures can have a keyword until the end of the turn; leave out `until-end`.")
            )
    else:
        _lend_keyword(resolution, bearer, name, action.until_end)
    resolution.update(bearer, keywords={**bearer.keywords, name: number})
    keyword = format_keyword(name, number)
    if action.until_end:
        text = phrase("{target} has {keyword} until the end of the turn.", target=bearer.title, keyword=keyword)
    else:
        text = phrase("{target} has {keyword}.", target=bearer.title, keyword=keyword)
    resolution.tell(text, bearer.owner, by_hand=True)


def _lend_keyword(resolution: Resolution, creature: LaneCreature, name: str, until_end: bool) -> None:
    """Remember the keyword to restore at the end of the turn; a keyword given for good no longer wears off."""
    if name in creature.negated:
        raise RuleError(
            phrase(
                "{keyword} of {creature} was negated and does not come back (R4.20).",
                keyword=KEYWORDS[name].title,
                creature=creature.title,
            )
        )
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
        raise RuleError(
            phrase(
                "{target} has no {keyword} that could be taken away (R4.20).",
                target=bearer.title,
                keyword=keyword.title,
            )
        )
    if number and number != str(held):
        raise RuleError(
            phrase(
                "{target} has {keyword}; `give` sets another number (R4.20).",
                target=bearer.title,
                keyword=format_keyword(name, held or 0),
            )
        )
    if action.negate:
        if isinstance(bearer, SolForgePlayer):
            raise RuleError(phrase("Only a creature's keyword can be negated (R4.20); leave out `negate`."))
        resolution.update(bearer, negated=(*bearer.negated, name))
    if isinstance(bearer, LaneCreature):
        resolution.update(bearer, lent=_without_keyword(bearer.lent, name))
    resolution.update(bearer, keywords=_without_keyword(bearer.keywords, name))
    values = {"target": bearer.title, "keyword": keyword.title}
    if action.negate:
        text = phrase("{target} loses {keyword} and cannot get it back.", **values)
    else:
        text = phrase("{target} loses {keyword}.", **values)
    resolution.tell(text, bearer.owner, by_hand=True)


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
        raise RuleError(
            phrase(
                "How many cards of {player} are banished? `{command}` (R4.20).",
                player=player.name,
                command=f"banish {player.seat} N",
            )
        )
    cycle.remove(resolution, player.seat, action.cards, action.level, action.from_)
    text = phrases(
        "{player} removes {n} card of level {level} from the game ({pile}).",
        "{player} removes {n} cards of level {level} from the game ({pile}).",
        n=action.cards,
        player=player.name,
        level=action.level,
        pile=_PILES[action.from_],
    )
    resolution.tell(text, player.seat, by_hand=True)


_PILES: Final[Mapping[str, Message]] = {
    # Translators: the pile from which cards are removed, in brackets
    "hand": phrase_in("pile", "hand"),
    "deck": phrase_in("pile", "deck"),
    "discard": phrase_in("pile", "discard"),
}


def _banish_creature(resolution: Resolution, action: do.Banish) -> None:
    creature = resolution.state.creature(action.target)
    if action.cards is not None:
        raise RuleError(
            phrase("Banishing a creature takes no number: `{command}` (R4.20).", command=f"banish {creature.handle}")
        )
    leave(resolution, (creature,))
    text = phrase(
        "{creature} of {player} is banished.", creature=creature.title, player=resolution.name(creature.owner)
    )
    resolution.tell(text, creature.owner, by_hand=True)
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
    values = {
        "player": resolution.name(action.seat),
        "creature": _describe_creature(creature),
        "lane": action.lane,
    }
    # Translators: the first part of a sentence; what it costs follows behind a semicolon
    if replaced:
        what = phrase("{player} Forges {creature} in lane {lane} over {replaced}", replaced=replaced.title, **values)
    else:
        what = phrase("{player} Forges {creature} in lane {lane}", **values)
    _tell_play(resolution, action.seat, what, level, card, free)
    count_copy(resolution, action.seat, action.handle)
    opposite = resolution.state.at(resolution.state.rival(action.seat).seat, action.lane)
    remind(resolution, creature, "forged", "" if opposite else "unopposed", "replaced" if replaced else "")


def cast(resolution: Resolution, action: do.Cast) -> None:
    """Play a spell (R4.6, R4.7)."""
    level, free = _level_of(action), bool(action.free)
    card = _play(resolution, action.seat, level, free, bool(action.overload))
    # Translators: the first part of a sentence; what it costs follows behind a semicolon
    what = phrase("{player} casts {spell}", player=resolution.name(action.seat), spell=action.name)
    _tell_play(resolution, action.seat, what, level, card, free)
    count_copy(resolution, action.seat, action.name)


def bank(resolution: Resolution, action: do.Bank) -> None:
    """Discard a card directly to level it: a play whose card is hidden from the opponent, so it is not named (R4.6)."""
    if action.free:
        raise RuleError(
            phrase("A Free card cannot be discarded directly to level it (R4.6, A4.9); play it, or keep it.")
        )
    level = _level_of(action)
    card = _play(resolution, action.seat, level, free=False, overload=False)
    player = resolution.name(action.seat)
    # Translators: the first part of a sentence; what it costs follows behind a semicolon
    what = phrase("{player} levels a card face down", player=player)
    own = phrase("{player} levels {card} face down", player=player, card=action.name) if action.name else ""
    _tell_play(resolution, action.seat, what, level, card, free=False, own=own)


def _level_of(action: do.ForgeCreature | do.Cast | do.Bank) -> int:
    return 1 if action.level is None else action.level


def _play(resolution: Resolution, seat: str, level: int, free: bool, overload: bool) -> int:
    """Take a card from the hand for a play, or as Free (R4.5); return its level in the discard pile.

    Raises RuleError in another player's turn, or if no play or no such card is left.
    """
    state = resolution.state
    player = state.player(seat)
    if seat != state.active:
        raise RuleError(
            phrase(
                "It is {turn_player}'s turn (R4.4); {player} plays in the next one.",
                turn_player=state.player(state.active).name,
                player=player.name,
            )
        )
    if state.counts(seat, "plays") and not (player.plays or free):
        raise RuleError(
            phrase(
                "{player} has no play left (R4.5); play a Free card with `free`, or add an extra "
                "play with `{command}`.",
                player=player.name,
                command=f"add {seat} plays +1",
            )
        )
    return level_up(resolution, player, level, overload, player.plays - (not free))


def _tell_play(
    resolution: Resolution, seat: str, what: Message, level: int, card: int, free: bool, own: Text = ""
) -> None:
    """Report a play with its cost and the new place of its card; `own` is the text for its player alone."""
    player = resolution.state.player(seat)
    if card:
        # Translators: the last part of a sentence about a card that was played: the card of this level
        goes = phrase("its level {level} goes to the discard pile", level=card)
    else:
        goes = phrase("level {level} leaves the game", level=level)
    left = player.plays if resolution.state.counts(seat, "plays") else None
    rest = (_play_cost(free, left), goes)
    text = Finished(joined("; ", (what, *rest)))
    resolution.tell(text, seat, by_hand=True, own=Finished(joined("; ", (own, *rest))) if own else "")


def _play_cost(free: bool, left: int | None) -> Message:
    """Return the cost of a play, and the plays that are left; None if they are not counted."""
    if left is None:
        return phrase("Free") if free else phrase("1 play")
    # Translators: the cost of a card within a sentence, and how many plays are left
    return phrase("Free, {plays} left", plays=left) if free else phrase("1 play, {plays} left", plays=left)


def place(resolution: Resolution, action: do.Place) -> None:
    """Put a creature on the table without a play."""
    player = resolution.state.player(action.seat)
    _check_lane(action.lane)
    if taken := resolution.state.at(player.seat, action.lane):
        raise RuleError(
            phrase(
                "{creature} is in lane {lane} of {player} (R4.1); name an empty lane.",
                creature=taken.title,
                lane=action.lane,
                player=player.name,
            )
        )
    _bring_creature(resolution, player, action.lane, action, awake=action.awake)


def spawn(resolution: Resolution, action: do.Spawn) -> None:
    """Bring a creature into the empty lane that was drawn; if no lane is empty, nothing happens (R4.20)."""
    player = resolution.state.player(action.seat)
    resolution.change(draws=resolution.state.draws + 1)
    empty = resolution.state.empty_lanes(player.seat)
    if not empty:
        text = phrase("{player} has no empty lane: nothing is Spawned (R4.20).", player=player.name)
        resolution.tell(text, player.seat)
    elif not action.lane:
        raise RuleError(
            phrase(
                "Chance chooses among the lanes {lanes} (R4.20): draw one and write it after `lane`, "
                "or write `drawn` at the end to have it drawn for you.",
                lanes=listed(empty),
            )
        )
    elif action.lane not in empty:
        raise RuleError(
            phrase(
                "Lane {lane} of {player} is not empty (R4.20); empty: {lanes}.",
                lane=action.lane,
                player=player.name,
                lanes=listed(empty),
            )
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
    text = phrase(
        "{creature} comes into lane {lane} of {player}.",
        creature=_describe_creature(creature),
        lane=lane,
        player=player.name,
    )
    resolution.tell(text, player.seat, by_hand=True)


def _add_creature(resolution: Resolution, creature: LaneCreature) -> None:
    state = resolution.state
    resolution.change(creatures=(*state.creatures, creature), handles=state.handles | {creature.handle})


def _check_lane(lane: int) -> None:
    if lane not in LANES:
        raise RuleError(phrase("There is no lane {lane}; the lanes are 1 to 5 (R4.1).", lane=lane))


def _check_new(state: SolForgeTable, handle: str, figures: tuple[int, int]) -> None:
    """Raise RuleError if a handle cannot name a new creature, or the creature has no health."""
    check_free(handle, state.handles, [player.seat for player in state.players], do.reserved_words())
    if not figures[1]:
        raise RuleError(phrase("A creature enters with at least 1 health (R4.22); write ATTACK/HEALTH, such as 3/4."))


def _describe_creature(creature: LaneCreature) -> Text:
    """Describe a creature: `Wolf 3/4 (Armor 1)`, above the first level `Wolf 7/8 (level 2, Armor 1)`"""
    level = (phrase("level {level}", level=creature.level),) if creature.level > 1 else ()
    words = (*level, *(format_keyword(name, number) for name, number in creature.keywords.items()))
    figures = format_pair(creature.attack, creature.max)
    if not words:
        return f"{creature.title} {figures}"
    # Translators: a creature with its figures, its level and its keywords: “Wolf 7/8 (level 2, Armor 1)”
    return phrase("{creature} {figures} ({words})", creature=creature.title, figures=figures, words=listed(words))
