"""Stored bands: the questions for any deck, and the audit of its box."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Final

import msgspec

from companion.games.decknforge.book import founding
from companion.games.decknforge.book.effect import EffectBook
from companion.games.decknforge.book.standard import STANDARD
from companion.games.decknforge.book.state import MONSTER_CARDS
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks import passport, story
from companion.games.decknforge.decks.record import record
from companion.games.decknforge.glossary import effect_name
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.decks.form import refuse_errors
from companion.tabletop.decks.keeping import Keeping, Spots
from companion.tabletop.notation.cards import PACK, Card, card_title, read_card
from companion.tabletop.records import Corrected, Mark, ReasonOrText, effective
from templates.languages.messages import Text, all_of, joined, phrase

_ON_THE_BOX = ("name", "box", "holder", "retired")
_ABSENT = frozenset({"", "no", "n", "-", "none"})
_PRESENT = frozenset({"yes", "y"})
_MOST_CORRECTIONS = 3

_NAME: Final = "\0"
_NUMBER: Final = re.compile(r"\d+")
_GLORY, _HP, _ATK = 7, 8, 9
"""Numbers of an example, by which those of a text are told apart, whatever their order in a language."""


class BandKeeping(Keeping):
    """The storage rules of bands; see `companion.tabletop.decks.keeping.Keeping`."""

    example = "7S sharp: yes"
    spots: ClassVar[story.BandSpots] = story.PAPER
    correction = m.BandCorrected

    def __init__(self, book: EffectBook = STANDARD) -> None:
        keeping: Any = self  # overrides class attributes on the instance
        keeping.spots = story.BandSpots(book)
        self._book = book

    def spot_order(self, marks: Sequence[Mark]) -> Callable[[str], tuple[int, str]]:  # noqa: ARG002
        """Return a sort key: the box, its Monsters, then its cards."""

        def order(spot: str) -> tuple[int, str]:
            card = Card(spot.partition(" ")[0])
            if card in MONSTER_CARDS:
                return len(_ON_THE_BOX) + MONSTER_CARDS.index(card), spot
            return (len(PACK) + PACK.index(card), spot) if card in PACK else (_ON_THE_BOX.index(spot), "")

        return order

    def describe_spot(self, spot: str, text: str) -> tuple[Text, Text]:
        """See `Keeping.describe_spot`."""
        card, _, name = spot.partition(" ")
        if name:
            return card_title(Card(card)), self.spots.title(spot)
        if card in PACK:
            return card_title(Card(card)), story.written_text(spot, text)
        if spot == "holder":
            return phrase("{holder} holds it", holder=text), ""
        if spot == "retired":
            return phrase("“retired” on the box"), ""
        return phrase("On the box"), story.written_text(spot, text)

    def read_spot(self, text: str) -> str:
        """Read a spot as users type it (`7s Sharp`, `glory`) and return its canonical form. Raises NotationError."""
        card, _, name = text.strip().partition(" ")
        if card.lower() in _ON_THE_BOX and not name:
            return card.lower()
        on = read_card(card)
        if name:
            read = self._book.read_label if on in MONSTER_CARDS else self._book.read_inscription
            return f"{on} {read(name)}"
        if on not in MONSTER_CARDS:
            raise NotationError(
                phrase("“{word}”: say what stands on {card}, as in `7S sharp`.", word=text, card=card_title(on))
            )
        return on

    def spot_value(self, spot: str, text: str) -> str:
        """Return the value of a spot in the record's words. Raises RuleError if the spot cannot have that value."""
        if text.lower() in _ABSENT:
            return ""
        if " " in spot or spot == "retired":
            if text.lower() not in _PRESENT:
                answer = phrase("The answer is yes or no, not “{word}”.", word=text)
                raise RuleError(joined(" ", (self.question(spot, text), answer)))
            return "yes"
        if spot == "box":
            return story.box_text(*_read_box(text))
        return story.creature_text(_read_creature(Card(spot), text)) if spot in MONSTER_CARDS else text

    def corrections(self, marks: Sequence[Mark], seen: Spots, reason: ReasonOrText, by: str) -> Iterator[Mark]:
        """Yield the marks that bring the record in line with the box at these spots."""
        so_far = [*marks]
        for spot, text in seen.items():
            # If the record has an inscription on a spot more than once, each needs its own correction.
            for _ in range(_MOST_CORRECTIONS):
                corrections = [*self._correct_spot(so_far, spot, text, reason, by)]
                so_far += corrections
                yield from corrections

    def _correct_spot(
        self, marks: Sequence[Mark], spot: str, text: str, reason: ReasonOrText, by: str
    ) -> Iterator[Mark]:
        """Yield the marks that bring the record in line with the box at a spot."""
        card, _, name = spot.partition(" ")
        if story.paper_state(marks).should.get(spot, "") == text:
            return
        if name:
            yield _correct_label(marks, Card(card), name, bool(text), reason, by, self._book)
        elif card in MONSTER_CARDS:
            yield _correct_first_mark(marks, reason, by, creatures=_with_creature(marks, Card(card), text))
        elif spot == "box":
            yield m.BoxCounted(*_read_box(text), reason, by)
        elif spot == "holder":
            if not text:
                raise RuleError(phrase("Every box has a holder; enter who it is."))
            yield m.Drifted(text)
        elif spot == "retired":
            yield m.BandRetired(by=by) if text else _take_back_retirement(marks, reason, by)
        else:
            yield self.rename_record(marks, text, reason, by)

    def check_correction(self, marks: Sequence[Mark], correction: Corrected) -> None:
        """Refuse to take back the first mark; a rename or an audit of the box changes that instead."""
        after = record([*marks, correction], self._book) if correction.of > 1 else None
        if after is None or not after.name:
            raise RuleError(
                phrase("The founding of a band cannot be undone; rename the band, check its box, or retire it.")
            )

    def rename_record(self, marks: Sequence[Mark], name: str, reason: ReasonOrText, by: str = "") -> Mark:
        """Return the correction of the first mark with another name. Raises RuleError for an empty one (V1.15)."""
        refuse_errors(founding.name_findings(name))
        return _correct_first_mark(marks, reason, by, name=name.strip())

    def retire_record(self, marks: Sequence[Mark], heirloom: str, by: str = "") -> Mark:
        """Return the mark of retirement, by R1.81 or by choice; an heirloom must be from the band's history (A1.64)."""
        band = record(marks, self._book)
        if band.retired:
            raise RuleError(phrase("{band} has retired already.", band=band.name))
        left = self._book.read_inscription(heirloom) if heirloom else ""
        if left and left not in band.history:
            raise RuleError(
                phrase(
                    "{band} never bore {inscription}; its heirloom is one of {inscriptions} (A1.64).",
                    band=band.name,
                    inscription=effect_name(left),
                    inscriptions=all_of(map(effect_name, dict.fromkeys(band.history))),
                )
                if band.history
                else phrase(
                    "{band} never bore {inscription}, so it cannot leave that as its heirloom (A1.64).",
                    band=band.name,
                    inscription=effect_name(left),
                )
            )
        return m.BandRetired(left, by)

    def pack_record(self, marks: Sequence[Mark]) -> Iterator[Any]:
        """Yield the band for a passport, first completely, then each time with a little less."""
        return passport.pack_band(marks, self._book)

    def unpack_record(self, content: Any, story: str, length: int, by: str = "") -> tuple[Mark, ...]:
        """Return the marks of a passport's band. Raises RuleError if it holds none."""
        return passport.unpack_band(content, story, length, by, self._book)


