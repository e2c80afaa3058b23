"""Effects of cards on players and creatures other than damage: healing, changed figures, keywords, tokens."""

from __future__ import annotations

from companion.games.oddfrontier.rules.actions import FIRST_ASSAULT, Buff, Give, Heal, TakeAway, Token
from companion.games.oddfrontier.rules.battlefield import enter
from companion.games.oddfrontier.rules.state import Permanent, Resolution
from companion.tabletop.action import RuleError
from companion.tabletop.text import figure, signed_figure

_UNTIL_END = " until the end of the turn"


def heal(resolution: Resolution, action: Heal) -> None:
    """Give a player life, without a maximum, or take this turn's damage off a Creature (R3.1, R3.9)."""
    state = resolution.state
    if state.is_seat(action.target):
        player = state.playing(action.target)
        life = player.life + action.amount
        resolution.update_player(player.seat, life=life)
        resolution.tell(f"{player.name}: life {player.life} + {action.amount} = {life}.", player.seat)
        return
    creature = state.creature(action.target)
    damage = max(0, creature.damage - action.amount)
    resolution.update_permanent(creature.handle, damage=damage)
    text = f"{creature.title} heals {action.amount}: damage {creature.damage} → {damage} of {creature.defense}."
    resolution.tell(text, creature.seat)


def buff(resolution: Resolution, action: Buff) -> None:
    """Change a Creature's attack and defense; without defense left it dies as by damage (R3.9)."""
    creature = resolution.state.creature(action.handle)
    attack, defense = creature.attack + action.change[0], creature.defense + action.change[1]
    lasting = creature.until_end
    if action.until_end:
        lasting = (lasting[0] + action.change[0], lasting[1] + action.change[1])
    resolution.update_permanent(creature.handle, attack=attack, defense=defense, until_end=lasting)
    change = "/".join(map(signed_figure, action.change))
    until = _UNTIL_END if action.until_end else ""
    now = f"{figure(attack)}/{figure(defense)}"
    text = f"{creature.title} {change}{until}: {figure(creature.attack)}/{figure(creature.defense)} → {now}."
    resolution.tell(text, creature.seat)


def give(resolution: Resolution, action: Give) -> None:
    """Give a Creature First Assault, for good or until the end of the turn (A3.5)."""
    creature = resolution.state.creature(action.handle)
    _check_keyword(action.keyword)
    if creature.first_assault and (action.until_end or not creature.lent_assault):
        raise RuleError(f"{creature.title} has First Assault already (A3.5).")
    resolution.update_permanent(creature.handle, first_assault=True, lent_assault=action.until_end)
    resolution.tell(f"{creature.title} has First Assault{_UNTIL_END if action.until_end else ''}.", creature.seat)


def take_away(resolution: Resolution, action: TakeAway) -> None:
    """Take First Assault away from a Creature (A3.5)."""
    creature = resolution.state.creature(action.handle)
    _check_keyword(action.keyword)
    if not creature.first_assault:
        raise RuleError(f"{creature.title} has no First Assault that could be taken away (A3.5).")
    resolution.update_permanent(creature.handle, first_assault=False, lent_assault=False)
    resolution.tell(f"{creature.title} has no First Assault any more.", creature.seat)


def _check_keyword(word: str) -> None:
    if word != FIRST_ASSAULT:
        raise RuleError(
            f"“{word}” is no keyword of this game; it knows {FIRST_ASSAULT} (A3.5). `note` keeps what else a card says."
        )


def token(resolution: Resolution, action: Token) -> None:
    """Create a Creature that is not a card: it costs nothing and does not come from the hand."""
    player = resolution.state.playing(action.seat)
    attack, defense = action.figures
    creature = Permanent(
        action.handle,
        player.seat,
        creature=True,
        attack=attack,
        defense=defense,
        first_assault=action.first_assault,
        token=True,
        came=resolution.state.turn,
    )
    enter(resolution, creature)
    what = f"{creature.title} {attack}/{defense}{' with First Assault' if action.first_assault else ''}"
    resolution.tell(f"{player.name} puts the token {what} on the battlefield.", player.seat, by_hand=True)


def wear_off(resolution: Resolution) -> None:
    """End the effects that lasted until the end of the turn."""
    for creature in resolution.state.permanents:
        change = creature.until_end
        if any(change):
            attack, defense = creature.attack - change[0], creature.defense - change[1]
            resolution.update_permanent(creature.handle, attack=attack, defense=defense, until_end=(0, 0))
            text = f"{'/'.join(map(signed_figure, change))} of {creature.title} wears off."
            resolution.tell(text, creature.seat)
        if creature.lent_assault:
            resolution.update_permanent(creature.handle, first_assault=False, lent_assault=False)
            resolution.tell(f"First Assault of {creature.title} wears off.", creature.seat)
