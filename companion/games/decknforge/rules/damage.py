"""Step 4: declarations, Converts, damage (R1.24, R1.34–R1.45), and Minions that die of it (R1.60–R1.63)."""

from __future__ import annotations

from companion.games.decknforge.book.inscriptions import effects
from companion.games.decknforge.book.ledger import commit, earn, earn_glory, fill_hand, lose_hp, remove_minions
from companion.games.decknforge.book.state import DungeonStep, DungeonTable, Foe, Resolution, Upcard
from companion.games.decknforge.glossary import STEP_WORDS
from companion.games.decknforge.rules.actions import Convert, Damage, Target
from companion.games.decknforge.rules.arithmetic import Strike, compute_strike, dealt_damage, killing_hit, labels_on
from companion.games.decknforge.rules.kill import credit_kill
from companion.games.decknforge.rules.reveal import (
    cards_in_order,
    declared_now,
    find_upcard,
    may_convert,
    open_converts,
    resolve_converts,
)
from companion.tabletop.action import RuleError
from companion.tabletop.notation.cards import GLYPHS, suit
from companion.tabletop.records import Reason
from templates.languages.messages import Message, Text, any_of, listed, phrase


def aimable_minions(state: DungeonTable) -> tuple[Foe, ...]:
    """Return the Minions at which a card may be aimed (R1.60, A1.20)."""
    return state.minions if state.house.minion_combat == "target-in-step4" else ()


class DeclareStep(DungeonStep):
    """Step 4a: Items may Convert, cards may be aimed at Minions (R1.24a, R1.60)."""

    following = "damage"

    def waiting(self, state: DungeonTable) -> bool:
        """Return True if a revealed card still has a choice: an Item that could Convert, or a Minion to aim at."""
        if aimable_minions(state):
            return any(not upcard.declared for upcard in state.revealed)
        return bool(open_converts(state))

    def default(self, resolution: Resolution) -> None:
        """Let every undeclared card attack the Boss."""
        for upcard in resolution.state.revealed:
            resolution.update_card(upcard.owner, upcard.card, declared=True)


class DamageStep(DungeonStep):
    """Steps 4b to 4d, once a player types `damage` (R1.24)."""

    def leave(self, resolution: Resolution) -> str:
        return resolve_damage(resolution)


def convert(resolution: Resolution, action: Convert) -> None:
    """Declare that a revealed Item is Converted (R1.24a)."""
    state = resolution.state
    if not declared_now(state):
        raise RuleError(
            phrase("A Convert is declared after the Tactics (R1.24, A1.6).")
            if state.step == "reveal"
            else phrase("A Convert is declared as the card is revealed (R1.24, A1.6).")
        )
    upcard = _card_to_convert(state, action)
    if not may_convert(state, upcard):
        raise RuleError(phrase("{card} is a Hero and always attacks; only Items Convert (R1.34).", card=upcard.title))
    as_suit = action.as_ or suit(upcard.card)
    wild = any(effect.any_suit for effect in effects(state, upcard.owner, upcard.card))
    if as_suit != suit(upcard.card) and not wild:
        raise RuleError(
            phrase(
                "{card} Converts as {suit}; only a Wildcard may choose (R1.I20).",
                card=upcard.title,
                suit=GLYPHS[suit(upcard.card)],
            )
        )
    resolution.update_card(upcard.owner, upcard.card, converts=as_suit, target=None, declared=True)
    text = phrase(
        "{player} Converts {card} as {suit}.",
        player=resolution.name(action.seat),
        card=upcard.title,
        suit=GLYPHS[as_suit],
    )
    resolution.tell(text, action.seat)


def _card_to_convert(state: DungeonTable, action: Convert) -> Upcard:
    """Return the card to Convert; if only one of two can, even of two alike, it is that one (R1.34)."""
    able = [upcard for upcard in state.cards_of(action.seat) if may_convert(state, upcard)]
    if action.card is None and len(able) == 1:
        return able[0]
    return find_upcard(state, action.seat, action.card, "card", lambda upcard: may_convert(state, upcard))


