"""Step 4: declarations, Converts, damage (R1.24, R1.34–R1.45), and Minions that die of it (R1.60–R1.63)."""

from __future__ import annotations

from companion.games.action import RuleError
from companion.games.cards import GLYPHS, Card, pretty, suit
from companion.games.decknforge.actions import Convert, Target
from companion.games.decknforge.arithmetic import Strike, dealt_damage, face, killing_hit, labels_on, strike
from companion.games.decknforge.inscriptions import counts_as_hero, effects
from companion.games.decknforge.kill import credit
from companion.games.decknforge.ledger import commit, draw, earn, glory, heal, lose, remove_minions
from companion.games.decknforge.reveal import chosen
from companion.games.decknforge.state import HAND_LIMIT, DungeonTable, Resolution, Revealed


def enter(resolution: Resolution) -> None:
    """Nothing is declared yet; declarations made stay as they are."""


def waiting_to_declare(state: DungeonTable) -> bool:
    """Whether a revealed card still has a choice: an Item that could Convert, or a Minion to aim at."""
    return any(not shown.declared and (state.minions or may_convert(state, shown)) for shown in state.revealed)


def default_declare(resolution: Resolution) -> None:
    """Who declared nothing attacks the Boss."""
    for shown in resolution.state.revealed:
        resolution.update_card(shown.owner, shown.card, declared=True)


def leave_declare(resolution: Resolution) -> str:  # noqa: ARG001 – every step leaves the same way
    """On to the damage."""
    return "damage"


def waiting_for_damage(state: DungeonTable) -> bool:  # noqa: ARG001 – somebody says it aloud
    """`damage` is said aloud."""
    return True


def may_convert(state: DungeonTable, shown: Revealed) -> bool:
    """Only Items Convert, not Heroes nor Ascended Items (R1.34)."""
    return not counts_as_hero(state, shown.owner, shown.card)


def convert(resolution: Resolution, action: Convert) -> None:
    """Declare that a revealed Item is Converted (R1.24a)."""
    state = resolution.state
    shown = _meant(state, action)
    if not may_convert(state, shown):
        raise RuleError(f"{shown.title} is a Hero and always attacks; only Items Convert (R1.34).")
    as_suit = action.as_ or suit(shown.card)
    wild = any(effect.any_suit for effect in effects(state, shown.owner, shown.card))
    if as_suit != suit(shown.card) and not wild:
        raise RuleError(f"{shown.title} Converts as {GLYPHS[suit(shown.card)]}; only a Wildcard may choose (R1.I20).")
    resolution.update_card(shown.owner, shown.card, converts=as_suit, target=None, declared=True)
    resolution.tell(f"{resolution.name(action.seat)} Converts {shown.title} as {GLYPHS[as_suit]}.", action.seat)


def _meant(state: DungeonTable, action: Convert) -> Revealed:
    """The card to Convert; where only one of two can, it is that one."""
    able = [shown for shown in state.cards_of(action.seat) if may_convert(state, shown)]
    if action.card is None and len(able) == 1:
        return able[0]
    return chosen(state, action.seat, action.card, "card")


def target(resolution: Resolution, action: Target) -> None:
    """Aim a revealed card at an active Minion (R1.60)."""
    state = resolution.state
    shown = chosen(state, action.seat, action.card, "card")
    if all(minion.ref != action.minion for minion in state.minions):
        active = ", ".join(minion.ref for minion in state.minions) or "none"
        raise RuleError(f"{action.minion} is not an active Minion (R1.60); active: {active}.")
    resolution.update_card(shown.owner, shown.card, target=action.minion, converts="", declared=True)
    minion = state.monster_title(action.minion)
    resolution.tell(f"{resolution.name(action.seat)} aims {shown.title} at {minion}.", action.seat)


def resolve(resolution: Resolution) -> str:
    """Step 4 whole: Converts, then all damage at once, hit effects, commitment; gives the step that follows."""
    _converts(resolution)
    state = resolution.state
    assert state.boss is not None
    boss_strike = strike(state, state.boss)
    minion_strikes = [strike(state, minion) for minion in state.minions]
    _hit(resolution, boss_strike, "Boss")
    for struck in minion_strikes:
        _hit(resolution, struck, state.monster_title(struck.foe.ref))
    _hit_effects(resolution, boss_strike)
    for shown in _clockwise(resolution.state):
        if not shown.converts:
            commit(resolution, shown.owner, (shown.card,), "play")
    for struck in minion_strikes:
        if struck.kills:
            _minion_dies(resolution, struck)
    if not boss_strike.kills:
        return "attack"
    credit(resolution, boss_strike.overkill, killing_hit(state, boss_strike))
    return "kill"


