"""A stored band whose record changed while it was played: it is read again, with this dungeon's changes reapplied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from companion.games.decknforge.book.effect import EffectBook
from companion.games.decknforge.book.state import Band, CardChange, DungeonTable, Resolution
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks.evening import Dungeon
from companion.games.decknforge.decks.record import BandRecord, follow, record
from companion.games.decknforge.rules import setup
from companion.games.decknforge.rules.actions import (
    BandSeat,
    Dungeons,
    History,
    InscribedCard,
    MonsterCard,
    Mythics,
    Purse,
)
from companion.games.decknforge.rules.after_fight import retire_if_bare, to_draw_from
from companion.tabletop.action import Action, DeckId
from companion.tabletop.decks.stored_decks import StaleMark, leave_out
from companion.tabletop.notation.arguments import Ref
from companion.tabletop.notation.cards import Card, card_title
from companion.tabletop.records import Mark
from templates.languages.messages import Message, Text, phrase

_AFTER: Final = ("fading", "drifting", "turning")
"""The steps between the last fight and the seal."""
_GONE: Final = frozenset({"faded", "cursed", "carried-off"})
"""Changes that remove an inscription from a card."""


def read_anew(resolution: Resolution, seat: str, lines: Sequence[Action]) -> None:
    """Replace the band of a seat with these set-up lines, and reapply this dungeon's changes.

    Changes that no longer apply are left out and reported. The fight goes on with the figures on the table.
    """
    before = resolution.state.bands[seat]
    called = next((line.band for line in lines if isinstance(line, BandSeat)), before.name)
    band = Band(called, before.deck, adopted_at=before.adopted_at)
    resolution.change(bands={**resolution.state.bands, seat: band})
    for line in lines:
        match line:
            case MonsterCard():
                setup.write_monster(resolution, line)
            case InscribedCard():
                setup.inscribe_card(resolution, line)
            case History():
                setup.add_history(resolution, line)
            case Dungeons():
                setup.set_dungeons(resolution, line)
    _bring_more(resolution, seat, lines)
    _repeat_labels(resolution, seat)
    _repeat_changes(resolution, seat)
    _settle_fading(resolution, seat)


def _bring_more(resolution: Resolution, seat: str, lines: Sequence[Action]) -> None:
    """Reapply the wizard's gains and payments to their present purse and Mythics (R1.80, §1.12)."""
    wizard = resolution.state.wizard(seat)
    purse = next((line.coppers for line in lines if isinstance(line, Purse)), 0)
    mythics = next((line.count for line in lines if isinstance(line, Mythics)), 0)
    resolution.update_wizard(
        seat,
        purse=wizard.purse - wizard.starting_purse + purse,
        starting_purse=purse,
        mythics=max(0, wizard.mythics - wizard.starting_mythics + mythics),
        starting_mythics=mythics,
    )


def _repeat_labels(resolution: Resolution, seat: str) -> None:
    """Put the labels of this dungeon on the band's Monsters again (R1.71)."""
    kept = []
    for ref, label, by in resolution.state.added_labels:
        owner, _, card = ref.partition(":")
        monster = resolution.state.monsters[Ref(ref)]
        if owner == seat and label in monster.labels:
            why = _labelled_already(resolution.state.book, label, Card(card), resolution.state.bands[seat].name)
            leave_out(resolution, seat, why)
            continue
        kept.append((ref, label, by))
        if owner == seat:
            monster = msgspec.structs.replace(monster, labels=(*monster.labels, label))
            resolution.change(monsters={**resolution.state.monsters, Ref(ref): monster})
    resolution.change(added_labels=tuple(kept))


def _repeat_changes(resolution: Resolution, seat: str) -> None:
    """Reapply this dungeon's changes to the band's cards; an inscription that is gone was not carried in either."""
    state = resolution.state
    first = state.bands[seat].adopted_at or 0
    stale: set[int] = set()
    for at, change in enumerate(state.changes):
        if change.band == seat and at >= first and not _is_done_again(resolution, change):
            stale.add(at)
            stale |= {other for other, each in enumerate(state.changes) if _is_arrival(each, change)}
    for at in sorted(stale):
        change = state.changes[at]
        band = resolution.state.bands[change.band]
        if change.band != seat and change.inscription in band.inscribed.get(change.card, ()):
            _strike_out(resolution, change)
        leave_out(resolution, seat, _why_stale(state.book, change, band.name))
    resolution.change(changes=tuple(change for at, change in enumerate(state.changes) if at not in stale))
    for owner, band in state.bands.items():
        if band.adopted_at is not None:
            earlier = sum(at < band.adopted_at for at in stale)
            resolution.update_band(owner, adopted_at=band.adopted_at - earlier)


def _is_done_again(resolution: Resolution, change: CardChange) -> bool:
    """Reapply a change to the band. Returns False if its inscription is no longer on the card."""
    band = resolution.state.bands[change.band]
    names = band.inscribed.get(change.card, ())
    if change.what not in _GONE:
        inscribed = {**band.inscribed, change.card: (*names, change.inscription)}
        resolution.update_band(change.band, inscribed=inscribed, history=(*band.history, change.inscription))
        return True
    if change.inscription not in names:
        return False
    _strike_out(resolution, change)
    return True


