"""Bands that come in from outside: from what their paper says, or packed into a passport and out of it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final

import msgspec

from companion.games.action import NotationError, RuleError
from companion.games.cards import PACK, Card, pretty, read_card
from companion.games.decknforge import band_spots, founding, names
from companion.games.decknforge import marks as m
from companion.games.decknforge.inscriptions import INSCRIPTIONS
from companion.games.decknforge.labels import LABELS
from companion.games.decknforge.record import BandRecord, record
from companion.games.decknforge.state import MONSTER_CARDS, Monster
from companion.games.records import Mark

Whole = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Words = str | tuple[str, ...]


class OnCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Monster as its card says it; ATK follows from HP where it is not said."""

    name: str
    hp: int
    atk: int | None = None
    legend: bool = False
    labels: tuple[str, ...] = ()
    items: tuple[str, ...] = ()


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A band's paper record sheet. `holders` are all who held it, the last of them holds it now."""

    game: str
    name: str
    builder: str
    monsters: dict[str, OnCard]
    inscribed: dict[str, Words] = msgspec.field(default_factory=dict)
    lost: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    glory: Whole = 0
    dungeons: Whole = 0
    retired: bool = False
    heirloom: str = ""
    founded: str = ""
    cards: tuple[str, ...] = ()
    """The cards that lie in the box, where somebody has counted them."""


def from_paper(data: Mapping[str, Any], by: str = "") -> tuple[tuple[Mark, ...], tuple[str, ...]]:
    """The marks of a band that lived on paper, and the warnings about it; `data` is what its TOML file holds.

    Raises NotationError where it cannot be read, RuleError with everything that is against the rules.
    """
    try:
        sheet = msgspec.convert(data, Sheet)
    except msgspec.ValidationError as error:
        raise NotationError(f"The record sheet cannot be read: {error}.") from None
    monsters = {read_card(card): monster for card, monster in sheet.monsters.items()}
    inscribed = {read_card(card): _inscriptions(words) for card, words in sheet.inscribed.items()}
    mark = m.Adopted(
        name=sheet.name.strip(),
        builder=sheet.builder.strip(),
        creatures=tuple(_creature(card, monster) for card, monster in monsters.items()),
        labels={card: tuple(map(names.label, monster.labels)) for card, monster in monsters.items() if monster.labels},
        inscribed=inscribed,
        lost=_inscriptions(sheet.lost),
        holders=sheet.holders or (sheet.builder.strip(),),
        glory=sheet.glory,
        dungeons=sheet.dungeons,
        retired=sheet.retired,
        heirloom=names.inscription(sheet.heirloom) if sheet.heirloom else "",
        since=sheet.founded,
        by=by,
    )
    counted = founding.pack_findings(tuple(map(read_card, sheet.cards))) if sheet.cards else ()
    return (mark,), founding.refuse_errors((*counted, *_findings(mark)))


def _inscriptions(words: Words) -> tuple[str, ...]:
    return tuple(map(names.inscription, (words,) if isinstance(words, str) else words))


def _creature(card: Card, monster: OnCard) -> m.Creature:
    atk = founding.monster_atk(monster.hp) if monster.atk is None else monster.atk
    items = tuple(map(read_card, monster.items))
    return m.Creature(card, monster.name.strip(), monster.hp, atk, monster.legend, items)


def _findings(mark: m.Adopted) -> Iterator[founding.Finding]:
    """Everything that is wrong or doubtful about an adopted band (V1.2–V1.15)."""
    yield from founding.name_findings(mark.name)
    monsters = {c.card: Monster(c.name, c.hp, c.atk, c.legend, mark.labels.get(c.card, ())) for c in mark.creatures}
    if missing := [pretty(card) for card in MONSTER_CARDS if card not in monsters]:
        yield founding.Finding(f"Every band has six Monsters; missing: {', '.join(missing)} (V1.2).")
    yield from founding.monster_findings(monsters)
    for creature in mark.creatures:
        if creature.items and founding.monster_hp(_items(creature)) != creature.hp:
            yield founding.Finding(f"{pretty(creature.card)}: its Items do not add up to HP {creature.hp} (V1.3).")
    for card, present in mark.inscribed.items():
        for place, name in enumerate(present):
            if why := founding.misplaced(name, card, present[:place]):
                yield founding.Finding(f"{why}.")
            if why := founding.useless(name, card):
                yield founding.Finding(f"{why}.", warning=True)
    if not mark.inscribed and not mark.retired:
        yield founding.Finding(
            "A band without a Blessed card has retired (R1.81); say `retired = true`, or what is inscribed."
        )