def target(resolution: Resolution, action: Target) -> None:
    """Aim a revealed card at an active Minion (R1.60)."""
    state = resolution.state
    upcard = find_upcard(state, action.seat, action.card, "card")
    if all(minion.ref != action.minion for minion in state.minions):
        raise RuleError(
            phrase(
                "{minion} is not an active Minion (R1.60); active: {minions}.",
                minion=action.minion,
                minions=listed(minion.ref for minion in state.minions),
            )
            if state.minions
            else phrase("{minion} is not an active Minion (R1.60); active: none.", minion=action.minion)
        )
    if not aimable_minions(state):
        raise RuleError(
            phrase(
                "No card is aimed at a Minion here: `rule minion-combat {value}` (A1.20).",
                value=state.house.minion_combat,
            )
        )
    if upcard.converts and not declared_now(state):
        raise RuleError(phrase("{card} was Converted as it was revealed; that stands (A1.6).", card=upcard.title))
    resolution.update_card(upcard.owner, upcard.card, target=action.minion, converts="", declared=True)
    text = phrase(
        "{player} aims {card} at {monster}.",
        player=resolution.name(action.seat),
        card=upcard.title,
        monster=state.monster_title(action.minion),
    )
    resolution.tell(text, action.seat)


def say_damage(resolution: Resolution, action: Damage) -> str:
    """Resolve step 4 by the revealed cards, or by the players' own sum. Returns the next step."""
    state = resolution.state
    if action.amount is None and action.by is not None:
        raise RuleError(
            phrase(
                "The revealed cards decide who takes the kill (R1.50): write `damage` alone or, if "
                "only the fight is tracked, `damage N by {seat}`.",
                seat=action.by,
            )
        )
    if state.tracks_all and action.amount is not None:
        raise RuleError(
            phrase(
                "The revealed cards say how much damage it is (R1.42); `rule track fight` leaves the sum to the table."
            )
        )
    if state.tracks_all and state.step == "reveal":
        raise RuleError(
            phrase(
                "`{verb}` belongs to the step {steps}; the step now is {step} (`next` finishes it).",
                verb="damage",
                steps=any_of((STEP_WORDS["declare"], STEP_WORDS["damage"])),
                step=STEP_WORDS["reveal"],
            )
        )
    return resolve_damage(resolution) if action.amount is None else _resolve_sum(resolution, action.amount, action.by)


def _resolve_sum(resolution: Resolution, amount: int, by: str | None) -> str:
    """Apply the damage that the players added up, and credit the kill. Returns the next step."""
    boss = resolution.state.boss
    assert boss is not None
    overkill = amount - boss.hp
    if overkill >= 0 and by is None:
        raise RuleError(
            phrase(
                "{amount} kills the Boss: whose card was the highest (R1.50)? `damage {amount} by SEAT`.",
                amount=str(amount),
            )
        )
    killer = resolution.state.wizard(by).seat if by is not None else ""
    if killer and not resolution.state.may_take(killer):
        raise RuleError(phrase("{player} has left and takes no kill (A1.72).", player=resolution.name(killer)))
    resolve_converts(resolution)
    lose_hp(resolution, boss.ref, amount)
    resolution.tell(_describe_damage(phrase("Boss"), str(amount), boss.hp, max(0, -overkill), overkill))
    for upcard in cards_in_order(resolution.state):
        if not upcard.converts:
            commit(resolution, upcard.owner, (upcard.card,), "play")
    if overkill < 0:
        return "attack"
    credit_kill(resolution, overkill, None, by=killer)
    return "kill"


def resolve_damage(resolution: Resolution) -> str:
    """Resolve Converts, then all damage at once, hit effects, commitment (R1.24). Returns the next step."""
    resolve_converts(resolution)
    state = resolution.state
    assert state.boss is not None
    boss_strike = compute_strike(state, state.boss)
    minion_strikes = [compute_strike(state, minion) for minion in state.minions]
    _deal_strike(resolution, boss_strike, phrase("Boss"))
    for strike in minion_strikes:
        _deal_strike(resolution, strike, state.monster_title(strike.foe.ref))
    _hit_effects(resolution, boss_strike)
    for upcard in cards_in_order(resolution.state):
        if not upcard.converts:
            commit(resolution, upcard.owner, (upcard.card,), "play")
    for strike in minion_strikes:
        if strike.kills:
            if hit := killing_hit(resolution.state, strike):
                _minion_dies(resolution, strike.foe, hit.upcard.controller, hit.upcard)
            else:
                _minion_dies_unpaid(resolution, strike.foe)
    if not boss_strike.kills:
        return "attack"
    credit_kill(resolution, boss_strike.overkill, killing_hit(state, boss_strike))
    _spill_overkill(resolution, boss_strike.overkill)
    return "kill"