def _converts(resolution: Resolution) -> None:
    """R1.24(b): clockwise from the active wizard."""
    for shown in _clockwise(resolution.state):
        if shown.converts:
            _convert(resolution, shown)


def _clockwise(state: DungeonTable) -> tuple[Revealed, ...]:
    """The revealed cards by their controllers, clockwise from the active wizard."""
    return tuple(shown for wizard in state.clockwise() for shown in state.cards_of(wizard.seat))


def _hit(resolution: Resolution, struck: Strike, title: str) -> None:
    """Damage lands (R1.42); what is left of Resilient waits for Thorns."""
    if not struck.hits:
        return
    wounds = tuple(
        (hit.shown.controller, hit.shown.owner, hit.shown.card) for hit in struck.hits if dealt_damage(hit, struck)
    )
    resolution.update_foe(struck.foe.ref, wounded_by=(*struck.foe.wounded_by, *wounds), absorb=struck.absorb)
    lose(resolution, struck.foe.ref, struck.total)
    left = max(0, struck.foe.hp - struck.total)
    over = f", overkill {struck.overkill}" if struck.overkill else ""
    resolution.tell(f"{title}: {struck.told()} damage, {struck.foe.hp} → {left} HP{over}.")


def _hit_effects(resolution: Resolution, struck: Strike) -> None:
    """R1.24(d): "when this card deals damage"."""
    for hit in struck.hits:
        if dealt_damage(hit, struck):
            for effect in effects(resolution.state, hit.shown.owner, hit.shown.card):
                effect.on_hit(resolution, hit.shown.controller, hit.shown.card)


def _convert(resolution: Resolution, shown: Revealed) -> None:
    """One Convert (R1.34–R1.39). The card is committed first, so that a shield counts it."""
    state, seat, value = resolution.state, shown.controller, face(resolution.state, shown)
    factor = 1
    for effect in effects(state, shown.owner, shown.card):
        factor *= effect.convert_factor
    commit(resolution, shown.owner, (shown.card,), "convert")
    echo = " ×2 Echo" if factor > 1 else ""
    name = resolution.name(seat)
    if shown.converts == "S":
        spades = shield_spades(resolution.state, seat, shown)
        _shield(resolution, seat, spades * factor, f"{shown.title}: {spades} Spades{echo}")
    elif shown.converts == "H":
        heal(resolution, seat, -(-value // 2) * factor, f"{shown.title}: half of {value}, rounded up{echo}")
    elif shown.converts == "C":
        draw(resolution, seat, 2 * factor, f"{shown.title}{echo}")
    else:
        earn(resolution, seat, value * factor, f"{name}'s {shown.title} Converted{echo}")


def shield_spades(state: DungeonTable, seat: str, shown: Revealed) -> int:
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


def _shield(resolution: Resolution, seat: str, value: int, why: str) -> None:
    """A shield replaces a smaller one (A1.10)."""
    wizard = resolution.state.wizard(seat)
    resolution.update_wizard(seat, shield=max(wizard.shield, value))
    kept = f"; the shield of {wizard.shield} stays" if wizard.shield > value else ""
    resolution.tell(f"{wizard.name}'s shield is {value} ({why}){kept}.", seat)


def _minion_dies(resolution: Resolution, struck: Strike) -> None:
    """R1.62: draw up to 12, Coppers by its written ATK, Glory for the killer's band."""
    state = resolution.state
    hit = killing_hit(state, struck)
    seat = hit.shown.controller
    monster = state.monsters[struck.foe.ref]
    remove_minions(resolution, {struck.foe.ref})
    resolution.tell(
        f"{resolution.name(seat)} kills the Minion {state.monster_title(struck.foe.ref)} "
        f"with {pretty(hit.shown.card)}.",
        seat,
    )
    draw(resolution, seat, max(0, HAND_LIMIT - state.wizard(seat).hand), "Minion killed, up to 12", up_to=HAND_LIMIT)
    greedy = sum(label.kill_coppers for label in labels_on(struck.foe))
    earn(
        resolution,
        seat,
        max(0, monster.atk + greedy),
        f"Minion with ATK {monster.atk}{f' {greedy} Greedy' if greedy else ''}",
    )
    glory(resolution, seat)
