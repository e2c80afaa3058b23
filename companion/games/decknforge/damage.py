"""Step 4: declarations, Converts, damage (R1.24, R1.34–R1.45), and Minions that die of it (R1.60–R1.63)."""

from __future__ import annotations

from companion.games.cards import GLYPHS, Card, pretty, suit
from companion.games.decknforge.actions import Convert, Target
from companion.games.decknforge.arithmetic import Strike, dealt_damage, face, killing_hit, labels_on, strike
from companion.games.decknforge.inscriptions import counts_as_hero, effects
from companion.games.decknforge.kill import credit
from companion.games.decknforge.ledger import commit, draw, earn, glory, heal, lose, remove_minions
from companion.games.decknforge.reveal import chosen
from companion.games.decknforge.state import HAND_LIMIT, Flow, Revealed, Table
from companion.games.game import RuleError


def enter(flow: Flow) -> None:
    """Nothing is declared yet; declarations made stay as they are."""


def waiting_to_declare(state: Table) -> bool:
    """Whether a revealed card still has a choice: an Item that could Convert, or a Minion to aim at."""
    return any(not shown.declared and (state.minions or may_convert(state, shown)) for shown in state.revealed)


def default_declare(flow: Flow) -> None:
    """Who declared nothing attacks the Boss."""
    for shown in flow.state.revealed:
        flow.alter_card(shown.owner, shown.card, declared=True)


def leave_declare(flow: Flow) -> str:  # noqa: ARG001 – every step leaves the same way
    """On to the damage."""
    return "damage"


def waiting_for_damage(state: Table) -> bool:  # noqa: ARG001 – somebody says it aloud
    """`damage` is said aloud."""
    return True


def may_convert(state: Table, shown: Revealed) -> bool:
    """Only Items Convert, not Heroes nor Ascended Items (R1.34)."""
    return not counts_as_hero(state, shown.owner, shown.card)


def convert(flow: Flow, action: Convert) -> None:
    """Declare that a revealed Item is Converted (R1.24a)."""
    state = flow.state
    shown = _meant(state, action)
    if not may_convert(state, shown):
        raise RuleError(f"{shown.title} is a Hero and always attacks; only Items Convert (R1.34).")
    as_suit = action.as_ or suit(shown.card)
    wild = any(effect.any_suit for effect in effects(state, shown.owner, shown.card))
    if as_suit != suit(shown.card) and not wild:
        raise RuleError(f"{shown.title} Converts as {GLYPHS[suit(shown.card)]}; only a Wildcard may choose (R1.I20).")
    flow.alter_card(shown.owner, shown.card, converts=as_suit, target=None, declared=True)
    flow.tell(f"{flow.name(action.seat)} Converts {shown.title} as {GLYPHS[as_suit]}.", action.seat)


def _meant(state: Table, action: Convert) -> Revealed:
    """The card to Convert; where only one of two can, it is that one."""
    able = [shown for shown in state.cards_of(action.seat) if may_convert(state, shown)]
    if action.card is None and len(able) == 1:
        return able[0]
    return chosen(state, action.seat, action.card, "card")


def target(flow: Flow, action: Target) -> None:
    """Aim a revealed card at an active Minion (R1.60)."""
    state = flow.state
    shown = chosen(state, action.seat, action.card, "card")
    if all(minion.ref != action.minion for minion in state.minions):
        active = ", ".join(minion.ref for minion in state.minions) or "none"
        raise RuleError(f"{action.minion} is no active Minion (R1.60); active: {active}.")
    flow.alter_card(shown.owner, shown.card, target=action.minion, converts="", declared=True)
    minion = state.monster_title(action.minion)
    flow.tell(f"{flow.name(action.seat)} aims {shown.title} at {minion}.", action.seat)


def resolve(flow: Flow) -> str:
    """Step 4 whole: Converts, then all damage at once, hit effects, commitment; gives the step that follows."""
    _converts(flow)
    state = flow.state
    assert state.boss is not None
    boss_strike = strike(state, state.boss)
    minion_strikes = [strike(state, minion) for minion in state.minions]
    _hit(flow, boss_strike, "Boss")
    for struck in minion_strikes:
        _hit(flow, struck, state.monster_title(struck.foe.ref))
    _hit_effects(flow, boss_strike)
    for shown in _clockwise(flow.state):
        if not shown.converts:
            commit(flow, shown.owner, (shown.card,), "play")
    for struck in minion_strikes:
        if struck.kills:
            _minion_dies(flow, struck)
    if not boss_strike.kills:
        return "attack"
    credit(flow, boss_strike.overkill, killing_hit(state, boss_strike))
    return "kill"


