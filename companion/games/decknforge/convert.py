"""Convert (R1.34–R1.39): when it may be declared, and what a Converted card does instead of attacking."""

from __future__ import annotations

from companion.games.cards import Card, suit
from companion.games.decknforge.arithmetic import convert_face
from companion.games.decknforge.inscriptions import counts_as_hero, effects
from companion.games.decknforge.ledger import commit, draw, earn, heal
from companion.games.decknforge.state import DungeonTable, Resolution, Revealed


def may_convert(state: DungeonTable, shown: Revealed) -> bool:
    """Only Items Convert, not Heroes nor Ascended Items (R1.34)."""
    return not counts_as_hero(state, shown.owner, shown.card)


def declared_now(state: DungeonTable) -> bool:
    """Whether Converts are declared in this step: after the Tactics, or at the Reveal (A1.6)."""
    return (state.step == "reveal") == (state.house.convert_timing == "at-reveal")


def open_converts(state: DungeonTable) -> tuple[Revealed, ...]:
    """The revealed cards of which it can be said now whether they Convert, and nobody has."""
    if not declared_now(state):
        return ()
    return tuple(shown for shown in state.revealed if not shown.declared and may_convert(state, shown))


def resolve(resolution: Resolution, shown: Revealed) -> None:
    """One Convert (R1.34–R1.39). The card is committed first, so that a shield counts it."""
    state, seat, value = resolution.state, shown.controller, convert_face(resolution.state, shown)
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
    """Spades that a shield counts: own band's committed (or Converted) ones by their printed suit, and this card,
    whoever owns it and whatever its suit (R1.35, R1.I20, A1.10).
    """
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
