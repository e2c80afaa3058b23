"""Loose bands after the game: what would be lost with the seal, and how to keep it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from companion.games.decknforge.book.state import (
    MONSTER_CARDS,
    Band,
    DungeonTable,
    Monster,
    Resolution,
    Wizard,
    unnamed_band,
)
from companion.games.decknforge.rules.actions import Adopt, KeepPurse
from companion.tabletop.action import RuleError
from companion.tabletop.notation.arguments import Ref
from companion.tabletop.notation.cards import Card
from companion.tabletop.records import Reason
from templates.languages.messages import Message, Text, all_of, phrase, phrases


def is_purse_kept(state: DungeonTable, wizard: Wizard) -> bool:
    """Return True if changes of a purse are stored: for a stored band, or on request (R1.80)."""
    return bool(state.bands[wizard.seat].deck) or wizard.keeps_purse


def unkept_purse(state: DungeonTable, wizard: Wizard) -> Text:
    """Return what a wizard with a loose band gained and would lose: `27 Coppers and 1 Mythic`; "" if nothing."""
    if is_purse_kept(state, wizard):
        return ""
    coppers, mythics = wizard.purse - wizard.starting_purse, wizard.mythics - wizard.starting_mythics
    gains = [phrases("{n} Copper", "{n} Coppers", n=coppers)] if coppers > 0 else []
    gains += [phrases("{n} Mythic", "{n} Mythics", n=mythics)] if mythics > 0 else []
    return all_of(gains)


def unkept_band(state: DungeonTable, seat: str) -> Text:
    """Return what a loose band gained in this game and would lose; "" if nothing, or if the band is stored."""
    return "" if state.bands[seat].deck else all_of(_describe_gains(state, seat))


def _describe_gains(state: DungeonTable, seat: str) -> Iterator[Message]:
    if glory := state.wizard(seat).glory:
        yield phrase("{glory} Glory", glory=glory)
    if labels := sum(ref.partition(":")[0] == seat for ref, _, _ in state.added_labels):
        yield phrases("{n} label", "{n} labels", n=labels)
    if cards := sum(change.band == seat for change in state.changes):
        yield phrases("{n} changed card", "{n} changed cards", n=cards)


def keep_purse(resolution: Resolution, action: KeepPurse) -> None:
    """Keep the gains of a wizard with a loose band in a purse, which the seal stores (R1.80, §1.12)."""
    wizard = resolution.state.wizard(action.seat)
    what = unkept_purse(resolution.state, wizard)
    if not what:
        if is_purse_kept(resolution.state, wizard):
            raise RuleError(phrase("{player}'s purse is kept already.", player=wizard.name))
        raise RuleError(phrase("{player}'s purse holds no more than it did before.", player=wizard.name))
    resolution.update_wizard(action.seat, keeps_purse=True, person=action.person or wizard.person)
    text = phrase(
        "{player} keeps {gains} in a purse of their own, though the band is loose.", player=wizard.name, gains=what
    )
    resolution.tell(text, action.seat)


def adopt(resolution: Resolution, action: Adopt) -> None:
    """Turn a loose band into a stored one: the seal writes the evening into its record.

    If its deck was adopted as it lies on the table now, the seal writes only later changes.
    """
    state = resolution.state
    wizard, band = state.wizard(action.seat), state.bands[action.seat]
    if band.deck:
        raise RuleError(phrase("{band} is stored already.", band=band.title))
    if any(other.deck == action.deck for other in state.bands.values()):
        raise RuleError(phrase("That deck is at this table already; a box can be opened once."))
    name = action.band or band.name
    for other in state.wizards if name != band.name else ():
        ledger = tuple((coppers, _told_of(why, band.name, name)) for coppers, why in other.ledger)
        resolution.update_wizard(other.seat, ledger=ledger)
    adopted_at = None if action.band else len(state.changes)
    resolution.update_band(
        action.seat, name=name, deck=action.deck, adopted_at=adopted_at, wizard="" if action.band else band.wizard
    )
    called = action.band or band.title
    text = phrase(
        "{band} is kept as a deck from now on, and {player}'s purse with it.", band=called, player=wizard.name
    )
    resolution.tell(text, action.seat)


def _told_of(why: Reason, before: str, now: str) -> Reason:
    """Return the reason of a payment with the band's former name replaced by its new one."""
    return msgspec.structs.replace(why, args=tuple(now if each == before else each for each in why.args))


class LooseBand(msgspec.Struct, frozen=True):
    """A loose band as `seat` brought it, before the evening changed it; `name` is "" if it has none."""

    seat: str
    wizard: str
    name: str
    person: str
    dungeons: int
    monsters: Mapping[Card, Monster]
    inscribed: Mapping[Card, tuple[str, ...]]
    history: tuple[str, ...]


def band_as_it_came(state: DungeonTable, seat: str) -> LooseBand:
    """Return the band that a seat brought, without this dungeon's changes to its cards."""
    wizard, band = state.wizard(seat), state.bands[seat]
    inscribed, history = dict(band.inscribed), list(band.history)
    for change in reversed(state.changes):
        if change.band != seat:
            continue
        on_card, name = inscribed.get(change.card, ()), change.inscription
        if change.what in ("bought", "mythic", "carried-in"):
            inscribed[change.card] = _without_last(on_card, name)
            history = [*_without_last(history, name)]
        else:
            inscribed[change.card] = (*on_card, name)
    added = {(ref, label) for ref, label, _ in state.added_labels}
    monsters = {}
    for card in MONSTER_CARDS:
        ref = Ref(f"{seat}:{card}")
        monster = state.monsters[ref]
        labels = tuple(label for label in monster.labels if (ref, label) not in added)
        monsters[card] = msgspec.structs.replace(monster, labels=labels)
    return LooseBand(
        seat,
        wizard.name,
        "" if is_unnamed(wizard, band) else band.name,
        wizard.person,
        band.dungeons,
        monsters,
        {card: names for card, names in inscribed.items() if names},
        tuple(history),
    )


def is_unnamed(wizard: Wizard, band: Band) -> bool:
    """Return True if a band was never named."""
    return band.name == unnamed_band(wizard.name)


def _without_last(names: Sequence[str], name: str) -> tuple[str, ...]:
    """Return names without the last occurrence of `name`."""
    at = len(names) - 1 - names[::-1].index(name) if name in names else len(names)
    return (*names[:at], *names[at + 1 :])


def inscriptions_lost(band: Band | LooseBand) -> tuple[str, ...]:
    """Return the inscriptions of a band's history that it no longer bears."""
    borne = Counter(name for names in band.inscribed.values() for name in names)
    return tuple((Counter(band.history) - borne).elements())
