"""A band on paper: the labels on its cards and its box, and its record sheet (§1.12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeVar

import msgspec

from companion.games.decknforge.book.effect import TIER_TITLES, Effect, EffectBook
from companion.games.decknforge.book.standard import STANDARD
from companion.games.decknforge.book.state import MONSTER_CARDS, Monster
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks.card_numbers import CARDS
from companion.games.decknforge.decks.record import NAME, BandRecord, BorneInscription
from companion.games.decknforge.glossary import GLOSSARY, effect_title
from companion.tabletop.decks.paper import (
    DatedMark,
    Imprint,
    LabelText,
    LabelTier,
    PrintedMatter,
    RecordSheet,
    SheetColumn,
    SheetTable,
    Wording,
)
from companion.tabletop.notation.cards import PACK, Card, pretty
from companion.tabletop.records import DeckFigure, Mark, Record
from templates.languages.messages import ENGLISH, Message, Text, joined, phrase, phrase_in, phrases, speaking

INSCRIPTION: Final = "inscription"
MONSTER_LABEL: Final = "monster-label"
"""The kinds of label texts: one name can be both an inscription and a Monster label."""

LEGEND: Final = LabelTier(phrase("Legend"), "★")
_FOREIGN: Final = LabelTier("", "")

# Blank rows of a record sheet, to be filled in by hand.
_BLESSED, _LOG, _HOLDERS = 4, 5, 2

_RETIRED: Final = phrase_in("deck", "retired")
# Translators: Where an inscription comes from.
_SOURCES: Final[Mapping[str, Message]] = {
    "start": phrase_in("inscription", "at the founding"),
    "bought": phrase_in("inscription", "bought"),
    "mythic": phrase_in("inscription", "from a Legend"),
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
# Translators: It stands instead of a day.
_BEFORE: Final = phrase("before records")

_Value = TypeVar("_Value")
_Dated = Sequence[DatedMark]


class BandPaper(PrintedMatter):
    """The paper of bands, including a homebrew's own texts; see `companion.tabletop.decks.paper.PrintedMatter`."""

    def __init__(self, book: EffectBook = STANDARD) -> None:
        super().__init__()
        self._book = book

    def with_homebrew_texts(self, wording: Wording) -> Wording:
        """Return the label texts with those of the homebrew; unchanged effects keep the file's texts."""
        if not self._book.is_homebrew:
            return wording
        return msgspec.structs.replace(wording, texts={**wording.texts, **dict(self._homebrew_labels(wording))})

    def _homebrew_labels(self, wording: Wording) -> Iterator[tuple[tuple[str, str], LabelText]]:
        """Yield the labels that differ from the rulebook, in its order, by kind and name."""
        looks = {(kind, _tier_name(text.tier)): text for (kind, _), text in wording.texts.items() if text.tier}
        for kind, effect, tier in self._effects_with_tiers():
            printed = wording.texts.get((kind, effect.name))
            label = _label_text(effect, looks[kind, tier], printed)
            if label != printed:
                yield (kind, effect.name), label

    def _effects_with_tiers(self) -> Iterator[tuple[str, Effect, str]]:
        """Yield the effects of the book, with their kinds and the names of their tiers."""
        for effect in self._book.inscriptions.values():
            yield INSCRIPTION, effect, effect.tier
        for label in self._book.labels.values():
            yield MONSTER_LABEL, label, self._book.label_tiers[label.tier].lower()

    def starter(self, wording: Wording) -> tuple[LabelText, ...]:
        """Return the rulebook's sheet; for a homebrew, the labels that sheet lacks, in the copies of their tiers."""
        if not self._book.is_homebrew:
            names = {text: _KIND_OF.get(key, 0) for key, text in wording.texts.items()}
            return tuple(msgspec.structs.replace(text, kind=names.get(text, 0)) for text in super().starter(wording))
        own = dict(self._homebrew_labels(wording))
        return tuple(
            own[kind, effect.name]
            for kind, effect, tier in self._effects_with_tiers()
            if (kind, effect.name) in own and not effect.withdrawn
            for _ in range(self._book.copies.get(tier, 1))
        )

    def current_labels(self, record: Record, wording: Wording) -> tuple[LabelText, ...]:
        """Return each Monster's label with the labels on it, then the inscriptions by card."""
        assert isinstance(record, BandRecord)
        words = self.with_homebrew_texts(wording)
        return (*_creatures(record, words), *_inscriptions(record, words))

    def new_labels(self, marks: Sequence[Mark], wording: Wording) -> tuple[LabelText, ...]:
        """Return the labels to be stuck; an inscription that was lost again on the same evening is left out."""
        words = self.with_homebrew_texts(wording)
        stuck: dict[tuple[str, Card, str], LabelText] = {}
        for mark in marks:
            if isinstance(mark, m.BandAdopted):
                creatures = (creature for creature in mark.creatures if creature.card in mark.due)
                stuck |= {("", each.card, each.name): _creature_label(each.card, each, mark.name) for each in creatures}
            elif isinstance(mark, m.CardInscribed):
                stuck[INSCRIPTION, mark.card, mark.inscription] = _effect_label(words, mark.card, mark.inscription)
            elif isinstance(mark, m.Labelled):
                stuck[MONSTER_LABEL, mark.card, mark.label] = _effect_label(words, mark.card, mark.label)
            elif isinstance(mark, m.InscriptionCrossedOut | m.CarriedOff):
                stuck.pop((INSCRIPTION, mark.card, mark.inscription), None)
        return tuple(stuck.values())

    def number_on_card(self, spot: str) -> tuple[int, int] | None:
        """Return a card's index in passports and the kind of a label on it; None for a homebrew's own effects."""
        card, _, name = spot.partition(" ")
        kind = _KIND_OF.get((_kind_on(Card(card)), name)) if name else _CREATURE if card in MONSTER_CARDS else None
        return (CARDS.index(card), kind) if card in CARDS and kind is not None else None

    def spot_on_card(self, card: int, kind: int) -> str:
        """Return the spot for a card's index and a kind, or "" if there is none."""
        on = Card(CARDS[card])
        if kind == _CREATURE:
            return on if on in MONSTER_CARDS else ""
        on_kind, name = _KINDS.get(kind, ("", ""))
        return f"{on} {name}" if on_kind == _kind_on(on) else ""

    def kind_name(self, kind: int) -> str:
        """Return the name of a kind: `sharp`."""
        return _KINDS.get(kind, ("", ""))[1]

    def paper_deck_with(self, spots: Sequence[str], kinds: Sequence[str]) -> str:
        """Return a record sheet with the scanned labels; names and figures of the Monsters must be filled in."""
        on: dict[str, list[str]] = {}
        for card, _, name in (spot.partition(" ") for spot in spots):
            on.setdefault(card, []).extend([name] if name else [])
        lines = [
            "# What the labels of a band say, for `companion deck adopt FILE.toml`. Fill in the rest.",
            *('game = "decknforge"', 'name = ""', 'builder = ""', "holders = []", "glory = 0", "dungeons = 0"),
        ]
        for card in MONSTER_CARDS:
            labels = ", ".join(f'"{name}"' for name in on.get(card, ()))
            lines += ["", f"[monsters.{card}]", 'name = ""', "hp = 0", *([f"labels = [{labels}]"] if labels else [])]
        lines += ["", "[inscribed]"]
        if kinds:
            lines.append(f"# On cards that their labels do not know: {', '.join(kinds)}.")
        for card in (card for card in PACK if card in on and card not in MONSTER_CARDS):
            names = [f'"{name}"' for name in on[card]]
            written = names[0] if len(names) == 1 else f"[{', '.join(names)}]"
            lines.append(f"{card} = {written}")
        return "\n".join([*lines, ""])

    def listed_labels(self, marks: Sequence[Mark], wording: Wording) -> tuple[LabelText, ...]:
        """Return the labels of a homebrew's own effects."""
        # The modules for stored decks are not loaded for a table.
        from companion.games.decknforge.decks.story import PAPER
        from companion.tabletop.decks.keeping import spots_ever

        words = self.with_homebrew_texts(wording)
        spots = (spot for spot in spots_ever(PAPER, marks) if " " in spot and self.number_on_card(spot) is None)
        return tuple(
            _effect_label(words, Card(card), name) for card, _, name in (spot.partition(" ") for spot in spots)
        )

    def on_spot(self, spot: str, record: Record, wording: Wording) -> LabelText:
        """Return a Monster's own label, or the label of an effect for a card."""
        assert isinstance(record, BandRecord)
        card, _, name = spot.partition(" ")
        words = self.with_homebrew_texts(wording)
        return _effect_label(words, Card(card), name) if name else _creature(record, Card(card))

    def outdates_box(self, marks: Sequence[Mark]) -> bool:
        """Return True if Glory was earned."""
        return any(isinstance(mark, m.DungeonPlayed) and mark.glory for mark in marks)

    def names_box(self, marks: Sequence[Mark]) -> bool:
        """Return True for an adopted loose band: its box has no name yet."""
        return any(isinstance(mark, m.BandAdopted) and "name" in mark.due for mark in marks)

    def box_note(self, figures: Sequence[DeckFigure], retired: bool) -> Text:
        """Return the line on the box: `Glory 12 · 3 dungeons`."""
        glory, dungeons = (figure.value for figure in figures)
        life = _RETIRED if retired else phrases("{n} dungeon", "{n} dungeons", n=int(dungeons))
        return joined(" · ", (phrase("Glory {glory}", glory=str(glory)), life))

    def sheet(self, record: Record, marks: _Dated, wording: Wording) -> RecordSheet:
        """Return the six Monsters, the Blessed cards, the lost inscriptions, the dungeons, and the holders."""
        assert isinstance(record, BandRecord)
        words = self.with_homebrew_texts(wording)
        return RecordSheet(
            subtitle=joined(" · ", _subtitle(record, marks, words)),
            tables=(
                _monster_table(record, words),
                _inscriptions_table(record, marks, words),
                *_lost_inscription_tables(record, words),
                _dungeon_table(record, marks),
                _holder_table(record, marks),
            ),
            facts=(
                (phrase("Glory"), str(record.glory)),
                # Translators: The numbers stand beside these titles.
                (phrases("dungeon", "dungeons", n=record.dungeons), str(record.dungeons)),
                (phrases("Blessed card", "Blessed cards", n=len(record.inscribed)), str(len(record.inscribed))),
            ),
        )


