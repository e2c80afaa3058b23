"""What befalls creatures: Mobility, Activate, figures and keywords that change, and leaving the lanes (R4.17–R4.20)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from companion.games.action import RuleError
from companion.games.solforge import actions as do
from companion.games.solforge import cycle
from companion.games.solforge.batch import bury, leave, remind
from companion.games.solforge.keywords import KEYWORDS, Keyword, known, read_keyword, written
from companion.games.solforge.state import Creature, Player, Resolution, Table, counted

T = TypeVar("T")


def move(resolution: Resolution, action: do.Move) -> None:
    """Mobility: an empty own lane up to so many lanes away, over others where need be, once a turn (R4.17, A4.4)."""
    creature = _ready(resolution.state, action.handle, "mobility")
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
    """Use an ability, once a turn; what it does is said by lines of its own (R4.20, A4.4)."""
    creature = _ready(resolution.state, action.handle, "activate")
    if creature.activated:
        raise RuleError(f"{creature.title} has used its Activate in this turn (A4.4).")
    resolution.update_creature(creature.handle, activated=True)
    resolution.tell(f"{creature.title} Activates: do what its card says.", creature.owner, by_hand=True)


def _ready(state: Table, handle: str, keyword: str) -> Creature:
    """A creature of the active player that has a keyword and is awake or Aggressive (R4.10). Raises RuleError."""
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
    """More or less attack and maximum health; less health is no damage, so no Armor prevents it (R4.14, R4.19)."""
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
    now = f"{after.attack}/{after.health}"
    resolution.tell(f"{creature.title} {attack:+d}/{health:+d}{until}: {now}.", creature.owner, by_hand=True)


def give(resolution: Resolution, action: do.Give) -> None:
    """A keyword for a creature or a player; a new number replaces the old one (R4.20, A4.11)."""
    bearer = resolution.state.bearer(action.target)
    name, number = read_keyword(action.keyword)
    if isinstance(bearer, Player):
        _check_on_player(bearer, KEYWORDS[name])
        if action.until_end:
            raise RuleError("Until the end of the turn only creatures are given a keyword; leave `until-end` out.")
    else:
        _lend(resolution, bearer, name, action.until_end)
    resolution.update(bearer, keywords={**bearer.keywords, name: number})
    until = " until the end of the turn" if action.until_end else ""
    resolution.tell(f"{bearer.title} has {written(name, number)}{until}.", bearer.owner, by_hand=True)


def _lend(resolution: Resolution, creature: Creature, name: str, until_end: bool) -> None:
    """Remember what a creature has again at the end of the turn; what is given for good wears off no more."""
    if name in creature.negated:
        raise RuleError(f"{KEYWORDS[name].title} of {creature.title} was negated and does not come back (R4.20).")
    if not until_end:
        resolution.update_creature(creature.handle, lent=_without(creature.lent, name))
    elif name not in creature.lent:
        resolution.update_creature(creature.handle, lent={**creature.lent, name: creature.keywords.get(name)})


def _without(numbers: Mapping[str, T], name: str) -> Mapping[str, T]:
    """All but one keyword."""
    return {word: number for word, number in numbers.items() if word != name}


def take_away(resolution: Resolution, action: do.TakeAway) -> None:
    """A keyword goes, with its number; what is negated does not come back (R4.20)."""
    bearer = resolution.state.bearer(action.target)
    name, _, number = action.keyword.partition("=")
    keyword = known(name)
    held = bearer.keywords.get(name)
    if held is None and not action.negate:
        raise RuleError(f"{bearer.title} has no {keyword.title} that could be taken away (R4.20).")
    if number and number != str(held):
        raise RuleError(f"{bearer.title} has {written(name, held or 0)}; `give` leaves another number (R4.20).")
    if action.negate:
        if isinstance(bearer, Player):
            raise RuleError("Only a keyword of a creature is negated (R4.20); leave `negate` out.")
        resolution.update(bearer, negated=(*bearer.negated, name))
    if isinstance(bearer, Creature):
        resolution.update(bearer, lent=_without(bearer.lent, name))
    resolution.update(bearer, keywords=_without(bearer.keywords, name))
    for_good = ", and it does not come back" if action.negate else " any more"
    resolution.tell(f"{bearer.title} has no {keyword.title}{for_good}.", bearer.owner, by_hand=True)


def _check_on_player(player: Player, keyword: Keyword) -> None:
    if not keyword.on_player:
        able = ", ".join(other.title for other in KEYWORDS.values() if other.on_player)
        raise RuleError(f"{player.name} cannot have {keyword.title}; a player can have {able} (A4.11).")


def destroy(resolution: Resolution, action: do.Destroy) -> None:
    """A creature is destroyed, and dies (R4.20)."""
    bury(resolution, (resolution.state.creature(action.handle),))


def banish(resolution: Resolution, action: do.Banish) -> None:
    """A creature and its card, or cards of a player, leave the game; nothing dies of it (R4.20, A4.15)."""
    if not resolution.state.is_seat(action.target):
        _banish_creature(resolution, action)
        return
    player = resolution.state.player(action.target)
    if action.cards is None:
        raise RuleError(f"How many cards of {player.name} are banished? `banish {player.seat} N` (R4.20).")
    cycle.remove(resolution, player.seat, action.cards, action.level, action.from_)
    cards = counted(action.cards, "card")
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