def _strike_out(resolution: Resolution, change: CardChange) -> None:
    band = resolution.state.bands[change.band]
    names = list(band.inscribed[change.card])
    names.remove(change.inscription)
    rest = {card: on for card, on in band.inscribed.items() if card != change.card}
    resolution.update_band(change.band, inscribed={**rest, change.card: tuple(names)} if names else rest)


def _is_arrival(change: CardChange, departure: CardChange) -> bool:
    """Return True if a change is the other half of one that carried an inscription off (A1.42)."""
    return (change.what, change.band, change.card, change.inscription, change.by) == (
        *("carried-in", departure.by, departure.card, departure.inscription),
        departure.band,
    ) and departure.what == "carried-off"


def _settle_fading(resolution: Resolution, seat: str) -> None:
    """Drop drawn cards that are no longer Blessed, and retire a band that has none left (R1.81)."""
    state = resolution.state
    if state.step not in _AFTER:
        return
    wizard = state.wizard(seat)
    if not wizard.has_faded:
        able = to_draw_from(state, seat)
        draw = wizard.fading_draw if set(wizard.fading_draw) <= set(able) else ()
        resolution.update_wizard(seat, fading_draw=draw, has_faded=not able)
    if resolution.state.wizard(seat).has_faded:
        retire_if_bare(resolution, seat)


def _why_stale(book: EffectBook, change: CardChange, name: str) -> Message:
    if change.what == "carried-in":
        return _not_carried(book, change.inscription, change.card, name)
    return _crossed_out_already(book, change.inscription, change.card, name)


def _not_carried(book: EffectBook, inscription: str, card: Card, name: str) -> Message:
    return phrase(
        "{inscription} on {card} of {band}, as it was crossed out before it could be carried there.",
        inscription=book.inscription_title(inscription),
        card=card_title(card),
        band=name,
    )


def _crossed_out_already(book: EffectBook, inscription: str, card: Card, name: str) -> Message:
    return phrase(
        "{inscription} on {card} of {band} was crossed out already.",
        inscription=book.inscription_title(inscription),
        card=card_title(card),
        band=name,
    )


def _labelled_already(book: EffectBook, label: str, card: Card, name: str) -> Message:
    return phrase(
        "{label} is on {card} of {band} already.", label=book.label_title(label), card=card_title(card), band=name
    )


def stale_marks(
    records: Mapping[DeckId, tuple[Mark, ...]], marks: Mapping[DeckId, Sequence[Mark]], book: EffectBook
) -> Iterator[StaleMark]:
    """Yield the marks of a dungeon that no longer apply to the bands with these records."""
    gone: set[tuple[str, Card, str]] = set()
    for arrivals in (False, True):
        for deck, own in marks.items():
            band = record(records.get(deck, ()), book)
            for mark in own:
                is_arrival = isinstance(mark, m.CarriedIn)
                why = _why_not(band, mark, book, gone) if is_arrival == arrivals else ""
                if not why:
                    band = follow(band, mark, book)
                    continue
                yield StaleMark(deck, mark, why)
                if isinstance(mark, m.CarriedOff):
                    gone.add((mark.band, mark.card, mark.inscription))


def _why_not(band: BandRecord, mark: Mark, book: EffectBook, gone: set[tuple[str, Card, str]]) -> Text:
    """Return why a mark does not apply to a band, or ""; `gone` are carried-off inscriptions that were not there."""
    match mark:
        case m.InscriptionCrossedOut(card, name) | m.CarriedOff(card, name) if name not in band.inscribed.get(card, ()):
            return _crossed_out_already(book, name, card, band.name)
        case m.CarriedIn(card, name) if (band.name, card, name) in gone:
            return _not_carried(book, name, card, band.name)
        case m.Labelled(card, label) if label in band.monsters[card].labels:
            return _labelled_already(book, label, card, band.name)
        case m.BandRetired() if band.retired:
            return phrase("{band} has retired already.", band=band.name)
    return ""


def without_stale(evening: Dungeon, stale: Sequence[StaleMark]) -> Dungeon:
    """Return an evening without these marks."""
    gone: set[tuple[Any, ...]] = set()
    for deck, mark, _ in stale:
        seat = evening.seat_of(deck)
        match mark:
            case m.InscriptionCrossedOut(card, name, why):
                gone.add((seat, why, card, name))
            case m.CarriedOff(card, name):
                gone.add((seat, "carried-off", card, name))
            case m.CarriedIn(card, name):
                gone.add((seat, "carried-in", card, name))
            case m.Labelled(card, label):
                gone.add((seat, "labelled", card, label))
            case m.BandRetired():
                gone.add((seat, "retired", "", ""))
    return msgspec.structs.replace(
        evening,
        inscriptions=tuple(
            each for each in evening.inscriptions if (each.band, each.what, each.card, each.inscription) not in gone
        ),
        labels=tuple(each for each in evening.labels if (each.band, "labelled", each.card, each.label) not in gone),
        retired=tuple(seat for seat in evening.retired if (seat, "retired", "", "") not in gone),
    )


def taker(state: DungeonTable, seat: str) -> str:
    """Return the seat that took the band brought by `seat` (R1.82); "" if none has so far."""
    return next((wizard.seat for wizard in state.wizards if wizard.holds == seat), "")