def _items(creature: m.Creature) -> Sequence[Card]:
    strange = [
        pretty(item) for item in creature.items if item[:-1] not in ("2", "3", "4", "5", "6", "7", "8", "9", "10")
    ]
    if strange or len(creature.items) != founding.ITEMS_PER_MONSTER:
        raise RuleError(f"{pretty(creature.card)} is built from three Items, the cards 2 to 10 (V1.3).")
    return creature.items


# Passports: numbers and names in a fixed order, so that a whole band is a few hundred bytes.

_INSCRIPTION_ORDER: Final = tuple(INSCRIPTIONS)
_LABEL_ORDER: Final = tuple(LABELS)


class _Creature(msgspec.Struct, frozen=True, array_like=True):
    name: str
    hp: int
    atk: int
    legend: bool
    labels: tuple[int, ...]


class _Packed(msgspec.Struct, frozen=True, array_like=True):
    """A band in a passport. Cards count from the beginning of the pack, effects in the order of the rulebook."""

    name: str
    builder: str
    since: str
    holders: tuple[str, ...]
    glory: Whole
    dungeons: Whole
    retired: bool
    heirloom: str
    creatures: tuple[_Creature, ...]
    inscribed: tuple[tuple[int, ...], ...]
    lost: tuple[int, ...]
    due: tuple[str, ...]
    omitted: tuple[str, ...]


def packed(marks: Sequence[Mark]) -> Iterator[Any]:
    """A band as a passport holds it, first whole, then each time with a little less.

    Left out, in this order: earlier holders, inscriptions lost long ago (an heirloom could be one of them), the
    Monsters' names. `docs/decks.md` says how much there must be for that.
    """
    band = record(marks)
    due = tuple(chore.spot for chore in band_spots.paper_state(marks).due)
    holders, lost = band.holders, band.lost
    steps = (
        ((), holders, lost, True),
        (("earlier holders",), holders[-1:], lost, True),
        (("earlier holders", "lost inscriptions"), holders[-1:], (), True),
        (("earlier holders", "lost inscriptions", "names of Monsters"), holders[-1:], (), False),
    )
    for omitted, held, gone, named in steps:
        yield _pack(band, due, omitted, held, gone, named)


def _pack(
    band: BandRecord,
    due: tuple[str, ...],
    omitted: tuple[str, ...],
    holders: tuple[str, ...],
    lost: tuple[str, ...],
    named: bool,
) -> _Packed:
    monsters = (band.monsters[card] for card in MONSTER_CARDS)
    return _Packed(
        name=band.name,
        builder=band.builder,
        since=band.since,
        holders=holders,
        glory=band.glory,
        dungeons=band.dungeons,
        retired=band.retired,
        heirloom=band.heirloom,
        creatures=tuple(
            _Creature(
                one.name if named else "", one.hp, one.atk, one.legend, tuple(map(_LABEL_ORDER.index, one.labels))
            )
            for one in monsters
        ),
        inscribed=tuple(
            (PACK.index(card), *_indices(_INSCRIPTION_ORDER, present)) for card, present in band.inscribed.items()
        ),
        lost=_indices(_INSCRIPTION_ORDER, lost),
        due=due,
        omitted=omitted,
    )


def _indices(order: Sequence[str], names: Sequence[str]) -> tuple[int, ...]:
    return tuple(order.index(name) for name in names)


def unpacked(content: Any, story: str, length: int, by: str = "") -> tuple[Mark, ...]:
    """The marks with which a passport's band is adopted. Raises RuleError where it holds no band."""
    try:
        pack = msgspec.convert(content, _Packed)
        inscribed = {PACK[card]: tuple(_INSCRIPTION_ORDER[at] for at in present) for card, *present in pack.inscribed}
        creatures = tuple(
            m.Creature(card, one.name, one.hp, one.atk, one.legend)
            for card, one in zip(MONSTER_CARDS, pack.creatures, strict=True)
        )
        labels = {
            card: tuple(_LABEL_ORDER[at] for at in one.labels)
            for card, one in zip(MONSTER_CARDS, pack.creatures, strict=True)
            if one.labels
        }
        lost = tuple(_INSCRIPTION_ORDER[at] for at in pack.lost)
    except (msgspec.ValidationError, LookupError, ValueError) as error:
        raise RuleError("This passport holds no band of DecknForge; print it again from its archive.") from error
    adopted = m.Adopted(
        name=pack.name,
        builder=pack.builder,
        creatures=creatures,
        labels=labels,
        inscribed=inscribed,
        lost=lost,
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
    return (adopted,)
