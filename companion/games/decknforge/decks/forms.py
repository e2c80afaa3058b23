"""The form to found a band, with its six Monsters drafted from 54 cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Final

import msgspec

from companion.games.decknforge.book import founding
from companion.games.decknforge.book.effect import TIER_TITLES, EffectBook
from companion.games.decknforge.book.founding import ITEMS, ITEMS_PER_MONSTER, MonsterDraft
from companion.games.decknforge.book.standard import STANDARD
from companion.games.decknforge.book.state import MONSTER_CARDS, Monster
from companion.games.decknforge.decks.marks import CardInscribed, CarriedOn
from companion.games.decknforge.decks.record import BandRecord, found_band
from companion.games.decknforge.glossary import effect_name
from companion.tabletop.action import NotationError
from companion.tabletop.decks.form import (
    Field,
    Filled,
    Finding,
    Form,
    FormContext,
    FormPlace,
    FormReader,
    StoredDeck,
    Values,
)
from companion.tabletop.decks.paper import SheetColumn, SheetTable
from companion.tabletop.notation.cards import PACK, Card, card_title, read_card
from companion.tabletop.records import Payment, Reason
from companion.tabletop.table.choices import Candidates, Choice, Open
from templates.languages.messages import Message, Text, joined, listed, phrase, phrase_in

# Translators: It stands beside the figures of a Monster that is a Legend.
LEGEND: Final = phrase("★ Legend")


class _Heirloom(msgspec.Struct, frozen=True):
    """The inscription that a retired band leaves, and the card it goes onto."""

    origin: StoredDeck
    mark: CardInscribed


class BandDraft(msgspec.Struct, frozen=True):
    """A band as far as it can be read; `answers` has the number of the answer for each Monster and inscription."""

    name: str
    builder: str
    person: str
    players: int
    monsters: Mapping[Card, MonsterDraft]
    inscribed: Sequence[tuple[Card, str]]
    answers: Mapping[str, Sequence[int]]
    heirloom: _Heirloom | None
    book: EffectBook = STANDARD

    @property
    def coppers_left(self) -> int:
        """Coppers of the budget that are not spent (R1.8)."""
        return founding.budget(self.players) - founding.price_of((name for _, name in self.inscribed), self.book)

    def on(self, card: Card) -> list[str]:
        """Return the inscriptions on a card so far."""
        return [name for other, name in self.inscribed if other == card]


def read(reader: FormReader, context: FormContext, book: EffectBook = STANDARD) -> BandDraft:
    """Read the answers as far as possible; errors are among the reader's findings."""
    answers, monsters = _read_monsters(reader)
    numbers, inscribed = [], []
    for number, answer in reader.entries("inscribe"):
        card = reader.read(read_card, answer.get("card", ""), FormPlace("inscribe", number, "card"))
        place = FormPlace("inscribe", number, "inscription")
        typed = answer.get("inscription", "")
        name = reader.read(book.read_inscription, typed, place) if typed else None
        if not typed:
            reader.wrong(phrase("Say which inscription it is."), place)
        if card is not None and name is not None:
            numbers.append(number)
            inscribed.append((card, name))
    builder = reader.text("builder")
    if not builder:
        reader.wrong(phrase("Every band has a builder; enter who it is (R1.5)."), FormPlace("builder"))
    players = reader.read(_read_players, reader.text("players", "3"), FormPlace("players")) or 3
    heirloom = _read_heirloom(reader, context, builder, inscribed, book)
    answers_read = {"monster": answers, "inscribe": numbers}
    person = reader.text("person")
    name = reader.text("name")
    return BandDraft(name, builder, person, players, monsters, inscribed, answers_read, heirloom, book)


def _read_monsters(reader: FormReader) -> tuple[list[int], dict[Card, MonsterDraft]]:
    text = reader.text("legend")
    chosen = reader.read(read_card, text, FormPlace("legend")) if text else None
    answers: list[int] = []
    monsters: dict[Card, MonsterDraft] = {}
    for number, answer in reader.entries("monster"):
        card = reader.read(read_card, answer.get("card", ""), FormPlace("monster", number, "card"))
        items = reader.read(_read_cards, answer.get("items", ""), FormPlace("monster", number, "items"))
        if card is None or items is None:
            continue
        if card in monsters:
            problem = phrase("{card} is given two Monsters; give each card one.", card=card_title(card))
            reader.unreadable(problem, FormPlace("monster", number, "card"))
            continue
        answers.append(number)
        monsters[card] = MonsterDraft(answer.get("name", ""), items, card == chosen)
    if chosen is not None and chosen not in monsters:
        problem = phrase(
            "{card} is not one of the Monsters; name the card of a Monster as Legend.", card=card_title(chosen)
        )
        reader.unreadable(problem, FormPlace("legend"))
    return answers, monsters


