"""A band on its page: its Monsters with their labels, its inscriptions by card, its losses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from companion.games.decknforge.book.effect import TIER_TITLES, EffectBook
from companion.games.decknforge.book.state import MONSTER_CARDS, Monster
from companion.games.decknforge.decks.marks import CarriedOn
from companion.games.decknforge.decks.record import BandRecord, BorneInscription
from companion.tabletop.decks.portrait import CardGrid, Heir, Listing, Part, Portrait, PortraitLine
from companion.tabletop.notation.cards import PACK, Card
from companion.tabletop.records import Mark, effective
from templates.languages.messages import Message, Text, declared, joined, listed, phrase, phrase_in, phrases

# Translators: Where an inscription comes from.
_SOURCES: Final[Mapping[str, Message]] = {
    "start": phrase_in("inscription", "from the founding"),
    "bought": phrase_in("inscription", "bought"),
    "mythic": phrase_in("inscription", "earned from a Legend"),
    "heirloom": phrase_in("inscription", "heirloom"),
    "found": phrase_in("inscription", "found on the card"),
    "carried in": phrase_in("inscription", "carried in"),
    "before records": phrase_in("inscription", "before records"),
}
# Translators: What became of an inscription.
_FATES: Final[Mapping[str, Message]] = {
    "faded": phrase_in("inscription", "faded"),
    "cursed": phrase_in("inscription", "taken by a curse"),
    "found": phrase_in("inscription", "found crossed out"),
    "carried off": phrase_in("inscription", "carried off"),
}


def portrait(band: BandRecord, book: EffectBook, marks: Sequence[Mark] = ()) -> Portrait:
    """Return the portrait of a band today; the band that bears its heirloom comes from its marks (R1.81)."""
    heirs = (
        Heir(mark.deck, mark.band, book.inscription_title(band.heirloom) if band.heirloom else "")
        for _, mark in effective(marks)
        if isinstance(mark, CarriedOn)
    )
    return Portrait(tuple(_summary_lines(band, book)), tuple(_portrait_parts(band, book)), tuple(heirs))


def _summary_lines(band: BandRecord, book: EffectBook) -> Iterator[Message]:
    figures = (
        phrase("Glory {glory}", glory=str(band.glory)),
        phrases("{n} dungeon", "{n} dungeons", n=band.dungeons),
        phrase("built by {player}", player=band.builder),
    )
    yield joined(" · ", figures)
    passed = [name for name in dict.fromkeys(band.holders) if name != band.holder]
    if passed and band.holder:
        yield phrase("Held by {holder}, previously by {players}", holder=band.holder, players=listed(passed))
    if band.retired:
        yield _describe_retirement(band, book)


def _describe_retirement(band: BandRecord, book: EffectBook) -> Message:
    heirloom = book.inscription_title(band.heirloom)
    if band.heirloom and band.successor:
        return phrase("It has retired, and left {inscription} to {band}.", inscription=heirloom, band=band.successor)
    if band.heirloom:
        return phrase("It has retired, and left {inscription}.", inscription=heirloom)
    if band.successor:
        return phrase("It has retired to {band}.", band=band.successor)
    return phrase("It has retired.")


def _portrait_parts(band: BandRecord, book: EffectBook) -> Iterator[Part]:
    monsters = (card for card in MONSTER_CARDS if card in band.monsters)
    legends = sum(monster.legend for monster in band.monsters.values())
    heading = phrases("Monsters, {n} Legend ★", "Monsters, {n} Legends ★", n=legends) if legends else phrase("Monsters")
    yield Listing(heading, tuple(_monster_line(card, band.monsters[card], book) for card in monsters))
    bears = {card: tuple(map(book.inscription_title, names)) for card, names in band.inscribed.items()}
    yield CardGrid(phrase("Inscribed cards"), bears, tuple(card for card in MONSTER_CARDS if card in band.monsters))
    standing = [borne for borne in band.inscriptions if not borne.fate]
    yield Listing(
        phrase("Inscriptions"),
        tuple(_inscription_line(borne, book) for borne in sorted(standing, key=lambda one: PACK.index(one.card))),
    )
    lost = [borne for borne in band.inscriptions if borne.fate]
    if lost:
        names = ((one, book.inscription_title(one.inscription)) for one in lost)
        # Translators: The inscriptions that a band has lost.
        yield Listing(
            phrase_in("inscriptions", "Lost"),
            tuple(PortraitLine(name, card=one.card, about=_loss_text(one)) for one, name in names),
        )


def _monster_line(card: Card, monster: Monster, book: EffectBook) -> PortraitLine:
    named = ((book.label_title(label), book.label_tier_of(label)) for label in monster.labels)
    labels = (phrase("{label} ({tier})", label=label, tier=declared(tier)) if tier else label for label, tier in named)
    figures = (phrase("HP {hp}", hp=monster.hp), phrase("ATK {atk}", atk=monster.atk))
    return PortraitLine(monster.name, 0, card, (*figures, *labels), monster.legend)


def _inscription_line(borne: BorneInscription, book: EffectBook) -> PortraitLine:
    source: Text = _SOURCES.get(borne.source, borne.source)
    origin = phrase("{source}, by {person}", source=source, person=borne.by) if borne.by else source
    about = (TIER_TITLES[borne.tier], origin) if borne.tier else (origin,)
    return PortraitLine(book.inscription_title(borne.inscription), 0, borne.card, about)


def _loss_text(borne: BorneInscription) -> tuple[Text, ...]:
    fate: Text = _FATES.get(borne.fate, borne.fate)
    if borne.until is None:
        return (fate,)
    # Translators: {fate} is what became of an inscription, such as “faded”.
    return (phrase("{fate} after dungeon {number}", fate=fate, number=str(borne.until)),)
