"""A band in a passport: numbers and names in a fixed order, so that a whole band takes a few hundred bytes.

Every later program must read what was once printed. So fields are only ever added at the end, with defaults, and the
numbers and orders written out here and in `card_numbers` never change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from companion.games.decknforge.book.effect import Effect, EffectBook
from companion.games.decknforge.book.standard import STANDARD
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks.card_numbers import CARDS
from companion.games.decknforge.decks.record import record
from companion.games.decknforge.decks.story import paper_state
from companion.tabletop.action import RuleError
from companion.tabletop.decks.keeping import Whole
from companion.tabletop.notation.cards import Card
from companion.tabletop.records import Mark
from templates.languages.messages import phrase

MONSTERS: Final = ("AS", "AH", "AC", "AD", "BJ", "RJ")
"""Order of a band's Monsters in a passport."""


class PackedCreature(msgspec.Struct, frozen=True, array_like=True):
    """A Monster, with the codes of its labels."""

    name: str
    hp: int
    atk: int
    legend: bool
    labels: tuple[int, ...]


class PackedBand(msgspec.Struct, frozen=True, array_like=True):
    """A band. Inscriptions and labels are stored by code; each entry of `inscribed` is a card's number and its codes.

    `due` are the spots with open chores, `omitted` names what did not fit.
    """

    name: str
    builder: str
    since: str
    holders: tuple[str, ...]
    glory: Whole
    dungeons: Whole
    retired: bool
    heirloom: str
    creatures: tuple[PackedCreature, ...]
    inscribed: tuple[tuple[int, ...], ...]
    lost: tuple[int, ...]
    due: tuple[str, ...]
    omitted: tuple[str, ...]


_HOMEBREW: Final = 10_000
"""Offset of a homebrew's codes; its numbers go up to 9,999."""


def _effect_codes(effects: Iterable[Effect]) -> Mapping[str, int]:
    """Return the codes of effects; a printed one's code is its number less 1, as the first passports counted from 0."""
    return {effect.name: effect.number - 1 if effect.printed else _HOMEBREW + effect.number for effect in effects}


def _code_of(codes: Mapping[str, int], name: str) -> int:
    """Return the code of an effect. Raises RuleError if the band's homebrew does not have it."""
    if name not in codes:
        raise RuleError(
            phrase(
                "{effect} is from a homebrew that this band does not go by, so no passport can hold it.", effect=name
            )
        )
    return codes[name]


def _names_by_code(codes: Mapping[str, int]) -> Mapping[int, str]:
    return {code: name for name, code in codes.items()}


_CARD_NUMBERS: Final = {card: number for number, card in enumerate(CARDS)}


def pack_band(marks: Sequence[Mark], book: EffectBook = STANDARD) -> Iterator[Any]:
    """Yield a band for a passport, first completely, then each time with a little less.

    Omitted, in this order: earlier holders, inscriptions lost long ago (one of which could be an heirloom), the
    Monsters' names. `docs/decks.md` says how large a band must be for that.
    """
    band = record(marks, book)
    inscriptions, labels = _effect_codes(book.inscriptions.values()), _effect_codes(book.labels.values())
    whole = PackedBand(
        name=band.name,
        builder=band.builder,
        since=band.since,
        holders=band.holders,
        glory=band.glory,
        dungeons=band.dungeons,
        retired=band.retired,
        heirloom=band.heirloom,
        creatures=tuple(
            PackedCreature(
                one.name, one.hp, one.atk, one.legend, tuple(_code_of(labels, label) for label in one.labels)
            )
            for one in (band.monsters[Card(card)] for card in MONSTERS)
        ),
        inscribed=tuple(
            (_CARD_NUMBERS[card], *(_code_of(inscriptions, name) for name in names))
            for card, names in band.inscribed.items()
        ),
        lost=tuple(inscriptions[name] for name in band.lost_inscriptions if name in inscriptions),
        due=tuple(chore.spot for chore in paper_state(marks).due),
        omitted=(),
    )
    omissions: dict[str, Any] = {
        "holders": band.holders[-1:],
        "lost": (),
        "names": tuple(msgspec.structs.replace(creature, name="") for creature in whole.creatures),
    }
    for count in range(len(omissions) + 1):
        less = dict(list(omissions.items())[:count])
        fields = {"creatures" if field == "names" else field: value for field, value in less.items()}
        yield msgspec.structs.replace(whole, omitted=tuple(less), **fields)


def unpack_band(content: Any, story: str, length: int, by: str = "", book: EffectBook = STANDARD) -> tuple[Mark, ...]:
    """Return the marks that adopt a passport's band. Raises RuleError if it holds no band."""
    names, labels = (
        _names_by_code(_effect_codes(book.inscriptions.values())),
        _names_by_code(_effect_codes(book.labels.values())),
    )
    try:
        pack = msgspec.convert(content, PackedBand)
        creatures = dict(zip(MONSTERS, pack.creatures, strict=True))
        adopted = m.BandAdopted(
            name=pack.name,
            builder=pack.builder,
            creatures=tuple(
                m.FoundedMonster(Card(card), one.name, one.hp, one.atk, one.legend) for card, one in creatures.items()
            ),
            labels={
                Card(card): tuple(labels[code] for code in one.labels) for card, one in creatures.items() if one.labels
            },
            inscribed={Card(_card_at(card)): tuple(names[code] for code in codes) for card, *codes in pack.inscribed},
            lost=tuple(names[code] for code in pack.lost),
            holders=pack.holders,
            glory=pack.glory,
            dungeons=pack.dungeons,
            retired=pack.retired,
            heirloom=pack.heirloom,
            since=pack.since,
            by=by,
            story=story,
            length=length,
            omitted=pack.omitted,
            due=pack.due,
        )
    except (msgspec.ValidationError, LookupError, ValueError) as error:
        raise RuleError(
            phrase("This passport does not hold a band of DecknForge; print it again from its archive.")
        ) from error
    return (adopted,)


def _card_at(number: int) -> str:
    """Return the card of a number. Raises LookupError below 0, which would count from the end."""
    if number < 0:
        raise LookupError(number)
    return CARDS[number]
