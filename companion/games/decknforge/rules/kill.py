"""Step 5: the Killing Blow, its rewards in order, and the Killer's bonus (R1.50–R1.57)."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from companion.games.decknforge.book.inscriptions import effects
from companion.games.decknforge.book.ledger import cross_out, draw, earn, earn_glory, heal, hp_healed
from companion.games.decknforge.book.state import (
    DungeonStep,
    DungeonTable,
    Foe,
    Resolution,
    Wizard,
)
from companion.games.decknforge.glossary import effect_name, kill_reason
from companion.games.decknforge.rules.actions import Bonus, Curse
from companion.games.decknforge.rules.arithmetic import Hit, labels_on
from companion.games.decknforge.rules.fight import MOMENTUM, RALLY, SURGE, end_fight, meet_boss
from companion.tabletop.action import RuleError
from companion.tabletop.notation.cards import card_title
from companion.tabletop.records import Reason
from companion.tabletop.table.common_actions import Next
from templates.languages.messages import Message, all_of, joined, listed, phrase, phrases, signed

BONUS_TITLES: Final[Mapping[str, Message]] = {
    "rally": phrase("Rally"),
    "surge": phrase("Surge"),
    "momentum": phrase("Momentum"),
}
"""Titles of the Killer's bonuses by their names in notation (R1.54)."""

KILL_COPPERS = 3
OVERKILL_LIMIT = 5


def credit_kill(resolution: Resolution, overkill: int, hit: Hit | None, thorns_of: str = "", by: str = "") -> None:
    """Pay the kill (R1.57): Coppers, Glory, Legend.

    A kill by Thorns has no card and no overkill (A1.37). In one entered `by` a seat, the card was not named. Without a
    killer no wizard takes it, as only cards of players who have left hit the Boss; the others get their share (A1.72).
    """
    state = resolution.state
    boss = state.boss
    assert boss is not None
    seat = hit.upcard.controller if hit else thorns_of or by
    resolution.change(
        killer=seat or None,
        overkill=overkill,
        kill_card=hit.upcard.card if hit else None,
        killed_bosses=(*state.killed_bosses, boss.ref),
    )
    if not seat:
        _nobody_kills(resolution, boss)
        return
    resolution.tell(_describe_killing_blow(resolution.name(seat), hit, bool(thorns_of)), seat, decides=True)
    _pay_coppers(resolution, boss, seat, overkill, hit)
    for wizard in state.wizards:
        if wizard.seat == seat or _shares_kill(state, wizard):
            earn_glory(resolution, wizard.seat)
    killer = resolution.state.wizard(seat)
    resolution.update_wizard(
        seat, personal=killer.personal + 1, best_kill=max(killer.best_kill, hit.face if hit else 0)
    )
    everybody = all(wizard.seat == seat or _shares_kill(state, wizard) for wizard in state.wizards)
    resolution.tell(
        phrase("Every band gains 1 Glory; {player} 1 personal Glory.", player=killer.name)
        if everybody
        else phrase(
            "The bands of all who are in the fight gain 1 Glory; {player} 1 personal Glory.", player=killer.name
        )
    )
    if state.monsters[boss.ref].legend:
        _reward_legend_kill(resolution, seat, hit)
    curses = any(label.curses for label in labels_on(resolution.state, boss))
    resolution.change(curse_due=curses)
    _win_dungeon(resolution)


def _describe_killing_blow(player: str, hit: Hit | None, by_thorns: bool) -> Message:
    if hit:
        return phrase(
            "{player} takes the Killing Blow with {card}, face value {value}.",
            player=player,
            card=hit.upcard.title,
            value=hit.face,
        )
    if by_thorns:
        return phrase("{player} takes the Killing Blow with Thorns.", player=player)
    return phrase("{player} takes the Killing Blow.", player=player)


def _nobody_kills(resolution: Resolution, boss: Foe) -> None:
    """Pay the wizards who are there as for the kill of another (R1.52, R1.53)."""
    resolution.tell(
        phrase("Only cards of players who have left hit the Boss: nobody takes the Killing Blow (A1.72)."), decides=True
    )
    for wizard in resolution.state.clockwise():
        if wizard.is_there:
            _pay_assist(resolution, boss, wizard)
        if _shares_kill(resolution.state, wizard):
            earn_glory(resolution, wizard.seat)
    resolution.change(curse_due=False)