# Permanent, as they are on labels: a Monster's own, then the printed inscriptions and labels by their numbers. There is
# room for 15 more inscriptions and 8 more labels.
_CREATURE: Final = 0
_FIRST_LABEL: Final = 40
_KINDS: Final = {
    **{each.number: (INSCRIPTION, each.name) for each in STANDARD.inscriptions.values()},
    **{_FIRST_LABEL + each.number: (MONSTER_LABEL, each.name) for each in STANDARD.labels.values()},
}
_KIND_OF: Final = {named: kind for kind, named in _KINDS.items()}


def _kind_on(card: Card) -> str:
    """Return the kind of labels that a card can bear."""
    return MONSTER_LABEL if card in MONSTER_CARDS else INSCRIPTION


IMPRINT: Final = Imprint(
    NAME,
    GLOSSARY.title,
    BandPaper(),
    phrase("Game content: DecknForge v2.0 by its contributors, CC BY-SA 4.0; wording adapted."),
    about=phrase("Into the dungeon together; inscriptions stay."),
)


def _tier_name(tier: LabelTier) -> str:
    """Return a tier as books name it, from its title in the file."""
    with speaking(ENGLISH):
        return str(tier.title).lower()


def _label_text(effect: Effect, look: LabelText, printed: LabelText | None) -> LabelText:
    """Return the text of a homebrew's label: its own, or the printed one if it changes only the name or tier."""
    own = effect.translate(effect.text) if isinstance(effect.text, str) else effect.text
    text = own or (printed.text if printed else "")
    return LabelText(effect.title, text, look.design, look.tier)