def _converts(flow: Flow) -> None:
    """R1.24(b): clockwise from the active wizard."""
    for shown in _clockwise(flow.state):
        if shown.converts:
            _convert(flow, shown)


def _clockwise(state: Table) -> tuple[Revealed, ...]:
    """The revealed cards by their controllers, clockwise from the active wizard."""
    return tuple(shown for wizard in state.clockwise() for shown in state.cards_of(wizard.seat))


def _hit(flow: Flow, struck: Strike, title: str) -> None:
    """Damage lands (R1.42); what is left of Resilient waits for Thorns."""
    if not struck.hits:
        return
    wounds = tuple(
        (hit.shown.controller, hit.shown.owner, hit.shown.card) for hit in struck.hits if dealt_damage(hit, struck)
    )
    flow.alter_foe(struck.foe.ref, wounded_by=(*struck.foe.wounded_by, *wounds), absorb=struck.absorb)
    lose(flow, struck.foe.ref, struck.total)
    left = max(0, struck.foe.hp - struck.total)
    over = f", overkill {struck.overkill}" if struck.overkill else ""
    flow.tell(f"{title}: {struck.told()} damage, {struck.foe.hp} → {left} HP{over}.")


def _hit_effects(flow: Flow, struck: Strike) -> None:
    """R1.24(d): "when this card deals damage"."""
    for hit in struck.hits:
        if dealt_damage(hit, struck):
            for effect in effects(flow.state, hit.shown.owner, hit.shown.card):
                effect.on_hit(flow, hit.shown.controller, hit.shown.card)


def _convert(flow: Flow, shown: Revealed) -> None:
    """One Convert (R1.34–R1.39). The card is committed first, so that a shield counts it."""
    state, seat, value = flow.state, shown.controller, face(flow.state, shown)
    factor = 1
    for effect in effects(state, shown.owner, shown.card):
        factor *= effect.convert_factor
    commit(flow, shown.owner, (shown.card,), "convert")
    echo = " ×2 Echo" if factor > 1 else ""
    name = flow.name(seat)
    if shown.converts == "S":
        spades = shield_spades(flow.state, seat, shown)
        _shield(flow, seat, spades * factor, f"{shown.title}: {spades} Spades{echo}")
    elif shown.converts == "H":
        heal(flow, seat, -(-value // 2) * factor, f"{shown.title}: half of {value}, rounded up{echo}")
    elif shown.converts == "C":
        draw(flow, seat, 2 * factor, f"{shown.title}{echo}")
    else:
        earn(flow, seat, value * factor, f"{name}'s {shown.title} Converted{echo}")


def shield_spades(state: Table, seat: str, shown: Revealed) -> int:
    """Spades that a shield counts: own band's committed (or Converted) ones, and this card (R1.35, A1.10)."""
    causes = (
        ("convert",) if state.house.shield_count == "converted" else ("play", "convert", "tactic", "dodge", "phoenix")
    )
    others = sum(
        suit(entry.card) == "S" and entry.cause in causes and not _same(seat, entry.card, shown)
        for entry in state.wizard(seat).pile
    )
    return others + 1


def _same(seat: str, card: Card, shown: Revealed) -> bool:
    return (seat, card) == (shown.owner, shown.card)


def _shield(flow: Flow, seat: str, value: int, why: str) -> None:
    """A shield replaces a smaller one (A1.10)."""
    wizard = flow.state.wizard(seat)
    flow.alter(seat, shield=max(wizard.shield, value))
    kept = f"; the shield of {wizard.shield} stays" if wizard.shield > value else ""
    flow.tell(f"{wizard.name}'s shield is {value} ({why}){kept}.", seat)


def _minion_dies(flow: Flow, struck: Strike) -> None:
    """R1.62: draw up to 12, Coppers by its written ATK, Glory for the killer's band."""
    state = flow.state
    hit = killing_hit(state, struck)
    seat = hit.shown.controller
    monster = state.monsters[struck.foe.ref]
    remove_minions(flow, {struck.foe.ref})
    flow.tell(
        f"{flow.name(seat)} kills the Minion {state.monster_title(struck.foe.ref)} with {pretty(hit.shown.card)}.", seat
    )
    draw(flow, seat, max(0, HAND_LIMIT - state.wizard(seat).hand), "Minion killed, up to 12", up_to=HAND_LIMIT)
    greedy = sum(label.kill_coppers for label in labels_on(struck.foe))
    earn(
        flow,
        seat,
        max(0, monster.atk + greedy),
        f"Minion with ATK {monster.atk}{f' {greedy} Greedy' if greedy else ''}",
    )
    glory(flow, seat)