def _win_dungeon(resolution: Resolution) -> None:
    """Win the dungeon if the sixth Boss is dead (R1.17), even if an override changed its number or the outcome."""
    if resolution.state.is_last_boss and resolution.state.outcome is None:
        resolution.change(outcome="win")
        resolution.tell(phrase("The sixth Boss is dead: WIN."))


def _pay_coppers(resolution: Resolution, boss: Foe, seat: str, overkill: int, hit: Hit | None) -> None:
    """Pay the Killer (R1.51) and all others (R1.52)."""
    parts = [(label.kill_coppers, label.name) for label in labels_on(resolution.state, boss)]
    if hit:
        on_card = effects(resolution.state, hit.upcard.owner, hit.upcard.card)
        parts += [(effect.kill_coppers, effect.name) for effect in on_card]
    bonuses = [part for part in parts if part[0]]
    parts = [(KILL_COPPERS, "kill"), (min(OVERKILL_LIMIT, overkill), "overkill"), *bonuses]
    total = sum(coppers for coppers, _ in parts)
    earn(resolution, seat, max(0, total), kill_reason(parts))
    for wizard in resolution.state.clockwise():
        if wizard.seat != seat and wizard.is_there:
            _pay_assist(resolution, boss, wizard)


def _shares_kill(state: DungeonTable, wizard: Wizard) -> bool:
    """Return True if a wizard shares in another's kill; wizards at 0 HP do, too (A1.15)."""
    return wizard.is_there and (wizard.in_fight or state.house.dead_assist)


def _pay_assist(resolution: Resolution, boss: Foe, wizard: Wizard) -> None:
    """Pay 1 Copper for the kill of another, and the bonus of Mercenary Pact (R1.52)."""
    pact, assist = _pact_coppers(resolution.state, boss, wizard.seat), int(_shares_kill(resolution.state, wizard))
    if assist:
        earn(resolution, wizard.seat, 1 + pact, Reason("assist", (pact,) if pact else ()))
    elif pact:
        earn(resolution, wizard.seat, pact, Reason("pact", (pact,)))


def _pact_coppers(state: DungeonTable, boss: Foe, seat: str) -> int:
    """Return the Coppers for the Pact cards by which a wizard damaged this Boss in this fight, once a card (R1.I19)."""
    cards = {(owner, card) for controller, owner, card in boss.wounded_by if controller == seat}
    return sum(effect.pact for owner, card in cards for effect in effects(state, owner, card))


def _reward_legend_kill(resolution: Resolution, seat: str, hit: Hit | None) -> None:
    """Reward a Legend's Killer: two cards at the next Fading, and a Mythic (R1.55, A1.19)."""
    state = resolution.state
    wizard = state.wizard(seat)
    marks = effects(state, hit.upcard.owner, hit.upcard.card) if hit else ()
    reaped = sum(effect.legend_mythics for effect in marks)
    earned = reaped + (state.house.mythic_source != "reaper-only")
    anywhere = wizard.any_card + (reaped if state.house.reaper_any_card else 0)
    resolution.update_wizard(seat, legend_killed=True, mythics=wizard.mythics + earned, any_card=anywhere)
    text = (
        phrases(
            "A Legend: {player} earns {n} Mythic and draws two cards at the next Fading.",
            "A Legend: {player} earns {n} Mythics and draws two cards at the next Fading.",
            n=earned,
            player=wizard.name,
        )
        if earned
        else phrase("A Legend: {player} draws two cards at the next Fading.", player=wizard.name)
    )
    resolution.tell(text, seat)


def asks_curse(state: DungeonTable) -> bool:
    """Return True if Cursed still takes an inscription: the Killer, even one set by `set`, has one to lose (A1.32)."""
    return state.curse_due and bool(state.bands[state.killer or ""].inscribed)