def _read_cards(text: str) -> tuple[Card, ...]:
    return tuple(map(read_card, text.replace(",", " ").split()))


def _read_players(text: str) -> int:
    if not (text.isdecimal() and 1 <= int(text) <= 5):
        raise NotationError(phrase("“{word}” is not a number of players; one to five can play (R1.4).", word=text))
    return int(text)


def _read_heirloom(
    reader: FormReader, context: FormContext, builder: str, inscribed: Sequence[tuple[Card, str]], book: EffectBook
) -> _Heirloom | None:
    """Return a retired band's heirloom and its new card (R1.81, A1.64); None if there is none, or it is not allowed."""
    origin = context.decks.get("heirloom-of")
    answer = next((answer for _, answer in reader.entries("heirloom")), None)
    if origin is None and answer is None:
        return None
    if origin is None or answer is None:
        problem = phrase(
            "An heirloom needs both: the retired band that leaves it (heirloom-of), and its new card (heirloom)."
        )
        reader.unreadable(problem, FormPlace("heirloom-of" if origin is None else "heirloom"))
        return None
    typed = answer.get("inscription", "")
    card = reader.read(read_card, answer.get("card", ""), FormPlace("heirloom", 0, "card"))
    inscription = reader.read(book.read_inscription, typed, FormPlace("heirloom", 0, "inscription")) if typed else ""
    if card is None or inscription is None or not isinstance(origin.record, BandRecord):
        return None
    heirloom = inscription or origin.record.heirloom
    if why := _no_heirloom(origin.record, heirloom):
        reader.wrong(why, FormPlace("heirloom-of"))
    elif not heirloom:
        problem = phrase(
            "{band} has left no heirloom yet: name one of its history, as {card}=sharp.",
            band=origin.record.name,
            card=card,
        )
        reader.unreadable(problem, FormPlace("heirloom", 0, "inscription"))
    elif why := _foreign_error(book, heirloom) or founding.heirloom_error(heirloom, card, inscribed, book):
        reader.wrong(why, FormPlace("heirloom", 0, "card"))
    else:
        return _Heirloom(origin, CardInscribed(card, heirloom, "heirloom", builder, origin.record.name))
    return None


def _foreign_error(book: EffectBook, name: str) -> Text:
    """Return why an inscription cannot be carried on here, or "": it may be from a homebrew unknown to this form."""
    if name in book.inscriptions:
        return ""
    return phrase(
        "{inscription} is from a homebrew: build the band with that homebrew.", inscription=book.inscription_title(name)
    )


def _no_heirloom(band: BandRecord, heirloom: str) -> Text:
    """Return why a band does not leave this heirloom, or ""; `heirloom` is "" if none has been chosen."""
    if not band.retired:
        return phrase("{band} has not retired; only a retired band leaves an heirloom (R1.81).", band=band.name)
    if band.successor:
        return phrase(
            "The heirloom of {band} lives on in {other} already (R1.81).", band=band.name, other=band.successor
        )
    if band.heirloom and heirloom not in ("", band.heirloom):
        return phrase(
            "The heirloom of {band} is {inscription}, not {other} (A1.64).",
            band=band.name,
            inscription=effect_name(band.heirloom),
            other=effect_name(heirloom),
        )
    if heirloom and heirloom not in band.history:
        return phrase(
            "The heirloom of {band} is one of {inscriptions}, not {other} (A1.64).",
            band=band.name,
            inscriptions=listed(map(effect_name, dict.fromkeys(band.history))),
            other=effect_name(heirloom),
        )
    return ""


_MONSTER: Final = "AS=4S,4D,5C=Grave Wyrm"