def _correct_label(
    marks: Sequence[Mark], card: Card, name: str, there: bool, reason: ReasonOrText, by: str, book: EffectBook
) -> Mark:
    """Return the mark for a label or inscription that is there although the record lacks it, or the reverse."""
    kinds: tuple[type[Mark], ...]
    if card in MONSTER_CARDS:
        kinds = (m.Peeled,) if there else (m.Labelled,)
    else:
        kinds = (m.InscriptionCrossedOut, m.CarriedOff) if there else (m.CardInscribed, m.CarriedIn)
    wrong = [
        number
        for number, mark in effective(marks)
        if isinstance(mark, kinds)
        and getattr(mark, "card", "") == card
        and name in (getattr(mark, "inscription", ""), getattr(mark, "label", ""))
    ]
    if wrong:
        return m.BandCorrected(wrong[-1], reason, by)
    band = record(marks, book)
    if card in MONSTER_CARDS:
        if not there:
            return m.Peeled(card, name, by, reason)
        refuse_errors(founding.label_findings(card, (*band.monsters[card].labels, name), book=book))
        return m.Labelled(card, name, by, reason)
    if not there:
        return m.InscriptionCrossedOut(card, name, "found", by, reason)
    if why := founding.placement_error(name, card, band.inscribed.get(card, ()), book):
        hint = phrase("look again, or first correct what the record says is there.")
        raise RuleError(joined("; ", (why, hint)))
    return m.CardInscribed(card, name, "found", by, reason=reason)