def _text_of(wording: Wording, kind: str, name: str) -> LabelText:
    """Return the text of an effect; for one of an unknown homebrew, its name alone."""
    return wording.texts.get((kind, name)) or LabelText(effect_title(name), "", "headed", _FOREIGN)


def short_card(card: Card) -> str:
    """Return a card in short form for a label: `7♠`, and `BJ` for the Black Joker."""
    return card if " " in pretty(card) else pretty(card)


def _in_order(by_card: Mapping[Card, _Value]) -> list[tuple[Card, _Value]]:
    """Return the entries in the order of a new pack: Spades, Hearts, Clubs, Diamonds, 2 to Ace, then the jokers."""
    return sorted(by_card.items(), key=lambda each: PACK.index(each[0]))


def _effect_label(wording: Wording, card: Card, name: str) -> LabelText:
    """Return the label of an effect on a card."""
    return _text_of(wording, _kind_on(card), name).on(short_card(card), f"{card} {name}")


def _creature(record: BandRecord, card: Card) -> LabelText:
    return _creature_label(card, record.monsters[card], record.name)


def _creature_label(card: Card, monster: Monster | m.FoundedMonster, band: str) -> LabelText:
    """Return a Monster's own label."""
    return LabelText(
        monster.name,
        design="figures",
        tier=LEGEND if monster.legend else None,
        figures=((phrase("HP"), str(monster.hp)), (phrase("ATK"), str(monster.atk))),
        card=short_card(card),
        note=band,
        spot=card,
    )


