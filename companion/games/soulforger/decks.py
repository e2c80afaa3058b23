"""The stored decks of Soul-Forger."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.soulforger.rules.deck_list import parse_remarks
from companion.games.soulforger.rules.keywords import keyword_title, title
from companion.tabletop.constructed.decks import ConstructedDecks
from companion.tabletop.constructed.portrait import CardProfile, cost_curve
from companion.tabletop.decks.decklist import DeckCard, ListedCard
from companion.tabletop.decks.portrait import Chart


class SoulForgerDecks(ConstructedDecks):
    """Decks of Soul-Forger: what the figures of a card say on the page of its deck."""

    def profile(self, card: ListedCard) -> CardProfile:
        """Return the type, Ronum, Power, Endurance and keywords of a card."""
        remarks = parse_remarks(card)
        figures = remarks.figures
        ronum, power = figures.get("ronum"), figures.get("power")
        about = (
            *([] if ronum is None else [f"Ronum {ronum}"]),
            *([f"Power {power[0]}/{power[1]}"] if power else []),
            *([f"Endurance {figures['endurance']}"] if "endurance" in figures else []),
            *(str(keyword_title(word)) for word in figures.get("keywords", ())),
            *map(title, filter(None, [figures.get("speed", "")])),
            *([f"{figures['hands']} hands"] if figures.get("hands") else []),
            *([f"cost {remarks.cost}"] if remarks.cost else []),
        )
        return CardProfile(remarks.type.capitalize() or "Token", ronum, about)

    def curve(self, cards: Sequence[DeckCard]) -> Chart | None:
        """Return the Main Deck's distribution of Ronum."""
        return cost_curve([card for card in cards if card.part == "main"], self.profile, "Ronum of the Main Deck")
