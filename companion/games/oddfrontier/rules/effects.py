"""Effects of cards on players and creatures other than damage: healing, changed figures, keywords, tokens."""

from __future__ import annotations

from companion.games.oddfrontier.rules.actions import FIRST_ASSAULT, Buff, Give, Heal, TakeAway, Token
from companion.games.oddfrontier.rules.battlefield import enter
from companion.games.oddfrontier.rules.state import Permanent, Resolution
from companion.tabletop.action import RuleError
from companion.tabletop.text import figure
from templates.languages.messages import joined, phrase, signed


def heal(resolution: Resolution, action: Heal) -> None:
    """Give a player life, without a maximum, or take this turn's damage off a Creature (R3.1, R3.9)."""
    state = resolution.state
    if state.is_seat(action.target):
        player = state.playing(action.target)
        life = player.life + action.amount
        resolution.update_player(player.seat, life=life)
        text = phrase(
            "{player}: life {sum} = {life}.",
            player=player.name,
            sum=joined(" + ", (str(player.life), action.amount)),
            life=life,
        )
        resolution.tell(text, player.seat)
        return
    creature = state.creature(action.target)
    damage = max(0, creature.damage - action.amount)
    resolution.update_permanent(creature.handle, damage=damage)
    text = phrase(
        "{creature} heals {amount}: damage {before} → {damage} of {defense}.",
        creature=creature.title,
        amount=action.amount,
        before=creature.damage,
        damage=damage,
        defense=creature.defense,
    )
    resolution.tell(text, creature.seat)


def buff(resolution: Resolution, action: Buff) -> None:
    """Change a Creature's attack and defense; without defense left it dies as by damage (R3.9)."""
    creature = resolution.state.creature(action.handle)
    attack, defense = creature.attack + action.change[0], creature.defense + action.change[1]
    lasting = creature.until_end
    if action.until_end:
        lasting = (lasting[0] + action.change[0], lasting[1] + action.change[1])
    resolution.update_permanent(creature.handle, attack=attack, defense=defense, until_end=lasting)
    values = {
        "creature": creature.title,
        "change": joined("/", map(signed, action.change)),
        "before": f"{figure(creature.attack)}/{figure(creature.defense)}",
        "figures": f"{figure(attack)}/{figure(defense)}",
    }
    if action.until_end:
        # Translators: the change and the figures are pairs: “Wolf +2/−1 until the end of the turn: 3/3 → 5/2.”
        text = phrase("{creature} {change} until the end of the turn: {before} → {figures}.", **values)
    else:
        text = phrase("{creature} {change}: {before} → {figures}.", **values)
    resolution.tell(text, creature.seat)


def give(resolution: Resolution, action: Give) -> None:
    """Give a Creature First Assault, for good or until the end of the turn (A3.5)."""
    creature = resolution.state.creature(action.handle)
    _check_keyword(action.keyword)
    if creature.first_assault and (action.until_end or not creature.lent_assault):
        raise RuleError(phrase("{creature} already has First Assault (A3.5).", creature=creature.title))
    resolution.update_permanent(creature.handle, first_assault=True, lent_assault=action.until_end)
    if action.until_end:
        text = phrase("{creature} has First Assault until the end of the turn.", creature=creature.title)
    else:
        text = phrase("{creature} has First Assault.", creature=creature.title)
    resolution.tell(text, creature.seat)


def take_away(resolution: Resolution, action: TakeAway) -> None:
    """Take First Assault away from a Creature (A3.5)."""
    creature = resolution.state.creature(action.handle)
    _check_keyword(action.keyword)
    if not creature.first_assault:
        raise RuleError(
            phrase("{creature} has no First Assault that could be taken away (A3.5).", creature=creature.title)
        )
    resolution.update_permanent(creature.handle, first_assault=False, lent_assault=False)
    resolution.tell(phrase("{creature} loses First Assault.", creature=creature.title), creature.seat)


def _check_keyword(word: str) -> None:
    if word != FIRST_ASSAULT:
        raise RuleError(
            phrase(
                "“{word}” is not a keyword of this game; the only one is {keyword} (A3.5). `note` "
                "records what else a card says.",
                word=word,
                keyword=FIRST_ASSAULT,
            )
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
    values = {"player": player.name, "creature": creature.title, "figures": f"{attack}/{defense}"}
    if action.first_assault:
        text = phrase("{player} puts the token {creature} {figures} with First Assault on the battlefield.", **values)
    else:
        text = phrase("{player} puts the token {creature} {figures} on the battlefield.", **values)
    resolution.tell(text, player.seat, by_hand=True)


def wear_off(resolution: Resolution) -> None:
    """End the effects that lasted until the end of the turn."""
    for creature in resolution.state.permanents:
        change = creature.until_end
        if any(change):
            attack, defense = creature.attack - change[0], creature.defense - change[1]
            resolution.update_permanent(creature.handle, attack=attack, defense=defense, until_end=(0, 0))
            text = phrase(
                "{change} of {creature} wears off.", change=joined("/", map(signed, change)), creature=creature.title
            )
            resolution.tell(text, creature.seat)
        if creature.lent_assault:
            resolution.update_permanent(creature.handle, first_assault=False, lent_assault=False)
            resolution.tell(phrase("First Assault of {creature} wears off.", creature=creature.title), creature.seat)