def _creatures(record: BandRecord, wording: Wording) -> Iterator[LabelText]:
    for card, monster in _in_order(record.monsters):
        yield _creature(record, card)
        for label in monster.labels:
            yield _effect_label(wording, card, label)


def _inscriptions(record: BandRecord, wording: Wording) -> Iterator[LabelText]:
    for card, inscribed in _in_order(record.inscribed):
        for inscription in inscribed:
            yield _effect_label(wording, card, inscription)


def _subtitle(record: BandRecord, dated: _Dated, wording: Wording) -> Iterator[Message]:
    day = record.since or next((each.day for each in dated if isinstance(each.mark, m.BandFounded)), "")
    yield (
        phrase("DecknForge band, founded {day} by {player}", day=day, player=record.builder)
        if day
        else phrase("DecknForge band, founded by {player}", player=record.builder)
    )
    yield _describe_retirement(record, wording) if record.retired else phrase("held by {holder}", holder=record.holder)


def _describe_retirement(record: BandRecord, wording: Wording) -> Message:
    heirloom = _text_of(wording, INSCRIPTION, record.heirloom).title if record.heirloom else ""
    if heirloom and record.successor:
        return phrase("retired, heirloom {inscription} in {band}", inscription=heirloom, band=record.successor)
    if heirloom:
        return phrase("retired, heirloom {inscription}", inscription=heirloom)
    return phrase("retired in {band}", band=record.successor) if record.successor else _RETIRED


def _monster_table(record: BandRecord, wording: Wording) -> SheetTable:
    columns = (
        SheetColumn(phrase("Card"), 0.9, bold=True),
        SheetColumn(phrase("Name"), 4, bold=True),
        SheetColumn(phrase("HP"), 0.7),
        SheetColumn(phrase("ATK"), 0.7),
        SheetColumn(phrase("Built from"), 2),
        SheetColumn(phrase("Labels: dungeon, by whom"), 6),
    )
    rows = tuple(
        (
            f"{short_card(card)} ★" if monster.legend else short_card(card),
            monster.name,
            str(monster.hp),
            str(monster.atk),
            " ".join(map(pretty, record.items.get(card, ()))),
            ", ".join(_labels_text(record, card, wording)),
        )
        for card, monster in _in_order(record.monsters)
    )
    return SheetTable(phrase("Monsters"), columns, rows)


def _labels_text(record: BandRecord, card: Card, wording: Wording) -> Iterator[str]:
    for borne in record.labels:
        if borne.card == card:
            tier = _label_tier(wording, MONSTER_LABEL, borne.label)
            origin = ", ".join(part for part in (f"{borne.dungeon}" if borne.dungeon else "", borne.by) if part)
            name = _text_of(wording, MONSTER_LABEL, borne.label).title
            yield f"{name} {tier.mark}".rstrip() + (f" ({origin})" if origin else "")


def _label_tier(wording: Wording, kind: str, name: str) -> LabelTier:
    return _text_of(wording, kind, name).tier or LEGEND


def _inscriptions_table(record: BandRecord, dated: _Dated, wording: Wording) -> SheetTable:
    columns = (
        SheetColumn(phrase("Card"), 0.8, bold=True),
        SheetColumn(phrase("Inscription"), 3, bold=True),
        SheetColumn(phrase("Tier"), 2),
        SheetColumn(phrase("Since"), 2),
        # Translators: How an inscription came onto a card, or was lost.
        SheetColumn(phrase_in("inscription", "How"), 4),
    )
    rows = tuple(
        (
            short_card(borne.card),
            _text_of(wording, INSCRIPTION, borne.inscription).title,
            _tier_text(borne, wording),
            day,
            _source_text(borne),
        )
        for borne, day in zip(record.inscriptions, _days_of_arrival(record, dated), strict=True)
        if not borne.fate
    )
    return SheetTable(phrase("Blessed cards"), columns, rows, blanks=_BLESSED)