def _describe_damage(target: Message, damage: Text, before: int, after: int, overkill: int) -> Message:
    if overkill > 0:
        return phrase(
            "{monster}: {damage} damage, {before} → {after} HP, overkill {overkill}.",
            monster=target,
            damage=damage,
            before=before,
            after=after,
            overkill=overkill,
        )
    return phrase(
        "{monster}: {damage} damage, {before} → {after} HP.", monster=target, damage=damage, before=before, after=after
    )


def _deal_strike(resolution: Resolution, strike: Strike, title: Message) -> None:
    """Deal the damage of a strike (R1.42); the rest of Resilient is kept for Thorns."""
    if not strike.hits:
        return
    wounds = tuple(
        (hit.upcard.controller, hit.upcard.owner, hit.upcard.card) for hit in strike.hits if dealt_damage(hit, strike)
    )
    resolution.update_foe(strike.foe.ref, wounded_by=(*strike.foe.wounded_by, *wounds), absorb=strike.absorb)
    lose_hp(resolution, strike.foe.ref, strike.total)
    resolution.tell(_describe_damage(title, strike.sentence(), strike.foe.hp, strike.hp_left, strike.overkill))


def _hit_effects(resolution: Resolution, strike: Strike) -> None:
    """Apply the effects "when this card deals damage" (R1.24d)."""
    for hit in strike.hits:
        if dealt_damage(hit, strike):
            for effect in effects(resolution.state, hit.upcard.owner, hit.upcard.card):
                effect.on_hit(resolution, hit.upcard.controller, hit.upcard.card)


def _spill_overkill(resolution: Resolution, overkill: int) -> None:
    """Kill Minions with the overkill, by arrival, with `minion-combat overkill-spills`; the Killer is paid (A1.20)."""
    state = resolution.state
    for minion in state.minions if state.house.minion_combat == "overkill-spills" else ():
        overkill -= minion.hp + minion.absorb
        if overkill < 0:
            return
        if state.killer:
            _minion_dies(resolution, minion, state.killer, None)
        else:
            _minion_dies_unpaid(resolution, minion)


def _minion_dies_unpaid(resolution: Resolution, minion: Foe) -> None:
    """Remove a Minion hit only by cards of players who have left: no wizard is paid (A1.72)."""
    title = resolution.state.monster_title(minion.ref)
    remove_minions(resolution, {minion.ref})
    resolution.tell(phrase("The Minion {monster} dies, and nobody who is here killed it (A1.72).", monster=title))


def _minion_dies(resolution: Resolution, minion: Foe, seat: str, upcard: Upcard | None) -> None:
    """Kill a Minion: draw up to 12, Coppers by its written ATK, Glory for the killer's band (R1.62).

    `upcard` is the card that killed it, or None for overkill.
    """
    state = resolution.state
    remove_minions(resolution, {minion.ref})
    name, monster = resolution.name(seat), state.monster_title(minion.ref)
    text = (
        phrase("{player} kills the Minion {monster} with {card}.", player=name, monster=monster, card=upcard.title)
        if upcard
        else phrase("{player} kills the Minion {monster} with what was left over.", player=name, monster=monster)
    )
    resolution.tell(text, seat)
    fill_hand(resolution, seat, phrase("Minion killed, up to {limit}", limit=state.hand_limit))
    greedy = sum(label.kill_coppers for label in labels_on(state, minion))
    if state.house.minion_coppers == "ace1":
        earn(resolution, seat, max(0, 1 + greedy), Reason("minion-ace", (greedy,) if greedy else ()))
    else:
        atk = state.monsters[minion.ref].atk
        earn(resolution, seat, max(0, atk + greedy), Reason("minion", (atk, greedy) if greedy else (atk,)))
    earn_glory(resolution, seat)
    if state.house.minion_personal_glory:
        resolution.update_wizard(seat, personal=resolution.state.wizard(seat).personal + 1)