NAME: Final = Field("name", "Name", "What the band is called, for ever.", required=True)
CARD: Final = Field(
    "card", "Card", "Which card: rank, then suit; 9s is 9♠.", kind="card", required=True, word="CARD", example="AS"
)
INSCRIPTION: Final = Field(
    "inscription", "Inscription", "What it bears.", kind="name", required=True, word="INSCRIPTION"
).with_titles(Choice(name, effect.title) for name, effect in STANDARD.inscriptions.items())


class BandFounding(Form):
    """See `companion.tabletop.decks.form.Form`; the book determines the inscriptions for sale."""

    def __init__(self, book: EffectBook = STANDARD) -> None:
        self._book = book

    about: ClassVar[Text] = joined(
        "\n\n",
        (
            phrase("Build a band for DecknForge and give it an id."),
            phrase(
                "HP, ATK and Legends are computed from the Items. Anything against the rules is refused with the "
                "number of the rule."
            ),
        ),
    )
    example: ClassVar[str] = (
        '"Grave Choir" --builder Ana \\\n'
        "  --monster 'AS=4S,4D,5C=Grave Wyrm' --monster 'AH=2S,3D,7C=Moss Hound' \\\n"
        "  --monster 'AC=8S,9D,10C=Iron Tick' --monster 'AD=3S,6D,9C=Salt Widow' \\\n"
        "  --monster 'BJ=2H,5D,8C=Old Hunger' --monster 'RJ=10S,9H,7D=Red Tithe' \\\n"
        "  --inscribe 9S=sharp --inscribe 4H=quick --inscribe 7C=pierce"
    )
    fields: ClassVar[tuple[Field, ...]] = (
        NAME,
        Field(
            "builder",
            "Builder",
            "Who builds the band, holds it and keeps the remaining Coppers.",
            required=True,
        ),
        Field(
            "person",
            "Which of them",
            "If several people have the builder's name: the id of the right one, or new.",
            kind="person",
            word="ID",
            whose="builder",
        ),
        Field(
            "players",
            "Players",
            "Number of players: a solo band has a budget of 40 Coppers, any other band 30.",
            kind="number",
            default="3",
            least=1,
            most=5,
        ),
        Field(
            "monster",
            "Monsters",
            "A Monster's card, three Items and name, such as 'AS=4S,4D,5C=Grave Wyrm'; "
            "one for each of AS AH AC AD BJ RJ.",
            many=True,
            parts=(
                CARD,
                Field(
                    "items",
                    "Items",
                    "Three cards from 2 to 10 that you draw, 4♠ 4♦ 5♣ as 4s 4d 5c; HP and ATK follow from them.",
                    kind="cards",
                    required=True,
                    by_chance=True,
                    word="ITEMS",
                    example="4S,4D,5C",
                ),
                Field(
                    "name",
                    phrase_in("monster", "Creature"),
                    "What it is called.",
                    required=True,
                    word="NAME",
                    example="Grave Wyrm",
                    names="monster",
                ),
            ),
            example=_MONSTER,
            most=len(MONSTER_CARDS),
        ),
        Field(
            "legend",
            "Legend",
            "The Monster to mark as Legend if no Items form a pair.",
            kind="card",
            word="CARD",
        ),
        Field(
            "inscribe",
            "Inscriptions",
            "A starting inscription, such as 9S=sharp; three to six cards within the budget.",
            many=True,
            parts=(CARD, INSCRIPTION),
            example="9S=sharp",
        ),
        Field(
            "heirloom-of",
            "Heirloom of",
            "A retired band whose heirloom this band inherits, at no cost.",
            kind="deck",
            word="BAND",
        ),
        Field(
            "heirloom",
            "Heirloom",
            "Card for the heirloom, and the inscription if none has been chosen yet.",
            parts=(CARD, msgspec.structs.replace(INSCRIPTION, required=False)),
            example="KD=sharp",
        ),
    )

    def initial_values(self) -> dict[str, Any]:
        """Return initial answers with an entry for each of the six Monsters, by its card."""
        return {**super().initial_values(), "monster": [{"card": card} for card in MONSTER_CARDS]}

    def validate_answers(self, values: Values, context: FormContext) -> Filled:
        """Return the Monsters built from the Items, the Coppers left, and the marks of the new band."""
        reader = FormReader(values)
        reader.gate(self.fields)
        draft = read(reader, context, self._book)
        wrong = founding.founding_findings(
            draft.name, draft.monsters, draft.inscribed, draft.players, context.taken, book=self._book
        )
        findings = (*reader.findings, *(_at_its_answer(finding, draft.answers) for finding in wrong))
        tables = (_monster_table(draft.monsters),) if draft.monsters else ()
        computed = Filled(draft.name, findings, tables, dict(_texts_beside(draft)), {"left": draft.coppers_left})
        return computed if any(not finding.warning for finding in findings) else _with_marks(computed, draft, context)

    def idle_places(self, values: Values) -> Iterator[FormPlace]:
        """Yield the places to skip: Legend if any Items have a pair (R1.7), and the heirloom if none is carried on."""
        monsters = read(FormReader(values), FormContext(), self._book).monsters
        if not values.get("legend") and founding.any_pair(monsters):
            yield FormPlace("legend")
        if not values.get("heirloom-of") and not values.get("heirloom"):
            yield FormPlace("heirloom")
            yield from (FormPlace("heirloom", 0, part.name) for part in self.at(FormPlace("heirloom")).parts)

    def candidates(self, values: Values, place: FormPlace, context: FormContext) -> Candidates:
        """Return free Monster cards, cards that may be inscribed, or the shop with the Coppers left."""
        draft = read(FormReader(_without_answer(values, place)), context, self._book)
        answer = _answer_at(values, place)
        match place:
            case FormPlace("monster", _, "card"):
                return tuple(Choice(card, card_title(card)) for card in MONSTER_CARDS if card not in draft.monsters)
            case FormPlace("monster", _, "items"):
                what = phrase("three different Items, the cards 2 to 10")
                return Open(what, "4S,4D,5C", ITEMS_PER_MONSTER, ITEMS_PER_MONSTER)
            case FormPlace("inscribe" | "heirloom", _, "card"):
                return tuple(_inscribable_cards(draft, answer.get("inscription", "")))
            case FormPlace("inscribe", _, "inscription"):
                return tuple(_shop_offer(draft, answer.get("card", "")))
            case FormPlace("heirloom", _, "inscription"):
                return tuple(_heirloom_choices(context, self._book))
            case FormPlace("legend"):
                paired = founding.any_pair(draft.monsters)
                return tuple(Choice(card, one.name) for card, one in draft.monsters.items() if not paired)
        return super().candidates(values, place, context)

    def draw_answer(self, values: Values, place: FormPlace, rng: Random) -> str:
        """Draw three of the 36 Items; they go back before the next Monster is built (R1.6)."""
        if place.part == "items":
            return ",".join(rng.sample(ITEMS, ITEMS_PER_MONSTER))
        return super().draw_answer(values, place, rng)