def _days_of_arrival(record: BandRecord, dated: _Dated) -> list[Text]:
    """Return the day on which each of the band's inscriptions came."""
    days: list[Text] = [each.day for each in dated if isinstance(each.mark, m.CardInscribed | m.CarriedIn)]
    adopted = any(isinstance(each.mark, m.BandAdopted) for each in dated)
    return [*[_BEFORE] * (len(record.inscriptions) - len(days) if adopted else 0), *days]


def _tier_text(borne: BorneInscription, wording: Wording) -> Message:
    mark = _label_tier(wording, INSCRIPTION, borne.inscription).mark
    return joined(" ", filter(None, (mark, TIER_TITLES.get(borne.tier, ""))))


def _source_text(borne: BorneInscription) -> Text:
    source: Text = _SOURCES.get(borne.source, borne.source)
    return phrase("{source}, by {person}", source=source, person=borne.by) if borne.by else source


def _lost_inscription_tables(record: BandRecord, wording: Wording) -> tuple[SheetTable, ...]:
    """Return a table of the lost inscriptions, from which an heirloom may be chosen; () if none were lost."""
    columns = (
        SheetColumn(phrase("Card"), 0.8, bold=True),
        SheetColumn(phrase("Inscription"), 3, bold=True),
        SheetColumn(phrase("Tier"), 2),
        SheetColumn(phrase("After dungeon"), 2),
        SheetColumn(phrase_in("inscription", "How"), 4),
    )
    rows = tuple(
        (
            short_card(lost.card),
            _text_of(wording, INSCRIPTION, lost.inscription).title,
            _tier_text(lost, wording),
            str(lost.until),
            _FATES.get(lost.fate, lost.fate),
        )
        for lost in record.inscriptions
        if lost.fate
    )
    return (SheetTable(phrase("Lost inscriptions"), columns, rows),) if rows else ()


def _dungeon_table(record: BandRecord, dated: _Dated) -> SheetTable:
    days = [each.day for each in dated if isinstance(each.mark, m.DungeonPlayed)]
    columns = (
        SheetColumn(phrase("Dungeon"), 0.9, bold=True),
        SheetColumn(phrase("Date"), 1.7),
        SheetColumn(phrase("Wizard"), 3),
        SheetColumn(phrase("Outcome"), 1.6),
        SheetColumn(phrase("Bosses felled"), 1.4),
        SheetColumn(phrase("Rounds"), 0.9),
        SheetColumn(phrase("Glory"), 1),
    )
    win, loss = phrase_in("outcome", "WIN"), phrase_in("outcome", "LOSS")
    rows = tuple(
        (
            *(str(run.dungeon), day, run.wizard, win if run.outcome == "win" else loss, str(run.bosses)),
            *(str(run.rounds) if run.rounds else "", f"+{run.glory}"),
        )
        for run, day in zip(record.log, days, strict=True)
    )
    return SheetTable(phrase("Dungeons"), columns, rows, blanks=_LOG)


def _holder_table(record: BandRecord, dated: _Dated) -> SheetTable:
    drifted = [each.day for each in dated if isinstance(each.mark, m.Drifted)]
    first: Text = next((each.day for each in dated if isinstance(each.mark, m.BandFounded)), "") or _BEFORE
    holders = record.holders or (record.builder,)
    days = [*[first] * (len(holders) - len(drifted)), *drifted]
    columns = (
        SheetColumn(phrase("Number"), 0.9, bold=True),
        SheetColumn(phrase("Since"), 1.7),
        SheetColumn(phrase("Wizard"), 7),
    )
    rows = tuple(
        (str(number), day, holder) for number, (holder, day) in enumerate(zip(holders, days, strict=True), start=1)
    )
    # Translators: The holders of a band, one after another.
    return SheetTable(phrase("Drift"), columns, rows, blanks=_HOLDERS)
