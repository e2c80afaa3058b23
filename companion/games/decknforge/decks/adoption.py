"""Adoption of bands that lived on paper, from their record sheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, ClassVar, Final

import msgspec

from companion.games.decknforge.book import founding
from companion.games.decknforge.book.effect import EffectBook
from companion.games.decknforge.book.founding import ITEMS
from companion.games.decknforge.book.standard import STANDARD
from companion.games.decknforge.book.state import MONSTER_CARDS, Monster
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks.forms import CARD, INSCRIPTION, NAME
from companion.tabletop.action import NotationError
from companion.tabletop.decks.form import (
    YES,
    Field,
    Filled,
    Finding,
    Form,
    FormContext,
    FormPlace,
    FormReader,
    Values,
    choices_by_kind,
)
from companion.tabletop.notation.cards import Card, card_title, read_card
from companion.tabletop.table.choices import Candidates, Choice
from companion.tabletop.text import as_name
from templates.languages.messages import Finished, Text, phrase, phrase_in

Whole = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Words = str | tuple[str, ...]


class MonsterOnCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Monster as its card shows it; without ATK, it follows from HP."""

    name: str
    hp: int
    atk: int | None = None
    legend: bool = False
    labels: tuple[str, ...] = ()
    items: tuple[str, ...] = ()


class BandSheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A band's paper record sheet. `holders` are all wizards who held it; the last one is the present holder."""

    game: str
    name: str
    builder: str
    monsters: dict[str, MonsterOnCard]
    inscribed: dict[str, Words] = msgspec.field(default_factory=dict)
    lost: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    glory: Whole = 0
    dungeons: Whole = 0
    retired: bool = False
    heirloom: str = ""
    founded: str = ""
    cards: tuple[str, ...] = ()
    """The cards in the box, if a user has counted them."""


def from_paper(
    data: Mapping[str, Any], by: str = "", names_in_use: Iterable[str] = (), book: EffectBook = STANDARD
) -> tuple[m.BandAdopted, tuple[Finding, ...]]:
    """Return the mark of a band that lived on paper, and its errors and warnings; `data` is the content of its file.

    Raises NotationError if it cannot be read.
    """
    try:
        sheet = msgspec.convert(data, BandSheet, strict=False)
    except msgspec.ValidationError as error:
        raise NotationError(phrase("The record sheet cannot be read: {error}.", error=str(error))) from None
    monsters = {read_card(card): monster for card, monster in sheet.monsters.items()}
    inscribed = {read_card(card): _read_inscriptions(words, book) for card, words in sheet.inscribed.items()}
    mark = m.BandAdopted(
        name=sheet.name.strip(),
        builder=sheet.builder.strip(),
        creatures=tuple(_creature(card, monster) for card, monster in monsters.items()),
        labels={
            card: tuple(map(book.read_label, monster.labels)) for card, monster in monsters.items() if monster.labels
        },
        inscribed=inscribed,
        lost=_read_inscriptions(sheet.lost, book),
        holders=sheet.holders or (sheet.builder.strip(),),
        glory=sheet.glory,
        dungeons=sheet.dungeons,
        retired=sheet.retired,
        heirloom=book.read_inscription(sheet.heirloom) if sheet.heirloom else "",
        since=sheet.founded,
        by=by,
    )
    missing_cards = founding.pack_findings(tuple(map(read_card, sheet.cards))) if sheet.cards else ()
    return mark, (*missing_cards, *_adoption_findings(mark, names_in_use, book))


def _read_inscriptions(words: Words, book: EffectBook) -> tuple[str, ...]:
    return tuple(map(book.read_inscription, (words,) if isinstance(words, str) else words))


def _creature(card: Card, monster: MonsterOnCard) -> m.FoundedMonster:
    atk = founding.monster_atk(monster.hp) if monster.atk is None else monster.atk
    items = tuple(map(read_card, monster.items))
    return m.FoundedMonster(card, monster.name.strip(), monster.hp, atk, monster.legend, items)


