"""The stored decks of Odd Frontier TCG."""

from __future__ import annotations

from companion.games.oddfrontier.glossary import type_title
from companion.games.oddfrontier.rules.deck_list import parse_remarks
from companion.tabletop.constructed.decks import ConstructedDecks
from companion.tabletop.constructed.portrait import CardProfile
from companion.tabletop.decks.decklist import ListedCard
from templates.languages.messages import phrase, phrase_in


class FrontierDecks(ConstructedDecks):
    """Decks of Odd Frontier TCG: what the figures of a card say on the page of its deck."""

    def profile(self, card: ListedCard) -> CardProfile:
        """Return a card's type, cost, attack and defense, subtype and First Assault."""
        remarks = parse_remarks(card)
        figures = remarks.figures.get("figures")
        about = (*([f"{figures[0]}/{figures[1]}"] if figures else []), *remarks.subtypes)
        assault = (phrase("First Assault"),) if remarks.figures.get("first_assault") else ()
        cost = remarks.figures.get("cost")
        price = () if cost is None else (phrase("cost {cost}", cost=cost),)
        title = type_title(remarks.type) or phrase_in("card type", "Card")
        return CardProfile(title, cost, (*price, *about, *assault))
