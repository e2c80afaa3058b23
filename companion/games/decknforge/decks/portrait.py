"""A band on its page: its Monsters with their labels, its inscriptions by card, its losses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from companion.games.decknforge.book.effect import EffectBook
from companion.games.decknforge.book.state import MONSTER_CARDS, Monster, count_of
from companion.games.decknforge.decks.marks import CarriedOn
from companion.games.decknforge.decks.record import BandRecord, BorneInscription
from companion.tabletop.decks.portrait import CardGrid, Heir, Listing, Part, Portrait, PortraitLine
from companion.tabletop.notation.cards import PACK, Card
from companion.tabletop.records import Mark, effective
from companion.tabletop.text import quantity

_SOURCES: Final = {"start": "from the founding", "mythic": "earned from a Legend", "found": "found on the card"}
_FATES: Final = {"cursed": "taken by a curse", "found": "found crossed out"}


def portrait(band: BandRecord, book: EffectBook, marks: Sequence[Mark] = ()) -> Portrait:
    """Return the portrait of a band today; the band that bears its heirloom comes from its marks (R1.81)."""
    heirs = (
        Heir(mark.deck, mark.band, book.inscription_title(band.heirloom) if band.heirloom else "")
        for _, mark in effective(marks)
        if isinstance(mark, CarriedOn)
    )
    return Portrait(tuple(_summary_lines(band, book)), tuple(_portrait_parts(band, book)), tuple(heirs))


def _summary_lines(band: BandRecord, book: EffectBook) -> Iterator[str]:
    yield f"Glory {band.glory} · {count_of(band.dungeons, 'dungeon')} · built by {band.builder}"
    passed = [name for name in dict.fromkeys(band.holders) if name != band.holder]
    if passed and band.holder:
        yield f"Held by {band.holder}, before by {', '.join(passed)}"
    if band.retired:
        heirloom = f", and left {book.inscription_title(band.heirloom)}" if band.heirloom else ""
        yield f"It has retired{heirloom}{f' to {band.successor}' if band.successor else ''}."


def _portrait_parts(band: BandRecord, book: EffectBook) -> Iterator[Part]:
    monsters = (card for card in MONSTER_CARDS if card in band.monsters)
    legends = sum(monster.legend for monster in band.monsters.values())
    heading = f"Monsters, {quantity(legends, 'Legend')} ★" if legends else "Monsters"
    yield Listing(heading, tuple(_monster_line(card, band.monsters[card], book) for card in monsters))
    bears = {card: tuple(map(book.inscription_title, names)) for card, names in band.inscribed.items()}
    yield CardGrid("Inscribed cards", bears, tuple(card for card in MONSTER_CARDS if card in band.monsters))
    standing = [borne for borne in band.inscriptions if not borne.fate]
    yield Listing(
        "Inscriptions",
        tuple(_inscription_line(borne, book) for borne in sorted(standing, key=lambda one: PACK.index(one.card))),
    )
    lost = [borne for borne in band.inscriptions if borne.fate]
    if lost:
        names = ((one, book.inscription_title(one.inscription)) for one in lost)
        yield Listing("Lost", tuple(PortraitLine(name, card=one.card, about=_loss_text(one)) for one, name in names))


def _monster_line(card: Card, monster: Monster, book: EffectBook) -> PortraitLine:
    named = ((book.label_title(label), book.label_tier_of(label)) for label in monster.labels)
    labels = (f"{label} ({tier})" if tier else label for label, tier in named)
    return PortraitLine(monster.name, 0, card, (f"HP {monster.hp}", f"ATK {monster.atk}", *labels), monster.legend)


def _inscription_line(borne: BorneInscription, book: EffectBook) -> PortraitLine:
    source = _SOURCES.get(borne.source, borne.source)
    origin = f"{source}, by {borne.by}" if borne.by else source
    about = (borne.tier.title(), origin) if borne.tier else (origin,)
    return PortraitLine(book.inscription_title(borne.inscription), 0, borne.card, about)


def _loss_text(borne: BorneInscription) -> tuple[str, ...]:
    when = "" if borne.until is None else f" after dungeon {borne.until}"
    return (f"{_FATES.get(borne.fate, borne.fate)}{when}",)