def _adoption_findings(mark: m.BandAdopted, names_in_use: Iterable[str], book: EffectBook) -> Iterator[Finding]:
    """Yield all errors and warnings about an adopted band (V1.2–V1.15)."""
    yield from founding.name_findings(mark.name, names_in_use)
    monsters = {c.card: Monster(c.name, c.hp, c.atk, c.legend, mark.labels.get(c.card, ())) for c in mark.creatures}
    yield from founding.missing_findings(monsters, FormPlace("monsters"))
    yield from founding.monster_findings(monsters)
    for number, creature in enumerate(mark.creatures):
        if why := _wrong_items(creature):
            yield Finding(why, place=FormPlace("monsters", number, "items"))
    yield from inscribed_findings(mark.inscribed, book)
    if not mark.inscribed and not mark.retired:
        problem = phrase(
            "A band without a Blessed card has retired (R1.81); write `retired = true`, or what is inscribed."
        )
        yield Finding(problem, place=FormPlace("inscribed"))


def _wrong_items(creature: m.FoundedMonster) -> Text:
    """Return the error in the Items that a Monster was built from, or "" if they are right or unknown."""
    if not creature.items:
        return ""
    if len(creature.items) != founding.ITEMS_PER_MONSTER or not all(item in ITEMS for item in creature.items):
        return phrase("{card} is built from three Items, the cards 2 to 10 (V1.3).", card=card_title(creature.card))
    if founding.monster_hp(creature.items) == creature.hp:
        return ""
    return phrase(
        "{card}: its Items do not add up to HP {hp} (V1.3).", card=card_title(creature.card), hp=str(creature.hp)
    )


def inscribed_findings(inscribed: Mapping[Card, Sequence[str]], book: EffectBook) -> Iterator[Finding]:
    """Yield findings about inscriptions that are not allowed on their card, or have no effect there (V1.8–V1.12)."""
    for number, (card, present) in enumerate(inscribed.items()):
        place = FormPlace("inscribed", number)
        for at, name in enumerate(present):
            if why := founding.placement_error(name, card, present[:at], book):
                yield Finding(Finished(why), place=place)
            if why := founding.why_useless(name, card, book):
                yield Finding(Finished(why), warning=True, place=place)


class BandAdopting(Form):
    """The form for a band's paper record sheet. Each Monster and each inscribed card is an answer of its own."""

    def __init__(self, book: EffectBook = STANDARD) -> None:
        self._book = book

    about: ClassVar[Text] = phrase(
        "Adopt a band that lived on paper, from what its box and its record sheet say today."
    )
    fields: ClassVar[tuple[Field, ...]] = (
        NAME,
        Field("builder", "Builder", "Who built it.", required=True),
        Field("founded", "Founded", "When, in any words, if somebody remembers."),
        Field("holders", "Holders", "Everybody who held it, in order; the last holds it now.", many=True),
        Field("glory", "Glory", "Lifetime Glory, as written on the box.", kind="number", default="0", least=0),
        Field("dungeons", "Dungeons", "How many were completed.", kind="number", default="0", least=0),
        Field(
            "monsters",
            "Monsters",
            "What is written on the four Aces and the two Jokers; if ATK is missing, it follows from HP.",
            many=True,
            most=len(MONSTER_CARDS),
            parts=(
                CARD,
                Field(
                    "name", phrase_in("monster", "Creature"), "What it is called.", required=True, example="Grave Wyrm"
                ),
                Field("hp", "HP", kind="number", required=True, least=6, most=30),
                Field("atk", "ATK", kind="number", least=1, most=5),
                Field("legend", "Legend", "Whether it bears the ⭐.", kind="flag"),
                Field("labels", "Labels", "Its labels, with commas between.", kind="name", many=True),
                Field("items", "Items", "What it was built from, if somebody remembers.", "cards", example="4S,4D,5C"),
            ),
        ),
        Field("inscribed", "Blessed cards", "What is on the cards today.", many=True, parts=(CARD, INSCRIPTION)),
        Field("lost", "Lost inscriptions", "What has been crossed out.", kind="name", many=True),
        Field("cards", "Cards", "All cards in the box, if somebody has counted them.", kind="cards"),
        Field("retired", "Retired", "Whether no card is inscribed any more.", kind="flag"),
        Field("heirloom", "Heirloom", "What a retired band left.", kind="name"),
    )

    def initial_values(self) -> dict[str, Any]:
        """Return initial answers with an entry for each of the six Monsters, by its card."""
        return {**super().initial_values(), "monsters": [{"card": card} for card in MONSTER_CARDS]}

    def with_spots(self, values: Values, spots: Sequence[str]) -> Values | None:
        """Return the answers with the labels and inscriptions of these spots added."""
        on: dict[str, list[str]] = {}
        for card, _, name in (spot.partition(" ") for spot in spots):
            on.setdefault(card, []).extend([name] if name else [])
        monsters = [dict(answer) for answer in values.get("monsters", ())]
        for monster in monsters:
            names = dict.fromkeys((*_split_words(monster.get("labels", "")), *on.get(monster.get("card", ""), ())))
            monster |= {"labels": ", ".join(names)} if names else {}
        inscribed = [dict(answer) for answer in values.get("inscribed", ())]
        new = ({"card": card, "inscription": name} for card in on if card not in MONSTER_CARDS for name in on[card])
        inscribed += [answer for answer in new if answer not in inscribed]
        return {**values, "monsters": monsters, "inscribed": inscribed}

    def validate_answers(self, values: Values, context: FormContext) -> Filled:
        """Return the mark of the band on paper, with errors and warnings."""
        reader = FormReader(values)
        if not isinstance(values.get("monsters", {}), Mapping):
            reader.gate(self.fields)
            reader.by_kind(self.fields)
        else:
            for field in self.fields:
                caption = field.caption
                for text in _answer_texts(values.get(field.name)):
                    reader.read(partial(as_name, what=caption), text, FormPlace(field.name))
        if reader.findings:
            name = reader.text("name")
            doubts = founding.name_findings(name, context.taken) if name else ()
            return Filled(name, (*reader.findings, *doubts))
        try:
            mark, findings = from_paper(_as_in_a_file(values), context.by, context.taken, self._book)
        except NotationError as error:
            reader.unreadable(error.message, FormPlace())
            return Filled(reader.text("name"), tuple(reader.findings))
        wrong = any(not finding.warning for finding in findings)
        return Filled(mark.name, findings, marks=() if wrong else (mark,))

    def candidates(self, values: Values, place: FormPlace, context: FormContext) -> Candidates:  # noqa: ARG002 – independent of answers
        """Return the Monster cards, inscriptions or labels by name."""
        if place == FormPlace("monsters", place.entry, "card"):
            return tuple(Choice(card, card_title(card)) for card in MONSTER_CARDS)
        if place.part == "labels":
            return tuple(Choice(name, label.title, label.effect) for name, label in self._book.labels.items())
        if self.at(place).kind == "name":
            return tuple(Choice(name, one.title, one.effect) for name, one in self._book.inscriptions.items())
        return choices_by_kind(self.at(place))