class KillStep(DungeonStep):
    """Step 5: the rewards are paid as the Boss dies; the Killer's choice ends the fight."""

    def enter(self, resolution: Resolution) -> None:
        """Announce the wizard whom Cursed hits (R1.L13)."""
        killer = resolution.state.killer or ""
        if asks_curse(resolution.state):
            text = phrase("Cursed: {player} loses one inscription for good (R1.L13).", player=resolution.name(killer))
            resolution.tell(text, killer)

    def waiting(self, state: DungeonTable) -> bool:
        """Return True until the bonus is chosen, if a wizard took the Killing Blow."""
        return state.killer is not None

    def leave(self, resolution: Resolution) -> str:
        """End the fight without a bonus, as no wizard took the kill."""
        return _end_fight(resolution, "", "")

    def default(self, resolution: Resolution) -> None:
        """Raise RuleError: curse and bonus are the Killer's choice; if Cursed is random, `next` becomes `curse`."""
        _refuse_open_curse(resolution)
        name = resolution.name(resolution.state.killer or "")
        raise RuleError(
            phrase(
                "{player} must choose a bonus: `bonus rally`, `bonus surge` or `bonus momentum` (R1.54).", player=name
            )
        )


def _refuse_open_curse(resolution: Resolution) -> None:
    killer = resolution.state.killer or ""
    if asks_curse(resolution.state):
        name = resolution.name(killer)
        raise RuleError(
            phrase(
                "{player} must say what Cursed takes: `curse {seat} CARD` (R1.L13, A1.32).", player=name, seat=killer
            )
        )


def drawn_for_curse(state: DungeonTable, action: Next, rng: Random) -> Curse | Next:
    """Draw one of the Killer's inscriptions for `next`, with `cursed-choice random` (A1.32)."""
    if not asks_curse(state) or state.house.cursed_choice != "random":
        return action
    killer = state.killer or ""
    inscribed = state.bands[killer].inscribed
    card, name = rng.choice([(card, name) for card in sorted(inscribed) for name in inscribed[card]])
    return Curse(killer, card, name)


def curse(resolution: Resolution, action: Curse) -> None:
    """Cross out the inscription that the Killer chose from the band they brought, or that was drawn by hand (A1.32)."""
    state = resolution.state
    if not asks_curse(state) or action.seat != state.killer:
        raise RuleError(phrase("Cursed asks nothing of this wizard now (R1.L13)."))
    names = state.bands[action.seat].inscribed.get(action.card, ())
    if not names:
        raise RuleError(
            phrase(
                "{card} bears no inscription; choose one of {cards}.",
                card=card_title(action.card),
                cards=listed(map(card_title, state.bands[action.seat].inscribed)),
            )
        )
    cross_out(resolution, action.seat, action.card, (_lost_inscription(state, action, names),), "cursed", action.seat)
    resolution.change(curse_due=False)


def _lost_inscription(state: DungeonTable, action: Curse, names: tuple[str, ...]) -> str:
    """Return the one inscription that the card loses (R1.L13); of two, the action must name it."""
    if action.inscription is None and len(names) > 1:
        raise RuleError(
            phrase(
                "{card} bears {inscriptions}, and Cursed takes one (R1.L13): `curse {seat} {word} INSCRIPTION`.",
                card=card_title(action.card),
                inscriptions=all_of(map(effect_name, names)),
                seat=action.seat,
                word=action.card,
            )
        )
    if action.inscription is not None and state.book.inscription(action.inscription).name not in names:
        raise RuleError(
            phrase(
                "{card} does not bear {inscription}; it bears {inscriptions}.",
                card=card_title(action.card),
                inscription=effect_name(action.inscription),
                inscriptions=all_of(map(effect_name, names)),
            )
        )
    return action.inscription or names[0]


def choose_bonus(resolution: Resolution, action: Bonus) -> str:
    """Apply Rally, Surge or Momentum (R1.54), then end the fight (R1.14). Returns the next step."""
    state = resolution.state
    _refuse_open_curse(resolution)
    if action.choice == "momentum" and state.is_last_boss:
        raise RuleError(phrase("There is no next Boss for Momentum (A1.17); choose `rally` or `surge`."))
    killer = state.killer or ""
    after_reset = state.house.kill_bonus_timing == "after-reset"
    text = phrase("{player} chooses {bonus}.", player=resolution.name(killer), bonus=BONUS_TITLES[action.choice])
    resolution.tell(text, killer)
    if action.choice == "momentum":
        resolution.change(momentum=True)
        resolution.tell(phrase("The next Boss starts {hp} HP lower.", hp=MOMENTUM))
    elif not after_reset:
        _at_once(resolution, killer, action.choice)
    return _end_fight(resolution, killer, action.choice if after_reset else "")