def _at_its_answer(finding: Finding, answers: Mapping[str, Sequence[int]]) -> Finding:
    """Return a finding about the n-th readable Monster or inscription with the place of its answer."""
    place, numbers = finding.place, answers.get(finding.place.field, ())
    if place.entry is None or place.entry >= len(numbers):
        return finding
    return msgspec.structs.replace(finding, place=msgspec.structs.replace(place, entry=numbers[place.entry]))


def _valid_monsters(drafts: Mapping[Card, MonsterDraft]) -> dict[Card, Monster]:
    """Return the Monsters whose Items are all valid, with HP and ATK computed from them."""
    right = {card: draft for card, draft in drafts.items() if all(item in ITEMS for item in draft.items)}
    return founding.build_monsters(right)


def _texts_beside(draft: BandDraft) -> Iterator[tuple[FormPlace, Text]]:
    """Yield HP, ATK and ⭐ beside each Monster, the price beside each inscription, and the rest of the budget."""
    built = _valid_monsters(draft.monsters)
    for number, card in zip(draft.answers["monster"], draft.monsters, strict=True):
        if draft.monsters[card].items and card in built:
            yield FormPlace("monster", number), joined("  ", describe_figures(built[card]))
    for number, (_, name) in zip(draft.answers["inscribe"], draft.inscribed, strict=True):
        price = phrase("{coppers}c", coppers=draft.book.price(name) or 0)
        yield FormPlace("inscribe", number), listed((TIER_TITLES.get(draft.book.tier_of(name), ""), price))
    left = phrase(
        "{coppers} of {budget} Coppers are left", coppers=draft.coppers_left, budget=founding.budget(draft.players)
    )
    yield FormPlace("inscribe"), left


