"""What a sealed game writes: the marks of its stored bands, and what came into its people's purses (R1.80–R1.84)."""

from __future__ import annotations

from companion.games.cards import Card
from companion.games.decknforge import marks as m
from companion.games.decknforge.state import Change, DungeonTable, Wizard
from companion.games.records import Mark, Payment


def marks(state: DungeonTable) -> dict[str, tuple[Mark, ...]]:
    """What a sealed game writes into the records of its stored bands (R1.80–R1.84); loose bands have none."""
    if state.step != "sealed":
        return {}
    return {band.deck: _marks_of(state, seat) for seat, band in state.bands.items() if band.deck}


def purses(state: DungeonTable) -> tuple[Payment, ...]:
    """The Coppers that came and went in a sealed game, by the people whose bands are stored (R1.80)."""
    if state.step != "sealed":
        return ()
    return tuple(
        Payment(wizard.name, coppers, why)
        for wizard in state.wizards
        if state.bands[wizard.seat].deck
        for coppers, why in (*wizard.ledger, *_by_hand(wizard))
    )


def _by_hand(wizard: Wizard) -> tuple[tuple[int, str], ...]:
    """What the table changed in a purse by `set` and `add`."""
    change = wizard.purse - wizard.brought - sum(coppers for coppers, _ in wizard.ledger)
    return ((change, "set by hand"),) if change else ()


def _marks_of(state: DungeonTable, seat: str) -> tuple[Mark, ...]:
    wizard, band = state.wizard(seat), state.bands[seat]
    labelled = (
        m.Labelled(Card(card), label, state.wizard(by).name)
        for owner, card, label, by in (_label_parts(entry) for entry in state.labelled)
        if owner == seat
    )
    made: list[Mark] = [*labelled, m.Played(wizard.name, state.outcome or "", len(state.felled), wizard.glory)]
    made += (_card_mark(state, change) for change in state.changes if change.band == seat)
    holder = next((other.name for other in state.wizards if other.holds == seat), "")
    if holder and holder != wizard.name:
        made.append(m.Drifted(holder))
    if band.retired:
        made.append(m.Retired(wizard.heirloom, wizard.name))
    return tuple(made)


def _label_parts(entry: tuple[str, str, str]) -> tuple[str, str, str, str]:
    ref, label, by = entry
    owner, _, card = ref.partition(":")
    return owner, card, label, by


def _card_mark(state: DungeonTable, change: Change) -> Mark:
    if change.what == "faded" or change.what == "cursed":
        return m.CrossedOut(change.card, change.inscription, change.what)
    if change.what == "carried-off":
        return m.CarriedOff(change.card, change.inscription, state.bands[change.by].name)
    if change.what == "carried-in":
        return m.CarriedIn(change.card, change.inscription, state.bands[change.by].name)
    by = state.wizard(change.by).name if change.by else ""
    return m.Inscribed(change.card, change.inscription, "mythic" if change.what == "mythic" else "bought", by)