def resets_at_once(state: DungeonTable) -> bool:
    """Return True if all HP and hands are reset directly after the bonus, so that Rally and Surge are lost (A1.16)."""
    return not state.is_last_boss and state.house.kill_bonus_timing == "immediate"


def describe_bonus(state: DungeonTable, choice: str) -> Message:
    """Describe a bonus, and the reset after it (R1.54, A1.16): `all +5; then all HP to 20`."""
    if choice == "momentum":
        to_come = (state.monsters[ref].hp * len(state.wizards) for ref in (*state.pool, *state.order[state.number :]))
        if any(hp <= MOMENTUM for hp in to_come):
            return phrase("next Boss {change}, but not below 1", change=signed(-MOMENTUM))
        return phrase("next Boss {change}", change=signed(-MOMENTUM))
    is_lost = resets_at_once(state)
    if choice == "rally":
        rally = _describe_rally(state)
        return phrase("{rally}; then all HP to {hp}", rally=rally, hp=state.full_hp) if is_lost else rally
    cards = _surge_cards(state)
    if is_lost:
        return phrase("draw {cards}; then all draw to {limit}", cards=cards, limit=state.hand_limit)
    return phrase("draw {cards}", cards=cards)


def _describe_rally(state: DungeonTable) -> Message:
    """Return `all +5`; if wizards heal differently, `Ana +2, Ben +5`; after the reset, the HP that all start with."""
    if not state.is_last_boss and state.house.kill_bonus_timing == "after-reset":
        return phrase("all start with {hp} HP", hp=state.full_hp + RALLY)
    healed = {wizard.name: hp_healed(state, wizard, RALLY) for wizard in state.clockwise() if wizard.is_there}
    if len({*healed.values()}) == 1 and any(healed.values()):
        return phrase("all {change}", change=signed(next(iter(healed.values()))))
    if not any(healed.values()):
        return phrase("nobody heals")
    return listed(joined(" ", (name, signed(hp))) for name, hp in healed.items() if hp)


def _surge_cards(state: DungeonTable) -> int:
    """Return the cards that a Surge brings now, within the limits of hand and deck."""
    resolution, killer = Resolution(state), state.killer or state.active
    if state.is_last_boss or state.house.kill_bonus_timing == "immediate":
        return draw(resolution, killer, SURGE, BONUS_TITLES["surge"])
    end_fight(resolution)
    return draw(resolution, killer, SURGE, BONUS_TITLES["surge"], up_to=state.hand_limit + SURGE)


def _at_once(resolution: Resolution, killer: str, choice: str) -> None:
    """Apply a bonus before the reset, as printed (A1.16)."""
    if choice == "surge":
        draw(resolution, killer, SURGE, BONUS_TITLES["surge"])
        return
    for wizard in resolution.state.clockwise():
        if wizard.is_there:
            heal(resolution, wizard.seat, RALLY, BONUS_TITLES["rally"])


def _end_fight(resolution: Resolution, killer: str, after_reset: str) -> str:
    """End the fight, and with `kill-bonus-timing after-reset` apply the bonus (A1.16). Returns the next step."""
    _win_dungeon(resolution)
    if resolution.state.outcome is None and all(wizard.has_left for wizard in resolution.state.wizards):
        resolution.change(outcome="loss")
        resolution.tell(phrase("All wizards have left: LOSS."))
    if resolution.state.outcome is not None:
        return "fading"
    number = resolution.state.number + 1
    end_fight(resolution)
    if after_reset == "rally":
        hp = resolution.state.full_hp + RALLY
        for wizard in resolution.state.fighting():
            resolution.update_wizard(wizard.seat, hp=hp)
        resolution.tell(phrase("Rally: everybody starts with {hp} HP.", hp=hp))
    elif after_reset == "surge":
        draw(resolution, killer, SURGE, BONUS_TITLES["surge"], up_to=resolution.state.hand_limit + SURGE)
    return meet_boss(resolution, number)