def describe_figures(monster: Monster) -> Iterator[Message]:
    """Yield HP and ATK of a Monster, and that it is a Legend."""
    yield phrase("HP {hp}", hp=monster.hp)
    yield phrase("ATK {atk}", atk=monster.atk)
    if monster.legend:
        yield LEGEND


def _with_marks(computed: Filled, draft: BandDraft, context: FormContext) -> Filled:
    """Return a valid form with the marks of the new band and of the one whose heirloom it carries on."""
    heirloom, coppers = draft.heirloom, draft.coppers_left
    marks, _ = found_band(
        draft.name,
        draft.builder,
        draft.monsters,
        draft.inscribed,
        draft.players,
        context.taken,
        heirloom=heirloom.mark if heirloom else None,
        person=draft.person,
        book=draft.book,
    )
    return msgspec.structs.replace(
        computed,
        change=phrase("{coppers} Coppers are left", coppers=coppers) if coppers else "",
        marks=marks,
        payments=(Payment(draft.builder, coppers, Reason("budget", (draft.name,)), draft.person),) if coppers else (),
        others={heirloom.origin.deck: (CarriedOn(draft.name, context.deck),)} if heirloom else {},
    )


def _monster_table(drafts: Mapping[Card, MonsterDraft]) -> SheetTable:
    """Return HP, ATK and ⭐ as computed from the Items (R1.6, R1.7); Monsters with invalid Items are left out."""
    rows = tuple(
        (card_title(card), monster.name, str(monster.hp), str(monster.atk), LEGEND if monster.legend else "")
        for card, monster in _valid_monsters(drafts).items()
    )
    columns: tuple[Text, ...] = (phrase("Card"), phrase("Monster"), phrase("HP"), phrase("ATK"), "")
    return SheetTable(phrase("Monsters"), tuple(map(SheetColumn, columns)), rows)


def _answer_at(values: Values, place: FormPlace) -> Mapping[str, Any]:
    """Return the answer that a place belongs to, as far as it has been given."""
    entries = FormReader(values).entries(place.field) if place.part else ()
    return next((answer for number, answer in entries if number == place.entry), {})


def _without_answer(values: Values, place: FormPlace) -> Values:
    """Return the other answers, while one is being chosen."""
    answers = values.get(place.field)
    if not place.part or not isinstance(answers, Sequence):
        return {name: value for name, value in values.items() if name != place.field}
    return {**values, place.field: [answer for number, answer in enumerate(answers) if number != place.entry]}


def _inscribable_cards(draft: BandDraft, inscription: str) -> Iterator[Choice]:
    """Yield the cards that an inscription, or any inscription if none is named, may go onto."""
    book = draft.book
    tried = (inscription,) if inscription in book.inscriptions else tuple(book.inscriptions)
    for card in PACK:
        if not all(founding.placement_error(name, card, draft.on(card), book) for name in tried):
            useless = founding.why_useless(inscription, card, book) if inscription in book.inscriptions else ""
            yield Choice(card, card_title(card), useless)


def _shop_offer(draft: BandDraft, typed: str) -> Iterator[Choice]:
    """Yield the inscriptions that can still be paid, and that fit the card if one is named."""
    try:
        card = read_card(typed) if typed else None
    except NotationError:
        card = None
    for name, effect in draft.book.inscriptions.items():
        price = draft.book.price(name)
        if price is None or price > draft.coppers_left:
            continue
        if card is None or not founding.placement_error(name, card, draft.on(card), draft.book):
            detail = phrase(
                "{tier}, {price} of {coppers} Coppers: {effect}",
                tier=TIER_TITLES[effect.tier],
                price=price,
                coppers=draft.coppers_left,
                effect=effect.effect,
            )
            yield Choice(name, effect.title, detail)


def _heirloom_choices(context: FormContext, book: EffectBook) -> Iterator[Choice]:
    """Yield the possible heirlooms of a retired band: the chosen one, or any inscription of its history."""
    origin = context.decks.get("heirloom-of")
    if origin is not None and isinstance(origin.record, BandRecord):
        names = (origin.record.heirloom,) if origin.record.heirloom else origin.record.history
        for name in dict.fromkeys(names):
            if effect := book.inscriptions.get(name):
                yield Choice(name, effect.title, effect.effect)


FOUNDING: Final = BandFounding()
