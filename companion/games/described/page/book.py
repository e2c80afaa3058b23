"""The cards and inscriptions of a page's decks, looked up by the words of lines and by permanent numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from companion.games.described.page.campaign import CampaignBook
from companion.games.described.page.description import (
    DecksDefinition,
    Description,
    InscriptionDefinition,
    TierDefinition,
    title_of,
)
from companion.games.described.page.texts import PageTexts, several
from companion.games.described.records import Borne
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.decks.decklist import handle
from companion.tabletop.decks.paper import LabelTier
from companion.tabletop.notation import cards
from companion.tabletop.notation.cards import JOKERS, PACK, Card, read_card
from companion.tabletop.text import in_quotes
from templates.languages.messages import Text, all_of, joined, listed, phrase, phrase_in, phrases

_NO_DECKS = DecksDefinition(kind="list")


class DescribedBook:
    """The inscribed decks that a page defines."""

    def __init__(self, page: Description, texts: PageTexts | None = None) -> None:
        self.page = page
        self.texts = texts or PageTexts.of_page(page)
        self.decks = page.decks or _NO_DECKS
        self.campaign = CampaignBook(page, self.texts)

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """The cards of a deck by the names that marks use: codes for playing cards, full names for others."""
        if self.decks.cards:
            return tuple(dict.fromkeys(self.decks.cards))
        return PACK if self.decks.jokers else tuple(card for card in PACK if card not in JOKERS)

    @cached_property
    def by_number(self) -> Mapping[int, InscriptionDefinition]:
        return {each.number: each for each in self.decks.inscriptions}

    @cached_property
    def _by_word(self) -> Mapping[str, InscriptionDefinition]:
        return {handle(each.name): each for each in self.decks.inscriptions}

    @cached_property
    def _card_words(self) -> Mapping[str, str]:
        return {handle(card): card for card in self.cards}

    @property
    def inscription_word(self) -> Text:
        """The page's word for an inscription."""
        return self.decks.inscription

    def card(self, word: str) -> str:
        """Return the card that a word names. Raises NotationError if there is none."""
        if card := self._card_words.get(handle(word)):
            return card
        if self.decks.cards:
            raise NotationError(
                phrase(
                    "{word} is not a card of this game; there is: {cards}.",
                    word=in_quotes(word),
                    cards=listed(map(self.card_title, self.cards)),
                )
            )
        card = read_card(word)
        if card not in self.cards:
            # Translators: {deck} is the game's word for a deck.
            raise NotationError(
                phrase(
                    "{card} is not a card of a {deck} here, which has no jokers.",
                    card=cards.card_title(card),
                    deck=self.decks.called,
                )
            )
        return card

    def inscription(self, word: str) -> InscriptionDefinition:
        """Return the inscription with this word, name or number. Raises NotationError if there is none."""
        number = word.removeprefix("#")
        inscription = self.by_number.get(int(number)) if number.isascii() and number.isdecimal() else None
        inscription = inscription or self._by_word.get(handle(word))
        if inscription is None:
            names = [self.texts.name(each.name) for each in self.decks.inscriptions]
            # Translators: {inscription} is the game's word for an inscription.
            raise NotationError(
                phrase(
                    "{word} is no {inscription} of this game; there is: {names}.",
                    word=in_quotes(word),
                    inscription=self.inscription_word,
                    names=listed(names) if names else phrase_in("inscriptions", "none"),
                )
            )
        return inscription

    def name(self, number: int) -> Text:
        """Return the name of an inscription, or its number if this page does not define it."""
        inscription = self.by_number.get(number)
        return self.texts.name(inscription.name) if inscription else joined(" ", (self.inscription_word, str(number)))

    def card_title(self, card: str) -> Text:
        """Return the display name of a card: `9♠`, or its full name."""
        return cards.card_title(Card(card)) if card in PACK else self.texts.name(card)

    def tier(self, word: str) -> LabelTier | None:
        """Return the look of a tier's labels, or None if the page has no such tier."""
        tier: TierDefinition | None = self.decks.tiers.get(word)
        return LabelTier(title_of(word, tier.title), tier.mark, tier.colour) if tier else None

    def inscription_error(
        self, inscription: InscriptionDefinition, card: str, borne: Iterable[Borne], torn: Sequence[str]
    ) -> Text:
        """Return the reason why a card cannot bear an inscription, or an empty string if it can.

        `borne` is everything that the whole deck bears, and `torn` its torn-up cards.
        """
        everything = [*borne]
        there = [each for each in everything if each.card == card]
        same = [each for each in there if each.number == inscription.number]
        if card in torn:
            return phrase("{card} is torn up", card=self.card_title(card))
        if len(there) >= self.decks.per_card:
            most = self.decks.per_card
            # Translators: {most} is a number of what the game writes on cards, such as “2 scars”.
            return phrase(
                "{card} bears {inscriptions}; a card bears at most {most}",
                card=self.card_title(card),
                inscriptions=all_of(self.texts.name(each.name) for each in there),
                most=joined(" ", (str(most), several(self.inscription_word, most))),
            )
        if len(same) >= inscription.per_card:
            return phrase(
                "{card} already bears {inscription}",
                card=self.card_title(card),
                inscription=self.texts.name(inscription.name),
            )
        in_deck = sum(each.number == inscription.number for each in everything)
        if inscription.per_deck and in_deck >= inscription.per_deck:
            return phrases(
                "{inscription} stands in this {deck} once already, which is all it can bear",
                "{inscription} stands in this {deck} {n} times already, which is all it can bear",
                n=inscription.per_deck,
                inscription=self.texts.name(inscription.name),
                deck=self.decks.called,
            )
        return ""

    def bearing(self, inscription: InscriptionDefinition, card: str) -> Borne:
        """Return the inscription on a card, with its name and text as this page has them."""
        return Borne(card, inscription.number, inscription.name, inscription.text, inscription.tier)

    def in_order(self, borne: Iterable[Borne]) -> Iterator[Borne]:
        """Yield inscriptions in the order of their cards. Cards that this page does not have come last."""
        places = {card: place for place, card in enumerate(self.cards)}
        return iter(sorted(borne, key=lambda each: places.get(each.card, len(places))))


def card_title(card: str) -> Text:
    """Return the display name of a card: `9♠`, or its full name."""
    return cards.card_title(Card(card)) if card in PACK else card


def card_word(card: str) -> str:
    """Return the word for a card in lines: `9S`, or its name as one word."""
    return card if card in PACK else handle(card)


def read_borne(borne: Iterable[Borne], card: str, word: str) -> Borne:
    """Return the inscription on a card by name or number. Raises RuleError if the card bears no such inscription."""
    there = [each for each in borne if each.card == card]
    for each in there:
        if word.lower() in (handle(each.name), str(each.number), f"#{each.number}"):
            return each
    raise RuleError(
        phrase(
            "{card} bears no {word}; on it stands: {names}.",
            card=card_title(card),
            word=in_quotes(word),
            names=listed(each.name for each in there) if there else phrase_in("inscriptions", "nothing"),
        )
    )
