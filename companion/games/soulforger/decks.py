"""The stored decks of Soul-Forger."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from companion.games.soulforger.rules.deck_list import SoulForgerRemarks, parse_remarks
from companion.games.soulforger.rules.keywords import SPEED_TITLES, TYPE_TITLES, keyword_title
from companion.tabletop.constructed.decks import ConstructedDecks
from companion.tabletop.constructed.portrait import CardProfile, cost_curve
from companion.tabletop.decks.decklist import DeckCard, ListedCard
from companion.tabletop.decks.portrait import Chart
from templates.languages.messages import Text, phrase, phrase_in, phrases


class SoulForgerDecks(ConstructedDecks):
    """Decks of Soul-Forger: what the figures of a card say on the page of its deck."""

    def profile(self, card: ListedCard) -> CardProfile:
        """Return the type, Ronum, Power, Endurance and keywords of a card."""
        remarks = parse_remarks(card)
        figures = remarks.figures
        ronum = figures.get("ronum")
        kind = TYPE_TITLES.get(remarks.type, _TOKEN)
        return CardProfile(kind, ronum, tuple(_about(remarks)))

    def curve(self, cards: Sequence[DeckCard]) -> Chart | None:
        """Return the Main Deck's distribution of Ronum."""
        return cost_curve(
            [card for card in cards if card.part == "main"], self.profile, phrase("Ronum of the Main Deck")
        )


_TOKEN: Final = phrase_in("type of card", "Token")


def _about(remarks: SoulForgerRemarks) -> Iterator[Text]:
    """Yield the figures and keywords of a card, and its cost."""
    figures = remarks.figures
    if figures.get("ronum") is not None:
        yield phrase("Ronum {ronum}", ronum=figures["ronum"])
    if power := figures.get("power"):
        yield phrase("Power {on}/{off}", on=power[0], off=power[1])
    if "endurance" in figures:
        yield phrase("Endurance {endurance}", endurance=figures["endurance"])
    yield from map(keyword_title, figures.get("keywords", ()))
    if speed := figures.get("speed"):
        yield SPEED_TITLES[speed]
    if figures.get("hands"):
        yield phrases("{n} hand", "{n} hands", n=figures["hands"])
    if remarks.cost:
        yield phrase("cost {cost}", cost=remarks.cost)