def _answer_texts(answer: object) -> Iterator[str]:
    """Yield every text in a file's answer to one field."""
    if isinstance(answer, str):
        yield answer
    elif isinstance(answer, Mapping):
        for key, value in answer.items():
            yield from (*_answer_texts(key), *_answer_texts(value))
    elif isinstance(answer, Iterable):
        for value in answer:
            yield from _answer_texts(value)


def _as_in_a_file(values: Values) -> dict[str, Any]:
    """Return the answers as in a TOML file: Monsters and inscribed cards by card, and lists for texts with commas."""
    data = {"game": "decknforge", **values}
    if not isinstance(data.get("monsters", {}), Mapping):
        data["monsters"] = {answer.get("card", ""): _monster_answer(answer) for answer in data["monsters"]}
    if not isinstance(data.get("inscribed", {}), Mapping):
        inscribed: dict[str, tuple[str, ...]] = {}
        for answer in data["inscribed"]:
            card = answer.get("card", "")
            inscribed[card] = (*inscribed.get(card, ()), answer.get("inscription", ""))
        data["inscribed"] = inscribed
    if isinstance(data.get("cards"), str):
        data["cards"] = _split_words(data["cards"])
    if isinstance(data.get("retired"), str):
        data["retired"] = _is_yes(data["retired"])
    return data


def _monster_answer(answer: Mapping[str, Any]) -> dict[str, Any]:
    monster = {name: value for name, value in answer.items() if name != "card" and value != ""}
    lists = {name: _split_words(value) for name, value in monster.items() if name in ("labels", "items")}
    return monster | lists | {"legend": _is_yes(monster.get("legend"))}


def _is_yes(answer: Any) -> bool:
    return str(answer).lower() in YES


def _split_words(value: Any) -> Any:
    return value.replace(",", " ").split() if isinstance(value, str) else value


ADOPTING: Final = BandAdopting()