def _first_mark(marks: Sequence[Mark]) -> m.BandFounded | m.BandAdopted:
    return next(mark for _, mark in effective(marks) if isinstance(mark, m.BandFounded | m.BandAdopted))


def _correct_first_mark(marks: Sequence[Mark], reason: ReasonOrText, by: str, **fields: Any) -> Mark:
    """Return the correction of a band's first mark; of several, the newest counts."""
    return m.BandCorrected(1, reason, by, msgspec.structs.replace(_first_mark(marks), **fields))


def _with_creature(marks: Sequence[Mark], card: Card, text: str) -> tuple[m.FoundedMonster, ...]:
    """Return the Monsters of a band's first mark, with one card's text replaced."""
    if not text:
        raise RuleError(
            phrase("{card}: every Monster has something written on its card; say what (V1.2).", card=card_title(card))
        )
    creature = _read_creature(card, text)
    return tuple(creature if each.card == card else each for each in _first_mark(marks).creatures)


def _read_creature(card: Card, text: str) -> m.FoundedMonster:
    creature = _parse_creature(card, text)
    if creature is None:
        raise RuleError(
            phrase(
                "{card}: write a Monster as `Grave Wyrm, HP 18, ATK 3`, with `, ⭐` if it is a Legend.",
                card=card_title(card),
            )
        )
    if why := founding.wrong_atk(card, creature.hp, creature.atk):
        raise RuleError(why)
    return creature


def _read_box(text: str) -> tuple[int, int]:
    try:
        return _parse_box(text)
    except ValueError:
        raise RuleError(
            phrase("“{word}” is not what is written on a box; write it as `Glory 12, 3 dungeons`.", word=text)
        ) from None


def _parse_creature(card: Card, text: str) -> m.FoundedMonster | None:
    """Return the Monster that a text describes, in the record's words or the reader's; None if it describes none."""
    text = text.replace("★", "⭐")
    for is_legend in (True, False):
        example = m.FoundedMonster(card, _NAME, _HP, _ATK, legend=is_legend)
        example_text = str(story.written_text(card, story.creature_text(example)))
        if parts := _read_like(example_text, text):
            return m.FoundedMonster(card, parts[0].strip(), int(parts[_HP]), int(parts[_ATK]), legend=is_legend)
    return story.read_creature(card, text)


def _parse_box(text: str) -> tuple[int, int]:
    """Return Glory and dungeons from a text in the record's words or the reader's; 0 and 0 if it is empty.

    Raises ValueError for any other text.
    """
    for dungeons in (1, 2):  # the forms for one and for several
        if parts := _read_like(str(story.describe_box(_GLORY, dungeons)), text):
            return int(parts[_GLORY]), int(parts[dungeons])
    return story.read_box(text)


def _read_like(example: str, text: str) -> dict[int, str]:
    """Return the parts of a text by the numbers that stand there in an example, 0 for the name; {} if it differs."""
    pattern = _NUMBER.sub(r"(\\d+)", re.escape(example)).replace(re.escape(_NAME), "(.*)")
    match = re.fullmatch(pattern, text.strip())
    places = (0 if part == _NAME else int(part) for part in re.findall(rf"\d+|{_NAME}", example))
    return dict(zip(places, match.groups(), strict=True)) if match else {}


def _take_back_retirement(marks: Sequence[Mark], reason: ReasonOrText, by: str) -> Mark:
    number = next((number for number, mark in effective(marks) if isinstance(mark, m.BandRetired)), None)
    return (
        _correct_first_mark(marks, reason, by, retired=False) if number is None else m.BandCorrected(number, reason, by)
    )


KEEPING: Final = BandKeeping()
